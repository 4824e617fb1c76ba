//! The files that scripts name, which are data to bash: those of `sed` and `awk`.

/// Stands for text that only execution can tell.
pub(super) const HOLE: char = '\u{1}';

/// A file that a script names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Named {
    File(String),
    /// A file whose name is computed, or a place where the script cannot be read.
    Unknown,
}

/// The files that a `sed` script reads and writes (GNU sed manual: `r`, `R`, `w`, `W`, and the flag `w` of `s`).
pub(super) fn of_sed(script: &str) -> Vec<Named> {
    let mut reader = Sed { chars: script.chars().collect(), at: 0, found: vec![] };
    while reader.at < reader.chars.len() {
        let start = reader.at;
        if reader.command().is_none() {
            // What is no script makes `sed` fail; what is one all the same may name anything.
            reader.at = start;
            reader.doubt();
            break;
        }
    }
    reader.found
}

struct Sed {
    chars: Vec<char>,
    at: usize,
    found: Vec<Named>,
}

impl Sed {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at = self.at.saturating_add(1);
        Some(next)
    }

    fn skip(&mut self, these: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&these) {
            self.at = self.at.saturating_add(1);
        }
    }

    /// Where the rest holds a letter that could name a file, it counts as naming one.
    fn doubt(&mut self) {
        let rest = self.chars.get(self.at..).unwrap_or_default();
        if rest.iter().any(|c| matches!(c, 'r' | 'R' | 'w' | 'W')) {
            self.found.push(Named::Unknown);
        }
    }

    /// Reads one command with its addresses; none where that fails.
    fn command(&mut self) -> Option<()> {
        self.skip(|c| c.is_whitespace() || matches!(c, ';' | '{' | '}'));
        if self.peek().is_none() {
            return Some(());
        }
        self.address()?;
        self.skip(char::is_whitespace);
        if self.peek() == Some(',') {
            self.at = self.at.saturating_add(1);
            self.skip(char::is_whitespace);
            self.address()?;
        }
        self.skip(|c| c.is_whitespace() || c == '!');
        match self.next() {
            Some('r' | 'R' | 'w' | 'W') => self.file(),
            Some('s') => {
                let delimiter = self.next()?;
                self.delimited(delimiter, true)?;
                self.delimited(delimiter, false)?;
                self.skip(|c| matches!(c, 'g' | 'p' | 'i' | 'I' | 'm' | 'M' | 'e' | HOLE) || c.is_ascii_digit());
                if self.peek() == Some('w') {
                    self.at = self.at.saturating_add(1);
                    self.file();
                }
            }
            Some('y') => {
                let delimiter = self.next()?;
                self.delimited(delimiter, false)?;
                self.delimited(delimiter, false)?;
            }
            Some('a' | 'i' | 'c') => self.text(),
            Some('e' | '#') => self.skip(|c| c != '\n'),
            Some(':' | 'b' | 't' | 'T' | 'v') => self.skip(|c| !matches!(c, ';' | '\n' | '}')),
            Some('q' | 'Q' | 'l' | 'L') => self.skip(|c| c.is_ascii_digit() || c == ' '),
            Some('d' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'z' | '=' | 'F' | '{' | '}') => {}
            // An address alone is an error, and so is an unknown command.
            Some(_) | None => return None,
        }
        Some(())
    }

    fn address(&mut self) -> Option<()> {
        match self.peek() {
            Some('/') => {
                self.at = self.at.saturating_add(1);
                self.delimited('/', true)?;
                self.skip(|c| matches!(c, 'I' | 'M'));
            }
            Some('\\') => {
                self.at = self.at.saturating_add(1);
                let delimiter = self.next()?;
                self.delimited(delimiter, true)?;
                self.skip(|c| matches!(c, 'I' | 'M'));
            }
            _ => self.skip(|c| c.is_ascii_digit() || matches!(c, '$' | '~' | '+' | HOLE)),
        }
        Some(())
    }

    /// Reads up to `delimiter`; in a regular expression, brackets hide it.
    fn delimited(&mut self, delimiter: char, expression: bool) -> Option<()> {
        loop {
            match self.next()? {
                '\\' => drop(self.next()?),
                c if c == delimiter => return Some(()),
                '[' if expression => {
                    self.bracket()?;
                }
                _ => {}
            }
        }
    }

    /// The rest of a bracket expression (POSIX, 9.3.5).
    fn bracket(&mut self) -> Option<()> {
        for may_start in ['^', ']'] {
            self.at = self.at.saturating_add(usize::from(self.peek() == Some(may_start)));
        }
        loop {
            match self.next()? {
                ']' => return Some(()),
                '\n' => return None,
                '[' => {
                    if let Some(class @ (':' | '.' | '=')) = self.peek() {
                        self.at = self.at.saturating_add(1);
                        while !(self.next()? == class && self.peek() == Some(']')) {}
                        self.at = self.at.saturating_add(1);
                    }
                }
                _ => {}
            }
        }
    }

    /// Text to the end of the line, and the lines behind a backslash.
    fn text(&mut self) {
        while let Some(c) = self.next() {
            match c {
                '\\' => drop(self.next()),
                '\n' => return,
                _ => {}
            }
        }
    }

    /// A file name: all to the end of the line.
    fn file(&mut self) {
        self.skip(|c| matches!(c, ' ' | '\t'));
        let start = self.at;
        self.skip(|c| c != '\n');
        let name: String = self.chars.get(start..self.at).unwrap_or_default().iter().collect();
        match name.as_str() {
            "" | "/dev/stdin" | "/dev/stdout" | "/dev/stderr" => {}
            name if name.contains(HOLE) => self.found.push(Named::Unknown),
            _ => self.found.push(Named::File(name)),
        }
    }
}

