//! What the engine holds against a command whatever the rules say.

use std::sync::LazyLock;

use innercmd_bash_units::{BashProgram, Span};
use innercmd_policy::{Effect, Policy, Surroundings};

use crate::Finding;

/// A policy that allows everything, so that what it asks about are the floors alone.
static OPEN: LazyLock<Policy> = LazyLock::new(|| {
    // Should its text ever cease to be valid, a policy that asks takes its place.
    Policy::from_permission(r#"{ "*": "allow" }"#).map_or_else(|_| Policy::embedded_default(), |loaded| loaded.policy)
});

/// The floors that `program` meets, with their places: wrappers, variables and arguments that make programs run other code, gaps.
///
/// The host's policy may know fewer of them, or none.
pub(super) fn floors(program: &BashProgram) -> Vec<(Span, Finding)> {
    let judgement = OPEN.judge(program, &Surroundings::new("/"));
    let held = judgement.findings.into_iter().filter(|finding| finding.effect > Effect::Allow);
    held.map(|finding| {
        let subject = finding.span.of(program.source()).to_owned();
        (finding.span, Finding { code: finding.cause.into(), subject, effect: finding.effect, rule: None })
    })
    .collect()
}
