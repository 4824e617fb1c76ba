//! The second reading: a syntax tree of tree-sitter-bash, walked and accounted for byte by byte.
//!
//! It shares no code with the reader that makes the model. Where the grammar is known to misread Bash, the text is
//! masked before it is parsed ([`mask`](mask())); the walk proves each mask from the bytes. What it finds is compared with the
//! model; what it cannot account for is a gap.

mod chars;
mod heredoc;
mod mask;
mod guess;
mod parse;
mod kind;
mod walk;
mod frame;
mod shell;
mod enclosed;
mod tokens;
mod words;
mod scan;

use tree_sitter::Tree;

use self::mask::{Text, mask};
use self::parse::{Budget, Stopped, parse};
use self::walk::Walk;
use crate::footprint::Footprint;
use crate::{Gap, GapCode, Limits, Span};

/// The longest text that a tree is made of, in bytes: the longest argument that Linux passes to a program (`MAX_ARG_STRLEN`), so
/// that nobody can run more by `bash -c`.
pub(crate) const MOST_BYTES: usize = 128 * 1024;

/// What the syntax tree says about a text.
#[derive(Debug)]
pub(crate) struct Attestation {
    /// What it found. Without gaps it is everything that is there.
    pub(crate) footprint: Footprint,
    /// What it could not account for, in source order.
    pub(crate) gaps: Vec<Gap>,
    /// The tree, where nothing of the text had to be masked.
    pub(crate) tree: Option<Tree>,
}

/// Reads `source` with the syntax tree, and the texts at `embedded`, which are programs in it of their own.
pub(crate) fn attest(source: &str, embedded: &[Span], limits: &Limits) -> Attestation {
    let whole = Span::new(0, source.len());
    let mut attestation = Attestation { footprint: Footprint::default(), gaps: vec![], tree: None };
    if source.len() > limits.bytes {
        attestation.gaps.push(gap(GapCode::InputTooLong, whole));
        return attestation;
    }
    if source.len() > MOST_BYTES {
        attestation.gaps.push(gap(GapCode::TooMuchWork, whole));
        return attestation;
    }
    if let Some(nul) = source.find('\0') {
        // Bash drops it, inside quotes and out.
        attestation.gaps.push(gap(GapCode::ControlCharacter, Span::new(nul, nul + 1)));
        return attestation;
    }
    let budget = Budget::for_bytes(source.len());
    let Found { mut bodies, tree } = attestation.read(source, 0, Text::Program, &budget);
    attestation.tree = tree;
    for program in embedded {
        bodies.extend(attestation.read(program.of(source), program.start, Text::Program, &budget).bodies);
    }
    // A body that is left over from another is a proper part of it, so that this ends.
    while let Some(body) = bodies.pop() {
        if attestation.gaps.is_empty() && may_expand(body.of(source)) {
            // The bytes around it, which belong to what it stands in, stand for quotes.
            let quoted = Span::new(body.start.saturating_sub(1), body.end + 1);
            bodies.extend(attestation.read(quoted.of(source), quoted.start, Text::Body, &budget).bodies);
        }
    }
    attestation.footprint.sort();
    attestation.gaps.sort_by_key(|gap| gap.span);
    attestation
}

/// What reading one text leaves beside what it adds.
#[derive(Default)]
struct Found {
    /// The bodies that are still to be read.
    bodies: Vec<Span>,
    /// The tree, where it is that of the text as it is.
    tree: Option<Tree>,
}

impl Attestation {
    /// Adds what is found in `source`, which starts at `base`.
    fn read(&mut self, source: &str, base: usize, text: Text, budget: &Budget) -> Found {
        let masked = mask(source, text);
        let tree = match parse(&masked, budget) {
            Ok(tree) => tree,
            Err(Stopped::Error(spans)) => {
                self.gaps.extend(spans.into_iter().map(|span| gap(GapCode::TreeError, shifted(span, base))));
                return Found::default();
            }
            Err(Stopped::TooMuchWork) => {
                self.gaps.push(gap(GapCode::TooMuchWork, Span::new(base, base + source.len())));
                return Found::default();
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
        let bodies = walk.bodies.into_iter().map(|body| shifted(body, base)).collect();
        Found { bodies, tree: masked.masks.is_empty().then_some(tree) }
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

#[cfg(test)]
mod tests;
