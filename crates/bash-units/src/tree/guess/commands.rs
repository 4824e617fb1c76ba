//! Command positions, redirections and lines.

use super::super::chars;
use super::super::heredoc::HereDocument;
use super::super::mask::{Mask, MaskKind, coprocess_prefix, descriptor_variable, pipeline_prefix};
use super::{Close, Guess, Level};
use crate::Span;

/// How many pipes a here-document that the grammar's scanner has to carry along weighs.
const STRAIN_OF_HEREDOC: usize = 32;

impl Guess<'_> {
    /// Reads what only the start of a word can be; tells whether it moved on.
    pub(super) fn word_start(&mut self, byte: u8) -> bool {
        let from = self.at;
        if byte == b'#' {
            self.comment();
        } else if let Some(length) = descriptor_variable(self.rest()) {
            self.mask(length, MaskKind::Descriptor);
        } else if self.command && !self.target {
            self.program(byte);
        }
        self.at != from
    }

    /// Reads a word where a program may stand.
    fn program(&mut self, byte: u8) {
        if !self.piped
            && let Some(length) = pipeline_prefix(self.rest())
        {
            return self.mask(length, MaskKind::PipelinePrefix);
        }
        if let Some(length) = coprocess_prefix(self.rest()) {
            self.mask(length, MaskKind::Coprocess);
            // `time` and `!` are nothing special behind it.
            self.piped = true;
            return;
        }
        let length = self.rest().iter().take_while(|&&byte| plain(byte)).count();
        let ends = self.byte(length).is_none_or(chars::is_delimiter);
        match self.rest().get(..length).unwrap_or_default() {
            b"[[" if ends => self.open(2, Level::Condition),
            [b'[', ..] => {
                self.mask(1, MaskKind::WordByte);
                (self.command, self.in_word) = (false, true);
            }
            b"case" if ends => self.cases(length, 1),
            b"esac" if ends => {
                self.terminate();
                self.cases(length, -1);
                self.command_position(0);
                self.closed = true;
            }
            b"if" | b"while" | b"until" | b"{" if ends => self.command_position(length),
            b"then" | b"elif" | b"else" | b"do" if ends => {
                self.terminate();
                self.command_position(length);
            }
            b"fi" | b"done" | b"}" if ends => {
                self.terminate();
                self.command_position(length);
                self.closed = true;
            }
            b"for" | b"select" if ends => self.loop_header(length),
            word if chars::name_length(word) > 0 => {
                let name = chars::name_length(word);
                let behind = word.get(name..).unwrap_or_default();
                self.command = behind.starts_with(b"=") || behind.starts_with(b"+=") || behind.starts_with(b"[");
                (self.at, self.in_word, self.behind_operator) = (self.at + name, true, false);
            }
            word if word.len() > 1 && byte == b'{' => {
                self.mask(1, MaskKind::WordByte);
                (self.command, self.in_word) = (false, true);
            }
            _ if !chars::is_delimiter(byte) => self.command = false,
            _ => {}
        }
    }

    /// Masks the blank before a reserved word that follows a compound command, so that the grammar sees it end.
    fn terminate(&mut self) {
        let free = self.masks.last().is_none_or(|mask| mask.span.end < self.at);
        if self.closed && free && self.before().is_some_and(chars::is_blank) {
            self.masks.push(Mask { span: Span::new(self.at - 1, self.at), kind: MaskKind::Terminator });
        }
    }

    /// Reads `for` or `select`, and the name where `do` follows it.
    fn loop_header(&mut self, keyword: usize) {
        let blanks = |text: &[u8]| text.iter().take_while(|&&byte| chars::is_blank(byte)).count();
        (self.command, self.in_word) = (false, true);
        self.at += keyword;
        let behind = self.rest();
        let before_name = blanks(behind);
        let name = chars::name_length(behind.get(before_name..).unwrap_or_default());
        let behind_name = behind.get(before_name + name..).unwrap_or_default();
        let before_do = blanks(behind_name);
        let rest = behind_name.get(before_do..).unwrap_or_default();
        let ends = rest.get(2).is_none_or(|&byte| chars::is_delimiter(byte));
        if name > 0 && before_do > 0 && rest.starts_with(b"do") && ends {
            self.at += before_name + name + before_do - 1;
            self.mask(1, MaskKind::Terminator);
            self.command_position(0);
        }
    }

    fn cases(&mut self, length: usize, step: isize) {
        if let Some(Level::Code { cases, .. }) = self.levels.last_mut() {
            *cases = cases.saturating_add_signed(step);
        }
        (self.at, self.in_word, self.command) = (self.at + length, true, false);
    }

    pub(super) fn separator(&mut self, byte: u8) {
        if byte == b'&' && self.byte(1) == Some(b'>') {
            self.at += 1;
            return self.redirection(b'>');
        }
        let rest = self.rest();
        if rest.starts_with(b";;&") || rest.starts_with(b";&") {
            self.at += if rest.starts_with(b";&") { 1 } else { 2 };
            self.mask(1, MaskKind::FallThrough);
            return self.command_position(0);
        }
        self.command_position(1);
        self.piped = byte == b'|' && self.before_last() != Some(b'|');
        self.behind_operator = true;
        self.strain += usize::from(self.piped);
    }

    pub(super) fn redirection(&mut self, byte: u8) {
        (self.in_word, self.behind_operator, self.target) = (false, true, true);
        let rest = self.rest();
        if rest.starts_with(b"<<<") {
            self.at += 1;
            self.mask(2, MaskKind::HereString);
        } else if rest.starts_with(b"<<") {
            self.heredoc_operator();
        } else if rest.starts_with(b"<>") {
            self.at += 1;
            self.mask(1, MaskKind::ReadWrite);
        } else if self.byte(1) == Some(b'(') {
            self.open(2, Level::Code { close: Close::Substitution, cases: 0 });
        } else {
            let doubled =
                self.byte(1).is_some_and(|next| next == b'&' || (byte == b'>' && matches!(next, b'>' | b'|')));
            self.at += if doubled { 2 } else { 1 };
        }
    }

    fn heredoc_operator(&mut self) {
        let found = if self.heredocs_masked { HereDocument::open(self.source, self.at) } else { None };
        let Some(document) = found else {
            self.at += 2;
            self.strain += STRAIN_OF_HEREDOC;
            return;
        };
        let index = self.heredocs.len();
        self.pending.push(index);
        self.heredocs.push(document);
        self.at += 1;
        self.mask(1 + usize::from(document.tabs), MaskKind::HereDocumentOperator(index));
        (self.at, self.in_word, self.target) = (document.delimiter.end, true, true);
    }

    pub(super) fn newline(&mut self) {
        let piped = self.piped && self.command;
        self.command_position(1);
        self.piped = piped;
        for index in std::mem::take(&mut self.pending) {
            let found = self.heredocs.get(index).filter(|_| self.heredocs_masked);
            let Some(closed) = found.and_then(|document| document.close(self.source, self.at)) else {
                // One that does not end here leaves nothing behind it that is certain.
                self.heredocs_masked = false;
                return;
            };
            if let Some(document) = self.heredocs.get_mut(index) {
                *document = closed;
            }
            self.mask(closed.end - closed.body.start, MaskKind::HereDocumentBody(index));
            if self.byte(0) == Some(b'\n') {
                self.at += 1;
            }
        }
    }

    pub(super) fn blank(&mut self) {
        self.at += 1;
        self.target &= !self.in_word;
        (self.in_word, self.behind_operator) = (false, false);
    }

    pub(super) fn comment(&mut self) {
        // A substitution in backquotes is cut out before it is read.
        let cut = self.levels.iter().any(|level| matches!(level, Level::Code { close: Close::Backquote, .. }));
        let ends = |byte: u8| byte == b'\n' || (cut && byte == b'`');
        let length = self.rest().iter().take_while(|&&byte| !ends(byte)).count();
        self.mask(length, MaskKind::Comment);
        self.in_word = false;
    }
}

/// Whether `byte` stands for itself in a word.
const fn plain(byte: u8) -> bool {
    !chars::is_delimiter(byte) && !matches!(byte, b'\'' | b'"' | b'`' | b'$' | b'\\')
}
