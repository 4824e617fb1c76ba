//! The seam between the line and what answers questions.

use async_trait::async_trait;

use crate::{
    PiHostSession,
    wire::{Answer, Question, RpcError},
};

/// What answers the questions of a session.
#[async_trait]
pub trait Engine: Send + Sync + 'static {
    /// Answers one question; `host` is the session it came from, and where callbacks go.
    ///
    /// # Errors
    /// The question cannot be answered. For whoever asked that is never an allow.
    async fn answer(&self, question: Question, host: PiHostSession) -> Result<Answer, RpcError>;
}
