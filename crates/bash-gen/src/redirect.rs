//! Redirections (bash manual 3.6).

use crate::word::Place;
use crate::{Argv, Generator};

const DESCRIPTORS: [&str; 8] = ["1", "2", "0", "3", "9", "12", "{x}", "{_fd}"];
const FILES: [&str; 4] = ["f", "out.txt", "/dev/null", "a-"];

impl Generator<'_> {
    /// Writes a redirection; returns the words that it turned out to hold, in a simple command.
    pub(crate) fn redirect(&mut self, in_simple: bool) -> Argv {
        match self.below(16) {
            0..6 => self.file_redirect(),
            6..8 => self.both_redirect(),
            8..12 => return self.duplication(in_simple),
            12 => {
                self.descriptor();
                self.aimed("<<<", "<<<");
            }
            _ if self.lines && !self.tame => {
                self.descriptor();
                self.heredoc();
            }
            _ => self.file_redirect(),
        }
        Argv::new()
    }

    /// Writes a descriptor, or none; it is a word of its own only where a blank or an operator stands before it.
    fn descriptor(&mut self) {
        let touches = self.out.ends_with(|last: char| last.is_ascii_alphanumeric());
        if !touches && self.rarely(3) {
            let descriptor = self.pick(&DESCRIPTORS);
            self.token(descriptor);
        }
    }

    fn file_redirect(&mut self) {
        self.descriptor();
        let operator = self.pick(&[">", "<", ">>", ">|", "<>"]);
        self.aimed(operator, operator);
    }

    fn both_redirect(&mut self) {
        let operator = self.pick(&["&>", "&>>"]);
        self.aimed(operator, operator);
    }

    /// Writes `written`, which means `operator`, and its target.
    fn aimed(&mut self, written: &str, operator: &'static str) {
        if written.starts_with('&') && self.out.trim_end_matches("\\\n").ends_with([';', '|', '&']) {
            // `;&` and `|&` are operators.
            self.push(" ");
        }
        self.token(written);
        let behind = self.out.len();
        self.blank();
        let position = self.record.redirects.len();
        let target = self.word(Place::Target).into_iter().next().flatten();
        self.part(behind, &['<', '>', '&', '-']);
        self.record.redirect(operator, target);
        self.put_first(position);
    }

    /// Moves the redirection noted last before those that its target holds.
    pub(crate) fn put_first(&mut self, position: usize) {
        if let Some(noted) = self.record.redirects.get_mut(position..) {
            noted.rotate_right(1);
        }
    }

    /// Writes a duplication, a move or a close of a descriptor (3.6.8, 3.6.9), or `>&` before a file (3.6.4).
    fn duplication(&mut self, in_simple: bool) -> Argv {
        let file = self.rarely(4);
        if file {
            self.token(">&");
            self.blank();
            let target = self.pick(&FILES);
            self.push(target);
            self.record.redirect("&>", Some(target.to_owned()));
            return Argv::new();
        }
        self.descriptor();
        let operator = self.pick(&[">&", "<&"]);
        self.token(operator);
        self.blank();
        let target = self.pick(&["2", "1", "-", "2-", "10"]);
        self.push(target);
        self.record.redirect(operator, Some(target.to_owned()));
        if in_simple && target == "-" && self.rarely(3) {
            // Bash reads `-` as a token of its own here: what touches it is the next word.
            self.push("evil");
            return vec![Some("evil".to_owned())];
        }
        Argv::new()
    }
}
