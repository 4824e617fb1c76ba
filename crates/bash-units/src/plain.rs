//! The second reading of plain text: what needs no syntax tree, because anyone can see where its words and commands end.
//!
//! The plain alphabet holds
//! - bare bytes: ASCII letters, digits and `- _ / . , : = + @ % ^`, which mean themselves wherever a word can stand;
//! - quoted text, anywhere in a word: `'…'` (POSIX Shell Command Language 2.2.2: up to the next single quote), and `"…"` without
//!   `$`, a backquote or a backslash, the only bytes that mean something in it (2.2.3); printable ASCII, tabs and newlines;
//! - blanks, and the separators newline, `;`, `&`, `&&`, `||`, `|`, each behind a command, newlines also elsewhere;
//! - `2>&1` as a token on its own, the redirection that names no file.
//!
//! No first word of a command may be a reserved word or hold `=`. So nothing opens a compound command, a substitution, a
//! comment, a here-document, an array or an assignment; no byte joins lines or hides; and a word ends at the first unquoted
//! blank or operator, by the rules for token recognition (2.3) that need no grammar.
//!
//! Left out though they might be proven as well: braces, patterns, tildes and `$`, whose words are more than they seem; `!` and `#`,
//! which depend on where they stand; bytes that are not ASCII, which a locale gives meaning to.
//!
//! It shares no code with the reader nor with the walk over the tree.

use std::slice::Iter;

use crate::reader::Reading;
use crate::{BashCommand, Redirect, RedirectKind, Span, Word};

/// Words that open, continue or close a compound command or a pipeline where a command may begin (bash manual 3.2.1).
const RESERVED: [&str; 17] = [
    "if", "then", "elif", "else", "fi", "time", "for", "in", "until", "while", "do", "done", "case", "esac", "coproc",
    "select", "function",
];

/// Standard error to where standard output goes.
const JOINED_OUTPUT: &[u8] = b"2>&1";

/// Whether `source` is plain, and `reading` found in it what is there: those commands, those words, and nothing else.
///
/// INVARIANT: where this is true, the walk over the tree would find the same; see the property tests below.
pub(crate) fn attests(source: &str, reading: &Reading) -> bool {
    let only_units = reading.loose_assignments.is_empty()
        && reading.loose_redirects.is_empty()
        && reading.embedded.is_empty()
        && reading.scopes.len() == 1;
    only_units && Plain::new(source, &reading.commands).run().is_some()
}

/// A reading from left to right that meets each unit, word and redirection of the other reading on its way.
struct Plain<'r> {
    source: &'r str,
    bytes: &'r [u8],
    at: usize,
    last: Last,
    units: Iter<'r, BashCommand>,
    words: Iter<'r, Word>,
    redirects: Iter<'r, Redirect>,
}

/// What was read last, blanks aside.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// Nothing, or what ends a command.
    End,
    /// An operator that a command must follow.
    Operator,
    /// A word of a command.
    Word,
}

/// The text is not plain, or the other reading is another one.
type Doubt<T> = Option<T>;

impl<'r> Plain<'r> {
    fn new(source: &'r str, units: &'r [BashCommand]) -> Self {
        let (words, redirects) = ([].iter(), [].iter());
        Self { source, bytes: source.as_bytes(), at: 0, last: Last::End, units: units.iter(), words, redirects }
    }

