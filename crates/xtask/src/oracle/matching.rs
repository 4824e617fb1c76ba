//! Whether a command that bash executed is one of the units of a program.

use std::collections::HashSet;

use innercmd_bash_units::{BashCommand, BashProgram, HoleKind, Part, Word};
use regex::bytes::Regex;

use super::reading::Walked;

/// Between two words; no argument of a program holds it.
const SEPARATOR: char = '\0';

/// The units of a program, prepared to be compared with what bash executed.
pub(super) struct Units {
    /// The units without holes, each word followed by the separator.
    literal: HashSet<String>,
    /// The units with holes.
    patterns: Vec<Regex>,
    /// The words of all units as written, blanks made equal.
    written: Vec<Vec<String>>,
}

impl Units {
    /// Prepares the units of `program`.
    pub(super) fn of(program: &BashProgram) -> Self {
        let mut units = Self { literal: HashSet::new(), patterns: Vec::new(), written: Vec::new() };
        for unit in program.commands() {
            units.written.push(written(unit, program.source()));
            match literal(&unit.words) {
                Some(words) => {
                    units.literal.insert(words);
                }
                None => units.add(&pattern(&unit.words, program.source())),
            }
            for skipped in 1..=forwarded(unit) {
                units.add(&pattern(unit.words.get(skipped..).unwrap_or_default(), program.source()));
                if renames(unit) {
                    let rest = unit.words.get(skipped + 1..).unwrap_or_default();
                    units.add(&format!("[^\\x00]*\\x00{}", pattern(rest, program.source())));
                }
            }
        }
        units
    }

    /// Adds a pattern; one that is too large matches nothing, and its command shows up as hidden.
    fn add(&mut self, pattern: &str) {
        self.patterns.extend(Regex::new(&format!("(?s-u)^(?:{pattern})$")));
    }

    /// Whether a unit can have become `argv`.
    pub(super) fn lists(&self, argv: &[String]) -> bool {
        let joined = joined(argv.iter().map(String::as_str));
        self.literal.contains(&joined) || self.patterns.iter().any(|pattern| pattern.is_match(joined.as_bytes()))
    }

    /// Whether a unit is the command that the walker met, by its expanded words or by what is written.
    pub(super) fn list_walked(&self, command: &Walked) -> bool {
        // Words that expanded to nothing execute nothing.
        command.argv.as_ref().is_some_and(|argv| argv.is_empty() || self.lists(argv)) || self.are_written(command)
    }

    fn are_written(&self, command: &Walked) -> bool {
        let words = command.words.get(command.assignments..).unwrap_or_default();
        let is_same = |(written, word): (&String, &String)| {
            // `$'…'` in an operand is printed as the text that it means.
            is_printed_anew(word) || written.contains("$'") || *written == squeeze(word)
        };
        self.written.iter().any(|unit| {
            unit.len() == words.len() && unit.iter().zip(words).all(is_same)
                || unit.concat() == squeeze(&words.concat())
        })
    }
}

/// The words of `unit` as written; several that one word became count once.
fn written(unit: &BashCommand, source: &str) -> Vec<String> {
    let mut spans: Vec<_> = unit.words.iter().map(|word| word.span).collect();
    spans.dedup();
    spans.iter().map(|span| squeeze(span.of(source))).collect()
}

/// Whether bash prints a part of `text` anew, so that its characters say little: the commands of a substitution.
pub(super) fn is_printed_anew(text: &str) -> bool {
    ["$(", "<(", ">("].iter().any(|opener| text.contains(opener))
}

/// How many words at most stand before the program that `unit` starts for its arguments: bash runs the unit and that
/// program, but a unit speaks for both.
fn forwarded(unit: &BashCommand) -> usize {
    let program = unit.words.first().and_then(Word::literal);
    let forwards = program.is_some_and(|program| ["exec", "command", "builtin"].contains(&&*program));
    if forwards { unit.words.len().saturating_sub(1).min(8) } else { 0 }
}

/// Whether `unit` is an `exec` that gives its program another name as `$0`.
fn renames(unit: &BashCommand) -> bool {
    let is_naming = |word: &Word| word.literal().is_some_and(|word| word.starts_with('-') && word.contains(['a', 'l']));
    unit.text.starts_with("exec") && unit.words.iter().skip(1).take(4).any(is_naming)
}

fn literal(words: &[Word]) -> Option<String> {
    let words: Option<Vec<_>> = words.iter().map(Word::literal).collect();
    words.map(|words| joined(words.iter().map(AsRef::as_ref)))
}

fn joined<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.flat_map(|word| word.chars().chain([SEPARATOR])).collect()
}

/// `text` without blanks, continuations and the `$` of `$"…"`, which bash prints anew.
pub(super) fn squeeze(text: &str) -> String {
    text.replace("\\\n", "").replace("$\"", "\"").split_whitespace().collect()
}

/// A pattern for every list of arguments that `words` can become.
fn pattern(words: &[Word], source: &str) -> String {
    let pattern = |word: &Word| {
        if let Some(name) = compound_assignment(word, source) {
            return format!("{}(?:=.*)?\\x00", bytes(name));
        }
        let parts: String = word.parts.iter().map(part).collect();
        if can_vanish(word) { format!("(?:{parts}\\x00)?") } else { format!("{parts}\\x00") }
    };
    words.iter().map(pattern).collect()
}

