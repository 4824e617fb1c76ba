//! What the link answers to asks recorded under pi-permission-system 25.4 and 26.3, beside what the reference link answered.

use std::future::pending;

use futures_executor::block_on;
use innercmd_authorizer::{Authorization, LocalHost, Request, authorize};
use innercmd_evidence::EvidenceSource;
use innercmd_policy::{Origin, Policy, PolicySource};
use serde_json::Value;

use crate::support::{details, shown};

/// One ask a line, the same under both versions: the unit, the full command, and the reference link's verdict.
const RECORDED: &str = include_str!("../data/recorded-verdicts.jsonl");
/// The configuration they were recorded under.
const CONFIG: &str = include_str!("../data/recorded-config.json");
/// Where this link is stricter, one line each with its reason.
const DIFFERENCES: &str = include_str!("../data/differences.jsonl");

fn lines(text: &str) -> impl Iterator<Item = Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap())
}

fn answered(policy: &Policy, recorded: &Value) -> Authorization {
    let details = details(recorded["unit"].as_str().unwrap(), recorded["full"].as_str().unwrap());
    let (host, owner) = (LocalHost::new(policy, None), LocalHost::session());
    let request = Request { details: &details, source: EvidenceSource::Payload, owner: Some(&owner) };
    block_on(authorize(&request, &host, pending()))
}

#[test]
fn the_verdicts_are_the_recorded_ones_but_for_listed_differences_and_those_are_stricter() {
    let source = PolicySource { name: "recorded-config.json", text: CONFIG, origin: Origin::Global };
    let policy = Policy::load(&[source]).unwrap().policy;
    let strictness = |verdict: &str| ["allow", "defer", "deny"].iter().position(|&known| known == verdict).unwrap();
    let mut differing = Vec::new();
    for recorded in lines(RECORDED) {
        let answer = answered(&policy, &recorded);
        let verdict = recorded["verdict"].as_str().unwrap();
        if answer.verdict.kind() != verdict {
            assert!(strictness(answer.verdict.kind()) > strictness(verdict), "{recorded}: {}", shown(&answer));
            differing.push((recorded["full"].clone(), format!("{verdict} -> {}", shown(&answer))));
        }
    }
    let listed: Vec<_> = lines(DIFFERENCES)
        .map(|line| {
            (
                line["command"].clone(),
                format!("{} -> {}", line["recorded"].as_str().unwrap(), line["ours"].as_str().unwrap()),
            )
        })
        .collect();
    assert_eq!(differing, listed);
    assert!(lines(DIFFERENCES).all(|line| line["why"].as_str().is_some_and(|why| why.ends_with('.'))));
}
