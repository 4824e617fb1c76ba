//! Quoting (bash manual 3.1.2): ways to write the same value.

use crate::Generator;
use crate::expansion::Quoting;
use crate::word::Place;

/// Text between double quotes, as typed, and what it means.
const QUOTED: [(&str, &str); 16] = [
    ("a", "a"),
    ("a b", "a b"),
    ("it's", "it's"),
    ("\\\"", "\""),
    ("\\\\", "\\"),
    ("\\$x", "$x"),
    ("\\`evil\\`", "`evil`"),
    ("\\a", "\\a"),
    ("# ; evil", "# ; evil"),
    ("<(evil)", "<(evil)"),
    ("a\nb", "a\nb"),
    ("\r", "\r"),
    ("{a,b}*~", "{a,b}*~"),
    ("$ ", "$ "),
    ("a\\\nb", "ab"),
    (") } fi", ") } fi"),
];

impl Generator<'_> {
    /// Writes `text` as a part of a word, in any mix of quotes.
    pub(crate) fn literal(&mut self, text: &str, place: Place) {
        if text.is_empty() {
            let quotes = self.pick(&["''", "\"\"", "$''"]);
            return self.push(quotes);
        }
        let characters: Vec<char> = text.chars().collect();
        let whole = self.below(3) != 2;
        let mut rest = characters.as_slice();
        while !rest.is_empty() {
            let length = if whole { rest.len() } else { 1 + self.below(rest.len()) };
            let (piece, behind) = rest.split_at_checked(length).unwrap_or((rest, &[]));
            let piece: String = piece.iter().collect();
            let style = self.below(8);
            // An operator of `[[ … ]]` is one only without quotes.
            let bare = match place {
                Place::Program => false,
                Place::Condition => !piece.starts_with('-'),
                Place::Argument | Place::Target | Place::Value | Place::Element | Place::Listed | Place::Case => true,
            };
            if style < 4 && bare && piece.chars().all(is_bare) {
                self.push(&piece);
            } else {
                self.quoted_in(style, &piece);
            }
            rest = behind;
        }
    }

    /// Writes `text` with quotes around it or in it.
    pub(crate) fn quoted_literal(&mut self, text: &str) {
        let style = self.below(8);
        self.quoted_in(style, text);
    }

    fn quoted_in(&mut self, style: usize, text: &str) {
        match style {
            4 => self.in_double_quotes(text, "\""),
            5 => self.in_double_quotes(text, "$\""),
            6 => self.in_ansi_c_quotes(text),
            7 if !text.contains('\n') => text.chars().for_each(|character| self.escaped(character)),
            _ if text.contains('\'') || text.contains("\\\n") => self.in_double_quotes(text, "\""),
            _ => {
                self.push("'");
                self.push(text);
                self.push("'");
            }
        }
    }

    fn escaped(&mut self, character: char) {
        self.push("\\");
        self.out.push(character);
    }

    fn in_double_quotes(&mut self, text: &str, open: &str) {
        self.push(open);
        for character in text.chars() {
            if matches!(character, '"' | '\\' | '$' | '`') {
                self.push("\\");
            }
            self.out.push(character);
        }
        self.push("\"");
    }

    /// Writes `$'…'` (3.1.2.4).
    fn in_ansi_c_quotes(&mut self, text: &str) {
        self.push("$'");
        for character in text.chars() {
            match (character, u8::try_from(character).ok().filter(u8::is_ascii)) {
                ('\'' | '\\', _) => self.escaped(character),
                ('\n', _) => self.push("\\n"),
                (_, Some(byte)) if self.rarely(6) => {
                    let escape = match self.below(3) {
                        0 => format!("\\x{byte:02x}"),
                        1 => format!("\\{byte:03o}"),
                        _ => format!("\\u{byte:04x}"),
                    };
                    self.push(&escape);
                }
                _ => self.out.push(character),
            }
        }
        self.push("'");
    }

    /// Writes a double-quoted piece, and returns its value where it is literal.
    pub(crate) fn double_quoted(&mut self) -> Option<String> {
        let open = self.pick(&["\"", "\"", "\"", "$\""]);
        self.push(open);
        let mut value = Some(String::new());
        while self.below(3) != 0 {
            if self.may_nest() && self.rarely(2) {
                self.expansion(Quoting::Double);
                value = None;
            } else {
                let (typed, meant) = self.pick(&QUOTED);
                self.push(typed);
                value = value.map(|value| value + meant);
            }
        }
        self.push("\"");
        value
    }
}

/// Whether the character may stand anywhere in a word without quotes.
fn is_bare(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '.' | '/' | 'é' | '日' | '本')
}
