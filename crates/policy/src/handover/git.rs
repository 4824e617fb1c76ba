//! What Git runs when its arguments say so.

use innercmd_bash_units::Word;

use super::{is_long, is_short, known};

const CONFIG: &str = "git-config(1): variables that name commands";

/// Configuration whose values name nothing that runs and no file that is read for more configuration: keys, or the sections
/// they start with.
const HARMLESS_KEYS: &[&str] = &[
    "user.name", "user.email", "user.signingkey", "author.name", "author.email", "committer.name", "committer.email",
    "color.", "advice.", "column.", "core.quotepath", "core.autocrlf", "core.safecrlf", "core.eol", "core.filemode",
    "core.ignorecase", "core.longpaths", "core.symlinks", "core.abbrev", "core.compression", "core.precomposeunicode",
    "core.whitespace", "core.commentchar", "core.untrackedcache", "core.preloadindex", "commit.gpgsign",
    "commit.verbose", "commit.cleanup", "tag.gpgsign", "tag.sort", "push.default", "push.autosetupremote",
    "push.followtags", "pull.rebase", "pull.ff", "fetch.prune", "fetch.parallel", "fetch.prunetags",
    "merge.conflictstyle", "merge.ff", "merge.renames", "merge.renamelimit", "rebase.autostash", "rebase.autosquash",
    "rebase.updaterefs", "diff.noprefix", "diff.mnemonicprefix", "diff.renames", "diff.renamelimit", "diff.algorithm",
    "diff.colormoved", "diff.context", "diff.wserrorhighlight", "init.defaultbranch", "log.", "format.pretty",
    "status.", "branch.autosetuprebase", "branch.autosetupmerge", "branch.sort", "blame.", "grep.linenumber",
    "grep.patterntype", "gc.auto", "gc.autodetach", "maintenance.auto", "http.postbuffer", "http.lowspeedlimit",
    "http.lowspeedtime", "http.version", "http.extraheader", "pack.", "index.threads", "feature.manyfiles",
    "protocol.version", "rerere.enabled", "rerere.autoupdate", "stash.showpatch", "stash.showstat",
    "submodule.recurse", "worktree.guessremote", "versionsort.suffix", "help.autocorrect",
];

/// Values that name a command which shows and does nothing of its own.
const HARMLESS_COMMANDS: &[&str] = &["", "cat", "true", ":", "false", "less"];

/// Subcommands that run what they are given.
const RUNNING: &[(&str, &str, &str)] = &[
    ("bisect", "run", "git-bisect(1): run"),
    ("submodule", "foreach", "git-submodule(1): foreach"),
    ("hook", "run", "git-hook(1): run"),
];

/// Options that name a command: the subcommand (none for all), the option, and how short it may be cut.
const LONG: &[(Option<&str>, &str, usize, &str)] = &[
    (None, "--upload-pack", 5, "git-fetch-pack(1): --upload-pack"),
    (None, "--receive-pack", 5, "git-send-pack(1): --receive-pack"),
    (Some("push"), "--exec", 4, "git-push(1): --exec"),
    (Some("rebase"), "--exec", 4, "git-rebase(1): --exec"),
    (Some("archive"), "--exec", 4, "git-archive(1): --exec"),
    (Some("fetch-pack"), "--exec", 4, "git-fetch-pack(1): --exec"),
    (Some("ls-remote"), "--exec", 4, "git-ls-remote(1): --exec"),
    (Some("clone"), "--config", 8, "git-clone(1): --config"),
    (Some("clone"), "--template", 4, "git-clone(1): --template"),
    (Some("init"), "--template", 4, "git-init(1): --template"),
    (Some("difftool"), "--extcmd", 4, "git-difftool(1): --extcmd"),
    (Some("grep"), "--open-files-in-pager", 4, "git-grep(1): --open-files-in-pager"),
    (Some("filter-branch"), "--", 2, "git-filter-branch(1): filters"),
    (Some("send-email"), "--smtp-server", 8, "git-send-email(1): --smtp-server"),
    (Some("send-email"), "--sendmail-cmd", 6, "git-send-email(1): --sendmail-cmd"),
    (Some("send-email"), "--to-cmd", 6, "git-send-email(1): --to-cmd"),
    (Some("send-email"), "--cc-cmd", 6, "git-send-email(1): --cc-cmd"),
    (Some("instaweb"), "--httpd", 4, "git-instaweb(1): --httpd"),
    (Some("daemon"), "--access-hook", 4, "git-daemon(1): --access-hook"),
    (Some("diff"), "--output", 8, "git-diff(1): --output writes a file"),
    (Some("log"), "--output", 8, "git-log(1): --output writes a file"),
    (Some("show"), "--output", 8, "git-show(1): --output writes a file"),
];

