//! Simple commands (bash manual 3.2.2) and assignments (3.4, 6.7).

use crate::word::{Place, odd_word};
use crate::{Argv, Generator};

/// Programs that mean nothing.
const PROGRAMS: [&str; 8] = ["ok", "ok2", "evil", "a", "b", "c", "x1", "ok.sh"];
/// Names that are reserved words where they stand unquoted; quoted they are programs.
const RESERVED: [&str; 8] = ["if", "do", "done", "{", "}", "!", "time", "[["];
const NAMES: [&str; 6] = ["x", "y", "_v", "A1", "LONG_name", "if"];

impl Generator<'_> {
    /// Writes a simple command.
    pub(crate) fn simple(&mut self) {
        self.spend();
        if self.tame {
            return self.plain_command();
        }
        let mut lead = 0;
        // Behind a redirection that follows an assignment, bash reads no compound assignment.
        let (mut assigned, mut arrays) = (false, true);
        while lead < 3 && self.rarely(5) {
            if lead > 0 {
                self.gap();
            }
            if self.rarely(2) {
                self.redirect(false);
                arrays &= !assigned;
            } else {
                self.assignment(arrays);
                assigned = true;
            }
            lead += 1;
        }
        if lead > 0 {
            if self.rarely(3) {
                return;
            }
            self.gap();
        }
        match self.below(32) {
            29 => self.test(),
            30 => self.declaration(arrays),
            31 => self.trap(),
            _ => self.invocation(),
        }
    }

    /// Writes a program and arguments that are plain words.
    pub(crate) fn plain_command(&mut self) {
        self.spend();
        let begun = self.record.begin();
        let program = self.pick(&PROGRAMS);
        self.push(program);
        let mut argv = vec![Some(program.to_owned())];
        while self.rarely(3) {
            self.push(" ");
            let argument = self.pick(&["x", "-y", "a/b", "2"]);
            self.push(argument);
            argv.push(Some(argument.to_owned()));
        }
        self.record.finish(begun, argv);
    }

    fn invocation(&mut self) {
        let begun = self.record.begin();
        let mut argv = self.program_word();
        while self.below(3) != 0 {
            if self.rarely(5) {
                if !(self.may_touch() && self.rarely(3)) {
                    self.gap();
                }
                argv.extend(self.redirect(true));
                continue;
            }
            self.gap();
            match odd_word(self) {
                Some(word) => argv.push(Some(word.to_owned())),
                None => argv.extend(self.word(Place::Argument)),
            }
        }
        self.record.finish(begun, argv);
    }

    /// Whether a redirection may touch the word before it: not where that could be read as its descriptor.
    fn may_touch(&self) -> bool {
        let start = self.out.rfind([' ', '\t', '\n', ';', '&', '|', '(', ')', '<', '>']).map_or(0, |at| at + 1);
        let word = self.out.get(start..).unwrap_or_default();
        let letters = word.bytes().all(|byte| byte.is_ascii_alphanumeric());
        letters && word.bytes().any(|byte| byte.is_ascii_alphabetic())
    }

    fn program_word(&mut self) -> Argv {
        if self.computed() && self.rarely(6) {
            return vec![self.dynamic_word()];
        }
        if self.rarely(24) {
            let name = self.pick(&RESERVED);
            self.quoted_literal(name);
            return vec![Some(name.to_owned())];
        }
        let name = self.pick(&PROGRAMS);
        if self.rarely(4) {
            self.literal(name, Place::Program);
        } else {
            self.token(name);
        }
        vec![Some(name.to_owned())]
    }

    /// Writes `[ … ]`, whose words a value could make an operator of; none here does.
    fn test(&mut self) {
        let begun = self.record.begin();
        self.push("[");
        let mut argv = vec![Some("[".to_owned())];
        let operators = self.pick(&[&[][..], &["-f"], &["!", "-n"], &["=", ""], &["!=", ""]]);
        let binary = operators.contains(&"");
        if binary {
            argv.push(self.test_operand());
        }
        for operator in operators.iter().filter(|operator| !operator.is_empty()) {
            self.gap();
            self.push(operator);
            argv.push(Some((*operator).to_owned()));
        }
        argv.push(self.test_operand());
        self.gap();
        self.push("]");
        argv.push(Some("]".to_owned()));
        self.record.finish(begun, argv);
    }

    fn test_operand(&mut self) -> Option<String> {
        self.gap();
        if self.rarely(2) { self.double_quoted() } else { self.literal_word(Place::Argument) }
    }

    /// Writes a declaration command, whose arguments may be compound assignments (4.2).
    fn declaration(&mut self, arrays: bool) {
        let begun = self.record.begin();
        let program = self.pick(&["declare", "export", "readonly", "local", "typeset"]);
        self.push(program);
        let mut argv = vec![Some(program.to_owned())];
        if self.rarely(3) {
            self.push(" -a");
            argv.push(Some("-a".to_owned()));
        }
        loop {
            self.gap();
            let name = self.pick(&NAMES);
            self.push(name);
            match self.below(3) {
                0 => {
                    self.push("=");
                    let value = self.word_value();
                    argv.push(value.map(|value| format!("{name}={value}")));
                }
                1 => argv.push(Some(name.to_owned())),
                _ if arrays => {
                    let operator = self.pick(&["=", "+="]);
                    self.push(operator);
                    self.array();
                    argv.push(None);
                }
                _ => argv.push(Some(name.to_owned())),
            }
            if !self.rarely(4) {
                break;
            }
        }
        self.record.finish(begun, argv);
    }

    fn word_value(&mut self) -> Option<String> {
        if self.rarely(3) { self.double_quoted() } else { self.literal_word(Place::Value) }
    }

    /// Writes `trap` with a text that bash evaluates on a signal (4.1).
    fn trap(&mut self) {
        let begun = self.record.begin();
        self.push("trap '");
        let lines = std::mem::replace(&mut self.lines, false);
        let at = self.out.len();
        self.tamed(|this| this.nested(Self::list_to_end));
        self.lines = lines;
        let text = self.out.get(at..).unwrap_or_default().to_owned();
        self.push("' EXIT");
        self.record.finish(begun, vec![Some("trap".to_owned()), Some(text), Some("EXIT".to_owned())]);
    }

    /// Writes an assignment.
    fn assignment(&mut self, arrays: bool) {
        let name = self.pick(&NAMES);
        self.token(name);
        let subscript = self.rarely(6);
        if subscript {
            self.subscript();
        }
        let operator = self.pick(&["=", "=", "=", "+="]);
        self.token(operator);
        let position = self.record.assignments.len();
        let value = match self.below(8) {
            0 => Some(String::new()),
            7 if !subscript && arrays => {
                self.array();
                None
            }
            _ => self.word(Place::Value).into_iter().next().flatten(),
        };
        self.record.assign(name, value);
        if let Some(assigned) = self.record.assignments.get_mut(position..) {
            assigned.rotate_right(1);
        }
    }

    /// Writes `[…]` of an assignment, an element or an expansion.
    pub(crate) fn subscript(&mut self) {
        self.push("[");
        if self.computed() && self.rarely(2) {
            self.tamed(Self::expression);
        } else {
            let index = self.pick(&["0", "12", "1+1", "-1"]);
            self.push(index);
        }
        self.push("]");
    }

    /// Writes the words of a compound assignment (6.7).
    fn array(&mut self) {
        if self.substitutions > 0 {
            return self.tamed(Self::elements);
        }
        self.elements();
    }

    fn elements(&mut self) {
        self.push("(");
        while self.below(3) != 0 {
            self.element_line();
            if self.rarely(6) {
                self.subscript();
                self.push("=");
                self.word(Place::Value);
            } else {
                self.word(Place::Element);
            }
        }
        self.blank();
        self.push(")");
    }

    fn element_line(&mut self) {
        if self.lines && self.pending.is_empty() && !self.tame && self.rarely(6) {
            let line = self.pick(&["\n", " # it's ) $(evil)\n", "\n\n\t"]);
            self.push(line);
        } else {
            self.gap();
        }
    }
}
