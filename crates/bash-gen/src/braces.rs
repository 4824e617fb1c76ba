//! Brace expansion (bash manual 3.5.1).

use crate::expansion::Quoting;
use crate::{Argv, Generator};

/// Sequences, and what they expand to.
const SEQUENCES: [(&str, &[&str]); 5] = [
    ("{1..3}", &["1", "2", "3"]),
    ("{a..c}", &["a", "b", "c"]),
    ("{03..1}", &["03", "02", "01"]),
    ("{1..7..3}", &["1", "4", "7"]),
    ("{-1..1}", &["-1", "0", "1"]),
];

impl Generator<'_> {
    /// Writes a brace expression, and returns what it expands to.
    pub(crate) fn braces(&mut self) -> Argv {
        if self.rarely(3) {
            let (typed, values) = self.pick(&SEQUENCES);
            self.push(typed);
            return values.iter().map(|value| Some((*value).to_owned())).collect();
        }
        self.push("{");
        let mut values = self.alternative();
        loop {
            self.push(",");
            values.extend(self.alternative());
            if !self.rarely(3) {
                break;
            }
        }
        self.push("}");
        values
    }

    fn alternative(&mut self) -> Argv {
        match self.below(8) {
            0..4 => {
                let text = self.pick(&["a", "b", "-rf", "evil", ""]);
                self.push(text);
                vec![Some(text.to_owned())]
            }
            4 => {
                let (typed, value) = self.pick(&[("'x y'", "x y"), ("\",}\"", ",}"), ("\\,", ","), ("\\}", "}")]);
                self.push(typed);
                vec![Some(value.to_owned())]
            }
            5 if self.may_nest() => self.nested(Self::braces),
            6 if self.may_nest() => {
                self.tamed(|this| this.expansion(Quoting::Bare));
                vec![None]
            }
            _ => {
                self.push("z");
                vec![Some("z".to_owned())]
            }
        }
    }
}
