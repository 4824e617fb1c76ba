//! Parsing within a budget.

use std::cell::Cell;
use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use super::mask::Masked;
use crate::Span;

/// How many bytes the parser is given at a time: small, so that what it reads again shows.
const PORTION: usize = 256;

/// How many pipes a text may hold: the grammar reads a pipeline from the right, and an error behind a long one costs the
/// square of its length in a single step.
const STRAIN: usize = 1024;

/// The work that parsing may cost, as a function of the bytes alone.
///
/// The parser reports every hundred steps, but a step in error recovery may scan the rest of the text. Bytes that are
/// read again and again are the first sign of that.
#[derive(Debug)]
pub(super) struct Budget {
    /// How often the parser may still report progress.
    reports: Cell<usize>,
    /// How many bytes it may still be given.
    bytes: Cell<usize>,
}

/// Why there is no tree without an error.
pub(super) enum Stopped {
    Error(Vec<Span>),
    TooMuchWork,
}

impl Budget {
    /// Real commands take up to 1.3 steps a byte, `a|a|a` takes 4.3; they are read about twice.
    pub(super) fn for_bytes(bytes: usize) -> Self {
        Self { reports: Cell::new((64 + bytes / 10).min(20_000)), bytes: Cell::new(64 * PORTION + 8 * bytes) }
    }

    /// Takes `amount` from what is left of `budget`, down to zero; tells whether it was there.
    fn spend(budget: &Cell<usize>, amount: usize) -> ControlFlow<()> {
        let left = budget.get().checked_sub(amount);
        budget.set(left.unwrap_or(0));
        left.map_or(ControlFlow::Break(()), |_| ControlFlow::Continue(()))
    }

    fn is_spent(&self) -> bool {
        self.reports.get() == 0 || self.bytes.get() == 0
    }
}

pub(super) fn parse(masked: &Masked, budget: &Budget) -> Result<Tree, Stopped> {
    if masked.strain > STRAIN {
        return Err(Stopped::TooMuchWork);
    }
    // A parser of its own for each text: the grammar's scanner keeps state from one parse to the next.
    let mut parser = Parser::new();
    if parser.set_language(&tree_sitter_bash::LANGUAGE.into()).is_err() {
        return Err(Stopped::TooMuchWork);
    }
    let text = masked.text.as_slice();
    let mut read = |at: usize, _| {
        let portion = text.get(at..(at + PORTION).min(text.len())).unwrap_or_default();
        match Budget::spend(&budget.bytes, portion.len()) {
            ControlFlow::Continue(()) => portion,
            // Reading cannot be refused, but the text can end.
            ControlFlow::Break(()) => &[],
        }
    };
    let mut error = None;
    let mut progress = |state: &ParseState| {
        if state.has_error() {
            // No tree that recovery makes is of use.
            let at = state.current_byte_offset();
            error = Some(Span::new(at, (at + 1).min(text.len())));
            return ControlFlow::Break(());
        }
        if budget.is_spent() { ControlFlow::Break(()) } else { Budget::spend(&budget.reports, 1) }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let tree = parser.parse_with_options(&mut read, None, Some(options));
    match (tree, error) {
        (_, Some(span)) => Err(Stopped::Error(vec![span])),
        (Some(tree), None) if !budget.is_spent() => {
            if tree.root_node().has_error() {
                Err(Stopped::Error(errors(&tree)))
            } else {
                Ok(tree)
            }
        }
        _ => Err(Stopped::TooMuchWork),
    }
}

/// The places of the first errors of a tree; the whole of it where they have no node of their own.
///
/// INVARIANT: never empty, or a text with an error would seem to hold nothing.
fn errors(tree: &Tree) -> Vec<Span> {
    let mut cursor = tree.walk();
    let mut spans = vec![];
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            spans.push(Span::new(node.start_byte(), node.end_byte()));
        }
        // An error has no need to be looked into.
        if node.has_error() && !node.is_error() && spans.len() < 4 && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                if spans.is_empty() {
                    spans.push(Span::new(0, tree.root_node().end_byte()));
                }
                return spans;
            }
        }
    }
}
