use std::process::ExitCode;

use innercmd_authorizer::{GateVerdict, Verdict};

/// The exit code where there is no verdict, and not by the caller's fault.
pub(crate) const INTERNAL: u8 = 1;

/// How the process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The command may run; or, where many lines were answered, they all were.
    Allow,
    /// Somebody has to be asked, or the link defers.
    Ask,
    /// The command may not run.
    Deny,
    /// An example does not hold.
    Failed,
    /// A policy file is not valid, and what is wrong with it is written.
    Invalid,
}

impl Exit {
    pub(crate) fn of(verdict: &GateVerdict) -> Self {
        match verdict {
            GateVerdict::Allow(_) => Self::Allow,
            GateVerdict::Ask(_) => Self::Ask,
            GateVerdict::Deny(_) => Self::Deny,
        }
    }

    pub(crate) fn of_link(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Allow(_) => Self::Allow,
            Verdict::Defer(_) => Self::Ask,
            Verdict::Deny(_) => Self::Deny,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Allow => 0,
            Exit::Ask => 3,
            Exit::Deny => 4,
            Exit::Failed => 5,
            Exit::Invalid => 2,
        })
    }
}

/// Why there is no verdict.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// What the caller gave is unusable: arguments, input or a policy.
    #[error("{0}")]
    Usage(String),
    /// Reading or writing failed.
    #[error("{what}: {source}")]
    Io {
        /// What was read or written.
        what: String,
        /// What the system says.
        source: std::io::Error,
    },
}

impl Failure {
    /// Whether nobody reads what is written any more.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == std::io::ErrorKind::BrokenPipe)
    }

    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        let what = what.into();
        move |source| Self::Io { what, source }
    }
}

impl From<&Failure> for ExitCode {
    fn from(failure: &Failure) -> Self {
        Self::from(match failure {
            Failure::Usage(_) => 2,
            Failure::Io { .. } => INTERNAL,
        })
    }
}
