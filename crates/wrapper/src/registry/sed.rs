//! `sed`: its `e` command, and the `e` flag of its `s` command, have a shell run text (GNU sed manual, 3.8 and 3.3). Without them it is
//! no wrapper. Opaque where a script is computed or malformed, and where the text is what the input holds.

use innercmd_bash_units::Word;

use super::{Grammar, Kind, Wrapper};
use crate::options::Options;
use crate::reading::{Dialect, Reading};
use crate::scan::{Item, Scan};
use crate::shape::{Count, Shape, numeric};

pub(super) static SED: Wrapper =
    Wrapper { name: "sed", manual: "GNU sed manual", kind: Kind::Shell, grammar: Grammar::Own(read) };

const OPTIONS: Options = Options::anywhere(
    "n|quiet|silent e|expression: f|file: E|r|regexp-extended i|in-place:: I:: a l|line-length: z|null-data u|unbuffered \
     s|separate b|binary posix debug sandbox follow-symlinks help version",
);

/// What a script has a shell run.
#[derive(Debug, Default, PartialEq, Eq)]
struct Runs {
    texts: Vec<String>,
    /// Whether the text is what the input holds.
    input: bool,
}

fn read<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let (mut scripts, mut operands, mut from_file, mut in_place) = (vec![], vec![], false, false);
    for item in Scan::new(words, OPTIONS) {
        match item {
            Item::Flag { name: "sandbox" | "help" | "version", .. } => return,
            Item::Flag { name: "e", value: Some(value) } => scripts.push(value.into_owned()),
            Item::Flag { name: "f", .. } => from_file = true,
            Item::Flag { name: "i", value } => in_place |= value.is_none(),
            Item::Flag { .. } => {}
            Item::Operand(at) => operands.extend(words.get(at)),
            // A word that becomes several may be options; one word is taken for what its place says.
            Item::Unsure(at) => {
                let Some(word) = words.get(at) else { continue };
                match Shape::of(word).count {
                    Count::Any => reading.opaque(),
                    Count::Known | Count::One | Count::Alike => operands.push(word),
                }
            }
        }
    }
    if scripts.is_empty() && !from_file {
        // BSD: `sed -i '' SCRIPT`.
        let suffix = in_place && operands.first().is_some_and(|word| Shape::of(word).lead.is_empty());
        scripts.extend(operands.into_iter().take(if suffix { 2 } else { 1 }).cloned());
    }
    let texts: Option<Vec<String>> = scripts.iter().map(numeric).collect();
    match texts.map(|texts| Script { rest: &texts.join("\n") }.runs()) {
        Some(Some(runs)) => {
            for text in runs.texts {
                reading.script(text, Dialect::Posix);
            }
            if runs.input {
                reading.opaque();
            }
        }
        Some(None) | None => reading.opaque(),
    }
}

/// A script that is being read.
struct Script<'a> {
    rest: &'a str,
}

impl<'a> Script<'a> {
    /// What the script has a shell run; none where it is malformed.
    fn runs(mut self) -> Option<Runs> {
        let mut runs = Runs::default();
        loop {
            self.skip(|next| next.is_ascii_whitespace() || next == ';');
            if self.rest.is_empty() {
                return Some(runs);
            }
            self.addresses()?;
            self.command(&mut runs)?;
        }
    }

    fn next(&mut self) -> Option<char> {
        let next = self.rest.chars().next()?;
        self.rest = self.rest.get(next.len_utf8()..)?;
        Some(next)
    }

    fn skip(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest.trim_start_matches(wanted);
        let skipped = self.rest.get(..self.rest.len() - rest.len()).unwrap_or_default();
        self.rest = rest;
        skipped
    }

