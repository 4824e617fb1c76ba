//! `awk`: `system`, pipes and coprocesses have a shell run text (GNU awk manual, 9.1.5 and 4.10). Without them it is no wrapper. Always
//! opaque with them: the text is an expression; its string literals are listed for the rules.

use innercmd_bash_units::Word;

use super::{Grammar, Kind, Wrapper};
use crate::options::Options;
use crate::reading::{Dialect, Reading};
use crate::scan::{Item, Scan};
use crate::shape::{Count, Shape, numeric};

pub(super) static AWK: Wrapper =
    Wrapper { name: "awk", manual: "GNU awk manual; POSIX, awk", kind: Kind::Shell, grammar: Grammar::Own(read) };

const OPTIONS: Options = Options::first(
    "F|field-separator: v|assign: f|file: e|source: E|exec: i|include: l|load: b|characters-as-bytes c|traditional \
     C|copyright d|dump-variables:: D|debug:: g|gen-pot h|help I|trace k|csv L|lint:: M|bignum n|non-decimal-data \
     N|use-lc-numeric o|pretty-print:: O|optimize p|profile:: P|posix r|re-interval s|no-optimize S|sandbox t|lint-old \
     V|version W:",
);

fn read<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let (mut sources, mut from_file) = (vec![], false);
    for item in Scan::new(words, OPTIONS) {
        match item {
            Item::Flag { name: "S" | "h" | "V" | "C", .. } => return,
            Item::Flag { name: "e", value: Some(value) } => sources.push(value.into_owned()),
            Item::Flag { name: "f" | "E" | "i", .. } => from_file = true,
            // An extension library; a debugger with commands of its own.
            Item::Flag { name: "l" | "D", .. } => reading.opaque(),
            Item::Flag { .. } => {}
            Item::Operand(at) | Item::Unsure(at) => {
                let Some(word) = words.get(at) else { break };
                if Shape::of(word).count == Count::Any {
                    reading.opaque();
                } else if sources.is_empty() && !from_file {
                    sources.push(word.clone());
                }
                break;
            }
        }
    }
    for source in sources {
        match numeric(&source).map(|text| Tokens::of(&text)) {
            Some(Some(Tokens { runs: false, .. })) => {}
            Some(Some(Tokens { strings, .. })) => {
                for text in strings {
                    reading.script(text, Dialect::Posix);
                }
                reading.opaque();
            }
            Some(None) | None => reading.opaque(),
        }
    }
}

/// What matters of a program's tokens.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tokens {
    /// Whether there is a call of `system`, a pipe, a coprocess, or an indirect call.
    runs: bool,
    /// The string literals.
    strings: Vec<String>,
}

impl Tokens {
    /// Reads a program; none where a string or a regular expression does not end.
    fn of(program: &str) -> Option<Self> {
        let mut tokens = Self::default();
        let mut rest = program.chars();
        // Whether a slash divides here, and does not open a regular expression.
        let mut operand = false;
        while let Some(next) = rest.next() {
            match next {
                '#' => {
                    rest.by_ref().find(|next| *next == '\n');
                    operand = false;
                }
                '"' => {
                    tokens.strings.push(string(&mut rest)?);
                    operand = true;
                }
                '/' if !operand => {
                    regex(&mut rest)?;
                    operand = true;
                }
                '|' if rest.as_str().starts_with('|') => {
                    rest.next();
                    operand = false;
                }
                '|' | '@' => {
                    tokens.runs = true;
                    operand = false;
                }
                '\\' => {
                    rest.next();
                }
                ' ' | '\t' => {}
                next if next.is_alphanumeric() || next == '_' || next == '.' => {
                    let name = name(next, &mut rest);
                    tokens.runs |= name == "system";
                    operand =
                        !["print", "printf", "return", "in", "case", "else", "do", "getline"].contains(&name.as_str());
                }
                next => operand = matches!(next, ')' | ']' | '$'),
            }
        }
        Some(tokens)
    }
}

