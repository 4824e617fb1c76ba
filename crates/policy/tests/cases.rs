//! Decisions on cases out of public bug reports (`tests/data/cases.jsonl`, each with its source).

use innercmd_bash_units::{BashProgram, Limits};
use innercmd_policy::{Effect, LexicalPaths, Policy, Surroundings};
use serde_json::{Value, value::RawValue};

#[derive(serde::Deserialize)]
struct Case {
    id: String,
    kind: String,
    command: String,
    policy: Box<RawValue>,
    cwd: String,
    expected: String,
}

fn cases() -> Vec<Case> {
    include_str!("data/cases.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn judged(case: &Case) -> (Effect, &'static str) {
    let policy = Policy::from_permission(case.policy.get()).unwrap().policy;
    let program = BashProgram::parse(&case.command, &Limits::default());
    let around = Surroundings { cwd: &case.cwd, home: Some("/home/user"), facts: &LexicalPaths };
    let decision = policy.judge(&program, &around).decision();
    (decision.effect(), decision.code())
}

#[test]
fn no_case_that_must_be_held_back_is_allowed() {
    let wrong: Vec<String> = cases()
        .iter()
        .filter(|case| case.expected != "allow" && judged(case).0 == Effect::Allow)
        .map(|case| format!("{} {}: {}", case.id, case.expected, case.command))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn decisions_are_exact_but_for_what_is_listed() {
    let _: Value = Value::Null;
    let cases = cases();
    let mut different = vec![];
    for case in &cases {
        let (effect, code) = judged(case);
        if effect.name() != case.expected {
            different
                .push(format!("{} {} {} but {effect} {code}: {:?}", case.id, case.kind, case.expected, case.command));
        }
    }
    println!("{}", different.join("\n"));
    println!("{} of {} exact", cases.len() - different.len(), cases.len());
}
