//! Words, redirections, comments and masks, where words are read.

use super::frame::{Mode, Redirection};
use super::kind::Header;
use super::mask::{Mask, MaskKind, coprocess_prefix, pipeline_prefix};
use super::shell::State;
use super::walk::Walk;
use crate::{GapCode, Span};

impl Walk<'_> {
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
            State::Fresh => self.shell.begin(),
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

    pub(super) fn redirection_operator(&mut self, redirection: Redirection, operator: &str, span: Span) {
        let closes = operator.ends_with('-');
        // `>&-` is `>&` before the word `-`, which may be longer than the tree says.
        let target = closes.then(|| Span::new(span.end - 1, span.end));
        if closes && !self.separates(self.byte(span.end)) {
            self.unaccounted(span.start);
        }
        if closes {
            self.shell.target_end = Some(span.end);
        }
        let operator_end = Some(span.end - usize::from(closes));
        self.set_mode(Mode::Redirect(Redirection { operator_end, target, ..redirection }));
    }

    fn redirection_piece(&mut self, redirection: Redirection, span: Span) {
        if redirection.operator_end.is_none() {
            // A number that is too large for a descriptor is a word.
            if span.len() > 9 || !span.of(self.source).bytes().all(|byte| byte.is_ascii_digit()) {
                self.unaccounted(span.start);
            }
            return;
        }
        // `<<(` and its like are no operator before a substitution.
        let touches = redirection.operator_end == Some(span.start);
        if touches && matches!(self.byte(span.start), Some(b'<' | b'>')) {
            self.unaccounted(span.start);
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
        let ends = self.byte(span.end).is_none_or(|byte| byte == b'\n' || (self.in_backquotes && byte == b'`'));
        let begins = self.byte(span.start) == Some(b'#');
        let allowed = matches!(
            self.mode(),
            Mode::Statements | Mode::Command | Mode::Redirect(_) | Mode::Header(..) | Mode::Patterns | Mode::Array
        );
        let cut = self.in_backquotes && span.of(self.source).contains(['`', '\\']);
        if glued || !ends || !begins || !allowed || cut {
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
                self.may_begin(start) && !self.shell.piped && pipeline_prefix(rest) == Some(mask.span.len())
            }
            MaskKind::Coprocess => {
                let rest = self.rest(start).as_bytes();
                let allowed = self.may_begin(start) && coprocess_prefix(rest) == Some(mask.span.len());
                // A command has to follow, before which `time` and `!` are nothing special, as behind `|`.
                (self.shell.incomplete, self.shell.piped) = (true, true);
                allowed
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
            MaskKind::FallThrough => {
                mode == Mode::Statements
                    && self.shell.operator_end == Some(start)
                    && self.source.get(..start).is_some_and(|text| text.ends_with(";;"))
            }
            MaskKind::HereDocumentOperator(index) => self.heredoc_operator(index, start),
            MaskKind::HereDocumentBody(index) => self.heredoc_body(index, start),
            MaskKind::WordByte | MaskKind::AnsiText | MaskKind::Quote | MaskKind::Terminator => false,
        };
        if !allowed {
            self.gap(GapCode::UnaccountedBytes, Span::new(start, end));
        }
    }

    /// Whether a command may begin at `at`.
    fn may_begin(&self, at: usize) -> bool {
        let command = matches!(
            self.mode(),
            Mode::Statements | Mode::Command | Mode::Redirect(Redirection { target: Some(_), .. })
        );
        command && self.shell.state == State::Fresh && self.separates(self.before(at))
    }

    fn heredoc_operator(&mut self, index: usize, start: usize) -> bool {
        let Mode::Redirect(redirection) = self.mode() else { return false };
        self.shell.heredocs.push_back(index);
        self.set_mode(Mode::Redirect(Redirection { heredoc: Some(index), ..redirection }));
        redirection.operator_end == Some(start) && redirection.target.is_none() && !self.in_backquotes
    }

    fn heredoc_body(&mut self, index: usize, start: usize) -> bool {
        let expected = self.shell.body_start == Some(start) && self.shell.heredocs.front() == Some(&index);
        let Some(document) = self.heredocs.get(index).filter(|_| expected) else { return false };
        self.shell.heredocs.pop_front();
        self.footprint.heredocs.push((document.body, document.quoted));
        if !document.quoted {
            self.bodies.push(document.body);
        }
        true
    }
}
