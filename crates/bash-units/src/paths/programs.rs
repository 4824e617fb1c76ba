//! What well-known programs do with their arguments, as far as it tells paths from other text.
//!
//! INVARIANT: an option stands under `text_options` only where its program always takes the next word as its value, and that
//! value names no file: the words skipped for it are never looked at again. Where a program is not sure about it, the option is
//! left out, and its value counts as one more operand.

/// How a program reads its arguments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    /// What its operands are.
    pub(super) operands: Operands,
    /// Options whose value is text: in the next word, glued on, or after `=`.
    text_options: &'static [&'static str],
    /// Options whose next two words are text.
    pair_options: &'static [&'static str],
    /// Options whose next word is a file.
    file_options: &'static [&'static str],
    /// Options with which no operand is a pattern, a script or a program.
    instead: &'static [&'static str],
    /// Short options without a value that may stand before a text option in one word.
    flags: &'static str,
}

/// What the operands of a program are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operands {
    /// Not known: a path is told by its looks.
    Any,
    /// Files and directories.
    Files,
    /// So many patterns or scripts, then files and directories.
    PatternsThenFiles(usize),
    /// One file or directory, then what is not known.
    FileThenAny,
    /// The places to search, up to the first word of the expression.
    Places,
    /// Text that is printed: what holds a blank is a sentence and not a path.
    Prose,
    /// Text that names no file.
    Text,
    /// `NAME=VALUE` words, of which these name files.
    Assignments(&'static [&'static str]),
}

/// Programs that work in the directory that their option `-C` names.
pub(super) const WORKS_IN: [&str; 6] = ["git", "make", "gmake", "ninja", "tar", "pnpm"];

const PLAIN: Reading = Reading {
    operands: Operands::Any,
    text_options: &[],
    pair_options: &[],
    file_options: &[],
    instead: &[],
    flags: "",
};
const FILES: Reading = Reading { operands: Operands::Files, ..PLAIN };

const fn text(text_options: &'static [&'static str]) -> Reading {
    Reading { text_options, ..PLAIN }
}

const GREP: Reading = Reading {
    operands: Operands::PatternsThenFiles(1),
    text_options: &[
        "-e", "--regexp", "-A", "--after-context", "-B", "--before-context", "-C", "-m", "--max-count", "-d", "-D",
        "--include", "--exclude", "--exclude-dir", "--label", "--group-separator",
    ],
    file_options: &["-f", "--file", "--exclude-from"],
    instead: &["-e", "--regexp", "-f", "--file"],
    flags: "EFGPivwxcLloqsbHhnTZUzarRIuy",
    ..PLAIN
};
const RIPGREP: Reading = Reading {
    operands: Operands::PatternsThenFiles(1),
    text_options: &[
        "-e", "--regexp", "-A", "--after-context", "-B", "--before-context", "-C", "--context", "-m", "--max-count",
        "-g", "--glob", "--iglob", "-t", "--type", "-T", "--type-not", "-j", "--threads", "-M", "--max-columns", "-r",
        "--replace", "-E", "--encoding", "--sort", "--sortr", "--color", "--colors", "-d", "--max-depth", "--type-add",
        "--context-separator",
    ],
    file_options: &["-f", "--file", "--ignore-file", "--pre"],
    instead: &["-e", "--regexp", "-f", "--file", "--files", "--type-list"],
    flags: "iSsvwxcloNnHIuUzLpqaFP0h",
    ..PLAIN
};
const SED: Reading = Reading {
    operands: Operands::PatternsThenFiles(1),
    text_options: &["-e", "--expression", "-l", "--line-length"],
    file_options: &["-f", "--file"],
    instead: &["-e", "--expression", "-f", "--file"],
    flags: "nErsuz",
    ..PLAIN
};
const AWK: Reading = Reading {
    operands: Operands::PatternsThenFiles(1),
    text_options: &["-F", "--field-separator", "-v", "--assign", "-e", "--source"],
    file_options: &["-f", "--file", "-E", "--exec", "-i", "--include", "-l", "--load"],
    instead: &["-f", "--file", "-e", "--source", "-E", "--exec"],
    ..PLAIN
};
const JQ: Reading = Reading {
    operands: Operands::PatternsThenFiles(1),
    text_options: &["--indent"],
    pair_options: &["--arg", "--argjson"],
    file_options: &["-f", "--from-file", "-L"],
    instead: &["-f", "--from-file"],
    ..PLAIN
};
const FIND: Reading = Reading {
    operands: Operands::Places,
    text_options: &[
        "-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex", "-regextype",
        "-printf", "-lname", "-ilname", "-type", "-xtype", "-size", "-mtime", "-mmin", "-atime", "-amin", "-ctime",
        "-cmin", "-perm", "-user", "-group", "-maxdepth", "-mindepth", "-newermt", "-links", "-inum", "-fstype",
    ],
    file_options: &[
        "-newer", "-anewer", "-cnewer", "-samefile", "-fprint", "-fprint0", "-fls", "-fprintf", "-files0-from",
    ],
    ..PLAIN
};
const CURL: Reading = text(&[
    "-H", "--header", "-A", "--user-agent", "-e", "--referer", "-X", "--request", "-u", "--user", "-w", "--write-out",
    "-d", "--data", "--data-raw", "--data-binary", "--data-urlencode", "--data-ascii", "--json", "-F", "--form",
    "--form-string", "-r", "--range", "-m", "--max-time", "--retry", "--connect-timeout", "--url-query", "--resolve",
]);
const GITHUB: Reading = text(&[
    "-t", "--title", "-b", "--body", "-q", "--jq", "--template", "--notes", "--search", "--label", "-X", "--method",
    "--header", "--raw-field", "-R", "--repo", "--json",
]);
const SHELL: Reading = Reading {
    operands: Operands::FileThenAny,
    text_options: &["-c", "-o", "-O", "+O", "+o"],
    file_options: &["--rcfile", "--init-file"],
    instead: &["-c", "-s"],
    flags: "leuxi",
    ..PLAIN
};

