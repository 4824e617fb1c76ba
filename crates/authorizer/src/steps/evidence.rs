use innercmd_bash_units::{BashCommand, BashProgram};
use innercmd_evidence::{CommandEvidence, EvidenceSource};

use super::{OwnershipHeld, Trail};
use crate::{Deferral, Request, calls::Calls};

/// A request of which nothing is known yet.
#[derive(Debug)]
pub(crate) struct Received<'r> {
    request: &'r Request<'r>,
}

impl<'r> Received<'r> {
    pub(crate) fn new(request: &'r Request<'r>) -> Self {
        Self { request }
    }
}

/// The proof that the whole command is known, and which unit of it was asked about.
#[derive(Debug)]
pub(crate) struct EvidenceAccepted {
    full_command: String,
    triggering_unit: String,
    agent: Option<String>,
}

impl EvidenceAccepted {
    /// Reads the evidence of the request (ADR 0002, and ADR 0001 for hosts without a payload).
    pub(crate) async fn accept(
        held: OwnershipHeld<Received<'_>>,
        calls: &mut Calls<'_>,
        trail: &mut Trail,
    ) -> Result<Self, Deferral> {
        let Request { details, source, .. } = held.into_state().request;
        let entries = match source {
            EvidenceSource::Payload => Vec::new(),
            EvidenceSource::SessionWalk => calls.entries().await.map_err(Deferral::on_error)?,
        };
        match source.read(details, &entries) {
            Ok(evidence) => {
                trail.request_id = Some(evidence.request_id().to_owned());
                trail.command = Some(evidence.full_command().to_owned());
                Ok(Self::from(evidence))
            }
            Err(refusal) => {
                trail.request_id = refusal.request_id;
                Err(refusal.code.into())
            }
        }
    }

    /// The evidence of a gate, which was handed the call itself: its command is `program`, and it asks about `unit` of it.
    pub(crate) fn of_own_call(program: &BashProgram, unit: &BashCommand) -> Self {
        Self { full_command: program.source().to_owned(), triggering_unit: unit.text.clone(), agent: None }
    }

    pub(crate) fn full_command(&self) -> &str {
        &self.full_command
    }

    pub(crate) fn triggering_unit(&self) -> &str {
        &self.triggering_unit
    }

    pub(crate) fn into_agent(self) -> Option<String> {
        self.agent
    }
}

impl From<CommandEvidence> for EvidenceAccepted {
    fn from(evidence: CommandEvidence) -> Self {
        Self {
            full_command: evidence.full_command().to_owned(),
            triggering_unit: evidence.triggering_unit().to_owned(),
            agent: evidence.agent().map(str::to_owned),
        }
    }
}