    fn run(mut self) -> Doubt<()> {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b' ' | b'\t' => self.at += 1,
                b'\n' => {
                    if self.last == Last::Word {
                        self.end_command(Last::End)?;
                    }
                    self.at += 1;
                }
                b';' | b'&' | b'|' => self.operator(byte)?,
                _ if self.rest().starts_with(JOINED_OUTPUT) => self.joined_output()?,
                _ => self.word()?,
            }
        }
        match self.last {
            Last::Word => self.end_command(Last::End)?,
            Last::Operator => return None,
            Last::End => {}
        }
        self.units.next().is_none().then_some(())
    }

    fn operator(&mut self, byte: u8) -> Doubt<()> {
        // Without a command before it, an operator is an error, or the rest of another operator.
        if self.last != Last::Word {
            return None;
        }
        let doubled = byte != b';' && self.bytes.get(self.at + 1) == Some(&byte);
        let asks_for_more = doubled || byte == b'|';
        self.end_command(if asks_for_more { Last::Operator } else { Last::End })?;
        self.at += if doubled { 2 } else { 1 };
        // `;;`, `;&`, `|&`, `&>` and their kin are other operators.
        (!matches!(self.bytes.get(self.at), Some(b';' | b'&' | b'|' | b'>'))).then_some(())
    }

    fn end_command(&mut self, last: Last) -> Doubt<()> {
        self.last = last;
        (self.words.next().is_none() && self.redirects.next().is_none()).then_some(())
    }

    fn joined_output(&mut self) -> Doubt<()> {
        let span = Span::new(self.at, self.at + JOINED_OUTPUT.len());
        let target = Span::new(span.end - 1, span.end);
        self.at = span.end;
        let ends = self.bytes.get(self.at).is_none_or(|&byte| is_delimiter(byte));
        let redirect = self.redirects.next()?;
        let same = redirect.span == span
            && redirect.target.span == target
            && redirect.kind == RedirectKind::DuplicateOutput
            && redirect.heredoc.is_none();
        (self.last == Last::Word && ends && same).then_some(())
    }

    fn word(&mut self) -> Doubt<()> {
        let start = self.at;
        self.skip_word()?;
        let span = Span::new(start, self.at);
        if self.last != Last::Word {
            self.begin_command(span)?;
        }
        (self.words.next()?.span == span).then_some(())
    }

    fn begin_command(&mut self, program: Span) -> Doubt<()> {
        self.last = Last::Word;
        let unit = self.units.next()?;
        (self.words, self.redirects) = (unit.words.iter(), unit.redirects.iter());
        let name = program.of(self.source);
        (unit.assignments.is_empty() && !name.contains('=') && !RESERVED.contains(&name)).then_some(())
    }

    /// Moves behind the word, at least one byte of which stands at the position.
    fn skip_word(&mut self) -> Doubt<()> {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\'' => self.skip_quoted(byte, |_| true)?,
                b'"' => self.skip_quoted(byte, |byte| !matches!(byte, b'$' | b'`' | b'\\'))?,
                _ if is_bare(byte) => self.at += 1,
                _ if is_delimiter(byte) => break,
                _ => return None,
            }
        }
        Some(())
    }

    fn skip_quoted(&mut self, quote: u8, means_itself: impl Fn(u8) -> bool) -> Doubt<()> {
        self.at += 1;
        let length = self.rest().iter().position(|&byte| byte == quote)?;
        let quoted = self.rest().get(..length)?;
        self.at += length + 1;
        quoted.iter().all(|&byte| is_visible(byte) && means_itself(byte)).then_some(())
    }

    fn rest(&self) -> &'r [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }
}

const fn is_bare(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'-' | b'_' | b'/' | b'.' | b',' | b':' | b'=' | b'+' | b'@' | b'%' | b'^')
}

const fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|')
}

const fn is_visible(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\t' | b'\n')
}

#[cfg(test)]
mod tests {
    use innercmd_bash_gen::plain;
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;
    use crate::footprint::Footprint;
    use crate::{GapCode, Limits, reader, tree};

    #[track_caller]
    fn check(source: &str, expected: bool) {
        let reading = reader::read(source, &Limits::default());
        assert_eq!(attests(source, &reading), expected, "{source:?}");
        assert!(!expected || attested_by_the_tree(source, &reading), "{source:?}");
    }

    /// What the fast path skips would have found the same; whether without an error of the grammar.
    #[track_caller]
    fn attested_by_the_tree(source: &str, reading: &Reading) -> bool {
        let attestation = tree::attest(source, &reading.embedded, &Limits::default());
        if attestation.gaps.iter().any(|gap| gap.code == GapCode::TreeError) {
            return false;
        }
        assert_eq!(attestation.gaps, [], "{source:?}");
        assert_eq!(attestation.footprint, Footprint::of(source, reading), "{source:?}");
        true
    }

    #[test]
    fn the_grammar_parses_nearly_all_plain_text() {
        let parses = |seed: &u64| {
            let text = plain(*seed, 8).text;
            attested_by_the_tree(&text, &reader::read(&text, &Limits::default()))
        };
        assert!((0..2000).filter(parses).count() > 1990);
    }