/// The files that an `awk` program reads by `getline < FILE` (POSIX awk, input functions).
pub(super) fn of_awk(program: &str) -> Vec<Named> {
    if !program.contains("getline") {
        return vec![];
    }
    let mut found = vec![];
    for (at, _) in program.match_indices('<') {
        let behind = program.get(at.saturating_add(1)..).unwrap_or_default().trim_start();
        let literal = behind.strip_prefix('"').and_then(|rest| rest.split_once('"')).map(|(name, _)| name);
        let number = behind.starts_with(|c: char| c.is_ascii_digit() || c == '=');
        match literal.filter(|name| !name.contains(['\\', HOLE])) {
            Some(name) => found.push(Named::File(name.to_owned())),
            None if number => {}
            None => found.push(Named::Unknown),
        }
        if found.len() > MOST_FILES {
            return vec![Named::Unknown];
        }
    }
    found
}

/// How many files one program may name before they count as unknown.
const MOST_FILES: usize = 64;

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn names(found: Vec<Named>) -> Vec<String> {
        let name = |named| match named {
            Named::File(name) => name,
            Named::Unknown => "?".to_owned(),
        };
        found.into_iter().map(name).collect()
    }

    #[rstest]
    #[case::read("r x", &["x"])]
    #[case::glued("rx", &["x"])]
    #[case::read_lines("R x", &["x"])]
    #[case::write("$w x", &["x"])]
    #[case::write_a_line("1,3W x", &["x"])]
    #[case::in_braces("1,3{r x\n}", &["x"])]
    #[case::to_the_end_of_the_line("r x;p", &["x;p"])]
    #[case::behind_an_expression("/a[/]b/!r x", &["x"])]
    #[case::behind_another_delimiter("\\,a/b,r x", &["x"])]
    #[case::of_a_substitution("s/a/b/gw x", &["x"])]
    #[case::behind_a_substitution("s|a|w y|;w x", &["x"])]
    #[case::behind_text("a r y\nr x", &["x"])]
    #[case::behind_a_label(":a;N;ba;r x", &["x"])]
    #[case::computed("r \u{1}", &["?"])]
    #[case::step("0~4r x", &["x"])]
    #[case::no_end("s/a/w x", &["?"])]
    #[case::a_letter_in_an_expression("/r/p", &[])]
    #[case::in_a_replacement("s/a/w x/", &[])]
    #[case::text("a\\\nr x", &[])]
    #[case::output("w /dev/stdout", &[])]
    #[case::numbers("\u{1},5p", &[])]
    #[case::comment("# r x", &[])]
    fn the_files_of_sed_are_found(#[case] script: &str, #[case] expected: &[&str]) {
        assert_eq!(names(of_sed(script)), expected, "{script}");
    }

    #[rstest]
    #[case::read("{ getline x < \"f\" }", &["f"])]
    #[case::computed("{ while ((getline x < f) > 0) print x }", &["?"])]
    #[case::compared("{ getline; if (NR < 3) print }", &[])]
    #[case::no_input("$1 < x { print }", &[])]
    fn the_files_of_awk_are_found(#[case] program: &str, #[case] expected: &[&str]) {
        assert_eq!(names(of_awk(program)), expected, "{program}");
    }
}
