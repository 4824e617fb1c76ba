//! Words and quoting (bash manual 3.1.2).

use super::expansion::Dollar;
use super::machine::{Frame, Machine, Returned};
use super::text::{continues_name, is_deceptive, is_metacharacter, is_ordinary, starts_name};
use crate::expand;
use crate::{GapCode, HoleKind, Part, Span, Word};

/// Where a word stands, which decides what ends it and what is expanded in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WordMode {
    /// The program or an argument.
    Command,
    /// The target of a redirection.
    Target,
    /// The value of an assignment.
    Assignment,
    /// A word of an array assignment, or of `for NAME in`.
    Element,
    /// A `case` word or pattern.
    Case,
    /// A word of `[[ … ]]`.
    Conditional,
    /// The pattern behind `==` and its kin in `[[ … ]]`, where extended patterns are on.
    Pattern,
    /// The regular expression behind `=~` in `[[ … ]]`.
    Regex,
}

/// A word that is being read.
pub(super) struct WordFrame {
    mode: WordMode,
    start: usize,
    parts: Vec<Part>,
    text: String,
    text_quoted: bool,
    in_double_quotes: bool,
    /// Whether an unquoted pattern character, or brace, was read.
    patterns: bool,
    braces: bool,
}

impl WordFrame {
    fn literal(&mut self, text: &str, quoted: bool) {
        if self.text_quoted != quoted {
            self.flush();
            self.text_quoted = quoted;
        }
        self.text.push_str(text);
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            self.parts.push(Part::Literal { text, quoted: self.text_quoted });
        }
    }

    fn hole(&mut self, kind: HoleKind, span: Span, quoted: bool) {
        self.flush();
        self.parts.push(Part::Hole { kind, span, quoted });
    }

    /// Keeps a pair of quotes with nothing in it visible: it makes a word where nothing else does, also in braces.
    fn quotes(&mut self) {
        self.flush();
        let quoted = matches!(self.parts.last(), Some(Part::Literal { quoted: true, .. }));
        if self.parts.is_empty() || (self.braces && !quoted) {
            self.parts.push(Part::Literal { text: String::new(), quoted: true });
        }
    }

    fn is_empty(&self) -> bool {
        self.text.is_empty() && self.parts.is_empty()
    }
}

