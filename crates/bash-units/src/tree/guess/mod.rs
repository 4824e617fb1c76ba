//! A lexer that guesses where quotes, nesting and command positions are, to place masks.
//!
//! It may be wrong: see [`mask`](super::mask()).

mod commands;

use super::chars;
use super::heredoc::HereDocument;
use super::mask::{Mask, MaskKind, Text};
use crate::Span;

/// What the lexer stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    /// Commands, up to `close`; how many `case` are open in it.
    Code { close: Close, cases: usize },
    /// The words of a compound array assignment.
    Array,
    /// Double quotes.
    Quotes,
    /// `${ … }`, and whether double quotes stand around it.
    Braces { quoted: bool },
    /// Arithmetic, and how many parentheses are open in it.
    Arithmetic { open: usize },
    /// `[[ … ]]`.
    Condition,
    /// The text of a here-document.
    Body,
}

/// What ends a level of commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Close {
    End,
    /// The parenthesis of a substitution, which is part of a word.
    Substitution,
    /// The parenthesis of a subshell.
    Subshell,
    Backquote,
}

/// The lexer and what it has found so far.
pub(super) struct Guess<'s> {
    source: &'s str,
    bytes: &'s [u8],
    at: usize,
    levels: Vec<Level>,
    /// Whether a word is being read: the byte before belongs to it.
    in_word: bool,
    /// Whether the byte before is part of an operator.
    behind_operator: bool,
    /// Whether the next word may be a program.
    command: bool,
    /// Whether that is so because of `|`.
    piped: bool,
    /// Whether a compound command ended, and nothing but blanks stood since.
    closed: bool,
    /// Whether the next word is the target of a redirection.
    target: bool,
    /// The here-documents whose bodies start behind this line, by their index.
    pending: Vec<usize>,
    /// Whether here-documents are masked.
    heredocs_masked: bool,
    /// What the parser's cost grows with the square of: pipes, and here-documents that are not masked.
    pub(super) strain: usize,
    pub(super) masks: Vec<Mask>,
    pub(super) heredocs: Vec<HereDocument>,
}

impl<'s> Guess<'s> {
    pub(super) fn new(source: &'s str, text: Text) -> Self {
        let level = match text {
            Text::Program => Level::Code { close: Close::End, cases: 0 },
            Text::Body => Level::Body,
        };
        Self {
            source,
            bytes: source.as_bytes(),
            at: usize::from(text == Text::Body),
            levels: vec![level],
            in_word: false,
            behind_operator: false,
            command: true,
            piped: false,
            closed: false,
            target: false,
            pending: vec![],
            heredocs_masked: text == Text::Program,
            strain: 0,
            masks: vec![],
            heredocs: vec![],
        }
    }

    /// Reads to the end of the text.
    pub(super) fn run(mut self) -> Self {
        while let (Some(byte), Some(&level)) = (self.byte(0), self.levels.last()) {
            match level {
                Level::Code { close, cases } => self.code(byte, close, cases),
                Level::Array => self.array(byte),
                Level::Quotes => self.quoted(byte, b'"'),
                Level::Braces { quoted } => self.braces(byte, quoted),
                Level::Arithmetic { open } => self.arithmetic(byte, open),
                Level::Condition => self.condition(byte),
                Level::Body => self.body(byte),
            }
        }
        self
    }

    fn code(&mut self, byte: u8, close: Close, cases: usize) {
        if !self.in_word && self.word_start(byte) {
            return;
        }
        match byte {
            b' ' | b'\t' => self.blank(),
            b'\n' => self.newline(),
            b';' | b'&' | b'|' => self.separator(byte),
            b'<' | b'>' => self.redirection(byte),
            b'(' if self.in_word && self.before() == Some(b'=') => self.open(1, Level::Array),
            b'(' if !self.in_word && self.byte(1) == Some(b'(') => self.open(2, Level::Arithmetic { open: 0 }),
            b'(' => self.open(1, Level::Code { close: Close::Subshell, cases: 0 }),
            b')' if cases > 0 => self.command_position(1),
            b')' if close == Close::Substitution => self.close(1),
            b')' => {
                self.close(1);
                self.command_position(0);
                self.closed = true;
            }
            b'`' if close == Close::Backquote => self.close(1),
            _ => self.word_part(byte),
        }
    }

    fn array(&mut self, byte: u8) {
        match byte {
            b' ' | b'\t' | b'\n' => self.blank(),
            b'#' if !self.in_word => self.comment(),
            b')' => self.close(1),
            _ => self.word_part(byte),
        }
    }

    fn quoted(&mut self, byte: u8, quote: u8) {
        match byte {
            b'\\' => self.at += 2,
            _ if byte == quote => self.close(1),
            _ => self.expansion(byte),
        }
    }

    fn braces(&mut self, byte: u8, quoted: bool) {
        match byte {
            b'\\' => self.at += 2,
            b'}' => self.close(1),
            b'\'' if !quoted => self.single_quotes(),
            b'"' => self.open(1, Level::Quotes),
            _ => self.expansion(byte),
        }
    }

    fn arithmetic(&mut self, byte: u8, open: usize) {
        match byte {
            b'(' => self.replace(Level::Arithmetic { open: open + 1 }),
            b')' if open > 0 => self.replace(Level::Arithmetic { open: open - 1 }),
            b')' => self.close(if self.byte(1) == Some(b')') { 2 } else { 1 }),
            b'"' => self.open(1, Level::Quotes),
            b'\\' => self.at += 2,
            _ => self.expansion(byte),
        }
    }

