//! Takes one asked-for Bash command to a verdict that carries its proof, or defers.
//!
//! [`authorize`] is the link of an authorizer chain: a host asks about one unit of a command, and the link answers for the whole
//! command. It walks fixed steps, each a value that only the step before it can make:
//!
//! ```text
//! Received -> OwnershipHeld -> EvidenceAccepted -> Recognized -> WrapperStripped -> Judged -> OwnershipHeld again -> Verdict
//! ```
//!
//! [`gate`] is for harnesses without a permission system: the policy's own answer and, where it asks because of a wrapper alone,
//! the link's.
//!
//! ```
//! use innercmd_authorizer::{GateVerdict, Link, gate};
//! use innercmd_bash_units::{BashProgram, Limits};
//! use innercmd_policy::{Policy, Surroundings};
//!
//! let policy = Policy::from_permission(r#"{ "bash": { "*": "ask", "pnpm test *": "allow", "git push *": "deny" } }"#)?.policy;
//! let verdict = |command| {
//!     let program = BashProgram::parse(command, &Limits::default());
//!     gate(&policy, &program, &Surroundings::new("/work/project"), Link::On).verdict
//! };
//! assert!(matches!(verdict("timeout 60s pnpm test --run"), GateVerdict::Allow(_)));
//! assert!(matches!(verdict("timeout 60s pnpm build"), GateVerdict::Ask(_)));
//! assert!(matches!(verdict("timeout 60s pnpm test && git push"), GateVerdict::Deny(_)));
//! # Ok::<(), innercmd_policy::LoadError>(())
//! ```
//!
//! # Invariants
//! - [`Verdict::Allow`] holds a [`Grant`], and a [`Grant`] is made only where every unit of the complete stripped command was
//!   judged to allow, alone and whole, in the session the link is registered with.
//! - A failure of the host, or its silence, is a defer; one function turns failures into verdicts.
//! - Every call to a [`HostSession`] ends at the deadline that the caller brings. This crate has no clock of its own.
//!
//! # Non-goals
//! - Talking to a harness: that is the business of a host crate.
//! - Asking people: a link defers, and whoever comes next asks.

mod code;
mod error;
mod host;
mod calls;
mod verdict;
mod text;
mod spelling;
mod steps;
mod authorize;
mod local;
mod gate;
mod registrar;

#[cfg(test)]
pub(crate) use host::MockHostSession;

pub use authorize::{Request, authorize};
pub use code::{AuthorizerCode, ReasonCode};
pub use error::{Error, HostCall};
pub use gate::{GateGrant, GateVerdict, Gated, Link, Linked, gate};
pub use host::{
    AnswerSource, HostError, HostSession, LogLevel, LogRecord, PolicyAnswer, PolicyQuery, PolicyState, SessionId,
};
pub use local::LocalHost;
pub use registrar::{HostRegistry, Registered, Registrar};
pub use steps::Grant;
pub use verdict::{Authorization, Deferral, Denial, Finding, Rule, Verdict};