    /// The rest of the line; a backslash before its end takes the next line in.
    fn line(&mut self) -> &'a str {
        let whole = self.rest;
        while let Some(next) = self.next() {
            match next {
                '\\' => {
                    self.next();
                }
                '\n' => break,
                _ => {}
            }
        }
        whole.get(..whole.len() - self.rest.len()).unwrap_or_default()
    }

    /// What stands up to the next unescaped delimiter.
    fn delimited(&mut self, delimiter: char) -> Option<()> {
        loop {
            match self.next()? {
                '\\' => {
                    self.next()?;
                }
                next if next == delimiter => return Some(()),
                _ => {}
            }
        }
    }

    /// `ADDRESS`, `ADDRESS,ADDRESS`, each with `!` behind it perhaps (GNU sed manual, 4).
    fn addresses(&mut self) -> Option<()> {
        self.address()?;
        self.skip(|next| next == ' ' || next == '\t');
        if self.rest.starts_with(',') {
            self.next();
            self.skip(|next| next == ' ' || next == '\t');
            self.address()?;
        }
        self.skip(|next| matches!(next, ' ' | '\t' | '!'));
        Some(())
    }

    fn address(&mut self) -> Option<()> {
        match self.rest.chars().next() {
            Some('/') => {
                self.next();
                self.delimited('/')?;
                self.skip(|next| matches!(next, 'I' | 'M'));
            }
            Some('\\') => {
                self.next();
                let delimiter = self.next()?;
                self.delimited(delimiter)?;
                self.skip(|next| matches!(next, 'I' | 'M'));
            }
            Some('0'..='9' | '$' | '+' | '~') => {
                self.skip(|next| next.is_ascii_digit() || matches!(next, '$' | '+' | '~'));
            }
            Some(_) | None => {}
        }
        Some(())
    }

    fn command(&mut self, runs: &mut Runs) -> Option<()> {
        match self.next()? {
            '{' | '}' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'z' | 'F' | '=' => {}
            'q' | 'Q' | 'l' | 'L' => {
                self.skip(|next| matches!(next, ' ' | '\t') || next.is_ascii_digit());
            }
            'a' | 'i' | 'c' => {
                self.line();
            }
            '#' | 'r' | 'R' | 'w' | 'W' => {
                self.skip(|next| next != '\n');
            }
            ':' | 'b' | 't' | 'T' | 'v' => {
                self.skip(|next| !matches!(next, ';' | '\n' | '}'));
            }
            'y' => {
                let delimiter = self.next()?;
                self.delimited(delimiter)?;
                self.delimited(delimiter)?;
            }
            's' => self.substitution(runs)?,
            'e' => {
                let text = self.line().trim();
                runs.input |= text.is_empty();
                if !text.is_empty() {
                    runs.texts.push(text.to_owned());
                }
                // Sed takes backslashes away before the shell reads the text.
                if text.contains('\\') {
                    runs.texts.push(unescaped(text));
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn substitution(&mut self, runs: &mut Runs) -> Option<()> {
        let delimiter = self.next()?;
        self.delimited(delimiter)?;
        self.delimited(delimiter)?;
        let flags = self.skip(|next| matches!(next, 'g' | 'p' | 'i' | 'I' | 'm' | 'M' | 'e') || next.is_ascii_digit());
        runs.input |= flags.contains('e');
        if self.rest.starts_with('w') {
            self.skip(|next| next != '\n');
        }
        let ended = self.rest.is_empty() || self.rest.starts_with([';', '}', '\n', '#', ' ', '\t', '\r']);
        ended.then_some(())
    }
}

fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text.chars();
    while let Some(next) = rest.next() {
        plain.extend(if next == '\\' { rest.next() } else { Some(next) });
    }
    plain
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::check;

    #[rstest]
    #[case("sed -n '1e touch marker.txt' a.txt", "$ touch marker.txt")]
    #[case("sed '1e rm x\n2e ls' f", "$ rm x | $ ls")]
    #[case("sed '/a/,/b/ {e rm x\n}' f", "$ rm x")]
    #[case("sed -e p -e 'e rm x' f", "$ rm x")]
    #[case("sed --expression='e rm x' f", "$ rm x")]
    #[case("sed e f", "?")]
    #[case("sed 's/a/b/e' f", "?")]
    #[case("sed 's|a|b|2ge;p' f", "?")]
    #[case("sed -i 's/a/b/e' f", "?")]
    #[case("sed -i '' 'e rm x' f", "$ rm x")]
    #[case("sed -n '$!{$!N;e rm x\n}'", "$ rm x")]
    #[case("sed '1!e rm x'", "$ rm x")]
    #[case("sed '\\,a,e rm x'", "$ rm x")]
    #[case("sed 0~2e", "?")]
    #[case("sed 'w o\\\ne rm x'", "$ rm x")]
    #[case("sed '# o\\\ne rm x'", "$ rm x")]
    #[case(r"sed '1e rm\ x'", r"$ rm\ x | $ rm x")]
    fn e_runs_text(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }

    #[rstest]
    #[case("sed -n '1,80p' f")]
    #[case("sed 's/e/e/' f")]
    #[case("sed 's/a/b/g; s|e|f|;s,x,e,p' f")]
    #[case("sed 's/a\\/e/b/' f")]
    #[case("sed -e 's/a/b/' -e 's/c/d/gI' e")]
    #[case("sed -n '/^func New/,/^}/p' f")]
    #[case("sed '/e/d;/f/!d' f")]
    #[case("sed '1i e rm x' f")]
    #[case("sed '$a\\\ne rm x' f")]
    #[case("sed -n '10,+5p;15q' f")]
    #[case("sed ':a;N;$!ba;s/\\n/ /g' f")]
    #[case("sed 'y/abc/def/' f")]
    #[case("sed 's/a/b/w e' f")]
    #[case("sed '# e rm x' f")]
    #[case("sed -i '' -e 's/a/b/' \"$f\"")]
    #[case("sed -i '' 's/a/b/' f")]
    #[case("sed -i.bak 's/a/b/' f")]
    #[case("sed -n \"$((n-4)),$((n+1))p\" f")]
    #[case("sed --sandbox 'e rm x' f")]
    #[case("sed -f script.sed f")]
    #[case("sed p *.rs")]
    #[case("sed")]
    fn without_e_sed_is_no_wrapper(#[case] line: &str) {
        check(line, "-");
    }

    #[rstest]
    #[case("sed \"$script\" f")]
    #[case("sed -n \"/$f/p\" f")]
    #[case("sed -e \"s/a/$b/\" f")]
    #[case("sed -n '1p' $f")]
    #[case("sed 's/a/b' f")]
    #[case("sed k f")]
    fn what_is_computed_or_malformed_is_not_visible(#[case] line: &str) {
        check(line, "?");
    }
}
