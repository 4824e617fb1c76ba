//! The list that ADR 0001 asks to keep, and what came to it since.

use std::future::pending;

use futures_executor::block_on;
use innercmd_authorizer::{AnswerSource, Request, Verdict, authorize};
use innercmd_evidence::EvidenceSource;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{MockHost, answer, answered, check, details, host, session, shown};

const ALLOW: &str = "allow authorizer:inner-allowed";
const DENY: &str = "deny authorizer:inner-denied";
const ASK: &str = "defer authorizer:inner-ask";

#[rstest]
#[case::allow("allow", ALLOW)]
#[case::ask("ask", ASK)]
#[case::deny("deny", DENY)]
fn the_inner_command_decides(#[case] state: &str, #[case] expected: &str) {
    check("timeout 60s pnpm test", "timeout 60s pnpm test", &[("pnpm test", state)], expected);
}

#[rstest]
#[case::sibling_asks("ask", ASK)]
#[case::sibling_denied("deny", DENY)]
#[case::sibling_allowed("allow", ALLOW)]
fn a_sibling_does_not_hide_behind_the_wrapper(#[case] push: &str, #[case] expected: &str) {
    let whole = ("pnpm test && git push", "allow");
    let answers = [("pnpm test", "allow"), ("git push", push), whole];
    check("timeout 60s pnpm test", "timeout 60s pnpm test && git push", &answers, expected);
}

#[rstest]
#[case::whole_asks("ask", ASK)]
#[case::whole_denied("deny", DENY)]
fn the_whole_counts_beside_its_units(#[case] whole: &str, #[case] expected: &str) {
    let answers = [("pnpm test", "allow"), ("git push", "allow"), ("pnpm test && git push", whole)];
    check("timeout 60s pnpm test", "timeout 60s pnpm test && git push", &answers, expected);
}

#[rstest]
#[case::all_allowed("allow", ALLOW)]
#[case::tail_asks("ask", ASK)]
fn a_scaffold_is_judged_as_a_whole(#[case] tail: &str, #[case] expected: &str) {
    let answers = [
        ("cd app", "allow"),
        ("pnpm test", "allow"),
        ("tail -5", tail),
        ("echo EXIT", "allow"),
        ("cd app && pnpm test | tail -5; echo EXIT", "allow"),
    ];
    check("timeout 90 pnpm test", "cd app && timeout 90 pnpm test | tail -5; echo EXIT", &answers, expected);
}

#[rstest]
#[case::flag("timeout -k 5 60 echo hi", "defer wrapper:unsupported-option")]
#[case::zero("timeout 0 echo hi", "defer wrapper:unsupported-duration")]
#[case::unit("timeout 500ms echo hi", "defer wrapper:unsupported-duration")]
#[case::nested("timeout 5 timeout 6 echo hi", "defer wrapper:nested-wrapper")]
#[case::env("env timeout 5 echo hi", "defer wrapper:non-transparent")]
#[case::assignment("timeout 5 FOO=1 echo hi", "defer wrapper:inner-assignment")]
#[case::none("echo hi", "defer wrapper:not-a-wrapper")]
#[case::missing("timeout 5", "defer wrapper:missing-command")]
fn other_syntax_defers(#[case] command: &str, #[case] expected: &str) {
    let answers = [("echo hi", "allow"), (command, "allow"), ("timeout 6 echo hi", "allow")];
    check(command, command, &answers, expected);
}

#[rstest]
#[case::twice("timeout 5 echo hi", "timeout 5 echo hi && timeout 5 echo hi", "defer wrapper:unit-ambiguous")]
#[case::quoted("timeout 5 echo hi", "echo 'timeout 5 echo hi' && timeout 5 echo hi", "defer wrapper:unit-ambiguous")]
#[case::comment("timeout 5 echo hi", "timeout 5 echo hi # timeout 5 echo hi", "defer wrapper:unit-ambiguous")]
#[case::only_quoted("timeout 5 echo hi", "echo 'timeout 5 echo hi'", "defer wrapper:unit-misaligned")]
#[case::longer("timeout 5 echo hi", "timeout 5 echo hi there", "defer wrapper:unit-misaligned")]
fn a_unit_that_is_not_located_once_defers(#[case] unit: &str, #[case] full: &str, #[case] expected: &str) {
    check(unit, full, &[("echo hi", "allow")], expected);
}

