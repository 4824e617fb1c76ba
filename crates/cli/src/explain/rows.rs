//! Breaks the lines of a command that are too long for the page into rows, and keeps account of what went where.

use std::ops::Range;

use innercmd_bash_units::Span;
use unicode_width::UnicodeWidthChar as _;

/// How many columns the renderer gives a tab.
const TAB: usize = 4;
/// A place in more rows than this is framed and not underlined row by row.
const MOST_UNDERLINED: usize = 3;

/// A text in rows of a bounded width.
pub(crate) struct Rows {
    text: String,
    /// Where a row was begun that is no line of its own: byte offsets into the source.
    breaks: Vec<usize>,
    /// For each row the number of its line, where it begins one.
    numbers: Vec<Option<usize>>,
}

impl Rows {
    /// Breaks `source` into rows of at most `width` columns: before one of `starts` where that leaves the row half full, else
    /// behind a blank, else anywhere.
    pub(crate) fn new(source: &str, width: usize, starts: &[usize]) -> Self {
        let mut rows = Self { text: String::with_capacity(source.len()), breaks: vec![], numbers: vec![] };
        let mut offset = 0;
        for (number, line) in source.split_inclusive('\n').enumerate() {
            rows.numbers.push(Some(number.saturating_add(1)));
            rows.line(line, offset, width, starts);
            offset = offset.saturating_add(line.len());
        }
        rows
    }

    /// The rows as one text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// How many rows there are.
    pub(crate) fn count(&self) -> usize {
        self.numbers.len()
    }

    /// Where the characters that `span` touches stand in the text of rows, in pieces that can be underlined.
    pub(crate) fn pieces(&self, span: Span) -> Vec<Range<usize>> {
        let breaks_before = |offset: usize| self.breaks.partition_point(|at| *at <= offset);
        let start = span.start.saturating_add(breaks_before(span.start));
        let end = if span.end > span.start {
            span.end.saturating_add(breaks_before(span.end.saturating_sub(1)))
        } else {
            start
        };
        let whole = whole_characters(start..end, &self.text);
        let mut pieces = vec![];
        let mut at = whole.start;
        for row in self.text.get(whole.clone()).unwrap_or_default().split_inclusive('\n') {
            let shown = row.trim_end_matches(['\n', '\r']);
            let skipped = if pieces.is_empty() { 0 } else { shown.len().saturating_sub(shown.trim_start().len()) };
            let piece = at.saturating_add(skipped)..at.saturating_add(shown.len());
            if !piece.is_empty() {
                pieces.push(piece);
            }
            at = at.saturating_add(row.len());
        }
        if pieces.is_empty() || pieces.len() > MOST_UNDERLINED { vec![whole] } else { pieces }
    }

    /// `rendered` with the numbers of lines in place of the numbers of rows.
    pub(crate) fn renumbered(&self, rendered: &str) -> String {
        if self.breaks.is_empty() {
            return rendered.to_owned();
        }
        rendered.split_inclusive('\n').map(|line| self.renumbered_line(line)).collect()
    }

    fn line(&mut self, line: &str, offset: usize, width: usize, starts: &[usize]) {
        let mut rest = line;
        let mut at = offset;
        while let Some(fits) = overlong(rest, width) {
            let half = at.saturating_add(fits / 2);
            let candidates = starts.partition_point(|start| *start <= at.saturating_add(fits));
            let start = candidates.checked_sub(1).and_then(|place| starts.get(place)).filter(|start| **start >= half);
            let blank = || {
                let head = rest.get(..fits).unwrap_or_default();
                head.rfind([' ', '\t'])
                    .map(|blank| blank.saturating_add(1))
                    .filter(|taken| taken.saturating_mul(3) > fits)
            };
            let taken = start.map(|start| start.saturating_sub(at)).or_else(blank).unwrap_or(fits);
            let Some((head, tail)) = rest.split_at_checked(taken).filter(|(head, _)| !head.is_empty()) else { break };
            self.text.push_str(head);
            self.text.push('\n');
            at = at.saturating_add(head.len());
            self.breaks.push(at);
            self.numbers.push(None);
            rest = tail;
        }
        self.text.push_str(rest);
    }

    fn renumbered_line(&self, line: &str) -> String {
        let Some(digits) = number_in_gutter(line) else { return line.to_owned() };
        let row: Option<usize> = line.get(digits.clone()).and_then(|number| number.parse().ok());
        let number = row.and_then(|row| self.numbers.get(row.checked_sub(1)?).copied()).flatten();
        let number = number.map_or_else(String::new, |number| number.to_string());
        let (before, after) = (line.get(..digits.start), line.get(digits.end..));
        format!("{}{number:<width$}{}", before.unwrap_or_default(), after.unwrap_or_default(), width = digits.len())
    }
}

