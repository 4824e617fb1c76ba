//! Which rules would spare how many prompts.
//!
//! INVARIANT: a rule that is suggested is the text of one command that was seen, and matches nothing else; it hands nothing to a
//! shell, an interpreter or another program that runs what it is given; and of each kind of commands it is said to spare some were
//! judged again with it, and allowed.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use innercmd_authorizer::GateVerdict;
use innercmd_bash_units::{BashProgram, Limits};
use innercmd_policy::{DiagnosticCode, Origin, Policy, PolicySource};
use innercmd_wrapper::recognize;
use serde::Serialize;
use serde_json::json;

use super::judge::Court;
use super::tally::Wanted;

/// How many sets of units are looked at, the most frequent first.
const MOST_SETS: usize = 20_000;
/// The longest rule that is suggested, in bytes; more nobody writes into a policy.
const LONGEST_RULE: usize = 200;

/// A rule, and what it would spare.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Spare {
    /// The pattern of the rule: one command as it was typed.
    pub(crate) pattern: String,
    /// How many prompts it spares in company of the other rules.
    pub(crate) prompts: u64,
    /// The shortest command that it spares the prompt of.
    pub(crate) example: String,
}

/// Prompts for which no rule is suggested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct NotSuggested {
    pub(crate) reason: &'static str,
    pub(crate) prompts: u64,
}

/// What could be spared.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Spared {
    pub(crate) rules: Vec<Spare>,
    /// How many prompts all of them spare.
    pub(crate) prompts: u64,
    /// Prompts for which no rule is suggested, by the reason.
    pub(crate) not_suggested: Vec<NotSuggested>,
}

/// Finds at most `most` rules, each in turn the one that spares the most after those before it.
pub(crate) fn spare(wanted: Vec<(Vec<String>, Wanted)>, court: &Court, most: usize) -> Spared {
    let mut spared = Spared::default();
    let mut not_suggested: BTreeMap<&'static str, u64> = BTreeMap::new();
    let mut sets: Vec<Set> = vec![];
    let mut refused: BTreeMap<String, Option<&'static str>> = BTreeMap::new();
    for (texts, wanted) in wanted.into_iter().take(MOST_SETS) {
        let why = texts.iter().find_map(|text| *refused.entry(text.clone()).or_insert_with(|| refusal(text)));
        match why {
            Some(why) => *not_suggested.entry(why).or_default() += wanted.commands,
            None => sets.push(Set { left: texts, wanted }),
        }
    }
    let mut patterns: Vec<String> = vec![];
    while spared.rules.len() < most {
        let Some(pattern) = best(&sets) else { break };
        let mut with = patterns.clone();
        with.push(pattern.clone());
        let policy = with_rules(&court.policy, &with);
        let (completed, rest): (Vec<Set>, Vec<Set>) = sets.into_iter().partition(|set| *set.left == [pattern.clone()]);
        sets = rest;
        // What is not allowed after all is not claimed.
        let passes = |set: &&Set| policy.as_ref().is_some_and(|policy| is_allowed(court, policy, set));
        let passing: Vec<&Set> = completed.iter().filter(passes).collect();
        let prompts: u64 = passing.iter().map(|set| set.wanted.commands).sum();
        let samples = passing.iter().flat_map(|set| &set.wanted.samples).map(|sample| &sample.command);
        let example = samples.min_by_key(|command| (command.len(), *command));
        let Some(example) = example.cloned() else {
            // Nor is it tried again for the others it has a part in.
            sets.retain(|set| !set.left.contains(&pattern));
            continue;
        };
        sets.iter_mut().for_each(|set| set.left.retain(|text| *text != pattern));
        spared.prompts = spared.prompts.saturating_add(prompts);
        spared.rules.push(Spare { pattern: pattern.clone(), prompts, example });
        patterns = with;
    }
    spared.rules.sort_by_key(|rule| Reverse(rule.prompts));
    spared.not_suggested =
        not_suggested.into_iter().map(|(reason, prompts)| NotSuggested { reason, prompts }).collect();
    spared.not_suggested.sort_by_key(|not| Reverse(not.prompts));
    spared
}

/// The commands that are allowed once these units are.
struct Set {
    left: Vec<String>,
    wanted: Wanted,
}

/// The unit that alone stands in the way of most commands.
fn best(sets: &[Set]) -> Option<String> {
    let mut alone: BTreeMap<&String, u64> = BTreeMap::new();
    for set in sets {
        if let [text] = set.left.as_slice() {
            *alone.entry(text).or_default() += set.wanted.commands;
        }
    }
    alone.into_iter().max_by(|(a, x), (b, y)| x.cmp(y).then_with(|| b.cmp(a))).map(|(text, _)| text.clone())
}

