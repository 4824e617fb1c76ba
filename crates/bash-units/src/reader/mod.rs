//! The reader: a linear, iterative reading of Bash, written from the bash manual and the POSIX Shell Command Language.
//!
//! It is one pushdown machine. Every construct that can hold another is a [`Frame`](machine::Frame) on an explicit stack, so that nothing
//! recurses on the input; a frame that ends leaves what it found in `returned` for the frame below it. Reading order:
//! `list` (what separates commands), `simple`, `word` (quoting), `expansion` (`$…` and backticks), `compound`, `conditional`,
//! `heredoc`; `raw` lists candidates in text that could not be read.

mod compound;
mod conditional;
mod expansion;
mod heredoc;
mod list;
mod machine;
mod raw;
mod simple;
mod text;
mod word;

use machine::Machine;

use crate::semantics::Concern;
use crate::{Assignment, BashCommand, Gap, GapCode, Heredoc, Limits, Redirect, Scope, Span};

/// How many gaps are kept; one is enough to withhold an allow.
const MOST_GAPS: usize = 1000;

/// What one reading of a text found.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) commands: Vec<BashCommand>,
    pub(crate) loose_assignments: Vec<Assignment>,
    pub(crate) loose_redirects: Vec<Redirect>,
    pub(crate) scopes: Vec<Scope>,
    pub(crate) gaps: Vec<Gap>,
    /// Places whose safety depends on values; `semantics` judges them.
    pub(crate) concerns: Vec<Concern>,
    /// Texts of traps that were read where they stand.
    pub(crate) embedded: Vec<Span>,
    /// The bodies of here-documents, by the start of their redirection.
    heredocs: Vec<(usize, Heredoc)>,
}

impl Reading {
    pub(crate) fn gap(&mut self, code: GapCode, span: Span) {
        if self.gaps.len() < MOST_GAPS {
            self.gaps.push(Gap { code, span, unit: None });
        }
    }

    /// Puts units into source order and bodies to their redirections.
    fn settle(&mut self) {
        self.commands.sort_by_key(|unit| unit.span.start);
        self.loose_assignments.sort_by_key(|assignment| assignment.span.start);
        self.loose_redirects.sort_by_key(|redirect| redirect.span.start);
        if self.heredocs.is_empty() {
            return;
        }
        self.heredocs.sort_by_key(|(start, _)| *start);
        let bodies = &self.heredocs;
        let attach = |redirect: &mut Redirect| {
            if let Ok(found) = bodies.binary_search_by_key(&redirect.span.start, |(start, _)| *start) {
                redirect.heredoc = bodies.get(found).map(|(_, body)| *body);
            }
        };
        self.commands.iter_mut().flat_map(|unit| &mut unit.redirects).for_each(attach);
        self.loose_redirects.iter_mut().for_each(attach);
    }
}

/// Reads `source`, which is at most [`Limits::bytes`] long.
pub(crate) fn read(source: &str, limits: &Limits) -> Reading {
    let mut reading = Machine::new(source, limits).run();
    raw::scan_aliases(source, &mut reading);
    if let Some(at) = source.find('\0') {
        // An argument of a program ends there: bash would read another text than this one.
        reading.gap(GapCode::ControlCharacter, Span::new(at, at + 1));
    }
    reading.settle();
    reading
}

/// Lists candidate commands of a text that is too long to read.
pub(crate) fn scan(source: &str) -> Reading {
    let mut reading = Reading { scopes: vec![machine::program_scope()], ..Reading::default() };
    reading.gap(GapCode::InputTooLong, Span::new(0, source.len()));
    raw::scan(source, Span::new(0, source.len()), &mut reading);
    reading.settle();
    reading
}