/// How many bytes of `line` fit into `width` columns, where not all of them do.
fn overlong(line: &str, width: usize) -> Option<usize> {
    let mut columns: usize = 0;
    for (at, character) in line.char_indices() {
        let takes = match character {
            '\t' => TAB,
            '\n' | '\r' => 0,
            other => other.width().unwrap_or(1),
        };
        columns = columns.saturating_add(takes);
        if columns > width && at > 0 {
            return Some(at);
        }
    }
    None
}

/// The place of all characters that `range` touches: a gap may lie within one.
fn whole_characters(range: Range<usize>, text: &str) -> Range<usize> {
    let boundary = |at: &usize| text.is_char_boundary(*at);
    let end = range.end.min(text.len());
    let start = (0..=range.start.min(end)).rev().find(boundary).unwrap_or(0);
    start..(end..=text.len()).find(boundary).unwrap_or(text.len())
}

/// Where the number stands with which a rendered line of source begins.
fn number_in_gutter(line: &str) -> Option<Range<usize>> {
    let start = skip_blanks_and_styles(line, 0);
    let digits = line.get(start..)?.bytes().take_while(u8::is_ascii_digit).count();
    let end = start.saturating_add(digits);
    let bar = skip_blanks_and_styles(line, end);
    (digits > 0 && line.get(bar..)?.starts_with('|')).then_some(start..end)
}

/// Behind the blanks and the sequences `ESC [ … m` that begin at `at`.
fn skip_blanks_and_styles(line: &str, mut at: usize) -> usize {
    while let Some(rest) = line.get(at..) {
        let length = if rest.starts_with(' ') {
            1
        } else if rest.starts_with("\u{1b}[") {
            rest.find('m').map_or(rest.len(), |end| end.saturating_add(1))
        } else {
            break;
        };
        at = at.saturating_add(length);
    }
    at
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::short("git log", 10, &[], "git log")]
    #[case::at_a_blank("git log --oneline", 10, &[], "git log \n--oneline")]
    #[case::before_a_unit("true && git log -n 5", 16, &[0, 8], "true && \ngit log -n 5")]
    #[case::anywhere("abcdefghijkl", 5, &[], "abcde\nfghij\nkl")]
    #[case::each_line("ab cd\nabcdef\n", 5, &[], "ab cd\nabcde\nf\n")]
    #[case::wide("世界世界", 4, &[], "世界\n世界")]
    fn long_lines_are_broken(#[case] text: &str, #[case] width: usize, #[case] starts: &[usize], #[case] rows: &str) {
        assert_eq!(Rows::new(text, width, starts).text(), rows);
    }

    #[test]
    fn a_place_within_a_character_is_widened_to_it() {
        assert_eq!(whole_characters(2..3, "aé世b"), 1..3);
        assert_eq!(whole_characters(1..4, "aé世b"), 1..6);
        assert_eq!(whole_characters(9..12, "aé世b"), 7..7);
    }

    #[test]
    fn rows_that_begin_no_line_have_no_number() {
        let rows = Rows::new("ab cd\nef", 3, &[]);
        assert_eq!(rows.text(), "ab \ncd\nef");
        assert_eq!(
            rows.renumbered("1 | ab\n2 | cd\n\u{1b}[1m3\u{1b}[0m | ef\n"),
            "1 | ab\n  | cd\n\u{1b}[1m2\u{1b}[0m | ef\n"
        );
    }

    proptest! {
        #[test]
        fn pieces_hold_what_the_place_holds(text in "[a-c é世\t\n]{0,60}", width in 2_usize..20, start in 0_usize..60, len in 1_usize..20) {
            let boundary = |at: &usize| text.is_char_boundary(*at);
            let start = (start..=text.len().max(start)).find(boundary).unwrap_or(text.len());
            let end = (start + len..=text.len().max(start + len)).find(boundary).unwrap_or(text.len());
            prop_assume!(start < end);
            let rows = Rows::new(&text, width, &[]);
            let of_rows: String = rows.pieces(Span::new(start, end)).into_iter().map(|piece| rows.text().get(piece).unwrap().to_owned()).collect();
            let letters = |text: &str| text.chars().filter(|letter| !letter.is_whitespace()).collect::<String>();
            prop_assert_eq!(letters(&of_rows), letters(text.get(start..end).unwrap()));
        }
    }
}
