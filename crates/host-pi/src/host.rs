//! The session in Pi, as the engine sees it: every call is a request to the extension.

use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::{
    peer::{CallError, Peer},
    wire::{HostQuery, Id, Log, LogData, Permission},
};

/// The session in which one question was asked.
pub struct PiHostSession {
    peer: Peer,
    ask: Id,
    /// The session that the question came with; it answers the first query, and the harness the later ones.
    at_ask: Mutex<Option<String>>,
}

impl PiHostSession {
    pub(crate) fn new(peer: Peer, ask: Id) -> Self {
        Self { peer, ask, at_ask: Mutex::new(None) }
    }

    /// The same, for a question that came with the id of its session.
    pub(crate) fn in_session(self, id: &str) -> Self {
        Self { at_ask: Mutex::new(Some(id.to_owned())), ..self }
    }

    pub(crate) async fn session_id(&self) -> Result<String, CallError> {
        let at_ask = self.at_ask.lock().unwrap_or_else(PoisonError::into_inner).take();
        match at_ask {
            Some(id) => Ok(id),
            None => self.peer.call("host/sessionId", self.query()).await,
        }
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
