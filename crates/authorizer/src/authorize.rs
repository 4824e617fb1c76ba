use std::future::Future;

use innercmd_evidence::EvidenceSource;
use serde_json::Value;

use crate::{
    Authorization, Deferral, Finding, HostSession, LogLevel, LogRecord, SessionId, Verdict,
    calls::Calls,
    steps::{EvidenceAccepted, Judged, OwnershipHeld, Received, Recognized, Trail, WrapperStripped, decide},
};

/// A request for a verdict.
#[derive(Clone, Copy, Debug)]
pub struct Request<'r> {
    /// What the host says about the ask.
    pub details: &'r Value,
    /// Where the host declares the whole command to be.
    pub source: EvidenceSource,
    /// The session the link is registered with, such as [`Registrar::owner`](crate::Registrar::owner); without one it defers.
    pub owner: Option<&'r SessionId>,
}

/// Answers one request; every call to `host` ends at the latest when `deadline` resolves.
///
/// Nothing that goes wrong is more than a defer, and the future resolves soon after `deadline` does, whatever the host does.
pub async fn authorize(
    request: &Request<'_>,
    host: &dyn HostSession,
    deadline: impl Future<Output = ()> + Send,
) -> Authorization {
    let mut calls = Calls::new(host, deadline);
    let mut trail = Trail::default();
    let verdict = take_steps(request, &mut calls, &mut trail).await.unwrap_or_else(Verdict::Defer);
    if let Err(error) = calls.log(&log_record(&verdict, &trail)) {
        trail.findings.push(Finding::log_failed(&error));
    }
    Authorization { request_id: trail.request_id, inner: trail.inner, verdict, findings: trail.findings }
}

async fn take_steps(
    request: &Request<'_>,
    calls: &mut Calls<'_>,
    trail: &mut Trail,
) -> Result<Verdict, Deferral> {
    let received = Received::new(request);
    let held = OwnershipHeld::hold(received, request.owner, calls).await?;
    let accepted = EvidenceAccepted::accept(held, calls, trail).await?;
    let recognized = Recognized::recognize(accepted, trail)?;
    let stripped = WrapperStripped::strip(recognized, trail)?;
    let judged = Judged::judge(stripped, calls, trail).await?;
    let held = OwnershipHeld::hold(judged, request.owner, calls).await?;
    Ok(decide(held))
}

fn log_record(verdict: &Verdict, trail: &Trail) -> LogRecord {
    let (level, event) = match verdict {
        Verdict::Allow(_) => (LogLevel::Review, "inner_cmd.allow"),
        Verdict::Deny(_) => (LogLevel::Review, "inner_cmd.deny"),
        Verdict::Defer(_) => (LogLevel::Debug, "inner_cmd.defer"),
    };
    LogRecord {
        level,
        event,
        code: verdict.code().code(),
        request_id: trail.request_id.clone(),
        command: trail.command.clone(),
        inner_command: trail.inner.clone(),
    }
}
