//! What the user approved for the session.

use std::collections::HashSet;

/// One approval: this text, here, for this agent, and nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Approval {
    pub(crate) command: String,
    pub(crate) cwd: String,
    pub(crate) agent: Option<String>,
}

/// The approvals of a session.
///
/// INVARIANT: an approval covers the text it was given for and no other, so that approving can never widen what a rule allows.
#[derive(Debug, Default)]
pub(crate) struct Approvals(HashSet<Approval>);

/// How many are kept; what comes later is asked about again.
const MOST: usize = 4096;

impl Approvals {
    pub(crate) fn add(&mut self, approval: Approval) {
        if self.0.len() < MOST {
            self.0.insert(approval);
        }
    }

    pub(crate) fn hold(&self, approval: &Approval) -> bool {
        self.0.contains(approval)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn approval(command: &str, cwd: &str, agent: Option<&str>) -> Approval {
        Approval { command: command.to_owned(), cwd: cwd.to_owned(), agent: agent.map(str::to_owned) }
    }

    #[test]
    fn an_approval_covers_the_same_command_in_the_same_place_alone() {
        let mut approvals = Approvals::default();
        approvals.add(approval("git push *", "/a", None));
        assert!(approvals.hold(&approval("git push *", "/a", None)));
        for other in [
            approval("git push --force", "/a", None),
            approval("git push * && rm x", "/a", None),
            approval("git push * ", "/a", None),
            approval("git push *", "/a/b", None),
            approval("git push *", "/a", Some("reviewer")),
        ] {
            assert!(!approvals.hold(&other), "{other:?}");
        }
    }
}
