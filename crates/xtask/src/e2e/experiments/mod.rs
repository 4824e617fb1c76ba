//! The experiments, and what they have in common.

use serde_json::{Value, json};

use super::{
    Failure,
    lab::Lab,
    session::{Seen, WOULD_RUN},
};

mod aside;
mod faults;
mod gate;
mod lifecycle;
mod link;
mod package;
mod speed;

/// One experiment: what it shows, and how. The text it returns stands in the table.
pub(super) struct Experiment {
    pub(super) name: &'static str,
    pub(super) run: fn(&Lab<'_>) -> Result<String, Failure>,
}

/// All experiments, in the order of the table.
pub(super) fn all() -> Vec<Experiment> {
    [package::ALL, link::ALL, faults::ALL, lifecycle::ALL, gate::ALL, aside::ALL, speed::ALL]
        .concat()
        .iter()
        .map(|(name, run)| Experiment { name, run: *run })
        .collect()
}

/// A group of experiments.
type Group = &'static [(&'static str, fn(&Lab<'_>) -> Result<String, Failure>)];

/// The permission system's configuration most experiments run under.
fn policy() -> Value {
    json!({
        "authorizerChain": ["inner-cmd"],
        "permission": {
            "*": "allow",
            "bash": {
                "*": "ask",
                "pnpm test*": "allow",
                "echo *": "allow",
                "git push*": "ask",
                "rm *": { "action": "deny", "reason": "use trash instead" },
            },
        },
    })
}

/// The same with another value in the place that `pointer` names.
fn policy_with(pointer: &str, value: Value) -> Value {
    let mut policy = policy();
    if let Some(place) = policy.pointer_mut(pointer) {
        *place = value;
    }
    policy
}

/// What `pointer` names in `value`, or null.
fn at<'v>(value: &'v Value, pointer: &str) -> &'v Value {
    value.pointer(pointer).unwrap_or(&Value::Null)
}

/// Fails unless `holds`.
fn expect(holds: bool, what: &str, seen: impl std::fmt::Debug) -> Result<(), Failure> {
    if holds { Ok(()) } else { Err(Failure::new(format!("expected {what}, saw {seen:?}"))) }
}

/// Expects one call that survived every gate, and no question.
fn expect_ran(seen: &Seen) -> Result<(), Failure> {
    expect(seen.results.len() == 1 && seen.all_ran() && seen.questions.is_empty(), "a silent allow", seen)
}

/// Expects one call that the user was asked about, once, and that did not survive the user's no.
fn expect_asked(seen: &Seen) -> Result<(), Failure> {
    let blocked = seen.results.len() == 1 && seen.results.iter().all(|text| !text.contains(WOULD_RUN));
    expect(blocked && seen.questions.len() == 1, "one question and a no", seen)
}

/// Expects one call that was blocked without a question, with `reason` in what the agent was told.
fn expect_blocked(seen: &Seen, reason: &str) -> Result<(), Failure> {
    let told =
        seen.results.len() == 1 && seen.results.iter().all(|text| text.contains(reason) && !text.contains(WOULD_RUN));
    expect(told && seen.questions.is_empty(), &format!("a block that says `{reason}`"), seen)
}