#[rstest]
#[case::sibling("timeout 5 echo hi; timeout 6 echo hi", "echo hi; timeout 6 echo hi", "timeout 6 echo hi")]
#[case::other("timeout 5 echo hi; sudo ls", "echo hi; sudo ls", "sudo ls")]
fn a_wrapper_that_is_left_defers_whatever_the_host_says(
    #[case] full: &str,
    #[case] whole: &str,
    #[case] sibling: &str,
) {
    let answers = [("echo hi", "allow"), (whole, "allow"), (sibling, "allow")];
    check("timeout 5 echo hi", full, &answers, "defer policy:wrapper");
}

#[rstest]
#[case::quoted("timeout 5 'rm' -rf x", "'rm' -rf x", "rm -rf x")]
#[case::escaped(r"timeout 5 \rm -rf x", r"\rm -rf x", "rm -rf x")]
#[case::path("timeout 5 /bin/rm -rf x", "/bin/rm -rf x", "rm -rf x")]
fn a_rule_reaches_a_program_under_another_spelling(#[case] full: &str, #[case] typed: &str, #[case] rule: &str) {
    check(full, full, &[(typed, "allow"), (rule, "deny")], DENY);
    check(full, full, &[(typed, "allow"), (rule, "ask")], ASK);
    check(full, full, &[(typed, "allow")], ALLOW);
    check(full, full, &[(rule, "allow")], ASK);
}

#[test]
fn text_that_defeats_the_analysis_defers_whatever_the_host_says() {
    let answers = [("$CMD", "allow"), ("echo hi; $CMD", "allow"), ("echo hi", "allow")];
    let answer = answered(&details("timeout 5 echo hi", "timeout 5 echo hi; $CMD"), &host(&answers));
    assert!(matches!(answer.verdict, Verdict::Defer(_)));
    assert_eq!(answer.findings[0].code.code(), "gap:dynamic-command");
}

#[test]
fn an_allow_that_rests_on_a_session_approval_is_none() {
    let mut host = MockHost::new();
    host.expect_session_id().returning(|| Ok(session()));
    host.expect_log().returning(|_| Ok(()));
    host.expect_check_permission().returning(|query| {
        let mut answer = answer("allow", &query.value);
        answer.source = AnswerSource::from("session");
        Ok(answer)
    });
    let answer = answered(&details("timeout 5 echo hi", "timeout 5 echo hi"), &host);
    assert_eq!(shown(&answer), "defer authorizer:session-approval");
}

#[test]
fn a_deny_names_the_command_and_the_rule() {
    let answer = answered(&details("timeout 5 rm -rf x", "timeout 5 rm -rf x"), &host(&[("rm -rf x", "deny")]));
    let Verdict::Deny(denial) = &answer.verdict else { panic!("{answer:?}") };
    assert_eq!(denial.reason, "`rm -rf x` is denied by the bash rule `rm -rf x` (global)");
    assert_eq!(answer.inner.as_deref(), Some("rm -rf x"));
    assert_eq!(answer.request_id.as_deref(), Some("perm-1"));
}

#[test]
fn every_finding_is_reported_in_source_order() {
    let full = "git push; timeout 5 rm x; git fetch";
    let answer = answered(&details("timeout 5 rm x", full), &host(&[("rm x", "deny")]));
    let found: Vec<_> = answer.findings.iter().map(|found| (found.subject.as_str(), found.effect.name())).collect();
    assert_eq!(found, [("git push", "ask"), ("rm x", "deny"), ("git fetch", "ask")]);
    assert_eq!(shown(&answer), DENY);
}

#[test]
fn the_agent_is_named_in_every_question() {
    let mut details = details("timeout 5 echo hi", "timeout 5 echo hi");
    details["agentName"] = json!("reviewer");
    details["payload"]["request"]["requester"]["agentName"] = json!("reviewer");
    let mut host = MockHost::new();
    host.expect_session_id().returning(|| Ok(session()));
    host.expect_log().returning(|_| Ok(()));
    host.expect_check_permission()
        .withf(|query| query.agent.as_deref() == Some("reviewer"))
        .times(1..)
        .returning(|_| Ok(answer("allow", "echo *")));
    assert_eq!(shown(&answered(&details, &host)), ALLOW);
}

