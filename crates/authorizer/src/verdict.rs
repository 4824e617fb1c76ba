use innercmd_policy::Effect;

use crate::{AuthorizerCode, Error, Grant, HostError, ReasonCode};

/// What the engine answers to one request, and why.
#[derive(Debug)]
pub struct Authorization {
    /// The request that is answered, where it has a readable id.
    pub request_id: Option<String>,
    /// The command inside the wrapper, where one was stripped.
    pub inner: Option<String>,
    /// The answer.
    pub verdict: Verdict,
    /// Everything that was found on the way, in the order of the steps and, within a step, of the source.
    pub findings: Vec<Finding>,
}

impl Authorization {
    /// The answer to a request whose text is no readable JSON, such as one with a lone surrogate.
    #[must_use]
    pub fn unreadable(refusal: innercmd_evidence::Refusal) -> Self {
        Self {
            request_id: refusal.request_id,
            inner: None,
            verdict: Verdict::Defer(refusal.code.into()),
            findings: Vec::new(),
        }
    }
}

/// The answer of a link.
#[derive(Debug)]
pub enum Verdict {
    /// The whole tool call may run.
    Allow(Grant),
    /// It may not.
    Deny(Denial),
    /// The link has no say; whoever comes next has.
    Defer(Deferral),
}

impl Verdict {
    /// The name of the answer: `allow`, `deny` or `defer`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Allow(_) => "allow",
            Self::Deny(_) => "deny",
            Self::Defer(_) => "defer",
        }
    }

    /// Why.
    #[must_use]
    pub fn code(&self) -> ReasonCode {
        match self {
            Self::Allow(_) => AuthorizerCode::InnerAllowed.into(),
            Self::Deny(denial) => denial.code,
            Self::Defer(deferral) => deferral.code,
        }
    }
}

/// A deny with what the agent is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denial {
    /// Why.
    pub code: ReasonCode,
    /// The sentence for the agent; it names the command and the rule.
    pub reason: String,
}

/// A defer with its cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deferral {
    /// Why.
    pub code: ReasonCode,
    /// The failure behind it, where there was one.
    pub error: Option<Error>,
}

impl<C: Into<ReasonCode>> From<C> for Deferral {
    fn from(code: C) -> Self {
        Self { code: code.into(), error: None }
    }
}

impl Deferral {
    /// Turns a failure into a verdict; the one place that does.
    ///
    /// INVARIANT: a failure defers. No path leads from an [`Error`] to an allow.
    pub(crate) fn on_error(error: Error) -> Self {
        Self { code: error.code().into(), error: Some(error) }
    }
}

/// One thing that was found about a part of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What.
    pub code: ReasonCode,
    /// The part it concerns, as typed.
    pub subject: String,
    /// What it makes of the verdict at least.
    pub effect: Effect,
    /// The rule behind it.
    pub rule: Option<Rule>,
}

/// A rule of the host's policy, as the host names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The surface it belongs to.
    pub surface: String,
    /// Its pattern.
    pub pattern: Option<String>,
    /// Which file or scope it came from.
    pub origin: Option<String>,
    /// What it tells people.
    pub reason: Option<String>,
}

impl Finding {
    pub(crate) fn log_failed(error: &HostError) -> Self {
        Self { code: AuthorizerCode::LogFailed.into(), subject: error.to_string(), effect: Effect::Allow, rule: None }
    }
}
