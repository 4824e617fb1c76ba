use innercmd_bash_units::BashProgram;
use innercmd_policy::Effect;

use crate::Finding;

/// What became known on the way, for reports and logs; no step rests on it.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    pub(crate) request_id: Option<String>,
    pub(crate) command: Option<String>,
    pub(crate) inner: Option<String>,
    pub(crate) findings: Vec<Finding>,
}

impl Trail {
    /// Notes the gaps of `program`.
    pub(crate) fn note_gaps(&mut self, program: &BashProgram) {
        self.findings.extend(program.gaps().iter().map(|gap| Finding {
            code: gap.code.into(),
            subject: gap.span.of(program.source()).to_owned(),
            effect: Effect::Ask,
            rule: None,
        }));
    }
}