/// How the program of this base name reads its arguments, by the manual of that name.
#[rustfmt::skip]
pub(super) fn reading(program: &str, subcommand: Option<&str>) -> Reading {
    match program {
        "cat" | "tac" | "nl" | "less" | "more" | "wc" | "ls" | "ll" | "dir" | "vdir" | "stat" | "file" | "du" | "df" | "rm" | "rmdir"
        | "unlink" | "mkdir" | "touch" | "cp" | "mv" | "ln" | "link" | "install" | "tee" | "truncate" | "shred" | "readlink"
        | "realpath" | "cmp" | "comm" | "uniq" | "shuf" | "split" | "csplit" | "fold" | "fmt" | "expand" | "unexpand" | "od"
        | "xxd" | "hexdump" | "strings" | "base64" | "base32" | "md5sum" | "sha1sum" | "sha224sum" | "sha256sum"
        | "sha384sum" | "sha512sum" | "b2sum" | "cksum" | "sum" | "bat" | "batcat" | "tree" | "exa" | "eza" | "lsd" | "vi" | "vim"
        | "nvim" | "nano" | "emacs" | "ed" | "gzip" | "gunzip" | "zcat" | "bzip2" | "bunzip2" | "bzcat" | "xz" | "unxz"
        | "xzcat" | "zstd" | "unzstd" | "rsync" | "scp" | "sync" | "chattr" | "lsattr" | "getfacl" | "setfacl" | "mkfifo"
        | "mknod" | "rev" | "chmod" | "chown" | "chgrp" | "diff3" | "sdiff" | "cd" | "pushd" | "source" | "." => FILES,
        "head" | "tail" => Reading { text_options: &["-n", "-c", "--lines", "--bytes"], ..FILES },
        "sort" => Reading { text_options: &["-t", "--field-separator", "-k", "--key"], ..FILES },
        "cut" => Reading { text_options: &["-d", "--delimiter", "-f", "--fields", "-c", "-b", "--output-delimiter"], ..FILES },
        "paste" => Reading { text_options: &["-d", "--delimiters"], ..FILES },
        "column" => Reading { text_options: &["-s", "--separator", "-o", "--output-separator"], ..FILES },
        "join" => Reading { text_options: &["-t", "-o", "-e", "-1", "-2", "-j"], ..FILES },
        "diff" => Reading { text_options: &["-I", "--ignore-matching-lines", "-x", "--exclude", "-U", "-C", "-L", "--label"], ..FILES },
        "grep" | "egrep" | "fgrep" | "zgrep" | "ggrep" => GREP,
        "rg" => RIPGREP,
        "ag" => Reading { operands: Operands::PatternsThenFiles(1), text_options: &["-m", "-G", "--ignore", "--ignore-dir"], ..PLAIN },
        "sed" | "gsed" => SED,
        "awk" | "gawk" | "mawk" | "nawk" => AWK,
        "jq" | "gojq" | "yq" => JQ,
        "sd" => Reading { operands: Operands::PatternsThenFiles(2), text_options: &["-n", "-f"], ..PLAIN },
        "find" | "gfind" => FIND,
        "fd" | "fdfind" => Reading {
            operands: Operands::PatternsThenFiles(1),
            text_options: &["-e", "--extension", "-t", "--type", "-d", "--max-depth", "-E", "--exclude", "-S", "--size"],
            ..PLAIN
        },
        "git" => match subcommand {
            Some("commit" | "tag" | "merge" | "stash" | "notes") =>
                Reading { flags: "asvqi", ..text(&["-m", "--message", "--author", "--date", "--trailer"]) },
            Some("log" | "shortlog" | "rev-list") => text(&["--grep", "--author", "--committer", "--since", "--until", "--after", "--before"]),
            _ => PLAIN,
        },
        "gh" | "glab" => GITHUB,
        "curl" => CURL,
        "wget" => text(&["--header", "-U", "--user-agent", "--post-data"]),
        "python" | "python3" | "python2" => Reading {
            operands: Operands::FileThenAny, text_options: &["-c", "-m", "-W", "-X"], instead: &["-c", "-m"], ..PLAIN
        },
        "node" | "nodejs" => text(&["-e", "--eval", "-p", "--print"]),
        "perl" => Reading { flags: "nplaws0", ..text(&["-e", "-E"]) },
        "ruby" => Reading { flags: "nplaw", ..text(&["-e"]) },
        "php" => text(&["-r"]),
        "bash" | "sh" | "dash" | "zsh" | "ksh" => SHELL,
        "psql" => text(&["-c", "--command", "-v", "-P", "-F", "-R"]),
        "mysql" | "mariadb" => text(&["-e", "--execute"]),
        "docker" | "podman" => text(&["--format", "--filter"]),
        "kubectl" => text(&["-o", "--output", "-l", "--selector", "--patch"]),
        "xargs" => text(&["-d", "--delimiter", "-I", "-n", "-P", "-L", "-s", "-E"]),
        "dd" => Reading { operands: Operands::Assignments(&["if", "of"]), ..PLAIN },
        "tr" | "expr" | "true" | "false" | ":" | "sleep" | "seq" | "exit" | "return" | "kill" =>
            Reading { operands: Operands::Text, ..PLAIN },
        "echo" | "printf" => Reading { operands: Operands::Prose, ..PLAIN },
        _ => PLAIN,
    }
}

