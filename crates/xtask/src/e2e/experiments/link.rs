//! Link mode against the double of the permission service.

use serde_json::{Value, json};

use super::{Group, at, expect, expect_asked, expect_blocked, expect_ran, policy, policy_with};
use crate::e2e::{
    Failure,
    lab::{Beside, Lab},
    session::Answer,
};

pub(super) const ALL: Group = &[
    ("link: an allowed inner runs without a question", allowed_inner),
    ("link: `&& git push` reaches the user", sibling_reaches_the_user),
    ("link: a denied inner is denied with a reason the agent sees", denied_inner),
    ("link: compound, scaffold, nested, unsupported and other asks defer", defers),
    ("link: forwarded, aliased and malformed asks defer", refused_evidence),
    ("link: registers whichever extension loads first", load_order),
    ("link: not listed in the chain it is inert", not_listed),
    ("link: without a user interface it does not register", headless),
    ("link: two bash calls in one message are judged each", two_calls),
    ("link: /innercmd tells mode, version and last decisions", command),
];

fn allowed_inner(lab: &Lab<'_>) -> Result<String, Failure> {
    let place = lab.place(Some(&policy()))?;
    let mut pi = lab.start(&place, Beside::Double)?;
    for command in
        ["timeout 60s echo hi", "timeout 60s pnpm test", "timeout 240 pnpm test --run", "timeout 5m echo a && echo b"]
    {
        expect_ran(&pi.bash(command)?)?;
    }
    let allows = place.notes().iter().filter(|note| at(note, "/event") == "inner_cmd.allow").count();
    expect(allows == 4, "four allows in the review log", place.notes())?;
    expect(!place.notes().iter().any(|note| note.get("tampered").is_some()), "details as they were", place.notes())?;
    Ok("4 commands, 0 questions".to_owned())
}

fn sibling_reaches_the_user(lab: &Lab<'_>) -> Result<String, Failure> {
    let place = lab.place(Some(&policy()))?;
    let mut pi = lab.start(&place, Beside::Double)?;
    expect_asked(&pi.bash("timeout 60s echo hi && git push origin main")?)?;
    pi.answers(Answer::Choose("Yes"));
    let seen = pi.bash("timeout 60s echo hi && git push origin main")?;
    expect(seen.all_ran() && seen.questions.len() == 1, "the user's yes to count", seen)?;
    Ok("asked; no blocks it, yes lets it run".to_owned())
}

fn denied_inner(lab: &Lab<'_>) -> Result<String, Failure> {
    let place = lab.place(Some(&policy()))?;
    let mut pi = lab.start(&place, Beside::Double)?;
    let seen = pi.bash("timeout 60s rm -rf build")?;
    expect_blocked(&seen, "rm -rf build")?;
    expect_blocked(&seen, "use trash instead")?;
    Ok(seen.results.concat())
}

fn defers(lab: &Lab<'_>) -> Result<String, Failure> {
    let commands = [
        "timeout 60s git push",
        "cd /srv && timeout 60s echo hi | tail; echo EXIT",
        "timeout 5 timeout 6 echo hi",
        "timeout -k 5 60 echo hi",
        "timeout 0 echo hi",
        "timeout 060 echo hi",
        "env FOO=1 echo hi",
        "xargs -n1 echo",
        "timeout 60s bash -c 'git push'",
        "timeout 60s echo $(git push)",
        "FOO=1 timeout 60s echo hi",
        "timeout 60s echo hi > out; git push",
        "timeout 60s FOO=1 echo hi",
        "timeout 60s",
        "'timeout' 60s echo hi",
        "git push",
    ];
    let place = lab.place(Some(&policy()))?;
    let mut pi = lab.start(&place, Beside::Double)?;
    for command in commands {
        let seen = pi.bash(command)?;
        expect_asked(&seen).map_err(|failure| Failure::new(format!("{command}: {failure}")))?;
    }
    Ok(format!("{} commands, each asked", commands.len()))
}

