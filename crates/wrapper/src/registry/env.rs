//! `env`: sets the environment of a command. It forwards what stands behind its assignments; `-S` splits a string into words that
//! it reads like its own. Opaque where that string is computed.

use std::borrow::Cow;

use innercmd_bash_units::{HoleKind, Part, Word};

use super::{Grammar, Kind, Wrapper, may_be_several};
use crate::Influence;
use crate::options::Options;
use crate::reading::Reading;
use crate::scan::{Item, Scan};
use crate::shape::{Shape, assigns};
use crate::starts::Starts;

pub(super) static ENV: Wrapper = Wrapper {
    name: "env",
    manual: "GNU coreutils manual, env invocation",
    kind: Kind::NonTransparent,
    grammar: Grammar::Own(read),
};

/// `-P` and `-L`, `-U` are FreeBSD's (env(1) there).
const OPTIONS: Options = Options::first(
    "i|ignore-environment 0|null u|unset: C|chdir: S|split-string: a|argv0: v|debug P: L: U: block-signal:: \
     default-signal:: ignore-signal:: list-signal-handling help version",
);

/// How many strings of `-S` are split, one within the other.
const SPLITS: usize = 16;

/// Where reading one list of words ends.
enum End<'w> {
    Nothing,
    Command(usize),
    Starts(Starts),
    /// `-S`: the string, and the place behind it.
    Split(Cow<'w, Word>, usize),
}

fn read<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let (mut string, mut rest) = match read_words(words, reading) {
        End::Nothing => return,
        End::Command(at) => return reading.command(words.get(at..).unwrap_or_default()),
        End::Starts(starts) => return reading.starts(words, &starts),
        End::Split(string, at) => (string, words.get(at..).unwrap_or_default().to_vec()),
    };
    for _ in 0..SPLITS {
        let Some(split) = split(&string) else { break };
        let name = words.first().cloned();
        let all: Vec<Word> = name.into_iter().chain(split).chain(rest).collect();
        match read_words(&all, reading) {
            End::Nothing => return,
            End::Command(at) => return reading.command_of(all.get(at..).unwrap_or_default().to_vec()),
            End::Starts(starts) => {
                reading.unsure = true;
                reading.opaque();
                for at in starts.places {
                    reading.command_of(all.get(at..).unwrap_or_default().to_vec());
                }
                return;
            }
            End::Split(next, at) => {
                string = Cow::Owned(next.into_owned());
                rest = all.get(at..).unwrap_or_default().to_vec();
            }
        }
    }
    reading.opaque();
}

fn read_words<'w>(words: &'w [Word], reading: &mut Reading<'_>) -> End<'w> {
    let mut scan = Scan::new(words, OPTIONS);
    let mut first = true;
    while let Some(item) = scan.next() {
        match item {
            Item::Flag { name: "S", value: Some(value) } => return End::Split(value, scan.place()),
            Item::Flag { name: "help" | "version", .. } => return End::Nothing,
            Item::Flag { name: "C", .. } => reading.influence(Influence::Directory),
            Item::Flag { name: "u", value: Some(value) } => reading.variable(&value),
            Item::Flag { .. } => {}
            Item::Unsure(at) => return unsure(words, &scan, at),
            Item::Operand(at) if may_be_several(words, at) => return unsure(words, &scan, at),
            Item::Operand(at) => {
                let Some(word) = words.get(at) else { return End::Nothing };
                // `-` is an old spelling of `-i`.
                let dash = first && Shape::of(word).known() == Some("-");
                first = false;
                if dash {
                    continue;
                }
                if assigns(word).is_none() {
                    return End::Command(at);
                }
                reading.variable(word);
            }
        }
    }
    End::Nothing
}

/// The places where the command may begin, assignments left out: behind one, more may follow.
fn unsure<'w>(words: &'w [Word], scan: &Scan<'_>, at: usize) -> End<'w> {
    let mut starts = scan.starts(at, 0);
    for start in &mut starts.places {
        let behind = words.get(*start..).unwrap_or_default();
        *start += behind.iter().take_while(|word| assigns(word).is_some()).count();
    }
    starts.places.dedup();
    End::Starts(starts)
}

/// Splits the string of `-S` into words, or none where it is computed or malformed.
///
/// The grammar is the manual's (env invocation, -S/--split-string syntax): blanks separate, both kinds of quotes and the backslash
/// quote, `${NAME}` stands for a variable's value as part of a word, `#` at the start of a word begins a comment.
fn split(string: &Word) -> Option<Vec<Word>> {
    let text = string.literal()?;
    let mut splitter = Splitter { like: string, words: vec![], parts: vec![], open: false };
    let mut rest = text.as_ref();
    let mut quote = None;
    while let Some(next) = rest.chars().next() {
        rest = rest.get(next.len_utf8()..)?;
        match (quote, next) {
            (None, ' ' | '\t' | '\n' | '\u{b}' | '\u{c}' | '\r') => splitter.end(),
            (None, '#') if !splitter.open => break,
            (None, '\'' | '"') => {
                quote = Some(next);
                splitter.open = true;
            }
            (Some(open), close) if open == close => quote = None,
            (Some('\''), '\\') => match rest.chars().next() {
                Some(escaped @ ('\'' | '\\')) => {
                    rest = rest.get(1..)?;
                    splitter.push(escaped);
                }
                Some(_) | None => splitter.push('\\'),
            },
            (None | Some(_), '\\') => {
                let escaped = rest.chars().next()?;
                rest = rest.get(escaped.len_utf8()..)?;
                match escaped {
                    'c' if quote.is_none() => break,
                    '_' if quote.is_none() => splitter.end(),
                    '_' => splitter.push(' '),
                    'f' => splitter.push('\u{c}'),
                    'n' => splitter.push('\n'),
                    'r' => splitter.push('\r'),
                    't' => splitter.push('\t'),
                    'v' => splitter.push('\u{b}'),
                    '#' | '$' | '"' | '\'' | '\\' => splitter.push(escaped),
                    _ => return None,
                }
            }
            (None | Some('"'), '$') => {
                let (name, behind) = rest.strip_prefix('{')?.split_once('}')?;
                rest = behind;
                splitter.hole(name);
            }
            (None | Some(_), other) => splitter.push(other),
        }
    }
    splitter.end();
    quote.is_none().then_some(splitter.words)
}

