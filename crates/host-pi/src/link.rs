//! Link mode: hands a question to the authorizer, and its callbacks to the extension.

use std::time::Duration;

use async_trait::async_trait;
use innercmd_authorizer::{
    AnswerSource, Authorization, HostError, HostSession, LogLevel, LogRecord, PolicyAnswer, PolicyQuery, PolicyState,
    Request, SessionId, Verdict, authorize,
};
use innercmd_evidence::{EvidenceSource, parse_details};
use serde_json::Value;

use crate::{
    PiHostSession,
    peer::CallError,
    wire::{self, Authorize, Authorized, Evidence, LogData, Permission},
};

/// Answers one question of an authorizer chain.
pub(crate) async fn answer(question: &Authorize, host: PiHostSession) -> Authorized {
    let host = host.in_session(&question.session_id);
    let authorization = match parse_details(&question.details) {
        Err(refusal) => Authorization::unreadable(refusal),
        Ok(details) => {
            let owner = SessionId::new(question.owner.as_str()).ok();
            let source = match question.evidence {
                Evidence::Payload => EvidenceSource::Payload,
                Evidence::Session => EvidenceSource::SessionWalk,
            };
            let request = Request { details: &details, source, owner: owner.as_ref() };
            authorize(&request, &host, tokio::time::sleep(Duration::from_millis(question.deadline_ms))).await
        }
    };
    Authorized::from(authorization)
}

impl From<Authorization> for Authorized {
    fn from(authorization: Authorization) -> Self {
        let (verdict, code) = (authorization.verdict.kind(), authorization.verdict.code().code());
        let reason = match authorization.verdict {
            Verdict::Deny(denial) => Some(denial.reason),
            Verdict::Allow(_) | Verdict::Defer(_) => None,
        };
        Self {
            verdict,
            code,
            reason,
            inner: authorization.inner,
            request_id: authorization.request_id,
            findings: authorization.findings.iter().map(wire::Finding::from).collect(),
        }
    }
}

impl From<&innercmd_authorizer::Finding> for wire::Finding {
    fn from(finding: &innercmd_authorizer::Finding) -> Self {
        let rule = finding.rule.as_ref().map(|rule| wire::Rule {
            surface: rule.surface.clone(),
            pattern: rule.pattern.clone(),
            origin: rule.origin.clone(),
            reason: rule.reason.clone(),
        });
        Self { code: finding.code.code(), subject: finding.subject.clone(), effect: finding.effect.name(), rule }
    }
}

#[async_trait]
impl HostSession for PiHostSession {
    async fn session_id(&self) -> Result<SessionId, HostError> {
        SessionId::new(PiHostSession::session_id(self).await?)
    }

    async fn check_permission(&self, query: &PolicyQuery) -> Result<PolicyAnswer, HostError> {
        let agent = query.agent.as_deref();
        Ok(PiHostSession::check_permission(self, query.surface, &query.value, agent).await?.into())
    }

    async fn entries(&self) -> Result<Vec<Value>, HostError> {
        Ok(PiHostSession::entries(self).await?)
    }

    fn log(&self, record: &LogRecord) -> Result<(), HostError> {
        let level = match record.level {
            LogLevel::Review => "review",
            LogLevel::Debug => "debug",
        };
        let data = LogData {
            code: record.code,
            request_id: record.request_id.as_deref(),
            command: record.command.as_deref(),
            inner_command: record.inner_command.as_deref(),
        };
        Ok(PiHostSession::log(self, level, record.event, data)?)
    }
}

impl From<Permission> for PolicyAnswer {
    fn from(permission: Permission) -> Self {
        Self {
            state: PolicyState::from(permission.state.as_str()),
            reason: permission.reason,
            matched_pattern: permission.matched_pattern,
            source: AnswerSource::from(permission.source.as_deref().unwrap_or_default()),
            origin: permission.origin,
        }
    }
}

impl From<CallError> for HostError {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Gone => Self::Gone,
            CallError::Refused(error) => Self::Failed(error.message),
            CallError::Malformed(error) => Self::Malformed(error.to_string()),
        }
    }
}