impl Machine<'_> {
    /// Starts a word at the position.
    pub(super) fn open_word(&mut self, mode: WordMode) {
        let frame = WordFrame {
            mode,
            start: self.pos,
            parts: Vec::new(),
            text: String::new(),
            text_quoted: false,
            in_double_quotes: false,
            patterns: false,
            braces: false,
        };
        self.word(Box::new(frame));
    }

    pub(super) fn word(&mut self, mut word: Box<WordFrame>) {
        match self.returned.take() {
            Some(Returned::Hole(kind, span)) => {
                let quoted = word.in_double_quotes;
                word.hole(kind, span, quoted);
            }
            Some(Returned::Region(span)) => word.hole(HoleKind::Glob, span, false),
            _ => {}
        }
        loop {
            let Some(byte) = self.byte(self.pos) else {
                if word.in_double_quotes {
                    return self.syntax_error();
                }
                return self.end_word(*word);
            };
            let step = if word.in_double_quotes {
                self.double_quoted(&mut word, byte)
            } else {
                self.unquoted(&mut word, byte)
            };
            match step {
                WordStep::Next => {}
                WordStep::End => return self.end_word(*word),
                WordStep::Error => return self.syntax_error(),
                WordStep::Open(dollar) => {
                    let quoted = word.in_double_quotes;
                    self.stack.push(Frame::Word(word));
                    return self.open_expansion(dollar, quoted);
                }
                WordStep::OpenProcess => {
                    self.stack.push(Frame::Word(word));
                    return self.open_process_substitution();
                }
                WordStep::OpenGroup => {
                    self.stack.push(Frame::Word(word));
                    return self.open_pattern_group();
                }
            }
        }
    }

    fn double_quoted(&mut self, word: &mut WordFrame, byte: u8) -> WordStep {
        match byte {
            b'"' => {
                word.quotes();
                word.in_double_quotes = false;
                self.pos += 1;
            }
            b'\\' => match self.byte(self.pos + 1) {
                Some(b'\n') => self.pos += 2,
                Some(escaped @ (b'$' | b'`' | b'"' | b'\\')) => {
                    word.literal(char::from(escaped).encode_utf8(&mut [0; 4]), true);
                    self.pos += 2;
                }
                _ => {
                    word.literal("\\", true);
                    self.pos += 1;
                }
            },
            b'$' => return self.word_dollar(word, true),
            b'`' => return WordStep::Open(Dollar::Backtick),
            _ => {
                let rest = self.bytes.get(self.pos..self.end).unwrap_or_default();
                let length =
                    rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | b'$' | b'`')).unwrap_or(rest.len());
                word.literal(self.slice(self.pos, self.pos + length), true);
                self.pos += length;
            }
        }
        WordStep::Next
    }

    fn unquoted(&mut self, word: &mut WordFrame, byte: u8) -> WordStep {
        if is_ordinary(byte) {
            let rest = self.bytes.get(self.pos..self.end).unwrap_or_default();
            let length = rest.iter().position(|byte| !is_ordinary(*byte)).unwrap_or(rest.len());
            word.literal(self.slice(self.pos, self.pos + length), false);
            self.pos += length;
            return WordStep::Next;
        }
        if is_metacharacter(byte) {
            return self.metacharacter(word, byte);
        }
        match byte {
            b'\\' => self.escaped(word),
            b'\'' => return self.single_quoted(word),
            b'"' => {
                word.in_double_quotes = true;
                self.pos += 1;
            }
            b'$' => return self.word_dollar(word, false),
            b'`' => return WordStep::Open(Dollar::Backtick),
            b'~' => self.tilde(word),
            _ => self.other(word, byte),
        }
        WordStep::Next
    }

    fn other(&mut self, word: &mut WordFrame, byte: u8) {
        word.patterns |= matches!(byte, b'*' | b'?' | b'[');
        word.braces |= byte == b'{';
        let next = self.next_boundary(self.pos);
        let text = self.slice(self.pos, next);
        if text.chars().any(is_deceptive) {
            self.out.gap(GapCode::ControlCharacter, Span::new(self.pos, next));
        }
        word.literal(text, false);
        self.pos = next;
    }

    /// Decides what a metacharacter does to the word.
    fn metacharacter(&mut self, word: &mut WordFrame, byte: u8) -> WordStep {
        let opens = self.peek(self.pos + 1).is_some_and(|(next, _)| next == b'(');
        match byte {
            b'<' | b'>' if opens => WordStep::OpenProcess,
            b'|' if word.mode == WordMode::Regex => {
                word.literal("|", false);
                self.pos += 1;
                WordStep::Next
            }
            b'(' if word.mode == WordMode::Regex => WordStep::OpenGroup,
            b'(' if word.mode == WordMode::Pattern
                && !word.text_quoted
                && word.text.ends_with(['?', '*', '+', '@', '!']) =>
            {
                WordStep::OpenGroup
            }
            _ => WordStep::End,
        }
    }

    fn escaped(&mut self, word: &mut WordFrame) {
        if self.is_continuation(self.pos) {
            self.pos += 2;
            return;
        }
        self.doubt_backslash();
        let next = self.pos + 1;
        if next >= self.end {
            // A backslash before the end stands for itself.
            word.literal("\\", true);
            self.pos = next;
            return;
        }
        if self.substitutions > 0 && self.byte(next) == Some(b'&') {
            // Bash 5.2 prints no semicolon behind it, for it does not see the backslash.
            self.unsure(self.pos, next + 1);
        }
        let end = self.next_boundary(next);
        if self.slice(next, end).chars().any(is_deceptive) {
            self.out.gap(GapCode::ControlCharacter, Span::new(next, end));
        }
        word.literal(self.slice(next, end), true);
        self.pos = end;
    }

    /// Doubts a backslash in an array in a substitution: bash 5.2 looks for quotes and operators behind it.
    fn doubt_backslash(&mut self) {
        if self.substitutions > 0 && matches!(self.stack.last(), Some(Frame::Array(_))) {
            self.unsure(self.pos, self.pos + 1);
        }
    }

    fn single_quoted(&mut self, word: &mut WordFrame) -> WordStep {
        let inside = self.pos + 1;
        let rest = self.bytes.get(inside..self.end).unwrap_or_default();
        let Some(length) = rest.iter().position(|byte| *byte == b'\'') else {
            self.pos = self.end;
            return WordStep::Error;
        };
        word.literal(self.slice(inside, inside + length), true);
        word.quotes();
        self.pos = inside + length + 1;
        WordStep::Next
    }

    fn word_dollar(&mut self, word: &mut WordFrame, quoted: bool) -> WordStep {
        let start = self.pos;
        match self.peek(start + 1) {
            Some((b'\'', inside)) if !quoted => return self.ansi_c_quoted(word, inside),
            Some((b'"', inside)) if !quoted => {
                word.in_double_quotes = true;
                self.pos = inside;
                return WordStep::Next;
            }
            _ => {}
        }
        match self.dollar(start) {
            Dollar::Parameter(name, end) => {
                self.pos = end;
                word.hole(HoleKind::Parameter(name), Span::new(start, end), quoted);
                WordStep::Next
            }
            Dollar::Literal => {
                word.literal("$", quoted);
                self.pos += 1;
                WordStep::Next
            }
            dollar @ (Dollar::Braces(_)
            | Dollar::Command(_)
            | Dollar::Arithmetic(_)
            | Dollar::Bracket(_)
            | Dollar::Backtick) => WordStep::Open(dollar),
        }
    }

    /// Reads `$'…'` (bash manual 3.1.2.4).
    fn ansi_c_quoted(&mut self, word: &mut WordFrame, inside: usize) -> WordStep {
        let Some(length) = expand::ansi_c_length(self.slice(inside, self.end)) else {
            self.pos = self.end;
            return WordStep::Error;
        };
        let end = inside + length + 1;
        match expand::ansi_c(self.slice(inside, inside + length)) {
            Some(text) => {
                if text.contains('\'') {
                    // Bash puts a backslash before it.
                    self.doubt_backslash();
                }
                word.literal(&text, true);
                word.quotes();
            }
            None => word.hole(HoleKind::Expansion, Span::new(self.pos, end), true),
        }
        self.pos = end;
        WordStep::Next
    }

    /// Reads a tilde-prefix where one can stand (bash manual 3.5.2).
    fn tilde(&mut self, word: &mut WordFrame) {
        let start = self.pos;
        let mut end = start + 1;
        let in_name = |byte: u8| continues_name(byte) || matches!(byte, b'.' | b'+' | b'-');
        while let Some((_, next)) = self.peek(end).filter(|(byte, _)| in_name(*byte)) {
            end = next;
        }
        let ends = match self.peek(end) {
            None | Some((b'/' | b':', _)) => true,
            Some((byte, _)) => is_metacharacter(byte),
        };
        if ends && tilde_may_stand(word) {
            let name = self.slice(start + 1, end).replace("\\\n", "");
            word.hole(HoleKind::Tilde(name), Span::new(start, end), false);
            self.pos = end;
        } else {
            word.literal("~", false);
            self.pos += 1;
        }
    }

    fn end_word(&mut self, mut word: WordFrame) {
        word.flush();
        if word.braces && has_dollar(&word.parts) {
            // Once the braces are gone, bash may find a parameter: `{$,}x` is `$x x`.
            self.unsure(word.start, self.pos);
        }
        let span = Span::new(word.start, self.pos);
        let text = span.of(self.source);
        if text.starts_with('{') && text.ends_with('}') && matches!(self.byte(self.pos), Some(b'<' | b'>')) {
            // `{NAME[…]}` before a redirection takes its descriptor, as `{NAME}` does.
            self.unsure(span.start, span.end);
        }
        let whole = Word { span, parts: word.parts };
        let words = match word.mode {
            WordMode::Command | WordMode::Element => expand::words(whole, word.braces, word.patterns),
            WordMode::Target => expand::words(whole, false, word.patterns),
            WordMode::Assignment | WordMode::Case | WordMode::Conditional | WordMode::Pattern | WordMode::Regex => {
                vec![whole]
            }
        };
        self.returned = Some(Returned::Words(words));
    }

    /// The position of the `close` that matches an `open` before `from`, quotes aside.
    pub(super) fn matching(&mut self, from: usize, open: u8, close: u8) -> Option<usize> {
        let (mut at, mut depth) = (from, 0_usize);
        let affordable = from.saturating_add(self.allowance());
        let found = loop {
            let Some(byte) = self.byte(at).filter(|_| at < affordable) else { break None };
            at += 1;
            if byte == b'\\' {
                at += 1;
            } else if matches!(byte, b'\'' | b'"' | b'`') {
                let Some(end) = self.past_quotes(at, byte) else { break None };
                at = end;
            } else if byte == open {
                depth += 1;
            } else if byte == close {
                match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => break Some(at - 1),
                }
            }
        };
        if self.afford(at.saturating_sub(from)) { found } else { None }
    }

    /// The position behind the quote that ends what `quote` opened before `from`.
    fn past_quotes(&self, from: usize, quote: u8) -> Option<usize> {
        let mut at = from;
        while let Some(byte) = self.byte(at) {
            at += 1;
            if byte == quote {
                return Some(at);
            }
            if byte == b'\\' && quote != b'\'' {
                at += 1;
            }
        }
        None
    }
}

