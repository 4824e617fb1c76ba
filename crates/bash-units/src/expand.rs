//! The expansions that need no execution: brace expansion (bash manual 3.5.1), `$'…'` (3.1.2.4), and the split at pattern characters.

use crate::{HoleKind, Part, Span, Word};

/// The most words a brace expansion is written out to.
const MOST_WORDS: usize = 1024;
/// The deepest nesting of braces, and the most braces in one word, that are followed.
const MOST_BRACES: usize = 32;

/// A piece of a word that brace expansion moves around.
#[derive(Clone)]
enum Atom {
    Character(char),
    Opaque(Part),
}

/// Expands the braces of `word` where it has any, and turns its unquoted pattern characters into holes.
pub(crate) fn words(word: Word, braces: bool, patterns: bool) -> Vec<Word> {
    if !braces {
        return vec![if patterns { split_patterns(word) } else { word }];
    }
    let span = word.span;
    let atoms = atoms(&word.parts);
    let count = atoms.iter().filter(|atom| matches!(atom, Atom::Character('{'))).count();
    let expanded = if count > MOST_BRACES || is_skipped(&atoms) { None } else { expand(&atoms, 0) };
    match expanded {
        // Where nothing is left, and no quotes were, bash has no word (bash manual 3.5.7).
        Some(words) => words
            .into_iter()
            .filter(|atoms| !atoms.is_empty())
            .map(|atoms| split_patterns(Word { span, parts: tilde(parts(atoms), span) }))
            .collect(),
        None => vec![Word { span, parts: vec![Part::Hole { kind: HoleKind::Brace, span, quoted: false }] }],
    }
}

/// Whether a brace stands behind `$$`: bash looks for braces before it looks for parameters, and takes `$${a,b}` for a `$` and
/// an expansion `${…}`, in which nothing expands.
fn is_skipped(atoms: &[Atom]) -> bool {
    let is_process = |atom: &Atom| matches!(atom, Atom::Opaque(Part::Hole { kind: HoleKind::Parameter(name), quoted: false, .. }) if name == "$");
    atoms.windows(2).any(|pair| matches!(pair, [behind, Atom::Character('{')] if is_process(behind)))
}

fn atoms(parts: &[Part]) -> Vec<Atom> {
    let mut atoms = Vec::new();
    for part in parts {
        match part {
            Part::Literal { text, quoted: false } => atoms.extend(text.chars().map(Atom::Character)),
            Part::Literal { quoted: true, .. } | Part::Hole { .. } => atoms.push(Atom::Opaque(part.clone())),
        }
    }
    atoms
}

fn parts(atoms: Vec<Atom>) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut named = false;
    for atom in atoms {
        match (atom, parts.last_mut()) {
            // Bash finds the name of a parameter when braces are gone: `$x{a,b}` is `$xa $xb`.
            (
                Atom::Character(character),
                Some(Part::Hole { kind: kind @ HoleKind::Parameter(_), quoted: false, .. }),
            ) if continues_name(character) => {
                *kind = HoleKind::Expansion;
                named = true;
            }
            (Atom::Character(character), Some(Part::Hole { .. })) if named && continues_name(character) => {}

            (Atom::Character(character), Some(Part::Literal { text, quoted: false })) => text.push(character),
            (Atom::Character(character), _) => parts.push(Part::Literal { text: character.to_string(), quoted: false }),
            (Atom::Opaque(part), _) => {
                named = false;
                parts.push(part);
            }
        }
    }
    parts
}

/// Finds the tilde-prefix that braces left at the start of a word: `{~,x}/y` is `~/y x/y`.
fn tilde(parts: Vec<Part>, span: Span) -> Vec<Part> {
    let Some(Part::Literal { text, quoted: false }) = parts.first() else { return parts };
    let Some(behind) = text.strip_prefix('~') else { return parts };
    let (name, rest) = behind.split_at_checked(behind.find('/').unwrap_or(behind.len())).unwrap_or((behind, ""));
    if rest.is_empty() && parts.len() > 1 {
        // A quoted part or a hole belongs to the name, and then there is no prefix.
        return parts;
    }
    let prefix = Part::Hole { kind: HoleKind::Tilde(name.to_owned()), span, quoted: false };
    let rest = (!rest.is_empty()).then(|| Part::Literal { text: rest.to_owned(), quoted: false });
    [prefix].into_iter().chain(rest).chain(parts.into_iter().skip(1)).collect()
}