fn is_allowed(court: &Court, policy: &Policy, set: &Set) -> bool {
    set.wanted.samples.iter().all(|sample| {
        let program = BashProgram::parse(&sample.command, &Limits::default());
        matches!(court.gate(policy, &program, &sample.cwd).verdict, GateVerdict::Allow(_))
    })
}

/// The policy with an allow rule for each of the patterns behind all others.
fn with_rules(policy: &Policy, patterns: &[String]) -> Option<Policy> {
    let rules: serde_json::Map<_, _> = patterns.iter().map(|pattern| (pattern.clone(), json!("allow"))).collect();
    let text = json!({ "permission": { "bash": rules } }).to_string();
    policy.with_rules(&PolicySource { name: "suggestion", text: &text, origin: Origin::Global }).ok()
}

/// Why no rule is suggested for the unit `text`.
fn refusal(text: &str) -> Option<&'static str> {
    if text.contains(['*', '?']) {
        return Some("the command holds a wildcard, so a rule of its text would match others");
    }
    if text.len() > LONGEST_RULE || text.contains(['\n', '\r']) {
        return Some("the command is too long for a rule");
    }
    if text.starts_with(['~', '$']) || text.trim() != text {
        return Some("the command is not what a rule of its text matches");
    }
    let program = BashProgram::parse(text, &Limits::default());
    let [unit] = program.commands() else { return Some("the command is not one command alone") };
    let literal: Option<Vec<String>> = unit.words.iter().map(|word| word.literal().map(Into::into)).collect();
    let plain =
        program.complete().is_ok() && unit.text == text && unit.redirects.is_empty() && unit.assignments.is_empty();
    let Some(words) = literal.filter(|_| plain) else {
        return Some("a part of the command is known only at run time");
    };
    if recognize(&unit.words).is_some() || runs_what_it_is_given(&words) {
        return Some("the rule would hand over a shell, an interpreter or another program that runs what it is given");
    }
    if is_one_of(&words, DECIDED_EACH_TIME) {
        return Some("the command deletes, sends or undoes something, which a person should decide each time");
    }
    None
}

/// Programs that are, or start, interpreters, or fetch what they run; two words are a program and its subcommand.
const RUNNERS: &[&str] = &[
    "awk", "gawk", "mawk", "nawk", "ed", "ex", "vi", "vim", "nvim", "emacs", "expect", "tclsh", "wish", "pwsh",
    "powershell", "cmd", "Rscript", "R", "julia", "irb", "ghci", "runghc", "scala", "groovy", "java", "jshell",
    "elixir", "iex", "erl", "sqlite3", "psql", "mysql", "gdb", "lldb", "tsx", "ts-node", "npx", "bunx", "uvx", "pipx",
    "tmux", "screen", "make -f", "go run", "cargo run", "cargo script", "npm exec", "npm x", "npm init", "npm create",
    "pnpm exec", "pnpm dlx", "pnpm create", "yarn exec", "yarn dlx", "yarn create", "bun run", "bun x", "deno run",
    "uv run", "uv tool", "poetry run", "pipenv run", "pdm run", "hatch run", "rye run", "conda run", "bundle exec",
    "dotnet run", "dotnet script", "docker exec", "docker run", "docker compose", "podman exec", "podman run",
    "kubectl exec", "kubectl run", "nix run", "nix develop", "nix-shell", "git bisect", "git submodule",
    "git filter-branch", "git rebase", "crontab", "at", "batch", "systemd-run", "direnv", "mise", "asdf", "corepack",
    "just", "entr", "watchexec", "unshare", "nsenter", "chroot", "runuser", "pkexec",
];

/// Programs that delete, send, or undo.
const DECIDED_EACH_TIME: &[&str] = &[
    "rm", "rmdir", "unlink", "shred", "truncate", "dd", "mkfs", "mv", "chmod", "chown", "chgrp", "kill", "pkill",
    "killall", "shutdown", "reboot", "halt", "curl", "wget", "nc", "ncat", "socat", "scp", "sftp", "ftp", "rsync",
    "telnet", "git push", "git reset", "git clean", "git checkout", "git restore", "git switch", "git stash",
    "git branch", "git tag", "npm publish", "pnpm publish", "yarn publish", "cargo publish", "gh pr", "gh api",
    "gh release", "gh repo", "gh secret", "docker rm", "docker push", "kubectl delete", "kubectl apply",
    "terraform apply", "terraform destroy",
];

fn runs_what_it_is_given(words: &[String]) -> bool {
    let Some(program) = words.first() else { return true };
    // A file that is named by its path may be one that the agent itself has written.
    if program.contains('/') {
        return true;
    }
    let rest = words.get(1..).unwrap_or_default();
    is_one_of(words, RUNNERS)
        || is_doubtful(program)
        || is_doubtful(unversioned(program))
        || rest.iter().any(|word| is_doubtful(&format!("{program} {word}")))
}

