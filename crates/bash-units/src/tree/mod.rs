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

/// Reads `source` with the syntax tree.
pub(crate) fn attest(source: &str, limits: &Limits) -> Attestation {
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
    let mut budget = Budget::for_bytes(source.len());
    let bodies = attestation.read(source, 0, Text::Program, &mut budget);
    for body in bodies {
        if attestation.gaps.is_empty() && may_expand(body.of(source)) {
            // The newline before it and the first byte of the delimiter's line stand for quotes around it.
            let quoted = Span::new(body.start.saturating_sub(1), body.end + 1);
            attestation.read(quoted.of(source), quoted.start, Text::Body, &mut budget);
        }
    }
    attestation.footprint.sort();
    attestation.gaps.sort_by_key(|gap| gap.span);
    attestation
}

impl Attestation {
    /// Adds what is found in `source`, which starts at `base`; returns the bodies that are still to be read.
    fn read(&mut self, source: &str, base: usize, text: Text, budget: &mut Budget) -> Vec<Span> {
        let masked = mask(source, text);
        let Some(tree) = parse(&masked, budget) else {
            self.gaps.push(gap(GapCode::TooMuchWork, Span::new(base, base + source.len())));
            return vec![];
        };
        if tree.root_node().has_error() {
            self.gaps.extend(errors(&tree).map(|span| gap(GapCode::TreeError, shifted(span, base))));
            return vec![];
        }
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
        walk.bodies
    }
}

/// The work that parsing may cost, as a function of the bytes alone.
#[derive(Debug)]
struct Budget {
    /// How often the parser may still report progress; it does so every hundred steps.
    reports: usize,
}

impl Budget {
    fn for_bytes(bytes: usize) -> Self {
        Self { reports: 64 + bytes / 8 }
    }

    fn spend(&mut self) -> ControlFlow<()> {
        match self.reports.checked_sub(1) {
            Some(left) => {
                self.reports = left;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        }
    }
}

fn parse(masked: &Masked, budget: &mut Budget) -> Option<Tree> {
    // A parser of its own for each text: the grammar's scanner keeps state from one parse to the next.
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).ok()?;
    let mut progress = |_: &ParseState| budget.spend();
    let options = ParseOptions::new().progress_callback(&mut progress);
    let text = masked.text.as_slice();
    parser.parse_with_options(&mut |at, _| text.get(at..).unwrap_or_default(), None, Some(options))
}

/// The places of the first errors of a tree.
fn errors(tree: &Tree) -> impl Iterator<Item = Span> {
    let mut cursor = tree.walk();
    let mut spans = vec![];
    'tree: loop {
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
                break 'tree;
            }
        }
    }
    spans.into_iter()
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
