//! `[[ … ]]` (bash manual 3.2.5.2 and 6.4).

use crate::Generator;
use crate::word::Place;

impl Generator<'_> {
    pub(crate) fn conditional(&mut self) {
        self.token("[[");
        self.condition_line();
        self.nested(Self::conditions);
        self.gap();
        self.token("]]");
    }

    fn conditions(&mut self) {
        self.condition();
        while self.rarely(3) {
            self.gap();
            let operator = self.pick(&["&&", "||"]);
            self.token(operator);
            self.condition_line();
            self.condition();
        }
    }

    /// Writes a newline, which bash skips before a condition, or a blank.
    fn condition_line(&mut self) {
        if self.lines && self.pending.is_empty() && !self.tame && self.rarely(8) {
            self.push("\n");
        } else {
            self.gap();
        }
    }

    fn condition(&mut self) {
        if self.rarely(8) {
            self.push("! ");
        }
        match self.below(12) {
            0..2 => {
                self.word(Place::Condition);
            }
            2..4 => {
                let operator = self.pick(&["-f", "-n", "-z", "-e"]);
                self.push(operator);
                self.gap();
                self.word(Place::Condition);
            }
            4 => {
                self.word(Place::Condition);
                let operator = self.pick(&[" < ", " > "]);
                self.push(operator);
                self.word(Place::Condition);
            }
            5..8 => {
                self.word(Place::Condition);
                let operator = self.pick(&[" == ", " = ", " != "]);
                self.push(operator);
                self.pattern();
            }
            8..10 => {
                self.word(Place::Condition);
                self.push(" =~ ");
                self.regular_expression();
            }
            10 if self.computed() => {
                self.word(Place::Condition);
                let operator = self.pick(&[" -eq ", " -lt ", " -ge "]);
                self.push(operator);
                self.word(Place::Condition);
            }
            10 => self.push("1 -eq 2"),
            _ if self.may_nest() => {
                self.push("( ");
                self.nested(Self::conditions);
                self.push(" )");
            }
            _ => self.push("a"),
        }
    }

    /// Writes a pattern; extended ones (3.5.8.1) are always on here.
    fn pattern(&mut self) {
        if !self.rarely(3) {
            self.word(Place::Condition);
            return;
        }
        let operator = self.pick(&["@(", "*(", "?(", "+(", "!("]);
        self.push(operator);
        self.group_content();
        self.push(")");
        if self.rarely(3) {
            self.push("*");
        }
    }

    fn regular_expression(&mut self) {
        let expression =
            self.pick(&["a", "^a.*$", "[0-9]+", "a|b", "(a|b)+", "^(a b)$", "\\(", "'a b'", "\"(\"", "b$"]);
        self.push(expression);
        if self.rarely(3) {
            if expression.ends_with('$') {
                self.push("|");
            }
            self.push("(");
            self.group_content();
            self.push(")");
        }
    }

    fn group_content(&mut self) {
        self.tamed(|this| {
            this.word(Place::Condition);
            if this.rarely(2) {
                this.push("|");
                this.word(Place::Condition);
            }
        });
    }
}
