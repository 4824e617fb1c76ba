//! Parsing with error recovery, within a budget.

use std::cell::Cell;
use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

/// How many code units the parser is given at a time: small, so that what it reads again shows.
const PORTION: usize = 256;

use super::source::Source;

/// The tree of `source` as it is; nothing where it costs more than a multiple of the text's length.
pub(super) fn parse(source: &Source<'_>) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).ok()?;
    let text = source.units.as_slice();
    let units = Cell::new(256 * PORTION + 64 * text.len());
    let reports = Cell::new(1024 + text.len());
    let spent = Cell::new(false);
    let spend = |budget: &Cell<usize>, amount: usize| match budget.get().checked_sub(amount) {
        Some(left) => budget.set(left),
        None => spent.set(true),
    };
    let mut read = |at: usize, _| -> &[u16] {
        let portion = text.get(at..(at + PORTION).min(text.len())).unwrap_or_default();
        spend(&units, portion.len());
        // Reading cannot be refused, but the text can end.
        if spent.get() { &[] } else { portion }
    };
    let mut progress = |_: &ParseState| {
        match reports.get().checked_sub(1) {
            Some(left) => reports.set(left),
            None => spent.set(true),
        }
        if spent.get() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    parser.parse_utf16_le_with_options(&mut read, None, Some(options)).filter(|_| !spent.get())
}
