//! What one reading of a text found, in the form in which two readings are compared.

use crate::reader::Reading;
use crate::{AssignedValue, BashCommand, Redirect, Span};

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
    /// The footprint of what the reader found in `source`.
    pub(crate) fn of(source: &str, reading: &Reading) -> Self {
        let commands = &reading.commands;
        let assignments = commands.iter().flat_map(|unit| &unit.assignments).chain(&reading.loose_assignments);
        // What an expansion assigns is part of a word; the other reading does not look into it.
        let assignments = assignments.filter(|assignment| !matches!(assignment.value, AssignedValue::Default(_)));
        let redirects = commands.iter().flat_map(|unit| &unit.redirects).chain(&reading.loose_redirects);
        let typed = |span| without_continuation(source, span);
        let mut footprint = Self {
            commands: commands.iter().map(|unit| words_as_typed(source, unit)).collect(),
            assignments: assignments.map(|assignment| typed(assignment.span)).collect(),
            redirects: redirects.clone().map(|redirect| typed(redirect.target.span)).collect(),
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
fn words_as_typed(source: &str, unit: &BashCommand) -> Vec<Span> {
    let mut spans: Vec<Span> = unit.words.iter().map(|word| without_continuation(source, word.span)).collect();
    spans.dedup();
    spans
}

/// `span` without the escaped newlines at its end, which belong to no word.
fn without_continuation(source: &str, span: Span) -> Span {
    let mut text = span.of(source);
    // A word cannot end in a newline that is not escaped.
    while let Some(rest) = text.strip_suffix("\\\n") {
        text = rest;
    }
    Span::new(span.start, span.start + text.len())
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

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::{Limits, reader};

    fn footprint(source: &str) -> Footprint {
        Footprint::of(source, &reader::read(source, &Limits::default()))
    }

    #[track_caller]
    fn check(source: &str, change: impl FnOnce(&mut Footprint), expected: &[&str]) {
        let one = footprint(source);
        let mut other = one.clone();
        change(&mut other);
        for (one, other) in [(&one, &other), (&other, &one)] {
            let texts: Vec<&str> = disagreements(one, other).into_iter().map(|span| span.of(source)).collect();
            assert_eq!(texts, expected);
        }
    }

    #[test]
    fn equal_readings_do_not_disagree() {
        check("A=1 a >f b; c <<E\n$(d)\nE\n", |_| {}, &[]);
    }

    #[test]
    fn what_one_reading_alone_finds_is_a_disagreement() {
        check("a b; c", |other| other.commands.truncate(1), &["c"]);
        check("A=1; b", |other| other.assignments.clear(), &["A=1"]);
        check("a >f", |other| other.redirects.clear(), &["f"]);
        check("a <<E\nx\nE\n", |other| other.heredocs.clear(), &["x\n"]);
    }

    #[test]
    fn a_command_that_is_found_twice_by_one_reading_is_a_disagreement() {
        check("a; b", |other| other.commands.insert(0, other.commands[0].clone()), &["a"]);
    }

    #[test]
    fn another_word_boundary_is_a_disagreement() {
        check("a b; c", |other| other.commands[0][1].end += 1, &["a b", "a b;"]);
    }

    #[test]
    fn another_quoting_of_a_body_is_a_disagreement() {
        check("a <<E\nx\nE\n", |other| other.heredocs[0].1 = true, &["x\n"]);
    }

    #[rstest]
    #[case("a {b,c} d", &["a", "{b,c}", "d"])]
    #[case("a b\\\n  c", &["a", "b", "c"])]
    #[case("a 'b\\\n'", &["a", "'b\\\n'"])]
    fn words_are_as_typed(#[case] source: &str, #[case] expected: &[&str]) {
        let words = footprint(source).commands.concat();
        assert_eq!(words.into_iter().map(|word| word.of(source)).collect::<Vec<_>>(), expected);
    }
}
