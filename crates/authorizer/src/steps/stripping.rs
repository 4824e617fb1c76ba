use innercmd_bash_units::Limits;
use innercmd_wrapper::Stripped;

use super::{Recognized, Trail};
use crate::Deferral;

/// The proof that the whole command was read again without the wrapper, and that nothing else of it changed.
#[derive(Debug)]
pub(crate) struct WrapperStripped {
    stripped: Stripped,
    agent: Option<String>,
}

impl WrapperStripped {
    /// Removes the wrapper's own words from the whole command.
    pub(crate) fn strip(recognized: Recognized, trail: &mut Trail) -> Result<Self, Deferral> {
        let program = recognized.program();
        let unit = recognized.evidence().triggering_unit();
        let stripped = innercmd_wrapper::strip(program, unit, &Limits::default())
            .map_err(|refusal| Deferral::from(refusal.code))?;
        trail.inner = Some(stripped.inner().to_owned());
        Ok(Self { stripped, agent: recognized.into_evidence().into_agent() })
    }

    pub(crate) fn into_parts(self) -> (Stripped, Option<String>) {
        (self.stripped, self.agent)
    }
}
