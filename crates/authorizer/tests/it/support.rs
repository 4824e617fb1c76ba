use std::future::pending;

use async_trait::async_trait;
use futures_executor::block_on;
use innercmd_authorizer::{
    AnswerSource, Authorization, HostError, HostSession, LogRecord, PolicyAnswer, PolicyQuery, PolicyState, Request,
    SessionId, authorize,
};
use innercmd_evidence::EvidenceSource;
use serde_json::{Value, json};

mockall::mock! {
    pub(crate) Host {}

    #[async_trait]
    impl HostSession for Host {
        async fn session_id(&self) -> Result<SessionId, HostError>;
        async fn check_permission(&self, query: &PolicyQuery) -> Result<PolicyAnswer, HostError>;
        async fn entries(&self) -> Result<Vec<Value>, HostError>;
        fn log(&self, record: &LogRecord) -> Result<(), HostError>;
    }
}

/// The name of the session every test runs in.
pub(crate) fn session() -> SessionId {
    SessionId::new("session-1").unwrap()
}

/// A host in [`session`] whose policy says `(text, state)`, and `ask` by its catch-all to any other text.
pub(crate) fn host(answers: &[(&str, &str)]) -> MockHost {
    let mut host = policy_host(answers);
    host.expect_session_id().returning(|| Ok(session()));
    host
}

/// As [`host`], without a session yet.
pub(crate) fn policy_host(answers: &[(&str, &str)]) -> MockHost {
    let answers: Vec<(String, String)> = answers.iter().map(|&(text, state)| (text.into(), state.into())).collect();
    let mut host = MockHost::new();
    host.expect_check_permission().returning(move |query| {
        let found = answers.iter().find(|(text, _)| *text == query.value);
        Ok(found.map_or_else(|| answer("ask", "*"), |(text, state)| answer(state, text)))
    });
    host.expect_log().returning(|_| Ok(()));
    host
}

pub(crate) fn answer(state: &str, pattern: &str) -> PolicyAnswer {
    PolicyAnswer {
        state: PolicyState::from(state),
        reason: None,
        matched_pattern: Some(pattern.to_owned()),
        source: AnswerSource::from("bash"),
        origin: Some("global".to_owned()),
    }
}

/// A local ask about `unit` of `full`, as the payload's builder writes it.
pub(crate) fn details(unit: &str, full: &str) -> Value {
    let evidence =
        if unit == full { json!([]) } else { json!([{ "label": "full command", "text": full, "detail": null }]) };
    json!({
        "requestId": "perm-1", "source": "tool_call", "agentName": null, "toolCallId": "call_1", "toolName": "bash",
        "command": unit,
        "payload": {
            "kind": "bash",
            "request": {
                "requester": { "agentName": null, "forwarded": false, "sessionId": null },
                "surface": "bash", "toolName": "bash", "invokedToolName": null, "value": unit,
                "matchedPattern": "<indirection-bash-wrapper>", "commandContext": null, "executedUnit": null,
            },
            "evidence": evidence,
            "annotations": [],
        },
    })
}

/// What the link answers about `details` with a host that always answers in time.
pub(crate) fn answered(details: &Value, host: &MockHost) -> Authorization {
    let session = session();
    let request = Request { details, source: EvidenceSource::Payload, owner: Some(&session) };
    block_on(authorize(&request, host, pending()))
}

/// The answer as text: the verdict and its code.
pub(crate) fn shown(answer: &Authorization) -> String {
    format!("{} {}", answer.verdict.kind(), answer.verdict.code().code())
}

/// Checks the answer about `unit` of `full` by a policy that says `answers`.
#[track_caller]
pub(crate) fn check(unit: &str, full: &str, answers: &[(&str, &str)], expected: &str) {
    let answer = answered(&details(unit, full), &host(answers));
    assert_eq!(shown(&answer), expected, "{full:?}: {:?}", answer.findings);
}