    #[rstest]
    #[case::words("git status -sb", true)]
    #[case::nothing(" \n\t", true)]
    #[case::separators("a; b & c && d || e | f\ng", true)]
    #[case::glued("a;b&c&&d||e|f", true)]
    #[case::newlines("\n\na &&\n\n b |\nc;\nd\n", true)]
    #[case::assignments_behind_the_program("a --x=1 y=2 =", true)]
    #[case::reserved_words_behind_the_program("grep for if done", true)]
    #[case::quotes("a 'b c' d\"e;f\"'g' ''", true)]
    #[case::quoted_program("'a' b; \"if\"", true)]
    #[case::quoted_operators("a '; b | c' \"&& d\ne\"", true)]
    #[case::joined_output("a 2>&1 b; c 2>&1 | d 2>&1", true)]
    #[case::jobs("%1; a -; @ ^ :", true)]
    #[case::assignment("x=1", false)]
    #[case::assignment_before("x=1 a", false)]
    #[case::quoted_assignment("'x=1' a", false)]
    #[case::reserved("if a", false)]
    #[case::reserved_behind("a; time b", false)]
    #[case::pipe_both("a |& b", false)]
    #[case::case_end("a ;; b", false)]
    #[case::no_command(";", false)]
    #[case::open_list("a &&", false)]
    #[case::comment("a # b", false)]
    #[case::negation("! a", false)]
    #[case::expansion("a $x", false)]
    #[case::quoted_expansion("a \"$x\"", false)]
    #[case::backquotes("a \"`b`\"", false)]
    #[case::escape("a \\b", false)]
    #[case::quoted_escape("a \"\\$\"", false)]
    #[case::open_quotes("a 'b", false)]
    #[case::brace("a {b,c}", false)]
    #[case::pattern("a *", false)]
    #[case::tilde("a ~", false)]
    #[case::subshell("(a)", false)]
    #[case::other_redirections("a 2>&1x", false)]
    #[case::redirection_to_a_file("a >b", false)]
    #[case::redirection_first("2>&1 a", false)]
    #[case::redirection_alone("2>&1", false)]
    #[case::glued_redirection("a2>&1", false)]
    #[case::both_to_a_file("a &>b", false)]
    #[case::carriage_return("a\r\nb", false)]
    #[case::quoted_control("a '\u{1}'", false)]
    #[case::quoted_letter("a 'é'", false)]
    #[case::trap("trap 'a' EXIT", false)]
    fn plain_is_what_needs_no_tree(#[case] source: &str, #[case] expected: bool) {
        check(source, expected);
    }

    #[rstest]
    #[case::a_unit_less(|reading: &mut Reading| drop(reading.commands.pop()))]
    #[case::a_unit_more(|reading: &mut Reading| reading.commands.push(reading.commands[0].clone()))]
    #[case::a_word_less(|reading: &mut Reading| drop(reading.commands[0].words.pop()))]
    #[case::a_longer_word(|reading: &mut Reading| reading.commands[1].words[0].span.end += 1)]
    #[case::a_redirection_less(|reading: &mut Reading| drop(reading.commands[1].redirects.pop()))]
    #[case::another_redirection(|reading: &mut Reading| reading.commands[1].redirects[0].kind = RedirectKind::Output)]
    #[case::an_assignment(|reading: &mut Reading| {
        let other = reader::read("x=1", &Limits::default());
        reading.commands[0].assignments = other.loose_assignments;
    })]
    #[case::a_scope(|reading: &mut Reading| reading.scopes.push(reading.scopes[0].clone()))]
    fn another_reading_is_not_attested(#[case] change: fn(&mut Reading)) {
        let source = "a b; c 2>&1";
        let mut reading = reader::read(source, &Limits::default());
        assert!(attests(source, &reading));
        change(&mut reading);
        assert!(!attests(source, &reading));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_reader_the_tree_and_the_intention_agree_on_plain_text(seed in any::<u64>()) {
            let generated = plain(seed, 12);
            let reading = reader::read(&generated.text, &Limits::default());
            prop_assert!(reading.gaps.is_empty() && attests(&generated.text, &reading), "{:?}", generated.text);
            attested_by_the_tree(&generated.text, &reading);
            let literal = |word: &Word| word.literal().map(std::borrow::Cow::into_owned);
            let units: Vec<Vec<_>> = reading.commands.iter().map(|unit| unit.words.iter().map(literal).collect()).collect();
            prop_assert_eq!(units, generated.commands, "{:?}", generated.text);
        }

        /// Also for text that nobody would write.
        #[test]
        fn what_is_attested_is_attested_by_the_tree(text in "([ab=/.2 \t\n;&|'\"-]|2>&1| if | time |a=| \n){0,24}") {
            let reading = reader::read(&text, &Limits::default());
            if reading.gaps.is_empty() && attests(&text, &reading) {
                attested_by_the_tree(&text, &reading);
            }
        }
    }
}
