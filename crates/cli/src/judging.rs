//! Judges one command as a gate does.

use std::sync::Arc;

use innercmd_authorizer::{Gated, Link, gate};
use innercmd_bash_units::{BashProgram, Limits};
use innercmd_file_facts::facts;
use innercmd_policy::{Policy, Surroundings};

/// The name of the link, as a policy's `authorizerChain` lists it.
pub(crate) const LINK: &str = "inner-cmd";

/// A command, and by what and where it is judged.
pub(crate) struct Case<'c> {
    pub(crate) command: &'c str,
    pub(crate) policy: Arc<Policy>,
    pub(crate) cwd: &'c str,
    pub(crate) home: Option<&'c str>,
    /// Whether the policy alone is asked for.
    pub(crate) policy_only: bool,
}

impl Case<'_> {
    /// Reads the command and judges it.
    pub(crate) fn judge(&self) -> (BashProgram, Gated) {
        let program = BashProgram::parse(self.command, &Limits::default());
        let surroundings = Surroundings { home: self.home, facts: facts(self.cwd), ..Surroundings::new(self.cwd) };
        let link = if self.policy_only || !self.policy.link_enabled(LINK) { Link::Off } else { Link::On };
        let gated = gate(&self.policy, &program, &surroundings, link);
        (program, gated)
    }
}
