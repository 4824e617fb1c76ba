//! Gate mode: the sidecar decides Pi's own bash calls, remembers what the user approved, and keeps the record.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use innercmd_policy::Effect;
use serde::Deserialize;

use crate::{
    PiCode,
    wire::{Choice, Decide, Decided, ErrorCode, Finding, GateOpened, OpenGate, RpcError, Settle, Settled, Unit},
};

mod approvals;
mod audit;
mod files;
mod judge;

use approvals::{Approval, Approvals};
use audit::{AuditLog, Record, now};

pub(crate) use judge::PolicyJudge;

/// How many asks may wait for the user; the oldest is given up for a new one.
const MOST_TICKETS: usize = 256;

/// What judges a command by the policy.
pub(crate) trait Judge: Send + Sync {
    /// Opens the policy of `files`.
    fn open(&self, files: &OpenGate) -> GateOpened;

    /// Judges one command; it is done when `deadline` has passed, or soon after.
    fn judge(&self, call: &Call, deadline: Instant) -> Judged;
}

/// A command that is about to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) command: String,
    pub(crate) cwd: String,
    pub(crate) agent: Option<String>,
}

/// What the policy makes of a command.
#[derive(Clone, Debug)]
pub(crate) struct Judged {
    pub(crate) effect: Effect,
    pub(crate) code: &'static str,
    /// A text for the agent; every deny has one.
    pub(crate) reason: Option<String>,
    pub(crate) units: Vec<Unit>,
    /// The command inside a wrapper, where the link stripped one.
    pub(crate) inner: Option<String>,
    pub(crate) findings: Vec<Finding>,
}

/// The gate of one session.
pub(crate) struct Gate<J> {
    judge: J,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    audit: Option<AuditLog>,
    approvals: Approvals,
    tickets: VecDeque<Ticket>,
    issued: u64,
}

/// An ask that waits for the user, or a decision on its way to the record.
struct Ticket {
    id: String,
    session_id: String,
    tool_call_id: String,
    call: Call,
    judged: Judged,
}

/// The input of Pi's bash tool. A member that is not known may change what the tool does.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BashInput {
    command: String,
    #[serde(rename = "timeout")]
    _timeout: Option<serde_json::Number>,
}

impl<J: Judge> Gate<J> {
    pub(crate) fn new(judge: J) -> Self {
        Self { judge, state: Mutex::default() }
    }

    /// Opens the gate, or opens it anew; approvals stay.
    pub(crate) fn open(&self, files: &OpenGate) -> GateOpened {
        let opened = self.judge.open(files);
        self.state().audit = Some(AuditLog::new(files.audit.clone()));
        opened
    }

    /// Decides one tool call. An allow or a deny is on record when this returns.
    pub(crate) fn decide(&self, question: Decide) -> Result<Decided, RpcError> {
        let deadline = Instant::now() + Duration::from_millis(question.deadline_ms);
        if self.state().audit.is_none() {
            return Err(RpcError::new(ErrorCode::NoGate, "the gate is not open"));
        }
        let (call, judged) = match serde_json::from_str::<BashInput>(&question.input) {
            Ok(input) => {
                let call = Call { command: input.command, cwd: question.cwd, agent: question.agent };
                let judged = self.judge.judge(&call, deadline).for_shell(question.shell.as_deref());
                (call, judged)
            }
            Err(_) => (
                Call { command: question.input, cwd: question.cwd, agent: question.agent },
                Judged::deny(
                    PiCode::UnreadableInput,
                    "the input is not that of Pi's bash tool, or its text is not valid Unicode",
                ),
            ),
        };
        let mut state = self.state();
        let ticket = Ticket {
            id: state.next_id(),
            session_id: question.session_id,
            tool_call_id: question.tool_call_id,
            call,
            judged,
        };
        Ok(state.decide(ticket))
    }

