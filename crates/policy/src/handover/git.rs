//! What Git runs or writes when its arguments say so.

use super::argument::{Argument, HOLE};
use super::git_config;
use super::options::{Found, Options, Style};
use super::programs::describe;

/// The options before the subcommand (git(1)). A value of `-c` is judged by what it sets.
const GLOBAL: Options = Options {
    style: Style::ClustersInFull,
    table: "C: git-dir: work-tree: namespace: super-prefix: attr-source: list-cmds: c:? config-env:! exec-path::?",
    judge: |name, value| match name {
        "c" => !git_config::is_harmless_setting(value),
        // Without a value it is shown.
        _ => !value.is_empty(),
    },
};

/// A subcommand, and its options that name a command or write a file; `!` and `?` as in [`Options`].
struct Subcommand {
    names: &'static [&'static str],
    table: &'static str,
}

const fn sub(names: &'static [&'static str], table: &'static str) -> Subcommand {
    Subcommand { names, table }
}

/// Those that show differences, or walk the history as these do: each takes `--output` (git-diff(1)).
///
/// Some letters take a value in one subcommand only, so that it counts as theirs where it is attached.
const DIFF: &str = "n:: S:: G:: O:: l:: U:: M:: C:: B:: L:: max-count: skip: since: until: after: before: author: committer: \
    grep: format:: pretty:: date: decorate:: stat:: diff-filter: relative:: word-diff:: color:: encoding: inter-hunk-context: \
    anchored: find-object: src-prefix: dst-prefix: output-indicator-new: output-indicator-old: output-indicator-context: \
    output-directory: output:!";

#[rustfmt::skip]
const SUBCOMMANDS: &[Subcommand] = &[
    sub(&["diff", "diff-tree", "diff-index", "diff-files", "log", "show", "whatchanged", "stash", "range-diff", "reflog",
          "shortlog", "rev-list", "blame", "annotate", "cherry-pick", "revert", "cherry", "format-patch", "bisect", "fast-export",
          "merge-tree", "show-branch"], DIFF),
    sub(&["clone"], "o|origin: b|branch: j|jobs: depth: shallow-since: shallow-exclude: reference: reference-if-able: \
        separate-git-dir: server-option: filter: bundle-uri: ref-format: recurse-submodules:: u|upload-pack:! c|config:! \
        template:!"),
    sub(&["fetch", "pull", "fetch-pack"], "j|jobs: o|server-option: depth: deepen: shallow-since: shallow-exclude: refmap: \
        negotiation-tip: filter: recurse-submodules:: rebase:: s|strategy: X|strategy-option: S|gpg-sign:: upload-pack:! exec:!"),
    sub(&["ls-remote"], "o|server-option: sort: upload-pack:! exec:!"),
    sub(&["push", "send-pack"], "o|push-option: repo: recurse-submodules: force-with-lease:: signed:: receive-pack:! exec:!"),
    sub(&["archive"], "format: prefix: add-file: add-virtual-file: remote: mtime: exec:! o|output:!"),
    sub(&["rebase"], "onto: s|strategy: X|strategy-option: C: S|gpg-sign:: whitespace: empty: r|rebase-merges:: x|exec:!"),
    sub(&["difftool"], "t|tool: x|extcmd:! output:!"),
    sub(&["mergetool"], "t|tool:"),
    sub(&["grep"], "e: f: A: B: C: m|max-count: max-depth: threads: color:: O|open-files-in-pager::!"),
    sub(&["init"], "b|initial-branch: separate-git-dir: object-format: ref-format: shared:: template:!"),
    sub(&["send-email"], "to: cc: bcc: from: subject: smtp-user: smtp-pass: smtp-server-port: smtp-server:! sendmail-cmd:! to-cmd:! \
        cc-cmd:! header-cmd:!"),
    sub(&["instaweb"], "p|port: d|httpd:! b|browser:! m|module-path:!"),
    sub(&["web--browse"], "b|browser:! t|tool:! c|config:!"),
    sub(&["daemon"], "access-hook:!"),
    sub(&["bundle", "bugreport", "diagnose"], "o|output-directory: output:!"),
    sub(&["upload-pack", "receive-pack", "cvsserver"], ""),
];

