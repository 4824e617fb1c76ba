//! The second reading: a syntax tree of tree-sitter-bash, walked and accounted for byte by byte.
//!
//! It shares no code with the reader that makes the model. Where the grammar is known to misread Bash, the text is
//! masked before it is parsed ([`mask`]); the walk proves each mask from the bytes. What it finds is compared with the
//! model; what it cannot account for is a gap.

mod chars;
mod guess;
mod heredoc;
mod kind;
mod mask;
mod scan;
mod shell;
mod tokens;
mod walk;

use std::cell::Cell;
use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use self::mask::{Masked, Text, mask};
use self::walk::Walk;
use crate::footprint::Footprint;
use crate::{Gap, GapCode, Limits, Span};

/// What the syntax tree says about a text.
#[derive(Debug)]
pub(crate) struct Attestation {
    /// What it found. Without gaps it is everything that is there.
    pub(crate) footprint: Footprint,
    /// What it could not account for, in source order.
    pub(crate) gaps: Vec<Gap>,
}

/// Reads `source` with the syntax tree, and the texts at `embedded`, which are programs in it of their own.
pub(crate) fn attest(source: &str, embedded: &[Span], limits: &Limits) -> Attestation {
    let whole = Span::new(0, source.len());
    let mut attestation = Attestation { footprint: Footprint::default(), gaps: vec![] };
    if source.len() > limits.bytes {
        attestation.gaps.push(gap(GapCode::InputTooLong, whole));
        return attestation;
    }
    if let Some(nul) = source.find('\0') {
        // Bash drops it, inside quotes and out.
        attestation.gaps.push(gap(GapCode::ControlCharacter, Span::new(nul, nul + 1)));
        return attestation;
    }
    let budget = Budget::for_bytes(source.len());
    let mut bodies = attestation.read(source, 0, Text::Program, &budget);
    for program in embedded {
        bodies.extend(attestation.read(program.of(source), program.start, Text::Program, &budget));
    }
    for body in bodies {
        if attestation.gaps.is_empty() && may_expand(body.of(source)) {
            // The newline before it and the first byte of the delimiter's line stand for quotes around it.
            let quoted = Span::new(body.start.saturating_sub(1), body.end + 1);
            attestation.read(quoted.of(source), quoted.start, Text::Body, &budget);
        }
    }
    attestation.footprint.sort();
    attestation.gaps.sort_by_key(|gap| gap.span);
    attestation
}

impl Attestation {
    /// Adds what is found in `source`, which starts at `base`; returns the bodies that are still to be read.
    fn read(&mut self, source: &str, base: usize, text: Text, budget: &Budget) -> Vec<Span> {
        let masked = mask(source, text);
        let tree = match parse(&masked, budget) {
            Ok(tree) => tree,
            Err(Stopped::Error(spans)) => {
                self.gaps.extend(spans.into_iter().map(|span| gap(GapCode::TreeError, shifted(span, base))));
                return vec![];
            }
            Err(Stopped::TooMuchWork) => {
                self.gaps.push(gap(GapCode::TooMuchWork, Span::new(base, base + source.len())));
                return vec![];
            }
        };
        let walk = Walk::new(source, text, &masked).run(&tree);
        self.gaps.extend(walk.gaps.into_iter().map(|gap| Gap { span: shifted(gap.span, base), ..gap }));
        let mut found = walk.footprint;
        if text == Text::Body {
            // The body itself, which the tree sees as the program of a command.
            found.commands.retain(|words| words.first().is_some_and(|word| word.start != 0));
        }
        let footprint = &mut self.footprint;
        footprint.commands.extend(
            found.commands.into_iter().map(|words| words.into_iter().map(|word| shifted(word, base)).collect()),
        );
        footprint.assignments.extend(found.assignments.into_iter().map(|span| shifted(span, base)));
        footprint.redirects.extend(found.redirects.into_iter().map(|span| shifted(span, base)));
        footprint.heredocs.extend(found.heredocs.into_iter().map(|(body, quoted)| (shifted(body, base), quoted)));
        walk.bodies.into_iter().map(|body| shifted(body, base)).collect()
    }
}

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
struct Budget {
    /// How often the parser may still report progress.
    reports: Cell<usize>,
    /// How many bytes it may still be given.
    bytes: Cell<usize>,
}

/// Why there is no tree without an error.
enum Stopped {
    Error(Vec<Span>),
    TooMuchWork,
}

impl Budget {
    /// Real commands take up to 1.3 steps a byte, `a|a|a` takes 4.3; they are read about twice.
    fn for_bytes(bytes: usize) -> Self {
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

fn parse(masked: &Masked, budget: &Budget) -> Result<Tree, Stopped> {
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

/// The places of the first errors of a tree.
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
                return spans;
            }
        }
    }
}

fn gap(code: GapCode, span: Span) -> Gap {
    Gap { code, span, unit: None }
}

fn shifted(span: Span, base: usize) -> Span {
    Span::new(span.start + base, span.end + base)
}

/// Whether anything in the body of a here-document can run a command.
fn may_expand(body: &str) -> bool {
    body.contains('`') || body.as_bytes().windows(2).any(|pair| matches!(pair, [b'$', b'(' | b'{' | b'[' | b'\\']))
}
