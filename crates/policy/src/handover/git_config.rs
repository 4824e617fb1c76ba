//! Which settings of Git name nothing that runs.

use super::argument::{Argument, HOLE};

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

/// How keys end whose value is a command, and not a file or a directory of that name.
const COMMAND_KEYS: &[&str] = &[
    "pager", "editor", "askpass", "sshcommand", "textconv", ".cmd", ".command", ".external", "helper", ".program",
    "browser", "fsmonitor",
];

/// Whether `git config` with these arguments sets something that names a command.
pub(super) fn sets_a_command(arguments: &[Argument<'_>]) -> bool {
    const READING: &[&str] = &[
        "--get", "--get-all", "--get-regexp", "--get-urlmatch", "--get-color", "--get-colorbool", "--list", "-l",
        "--unset", "--unset-all", "--remove-section", "--rename-section", "--edit", "-e", "--name-only",
        "--show-origin",
    ];
    let mut operands = vec![];
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.text() {
            _ if word.hides_more() => return true,
            option if READING.contains(&option) => return false,
            "-f" | "--file" | "--blob" | "--type" | "--default" | "--comment" | "--value" => drop(words.next()),
            option if option.starts_with('-') && operands.is_empty() => {}
            _ => operands.push(word),
        }
    }
    match operands.as_slice() {
        [action, rest @ ..] if action.known() == Some("set") => !is_harmless_pair(rest),
        [action, ..]
            if matches!(
                action.known(),
                Some("get" | "list" | "unset" | "remove-section" | "rename-section" | "edit")
            ) =>
        {
            false
        }
        operands => !is_harmless_pair(operands),
    }
}

/// Whether a key and its value set nothing that runs; a key alone is only shown.
fn is_harmless_pair(operands: &[&Argument<'_>]) -> bool {
    match operands {
        [] | [_] => true,
        [key, value, ..] => is_harmless(key.text(), value.text()),
    }
}

/// Whether the `KEY=VALUE` of `-c` sets nothing that runs; a key alone is set to true.
pub(super) fn is_harmless_setting(setting: &str) -> bool {
    let (key, value) = setting.split_once('=').unwrap_or((setting, "true"));
    is_harmless(key, value)
}

/// Whether `value`, which may hold [`HOLE`], makes `key` name nothing that runs.
fn is_harmless(key: &str, value: &str) -> bool {
    let key = key.to_ascii_lowercase();
    let known = |name: &&str| key == *name || name.ends_with('.') && key.starts_with(name);
    let names_a_command = COMMAND_KEYS.iter().any(|end| key.ends_with(end)) && !key.starts_with("alias.");
    let shows_nothing = names_a_command && HARMLESS_COMMANDS.contains(&value);
    let hookless = key == "core.hookspath" && value == "/dev/null";
    !key.contains(HOLE) && (HARMLESS_KEYS.iter().any(known) || shows_nothing || hookless)
}
