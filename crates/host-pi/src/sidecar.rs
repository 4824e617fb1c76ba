//! The engine behind the line: the link, and the gate.

use std::sync::Arc;

use async_trait::async_trait;
use tokio::task::spawn_blocking;

use crate::{
    Engine, PiHostSession,
    gate::{Gate, PolicyJudge},
    link,
    wire::{Answer, ErrorCode, Question, RpcError},
};

/// Answers a session's questions by the authorizer and, in gate mode, by the user's policy files.
pub struct Sidecar {
    gate: Arc<Gate<PolicyJudge>>,
}

impl Sidecar {
    /// A sidecar whose gate is not open.
    #[must_use]
    pub fn new() -> Self {
        Self { gate: Arc::new(Gate::new(PolicyJudge::default())) }
    }

    /// Runs what reads files or computes where it holds nobody up.
    async fn at_the_gate<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Gate<PolicyJudge>) -> T + Send + 'static,
    ) -> Result<T, RpcError> {
        let gate = Arc::clone(&self.gate);
        spawn_blocking(move || work(&gate)).await.map_err(|_| RpcError::new(ErrorCode::Internal, "the engine failed"))
    }
}

impl Default for Sidecar {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl Engine for Sidecar {
    async fn answer(&self, question: Question, host: PiHostSession) -> Result<Answer, RpcError> {
        match question {
            Question::Authorize(question) => Ok(Answer::Authorize(link::answer(&question, host).await)),
            Question::OpenGate(files) => Ok(Answer::OpenGate(self.at_the_gate(move |gate| gate.open(&files)).await?)),
            Question::Decide(call) => Ok(Answer::Decide(self.at_the_gate(move |gate| gate.decide(call)).await??)),
            Question::Settle(settle) => Ok(Answer::Settle(self.at_the_gate(move |gate| gate.settle(&settle)).await??)),
        }
    }
}