    /// Ends an ask as the user chose, once it is on record.
    pub(crate) fn settle(&self, settle: &Settle) -> Result<Settled, RpcError> {
        let mut state = self.state();
        let place = state.tickets.iter().position(|ticket| ticket.id == settle.ticket);
        let Some(ticket) = place.and_then(|place| state.tickets.remove(place)) else {
            return Err(RpcError::new(ErrorCode::NoGate, "no such ticket"));
        };
        let settled = match settle.choice {
            Choice::Once => Settled::allow(PiCode::ApprovedOnce),
            Choice::Session => Settled::allow(PiCode::ApprovedForSession),
            Choice::Deny => Settled::deny(PiCode::DeniedByUser, &denied(settle.reason.as_deref())),
            Choice::Unavailable => Settled::deny(PiCode::NobodyToAsk, &needs_approval(&ticket.judged)),
            Choice::Aborted => Settled::deny(PiCode::Aborted, "the turn ended before the user answered"),
        };
        let settled = state.record(&ticket, settled);
        if settled.code == PiCode::ApprovedForSession.code() {
            state.approvals.add(ticket.call.approval());
        }
        Ok(settled)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn next_id(&mut self) -> String {
        self.issued += 1;
        format!("gate-{}-{}", std::process::id(), self.issued)
    }

    fn decide(&mut self, ticket: Ticket) -> Decided {
        let judged = &ticket.judged;
        let settled = match judged.effect {
            Effect::Allow => Some(Settled { decision: "allow", code: judged.code, reason: None }),
            Effect::Deny => Some(Settled { decision: "deny", code: judged.code, reason: judged.reason.clone() }),
            Effect::Ask if self.approvals.hold(&ticket.call.approval()) => Some(Settled::allow(PiCode::ApprovedBefore)),
            Effect::Ask => None,
        };
        let settled = settled.map(|settled| self.record(&ticket, settled));
        let (id, judged) = (ticket.id.clone(), ticket.judged.clone());
        let Some(Settled { decision, code, reason }) = settled else {
            if self.tickets.len() >= MOST_TICKETS {
                self.tickets.pop_front();
            }
            self.tickets.push_back(ticket);
            let Judged { code, reason, units, findings, .. } = judged;
            return Decided { decision: "ask", ticket: id, code, reason, units, findings };
        };
        Decided { decision, ticket: id, code, reason, units: judged.units, findings: judged.findings }
    }

    /// Writes a decision down, and returns it; an allow that cannot be written down is none.
    ///
    /// INVARIANT: the only way to an allow.
    fn record(&self, ticket: &Ticket, settled: Settled) -> Settled {
        let record = Record {
            time: now(),
            request_id: &ticket.id,
            session_id: &ticket.session_id,
            tool_call_id: &ticket.tool_call_id,
            agent: ticket.call.agent.as_deref(),
            cwd: &ticket.call.cwd,
            command: &ticket.call.command,
            decision: settled.decision,
            code: settled.code,
            policy: ticket.judged.effect.name(),
            policy_code: ticket.judged.code,
            units: &ticket.judged.units,
            inner: ticket.judged.inner.as_deref(),
            reason: settled.reason.as_deref(),
        };
        let written = self.audit.as_ref().map_or(Ok(()), |audit| audit.append(&record));
        match (written, settled.decision) {
            (Err(error), "allow") => {
                Settled::deny(PiCode::RecordFailed, &format!("the decision could not be recorded ({error})"))
            }
            (Ok(()) | Err(_), _) => settled,
        }
    }
}

impl Call {
    fn approval(&self) -> Approval {
        Approval { command: self.command.clone(), cwd: self.cwd.clone(), agent: self.agent.clone() }
    }
}

impl Judged {
    /// A deny that no policy made.
    pub(crate) fn deny(code: PiCode, why: &str) -> Self {
        let reason = Some(told(why));
        Self { effect: Effect::Deny, code: code.code(), reason, units: Vec::new(), inner: None, findings: Vec::new() }
    }

    /// The same where bash would run the command; for another shell what was read allows nothing.
    fn for_shell(self, shell: Option<&str>) -> Self {
        let is_bash = |shell: &str| matches!(shell.rsplit(['/', '\\']).next(), Some("bash" | "bash.exe"));
        if self.effect > Effect::Allow || shell.is_none_or(is_bash) {
            return self;
        }
        Self { units: self.units, inner: self.inner, findings: self.findings, ..Self::ask(PiCode::OtherShell) }
    }

    /// An ask that no policy made.
    pub(crate) fn ask(code: PiCode) -> Self {
        let reason = Some(code.description().to_owned());
        Self { effect: Effect::Ask, code: code.code(), reason, units: Vec::new(), inner: None, findings: Vec::new() }
    }
}

impl Settled {
    fn allow(code: PiCode) -> Self {
        Self { decision: "allow", code: code.code(), reason: None }
    }

    fn deny(code: PiCode, why: &str) -> Self {
        Self { decision: "deny", code: code.code(), reason: Some(told(why)) }
    }
}

/// What the agent is told of a command that does not run.
fn told(why: &str) -> String {
    format!("[innercmd] The command was not run: {why}.")
}

fn denied(reason: Option<&str>) -> String {
    match reason.map(str::trim).filter(|reason| !reason.is_empty()) {
        Some(reason) => format!("the user denied it and says: {}", reason.trim_end_matches('.')),
        None => "the user denied it; do not try it again in another form".to_owned(),
    }
}

fn needs_approval(judged: &Judged) -> String {
    let asked = judged.units.iter().filter(|unit| unit.decision != "allow").map(|unit| format!("`{}`", unit.text));
    let asked: Vec<String> = asked.collect();
    let which = if asked.is_empty() { String::new() } else { format!(" for {}", asked.join(", ")) };
    format!("it needs the user's approval{which}, and this session cannot ask; use commands that the policy allows")
}

#[cfg(test)]
mod tests;
