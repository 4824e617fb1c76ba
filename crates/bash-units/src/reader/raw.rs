//! A crude scan of text that could not be read: whatever may be a command becomes a unit, so that deny rules still reach it.
//!
//! A program with such units always has a gap, so nothing here can turn into an allow.

use std::collections::HashSet;

use super::Reading;
use crate::{BashCommand, Context, Joined, Part, ScopeId, Span, Word};

/// How many distinct candidates are listed at most.
const MOST_CANDIDATES: usize = 100_000;

/// Words that stand before a command.
const PREFIXES: [&str; 13] =
    ["!", "{", "if", "then", "elif", "else", "while", "until", "do", "time", "coproc", "function", "in"];

/// Lists the candidates in `span` of `source`, each distinct text once.
pub(super) fn scan(source: &str, span: Span, out: &mut Reading) {
    let mut seen = HashSet::new();
    let bytes = source.as_bytes();
    let mut start = span.start;
    for at in span.start..=span.end {
        let ends = at == span.end
            || bytes
                .get(at)
                .is_some_and(|byte| matches!(byte, b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'`' | b'<' | b'>'));
        if !ends {
            continue;
        }
        candidate(source, Span::new(start, at), &mut seen, out);
        start = at + 1;
        if seen.len() >= MOST_CANDIDATES {
            return;
        }
    }
}

/// Lists what aliases stand for, where the text makes bash expand them.
pub(super) fn scan_aliases(source: &str, out: &mut Reading) {
    let literal = |unit: &BashCommand, index: usize| {
        unit.words.get(index).and_then(Word::literal).map(std::borrow::Cow::into_owned)
    };
    let says = |unit: &BashCommand, text: &str| {
        (1..unit.words.len()).any(|index| literal(unit, index).as_deref() == Some(text))
    };
    let expands = |unit: &BashCommand| literal(unit, 0).as_deref() == Some("shopt") && says(unit, "expand_aliases");
    if !out.commands.iter().any(expands) {
        return;
    }
    let values: Vec<Span> = out
        .commands
        .iter()
        .filter(|unit| literal(unit, 0).as_deref() == Some("alias"))
        .flat_map(|unit| unit.words.iter().skip(1))
        .filter_map(|word| word.span.of(source).find('=').map(|at| Span::new(word.span.start + at + 1, word.span.end)))
        .collect();
    for value in values {
        scan(source, value, out);
    }
}

fn candidate<'s>(source: &'s str, span: Span, seen: &mut HashSet<&'s str>, out: &mut Reading) {
    let words = words(source, span);
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return };
    let whole = Span::new(first.span.start, last.span.end);
    let text = whole.of(source);
    if !seen.insert(text) {
        return;
    }
    out.commands.push(BashCommand {
        text: text.to_owned(),
        span: whole,
        words,
        assignments: Vec::new(),
        redirects: Vec::new(),
        context: Context::TopLevel,
        scope: ScopeId(0),
        joined: Joined::Always,
        detached: false,
    });
}

/// The words between blanks, quotes and backslashes removed, without assignments and reserved words before the program.
fn words(source: &str, span: Span) -> Vec<Word> {
    let mut words = Vec::new();
    let mut at = span.start;
    for piece in span.of(source).split([' ', '\t']) {
        let here = Span::new(at, at + piece.len());
        at = here.end + 1;
        let text: String = piece.chars().filter(|character| !matches!(character, '\'' | '"' | '\\')).collect();
        let leads = words.is_empty()
            && (PREFIXES.contains(&text.as_str()) || text.split_once('=').is_some_and(|(name, _)| is_name(name)));
        if !text.is_empty() && !leads {
            words.push(Word { span: here, parts: vec![Part::Literal { text, quoted: false }] });
        }
    }
    words
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(super::text::continues_name)
}
