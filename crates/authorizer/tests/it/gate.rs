//! What a gate answers: the policy, and the link where the policy asks because of a wrapper alone.

use innercmd_authorizer::{GateGrant, GateVerdict, Gated, Link, gate};
use innercmd_bash_units::{BashProgram, Limits};
use innercmd_policy::{Effect, Policy, Surroundings};
use proptest::prelude::*;
use rstest::rstest;

fn gated(permission: &str, command: &str, link: Link) -> Gated {
    let policy = Policy::from_permission(permission).unwrap().policy;
    let program = BashProgram::parse(command, &Limits::default());
    gate(&policy, &program, &Surroundings::new("/work/project"), link)
}

fn shown(gated: &Gated) -> String {
    match &gated.verdict {
        GateVerdict::Allow(GateGrant::Policy(_)) => "allow by policy".to_owned(),
        GateVerdict::Allow(GateGrant::Link { .. }) => "allow by link".to_owned(),
        GateVerdict::Ask(code) => format!("ask {}", code.code()),
        GateVerdict::Deny(denial) => format!("deny {}", denial.code.code()),
    }
}

fn effect(gated: &Gated) -> Effect {
    match &gated.verdict {
        GateVerdict::Allow(_) => Effect::Allow,
        GateVerdict::Ask(_) => Effect::Ask,
        GateVerdict::Deny(_) => Effect::Deny,
    }
}

const POLICY: &str = r#"{
    "*": "allow",
    "bash": { "*": "ask", "git *": "allow", "git push *": "ask", "rm *": "deny", "cd *": "allow", "cat *": "allow", "tail *": "allow" },
    "path": { "*": "allow", "*.env": "deny" },
    "external_directory": "ask"
}"#;

#[rstest]
#[case::plain("git status", "allow by policy")]
#[case::wrapped("timeout 5 git status", "allow by link")]
#[case::scaffold("cd src && timeout 5 git log | tail -5", "allow by link")]
#[case::relative("cd src && timeout 5 cat ../README.md", "allow by link")]
#[case::inner_asks("timeout 5 git push origin", "ask policy:bash-rule")]
#[case::inner_by_catch_all("timeout 5 make", "ask authorizer:inner-ask")]
#[case::inner_denied("timeout 5 rm -rf x", "deny policy:wrapped-command")]
#[case::sibling_asks("make; timeout 5 git status", "ask policy:bash-rule")]
#[case::sibling_denied("timeout 5 git status; rm x", "deny policy:bash-rule")]
#[case::two_wrappers("timeout 5 git status; timeout 6 git log", "ask policy:wrapper")]
#[case::same_twice("timeout 5 git log; timeout 5 git log", "ask wrapper:unit-ambiguous")]
#[case::unsupported("timeout -k 1 5 git status", "ask wrapper:unsupported-option")]
#[case::non_transparent("env git status", "ask wrapper:non-transparent")]
#[case::nested("timeout 5 timeout 6 git log", "ask wrapper:nested-wrapper")]
#[case::denied_path("timeout 5 cat .env", "deny policy:path-rule")]
#[case::outside("timeout 5 cat /etc/passwd", "ask policy:bash-rule")]
#[case::outside_by_cd("cd .. && timeout 5 cat x", "ask policy:external-directory")]
#[case::computed("timeout 5 git status; $X", "ask policy:bash-rule")]
fn a_gate_answers_by_policy_and_link(#[case] command: &str, #[case] expected: &str) {
    let gated = gated(POLICY, command, Link::On);
    assert_eq!(shown(&gated), expected, "{command}: {:#?}", gated.judgement.findings);
}

#[test]
fn without_the_link_a_wrapper_asks() {
    assert_eq!(shown(&gated(POLICY, "timeout 5 git status", Link::Off)), "ask policy:bash-rule");
    assert_eq!(shown(&gated(POLICY, "git status", Link::Off)), "allow by policy");
}

