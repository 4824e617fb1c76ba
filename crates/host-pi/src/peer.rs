//! The other end of the line: what is written to it, and the calls it has yet to answer.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use tokio::sync::{mpsc, oneshot};

use crate::wire::{Id, Outcome, Outgoing, Response, RpcError, Version};

/// A handle to the peer; clones share the line.
#[derive(Clone)]
pub(crate) struct Peer {
    lines: mpsc::Sender<String>,
    pending: Arc<Pending>,
}

/// The calls that have yet to be answered.
#[derive(Default)]
struct Pending {
    next: AtomicU64,
    calls: Mutex<HashMap<u64, oneshot::Sender<Reply>>>,
}

/// What came back for a call: JSON text, or a failure.
type Reply = Result<Box<RawValue>, RpcError>;

/// Why a call brought no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CallError {
    #[error("the peer is gone")]
    Gone,
    #[error("the peer refused: {0}")]
    Refused(#[from] RpcError),
    #[error("the answer has the wrong shape: {0}")]
    Malformed(#[from] serde_json::Error),
}

impl Peer {
    /// A peer, and the lines that are to be written to it.
    pub(crate) fn new() -> (Self, mpsc::Receiver<String>) {
        let (lines, written) = mpsc::channel(256);
        (Self { lines, pending: Arc::default() }, written)
    }

    /// Answers a request of the peer.
    pub(crate) async fn respond<R: Serialize>(&self, id: Option<Id>, outcome: Outcome<R>) {
        let response = Response { jsonrpc: Version::Two, id, outcome };
        // A peer that is gone needs no answer.
        if let Ok(line) = serde_json::to_string(&response) {
            drop(self.lines.send(line).await);
        }
    }

    /// Calls the peer and waits for its answer. Dropping the future gives the call up.
    pub(crate) async fn call<P: Serialize, R: DeserializeOwned>(
        &self,
        method: &str,
        params: P,
    ) -> Result<R, CallError> {
        let id = self.pending.next.fetch_add(1, Ordering::Relaxed);
        let line = serde_json::to_string(&Outgoing { jsonrpc: Version::Two, id: Some(id), method, params })?;
        let (sender, reply) = oneshot::channel();
        self.pending.calls().insert(id, sender);
        let _forget = Forget { pending: &self.pending, id };
        self.lines.send(line).await.map_err(|_| CallError::Gone)?;
        let result = reply.await.map_err(|_| CallError::Gone)??;
        Ok(serde_json::from_str(result.get())?)
    }

    /// Tells the peer something, unless the line is jammed.
    pub(crate) fn notify<P: Serialize>(&self, method: &str, params: P) -> Result<(), CallError> {
        let line = serde_json::to_string(&Outgoing { jsonrpc: Version::Two, id: None, method, params })?;
        self.lines.try_send(line).map_err(|_| CallError::Gone)
    }

    /// Takes the peer's answer to a call; one that nobody waits for is dropped.
    pub(crate) fn take(&self, id: u64, reply: Reply) {
        if let Some(call) = self.pending.calls().remove(&id) {
            drop(call.send(reply));
        }
    }

    /// Gives up every call, because no answer will come any more.
    pub(crate) fn hang_up(&self) {
        self.pending.calls().clear();
    }
}

impl Pending {
    fn calls(&self) -> MutexGuard<'_, HashMap<u64, oneshot::Sender<Reply>>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Forgets a call when it is over, however it ends.
struct Forget<'p> {
    pending: &'p Pending,
    id: u64,
}

impl Drop for Forget<'_> {
    fn drop(&mut self) {
        self.pending.calls().remove(&self.id);
    }
}
