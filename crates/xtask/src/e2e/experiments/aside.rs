//! Beside pi-permission-system 20.7.3, which has no authorizer chain: it decides, and the extension says so (ADR 0007).

use serde_json::json;

use super::{Group, expect, policy};
use crate::e2e::{
    Failure,
    lab::{Beside, Lab, children},
    session::Answer,
};

pub(super) const ALL: Group =
    &[("aside: beside pi-permission-system 20.7.3 there is one gate, and it is not ours", aside)];

fn aside(lab: &Lab<'_>) -> Result<String, Failure> {
    let mut policy = policy();
    // Version 20 knows no authorizer chain.
    if let Some(fields) = policy.as_object_mut() {
        fields.remove("authorizerChain");
    }
    let place = lab.place(Some(&policy))?;
    let mut pi = lab.start(&place, Beside::Old)?;
    let told = pi.seen().notices.iter().any(|notice| notice.contains("innercmd stays aside"));
    expect(told, "a notice", pi.seen())?;
    for command in ["timeout 60s echo hi", "git push"] {
        let seen = pi.bash(command)?;
        expect(seen.questions.len() == 1 && !seen.all_ran(), "one question, by the other gate", &seen)?;
    }
    pi.answers(Answer::Choose("Yes"));
    let seen = pi.bash("git push")?;
    expect(seen.questions.len() == 1 && seen.all_ran(), "one question, and a yes that counts", &seen)?;
    expect(!place.audit().exists() && children(pi.pid()).is_empty(), "no gate and no process", json!(null))?;
    Ok("one question each, one notice, no process".to_owned())
}