/// One change to good details, by a path to the field.
#[rstest]
#[case::missing("/payload", json!(null), "defer evidence:payload-missing")]
#[case::malformed("/payload/evidence", json!("x"), "defer evidence:evidence-malformed")]
#[case::duplicate(
    "/payload/evidence",
    json!([{ "label": "full command", "text": "a" }, { "label": "full command", "text": "b" }]),
    "defer evidence:full-command-duplicate"
)]
#[case::forwarded("/payload/request/requester/forwarded", json!(true), "defer evidence:forwarded")]
#[case::aliased("/payload/request/invokedToolName", json!("exec"), "defer evidence:aliased")]
#[case::other_surface("/payload/request/surface", json!("path"), "defer evidence:other-surface")]
#[case::inconsistent("/command", json!("timeout 5 echo ho"), "defer evidence:command-inconsistent")]
fn bad_evidence_defers(#[case] pointer: &str, #[case] value: Value, #[case] expected: &str) {
    let mut details = details("timeout 5 echo hi", "timeout 5 echo hi");
    *details.pointer_mut(pointer).unwrap() = value;
    let answer = answered(&details, &host(&[("echo hi", "allow")]));
    assert_eq!(shown(&answer), expected);
    assert_eq!(answer.request_id.as_deref(), Some("perm-1"));
}

fn call(id: &str, name: &str, arguments: Value) -> Value {
    json!({ "type": "toolCall", "id": id, "name": name, "arguments": arguments })
}

fn message(number: usize, blocks: Vec<Value>) -> Value {
    json!({
        "type": "message", "id": format!("e{number}"), "parentId": null, "timestamp": "2026-01-01T00:00:00Z",
        "message": { "role": "assistant", "content": blocks },
    })
}

/// The answer of a link whose host has no payloads, about `timeout 5 echo hi` in a session of `entries`.
fn walked(entries: Vec<Value>) -> String {
    let mut details = details("timeout 5 echo hi", "timeout 5 echo hi");
    details.as_object_mut().unwrap().remove("payload");
    let mut host = host(&[("echo hi", "allow"), ("echo hi; ls", "allow"), ("ls", "allow")]);
    host.expect_entries().returning(move || Ok(entries.clone()));
    let session = session();
    let request = Request { details: &details, source: EvidenceSource::SessionWalk, owner: Some(&session) };
    shown(&block_on(authorize(&request, &host, pending())))
}

#[test]
fn without_a_payload_the_session_tells_the_whole_command() {
    let bash = |command: &str| call("call_1", "bash", json!({ "command": command }));
    assert_eq!(walked(vec![message(1, vec![bash("timeout 5 echo hi")])]), ALLOW);
    assert_eq!(walked(vec![message(1, vec![bash("timeout 5 echo hi; git push")])]), ASK);
    assert_eq!(walked(vec![]), "defer evidence:tool-call-not-found");
    let twice = vec![bash("timeout 5 echo hi"), bash("timeout 5 echo hi")];
    assert_eq!(walked(vec![message(1, twice)]), "defer evidence:tool-call-duplicate");
    let other = call("call_1", "read", json!({ "command": "timeout 5 echo hi" }));
    assert_eq!(walked(vec![message(1, vec![other])]), "defer evidence:session-other-tool");
    let malformed = call("call_1", "bash", json!({ "command": 5 }));
    assert_eq!(walked(vec![message(1, vec![malformed])]), "defer evidence:arguments-malformed");
}

#[test]
fn a_tool_call_id_that_is_used_again_means_the_latest_message() {
    let bash = |command: &str| call("call_1", "bash", json!({ "command": command }));
    let earlier = message(1, vec![bash("timeout 5 echo hi; git push")]);
    let later = message(2, vec![bash("timeout 5 echo hi; ls")]);
    assert_eq!(walked(vec![earlier.clone(), later.clone()]), ALLOW);
    assert_eq!(walked(vec![later, earlier]), ASK);
}