/// The name in `NAME=(…)`, an argument of `declare` and its kind: bash assigns the list and passes the name alone.
fn compound_assignment<'w>(word: &'w Word, source: &str) -> Option<&'w str> {
    match word.parts.as_slice() {
        [Part::Literal { text, .. }, Part::Hole { span, .. }] if span.of(source).starts_with('(') => {
            text.strip_suffix('=').map(|name| name.strip_suffix('+').unwrap_or(name))
        }
        _ => None,
    }
}

fn part(part: &Part) -> String {
    match part {
        Part::Literal { text, .. } => bytes(text),
        Part::Hole { kind, quoted: true, .. } if !is_list(kind) => "[^\\x00]*".to_owned(),
        Part::Hole { .. } => ".*".to_owned(),
    }
}

/// A pattern for exactly the bytes of `text`, where no byte has a special meaning.
fn bytes(text: &str) -> String {
    text.bytes().map(|byte| format!("\\x{byte:02x}")).collect()
}

/// Whether an expansion can give several words even in double quotes: `"$@"`, `"${a[@]}"`.
fn is_list(kind: &HoleKind) -> bool {
    match kind {
        HoleKind::Parameter(name) => name == "@",
        HoleKind::Expansion => true,
        HoleKind::CommandSubstitution
        | HoleKind::ProcessSubstitution
        | HoleKind::Arithmetic
        | HoleKind::Glob
        | HoleKind::Tilde(_)
        | HoleKind::Brace => false,
    }
}

/// Whether nothing may be left of `word`: all of it can be empty, and either no quotes keep it as an empty word or a list
/// stands among them, which takes the word with it (`"$x$@"`).
fn can_vanish(word: &Word) -> bool {
    let empty = |part: &Part| !matches!(part, Part::Literal { text, .. } if !text.is_empty());
    let list = |part: &Part| matches!(part, Part::Hole { kind, quoted: true, .. } if is_list(kind));
    let unquoted = |part: &Part| matches!(part, Part::Literal { quoted: false, .. } | Part::Hole { quoted: false, .. });
    word.parts.iter().all(empty) && (word.parts.iter().any(list) || word.parts.iter().all(unquoted))
}

#[cfg(test)]
mod tests {
    use innercmd_bash_units::Span;
    use rstest::rstest;

    use super::*;

    fn known(text: &str) -> Part {
        Part::Literal { text: text.to_owned(), quoted: false }
    }

    fn hole(kind: HoleKind, quoted: bool) -> Part {
        Part::Hole { kind, span: Span::new(0, 0), quoted }
    }

    #[track_caller]
    fn check(words: &[Vec<Part>], argv: &[&str], expected: bool) {
        let words: Vec<Word> = words.iter().map(|parts| Word { span: Span::new(0, 0), parts: parts.clone() }).collect();
        let pattern = Regex::new(&format!("(?s-u)^{}$", pattern(&words, ""))).unwrap();
        assert_eq!(pattern.is_match(joined(argv.iter().copied()).as_bytes()), expected, "{pattern} on {argv:?}");
    }

    #[rstest]
    #[case::same(&["rm", "ab"], true)]
    #[case::several(&["rm", "a", "b"], true)]
    #[case::other_prefix(&["rm", "bb"], false)]
    #[case::other_program(&["ls", "ab"], false)]
    #[case::more(&["rm"], false)]
    fn an_unquoted_hole_stands_for_any_words_around_what_is_known(#[case] argv: &[&str], #[case] expected: bool) {
        check(&[vec![known("rm")], vec![known("a"), hole(HoleKind::Parameter("x".into()), false)]], argv, expected);
    }

    #[rstest]
    #[case::one(&["rm", "a b"], true)]
    #[case::empty(&["rm", ""], true)]
    #[case::two(&["rm", "a", "b"], false)]
    #[case::none(&["rm"], false)]
    fn a_quoted_hole_stands_for_one_word(#[case] argv: &[&str], #[case] expected: bool) {
        check(&[vec![known("rm")], vec![hole(HoleKind::CommandSubstitution, true)]], argv, expected);
    }

    #[rstest]
    #[case::none(&["rm"], true)]
    #[case::two(&["rm", "a", "b"], true)]
    fn a_quoted_list_stands_for_any_words(#[case] argv: &[&str], #[case] expected: bool) {
        check(&[vec![known("rm")], vec![hole(HoleKind::Parameter("@".into()), true)]], argv, expected);
    }

    #[rstest]
    #[case::none(&["rm"], true)]
    #[case::one(&["rm", "a"], true)]
    fn a_list_takes_the_empty_word_around_it_with_it(#[case] argv: &[&str], #[case] expected: bool) {
        let word = vec![hole(HoleKind::CommandSubstitution, true), hole(HoleKind::Parameter("@".into()), true)];
        check(&[vec![known("rm")], word], argv, expected);
    }

    #[test]
    fn characters_of_a_word_have_no_meaning_in_its_pattern() {
        check(&[vec![known("a.c*"), hole(HoleKind::Arithmetic, true)]], &["a.c*1"], true);
        check(&[vec![known("a.c*"), hole(HoleKind::Arithmetic, true)]], &["abcc1"], false);
    }
}