fn continues_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// All words `atoms` expand to, in bash's order; nothing where there are too many.
fn expand(atoms: &[Atom], depth: usize) -> Option<Vec<Vec<Atom>>> {
    if depth > MOST_BRACES {
        return None;
    }
    let Some((open, close, alternatives)) = first_braces(atoms) else { return Some(vec![atoms.to_vec()]) };
    let prefix = atoms.get(..open).unwrap_or_default();
    let suffixes = expand(atoms.get(close + 1..).unwrap_or_default(), depth + 1)?;
    let mut middles = Vec::new();
    for alternative in alternatives? {
        middles.extend(expand(&alternative, depth + 1)?);
        if middles.len() > MOST_WORDS {
            return None;
        }
    }
    if middles.len().saturating_mul(suffixes.len()) > MOST_WORDS {
        return None;
    }
    let words = middles.iter().flat_map(|middle| suffixes.iter().map(move |suffix| [prefix, middle, suffix].concat()));
    Some(words.collect())
}

/// The first pair of braces that expands, and its alternatives; these are missing where a sequence is too long.
#[expect(clippy::type_complexity, reason = "the alternatives may be too many, which is not the same as no braces")]
fn first_braces(atoms: &[Atom]) -> Option<(usize, usize, Option<Vec<Vec<Atom>>>)> {
    let opens = atoms.iter().enumerate().filter(|(_, atom)| matches!(atom, Atom::Character('{')));
    for (open, _) in opens {
        let mut depth = 0_usize;
        let mut cuts = vec![open];
        for (at, atom) in atoms.iter().enumerate().skip(open + 1) {
            match atom {
                Atom::Character('{') => depth += 1,
                Atom::Character(',') if depth == 0 => cuts.push(at),
                Atom::Character('}') if depth > 0 => depth -= 1,
                Atom::Character('}') => {
                    cuts.push(at);
                    if let Some(alternatives) = alternatives(atoms, &cuts) {
                        return Some((open, at, alternatives));
                    }
                    break;
                }
                Atom::Character(_) | Atom::Opaque(_) => {}
            }
        }
    }
    None
}

/// The alternatives between `cuts`, where there is a comma or a sequence.
#[expect(clippy::option_option, reason = "no braces, and too many words, are two answers")]
fn alternatives(atoms: &[Atom], cuts: &[usize]) -> Option<Option<Vec<Vec<Atom>>>> {
    let pieces: Vec<&[Atom]> = cuts
        .windows(2)
        .map(|pair| match pair {
            [from, to] => atoms.get(from + 1..*to).unwrap_or_default(),
            _ => &[],
        })
        .collect();
    match pieces.as_slice() {
        [] => None,
        [only] => {
            let text: String = only
                .iter()
                .map(|atom| match atom {
                    Atom::Character(character) => Some(*character),
                    Atom::Opaque(_) => None,
                })
                .collect::<Option<_>>()?;
            sequence(&text)
        }
        many => Some(Some(many.iter().map(|piece| piece.to_vec()).collect())),
    }
}

/// The terms of `x..y` or `x..y..step`.
#[expect(clippy::option_option, reason = "no sequence, and one that is too long, are two answers")]
fn sequence(text: &str) -> Option<Option<Vec<Vec<Atom>>>> {
    let mut ends = text.split("..");
    let (from, to, step) = (ends.next()?, ends.next()?, ends.next());
    if ends.next().is_some() {
        return None;
    }
    let step = step.map_or(Some(1), |step| step.parse::<i64>().ok())?.unsigned_abs().max(1);
    let (first, last, letters) = match (from.parse::<i64>(), to.parse::<i64>()) {
        (Ok(first), Ok(last)) => (first, last, false),
        _ => (letter(from)?, letter(to)?, true),
    };
    // Between the cases lie characters that are no letters, a backslash among them.
    let mixed = letters
        && from.bytes().all(|byte| byte.is_ascii_uppercase()) != to.bytes().all(|byte| byte.is_ascii_uppercase());
    if mixed {
        return Some(None);
    }
    if first.abs_diff(last) / step >= MOST_WORDS as u64 {
        return Some(None);
    }
    let padded = |end: &str| end.trim_start_matches('-').starts_with('0') && end.trim_start_matches('-').len() > 1;
    let width = if padded(from) || padded(to) { from.len().max(to.len()) } else { 0 };
    let step = i64::try_from(step).ok()?;
    let mut terms = Vec::new();
    let mut term = first;
    loop {
        let text = if letters { char::from(u8::try_from(term).ok()?).to_string() } else { format!("{term:0width$}") };
        terms.push(text.chars().map(Atom::Character).collect());
        let next = if first <= last { term.checked_add(step) } else { term.checked_sub(step) };
        match next {
            Some(next) if (first <= last && next <= last) || (first > last && next >= last) => term = next,
            _ => return Some(Some(terms)),
        }
    }
}