/// Whether `words` are a command of one of `programs`.
fn is_one_of(words: &[String], programs: &[&str]) -> bool {
    let Some((program, rest)) = words.split_first() else { return false };
    // Which word is the subcommand the program alone knows, for options may take the next word; so any may be.
    programs.iter().any(|known| {
        let (first, second) = known.split_once(' ').unwrap_or((known, ""));
        (first == program || first == unversioned(program))
            && (second.is_empty() || rest.iter().any(|word| word == second))
    })
}

/// `python3.12` is a python.
fn unversioned(program: &str) -> &str {
    program.trim_end_matches(|end: char| end.is_ascii_digit() || end == '.' || end == '-')
}

/// Whether a policy that allowed all of `program` would be pointed out as one that allows anything.
fn is_doubtful(program: &str) -> bool {
    let text = json!({ "bash": { format!("{program} *"): "allow" } }).to_string();
    let Ok(loaded) = Policy::from_permission(&text) else { return true };
    loaded.diagnostics.iter().any(|found| found.code == DiagnosticCode::AllowsAnything)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rstest::rstest;

    use super::super::tally::Tally;
    use super::*;

    const POLICY: &str = r#"{ "bash": { "*": "ask", "git *": "allow", "git push *": "ask", "rm *": "deny" }, "path": { "*": "allow", "*.env": "ask" } }"#;

    fn court() -> Court {
        let policy = Arc::new(Policy::from_permission(POLICY).unwrap().policy);
        Court { policy, against: None, cwd: "/work/project".to_owned(), home: None, policy_only: false }
    }

    fn spared(commands: &[&str]) -> Spared {
        let (court, mut tally) = (court(), Tally::new());
        for command in commands {
            let program = BashProgram::parse(command, &Limits::default());
            tally.command(&program, &court.gate(&court.policy, &program, &court.cwd), &court.cwd);
        }
        spare(tally.wanted.into_sorted(), &court, 10)
    }

    #[track_caller]
    fn check(commands: &[&str], expected: &[(&str, u64)]) {
        let spared = spared(commands);
        let found: Vec<_> = spared.rules.iter().map(|rule| (rule.pattern.as_str(), rule.prompts)).collect();
        assert_eq!(found, expected);
        assert_eq!(spared.prompts, expected.iter().map(|(_, prompts)| prompts).sum::<u64>());
    }

    #[test]
    fn a_rule_is_the_text_of_what_was_seen() {
        check(
            &["npm test", "git log && npm test", "make", "npm run build"],
            &[("npm test", 2), ("make", 1), ("npm run build", 1)],
        );
    }

    #[test]
    fn a_command_that_needs_two_rules_counts_for_the_second() {
        check(&["make && tsc", "make && tsc", "make"], &[("tsc", 2), ("make", 1)]);
    }

    #[test]
    fn what_a_wrapper_runs_is_what_has_to_be_allowed() {
        check(&["timeout 60s npm test"], &[("npm test", 1)]);
    }

    #[rstest]
    #[case::a_rule_asks("git push")]
    #[case::a_path("cat .env")]
    #[case::wildcard("ls *.ts")]
    #[case::computed("make $TARGET")]
    #[case::gap("make; $CMD")]
    #[case::shell("bash build.sh")]
    #[case::interpreter("python3.12 -m pytest")]
    #[case::awk("awk 1 x")]
    #[case::fetches("npx tsc")]
    #[case::subcommand("docker run x")]
    #[case::subcommand_behind_an_option("go -C x run .")]
    #[case::written_by_the_agent("./build.sh")]
    #[case::wrapper("sudo make")]
    #[case::sends("curl example.org")]
    #[case::undoes("git checkout .")]
    #[case::denied("rm x")]
    #[case::denied_beside("make && rm x")]
    fn nothing_is_suggested(#[case] command: &str) {
        check(&[command], &[]);
    }

    #[test]
    fn a_rule_matches_nothing_but_what_was_seen() {
        let court = court();
        let policy = with_rules(&court.policy, &["npm test".to_owned()]).unwrap();
        for (command, allowed) in
            [("npm test", true), ("npm test -- x", false), ("npm tests", false), ("npm  test", false)]
        {
            let program = BashProgram::parse(command, &Limits::default());
            let verdict = court.gate(&policy, &program, "/work/project").verdict;
            assert_eq!(matches!(verdict, GateVerdict::Allow(_)), allowed, "{command}");
        }
    }

    #[test]
    fn what_is_not_suggested_is_counted() {
        let spared = spared(&["npx tsc", "npx tsc", "ls *.ts"]);
        assert_eq!(spared.not_suggested.iter().map(|not| not.prompts).sum::<u64>(), 3);
    }
}