    fn condition(&mut self, byte: u8) {
        let ends = !self.in_word && self.rest().starts_with(b"]]");
        match byte {
            _ if ends => self.close(2),
            b' ' | b'\t' | b'\n' => self.blank(),
            b'(' | b')' => self.at += 1,
            _ => self.word_part(byte),
        }
    }

    fn body(&mut self, byte: u8) {
        match byte {
            b'\\' => self.at += 2,
            b'"' => self.mask(1, MaskKind::Quote),
            _ => self.expansion(byte),
        }
    }

    fn word_part(&mut self, byte: u8) {
        match byte {
            b'\\' if self.byte(1) == Some(b'\n') => return self.continuation(),
            b'\\' => self.at += 2,
            b'\'' => self.single_quotes(),
            b'"' => return self.open(1, Level::Quotes),
            _ => return self.expansion(byte),
        }
        (self.in_word, self.behind_operator) = (true, false);
    }

    fn continuation(&mut self) {
        let mut length = 2;
        while self.rest().get(length..).unwrap_or_default().starts_with(b"\\\n") {
            length += 2;
        }
        let next = self.byte(length);
        let in_operator = self.behind_operator && next.is_some_and(chars::is_operator);
        let in_word = self.in_word && next.is_some_and(|byte| !chars::is_delimiter(byte));
        let words = matches!(self.levels.last(), Some(Level::Code { .. } | Level::Array));
        if in_operator || in_word || !words {
            self.at += length;
        } else {
            self.mask(length, MaskKind::Continuation);
        }
    }

    fn single_quotes(&mut self) {
        let length = self.rest().iter().skip(1).take_while(|&&byte| byte != b'\'').count();
        self.at += length + 2;
    }

    /// Reads what is expanded in double quotes too, or one byte.
    fn expansion(&mut self, byte: u8) {
        let rest = self.rest();
        let quoted = matches!(self.levels.last(), Some(Level::Quotes | Level::Body | Level::Braces { quoted: true }));
        if rest.starts_with(b"$((") {
            return self.open(3, Level::Arithmetic { open: 0 });
        } else if rest.starts_with(b"$(") {
            return self.open(2, Level::Code { close: Close::Substitution, cases: 0 });
        } else if rest.starts_with(b"${") {
            return self.open(2, Level::Braces { quoted });
        } else if byte == b'`' {
            return self.open(1, Level::Code { close: Close::Backquote, cases: 0 });
        } else if rest.starts_with(b"$'") && !quoted {
            self.ansi_quotes();
        } else if self.misread(byte) && matches!(self.levels.last(), Some(Level::Code { .. })) {
            self.mask(1, MaskKind::WordByte);
        } else {
            self.at += if rest.starts_with(b"$$") { 2 } else { 1 };
        }
        (self.in_word, self.behind_operator) = (true, false);
    }

    fn ansi_quotes(&mut self) {
        self.at += 2;
        let mut escaped = false;
        let text = self.rest().iter().position(|&byte| {
            let ends = byte == b'\'' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        });
        match text {
            Some(0) => self.at += 1,
            Some(length) => {
                self.mask(length, MaskKind::AnsiText);
                self.at += 1;
            }
            None => self.at = self.bytes.len(),
        }
    }

    /// Whether the grammar takes the byte for something else than a part of the word it stands in.
    fn misread(&self, byte: u8) -> bool {
        match byte {
            // Only behind a number it may read a base.
            b'#' => self.in_word,
            b'$' => self
                .byte(1)
                .is_none_or(|next| chars::is_delimiter(next) || matches!(next, b'.' | b',' | b'/' | b'%' | b'\\')),
            _ => false,
        }
    }
}

/// Movement.
impl Guess<'_> {
    fn byte(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn before(&self) -> Option<u8> {
        self.bytes.get(self.at.checked_sub(1)?).copied()
    }

    fn before_last(&self) -> Option<u8> {
        self.bytes.get(self.at.checked_sub(2)?).copied()
    }

    fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn mask(&mut self, length: usize, kind: MaskKind) {
        self.masks.push(Mask { span: Span::new(self.at, self.at + length), kind });
        self.at += length;
    }

    fn command_position(&mut self, length: usize) {
        self.at += length;
        (self.command, self.piped, self.closed, self.target) = (true, false, false, false);
        (self.in_word, self.behind_operator) = (false, false);
    }

    fn open(&mut self, length: usize, level: Level) {
        self.levels.push(level);
        match level {
            Level::Code { .. } => self.command_position(length),
            Level::Array
            | Level::Quotes
            | Level::Braces { .. }
            | Level::Arithmetic { .. }
            | Level::Condition
            | Level::Body => {
                (self.at, self.in_word) = (self.at + length, false);
            }
        }
    }

    /// Leaves a level; what it was is part of a word.
    fn close(&mut self, length: usize) {
        self.at += length;
        if self.levels.len() > 1 {
            self.levels.pop();
        }
        (self.in_word, self.behind_operator, self.command, self.closed) = (true, false, false, false);
    }

    fn replace(&mut self, level: Level) {
        self.at += 1;
        if let Some(top) = self.levels.last_mut() {
            *top = level;
        }
    }
}
