//! Compound commands (bash manual 3.2.5), functions (3.3) and coprocesses (3.2.6).

use crate::Generator;
use crate::list::Ended;
use crate::word::Place;

const VARIABLES: [&str; 4] = ["x", "y", "_i", "in"];
const FUNCTIONS: [&str; 4] = ["f", "g_1", "my-fn", "h.i"];

impl Generator<'_> {
    /// Writes a compound command or what contains one, with its redirections.
    pub(crate) fn compound_command(&mut self) -> Ended {
        self.spend();
        if self.tame {
            self.group();
            return Ended::Closed;
        }
        match self.below(32) {
            30 => return self.coprocess(),
            27..30 => self.function(),
            kind => self.compound(kind),
        }
        self.compound_redirects()
    }

    fn compound_redirects(&mut self) -> Ended {
        let mut ended = Ended::Closed;
        while self.rarely(6) {
            self.gap();
            self.redirect(false);
            ended = Ended::Open;
        }
        ended
    }

    fn compound(&mut self, kind: usize) {
        match kind {
            0..4 => self.group(),
            4..8 => self.subshell(),
            8..12 => self.if_command(),
            12..15 => self.while_command(),
            15..18 => self.for_command(),
            18 => self.arithmetic_for(),
            19..23 => self.case_command(),
            23..25 => self.conditional(),
            25 => self.arithmetic_command(),
            _ => self.nested_subshells(),
        }
    }

    fn group(&mut self) {
        self.push("{");
        self.line_or_gap();
        self.list_to_word("}");
    }

    fn subshell(&mut self) {
        self.push("(");
        let inside = self.out.len();
        if self.lines && !self.tame && self.rarely(8) {
            self.newline();
        }
        self.list_to_parenthesis(inside);
    }

    /// Writes a list and the parenthesis that ends it, where the text behind the opening one starts at `inside`.
    pub(crate) fn list_to_parenthesis(&mut self, inside: usize) {
        self.blank();
        self.list_to_end();
        if !self.pending.is_empty() {
            self.newline();
        }
        self.blank();
        self.push(")");
        // Two parentheses would be read as arithmetic first.
        self.part(inside, &['(']);
    }

    /// Writes two subshells whose parentheses touch: bash finds no `))` for them and so no arithmetic.
    fn nested_subshells(&mut self) {
        self.push("((");
        self.plain_command();
        self.push(") ");
        let operator = self.pick(&["&&", "||", ";", "|"]);
        self.push(operator);
        self.push(" ");
        self.plain_command();
        // Behind a parenthesis that closes what is around, they would be arithmetic.
        self.push(") ");
    }

    fn if_command(&mut self) {
        self.token("if");
        self.line_or_gap();
        self.list_to_word("then");
        while self.rarely(5) {
            self.line_or_gap();
            self.list_to_word("elif");
            self.line_or_gap();
            self.list_to_word("then");
        }
        self.line_or_gap();
        if self.rarely(3) {
            self.list_to_word("else");
            self.line_or_gap();
        }
        self.list_to_word("fi");
    }

    fn while_command(&mut self) {
        let word = self.pick(&["while", "until"]);
        self.token(word);
        self.line_or_gap();
        self.list_to_word("do");
        self.line_or_gap();
        self.list_to_word("done");
    }

    fn for_command(&mut self) {
        let word = self.pick(&["for", "for", "for", "select"]);
        self.token(word);
        self.gap();
        let name = self.pick(&VARIABLES);
        self.push(name);
        let braces = match self.below(6) {
            0..3 => {
                if self.cased {
                    self.gap();
                } else {
                    self.line_or_gap();
                }
                self.for_words(name);
                true
            }
            3 => {
                self.record.assign(name, None);
                self.push(";");
                self.line_or_gap();
                true
            }
            4 if self.lines => {
                self.record.assign(name, None);
                self.newline();
                false
            }
            _ => {
                self.record.assign(name, None);
                self.gap();
                false
            }
        };
        self.loop_body(braces);
    }

    fn for_words(&mut self, name: &str) {
        self.token("in");
        let position = self.record.assignments.len();
        let mut values = Vec::new();
        while self.below(3) != 0 {
            self.gap();
            values.extend(self.word(Place::Listed));
        }
        let value = match <[Option<String>; 1]>::try_from(values) {
            Ok([only]) => only,
            Err(_) => None,
        };
        self.record.assign(name, value);
        if let Some(assigned) = self.record.assignments.get_mut(position..) {
            assigned.rotate_right(1);
        }
        self.blank();
        if self.lines && self.rarely(3) {
            self.newline();
        } else {
            self.push(";");
        }
        self.line_or_gap();
    }

    fn loop_body(&mut self, braces: bool) {
        if braces && self.rarely(6) {
            return self.group();
        }
        self.token("do");
        self.line_or_gap();
        self.list_to_word("done");
    }

    fn arithmetic_for(&mut self) {
        self.token("for");
        self.blank();
        self.push("((");
        for end in ["; ", "; ", "))"] {
            if self.below(4) != 0 {
                self.expression();
            }
            self.push(end);
        }
        let separator = self.pick(&["; ", ";\n", "\n", " "]);
        if separator.contains('\n') && (!self.lines || !self.pending.is_empty()) {
            self.push("; ");
        } else {
            self.push(separator);
        }
        self.loop_body(true);
    }

    fn case_command(&mut self) {
        self.cased = true;
        self.token("case");
        self.gap();
        self.word(Place::Case);
        self.line_or_gap();
        self.token("in");
        self.line_or_gap();
        let mut open = false;
        while self.below(3) != 0 {
            self.case_patterns();
            self.line_or_blank();
            if self.below(4) != 0 {
                self.list();
                open = true;
            }
            if self.rarely(6) {
                break;
            }
            self.blank();
            let terminator = self.pick(&[";;", ";;", ";;", ";&", ";;&"]);
            self.token(terminator);
            self.line_or_blank();
            open = false;
        }
        if open {
            self.push(";");
            self.line_or_blank();
        }
        self.token("esac");
    }

    fn case_patterns(&mut self) {
        if self.rarely(3) {
            self.push("(");
            self.blank();
        }
        self.word(Place::Case);
        while self.rarely(4) {
            self.blank();
            self.push("|");
            self.blank();
            self.word(Place::Case);
        }
        self.blank();
        self.push(")");
    }

    fn line_or_blank(&mut self) {
        if self.lines && self.rarely(3) {
            self.newline();
        }
        self.blank();
    }

    fn arithmetic_command(&mut self) {
        self.push("((");
        self.expression();
        self.push("))");
    }

    fn function(&mut self) {
        let name = self.pick(&FUNCTIONS);
        if self.rarely(3) {
            self.token("function");
            self.gap();
            self.push(name);
            if self.rarely(2) {
                self.blank();
                self.push("()");
            } else {
                self.push(" ");
            }
        } else {
            self.push(name);
            self.blank();
            let parentheses = self.pick(&["()", "( )", "(\\\n)"]);
            self.push(parentheses);
        }
        self.line_or_gap();
        let kind = if self.rarely(3) { self.below(26) } else { 0 };
        self.compound(kind);
    }

    fn coprocess(&mut self) -> Ended {
        self.token("coproc");
        self.gap();
        if self.rarely(2) {
            self.plain_command();
            return Ended::Open;
        }
        if self.rarely(2) {
            self.push("NAME ");
        }
        let kind = self.below(25);
        self.compound(kind);
        self.compound_redirects()
    }
}
