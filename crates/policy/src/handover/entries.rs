//! Well-known programs, and the arguments with which they run something else or write files that no operand names.

/// Arguments of a program that hand something over.
pub(super) struct Entry {
    pub(super) programs: &'static [&'static str],
    pub(super) arguments: Arguments,
    pub(super) manual: &'static str,
}

/// What to look for in the arguments.
pub(super) enum Arguments {
    /// A long option, alone, with its value behind `=`, or shortened to no less than so many bytes.
    Long(&'static str, usize),
    /// An option of one dash, alone or with its value glued on or behind `=`.
    Short(&'static str),
    /// A word of exactly this text.
    Word(&'static str),
    /// A word that starts so.
    Prefix(&'static str),
    /// A word that holds this text, whatever its case.
    Holds(&'static str),
    /// An operand in the first place, and one in the second.
    Subcommand(&'static str, &'static str),
}

use Arguments::{Holds, Long, Prefix, Short, Subcommand};

const fn entry(programs: &'static [&'static str], arguments: Arguments, manual: &'static str) -> Entry {
    Entry { programs, arguments, manual }
}

const FIND: &[&str] = &["find", "gfind"];
const EDITORS: &[&str] = &["vi", "vim", "nvim", "view", "ex", "gvim", "rvim"];
const TEX: &[&str] = &["tex", "latex", "pdftex", "pdflatex", "xelatex", "lualatex", "latexmk"];
const SQLITE: &[&str] = &["sqlite", "sqlite3"];
const COMPILERS: &[&str] = &["gcc", "g++", "cc", "c++", "clang", "clang++"];

#[rustfmt::skip]
pub(super) const ENTRIES: &[Entry] = &[
    entry(&["sort", "gsort"], Long("--compress-program", 4), "GNU coreutils manual: sort --compress-program"),
    entry(&["split"], Long("--filter", 3), "GNU coreutils manual: split --filter"),
    entry(&["install", "ginstall"], Long("--strip-program", 8), "GNU coreutils manual: install --strip-program"),
    entry(&["tar", "gtar"], Long("--to-command", 6), "GNU tar manual: --to-command"),
    entry(&["tar", "gtar"], Long("--checkpoint-action", 13), "GNU tar manual: --checkpoint-action"),
    entry(&["tar", "gtar"], Long("--use-compress-program", 5), "GNU tar manual: --use-compress-program"),
    entry(&["tar", "gtar", "bsdtar"], Short("-I"), "GNU tar manual: -I"),
    entry(&["tar", "gtar"], Long("--info-script", 6), "GNU tar manual: --info-script"),
    entry(&["tar", "gtar"], Long("--new-volume-script", 7), "GNU tar manual: --new-volume-script"),
    entry(&["tar", "gtar"], Short("-F"), "GNU tar manual: -F"),
    entry(&["tar", "gtar"], Long("--rsh-command", 5), "GNU tar manual: --rsh-command"),
    entry(&["tar", "gtar"], Long("--rmt-command", 5), "GNU tar manual: --rmt-command"),
    entry(&["cpio"], Long("--rsh-command", 5), "GNU cpio manual: --rsh-command"),
    entry(&["zip"], Short("-TT"), "zip(1): -TT"),
    entry(&["zip"], Long("--unzip-command", 5), "zip(1): --unzip-command"),
    entry(FIND, Arguments::Word("-fprintf"), "GNU findutils manual: -fprintf"),
    entry(FIND, Arguments::Word("-fprint"), "GNU findutils manual: -fprint"),
    entry(FIND, Arguments::Word("-fprint0"), "GNU findutils manual: -fprint0"),
    entry(FIND, Arguments::Word("-fls"), "GNU findutils manual: -fls"),
    entry(&["rg"], Long("--pre", 5), "rg(1): --pre"),
    entry(&["rg"], Long("--hostname-bin", 14), "rg(1): --hostname-bin"),
    entry(&["ack", "ag"], Long("--pager", 5), "ack(1), ag(1): --pager"),
    entry(&["bat", "batcat", "delta"], Long("--pager", 7), "bat(1): --pager"),
    entry(&["less"], Prefix("+!"), "less(1): +cmd"),
    entry(&["less"], Prefix("++!"), "less(1): ++cmd"),
    entry(&["man"], Short("-P"), "man(1): -P"),
    entry(&["man"], Long("--pager", 4), "man(1): --pager"),
    entry(&["man"], Short("-H"), "man(1): -H"),
    entry(&["man"], Long("--html", 4), "man(1): --html"),
    entry(EDITORS, Short("-c"), "vim(1): -c"),
    entry(EDITORS, Prefix("+"), "vim(1): +command"),
    entry(EDITORS, Long("--cmd", 5), "vim(1): --cmd"),
    entry(EDITORS, Short("-S"), "vim(1): -S"),
    entry(&["emacs"], Long("--eval", 4), "emacs(1): --eval"),
    entry(&["emacs"], Long("--script", 4), "emacs(1): --script"),
    entry(&["emacs"], Long("--load", 4), "emacs(1): --load"),
    entry(&["emacs"], Short("-l"), "emacs(1): -l"),
    entry(&["fzf", "sk"], Long("--preview", 9), "fzf(1): --preview"),
    entry(&["fzf", "sk"], Long("--bind", 6), "fzf(1): --bind"),
    entry(&["ssh", "scp", "sftp", "rsync"], Holds("proxycommand"), "ssh_config(5): ProxyCommand"),
    entry(&["ssh", "scp", "sftp"], Holds("localcommand"), "ssh_config(5): LocalCommand"),
    entry(&["ssh", "scp", "sftp"], Holds("knownhostscommand"), "ssh_config(5): KnownHostsCommand"),
    entry(&["ssh", "scp", "sftp", "ssh-add", "ssh-keygen"], Holds("pkcs11provider"), "ssh_config(5): PKCS11Provider"),
    entry(&["ssh", "scp", "sftp"], Short("-F"), "ssh(1): -F"),
    entry(&["ssh"], Short("-I"), "ssh(1): -I"),
    entry(&["scp", "sftp"], Short("-S"), "scp(1): -S"),
    entry(&["sftp"], Short("-D"), "sftp(1): -D"),
    entry(&["ssh-keygen"], Short("-D"), "ssh-keygen(1): -D"),
    entry(&["ssh-add"], Short("-s"), "ssh-add(1): -s"),
    entry(&["rsync"], Short("-e"), "rsync(1): -e"),
    entry(&["rsync"], Long("--rsh", 4), "rsync(1): --rsh"),
    entry(&["rsync"], Long("--rsync-path", 8), "rsync(1): --rsync-path"),
    entry(&["wget"], Long("--use-askpass", 7), "GNU wget manual: --use-askpass"),
    entry(&["wget"], Long("--execute", 4), "GNU wget manual: --execute"),
    entry(&["wget"], Short("-e"), "GNU wget manual: -e"),
    entry(&["curl"], Long("--engine", 6), "curl(1): --engine"),
    entry(&["nc", "ncat", "netcat"], Short("-e"), "ncat(1): -e"),
    entry(&["nc", "ncat", "netcat"], Short("-c"), "ncat(1): -c"),
    entry(&["ncat"], Long("--exec", 5), "ncat(1): --exec"),
    entry(&["ncat"], Long("--sh-exec", 4), "ncat(1): --sh-exec"),
    entry(&["socat"], Holds("exec:"), "socat(1): EXEC"),
    entry(&["socat"], Holds("system:"), "socat(1): SYSTEM"),
    entry(&["socat"], Holds("shell:"), "socat(1): SHELL"),
    entry(&["tcpdump"], Short("-z"), "tcpdump(1): -z"),
    entry(&["make", "gmake"], Long("--eval", 4), "GNU make manual: --eval"),
    entry(&["make", "gmake"], Prefix("SHELL="), "GNU make manual 5.3.2: SHELL"),
    entry(&["cargo"], Long("--config", 8), "The Cargo Book: --config"),
    entry(&["go"], Short("-exec"), "go help test: -exec"),
    entry(&["go"], Short("-toolexec"), "go help build: -toolexec"),
    entry(&["go"], Short("-vettool"), "go help vet: -vettool"),
    entry(&["go"], Subcommand("env", "-w"), "go help env: -w"),
    entry(&["npm", "pnpm", "yarn"], Long("--script-shell", 14), "npm-config(7): script-shell"),
    entry(&["npm", "pnpm", "yarn"], Holds("script-shell"), "npm-config(7): script-shell"),
    entry(COMPILERS, Prefix("-fplugin"), "gcc(1): -fplugin"),
    entry(COMPILERS, Short("-wrapper"), "gcc(1): -wrapper"),
    entry(COMPILERS, Short("-B"), "gcc(1): -B"),
    entry(&["gh", "glab"], Subcommand("alias", "set"), "gh alias set"),
    entry(&["gh", "glab"], Subcommand("alias", "import"), "gh alias import"),
    entry(&["gh", "glab"], Subcommand("config", "set"), "gh config set"),
    entry(&["gh"], Subcommand("extension", "install"), "gh extension install"),
    entry(&["hg", "chg"], Long("--config", 4), "hg(1): --config"),
    entry(&["svn"], Long("--diff-cmd", 8), "svn help diff: --diff-cmd"),
    entry(&["svn"], Long("--editor-cmd", 10), "svn help commit: --editor-cmd"),
    entry(&["svn"], Long("--config-option", 15), "svn help: --config-option"),
    entry(&["psql"], Holds("\\!"), "psql(1): \\!"),
    entry(&["psql"], Holds("program"), "PostgreSQL manual: COPY … PROGRAM"),
    entry(&["mysql", "mariadb"], Holds("\\!"), "mysql(1): system"),
    entry(SQLITE, Holds(".shell"), "sqlite3: .shell"),
    entry(SQLITE, Holds(".system"), "sqlite3: .system"),
    entry(SQLITE, Holds(".load"), "sqlite3: .load"),
    entry(SQLITE, Holds("load_extension"), "sqlite3: load_extension"),
    entry(SQLITE, Holds("|"), "sqlite3: .output, .once and .import with a pipe"),
    entry(TEX, Prefix("-shell-escape"), "pdftex(1): -shell-escape"),
    entry(TEX, Prefix("--shell-escape"), "pdftex(1): -shell-escape"),
    entry(TEX, Prefix("-enable-write18"), "pdftex(1): -shell-escape"),
    entry(&["pandoc"], Long("--filter", 4), "pandoc(1): --filter"),
    entry(&["pandoc"], Short("-F"), "pandoc(1): -F"),
    entry(&["pandoc"], Long("--lua-filter", 4), "pandoc(1): --lua-filter"),
    entry(&["pandoc"], Short("-L"), "pandoc(1): -L"),
    entry(&["pandoc"], Long("--pdf-engine", 12), "pandoc(1): --pdf-engine"),
    entry(&["rpm", "rpmbuild"], Long("--eval", 5), "rpm(8): --eval"),
    entry(&["rpm", "rpmbuild"], Short("-E"), "rpm(8): -E"),
    entry(&["rpm", "rpmbuild"], Long("--define", 5), "rpm(8): --define"),
    entry(&["apt", "apt-get", "apt-cache"], Short("-o"), "apt.conf(5): APT::Update::Pre-Invoke"),
    entry(&["apt", "apt-get", "apt-cache"], Long("--option", 4), "apt.conf(5): APT::Update::Pre-Invoke"),
    entry(&["dc"], Holds("!"), "dc(1): !"),
    entry(&["exiftool"], Short("-if"), "exiftool(1): -if"),
    entry(&["exiftool"], Short("-config"), "exiftool(1): -config"),
];