/// Those that run what their arguments say, whatever their options.
const RUNNING: &[&str] = &[
    "merge-index",
    "filter-branch",
    "filter-repo",
    "for-each-repo",
    "remote-ext",
    "remote-fd",
    "shell",
    "difftool--helper",
    "credential-cache--daemon",
    "merge-one-file",
];

/// Actions of subcommands that run what follows (git-bisect(1), git-submodule(1), git-hook(1)).
const ACTIONS: &[(&str, &str)] = &[("bisect", "run"), ("submodule", "foreach"), ("hook", "run")];

pub(super) fn hands_over(arguments: &[Argument<'_>]) -> Option<String> {
    // The options end at the first operand, and the reading as well.
    match GLOBAL.find(arguments, |_| true)? {
        Found::Operand(subcommand) => {
            let at = arguments.iter().position(|argument| std::ptr::eq(argument, subcommand))?;
            match subcommand.known() {
                Some(name) => subcommand_hands_over(name, arguments.get(at.saturating_add(1)..).unwrap_or_default()),
                None => Some(describe("git(1)", Found::Doubt)),
            }
        }
        found @ (Found::Option(_) | Found::Doubt) => Some(describe("git(1)", found)),
    }
}

fn subcommand_hands_over(name: &str, arguments: &[Argument<'_>]) -> Option<String> {
    let manual = format!("git-{name}(1)");
    if RUNNING.contains(&name) {
        return Some(manual);
    }
    if name == "config" {
        return git_config::sets_a_command(arguments)
            .then_some("git-config(1): variables that name commands".to_owned());
    }
    if let Some((_, action)) = ACTIONS.iter().find(|(sub, _)| *sub == name) {
        let first = arguments.iter().find(|argument| !argument.text().starts_with('-'));
        if first.is_some_and(|first| first.known() == Some(action) || first.is_unknown()) {
            return Some(format!("{manual}: {action}"));
        }
    }
    if arguments.iter().any(names_a_helper) {
        return Some("gitremote-helpers(7): git-remote-ext".to_owned());
    }
    let table = SUBCOMMANDS.iter().find(|sub| sub.names.contains(&name)).map_or(OTHERS, |sub| sub.table);
    let wanted = |found: Found<'_>| !matches!(found, Found::Operand(_));
    let options = Options::new(Style::Clusters, table);
    if let Some(found) = options.find(arguments, wanted) {
        return Some(describe(&manual, found));
    }
    // Whatever subcommand has them, they write a file or name a command.
    let everywhere = ["--output=", "--upload-pack=", "--receive-pack="];
    let before = arguments.iter().take_while(|argument| argument.known() != Some("--"));
    let unlisted = SUBCOMMANDS.iter().all(|sub| !sub.names.contains(&name)) && !TEXTS.contains(&name);
    let given = before.into_iter().any(|argument| everywhere.iter().any(|option| argument.text().starts_with(option)));
    (unlisted && given).then_some(manual)
}

/// Those that take text with `-m`, which is not read for options.
const TEXTS: &[&str] = &["commit", "tag", "merge", "notes"];

/// The values of the others: `-m` and `-F` take text.
const OTHERS: &str = "m|message: F|file: C: c: t: b: B:";

/// An address that names a program to run, or a descriptor (gitremote-helpers(7)).
fn names_a_helper(argument: &Argument<'_>) -> bool {
    let text = argument.text();
    let address = text.split_once('=').filter(|_| text.starts_with('-')).map_or(text, |(_, value)| value);
    address.starts_with("ext::") || address.starts_with("fd::") && !address.contains(HOLE)
}
