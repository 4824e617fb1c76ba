//! What well-known programs do with their arguments, by the manual of that name, as far as it tells paths from other text.

use super::reading::{At, Operands, Reading};
use super::script;

/// Programs that work in the directory that their option `-C` names.
pub(super) const WORKS_IN: [&str; 6] = ["git", "make", "gmake", "ninja", "tar", "pnpm"];

const PLAIN: Reading = Reading {
    operands: Operands::Any,
    text: &[],
    pairs: &[],
    files: &[],
    lists: &[],
    instead: &[],
    flags: "",
    glued: "",
    closed: false,
    single_words: false,
    at: At::Text,
    script: None,
    scripts: &[],
    checks: false,
};
const FILES: Reading = Reading { operands: Operands::Files, ..PLAIN };
/// Files, and no options but those given.
const CLOSED: Reading = Reading { closed: true, ..FILES };

const fn text(text: &'static [&'static str]) -> Reading {
    Reading { text, ..PLAIN }
}

const GREP: Reading = Reading {
    operands: Operands::PatternsThenFiles(1),
    text: &[
        "-e", "--regexp", "-A", "--after-context", "-B", "--before-context", "-C", "--context", "-m", "--max-count",
        "-d", "--directories", "-D", "--devices", "--include", "--exclude", "--exclude-dir", "--label",
        "--group-separator",
    ],
    files: &["-f", "--file", "--exclude-from"],
    instead: &["-e", "--regexp", "-f", "--file"],
    closed: true,
    ..PLAIN
};
const RIPGREP: Reading = Reading {
    operands: Operands::PatternsThenFiles(1),
    text: &[
        "-e", "--regexp", "-A", "--after-context", "-B", "--before-context", "-C", "--context", "-m", "--max-count",
        "-g", "--glob", "--iglob", "-t", "--type", "-T", "--type-not", "-j", "--threads", "-M", "--max-columns", "-r",
        "--replace", "-E", "--encoding", "--sort", "--sortr", "--color", "--colors", "-d", "--max-depth", "--type-add",
        "--context-separator",
    ],
    files: &["-f", "--file", "--ignore-file", "--pre"],
    instead: &["-e", "--regexp", "-f", "--file", "--files", "--type-list"],
    closed: true,
    ..PLAIN
};
const SED: Reading = Reading {
    operands: Operands::PatternsThenFiles(1),
    text: &["-l", "--line-length"],
    files: &["-f", "--file"],
    instead: &["-e", "--expression", "-f", "--file"],
    glued: "i",
    closed: true,
    script: Some(script::of_sed),
    scripts: &["-e", "--expression"],
    ..PLAIN
};
const AWK: Reading = Reading {
    operands: Operands::PatternsThenFiles(1),
    text: &["-F", "--field-separator", "-v", "--assign"],
    files: &["-f", "--file", "-E", "--exec", "-i", "--include", "-l", "--load"],
    instead: &["-f", "--file", "-e", "--source", "-E", "--exec"],
    script: Some(script::of_awk),
    scripts: &["-e", "--source"],
    ..PLAIN
};
const JQ: Reading = Reading {
    operands: Operands::PatternsThenFiles(1),
    text: &["--indent"],
    pairs: &["--arg", "--argjson"],
    files: &["-f", "--from-file", "-L"],
    instead: &["-f", "--from-file"],
    flags: "rcnseaSCMjRhV0",
    ..PLAIN
};
const FIND: Reading = Reading {
    operands: Operands::Places,
    text: &[
        "-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex", "-regextype",
        "-printf", "-lname", "-ilname", "-type", "-xtype", "-size", "-mtime", "-mmin", "-atime", "-amin", "-ctime",
        "-cmin", "-perm", "-user", "-group", "-maxdepth", "-mindepth", "-newermt", "-links", "-inum", "-fstype",
    ],
    files: &["-newer", "-anewer", "-cnewer", "-samefile", "-fprint", "-fprint0", "-fls", "-fprintf"],
    lists: &["-files0-from"],
    single_words: true,
    ..PLAIN
};
const CURL: Reading = Reading {
    text: &[
        "-H", "--header", "-A", "--user-agent", "-e", "--referer", "-X", "--request", "-u", "--user", "-w",
        "--write-out", "-d", "--data", "--data-raw", "--data-binary", "--data-urlencode", "--data-ascii", "--json",
        "-F", "--form", "--form-string", "-r", "--range", "-m", "--max-time", "--retry", "--connect-timeout",
        "--url-query", "--resolve", "-C", "-P", "-Q", "-U", "-t", "-x", "-y", "-Y", "-z",
    ],
    files: &[
        "-o", "--output", "-T", "--upload-file", "-b", "--cookie", "-c", "--cookie-jar", "-D", "--dump-header", "-E",
        "--cert", "--key", "--cacert", "--capath", "--netrc-file", "--output-dir", "--trace", "--trace-ascii",
        "--stderr", "--etag-save", "--etag-compare", "--unix-socket",
    ],
    lists: &["-K", "--config"],
    glued: "h",
    closed: true,
    at: At::Data,
    ..PLAIN
};
const WGET: Reading = Reading {
    text: &[
        "--header", "-U", "--user-agent", "--post-data", "--body-data", "-e", "-t", "-T", "-w", "-Q", "-l", "-A", "-R",
        "-D", "-I", "-X", "-B",
    ],
    files: &[
        "-O", "--output-document", "-o", "--output-file", "-a", "--append-output", "-i", "--input-file", "-P",
        "--directory-prefix", "--post-file", "--body-file", "--load-cookies", "--save-cookies", "--config",
        "--certificate", "--private-key", "--ca-certificate", "--ca-directory",
    ],
    closed: true,
    ..PLAIN
};
const COMPILER: Reading = Reading {
    files: &[
        "-o", "-I", "-L", "-B", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-isysroot", "-MF", "-T",
    ],
    glued: "DUWfmOlgxstcSEvpnMdPAC",
    at: At::Arguments,
    ..PLAIN
};
const TAR: Reading = Reading {
    text: &["-b", "-H", "-I", "-K", "-L", "-N", "-V", "-F", "--exclude", "--transform", "--strip-components"],
    files: &["-C", "--directory", "-f", "--file", "-g", "--listed-incremental", "--one-top-level", "--index-file"],
    lists: &["-T", "--files-from", "-X", "--exclude-from"],
    closed: true,
    ..PLAIN
};
const GITHUB: Reading = Reading {
    at: At::Data,
    ..text(&[
        "-t", "--title", "-b", "--body", "-q", "--jq", "--template", "--notes", "--search", "--label", "-X",
        "--method", "--header", "--raw-field", "-R", "--repo", "--json",
    ])
};
const SHELL: Reading = Reading {
    operands: Operands::FileThenAny,
    text: &["-c", "-o", "-O", "+O", "+o"],
    files: &["--rcfile", "--init-file"],
    instead: &["-c", "-s"],
    flags: "leuxi",
    ..PLAIN
};
const SUMS: Reading = Reading { checks: true, ..CLOSED };