struct Splitter<'a> {
    like: &'a Word,
    words: Vec<Word>,
    parts: Vec<Part>,
    /// Whether a word has begun.
    open: bool,
}

impl Splitter<'_> {
    fn push(&mut self, more: char) {
        self.open = true;
        match self.parts.last_mut() {
            Some(Part::Literal { text, .. }) => text.push(more),
            Some(Part::Hole { .. }) | None => self.parts.push(Part::Literal { text: more.to_string(), quoted: true }),
        }
    }

    fn hole(&mut self, name: &str) {
        self.open = true;
        let kind = HoleKind::Parameter(name.to_owned());
        self.parts.push(Part::Hole { kind, span: self.like.span, quoted: true });
    }

    fn end(&mut self) {
        if self.open {
            self.words.push(Word { span: self.like.span, parts: std::mem::take(&mut self.parts) });
        }
        self.open = false;
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::check;

    #[rstest]
    #[case("env rm x", "rm x")]
    #[case("env A=1 B=2 rm x", "rm x")]
    #[case("env -i FOO=1 rm -r -f build", "rm -r -f build")]
    #[case("env -u TOKEN rm x", "rm x")]
    #[case("env -uTOKEN rm x", "rm x")]
    #[case("env --unset=TOKEN rm x", "rm x")]
    #[case("env --unset TOKEN rm x", "rm x")]
    #[case("env -iu TOKEN rm x", "rm x")]
    #[case("env -C /tmp rm x", "rm x")]
    #[case("env - A=1 rm x", "rm x")]
    #[case("env -- A=1 rm x", "rm x")]
    #[case("env A=1 -u B rm x", "-u B rm x")]
    #[case("env 'A=1' rm x", "rm x")]
    #[case(r#"env A="$B" rm x"#, "rm x")]
    #[case("env 'BASH_FUNC_head%%=() { rm -rf build; }' bash -c 'head a'", "bash -c 'head a'")]
    #[case("env --ignore-signal=INT rm x", "rm x")]
    #[case("env --ignore-signal rm x", "rm x")]
    #[case("env --argv0=y rm x", "rm x")]
    #[case("/usr/bin/env rm x", "rm x")]
    #[case("env", "-")]
    #[case("env A=1", "-")]
    #[case("env -i", "-")]
    #[case("env --help rm", "-")]
    #[case("env -", "-")]
    fn env_forwards_what_stands_behind_its_assignments(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }

    #[rstest]
    #[case("env -S 'rm -rf x'", "rm -rf x")]
    #[case("env -S'rm -rf x' y", "rm -rf x y")]
    #[case("env -vS 'rm x'", "rm x")]
    #[case("env --split-string='rm x'", "rm x")]
    #[case("env --split-string 'rm x'", "rm x")]
    #[case("env --sp='rm x'", "rm x")]
    #[case("env -S 'A=1 -u B rm x'", "-u B rm x")]
    #[case("env -S '-u B A=1 rm x'", "rm x")]
    #[case(r#"env -S 'bash -c "rm -rf build"'"#, "bash -c 'rm -rf build'")]
    #[case(r#"env -S "sh -c 'rm x'""#, "sh -c 'rm x'")]
    #[case(r#"env -S 'rm a\_b'"#, "rm a b")]
    #[case(r#"env -S 'rm "a\_b"' "#, "rm 'a b'")]
    #[case(r#"env -S 'rm a\cb'"#, "rm a")]
    #[case("env -S 'rm a #b'", "rm a")]
    #[case("env -S 'rm a#b'", "rm a#b")]
    #[case("env -S 'rm ${X}'", "rm <X>")]
    #[case(r#"env -S '-S "rm x"'"#, "rm x")]
    #[case("env -S '' rm x", "rm x")]
    #[case(r#"env -S "$X""#, "?")]
    #[case("env -S 'rm $X'", "?")]
    #[case(r#"env -S 'rm "x'"#, "?")]
    fn a_split_string_is_read_like_the_words_of_env(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }

    #[rstest]
    #[case("env $X rm y", "<X> rm y | rm y | y | ?")]
    #[case(r#"env "$X" rm y"#, "<X> rm y | rm y | y")]
    #[case("env -u $X rm y", "<X> rm y | rm y | y | ?")]
    #[case(r#"env -u "$X" rm y"#, "rm y")]
    #[case("env --frob rm y", "rm y | y")]
    #[case("env --frob A=1 rm y", "rm y")]
    fn a_computed_option_of_env_is_a_doubt(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }
}