impl Reading {
    /// Whether the word after `option` is its value, and text.
    fn takes_text(&self, option: &str) -> bool {
        self.text_options.contains(&option) || self.is_text_cluster(option)
    }

    /// Whether `option` holds its value itself, and that is text: `-epattern`, `--message=x`.
    pub(super) fn holds_text(&self, option: &str) -> bool {
        if let Some((name, _)) = option.split_once('=').filter(|_| option.starts_with("--")) {
            return self.text_options.contains(&name);
        }
        let short = |known: &&str| known.len() == 2 && option.len() > 2 && option.starts_with(*known);
        !option.starts_with("--") && self.text_options.iter().any(short)
    }

    /// How many of the words after `option` are text.
    pub(super) fn text_words(&self, option: &str) -> usize {
        if self.pair_options.contains(&option) { 2 } else { usize::from(self.takes_text(option)) }
    }

    /// Whether the word after `option` is a file.
    pub(super) fn takes_file(&self, option: &str) -> bool {
        self.file_options.contains(&option)
    }

    /// Whether `option` is a cluster of flags and, last, an option that takes text, such as `-am` of `git commit`.
    fn is_text_cluster(&self, option: &str) -> bool {
        let Some(letters) = option.strip_prefix('-').filter(|letters| letters.len() > 1) else { return false };
        let Some(last) = letters.chars().last().filter(char::is_ascii_alphabetic) else { return false };
        let flags = letters.strip_suffix(last).unwrap_or_default();
        self.text_options.contains(&format!("-{last}").as_str()) && flags.chars().all(|flag| self.flags.contains(flag))
    }

    /// Whether `option` makes each operand a file, or none a program.
    pub(super) fn replaces_patterns(&self, option: &str) -> bool {
        if self.holds_text(option) {
            return self.instead.iter().any(|known| option.starts_with(known));
        }
        let name = option.split_once('=').map_or(option, |(name, _)| name);
        if name.starts_with("--") {
            return self.instead.contains(&name);
        }
        // In a cluster, or with its value glued on; a letter too many makes a pattern a file, which is the safe side.
        let short =
            |known: &&str| known.len() == 2 && known.chars().last().is_some_and(|letter| option.contains(letter));
        option.starts_with('-') && self.instead.iter().any(short)
    }
}
