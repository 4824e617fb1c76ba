//! The commands of `sed` that run something or write a file (GNU sed manual: e, w, W, and the flags of s).

use super::argument::{Argument, HOLE};
use super::options::{Found, Options, Style};
use super::programs::describe;
use super::{is_given_first, is_unseen_file};

const MANUAL: &str = "GNU sed manual: the commands e and w, and the flags e and w of s";

/// The options, of which those that give a script count by what it says (sed(1)).
const OPTIONS: Options = Options {
    style: Style::Clusters,
    table: "e|expression:? f|file:? l|line-length: i|in-place:: I:: s|separate sandbox silent quiet n E|r|regexp-extended posix \
        u|unbuffered z|null-data b|binary debug follow-symlinks help version",
    judge: |name, value| match name {
        "e" => script_runs(value),
        _ => is_unseen_file(value),
    },
};

pub(super) fn hands_over(arguments: &[Argument<'_>]) -> Option<String> {
    if in_sandbox(arguments) {
        return None;
    }
    let mut scripts_left = usize::from(!is_given(arguments));
    let wanted = |found: Found<'_>| match found {
        Found::Option(_) | Found::Doubt => true,
        Found::Operand(operand) => {
            let is_script = scripts_left > 0;
            scripts_left = scripts_left.saturating_sub(1);
            // Where `-i` takes the next argument, an empty one is no script (FreeBSD's sed(1)).
            if is_script && operand.text().is_empty() {
                scripts_left = 1;
            }
            is_script && script_runs(operand.text())
        }
    };
    OPTIONS.find(arguments, wanted).map(|found| match found {
        Found::Option("e") | Found::Operand(_) => MANUAL.to_owned(),
        Found::Option(_) | Found::Doubt => describe("GNU sed manual", found),
    })
}

