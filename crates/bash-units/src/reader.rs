//! Placeholder.
use crate::{BashProgram, Gap, GapCode, Limits, Span};

pub(crate) fn read(command: &str, _limits: &Limits) -> BashProgram {
    BashProgram {
        source: command.to_owned(),
        commands: vec![],
        loose_assignments: vec![],
        loose_redirects: vec![],
        scopes: vec![],
        gaps: vec![Gap { code: GapCode::UnsureReading, span: Span::new(0, command.len()), unit: None }],
    }
}
