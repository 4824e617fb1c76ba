//! Hosts that fail, are late, talk nonsense, or are somebody else by the time they answer.

use std::future::{Future, pending, ready};
use std::sync::Mutex;

use async_trait::async_trait;
use futures_executor::block_on;
use innercmd_authorizer::{
    HostError, HostSession, LogRecord, PolicyAnswer, PolicyQuery, Request, SessionId, authorize,
};
use innercmd_evidence::EvidenceSource;
use mockall::Sequence;
use rstest::rstest;
use serde_json::Value;

use crate::support::{MockHost, answer, answered, details, host, policy_host, session, shown};

const COMMAND: &str = "timeout 5 echo hi";

fn asked(host: &MockHost) -> String {
    shown(&answered(&details(COMMAND, COMMAND), host))
}

#[rstest]
#[case(HostError::Failed("TypeError: x is undefined".into()))]
#[case(HostError::Malformed("[]".into()))]
#[case(HostError::Gone)]
#[case(HostError::Unsupported)]
fn a_policy_query_that_fails_defers(#[case] error: HostError) {
    let mut host = MockHost::new();
    host.expect_session_id().returning(|| Ok(session()));
    host.expect_log().returning(|_| Ok(()));
    host.expect_check_permission().returning(move |_| Err(error.clone()));
    assert_eq!(asked(&host), "defer authorizer:host-failed");
}

#[rstest]
#[case::unknown("permit")]
#[case::empty("")]
#[case::cased("Allow")]
#[case::padded("allow ")]
fn a_state_that_means_nothing_defers(#[case] state: &str) {
    assert_eq!(asked(&host(&[("echo hi", state)])), "defer authorizer:unknown-state");
}

#[test]
fn a_state_that_means_nothing_defers_even_beside_a_deny() {
    let full = "rm x; timeout 5 echo hi";
    let host = host(&[("rm x", "deny"), ("echo hi", "perhaps")]);
    assert_eq!(shown(&answered(&details(COMMAND, full), &host)), "defer authorizer:unknown-state");
}

/// A host whose session is `first` when it is asked first, and `then` afterwards.
fn moving(first: Result<SessionId, HostError>, then: Result<SessionId, HostError>, state: &str) -> MockHost {
    let mut host = policy_host(&[("echo hi", state)]);
    let mut order = Sequence::new();
    host.expect_session_id().times(1).in_sequence(&mut order).return_once(move || first);
    host.expect_session_id().times(..).in_sequence(&mut order).returning(move || then.clone());
    host
}

#[rstest]
#[case::allow("allow")]
#[case::deny("deny")]
fn a_session_that_changes_before_the_verdict_defers(#[case] state: &str) {
    let other = SessionId::new("session-2");
    assert_eq!(asked(&moving(Ok(session()), other, state)), "defer authorizer:session-changed");
    assert_eq!(asked(&moving(Ok(session()), Err(HostError::NoSession), state)), "defer authorizer:host-failed");
}

#[test]
fn another_session_from_the_start_defers_without_a_question_to_the_policy() {
    let mut host = MockHost::new();
    host.expect_session_id().returning(|| SessionId::new("session-2"));
    host.expect_log().returning(|_| Ok(()));
    host.expect_check_permission().never();
    assert_eq!(asked(&host), "defer authorizer:session-changed");
}

#[test]
fn a_link_without_a_registration_defers() {
    let details = details(COMMAND, COMMAND);
    let request = Request { details: &details, source: EvidenceSource::Payload, owner: None };
    let answer = block_on(authorize(&request, &host(&[("echo hi", "allow")]), pending()));
    assert_eq!(shown(&answer), "defer authorizer:not-registered");
}

#[test]
fn a_log_that_fails_changes_no_verdict_and_is_reported() {
    let mut host = MockHost::new();
    host.expect_session_id().returning(|| Ok(session()));
    host.expect_check_permission().returning(|_| Ok(answer("allow", "echo *")));
    host.expect_log().times(1).returning(|_| Err(HostError::Gone));
    let answer = answered(&details(COMMAND, COMMAND), &host);
    assert_eq!(shown(&answer), "allow authorizer:inner-allowed");
    assert_eq!(answer.findings[0].code.code(), "authorizer:log-failed");
}