enum WordStep {
    Next,
    End,
    Error,
    Open(Dollar),
    OpenProcess,
    OpenGroup,
}

/// Whether an unquoted tilde at this place of the word can start a tilde-prefix.
fn tilde_may_stand(word: &WordFrame) -> bool {
    if word.is_empty() {
        return true;
    }
    if word.text_quoted {
        return false;
    }
    match word.mode {
        WordMode::Assignment => word.text.ends_with(':'),
        // Bash also expands the tildes of an argument that looks like an assignment.
        WordMode::Command | WordMode::Element => {
            let start = match word.parts.first() {
                Some(Part::Literal { text, quoted: false }) => text,
                Some(Part::Literal { quoted: true, .. } | Part::Hole { .. }) => return false,
                None => &word.text,
            };
            word.text.ends_with(['=', ':']) && looks_like_assignment(start)
        }
        WordMode::Target | WordMode::Case | WordMode::Conditional | WordMode::Pattern | WordMode::Regex => false,
    }
}

/// Whether a dollar sign that stands for itself stands anywhere but at the end.
fn has_dollar(parts: &[Part]) -> bool {
    parts.iter().enumerate().any(|(index, part)| match part {
        Part::Literal { text, quoted: false } => {
            text.find('$').is_some_and(|at| index + 1 < parts.len() || at + 1 < text.len())
        }
        Part::Literal { quoted: true, .. } | Part::Hole { .. } => false,
    })
}

fn looks_like_assignment(text: &str) -> bool {
    let name = text.split_once('=').map(|(name, _)| name.strip_suffix('+').unwrap_or(name));
    name.is_some_and(|name| name.bytes().next().is_some_and(starts_name) && name.bytes().all(continues_name))
}
