//! Operators, reserved words and words, in the order of the text: the part of the walk that knows the grammar of lists
//! (bash manual 3.2).

use super::chars;
use super::frame::{Mode, Redirection};
use super::kind::Header;
use super::mask::MaskKind;
use super::shell::State;
use super::walk::Walk;
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
        if self.masked_token(token, span) {
            return self.skip_to(span.end);
        }
        if span.of(self.source) != token {
            return self.unaccounted(span.start);
        }
        match mode {
            Mode::Redirect(redirection) => self.redirection_operator(redirection, token, span),
            Mode::Patterns => {
                if token == ")" {
                    if self.shell.state != State::Fresh {
                        self.unaccounted(span.start);
                    }
                    self.set_mode(Mode::Statements);
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

    /// Accounts for a token that is there for the tree alone, or in another form; tells whether it is one.
    fn masked_token(&mut self, token: &str, span: Span) -> bool {
        let Some(&mask) = self.masks.get(self.next_mask).filter(|mask| span.contains(mask.span)) else { return false };
        let state = self.shell.state;
        let allowed = if mask.kind == MaskKind::FallThrough {
            let complete = !self.shell.incomplete && state != State::Header;
            self.change_state(State::Fresh);
            token == ";;" && span.of(self.source) == ";&" && complete
        } else if mask.kind != MaskKind::Terminator {
            return false;
        } else if matches!(self.mode(), Mode::Header(Header::Loop, _)) {
            self.end_of_loop_header();
            self.shell.state = State::Fresh;
            token == ";"
        } else {
            token == ";" && state == State::Compound
        };
        self.next_mask += 1;
        if !allowed {
            self.gap(GapCode::UnaccountedBytes, mask.span);
        }
        true
    }

    /// Whether the `&` behind `;;` belongs to it.
    fn falls_through(&self, end: usize) -> bool {
        let mask = self.masks.get(self.next_mask);
        mask.is_some_and(|mask| mask.kind == MaskKind::FallThrough && mask.span.start == end)
    }

    fn list_token(&mut self, token: &str, span: Span) {
        let next = self.byte(self.behind_continuation(span.end));
        let state = self.shell.state;
        let fresh = state == State::Fresh;
        let header = state == State::Header;
        let complete = !self.shell.incomplete;
        // Each arm: whether the token may stand here, and the state behind it.
        let (expected, behind) = match token {
            ";" => (!fresh && next != Some(b';') && next != Some(b'&'), State::Fresh),
            "&" => (!fresh && !header && next != Some(b'&') && next != Some(b'>'), State::Fresh),
            ";;" | ";&" | ";;&" => {
                let ends = next != Some(b';') && (next != Some(b'&') || self.falls_through(span.end));
                (complete && !header && ends, State::Fresh)
            }
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
    pub(super) fn separates(&self, byte: Option<u8>) -> bool {
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
}
