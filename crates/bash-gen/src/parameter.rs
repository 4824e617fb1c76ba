//! Parameter expansions with operators (bash manual 3.5.3).

use crate::Generator;
use crate::expansion::Quoting;

impl Generator<'_> {
    /// Writes `${…}`.
    pub(crate) fn parameter(&mut self, quoting: Quoting) {
        if self.rarely(8) {
            let whole = if self.computed() {
                self.pick(&["${!x}", "${x@P}", "${!x:-a}", "${!1}"])
            } else {
                self.pick(&[
                    "${#x}", "${#x[@]}", "${!x@}", "${!x*}", "${!x[@]}", "${x@Q}", "${x[@]@A}", "${#}", "${#*}",
                ])
            };
            return self.push(whole);
        }
        self.push("${");
        let name = self.pick(&["x", "y", "1", "@", "_v", "*", "?", "10"]);
        self.push(name);
        if matches!(name, "x" | "y") && self.rarely(4) {
            let list = self.pick(&["", "[@]", "[*]"]);
            if list.is_empty() {
                self.subscript();
            } else {
                self.push(list);
            }
        }
        match self.below(12) {
            0..6 => self.default_value(quoting),
            6..8 => self.pattern_removal(quoting),
            8..10 => self.replacement(quoting),
            10 => {
                let operator = self.pick(&["^", "^^", ",", ",,"]);
                self.push(operator);
                self.operand_text(quoting, true);
            }
            _ => self.slice(),
        }
        self.push("}");
    }

    fn default_value(&mut self, quoting: Quoting) {
        let operator = self.pick(&[":-", "-", ":+", "+", ":=", "=", ":?", "?"]);
        self.push(operator);
        self.operand_text(quoting, false);
    }

    fn pattern_removal(&mut self, quoting: Quoting) {
        let operator = self.pick(&["#", "##", "%", "%%"]);
        self.push(operator);
        self.operand_text(quoting, true);
    }

    fn replacement(&mut self, quoting: Quoting) {
        let operator = self.pick(&["/", "//", "/#", "/%"]);
        self.push(operator);
        // An empty pattern would leave the slash to be read as a part of the operator.
        self.push("a");
        self.operand_text(quoting, true);
        if self.rarely(2) {
            self.push("/");
            self.operand_text(quoting, true);
        }
    }

    fn slice(&mut self) {
        let offset = self.pick(&[":1", ": -1", ":(1)", ":1:2", ":1+1: -2"]);
        self.push(offset);
        if self.computed() && self.rarely(2) {
            self.push("+");
            self.expression();
        }
    }

    /// Writes the word behind an operator. Where quotes are around, single quotes quote in a pattern only.
    fn operand_text(&mut self, quoting: Quoting, pattern: bool) {
        while self.below(3) != 0 {
            match self.below(8) {
                0..2 => {
                    let text = self.pick(&["a", "b c", "# no", "; d", "\\}", "*", "(e)", "é", "\n"]);
                    self.push(text);
                }
                2..5 if self.may_nest() => self.expansion(quoting),
                5 if quoting == Quoting::Bare => {
                    self.double_quoted();
                }
                6 if quoting == Quoting::Bare => {
                    let text = self.pick(&["'}'", "'$(evil)'", "$'\\'}'", "'\"'", "'a\nb'"]);
                    self.push(text);
                }
                7 if quoting == Quoting::Bare => self.process_substitution(),
                6 if quoting == Quoting::Double => {
                    let text = self.pick(&["'a'", "\"a b\"", "'it is'"]);
                    self.push(text);
                }
                7 if quoting == Quoting::Double && !pattern && self.may_nest() => {
                    // Bash finds the end by the quotes, and takes them for text later.
                    self.push("'");
                    self.tamed(|this| this.expansion(quoting));
                    self.push("'");
                }
                _ => self.push("z"),
            }
        }
    }
}