/// The text of a string literal whose opening quote has been read.
fn string(rest: &mut std::str::Chars<'_>) -> Option<String> {
    let mut text = String::new();
    loop {
        match rest.next()? {
            '"' => return Some(text),
            '\\' => match rest.next()? {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                '\n' => {}
                escaped => text.push(escaped),
            },
            '\n' => return None,
            next => text.push(next),
        }
    }
}

/// Reads a regular expression whose opening slash has been read; in brackets a slash is none of its ends.
fn regex(rest: &mut std::str::Chars<'_>) -> Option<()> {
    let mut bracket = false;
    loop {
        match rest.next()? {
            '/' if !bracket => return Some(()),
            '\\' => {
                rest.next()?;
            }
            '\n' => return None,
            '[' if !bracket => {
                bracket = true;
                // A bracket directly behind the opening one, negated or not, is in the list.
                let inside = rest.as_str();
                let negated = inside.strip_prefix('^').unwrap_or(inside);
                if negated.starts_with(']') {
                    rest.nth(inside.len() - negated.len());
                }
            }
            ']' => bracket = false,
            _ => {}
        }
    }
}

fn name(first: char, rest: &mut std::str::Chars<'_>) -> String {
    let mut name = String::from(first);
    while let Some(next) = rest.as_str().chars().next().filter(|next| next.is_alphanumeric() || *next == '_') {
        name.push(next);
        rest.next();
    }
    name
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::check;

    #[rstest]
    #[case("awk 'BEGIN {system(\"rm -rf build\")}'", "$ rm -rf build | ?")]
    #[case("awk '{print | \"rm x\"}' f", "$ rm x | ?")]
    #[case("awk '{\"date\" | getline d; print d}' f", "$ date | ?")]
    #[case("awk 'BEGIN {print |& \"rm x\"}'", "$ rm x | ?")]
    #[case("gawk -F: -v c='rm x' '{system(c)}' f", "?")]
    #[case("awk '{f = \"system\"; @f(\"rm x\")}'", "$ system | $ rm x | ?")]
    #[case("awk -e '{system($0)}' f", "?")]
    #[case("awk 'a / b | \"rm x\" / c'", "$ rm x | ?")]
    #[case("mawk '{ system ($1) }'", "?")]
    #[case("awk '/[/]/ { print | \"rm x\" }'", "$ rm x | ?")]
    #[case("awk '/[]/]/ { print | \"rm x\" }'", "$ rm x | ?")]
    fn awk_may_run_text(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }

    #[rstest]
    #[case("awk '{print $1}' f")]
    #[case("awk -F'|' '{print $2}' f")]
    #[case("awk -F: '/a|b/ {print $1}' f")]
    #[case("awk '$1 ~ /a|b/ || $2 == \"|\"' f")]
    #[case("awk '{print \"system(x)\" \" | \"}'")]
    #[case("awk '# system(x)\n{print}'")]
    #[case("awk '{x = a / b; y = c / d}'")]
    #[case("awk 'NR>=1 && NR<=25' \"$src\"")]
    #[case("awk '/type Provider struct/{f=1} f{print} /^}/{if(f)exit}' f")]
    #[case("awk '{systems = 1; mysystem(2)}'")]
    #[case("awk '/[/|]/ || /[^]|]/ {print}'")]
    #[case("awk \"NR>$((n + 1))\" f")]
    #[case("awk -f prog.awk f")]
    #[case("awk --sandbox '{system(1)}'")]
    #[case("awk")]
    fn without_calls_and_pipes_awk_is_no_wrapper(#[case] line: &str) {
        check(line, "-");
    }

    #[rstest]
    #[case("awk \"$prog\" f")]
    #[case("awk \"NR>$n\" f")]
    #[case("awk $prog f")]
    #[case("awk -l filefuncs '{print}'")]
    #[case("awk '{print \"a}'")]
    fn what_is_computed_or_malformed_is_not_visible(#[case] line: &str) {
        check(line, "?");
    }
}
