use std::future::Future;

use innercmd_bash_units::{BashCommand, BashProgram};
use innercmd_evidence::EvidenceSource;
use serde_json::Value;

use crate::{
    Authorization, Deferral, Finding, HostSession, LocalHost, LogLevel, LogRecord, SessionId, Verdict,
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
    report(verdict, &calls, trail)
}

/// Answers for a gate, about `unit` of a call that is `program`: the gate was handed the call itself, so that it needs no other
/// evidence of what the whole command is.
pub(crate) async fn authorize_own_call(
    program: &BashProgram,
    unit: &BashCommand,
    host: &LocalHost<'_>,
) -> Authorization {
    let mut calls = Calls::new(host, std::future::pending());
    let mut trail = Trail { command: Some(program.source().to_owned()), ..Trail::default() };
    let accepted = EvidenceAccepted::of_own_call(program, unit);
    let owner = LocalHost::session();
    let verdict = judge(accepted, Some(&owner), &mut calls, &mut trail).await.unwrap_or_else(Verdict::Defer);
    report(verdict, &calls, trail)
}

async fn take_steps(request: &Request<'_>, calls: &mut Calls<'_>, trail: &mut Trail) -> Result<Verdict, Deferral> {
    let received = Received::new(request);
    let held = OwnershipHeld::hold(received, request.owner, calls).await?;
    let accepted = EvidenceAccepted::accept(held, calls, trail).await?;
    judge(accepted, request.owner, calls, trail).await
}

async fn judge(
    accepted: EvidenceAccepted,
    owner: Option<&SessionId>,
    calls: &mut Calls<'_>,
    trail: &mut Trail,
) -> Result<Verdict, Deferral> {
    let recognized = Recognized::recognize(accepted, trail)?;
    let stripped = WrapperStripped::strip(recognized, trail)?;
    let judged = Judged::judge(stripped, calls, trail).await?;
    let held = OwnershipHeld::hold(judged, owner, calls).await?;
    Ok(decide(held))
}

fn report(verdict: Verdict, calls: &Calls<'_>, mut trail: Trail) -> Authorization {
    if let Err(error) = calls.log(&log_record(&verdict, &trail)) {
        trail.findings.push(Finding::log_failed(&error));
    }
    Authorization { request_id: trail.request_id, inner: trail.inner, verdict, findings: trail.findings }
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
