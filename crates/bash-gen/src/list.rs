//! Lists and pipelines (bash manual 3.2.3, 3.2.4).

use crate::Generator;

/// Whether a reserved word may follow a command without a separator: bash recognizes one behind `)`, `}`, `fi`, `done` and
/// `esac`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    Open,
    Closed,
}

impl Generator<'_> {
    /// Writes a list that `)` or the end of the text ends.
    pub(crate) fn list_to_end(&mut self) {
        self.list();
        match self.below(8) {
            6 => {
                self.blank();
                self.push(";");
            }
            7 => {
                self.blank();
                self.push("&");
            }
            _ => {}
        }
    }

    /// Writes a list that `word` ends.
    pub(crate) fn list_to_word(&mut self, word: &str) {
        let ended = self.list();
        if ended == Ended::Closed && self.rarely(4) {
            self.gap();
        } else {
            self.separator();
        }
        self.token(word);
    }

    /// Writes a list without what ends it.
    pub(crate) fn list(&mut self) -> Ended {
        self.nested(|this| {
            let mut ended = this.and_or();
            while this.another() {
                this.separator();
                ended = this.and_or();
            }
            ended
        })
    }

    /// Writes what ends a command so that anything may follow.
    fn separator(&mut self) {
        self.blank();
        match self.below(8) {
            0..4 => {
                self.push(";");
                self.blank();
            }
            4..7 if self.lines && !self.tame => {
                self.newline();
                self.blank();
            }
            4..7 => self.push("; "),
            _ => {
                self.push("&");
                self.gap();
            }
        }
    }

    fn and_or(&mut self) -> Ended {
        let mut ended = self.pipeline();
        while self.may_nest() && self.rarely(4) {
            self.blank();
            let operator = self.pick(&["&&", "||"]);
            self.token(operator);
            self.behind_operator();
            ended = self.pipeline();
        }
        ended
    }

    fn pipeline(&mut self) -> Ended {
        let first = std::mem::take(&mut self.first);
        if self.rarely(12) {
            self.prefix(first);
        }
        let mut ended = self.command();
        while self.may_nest() && self.rarely(5) {
            self.blank();
            let operator = self.pick(&["|", "|", "|", "|&"]);
            self.token(operator);
            self.behind_operator();
            ended = self.command();
        }
        ended
    }

    /// Writes what may stand between an operator and its second command.
    fn behind_operator(&mut self) {
        if self.lines && !self.tame && self.rarely(6) {
            self.newline();
        }
        self.blank();
    }

    /// Writes `!` and `time` before a pipeline.
    ///
    /// Bash 5.2 rejects `$(time { a; })`, so `time` is not the first word of a substitution.
    fn prefix(&mut self, first: bool) {
        let prefix = self.pick(&[&["!"][..], &["!", "!"], &["!", "time"], &["time"], &["time", "-p"], &["time", "--"]]);
        let prefix = if first { &["!"] } else { prefix };
        for word in prefix {
            self.token(word);
            self.gap();
        }
    }

    /// Writes a command.
    pub(crate) fn command(&mut self) -> Ended {
        if self.may_nest() && self.below(16) >= 11 {
            return self.compound_command();
        }
        self.simple();
        Ended::Open
    }
}
