//! Decisions next to those of pi-permission-system 25.4 and 26.3 on the same policy and command, and to what bash did
//! (`tests/data/upstream-decisions.jsonl`, recorded).
#![expect(clippy::unwrap_used, reason = "tests state what they expect by failing")]

use innercmd_bash_units::{BashProgram, Limits};
use innercmd_policy::{Effect, LexicalPaths, Policy, Surroundings};
use serde_json::value::RawValue;

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Recorded {
    command: String,
    policy: Box<RawValue>,
    #[serde(rename = "v25_4")]
    old: String,
    #[serde(rename = "v26_3")]
    new: String,
    removes_x: Option<bool>,
}

/// Commands that remove the file and are allowed: what an interpreter is told to do is not read, and the user allowed it.
const ALLOWED: [&str; 3] = [
    "python3 -c 'import shutil;shutil.rmtree(\"x\")'",
    "perl -e 'system \"rm -rf x\"'",
    "find x -delete",
    // A wrapper that the registry does not know.
];

fn recorded() -> Vec<Recorded> {
    include_str!("data/upstream-decisions.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn judged(recorded: &Recorded) -> Effect {
    // The recordings hold the map of the surface `bash`.
    let permission = format!(r#"{{ "*": "allow", "bash": {} }}"#, recorded.policy.get());
    let policy = Policy::from_permission(&permission).unwrap().policy;
    let program = BashProgram::parse(&recorded.command, &Limits::default());
    let around = Surroundings { cwd: "/work/project", home: Some("/home/user"), facts: &LexicalPaths };
    policy.judge(&program, &around).decision().effect()
}

#[test]
fn no_decision_is_looser_than_upstream() {
    for recorded in recorded() {
        let upstream = [&recorded.old, &recorded.new].into_iter().filter_map(|word| Effect::parse(word)).max();
        assert!(Some(judged(&recorded)) >= upstream, "{:?}: upstream says {upstream:?}", recorded.command);
    }
}

#[test]
fn a_command_that_removes_the_file_is_allowed_only_where_an_interpreter_does_it() {
    let recorded = recorded();
    let allowed: Vec<&str> = recorded
        .iter()
        .filter(|recorded| recorded.removes_x == Some(true) && judged(recorded) == Effect::Allow)
        .map(|recorded| recorded.command.as_str())
        .collect();
    let mut expected = ALLOWED.to_vec();
    expected.sort_unstable_by_key(|command| recorded.iter().position(|recorded| recorded.command == *command));
    assert_eq!(allowed, expected);
}
