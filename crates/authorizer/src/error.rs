use crate::{AuthorizerCode, HostError};

/// Why a request could not be carried to a verdict: the host failed, or was late.
///
/// An error says nothing about the command. [`Deferral::from`](crate::Deferral) is the one place that turns it into a verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A call came back with a failure.
    #[error("{call} failed")]
    Host {
        /// The call.
        call: HostCall,
        /// What the host says.
        #[source]
        source: HostError,
    },
    /// A call did not come back before the deadline.
    #[error("{call} was not answered in time")]
    Late {
        /// The call.
        call: HostCall,
    },
}

impl Error {
    /// The reason code.
    #[must_use]
    pub fn code(&self) -> AuthorizerCode {
        match self {
            Self::Host { .. } => AuthorizerCode::HostFailed,
            Self::Late { .. } => AuthorizerCode::HostLate,
        }
    }
}

/// A call to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display)]
pub enum HostCall {
    /// [`HostSession::session_id`](crate::HostSession::session_id).
    #[strum(to_string = "the session id")]
    SessionId,
    /// [`HostSession::check_permission`](crate::HostSession::check_permission).
    #[strum(to_string = "the policy query")]
    CheckPermission,
    /// [`HostSession::entries`](crate::HostSession::entries).
    #[strum(to_string = "the session entries")]
    Entries,
}
