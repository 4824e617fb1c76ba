//! Expansions (bash manual 3.5): parameters, substitutions and arithmetic.

use crate::Generator;

/// What is around an expansion.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quoting {
    Bare,
    /// Between double quotes.
    Double,
    /// In the body of a here-document.
    Body,
}

impl Generator<'_> {
    /// Writes an expansion.
    pub(crate) fn expansion(&mut self, quoting: Quoting) {
        if !self.may_nest() {
            return self.simple_parameter();
        }
        match self.below(16) {
            0..3 => self.simple_parameter(),
            3..8 => self.command_substitution(),
            8..11 => self.backticks(),
            11..14 if !self.tame => self.nested(|this| this.parameter(quoting)),
            14 => {
                self.push("$((");
                self.expression();
                self.push("))");
            }
            15 => {
                self.push("$[");
                self.expression();
                self.push("]");
            }
            _ => self.simple_parameter(),
        }
    }

    fn simple_parameter(&mut self) {
        let parameter = self.pick(&["$x", "${x}", "$1", "$?", "$@", "$#", "$$", "$_v", "${10}", "$-", "$!", "$*"]);
        self.push(parameter);
    }

    /// Writes `$(…)` (3.5.4).
    fn command_substitution(&mut self) {
        self.push("$");
        if self.rarely(16) && !self.tame {
            self.continuation();
        }
        self.push("(");
        if self.rarely(12) {
            self.push("<f)");
            return self.record.redirect("<", Some("f".to_owned()));
        }
        self.substituted();
    }

    /// Writes `<(…)` or `>(…)` (3.5.6).
    pub(crate) fn process_substitution(&mut self) {
        if !self.may_nest() {
            return self.simple_parameter();
        }
        let open = self.pick(&["<(", ">("]);
        self.push(open);
        self.substituted();
    }

    fn substituted(&mut self) {
        let inside = self.out.len();
        self.substitutions += 1;
        self.first = true;
        self.enclosed(|this| {
            if this.tame {
                this.nested(Self::list);
                this.push(")");
                // Two parentheses would be read as arithmetic first.
                this.part(inside, &['(']);
            } else {
                this.list_to_parenthesis(inside);
            }
        });
        self.substitutions -= 1;
    }

    /// Writes a text of its own, in which newlines do not reach the here-documents that wait outside.
    fn enclosed(&mut self, inner: impl FnOnce(&mut Self)) {
        let pending = std::mem::take(&mut self.pending);
        let lines = self.lines;
        self.lines &= pending.is_empty();
        inner(self);
        self.lines = lines;
        self.pending = pending;
    }

    /// Writes a backtick substitution (3.5.4): inside, backslashes and backticks need a backslash.
    fn backticks(&mut self) {
        let mut text = String::new();
        // Bash reads this text on its own, when it runs it.
        let substitutions = std::mem::take(&mut self.substitutions);
        self.enclosed(|this| {
            let plain = this.tame || this.below(3) != 2;
            text = this.apart(|this| {
                if plain {
                    this.tamed(Self::list_to_end);
                } else {
                    this.list_to_end();
                }
                if !this.pending.is_empty() {
                    this.newline();
                }
            });
        });
        self.substitutions = substitutions;
        self.push("`");
        for character in text.chars() {
            if matches!(character, '\\' | '`') {
                self.push("\\");
            }
            self.out.push(character);
        }
        self.push("`");
    }

    /// Writes an arithmetic expression (6.5).
    pub(crate) fn expression(&mut self) {
        self.nested(|this| {
            this.operand();
            while this.rarely(3) {
                let operator = this.pick(&[" + ", "*", " - ", " << ", " < ", " && ", " , ", " ? 1 : ", "**", "|", "%"]);
                this.push(operator);
                this.operand();
            }
        });
    }

    fn operand(&mut self) {
        match self.below(12) {
            10 if self.may_nest() => {
                self.push("(");
                self.expression();
                self.push(")");
            }
            8..10 if self.computed() && self.may_nest() => self.tamed(|this| this.expansion(Quoting::Double)),
            7 if self.computed() => {
                let operand = self.pick(&["x", "$x", "${x}", "x[0]", "x++", "y = 2", "$1"]);
                self.push(operand);
            }
            11 => {
                let operand = self.pick(&["-1", "!0", "~2", "16#ff", "0x1f", "$#", "$?", "${#x}"]);
                self.push(operand);
            }
            _ => {
                let operand = self.pick(&["1", "2", "0", "42"]);
                self.push(operand);
            }
        }
    }
}
