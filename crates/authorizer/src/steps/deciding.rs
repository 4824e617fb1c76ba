use innercmd_bash_units::BashProgram;

use super::{
    OwnershipHeld,
    judging::{AllAllowed, Judged, Outcome},
};
use crate::{Deferral, Verdict};

/// The proof that every unit of the stripped command is allowed, each alone and all together, in the session that was asked.
///
/// INVARIANT: made by `decide` alone, from a judgement under which the session was held again.
#[derive(Debug)]
pub struct Grant {
    allowed: AllAllowed,
}

impl Grant {
    /// The command without its wrapper: the program whose units were judged.
    #[must_use]
    pub fn program(&self) -> &BashProgram {
        self.allowed.program()
    }
}

/// Turns a judgement into a verdict: allow stays allow, deny stays deny, ask becomes defer.
pub(crate) fn decide(held: OwnershipHeld<Judged>) -> Verdict {
    match held.into_state().into_outcome() {
        Outcome::Allowed(allowed) => Verdict::Allow(Grant { allowed }),
        Outcome::Denied(denial) => Verdict::Deny(denial),
        Outcome::Asked(code) => Verdict::Defer(Deferral::from(code)),
    }
}
