//! Words (POSIX Shell Command Language 2.3): pieces of every kind, glued together.

use crate::expansion::Quoting;
use crate::{Argv, Generator};

/// Where a word stands, which decides what is special in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Program,
    Argument,
    /// Of a redirection.
    Target,
    /// Of an assignment.
    Value,
    /// Of a compound assignment.
    Element,
    /// Behind `in` of `for` or `select`.
    Listed,
    /// The word or a pattern of `case`.
    Case,
    /// An operand in `[[ … ]]`.
    Condition,
}

/// Values of literal words; any of them may be meant.
const VALUES: [&str; 34] = [
    "a", "b", "x.txt", "-n", "--flag=v", "/tmp/a", "2", "12", "done", "evil", "hello world", "it's", "say \"hi\"",
    "# no", ";evil", "$(evil)", "`evil`", "a\nb", "\r", "\u{b}x", "\\", "*", "é", "日本", "", "{a,b}", "~", "$x",
    "(evil)", "&&", "\u{a0}", "\u{1}", "<(evil)", "a\tb",
];
/// Arguments as typed, which mean themselves though each holds a character that means something elsewhere.
const ODD: [&str; 24] = [
    "{", "}", "!", "[[", "]]", "[", "]", "{}", "%1", "^", "a#b", "=b", "a==b", ":", "+x", "@", "--", "-", "{a}", "a,b",
    "..", "do", "fi", "in",
];

/// Writes an argument that looks like syntax, at times.
pub(crate) fn odd_word(generator: &mut Generator<'_>) -> Option<&'static str> {
    if !generator.rarely(10) {
        return None;
    }
    let word = generator.pick(&ODD);
    generator.push(word);
    Some(word)
}

/// Puts `next` behind each of `values`, as bash does for what braces expand to.
fn append(values: &Argv, next: &Argv) -> Argv {
    let join = |head: &Option<String>, tail: &Option<String>| Some(head.as_ref()?.clone() + tail.as_ref()?);
    values.iter().flat_map(|head| next.iter().map(move |tail| join(head, tail))).collect()
}

impl Generator<'_> {
    /// Writes a word and returns what it expands to: one value, or several where it has braces.
    pub(crate) fn word(&mut self, place: Place) -> Argv {
        if self.tame {
            return vec![self.tame_word()];
        }
        let mut values = vec![Some(String::new())];
        let mut braces_alone = true;
        let mut pieces = 1 + self.below(3).saturating_sub(usize::from(self.below(2) == 0));
        if self.rarely(10) && !matches!(place, Place::Case | Place::Condition) {
            self.tilde();
            braces_alone = false;
            values = vec![None];
            pieces -= 1;
        }
        for piece in 0..pieces {
            let at = self.out.len();
            let next = self.piece(place, piece + 1 == pieces);
            braces_alone &= self.out.get(at..).is_some_and(|typed| typed.starts_with('{'));
            values = append(&values, &next);
        }
        if braces_alone {
            // Without quotes, an empty alternative makes no word.
            values.retain(|value| value.as_deref() != Some(""));
        }
        values
    }

    /// Writes a tilde-prefix (bash manual 3.5.2), and what ends it.
    fn tilde(&mut self) {
        let prefix = self.pick(&["~/", "~/.x/", "~+/", "~user/"]);
        self.push(prefix);
    }

    fn tame_word(&mut self) -> Option<String> {
        if self.may_nest() && self.rarely(3) {
            self.expansion(Quoting::Bare);
            return None;
        }
        let word = self.pick(&["a", "x1", "b.c"]);
        self.push(word);
        Some(word.to_owned())
    }

    /// Writes a word that only execution can tell.
    pub(crate) fn dynamic_word(&mut self) -> Option<String> {
        self.expansion(Quoting::Bare);
        None
    }

    /// Writes a literal word.
    pub(crate) fn literal_word(&mut self, place: Place) -> Option<String> {
        let value = self.pick(&VALUES);
        self.literal(value, place);
        Some(value.to_owned())
    }

    fn piece(&mut self, place: Place, last: bool) -> Argv {
        let splits = matches!(place, Place::Argument | Place::Listed | Place::Element);
        match self.below(24) {
            0..9 => vec![self.literal_word(place)],
            9..13 => vec![self.double_quoted()],
            13..18 => {
                self.expansion(Quoting::Bare);
                vec![None]
            }
            18 if place != Place::Value => {
                self.process_substitution();
                vec![None]
            }
            19 if splits => self.braces(),
            20 if place != Place::Case && place != Place::Condition => {
                let pattern = self.pick(&["*", "?", "[ab]", "[!a-z]", "*.x"]);
                // A bracket at the start of an element would be its subscript.
                self.push(if place == Place::Element { "?" } else { pattern });
                vec![if place == Place::Value { Some(pattern.to_owned()) } else { None }]
            }
            21 if last => {
                self.push("a$");
                vec![Some("a$".to_owned())]
            }
            22 => {
                self.push("a");
                self.continuation();
                self.push("b");
                vec![Some("ab".to_owned())]
            }
            _ => {
                let text = self.pick(&["a", "b#", "c!", "d%", "e^", "f@", "g+", "h:", "i="]);
                self.push(text);
                vec![Some(text.to_owned())]
            }
        }
    }
}
