//! Decisions on cases out of public bug reports (`tests/data/cases.jsonl`, each with its source).
#![expect(clippy::unwrap_used, reason = "tests state what they expect by failing")]

use innercmd_bash_units::{BashProgram, Limits};
use innercmd_policy::{Effect, LexicalPaths, Policy, Surroundings};
use serde_json::value::RawValue;

#[derive(serde::Deserialize)]
struct Case {
    id: String,
    command: String,
    policy: Box<RawValue>,
    cwd: String,
    expected: String,
}

/// Cases with another decision than the reports ask for, and why; never a looser one than ask.
const DIFFERENT: [(&str, &str, &str); 6] = [
    ("C092", "ask", "xargs is never seen through: what it adds to its command is not known"),
    ("C094", "ask", "the link sees through timeout, and not the policy"),
    ("C163", "deny", "pi-permission-system takes the here-documents for commands, and what it denies is denied"),
    ("C273", "ask", "an allow reaches what is typed, as with the host: `\\grep` is not `grep`"),
    ("C274", "ask", "an allow reaches what is typed, as with the host: `\\builtin` is not `builtin`"),
    ("C361", "deny", "a deny meets what was read of a line with a syntax error, too"),
];

fn cases() -> Vec<Case> {
    include_str!("data/cases.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn judged(case: &Case) -> Effect {
    let policy = Policy::from_permission(case.policy.get()).unwrap().policy;
    let program = BashProgram::parse(&case.command, &Limits::default());
    let around = Surroundings { cwd: &case.cwd, home: Some("/home/user"), facts: &LexicalPaths };
    policy.judge(&program, &around).decision().effect()
}

#[test]
fn no_case_that_must_be_held_back_is_allowed() {
    for case in cases().iter().filter(|case| case.expected != "allow") {
        assert_ne!(judged(case), Effect::Allow, "{} expects {}: {}", case.id, case.expected, case.command);
    }
}

#[test]
fn decisions_are_those_of_the_reports_but_for_what_is_listed() {
    let different: Vec<(String, String)> = cases()
        .iter()
        .map(|case| (case, judged(case).name()))
        .filter(|(case, effect)| case.expected != *effect)
        .map(|(case, effect)| (case.id.clone(), effect.to_owned()))
        .collect();
    let listed: Vec<(String, String)> =
        DIFFERENT.iter().map(|(id, effect, _)| ((*id).to_owned(), (*effect).to_owned())).collect();
    assert_eq!(different, listed);
}