fn refused_evidence(lab: &Lab<'_>) -> Result<String, Failure> {
    let full = "timeout 60s echo hi";
    let cases: Vec<(&str, Value)> = vec![
        ("forwarded payload", json!({ "payload.request.requester.forwarded": true })),
        ("forwarding", json!({ "forwarding": { "requesterAgentName": "a", "requesterSessionId": "s" } })),
        ("another kind", json!({ "payload.kind": "forwarded" })),
        ("an alias", json!({ "payload.request.invokedToolName": "exec_command" })),
        ("another tool", json!({ "toolName": "exec_command" })),
        ("another surface", json!({ "payload.request.surface": "path" })),
        ("no payload", json!({ "payload": null })),
        ("another command", json!({ "command": "echo hi" })),
        (
            "a blank full command",
            json!({ "payload.evidence": [{ "label": "full command", "text": " ", "detail": null }] }),
        ),
        ("a lone surrogate", json!({ "payload.request.value": "E2E_LONE" })),
        ("a NUL", json!({ "command": "timeout 60s echo \u{0}", "payload.request.value": "timeout 60s echo \u{0}" })),
    ];
    let place = lab.place(Some(&policy()))?;
    let mut pi = lab.start(&place, Beside::Double)?;
    let mut ask = |set: &Value| -> Result<String, Failure> {
        let wanted = json!({ "command": full, "set": set }).to_string().replace("E2E_LONE", "\\ud800");
        Ok(pi.command(&format!("/double-ask {wanted}"))?.concat())
    };
    let plain = ask(&json!({}))?;
    expect(plain.contains(r#""kind":"allow""#), "the untouched ask to be allowed", &plain)?;
    for (name, set) in &cases {
        let said = ask(set)?;
        expect(said.contains(r#""kind":"defer""#), &format!("a defer for {name}"), said)?;
    }
    expect(ask(&json!({}))? == plain, "the engine to live on", place.notes())?;
    Ok(format!("{} shapes, each deferred, and the engine lives on", cases.len()))
}

fn load_order(lab: &Lab<'_>) -> Result<String, Failure> {
    for beside in [Beside::Double, Beside::DoubleBehind] {
        let place = lab.place(Some(&policy()))?;
        let mut pi = lab.start(&place, beside)?;
        expect_ran(&pi.bash("timeout 60s echo hi")?)?;
        expect(!place.audit().exists(), "no gate beside a permission system", beside)?;
    }
    Ok("before and behind".to_owned())
}

fn not_listed(lab: &Lab<'_>) -> Result<String, Failure> {
    let place = lab.place(Some(&policy_with("/authorizerChain", json!([]))))?;
    let mut pi = lab.start(&place, Beside::Double)?;
    expect_asked(&pi.bash("timeout 60s echo hi")?)?;
    Ok("asked".to_owned())
}

fn headless(lab: &Lab<'_>) -> Result<String, Failure> {
    let place = lab.place(Some(&policy()))?;
    let script = json!([[["bash", { "command": "timeout 60s echo hi" }]]]);
    let results = lab.run_headless(&place, Beside::Double, &script)?;
    expect(results.concat().contains("nobody is there"), "a block by the permission system", &results)?;
    expect(!place.notes().iter().any(|note| note.get("registered").is_some()), "no registration", place.notes())?;
    Ok("not registered; the permission system blocks".to_owned())
}

fn two_calls(lab: &Lab<'_>) -> Result<String, Failure> {
    let place = lab.place(Some(&policy()))?;
    let mut pi = lab.start(&place, Beside::Double)?;
    let call = |command: &str| ("bash", json!({ "command": command }));
    let seen = pi.play(&vec![vec![call("timeout 60s echo one"), call("timeout 60s git push")]])?;
    let ran = seen.results.iter().filter(|text| text.starts_with("E2E_WOULD_RUN")).count();
    expect(seen.results.len() == 2 && ran == 1 && seen.questions.len() == 1, "one allowed and one asked", &seen)?;
    Ok("one allowed, one asked".to_owned())
}

fn command(lab: &Lab<'_>) -> Result<String, Failure> {
    let place = lab.place(Some(&policy()))?;
    let mut pi = lab.start(&place, Beside::Double)?;
    pi.bash("timeout 60s echo hi")?;
    pi.bash("timeout 60s git push")?;
    let said = pi.command("/innercmd")?.concat();
    for part in [
        "innercmd 0.1.0",
        "link inner-cmd, registered",
        "running, version",
        "allow: timeout 60s echo hi",
        "defer: timeout 60s git push",
    ] {
        expect(said.contains(part), part, &said)?;
    }
    Ok("as it should".to_owned())
}
