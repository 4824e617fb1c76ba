//! What one reading of a text found, in the form in which two readings are compared.

use crate::reader::Reading;
use crate::{Assignment, BashCommand, Redirect, Span};

/// What one reading of a text found, by position alone.
///
/// INVARIANT: every list is sorted by the start of its spans, whoever made it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Footprint {
    /// For each simple command the spans of its words as typed, program first, without assignments and redirections.
    pub(crate) commands: Vec<Vec<Span>>,
    /// The assignments before a program or without one, from the name to the end of the value.
    pub(crate) assignments: Vec<Span>,
    /// The target words of redirections, the delimiters of here-documents among them.
    pub(crate) redirects: Vec<Span>,
    /// The bodies of here-documents, up to the line of the delimiter, and whether the delimiter is quoted.
    pub(crate) heredocs: Vec<(Span, bool)>,
}

impl Footprint {
    /// The footprint of what the reader found.
    pub(crate) fn of(reading: &Reading) -> Self {
        let commands = &reading.commands;
        let assignments = commands.iter().flat_map(|unit| &unit.assignments).chain(&reading.loose_assignments);
        let redirects = commands.iter().flat_map(|unit| &unit.redirects).chain(&reading.loose_redirects);
        let mut footprint = Self {
            commands: commands.iter().map(words_as_typed).collect(),
            assignments: assignments.map(|assignment: &Assignment| assignment.span).collect(),
            redirects: redirects.clone().map(|redirect| redirect.target.span).collect(),
            heredocs: redirects.filter_map(body).collect(),
        };
        footprint.sort();
        footprint
    }

    /// Brings every list into source order.
    pub(crate) fn sort(&mut self) {
        self.commands.sort_unstable();
        self.assignments.sort_unstable();
        self.redirects.sort_unstable();
        self.heredocs.sort_unstable();
    }
}

/// The places at which two readings do not find the same things, in source order; none where they agree.
pub(crate) fn disagreements(one: &Footprint, other: &Footprint) -> Vec<Span> {
    let mut spans = Vec::new();
    spans.extend(unmatched(&one.commands, &other.commands).into_iter().map(|words| hull(words)));
    spans.extend(unmatched(&one.assignments, &other.assignments));
    spans.extend(unmatched(&one.redirects, &other.redirects));
    spans.extend(unmatched(&one.heredocs, &other.heredocs).into_iter().map(|&(body, _)| body));
    spans.sort_unstable();
    spans.dedup();
    spans
}

/// The spans of a unit's words; words that brace expansion made of one typed word count once.
fn words_as_typed(unit: &BashCommand) -> Vec<Span> {
    let mut spans: Vec<Span> = unit.words.iter().map(|word| word.span).collect();
    spans.dedup();
    spans
}

fn body(redirect: &Redirect) -> Option<(Span, bool)> {
    redirect.heredoc.map(|heredoc| (heredoc.body, heredoc.quoted))
}

fn hull(words: &[Span]) -> Span {
    let start = words.first().map_or(0, |word| word.start);
    Span::new(start, words.last().map_or(start, |word| word.end))
}

/// What only one of two sorted lists holds, multiplicity included.
fn unmatched<'l, T: Ord>(one: &'l [T], other: &'l [T]) -> Vec<&'l T> {
    let (mut ones, mut others) = (one.iter().peekable(), other.iter().peekable());
    let mut left = Vec::new();
    loop {
        let order = match (ones.peek(), others.peek()) {
            (Some(a), Some(b)) => a.cmp(b),
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (None, None) => return left,
        };
        match order {
            std::cmp::Ordering::Less => left.extend(ones.next()),
            std::cmp::Ordering::Greater => left.extend(others.next()),
            std::cmp::Ordering::Equal => {
                ones.next();
                others.next();
            }
        }
    }
}