#[test]
fn a_grant_by_the_link_holds_the_policys_grant_for_the_command_without_the_wrapper() {
    let gated = gated(POLICY, "cd src && timeout 5 git log", Link::On);
    let GateVerdict::Allow(GateGrant::Link { link, policy }) = &gated.verdict else { panic!("{gated:?}") };
    assert_eq!(link.program().source(), "cd src && git log");
    assert_eq!(policy.command(), "cd src && git log");
    assert_eq!(gated.link.unwrap().inner.as_deref(), Some("git log"));
}

fn commands() -> impl Strategy<Value = String> {
    let unit = prop::sample::select(vec![
        "git status", "git push origin", "rm x", "'rm' x", "make", "cat a.txt", "cat .env", "cat /etc/passwd",
        "cd src", "$X", "echo $(rm x)", "env git log", "sudo rm x",
    ]);
    let wrapper =
        prop::sample::select(vec!["", "timeout 5 ", "timeout 5 ", "timeout -k 1 5 ", "nice ", "FOO=1 timeout 5 "]);
    let separator = prop::sample::select(vec![" && ", "; ", " | ", "\n", " || "]);
    prop::collection::vec((wrapper, unit, separator), 1..5).prop_map(|parts| {
        let text: String =
            parts.iter().map(|(wrapper, unit, separator)| format!("{wrapper}{unit}{separator}")).collect();
        text.trim_end_matches(['&', '|', ';', ' ', '\n']).to_owned()
    })
}

fn rules() -> impl Strategy<Value = String> {
    let pattern =
        prop::sample::select(vec!["*", "git *", "git push *", "rm *", "timeout *", "cat *", "cd *", "make", "echo *"]);
    let effect = prop::sample::select(vec!["allow", "allow", "ask", "deny"]);
    prop::collection::vec((pattern, effect), 0..6).prop_map(|rules| {
        let mut seen = std::collections::BTreeSet::new();
        let rules: Vec<String> = rules
            .into_iter()
            .filter(|(pattern, _)| seen.insert(*pattern))
            .map(|(pattern, effect)| format!("{pattern:?}: {effect:?}"))
            .collect();
        rules.join(", ")
    })
}

fn permission(rules: &str) -> String {
    format!(r#"{{ "*": "allow", "bash": {{ {rules} }}, "path": {{ "*.env": "deny" }}, "external_directory": "ask" }}"#)
}

proptest! {
    #[test]
    fn the_link_only_ever_lifts_an_ask_to_what_the_bare_command_gets(command in commands(), rules in rules()) {
        let permission = permission(&rules);
        let (with, without) = (gated(&permission, &command, Link::On), gated(&permission, &command, Link::Off));
        match &with.verdict {
            GateVerdict::Allow(GateGrant::Link { link, .. }) => {
                prop_assert_eq!(effect(&without), Effect::Ask);
                let bare = gated(&permission, link.program().source(), Link::Off);
                prop_assert_eq!(effect(&bare), Effect::Allow);
            }
            GateVerdict::Allow(GateGrant::Policy(_)) | GateVerdict::Ask(_) | GateVerdict::Deny(_) => {
                prop_assert!(effect(&with) >= effect(&without));
            }
        }
    }

    #[test]
    fn another_command_never_weakens_an_answer(command in commands(), other in commands(), rules in rules()) {
        let permission = permission(&rules);
        let alone = effect(&gated(&permission, &command, Link::On));
        let both = effect(&gated(&permission, &format!("{command}\n{other}"), Link::On));
        prop_assert!(both >= alone, "{alone:?} alone, {both:?} with more");
    }

    #[test]
    fn a_deny_rule_laid_last_never_weakens_an_answer(command in commands(), rules in rules()) {
        let before = effect(&gated(&permission(&rules), &command, Link::On));
        let comma = if rules.is_empty() { "" } else { ", " };
        let after = effect(&gated(&permission(&format!("{rules}{comma}\"git st*\": \"deny\"")), &command, Link::On));
        prop_assert!(after >= before, "{before:?} before, {after:?} after");
    }
}
