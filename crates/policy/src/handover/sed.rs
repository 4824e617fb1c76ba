//! The commands of `sed` that run something or write a file (GNU sed manual: e, w, W, and the flags of s).

use innercmd_bash_units::Word;

use super::{HOLE, is_long, known, script};

const MANUAL: &str = "GNU sed manual: the commands e and w, and the flags e and w of s";

pub(super) fn hands_over(arguments: &[Word]) -> Option<&'static str> {
    if arguments.iter().any(|word| is_long(&known(word), "--sandbox", 5)) {
        return None;
    }
    let scripts = scripts(arguments);
    let runs = |word: &&Script<'_>| {
        script(word.word).is_none_or(|text| script_runs(text.get(word.skip..).unwrap_or_default()))
    };
    scripts.iter().any(|word| runs(&word)).then_some(MANUAL)
}

/// A word that holds a script behind its first bytes.
struct Script<'w> {
    word: &'w Word,
    skip: usize,
}

fn scripts(arguments: &[Word]) -> Vec<Script<'_>> {
    let mut found = vec![];
    let mut operands = vec![];
    let mut from_file = false;
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = known(word);
        match text.as_ref() {
            "--" => {
                operands.extend(words.by_ref());
            }
            option if option.starts_with("--") => {
                let skip = option.find('=').map(|at| at.saturating_add(1));
                if is_long(option, "--expression", 4) {
                    match skip {
                        Some(skip) => found.push(Script { word, skip }),
                        None => found.extend(words.next().map(|word| Script { word, skip: 0 })),
                    }
                } else if is_long(option, "--file", 4) {
                    from_file = true;
                    if skip.is_none() {
                        words.next();
                    }
                } else if is_long(option, "--line-length", 4) && skip.is_none() {
                    words.next();
                }
            }
            option if option.starts_with('-') && option.len() > 1 => {
                // The first letter that takes a value ends the cluster.
                let value = option.char_indices().skip(1).find(|(_, letter)| matches!(letter, 'e' | 'f' | 'l' | 'i'));
                match value {
                    Some((at, 'e')) if at.saturating_add(1) < option.len() || word.literal().is_none() => {
                        found.push(Script { word, skip: at.saturating_add(1) });
                    }
                    Some((_, 'e')) => found.extend(words.next().map(|word| Script { word, skip: 0 })),
                    Some((at, letter @ ('f' | 'l'))) => {
                        from_file |= letter == 'f';
                        if at.saturating_add(1) == option.len() {
                            words.next();
                        }
                    }
                    _ => {}
                }
            }
            _ => operands.push(word),
        }
    }
    if found.is_empty() && !from_file {
        found.extend(operands.first().map(|word| Script { word, skip: 0 }));
    }
    found
}

/// Whether a script has a command that runs something or writes a file, or may have one where a part of it is not known.
fn script_runs(text: &str) -> bool {
    let mut rest = Rest { chars: text.chars().collect(), at: 0, unclosed: false };
    loop {
        rest.skip(|c| c.is_whitespace() || matches!(c, ';' | '{' | '}'));
        let start = rest.at;
        rest.address();
        rest.skip(char::is_whitespace);
        if rest.peek() == Some(',') {
            rest.at += 1;
            rest.skip(char::is_whitespace);
            rest.address();
        }
        rest.skip(|c| c.is_whitespace() || c == '!');
        let Some(command) = rest.next() else {
            // What looks like an address may be, or end in, a command.
            return rest.unclosed || rest.chars.get(start..).is_some_and(|end| end.contains(&HOLE));
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
            // A file name or a label up to the end of the line, or, for labels, to a semicolon.
            'r' | 'R' | '#' => rest.line(),
            ':' | 'b' | 't' | 'T' | 'v' => rest.skip(|c| !matches!(c, ';' | '\n' | '}')),
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

    /// A line number, `$`, or a regular expression with its flags; a hole counts as a number.
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
            _ => self.skip(|c| c.is_ascii_digit() || matches!(c, '$' | '~' | '+' | HOLE)),
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
        self.skip(|c| c.is_ascii_alphanumeric() || c == ' ' || c == HOLE);
        self.chars
            .get(start..self.at)
            .is_some_and(|flags| flags.iter().any(|flag| matches!(*flag, 'e' | 'w' | 'W' | HOLE)))
    }
}
