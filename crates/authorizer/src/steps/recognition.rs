use innercmd_bash_units::{BashProgram, Limits};
use innercmd_wrapper::WrapperCode;

use super::{EvidenceAccepted, Trail};
use crate::Deferral;

/// The proof that the unit that was asked about starts a wrapper that can be seen through, and the whole command, read once.
#[derive(Debug)]
pub(crate) struct Recognized {
    accepted: EvidenceAccepted,
    program: BashProgram,
}

impl Recognized {
    /// Reads the unit that was asked about as a wrapper, and the whole command.
    pub(crate) fn recognize(accepted: EvidenceAccepted, trail: &mut Trail) -> Result<Self, Deferral> {
        // The unit alone tells whether a wrapper was asked about at all; where it stands in the whole is the next step's business.
        let unit = BashProgram::parse(accepted.triggering_unit(), &Limits::default());
        let wrapped = unit.commands().first().and_then(|command| innercmd_wrapper::recognize(&command.words));
        if let Some(code) = wrapped.ok_or(WrapperCode::NotAWrapper)?.refusal {
            return Err(code.into());
        }
        let program = BashProgram::parse(accepted.full_command(), &Limits::default());
        trail.note_gaps(&program);
        Ok(Self { accepted, program })
    }

    pub(crate) fn program(&self) -> &BashProgram {
        &self.program
    }

    pub(crate) fn evidence(&self) -> &EvidenceAccepted {
        &self.accepted
    }

    pub(crate) fn into_evidence(self) -> EvidenceAccepted {
        self.accepted
    }
}
