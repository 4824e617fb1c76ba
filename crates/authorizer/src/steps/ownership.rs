use crate::{AuthorizerCode, Deferral, SessionId, calls::Calls};

/// A state, with the proof that the host was in the link's own session when it was reached.
#[derive(Debug)]
pub(crate) struct OwnershipHeld<S> {
    state: S,
}

impl<S> OwnershipHeld<S> {
    /// Asks the host for its session and compares it with the `owner` of the link.
    pub(crate) async fn hold(state: S, owner: Option<&SessionId>, calls: &mut Calls<'_>) -> Result<Self, Deferral> {
        let owner = owner.ok_or(AuthorizerCode::NotRegistered)?;
        let session = calls.session_id().await.map_err(Deferral::on_error)?;
        if session == *owner { Ok(Self { state }) } else { Err(AuthorizerCode::SessionChanged.into()) }
    }

    pub(crate) fn into_state(self) -> S {
        self.state
    }
}