const SHORT: &[(&str, &str, &str)] = &[
    ("clone", "-u", "git-clone(1): -u"),
    ("clone", "-c", "git-clone(1): -c"),
    ("rebase", "-x", "git-rebase(1): -x"),
    ("difftool", "-x", "git-difftool(1): -x"),
    ("grep", "-O", "git-grep(1): -O"),
];

pub(super) fn hands_over(arguments: &[Word]) -> Option<&'static str> {
    let mut rest = arguments;
    loop {
        let (word, behind) = rest.split_first()?;
        rest = behind;
        let text = known(word);
        let option = text.as_ref();
        match option {
            "-c" => {
                let (setting, behind) = rest.split_first()?;
                rest = behind;
                if !is_harmless_setting(setting) {
                    return Some(CONFIG);
                }
            }
            "-C" | "--git-dir" | "--work-tree" | "--namespace" | "--super-prefix" => {
                rest = rest.get(1..).unwrap_or_default()
            }
            _ if is_long(option, "--config-env", 6) => return Some("git(1): --config-env"),
            _ if option.starts_with("--exec-path=") => return Some("git(1): --exec-path"),
            _ if option.starts_with('-') => {}
            "" => return None,
            subcommand => return subcommand_hands_over(subcommand, rest),
        }
    }
}

fn subcommand_hands_over(subcommand: &str, arguments: &[Word]) -> Option<&'static str> {
    let texts: Vec<_> = arguments.iter().map(known).collect();
    let first = texts.first().map(AsRef::as_ref).unwrap_or_default();
    if subcommand == "config" {
        return sets_a_command(arguments).then_some(CONFIG);
    }
    if let Some((.., manual)) = RUNNING.iter().find(|(name, action, _)| *name == subcommand && *action == first) {
        return Some(manual);
    }
    let mut words = texts.iter().map(AsRef::as_ref);
    while let Some(word) = words.next() {
        match word {
            "--" => return None,
            // Its value is text.
            "-m" | "--message" if matches!(subcommand, "commit" | "tag" | "merge" | "stash" | "notes") => {
                drop(words.next())
            }
            _ if word.starts_with("ext::") => return Some("gitremote-helpers(7): git-remote-ext"),
            _ => {
                let long = LONG.iter().find(|(name, option, shortest, _)| {
                    name.is_none_or(|name| name == subcommand)
                        && (is_long(word, option, *shortest) || *option == "--" && word.starts_with("--"))
                });
                let short = SHORT.iter().find(|(name, option, _)| *name == subcommand && is_short(word, option));
                if let Some(manual) = long.map(|(.., manual)| manual).or(short.map(|(.., manual)| manual)) {
                    return Some(manual);
                }
            }
        }
    }
    None
}

/// Whether `git config` with these arguments sets something that names a command.
fn sets_a_command(arguments: &[Word]) -> bool {
    const READING: &[&str] = &[
        "--get", "--get-all", "--get-regexp", "--get-urlmatch", "--get-color", "--get-colorbool", "--list", "-l",
        "--unset", "--unset-all", "--remove-section", "--rename-section", "--edit", "-e", "--name-only",
        "--show-origin",
    ];
    let mut operands = vec![];
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = known(word);
        match text.as_ref() {
            option if READING.contains(&option) => return false,
            "-f" | "--file" | "--blob" | "--type" | "--default" | "--comment" | "--value" => drop(words.next()),
            option if option.starts_with('-') && operands.is_empty() => {}
            _ => operands.push(word),
        }
    }
    match operands.as_slice() {
        [action, rest @ ..] if known(action) == "set" => !is_harmless_pair(rest),
        [action, ..]
            if matches!(
                known(action).as_ref(),
                "get" | "list" | "unset" | "remove-section" | "rename-section" | "edit"
            ) =>
        {
            false
        }
        operands => !is_harmless_pair(operands),
    }
}

/// Whether a key and its value set nothing that runs; a key alone is only shown.
fn is_harmless_pair(operands: &[&Word]) -> bool {
    match operands {
        [] | [_] => true,
        [key, value, ..] => is_harmless(&known(key), key.literal().and_then(|_| value.literal()).as_deref()),
    }
}

/// Whether the `KEY=VALUE` of `-c` sets nothing that runs.
fn is_harmless_setting(word: &Word) -> bool {
    let text = known(word);
    let value = word.literal();
    match text.split_once('=') {
        Some((key, _)) => {
            is_harmless(key, value.as_deref().and_then(|text| text.split_once('=')).map(|(_, value)| value))
        }
        // A key alone is set to true.
        None => value.is_some() && is_harmless(&text, None),
    }
}

fn is_harmless(key: &str, value: Option<&str>) -> bool {
    let key = key.to_ascii_lowercase();
    let known = |name: &&str| key == *name || name.ends_with('.') && key.starts_with(name);
    let shows_nothing =
        |value: &str| HARMLESS_COMMANDS.contains(&value) && !key.starts_with("include") && !key.starts_with("alias.");
    HARMLESS_KEYS.iter().any(|name| known(&name)) || value.is_some_and(shows_nothing)
}
