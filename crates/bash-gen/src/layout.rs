//! Blanks, newlines, comments and line continuations (bash manual 3.1.1 to 3.1.3): what may stand between tokens.

use crate::Generator;

/// What comments say; none of it may matter.
const REMARKS: [&str; 8] =
    ["", " note", " it's", " \"open", " $(evil) `evil`", " ) } fi done esac", "# ; evil", " ${x:-<(evil"];

impl Generator<'_> {
    /// Writes at least one blank.
    pub(crate) fn gap(&mut self) {
        let blank =
            if self.tame { " " } else { self.pick(&[" ", " ", " ", " ", " ", " ", "  ", "\t", " \\\n", "\\\n "]) };
        self.push(blank);
    }

    /// Writes blanks, or none.
    pub(crate) fn blank(&mut self) {
        match self.below(16) {
            0..8 => {}
            8..15 => self.gap(),
            _ => self.continuation(),
        }
    }

    /// Writes a backslash and a newline, which bash removes before it reads tokens.
    pub(crate) fn continuation(&mut self) {
        if !self.tame {
            self.push("\\\n");
        }
    }

    /// Ends the line, perhaps with a comment, and writes the bodies that wait for it; perhaps more lines follow.
    pub(crate) fn newline(&mut self) {
        if self.rarely(8) {
            self.comment();
        }
        self.push("\n");
        self.bodies();
        while self.rarely(8) {
            if self.rarely(4) {
                self.comment();
            }
            self.push("\n");
        }
    }

    fn comment(&mut self) {
        let remark = self.pick(&REMARKS);
        self.push(" #");
        self.push(remark);
    }

    /// Writes a newline, where one may stand, or a blank.
    pub(crate) fn line_or_gap(&mut self) {
        if self.lines && !self.tame && self.rarely(4) {
            self.newline();
            self.blank();
        } else {
            self.gap();
        }
    }

    /// Writes an operator or reserved word, perhaps with a continuation in it.
    pub(crate) fn token(&mut self, token: &str) {
        let cut = if token.len() > 1 && self.rarely(32) { 1 + self.below(token.len() - 1) } else { token.len() };
        match token.split_at_checked(cut) {
            Some((head, tail)) if !tail.is_empty() => {
                self.push(head);
                self.continuation();
                self.push(tail);
            }
            _ => self.push(token),
        }
    }

    /// Parts two tokens that bash would read as another one: writes a blank at `at` where the text from there on, continuations
    /// aside, starts with one of `starts`.
    pub(crate) fn part(&mut self, at: usize, starts: &[char]) {
        let mut rest = self.out.get(at..).unwrap_or_default();
        while let Some(behind) = rest.strip_prefix("\\\n") {
            rest = behind;
        }
        if rest.starts_with(starts) {
            self.out.insert(at, ' ');
        }
    }
}
