//! The session in Pi, as the engine sees it: every call is a request to the extension.

use serde_json::Value;

use crate::{
    peer::{CallError, Peer},
    wire::{HostQuery, Id, Log, LogData, Permission},
};

/// The session in which one question was asked.
pub struct PiHostSession {
    peer: Peer,
    ask: Id,
}

impl PiHostSession {
    pub(crate) fn new(peer: Peer, ask: Id) -> Self {
        Self { peer, ask }
    }

    pub(crate) async fn session_id(&self) -> Result<String, CallError> {
        self.peer.call("host/sessionId", self.query()).await
    }

    pub(crate) async fn check_permission(
        &self,
        surface: &str,
        value: &str,
        agent: Option<&str>,
    ) -> Result<Permission, CallError> {
        let query = HostQuery { surface: Some(surface), value: Some(value), agent, ..self.query() };
        self.peer.call("host/checkPermission", query).await
    }

    pub(crate) async fn entries(&self) -> Result<Vec<Value>, CallError> {
        let text: String = self.peer.call("host/sessionEntries", self.query()).await?;
        Ok(serde_json::from_str(&text)?)
    }

    pub(crate) fn log(&self, level: &'static str, event: &'static str, data: LogData<'_>) -> Result<(), CallError> {
        self.peer.notify("host/log", Log { ask: &self.ask, level, event, data })
    }

    fn query(&self) -> HostQuery<'_> {
        HostQuery { ask: &self.ask, surface: None, value: None, agent: None }
    }
}
