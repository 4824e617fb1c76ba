//! The bytes that no construct of the tree holds, read by the rules of the place they stand in.

use super::chars;
use super::frame::Mode;
use super::mask::MaskKind;
use super::walk::Walk;
use crate::{GapCode, Span};

/// The brackets that have to balance in an expression.
#[derive(Clone, Copy, Debug)]
struct Brackets {
    opener: u8,
    closer: u8,
    /// Whether the expression ends where a word does.
    within_word: bool,
}

impl Brackets {
    const ROUND: Self = Self { opener: b'(', closer: b')', within_word: false };
    const SQUARE: Self = Self { opener: b'[', closer: b']', within_word: false };
    const WITHIN_WORD: Self = Self { opener: b'[', closer: b']', within_word: true };
}

impl Walk<'_> {
    /// Accounts for the bytes of the current frame up to `end`.
    pub(super) fn flush(&mut self, end: usize) {
        let Some(start) = self.frames.last().map(|frame| frame.cursor) else { return };
        if end <= start {
            if end < start {
                self.unaccounted(end);
            }
            return;
        }
        self.skip_to(end);
        let text = Span::new(start, end);
        match self.mode() {
            Mode::Statements | Mode::Command | Mode::Redirect(_) | Mode::Header(..) | Mode::Patterns | Mode::Array => {
                self.scan_words(text)
            }
            Mode::Quotes | Mode::Body => self.scan_quotes(text),
            Mode::Operand { quoted } => self.scan_operand(text, quoted),
            Mode::Arithmetic { open } => {
                let open = self.scan_arithmetic(text, open, Brackets::ROUND);
                self.set_mode(Mode::Arithmetic { open });
            }
            Mode::Subscript { open, leading } => {
                let brackets = if leading { Brackets::SQUARE } else { Brackets::WITHIN_WORD };
                let open = self.scan_arithmetic(text, open, brackets);
                self.set_mode(Mode::Subscript { open, leading });
            }
            Mode::Condition { open } => self.scan_condition(text, open),
        }
    }

    fn scan_words(&mut self, text: Span) {
        let mut at = text.start;
        while at < text.end {
            if let Some(&mask) = self.masks.get(self.next_mask).filter(|mask| mask.span.start <= at) {
                self.next_mask += 1;
                if mask.kind == MaskKind::WordByte && mask.span.start == at {
                    // It is what it is.
                    at = self.scan_word_byte(at, text.end);
                    continue;
                }
                if mask.span.start < at || mask.span.end > text.end {
                    self.gap(GapCode::UnaccountedBytes, mask.span);
                } else {
                    self.masked(mask);
                }
                at = at.max(mask.span.end);
                continue;
            }
            at = self.scan_word_byte(at, text.end);
        }
    }

    /// Accounts for what starts at `at` and returns where the next thing does.
    fn scan_word_byte(&mut self, at: usize, end: usize) -> usize {
        match self.byte(at) {
            Some(b' ' | b'\t') => at + 1,
            Some(b'\n') => {
                self.newline(at);
                at + 1
            }
            Some(b'\\') if self.byte(at + 1) == Some(b'\n') => {
                let span = Span::new(at, at + 2);
                self.continuation(span);
                span.end
            }
            Some(b'\\') => {
                let escaped = self.rest(at + 1).chars().next();
                let next = at + 1 + escaped.map_or(0, char::len_utf8);
                match escaped {
                    Some(character) if chars::is_deceptive(character) => self.deceptive(at + 1),
                    Some(_) if next <= end => {}
                    Some(_) | None => self.unaccounted(at),
                }
                self.piece(Span::new(at, next));
                next
            }
            Some(b'#') if self.shell.piece_end != Some(at) && self.shell.target_end != Some(at) => {
                self.unaccounted(at);
                at + 1
            }
            Some(b'$') => {
                let next = self.dollar(at, end);
                self.piece(Span::new(at, next));
                next
            }
            Some(quote @ (b'"' | b'\'')) => {
                let next = self.plain_quotation(at, end, quote);
                self.piece(Span::new(at, next));
                next
            }
            Some(byte) if chars::is_operator(byte) || byte == b'`' => {
                self.unaccounted(at);
                at + 1
            }
            Some(_) => self.scan_plain(at, end),
            None => end,
        }
    }

    /// Accounts for characters that stand for themselves.
    fn scan_plain(&mut self, start: usize, end: usize) -> usize {
        let limit = self.masks.get(self.next_mask).map_or(end, |mask| mask.span.start.min(end));
        let mut next = start;
        for character in self.source.get(start..limit).unwrap_or_default().chars() {
            let special = u8::try_from(character)
                .is_ok_and(|byte| chars::is_delimiter(byte) || matches!(byte, b'\\' | b'$' | b'"' | b'\'' | b'`'));
            if special {
                break;
            }
            if chars::is_deceptive(character) {
                self.deceptive(next);
            }
            next += character.len_utf8();
        }
        // Where no character was found the tree cuts one in two, or a mask starts here.
        if next == start {
            self.unaccounted(start);
            return end.max(start + 1);
        }
        self.piece(Span::new(start, next));
        next
    }

    /// Accounts for a quotation that the tree took for text, in which nothing can be expanded, and returns its end.
    fn plain_quotation(&mut self, at: usize, end: usize, quote: u8) -> usize {
        let inside = self.source.as_bytes().get(at + 1..end).unwrap_or_default();
        match inside.iter().position(|&byte| byte == quote || (quote == b'"' && matches!(byte, b'$' | b'`' | b'\\'))) {
            Some(length) if inside.get(length) == Some(&quote) => at + length + 2,
            _ => {
                self.unaccounted(at);
                at + 1
            }
        }
    }

    /// Accounts for a dollar sign outside the constructs that the tree found, and for the `$` behind it.
    fn dollar(&mut self, at: usize, end: usize) -> usize {
        let next = self.byte(at + 1);
        let inside = at + 1 < end;
        if let Some(length) = plain_parameter(self.source.as_bytes().get(at..end).unwrap_or_default()) {
            return at + length;
        }
        let escaped_newline = next == Some(b'\\') && self.byte(at + 2) == Some(b'\n');
        let hidden = match next {
            Some(b'(' | b'{' | b'[') => true,
            Some(b'\'') => !matches!(self.mode(), Mode::Quotes | Mode::Body),
            Some(b'$') => !inside,
            _ => escaped_newline,
        };
        if hidden {
            self.unaccounted(at);
        }
        if next == Some(b'$') && inside { at + 2 } else { at + 1 }
    }

    /// Whether `<(` or `>(` stands at `at`.
    fn opens_process(&self, at: usize) -> bool {
        matches!(self.byte(at), Some(b'<' | b'>')) && self.byte(self.behind_continuation(at + 1)) == Some(b'(')
    }

    /// Accounts for backslashes and newlines that bash removes before anything else.
    pub(super) fn continuation(&mut self, span: Span) {
        let next = self.byte(span.end);
        let in_word = self.shell.piece_end == Some(span.start) || self.shell.target_end == Some(span.start);
        let in_operator = self.shell.operator_end == Some(span.start);
        let joins = next.is_some_and(|byte| {
            // What touches a redirection may be its descriptor.
            let redirects = matches!(byte, b'<' | b'>');
            if chars::is_operator(byte) {
                in_operator || (in_word && redirects)
            } else {
                in_word && !chars::is_delimiter(byte)
            }
        });
        let known = matches!(
            self.mode(),
            Mode::Statements | Mode::Command | Mode::Redirect(_) | Mode::Header(..) | Mode::Patterns | Mode::Array
        );
        if joins && self.mode() == Mode::Command && self.joins_argument(span) {
            self.piece(span);
        } else if joins || !known {
            self.unaccounted(span.start);
        }
    }

    /// Whether what `span` joins is an argument: a word in which no reserved word, no assignment and no descriptor can hide.
    fn joins_argument(&self, span: Span) -> bool {
        let [_, .., word] = self.shell.words.as_slice() else { return false };
        let letters = word.of(self.source).bytes().all(|byte| byte.is_ascii_alphabetic());
        let next = self.byte(span.end).is_some_and(|byte| byte.is_ascii_alphanumeric());
        word.end == span.start && self.shell.target_end != Some(span.start) && letters && next
    }

    fn scan_quotes(&mut self, text: Span) {
        self.skip_masks(text.end, self.mode() == Mode::Body);
        let body = self.mode() == Mode::Body;
        let mut at = text.start;
        while at < text.end {
            match self.byte(at) {
                Some(b'\\') => {
                    at += 2;
                    if at > text.end {
                        self.unaccounted(text.end - 1);
                    }
                }
                Some(b'$') => at = self.dollar(at, text.end),
                Some(byte) => {
                    if byte == b'`' || (byte == b'"' && !body) {
                        self.unaccounted(at);
                    }
                    at += 1;
                }
                None => return,
            }
        }
    }

    fn scan_operand(&mut self, text: Span, quoted: bool) {
        self.skip_masks(text.end, false);
        // `${ …; }` and `${| …; }` run commands (bash 5.3).
        let function = matches!(self.byte(text.start), Some(b' ' | b'\t' | b'\n' | b'|'))
            && self.source.get(..text.start).is_some_and(|before| before.ends_with("${"));
        if function {
            self.unaccounted(text.start);
        }
        if !function && self.is_body(text, quoted) {
            return self.bodies.push(text);
        }
        let mut at = text.start;
        while at < text.end {
            match self.byte(at) {
                Some(b'\\') => {
                    at += 2;
                    if at > text.end {
                        self.unaccounted(text.end - 1);
                    }
                }
                Some(b'$') => at = self.dollar(at, text.end),
                Some(quote @ (b'"' | b'\'')) if !quoted => at = self.plain_quotation(at, text.end, quote),
                Some(byte) => {
                    let opens = self.opens_process(at) && !quoted;
                    if opens || matches!(byte, b'"' | b'\'' | b'`' | b'{' | b'}') {
                        self.unaccounted(at);
                    }
                    at += 1;
                }
                None => return,
            }
        }
    }

    /// Whether a part of an operand that the tree took for text holds expansions and can be read like a here-document.
    ///
    /// That reading knows no quotes and so finds too much where they quote, which the comparison brings to light. It must not
    /// find too little: no process substitution, no backquotes within backquotes, no end of the operand but its own.
    fn is_body(&self, text: Span, quoted: bool) -> bool {
        let bytes = text.of(self.source).as_bytes();
        let has = |pair: [u8; 2]| bytes.windows(2).any(|bytes| bytes == pair);
        let expands = has(*b"$(") || has(*b"${") || bytes.contains(&b'`');
        let processes = !quoted && bytes.iter().any(|byte| matches!(byte, b'<' | b'>'));
        let backquoted = self.in_backquotes && bytes.contains(&b'`');
        expands && !processes && !backquoted && !bytes.contains(&b'\\') && braces_balance(bytes)
    }

    fn scan_arithmetic(&mut self, text: Span, open: usize, brackets: Brackets) -> usize {
        self.skip_masks(text.end, false);
        let mut open = open;
        let mut at = text.start;
        while at < text.end {
            let byte = self.byte(at);
            let hidden = match byte {
                Some(b'$') => {
                    at = self.dollar(at, text.end);
                    continue;
                }
                Some(b'\\') if self.byte(at + 1) == Some(b'\n') && at + 1 < text.end => {
                    at += 2;
                    continue;
                }
                Some(byte) if byte == brackets.opener => {
                    open += 1;
                    false
                }
                Some(byte) if byte == brackets.closer => {
                    let unbalanced = open == 0;
                    open = open.saturating_sub(1);
                    unbalanced
                }
                Some(byte) => {
                    let ends_word = brackets.within_word && chars::is_delimiter(byte);
                    ends_word || self.opens_process(at) || matches!(byte, b'"' | b'\'' | b'`' | b'\\' | b'{' | b'}')
                }
                None => true,
            };
            if hidden {
                self.unaccounted(at);
            }
            at += 1;
        }
        open
    }

    fn scan_condition(&mut self, text: Span, open: usize) {
        self.skip_masks(text.end, false);
        let mut open = open;
        let mut at = text.start;
        while at < text.end {
            let starts_word = self.before(at).is_some_and(|byte| chars::is_blank(byte) || byte == b'\n');
            let next = self.byte(at + 1);
            let hidden = match self.byte(at) {
                Some(b'\\') => {
                    // One that joins a word may join the `]]` that ends it all.
                    let apart =
                        starts_word || self.byte(at + 2).is_some_and(|byte| chars::is_blank(byte) || byte == b'\n');
                    if at + 2 > text.end || (next == Some(b'\n') && !apart) {
                        self.unaccounted(at);
                    }
                    at += 2;
                    continue;
                }
                Some(b'$') => {
                    at = self.dollar(at, text.end);
                    continue;
                }
                Some(quote @ (b'"' | b'\'')) => {
                    at = self.plain_quotation(at, text.end, quote);
                    continue;
                }
                Some(b'(') => {
                    open += 1;
                    false
                }
                Some(b'<' | b'>') => self.opens_process(at),
                Some(b')') => {
                    let unbalanced = open == 0;
                    open = open.saturating_sub(1);
                    unbalanced
                }
                Some(operator @ (b'&' | b'|')) if next == Some(operator) => {
                    at += 2;
                    continue;
                }
                Some(b'|') => open == 0,
                Some(b'#') => starts_word,
                // A body would start here.
                Some(b'\n') => !self.shell.heredocs.is_empty(),
                Some(b']') => starts_word && self.rest(at).starts_with("]]"),
                Some(byte) => {
                    matches!(byte, b'&' | b';' | b'`') || (byte.is_ascii_control() && !b"\t\n".contains(&byte))
                }
                None => true,
            };
            if hidden {
                self.unaccounted(at);
            }
            at += 1;
        }
        self.set_mode(Mode::Condition { open });
    }

    /// Passes the masks before `end`, which must be masked quotes of a body.
    fn skip_masks(&mut self, end: usize, body: bool) {
        while let Some(&mask) = self.masks.get(self.next_mask).filter(|mask| mask.span.start < end) {
            self.next_mask += 1;
            if !(body && mask.kind == MaskKind::Quote) {
                self.gap(GapCode::UnaccountedBytes, mask.span);
            }
        }
    }

    fn deceptive(&mut self, at: usize) {
        let length = self.rest(at).chars().next().map_or(1, char::len_utf8);
        self.gap(GapCode::ControlCharacter, Span::new(at, at + length));
    }
}

/// Whether each brace of `text` belongs to a `${ … }` in it.
fn braces_balance(text: &[u8]) -> bool {
    let mut open = 0usize;
    for (at, byte) in text.iter().enumerate() {
        open = match byte {
            b'{' if at > 0 && text.get(at - 1) == Some(&b'$') => open + 1,
            b'}' if open > 0 => open - 1,
            b'{' | b'}' => return false,
            _ => open,
        };
    }
    open == 0
}

/// The length of `${NAME}` or `${NAME[…]}` with a plain subscript at the start of `text`: it cannot hide anything,
/// wherever the tree took it for text.
fn plain_parameter(text: &[u8]) -> Option<usize> {
    let behind = text.strip_prefix(b"${")?;
    let name = Some(chars::name_length(behind)).filter(|&length| length > 0)?;
    let subscript = match behind.get(name..)?.strip_prefix(b"[") {
        Some(inside) => {
            let length = inside.iter().take_while(|&&byte| chars::is_name(byte) || matches!(byte, b'@' | b'*')).count();
            (inside.get(length) == Some(&b']')).then_some(length + 2)?
        }
        None => 0,
    };
    (behind.get(name + subscript) == Some(&b'}')).then_some(name + subscript + 3)
}