/// How the program of this base name reads its arguments, by the manual of that name.
#[rustfmt::skip]
pub(super) fn reading(program: &str, subcommand: Option<&str>) -> Reading {
    match program {
        "cat" | "comm" | "rm" | "rmdir" | "unlink" | "link" | "tee" | "sync" | "rev" | "lsattr" | "chmod" | "chown" | "chgrp"
        | "cd" | "pushd" | "source" | "." => CLOSED,
        "less" | "more" => Reading { text: &["-p", "-P", "-t", "-x", "-y", "-z", "-j", "-b", "-h"], files: &["-o", "-O", "-k", "-T"], glued: "#DmM", ..CLOSED },
        "ll" | "dir" | "vdir" | "bat" | "batcat" | "exa" | "eza" | "lsd" | "nano" | "emacs" | "ed" | "xz" | "unxz" | "xzcat"
        | "zstd" | "unzstd" | "chattr" | "getfacl" | "setfacl" | "mkfifo" | "mknod" | "diff3" | "sdiff" | "csplit" | "strings"
        | "hexdump" => FILES,
        "ls" => Reading { text: &["-I", "--ignore", "-T", "-w"], ..CLOSED },
        "tac" => Reading { text: &["-s", "--separator"], ..CLOSED },
        "nl" => Reading { text: &["-b", "-d", "-f", "-h", "-i", "-l", "-n", "-s", "-v", "-w"], ..CLOSED },
        "wc" => Reading { lists: &["--files0-from"], ..CLOSED },
        "stat" => Reading { text: &["-c", "--format", "--printf"], ..CLOSED },
        "file" => Reading { text: &["-e", "-F", "-P"], files: &["-m", "--magic-file"], lists: &["-f", "--files-from"], ..CLOSED },
        "du" => Reading { text: &["-B", "-d", "--max-depth", "-t", "--exclude"], files: &["-X", "--exclude-from"], lists: &["--files0-from"], ..CLOSED },
        "df" => Reading { text: &["-B", "-t", "-x"], ..CLOSED },
        "mkdir" => Reading { text: &["-m", "--mode"], ..CLOSED },
        "touch" => Reading { text: &["-d", "--date", "-t"], files: &["-r", "--reference"], ..CLOSED },
        "date" => Reading { operands: Operands::Text, text: &["-d", "--date", "-s", "--set"], files: &["-f", "--file", "-r", "--reference"], glued: "I", ..CLOSED },
        "cp" | "mv" | "ln" => Reading { text: &["-S", "--suffix"], files: &["-t", "--target-directory"], ..CLOSED },
        "install" => Reading { text: &["-g", "-m", "--mode", "-o", "-S"], files: &["-t", "--target-directory"], ..CLOSED },
        "truncate" => Reading { text: &["-s", "--size"], files: &["-r", "--reference"], ..CLOSED },
        "shred" => Reading { text: &["-n", "-s"], files: &["--random-source"], ..CLOSED },
        "readlink" | "realpath" => Reading { files: &["--relative-to", "--relative-base"], ..CLOSED },
        "cmp" => Reading { text: &["-i", "-n"], ..CLOSED },
        "uniq" => Reading { text: &["-f", "-s", "-w"], ..CLOSED },
        "shuf" => Reading { text: &["-i", "-n"], files: &["-o", "--output", "--random-source"], ..CLOSED },
        "split" => Reading { text: &["-a", "-b", "-C", "-l", "-n", "-t"], ..CLOSED },
        "fold" => Reading { text: &["-w", "--width"], ..CLOSED },
        "fmt" => Reading { text: &["-w", "--width", "-p", "-g"], ..CLOSED },
        "expand" | "unexpand" => Reading { text: &["-t", "--tabs"], ..CLOSED },
        "od" => Reading { text: &["-A", "-j", "-N", "-t"], glued: "Sw", ..CLOSED },
        "xxd" => Reading { text: &["-c", "-g", "-l", "-o", "-s"], ..CLOSED },
        "base64" | "base32" => Reading { text: &["-w", "--wrap"], ..CLOSED },
        "md5sum" | "sha1sum" | "sha224sum" | "sha256sum" | "sha384sum" | "sha512sum" | "b2sum" | "cksum" | "sum" => SUMS,
        "tree" => Reading { text: &["-L", "-P", "-I", "-H", "-T"], files: &["-o"], ..CLOSED },
        "vi" | "vim" | "nvim" => Reading { text: &["-T"], files: &["-u", "-S", "-s", "-i", "-w", "-W", "-U"], flags: "abdefglmnoprtvxyzABDEFHLMNORVXZ", ..FILES },
        "gzip" | "gunzip" | "zcat" | "bzip2" | "bunzip2" | "bzcat" => Reading { text: &["-S", "--suffix"], ..CLOSED },
        "rsync" => Reading { text: &["-e", "--rsh", "-B", "-f", "--filter", "-M"], files: &["-T", "--temp-dir"], lists: &["--files-from", "--exclude-from", "--include-from"], ..CLOSED },
        "scp" | "sftp" => Reading { text: &["-c", "-l", "-o", "-P", "-J", "-X", "-D"], files: &["-i", "-F", "-S"], ..CLOSED },
        "ssh" => Reading { text: &["-B", "-b", "-c", "-D", "-e", "-J", "-L", "-l", "-m", "-O", "-o", "-p", "-Q", "-R", "-W", "-w"], files: &["-i", "-F", "-E", "-S", "-I"], closed: true, ..PLAIN },
        "head" | "tail" => Reading { text: &["-n", "-c", "--lines", "--bytes", "-s", "--pid"], ..CLOSED },
        "sort" => Reading {
            text: &["-t", "--field-separator", "-k", "--key", "-S", "--buffer-size"],
            files: &["-o", "--output", "-T", "--temporary-directory", "--random-source"],
            lists: &["--files0-from"],
            ..CLOSED
        },
        "cut" => Reading { text: &["-d", "--delimiter", "-f", "--fields", "-c", "-b", "--output-delimiter"], ..CLOSED },
        "paste" => Reading { text: &["-d", "--delimiters"], ..CLOSED },
        "column" => Reading { text: &["-s", "--separator", "-o", "--output-separator"], flags: "tnxL", ..FILES },
        "join" => Reading { text: &["-t", "-o", "-e", "-1", "-2", "-j", "-a", "-v"], ..CLOSED },
        "diff" => Reading {
            text: &["-I", "--ignore-matching-lines", "-x", "--exclude", "-U", "-C", "-L", "--label", "-W", "-F", "-D"],
            files: &["-S", "--starting-file", "-X", "--exclude-from", "--from-file", "--to-file"],
            ..CLOSED
        },
        "patch" => Reading { text: &["-B", "-D", "-F", "-p", "-V", "-Y", "-z", "-g"], files: &["-i", "--input", "-o", "--output", "-r", "--reject-file", "-d", "--directory"], ..CLOSED },
        "grep" | "egrep" | "fgrep" | "zgrep" | "ggrep" => GREP,
        "rg" => RIPGREP,
        "ag" => Reading { operands: Operands::PatternsThenFiles(1), text: &["-m", "-G", "--ignore", "--ignore-dir"], ..PLAIN },
        "sed" | "gsed" => SED,
        "awk" | "gawk" | "mawk" | "nawk" => AWK,
        "jq" | "gojq" | "yq" => JQ,
        "sd" => Reading { operands: Operands::PatternsThenFiles(2), text: &["-n", "-f"], ..PLAIN },
        "find" | "gfind" => FIND,
        "fd" | "fdfind" => Reading {
            operands: Operands::PatternsThenFiles(1),
            text: &["-e", "--extension", "-t", "--type", "-d", "--max-depth", "-E", "--exclude", "-S", "--size"],
            files: &["--base-directory", "--search-path", "--ignore-file"],
            ..PLAIN
        },
        "git" => match subcommand {
            Some("commit") => Reading {
                operands: Operands::Pathspecs(1), files: &["-F", "--file", "-t", "--template"], lists: &["--pathspec-from-file"], flags: "asvqinpezuS",
                ..text(&["-m", "--message", "--author", "--date", "--trailer"])
            },
            Some("tag" | "merge" | "notes") => Reading { files: &["-F", "--file"], flags: "asvqi", ..text(&["-m", "--message"]) },
            Some("stash") => Reading { operands: Operands::Pathspecs(1), flags: "asvqi", ..text(&["-m", "--message"]) },
            Some("log" | "shortlog" | "rev-list") => Reading { operands: Operands::Pathspecs(1), ..text(&["--grep", "--author", "--committer", "--since", "--until", "--after", "--before"]) },
            Some("grep") => Reading { operands: Operands::Pathspecs(2), files: &["-f"], instead: &["-e", "-f"], flags: "nilLhHwvcqoazIrEGPF", ..text(&["-e", "-A", "-B", "-C", "-m"]) },
            Some("add" | "rm" | "mv" | "diff" | "show" | "checkout" | "restore" | "status" | "ls-files" | "reset" | "clean" | "blame"
                | "archive" | "ls-tree" | "difftool" | "whatchanged" | "check-ignore" | "check-attr" | "update-index") =>
                Reading { operands: Operands::Pathspecs(1), lists: &["--pathspec-from-file"], ..PLAIN },
            _ => PLAIN,
        },
        "gh" | "glab" => GITHUB,
        "http" | "https" => Reading { at: At::Data, ..PLAIN },
        "curl" => CURL,
        "wget" => WGET,
        "gcc" | "g++" | "cc" | "c++" | "clang" | "clang++" | "ld" | "cpp" => COMPILER,
        "ar" | "as" | "nm" | "objdump" | "objcopy" | "strip" | "ranlib" | "javac" | "java" | "javadoc" | "jar" | "rustc" | "swiftc" | "scalac"
        | "kotlinc" | "ghc" | "7z" | "7za" | "msbuild" | "csc" | "gfortran" => Reading { at: At::Arguments, ..PLAIN },
        "tar" | "gtar" | "bsdtar" => TAR,
        "cpio" => Reading { text: &["-C", "-H", "-M", "-R"], files: &["-F", "--file", "-I", "-O", "-D", "--directory"], lists: &["-E", "--pattern-file"], ..CLOSED },
        "make" | "gmake" => Reading { text: &["-W", "-o"], files: &["-f", "--file", "--makefile", "-I", "--include-dir", "-C", "--directory"], glued: "jl", closed: true, ..PLAIN },
        "python" | "python3" | "python2" => Reading {
            operands: Operands::FileThenAny, text: &["-c", "-m", "-W", "-X"], instead: &["-c", "-m"], closed: true, ..PLAIN
        },
        "node" | "nodejs" => text(&["-e", "--eval", "-p", "--print"]),
        "perl" => Reading { files: &["-I"], glued: "i0lMmFCDxV", closed: true, ..text(&["-e", "-E"]) },
        "ruby" => Reading { files: &["-I", "-C", "-r"], glued: "0FiKTWxlE", closed: true, ..text(&["-e"]) },
        "php" => text(&["-r"]),
        "bash" | "sh" | "dash" | "zsh" | "ksh" => SHELL,
        "psql" => Reading { files: &["-f", "--file", "-o", "--output", "-L", "--log-file"], flags: "aAbeEHlqsStxXwWnz01V", ..text(&["-c", "--command", "-v", "-P", "-F", "-R"]) },
        "mysql" | "mariadb" => text(&["-e", "--execute"]),
        "docker" | "podman" => text(&["--format", "--filter"]),
        "kubectl" => text(&["-o", "--output", "-l", "--selector", "--patch"]),
        "xargs" => Reading { lists: &["-a", "--arg-file"], flags: "0rtpxo", ..text(&["-d", "--delimiter", "-I", "-n", "-P", "-L", "-s", "-E"]) },
        "dd" => Reading { operands: Operands::Assignments(&["if", "of"]), ..PLAIN },
        "tr" | "expr" | "true" | "false" | ":" | "sleep" | "seq" | "exit" | "return" | "kill" =>
            Reading { operands: Operands::Text, ..PLAIN },
        "echo" | "printf" => Reading { operands: Operands::Prose, ..PLAIN },
        _ => PLAIN,
    }
}
