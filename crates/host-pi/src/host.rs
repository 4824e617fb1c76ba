//! The session in Pi, as the engine sees it: every call is a request to the extension.

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
}
