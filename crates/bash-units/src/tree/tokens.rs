//! Operators, reserved words and words, in the order of the text: the part of the walk that knows the grammar of lists
//! (bash manual 3.2).

use super::chars;
use super::kind::{Enclosed, Header};
use super::mask::{Mask, MaskKind, pipeline_prefix};
use super::shell::State;
use super::walk::{Mode, Redirection, Walk};
use crate::{GapCode, Span};

impl Walk<'_> {
    /// Accounts for a token of the tree, where the mode has tokens; elsewhere it is a part of a text.
    pub(super) fn token(&mut self, token: &str, span: Span) {
        let mode = self.mode();
        let arithmetic_ends = token == "))" && self.in_bare_arithmetic();
        let is_text = match mode {
            Mode::Statements => false,
            Mode::Header(Header::Loop, _) => !matches!(token, "for" | "select" | "in" | ";" | "&" | "(("),
            Mode::Header(Header::Case, _) => !matches!(token, "case" | "in"),
            Mode::Header(Header::Function, _) => !matches!(token, "function" | "(" | ")"),
            Mode::Patterns => !matches!(token, "(" | ")" | "|"),
            Mode::Redirect(redirection) => redirection.operator_end.is_some(),
            Mode::Arithmetic { .. } => !arithmetic_ends,
            Mode::Command
            | Mode::Array
            | Mode::Quotes
            | Mode::Body
            | Mode::Operand { .. }
            | Mode::Subscript { .. }
            | Mode::Condition { .. } => true,
        };
        if is_text || self.bounds_frame(span) {
            return;
        }
        self.flush(span.start);
        if span.of(self.source) != token {
            return self.unaccounted(span.start);
        }
        match mode {
            Mode::Redirect(redirection) => self.redirection_operator(redirection, token, span),
            Mode::Patterns => {
                if token == ")" {
                    self.set_mode(Mode::Statements);
                    self.shell.state = State::Fresh;
                }
            }
            Mode::Arithmetic { .. } => {
                self.pop_arithmetic(span.start);
                if self.shell.state == State::Fresh {
                    self.shell.state = State::Compound;
                }
            }
            Mode::Header(Header::Function, _) if matches!(token, "(" | ")") => {}
            Mode::Statements
            | Mode::Header(..)
            | Mode::Command
            | Mode::Array
            | Mode::Quotes
            | Mode::Body
            | Mode::Operand { .. }
            | Mode::Subscript { .. }
            | Mode::Condition { .. } => self.list_token(token, span),
        }
        self.skip_to(span.end);
        self.shell.operator_end = Some(span.end);
    }

    fn list_token(&mut self, token: &str, span: Span) {
        let next = self.byte(span.end);
        let state = self.shell.state;
        let fresh = state == State::Fresh;
        let header = state == State::Header;
        let complete = !self.shell.incomplete;
        // Each arm: whether the token may stand here, and the state behind it.
        let (expected, behind) = match token {
            ";" => (!fresh && next != Some(b';') && next != Some(b'&'), State::Fresh),
            "&" => (!fresh && !header && next != Some(b'&') && next != Some(b'>'), State::Fresh),
            ";;" | ";&" | ";;&" => (complete && !header && next != Some(b';') && next != Some(b'&'), State::Fresh),
            "&&" | "||" | "|&" => (!fresh && !header && next != Some(b'&') && next != Some(b'|'), State::Fresh),
            "|" => (!fresh && !header && next != Some(b'&') && next != Some(b'|'), State::Fresh),
            "(" => ((fresh || header) && next != Some(b'('), State::Fresh),
            ")" => (complete && !header, State::Compound),
            "((" => (fresh || header, state),
            "!" => (fresh && !self.shell.piped && self.stands_alone(span), State::Fresh),
            "if" | "while" | "until" => (fresh && self.stands_alone(span), State::Fresh),
            "for" | "select" | "case" | "function" => (fresh && self.stands_alone(span), State::Header),
            "then" | "elif" | "else" | "do" => {
                (complete && state != State::Command && self.stands_alone(span), State::Fresh)
            }
            "{" => ((fresh || header) && self.stands_alone(span), State::Fresh),
            "}" | "fi" | "done" | "esac" => {
                (complete && (fresh || state == State::Compound) && self.stands_alone(span), State::Compound)
            }
            "in" => (header && self.stands_alone(span), State::Header),
            _ => (false, State::Fresh),
        };
        if !expected {
            self.unaccounted(span.start);
        }
        let joins = matches!(token, "&&" | "||" | "|" | "|&");
        let incomplete = joins || (token == "!" && self.shell.incomplete);
        self.change_state(behind);
        self.shell.incomplete = incomplete;
        self.shell.piped = matches!(token, "|" | "|&");
        match token {
            "((" => self.push_arithmetic(span.end),
            "in" => self.end_of_case_word(span),
            ";" if matches!(self.mode(), Mode::Header(..)) => self.end_of_loop_header(),
            _ => {}
        }
    }

    /// Ends the words of `for` or `select`, which assign to a variable.
    fn end_of_loop_header(&mut self) {
        if let (Some(start), Some(end)) = (self.frame_start(), self.shell.piece_end)
            && matches!(self.mode(), Mode::Header(_, 1..))
        {
            self.footprint.assignments.push(Span::new(start, end));
        }
        self.set_mode(Mode::Statements);
    }

    fn end_of_case_word(&mut self, token: Span) {
        if let Mode::Header(Header::Case, words) = self.mode() {
            if words != 1 {
                self.unaccounted(token.start);
            }
            self.set_mode(Mode::Statements);
            self.shell.state = State::Fresh;
        }
    }

    /// Whether `span` is a word of its own.
    fn stands_alone(&self, span: Span) -> bool {
        self.separates(self.before(span.start)) && self.separates(self.byte(span.end))
    }

    /// Whether a word ends at `byte`, which may be the end of the text.
    fn separates(&self, byte: Option<u8>) -> bool {
        byte.is_none_or(|byte| chars::is_delimiter(byte) || (byte == b'`' && self.in_backquotes))
    }

    /// Accounts for a newline outside quotes.
    pub(super) fn newline(&mut self, at: usize) {
        match self.mode() {
            Mode::Header(Header::Function, _) if self.shell.heredocs.is_empty() => return,
            Mode::Header(Header::Loop, _) => {
                self.end_of_loop_header();
                self.end_of_line();
            }
            // The grammar reads on into the next line now and then; bash does not.
            Mode::Statements | Mode::Command | Mode::Redirect(Redirection { target: Some(_), .. }) => {
                self.end_of_line()
            }
            Mode::Array => {}
            Mode::Header(..)
            | Mode::Redirect(_)
            | Mode::Patterns
            | Mode::Quotes
            | Mode::Body
            | Mode::Operand { .. }
            | Mode::Arithmetic { .. }
            | Mode::Subscript { .. }
            | Mode::Condition { .. } => self.unaccounted(at),
        }
        if !self.shell.heredocs.is_empty() {
            self.shell.body_start = Some(at + 1);
            let body = self.masks.get(self.next_mask).filter(|mask| mask.span.start == at + 1);
            if !body.is_some_and(|mask| matches!(mask.kind, MaskKind::HereDocumentBody(_))) {
                self.shell.heredocs.clear();
                self.unaccounted(at);
            }
        }
    }

    fn end_of_line(&mut self) {
        let piped = self.shell.piped && self.shell.incomplete;
        if self.shell.state != State::Fresh {
            self.change_state(State::Fresh);
        }
        self.shell.piped = piped;
    }

    fn change_state(&mut self, state: State) {
        if self.shell.state == State::Command {
            self.end_of_command();
        }
        self.shell.state = state;
        self.shell.piped = false;
    }

    fn end_of_command(&mut self) {
        let finished = self.shell.finish(self.source);
        if let Some(word) = finished.doubtful {
            self.gap(GapCode::UnaccountedBytes, word);
        }
        self.footprint.assignments.extend(finished.assignments);
        if !finished.words.is_empty() {
            self.footprint.commands.push(finished.words);
        }
    }

    /// Ends the list of a substitution or of the text.
    pub(super) fn end_of_list(&mut self, at: usize) {
        if self.shell.incomplete || self.shell.state == State::Header || !self.shell.heredocs.is_empty() {
            self.unaccounted(at);
        }
        self.change_state(State::Fresh);
    }

    /// Ends the walk.
    pub(super) fn end_of_text(&mut self) {
        let end = self.source.len();
        self.flush(end);
        self.end_of_list(end.saturating_sub(1));
        if let Some(mask) = self.masks.get(self.next_mask) {
            self.gap(GapCode::UnaccountedBytes, mask.span);
        }
    }

    /// Accounts for a piece of a word.
    pub(super) fn piece(&mut self, span: Span) {
        match self.mode() {
            // The grammar drops a word between a command and a redirection now and then; bash does not.
            Mode::Statements if self.shell.state == State::Command => self.word(span),
            Mode::Statements => self.unaccounted(span.start),
            Mode::Command => self.word(span),
            Mode::Redirect(redirection) => self.redirection_piece(redirection, span),
            Mode::Header(header, words) => {
                let further = usize::from(self.shell.piece_end != Some(span.start));
                if header != Header::Loop && words + further > 1 {
                    self.unaccounted(span.start);
                }
                self.set_mode(Mode::Header(header, words + further));
                self.shell.piece_end = Some(span.end);
            }
            Mode::Patterns | Mode::Array => self.shell.piece_end = Some(span.end),
            Mode::Quotes
            | Mode::Body
            | Mode::Operand { .. }
            | Mode::Arithmetic { .. }
            | Mode::Subscript { .. }
            | Mode::Condition { .. } => {}
        }
    }

    /// Adds a piece to the words of the simple command.
    fn word(&mut self, span: Span) {
        match self.shell.state {
            State::Fresh => (self.shell.state, self.shell.incomplete) = (State::Command, false),
            State::Command => {}
            State::Compound | State::Header => self.unaccounted(span.start),
        }
        if self.shell.target_end == Some(span.start) {
            self.unaccounted(span.start);
        }
        match self.shell.words.last_mut() {
            Some(word) if word.end == span.start => word.end = span.end,
            _ => self.shell.words.push(span),
        }
        self.shell.piece_end = Some(span.end);
    }

    fn redirection_operator(&mut self, redirection: Redirection, operator: &str, span: Span) {
        let closes = operator.ends_with('-');
        // `>&-` is `>&` before the word `-`, which may be longer than the tree says.
        let target = closes.then(|| Span::new(span.end - 1, span.end));
        if closes && !self.separates(self.byte(span.end)) {
            self.unaccounted(span.start);
        }
        if closes {
            self.shell.target_end = Some(span.end);
        }
        self.set_mode(Mode::Redirect(Redirection { operator_end: Some(span.end), target, ..redirection }));
    }

    fn redirection_piece(&mut self, redirection: Redirection, span: Span) {
        if redirection.operator_end.is_none() {
            if !span.of(self.source).bytes().all(|byte| byte.is_ascii_digit()) {
                self.unaccounted(span.start);
            }
            return;
        }
        let target = match redirection.target {
            None => span,
            Some(target) if self.shell.target_end == Some(span.start) => Span::new(target.start, span.end),
            // The grammar takes further words for targets, and bash for words of the command.
            Some(_) => return self.word(span),
        };
        self.shell.target_end = Some(span.end);
        self.shell.piece_end = Some(span.end);
        self.set_mode(Mode::Redirect(Redirection { target: Some(target), ..redirection }));
    }

    pub(super) fn end_of_redirect(&mut self, redirection: Redirection, span: Span) {
        let Some(target) = redirection.target else { return self.unaccounted(span.start) };
        // Behind `>&` and `<&` a dash is a token of its own, whatever touches it.
        let duplicates = redirection.operator_end.is_some_and(|end| self.before(end) == Some(b'&'));
        if duplicates && target.len() > 1 && self.byte(target.start) == Some(b'-') {
            self.gap(GapCode::UnaccountedBytes, target);
        }
        self.footprint.redirects.push(target);
        let delimiter = redirection.heredoc.and_then(|index| self.heredocs.get(index)).map(|found| found.delimiter);
        if delimiter.is_some_and(|delimiter| delimiter != target) {
            self.gap(GapCode::UnaccountedBytes, target);
        }
    }

    /// Accounts for a comment (bash manual 3.1.3).
    pub(super) fn comment(&mut self, span: Span) {
        let glued = self.shell.piece_end == Some(span.start) || self.shell.target_end == Some(span.start);
        let ends = self.byte(span.end).is_none_or(|byte| byte == b'\n');
        let begins = self.byte(span.start) == Some(b'#');
        let allowed = matches!(
            self.mode(),
            Mode::Statements | Mode::Command | Mode::Redirect(_) | Mode::Header(..) | Mode::Patterns | Mode::Array
        );
        if glued || !ends || !begins || !allowed || self.in_backquotes {
            self.gap(GapCode::UnaccountedBytes, span);
        }
    }

    /// Accounts for a mask whose first byte is reached where words are read.
    pub(super) fn masked(&mut self, mask: Mask) {
        let Span { start, end } = mask.span;
        let glued = self.shell.piece_end == Some(start) || self.shell.target_end == Some(start);
        let mode = self.mode();
        let allowed = match mask.kind {
            MaskKind::Continuation => return self.continuation(mask.span),
            MaskKind::Comment => return self.comment(mask.span),
            MaskKind::PipelinePrefix => {
                let rest = self.rest(start).as_bytes();
                matches!(mode, Mode::Statements | Mode::Command | Mode::Redirect(Redirection { target: Some(_), .. }))
                    && self.shell.state == State::Fresh
                    && !self.shell.piped
                    && self.separates(self.before(start))
                    && pipeline_prefix(rest) == Some(mask.span.len())
            }
            MaskKind::Descriptor => {
                !glued
                    && matches!(
                        mode,
                        Mode::Statements | Mode::Command | Mode::Redirect(Redirection { target: Some(_), .. })
                    )
            }
            MaskKind::HereString | MaskKind::ReadWrite => {
                matches!(mode, Mode::Redirect(redirection) if redirection.operator_end == Some(start) && redirection.target.is_none())
            }
            MaskKind::HereDocumentOperator(index) => self.heredoc_operator(index, start),
            MaskKind::HereDocumentBody(index) => self.heredoc_body(index, start),
            MaskKind::WordByte | MaskKind::AnsiText | MaskKind::Quote => false,
        };
        if !allowed {
            self.gap(GapCode::UnaccountedBytes, Span::new(start, end));
        }
    }

    fn heredoc_operator(&mut self, index: usize, start: usize) -> bool {
        let Mode::Redirect(redirection) = self.mode() else { return false };
        self.shell.heredocs.push(index);
        self.set_mode(Mode::Redirect(Redirection { heredoc: Some(index), ..redirection }));
        redirection.operator_end == Some(start) && redirection.target.is_none() && !self.in_backquotes
    }

    fn heredoc_body(&mut self, index: usize, start: usize) -> bool {
        let expected = self.shell.body_start == Some(start) && self.shell.heredocs.first() == Some(&index);
        let Some(document) = self.heredocs.get(index).filter(|_| expected) else { return false };
        self.shell.heredocs.remove(0);
        self.footprint.heredocs.push((document.body, document.quoted));
        if !document.quoted {
            self.bodies.push(document.body);
        }
        true
    }

    /// Accounts for a quotation that is one token of the tree.
    pub(super) fn quotation(&mut self, enclosed: Enclosed, span: Span) {
        let text = span.of(self.source);
        let closed = if enclosed == Enclosed::AnsiQuotes {
            text.strip_prefix("$'").is_some_and(|inner| ansi_length(inner) == inner.len())
        } else {
            text.strip_prefix('\'').is_some_and(|inner| inner.find('\'') == inner.len().checked_sub(1))
        };
        let masked = self.masks.get(self.next_mask).filter(|mask| mask.span.start < span.end);
        if let Some(mask) = masked {
            let whole = mask.kind == MaskKind::AnsiText && mask.span == Span::new(span.start + 2, span.end - 1);
            self.next_mask += usize::from(whole);
        }
        if !closed {
            self.gap(GapCode::UnaccountedBytes, span);
        }
    }
}

/// How many bytes of `text` belong to `$'…'`, the closing quote included and the opening one not.
fn ansi_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'\'' => return at + 1,
            _ => {}
        }
    }
    0
}