fn letter(text: &str) -> Option<i64> {
    let mut bytes = text.bytes();
    let letter = bytes.next().filter(u8::is_ascii_alphabetic)?;
    bytes.next().is_none().then_some(i64::from(letter))
}

/// Turns unquoted `*`, `?` and bracket expressions into holes.
fn split_patterns(word: Word) -> Word {
    let span = word.span;
    let mut parts: Vec<Part> = Vec::new();
    let glob = || Part::Hole { kind: HoleKind::Glob, span, quoted: false };
    let last_closing = word.parts.iter().rposition(closes_bracket);
    for (index, part) in word.parts.into_iter().enumerate() {
        let Part::Literal { text, quoted: false } = part else {
            parts.push(part);
            continue;
        };
        let mut literal = String::new();
        let mut characters = text.chars();
        let last_close = text.rfind(']').unwrap_or(0);
        while let Some(character) = characters.next() {
            let pattern = match character {
                '*' | '?' => true,
                '[' if text.len() - characters.as_str().len() <= last_close => {
                    let inside = characters.as_str();
                    characters = inside.find(']').and_then(|close| inside.get(close + 1..)).unwrap_or_default().chars();
                    true
                }
                // The bracket may end behind a quoted part or a hole; then the rest of the word is the pattern.
                '[' if last_closing.is_some_and(|closing| closing > index) => {
                    push_literal(&mut parts, &mut literal);
                    parts.push(glob());
                    return Word { span, parts };
                }
                _ => false,
            };
            if pattern {
                push_literal(&mut parts, &mut literal);
                if !matches!(parts.last(), Some(Part::Hole { kind: HoleKind::Glob, .. })) {
                    parts.push(glob());
                }
            } else {
                literal.push(character);
            }
        }
        push_literal(&mut parts, &mut literal);
    }
    Word { span, parts }
}

fn closes_bracket(part: &Part) -> bool {
    matches!(part, Part::Literal { text, quoted: false } if text.contains(']'))
}

fn push_literal(parts: &mut Vec<Part>, literal: &mut String) {
    if !literal.is_empty() {
        parts.push(Part::Literal { text: std::mem::take(literal), quoted: false });
    }
}

/// How many bytes of `text` stand before the quote that ends `$'…'`.
pub(crate) fn ansi_c_length(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let ends = byte == b'\'' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    })
}

/// The value of `$'…'`; nothing where it is no UTF-8, or where a NUL would cut it.
pub(crate) fn ansi_c(text: &str) -> Option<String> {
    let mut value = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (plain, escape) = rest.split_at_checked(at)?;
        value.extend_from_slice(plain.as_bytes());
        rest = escape_sequence(escape.get(1..)?, &mut value)?;
    }
    value.extend_from_slice(rest.as_bytes());
    if value.contains(&0) { None } else { String::from_utf8(value).ok() }
}

/// Decodes the escape that starts `text`, behind its backslash, and returns what follows it.
fn escape_sequence<'t>(text: &'t str, value: &mut Vec<u8>) -> Option<&'t str> {
    let Some(kind) = text.chars().next() else {
        value.push(b'\\');
        return Some(text);
    };
    let rest = text.get(kind.len_utf8()..)?;
    let byte = match kind {
        'a' => 0x07,
        'b' => 0x08,
        'e' | 'E' => 0x1b,
        'f' => 0x0c,
        'n' => b'\n',
        'r' => b'\r',
        't' => b'\t',
        'v' => 0x0b,
        '\\' | '\'' | '"' | '?' => u8::try_from(u32::from(kind)).ok()?,
        '0'..='7' => {
            let (number, rest) = number(text, 3, 8)?;
            value.push((number & 0xff) as u8);
            return Some(rest);
        }
        'x' => return hexadecimal(rest, 2, kind, value, push_byte),
        'u' => return hexadecimal(rest, 4, kind, value, push_character),
        'U' => return hexadecimal(rest, 8, kind, value, push_character),
        'c' => {
            // Before a backslash or `?` bash has rules of its own.
            let control = rest.chars().next().filter(|control| control.is_ascii() && !matches!(control, '\\' | '?'))?;
            value.push((control.to_ascii_uppercase() as u8) & 0x1f);
            return rest.get(1..);
        }
        _ => {
            value.push(b'\\');
            value.extend_from_slice(kind.encode_utf8(&mut [0; 4]).as_bytes());
            return Some(rest);
        }
    };
    value.push(byte);
    Some(rest)
}