/// Whether `--sandbox` is an option for certain, and stands before every script: those before it are read without it.
fn in_sandbox(arguments: &[Argument<'_>]) -> bool {
    let plain = |text: &str| is_flag(text).then_some(1);
    is_given_first(arguments, plain, |text| text.len() > 3 && "--sandbox".starts_with(text))
}

/// Whether an option certainly gives the script, so that no operand does.
fn is_given(arguments: &[Argument<'_>]) -> bool {
    let plain = |text: &str| (is_flag(text) || text.starts_with("-i") || text.is_empty()).then_some(1);
    let gives = |text: &str| {
        let name = text.split('=').next().unwrap_or_default();
        match text.strip_prefix("--") {
            Some(_) => name.len() > 3 && ["--expression", "--file"].iter().any(|option| option.starts_with(name)),
            None => {
                text.strip_prefix('-').is_some_and(|letters| letters.trim_start_matches(FLAGS).starts_with(['e', 'f']))
            }
        }
    };
    is_given_first(arguments, plain, gives)
}

/// The letters of options that take no value anywhere.
const FLAGS: [char; 6] = ['n', 'E', 'r', 's', 'u', 'z'];

/// Whether the argument is a cluster of these, or a long option that takes none.
fn is_flag(text: &str) -> bool {
    matches!(text, "--quiet" | "--silent" | "--posix" | "--debug" | "--regexp-extended" | "--null-data" | "--separate")
        || text
            .strip_prefix('-')
            .is_some_and(|letters| !letters.is_empty() && letters.trim_start_matches(FLAGS).is_empty())
}

/// Whether a script has a command that runs something or writes a file.
///
/// A part that is not known may be such a command, or end what stands before it.
fn script_runs(text: &str) -> bool {
    if text.contains(HOLE) {
        return true;
    }
    let mut rest = Rest { chars: text.chars().collect(), at: 0, unclosed: false };
    loop {
        rest.skip(|c| c.is_whitespace() || matches!(c, ';' | '{' | '}'));
        rest.address();
        rest.skip(char::is_whitespace);
        if rest.peek() == Some(',') {
            rest.at += 1;
            rest.skip(char::is_whitespace);
            rest.address();
        }
        rest.skip(|c| c.is_whitespace() || c == '!');
        let Some(command) = rest.next() else {
            return rest.unclosed;
        };
        match command {
            'e' | 'w' | 'W' => return true,
            's' => {
                if rest.substitution_runs() {
                    return true;
                }
            }
            'y' => {
                let delimiter = rest.next();
                rest.plain_to(delimiter);
                rest.plain_to(delimiter);
            }
            // Text up to the end of the line, and lines that end in a backslash.
            'a' | 'i' | 'c' => rest.text(),
            // A file name up to the end of the line.
            'r' | 'R' | '#' => rest.line(),
            // A label, or a version, which a blank ends as well.
            ':' | 'b' | 't' | 'T' | 'v' => {
                rest.skip(|c| matches!(c, ' ' | '\t'));
                rest.skip(|c| !c.is_whitespace() && !matches!(c, ';' | '}'));
            }
            'q' | 'Q' | 'l' | 'L' => rest.skip(|c| c.is_whitespace() && c != '\n' || c.is_ascii_digit()),
            'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'z' | '=' | 'F' | '}' | '{' => {}
            // A command that is not known, or not there to be seen.
            _ => return true,
        }
    }
}

struct Rest {
    chars: Vec<char>,
    at: usize,
    /// Whether a regular expression or a replacement did not end.
    unclosed: bool,
}

impl Rest {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek();
        self.at += usize::from(next.is_some());
        next
    }

    fn skip(&mut self, these: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&these) {
            self.at += 1;
        }
    }

    fn line(&mut self) {
        self.skip(|c| c != '\n');
    }

    /// Text up to the end of a line that does not end in a backslash.
    fn text(&mut self) {
        while let Some(c) = self.next() {
            match c {
                '\\' => drop(self.next()),
                '\n' => return,
                _ => {}
            }
        }
    }

    /// A line number, `$`, or a regular expression with its flags.
    fn address(&mut self) {
        match self.peek() {
            Some('/') => {
                self.at += 1;
                self.to(Some('/'));
                self.skip(|c| matches!(c, 'I' | 'M'));
            }
            Some('\\') => {
                self.at += 1;
                let delimiter = self.next();
                self.to(delimiter);
                self.skip(|c| matches!(c, 'I' | 'M'));
            }
            _ => self.skip(|c| c.is_ascii_digit() || matches!(c, '$' | '~' | '+')),
        }
    }

    /// Moves behind the next `delimiter` that is not escaped, nor in a bracket expression.
    fn to(&mut self, delimiter: Option<char>) {
        while let Some(c) = self.next() {
            match c {
                '\\' => drop(self.next()),
                _ if Some(c) == delimiter => return,
                '[' => self.brackets(),
                _ => {}
            }
        }
        self.unclosed = true;
    }

    /// Moves behind the end of a bracket expression (POSIX basic regular expressions, 9.3.5).
    fn brackets(&mut self) {
        self.at += usize::from(self.peek() == Some('^'));
        self.at += usize::from(self.peek() == Some(']'));
        while let Some(c) = self.next() {
            match (c, self.peek()) {
                (']', _) => return,
                // `[:alpha:]`, `[.-.]`, `[=a=]`.
                ('[', Some(kind @ (':' | '.' | '='))) => {
                    self.at += 1;
                    while let Some(c) = self.next() {
                        if c == kind && self.peek() == Some(']') {
                            self.at += 1;
                            break;
                        }
                    }
                }
                _ => {}
            }
        }
        self.unclosed = true;
    }

    /// Moves behind the next `delimiter` that is not escaped.
    fn plain_to(&mut self, delimiter: Option<char>) {
        while let Some(c) = self.next() {
            match c {
                '\\' => drop(self.next()),
                _ if Some(c) == delimiter => return,
                _ => {}
            }
        }
        self.unclosed = true;
    }

    /// Reads `s/…/…/flags`, and says whether the flags run or write.
    fn substitution_runs(&mut self) -> bool {
        let delimiter = self.next();
        self.to(delimiter);
        // In the replacement brackets mean nothing.
        self.plain_to(delimiter);
        let start = self.at;
        self.skip(|c| c.is_ascii_alphanumeric() || c == ' ');
        self.chars.get(start..self.at).is_some_and(|flags| flags.iter().any(|flag| matches!(*flag, 'e' | 'w' | 'W')))
    }
}
