//! What is known of the terminal that people read the answers on.

use crate::world::variable;

/// The width that a page is made for where nothing else is known.
const USUAL: usize = 80;
/// Wider lines of prose are hard to read.
const WIDEST: usize = 120;
/// Below this nothing can be laid out.
const NARROWEST: usize = 40;

/// How many columns a page may use: those of the terminal, of `COLUMNS`, or 80.
pub(crate) fn width() -> usize {
    let told = variable("COLUMNS").and_then(|columns| columns.parse().ok());
    let asked = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    told.or_else(asked).unwrap_or(USUAL).clamp(NARROWEST, WIDEST)
}

/// `text` in lines of at most `width` columns: the first behind `first`, the others behind `next`.
pub(crate) fn wrapped(text: &str, width: usize, first: &str, next: &str) -> String {
    let options = textwrap::Options::new(width)
        .initial_indent(first)
        .subsequent_indent(next)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit);
    textwrap::fill(text, options)
}