fn hexadecimal<'t>(
    text: &'t str,
    digits: usize,
    kind: char,
    value: &mut Vec<u8>,
    push: impl Fn(u32, &mut Vec<u8>) -> Option<()>,
) -> Option<&'t str> {
    if let Some((number, rest)) = number(text, digits, 16) {
        push(number, value)?;
        return Some(rest);
    }
    // `\x{…}` is undocumented; anything else without digits stands for itself.
    if text.starts_with('{') {
        return None;
    }
    value.push(b'\\');
    value.push(kind as u8);
    Some(text)
}

fn push_byte(number: u32, value: &mut Vec<u8>) -> Option<()> {
    value.push((number & 0xff) as u8);
    Some(())
}

fn push_character(number: u32, value: &mut Vec<u8>) -> Option<()> {
    value.extend_from_slice(char::from_u32(number)?.encode_utf8(&mut [0; 4]).as_bytes());
    Some(())
}

/// The number that at most `digits` digits of `radix` start `text` with, and what follows.
fn number(text: &str, digits: usize, radix: u32) -> Option<(u32, &str)> {
    let length = text.chars().take(digits).take_while(|character| character.is_digit(radix)).count();
    let number = u32::from_str_radix(text.get(..length).filter(|digits| !digits.is_empty())?, radix).ok()?;
    Some((number, text.get(length..)?))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("a", &["a"])]
    #[case("{a,b}", &["a", "b"])]
    #[case("x{a,b}y{1..3}", &["xay1", "xay2", "xay3", "xby1", "xby2", "xby3"])]
    #[case("{a,{b,c}}", &["a", "b", "c"])]
    #[case("{a,{b,c}", &["{a,b", "{a,c"])]
    #[case("{01..03}", &["01", "02", "03"])]
    #[case("{c..a}", &["c", "b", "a"])]
    #[case("{1..10..4}", &["1", "5", "9"])]
    #[case("{}", &["{}"])]
    #[case("{a}", &["{a}"])]
    #[case("{a,b", &["{a,b"])]
    #[case("{rm,-rf,build}", &["rm", "-rf", "build"])]
    fn braces_expand_as_bash_does(#[case] text: &str, #[case] expected: &[&str]) {
        let span = Span::new(0, text.len());
        let word = Word { span, parts: vec![Part::Literal { text: text.to_owned(), quoted: false }] };
        let expanded: Vec<String> =
            words(word, true, false).iter().map(|word| word.literal().unwrap().into_owned()).collect();
        assert_eq!(expanded, expected);
    }

    #[rstest]
    #[case("{~,x}/y", &[Some(""), None])]
    #[case("~{root,x}", &[Some("root"), Some("x")])]
    #[case("x{~,y}", &[None, None])]
    fn a_tilde_prefix_is_found_behind_braces(#[case] text: &str, #[case] expected: &[Option<&str>]) {
        let span = Span::new(0, text.len());
        let word = Word { span, parts: vec![Part::Literal { text: text.to_owned(), quoted: false }] };
        let words = words(word, true, false);
        let prefixes: Vec<Option<&str>> = words
            .iter()
            .map(|word| match word.parts.first() {
                Some(Part::Hole { kind: HoleKind::Tilde(name), .. }) => Some(name.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(prefixes, expected);
    }

    #[rstest]
    #[case::behind_the_process_id("$", true)]
    #[case::behind_another_parameter("x", false)]
    fn bash_skips_braces_behind_the_process_id(#[case] parameter: &str, #[case] skips: bool) {
        let hole = Part::Hole { kind: HoleKind::Parameter(parameter.to_owned()), span: Span::new(0, 2), quoted: false };
        let braces = Part::Literal { text: "{,b}".to_owned(), quoted: false };
        let words = words(Word { span: Span::new(0, 6), parts: vec![hole, braces] }, true, false);
        let unknown = Part::Hole { kind: HoleKind::Brace, span: Span::new(0, 6), quoted: false };
        assert_eq!(words.first().map(|word| word.parts.as_slice()) == Some(&[unknown]), skips, "{words:?}");
    }

    #[test]
    fn a_brace_expansion_that_is_too_large_is_a_hole() {
        let text = "{1..1000000}";
        let span = Span::new(0, text.len());
        let word = Word { span, parts: vec![Part::Literal { text: text.to_owned(), quoted: false }] };
        assert_eq!(words(word, true, false).first().unwrap().literal(), None);
    }

    #[rstest]
    #[case(r"a\nb", Some("a\nb"))]
    #[case(r"\x41\u00e9\101", Some("AéA"))]
    #[case(r"\xff", None)]
    #[case(r"a\0b", None)]
    #[case(r"\q\'", Some("\\q'"))]
    #[case(r"\cA", Some("\u{1}"))]
    fn ansi_c_quotes_are_decoded(#[case] text: &str, #[case] expected: Option<&str>) {
        assert_eq!(ansi_c(text).as_deref(), expected);
    }
}