#[test]
fn the_log_is_told_the_verdict_and_the_commands() {
    let mut host = MockHost::new();
    host.expect_session_id().returning(|| Ok(session()));
    host.expect_check_permission().returning(|_| Ok(answer("deny", "echo *")));
    host.expect_log()
        .withf(|record| {
            record.event == "inner_cmd.deny"
                && record.code == "authorizer:inner-denied"
                && record.request_id.as_deref() == Some("perm-1")
                && record.command.as_deref() == Some(COMMAND)
                && record.inner_command.as_deref() == Some("echo hi")
        })
        .times(1)
        .returning(|_| Ok(()));
    answered(&details(COMMAND, COMMAND), &host);
}

/// Which call of a [`Silent`] host is never answered.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mute {
    FirstSession,
    Policy,
    Entries,
    SecondSession,
}

/// A host that never answers one of its calls, and otherwise allows.
struct Silent {
    mute: Mute,
    sessions: Mutex<usize>,
}

#[async_trait]
impl HostSession for Silent {
    async fn session_id(&self) -> Result<SessionId, HostError> {
        let asked = {
            let mut sessions = self.sessions.lock().unwrap();
            *sessions += 1;
            *sessions
        };
        match (self.mute, asked) {
            (Mute::FirstSession, 1) | (Mute::SecondSession, 2) => pending().await,
            _ => Ok(session()),
        }
    }

    async fn check_permission(&self, _query: &PolicyQuery) -> Result<PolicyAnswer, HostError> {
        if self.mute == Mute::Policy { pending().await } else { Ok(answer("allow", "*")) }
    }

    async fn entries(&self) -> Result<Vec<Value>, HostError> {
        if self.mute == Mute::Entries { pending().await } else { Ok(vec![]) }
    }

    fn log(&self, _record: &LogRecord) -> Result<(), HostError> {
        Ok(())
    }
}

/// A deadline that passes when it is looked at for the `looks`-th time.
fn deadline_after(mut looks: usize) -> impl Future<Output = ()> + Send {
    std::future::poll_fn(move |context| {
        looks = looks.saturating_sub(1);
        context.waker().wake_by_ref();
        if looks == 0 { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
}

#[rstest]
#[case(Mute::FirstSession)]
#[case(Mute::Policy)]
#[case(Mute::Entries)]
#[case(Mute::SecondSession)]
fn a_call_that_is_never_answered_defers_at_the_deadline(#[case] mute: Mute) {
    let source = if mute == Mute::Entries { EvidenceSource::SessionWalk } else { EvidenceSource::Payload };
    let (details, session) = (details(COMMAND, COMMAND), session());
    let host = Silent { mute, sessions: Mutex::new(0) };
    let request = Request { details: &details, source, owner: Some(&session) };
    let answer = block_on(authorize(&request, &host, deadline_after(50)));
    assert_eq!(shown(&answer), "defer authorizer:host-late");
}

#[test]
fn an_answer_that_is_there_only_after_the_deadline_defers() {
    let (details, session) = (details(COMMAND, COMMAND), session());
    let host = host(&[("echo hi", "allow")]);
    let request = Request { details: &details, source: EvidenceSource::Payload, owner: Some(&session) };
    assert_eq!(shown(&block_on(authorize(&request, &host, ready(())))), "defer authorizer:host-late");
    // Whichever look at the deadline finds it passed, nothing but a defer comes of it; with more looks than calls, the verdict.
    for looks in 1..=4 {
        let answer = block_on(authorize(&request, &host, deadline_after(looks)));
        assert!(["defer authorizer:host-late", "allow authorizer:inner-allowed"].contains(&shown(&answer).as_str()));
    }
    assert_eq!(shown(&block_on(authorize(&request, &host, deadline_after(50)))), "allow authorizer:inner-allowed");
}
