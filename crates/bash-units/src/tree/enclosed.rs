//! Constructs with an opener and a closer: quotations, expansions and substitutions.

use super::frame::{Children, Mode};
use super::kind::Enclosed;
use super::mask::{MaskKind, Text};
use super::walk::Walk;
use crate::{GapCode, Span};

impl Walk<'_> {
    pub(super) fn enter_enclosed(&mut self, enclosed: Enclosed, span: Span) -> Children {
        let mode = self.mode();
        let body = self.text == Text::Body && span == Span::new(0, self.source.len());
        if enclosed == Enclosed::Array && matches!(mode, Mode::Operand { .. }) {
            return Children::Visit;
        }
        self.flush(span.start);
        if !self.may_stand_in(enclosed, span, mode) {
            return self.unexpected(span);
        }
        let quoted = matches!(
            mode,
            Mode::Quotes
                | Mode::Body
                | Mode::Arithmetic { .. }
                | Mode::Subscript { .. }
                | Mode::Operand { quoted: true }
        );
        let (openers, closer, inside): (&[&str], &str, Mode) = match enclosed {
            Enclosed::Command if self.byte(span.start) == Some(b'`') => (&["`"], "`", Mode::Statements),
            Enclosed::Command => (&["$("], ")", Mode::Statements),
            Enclosed::Process => (&["<(", ">("], ")", Mode::Statements),
            Enclosed::Parameter => (&["${"], "}", Mode::Operand { quoted }),
            Enclosed::Arithmetic if self.byte(span.start + 1) == Some(b'[') => {
                (&["$["], "]", Mode::Subscript { open: 0, leading: true })
            }
            Enclosed::Arithmetic => (&["$(("], "))", Mode::Arithmetic { open: 0 }),
            Enclosed::DoubleQuotes if body => (&[""], "", Mode::Body),
            Enclosed::DoubleQuotes => (&["\""], "\"", Mode::Quotes),
            Enclosed::Array => (&["("], ")", Mode::Array),
            Enclosed::SingleQuotes | Enclosed::AnsiQuotes => {
                self.quotation(enclosed, span);
                self.piece(span);
                self.skip_to(span.end);
                return Children::Skip;
            }
        };
        let text = span.of(self.source);
        let opener = openers.iter().find(|opener| text.starts_with(**opener));
        let inner = opener.and_then(|opener| text.get(opener.len()..)?.strip_suffix(closer));
        let (Some(opener), Some(inner)) = (opener, inner) else {
            return self.unexpected(span);
        };
        let start = span.start + opener.len();
        if inside == Mode::Statements {
            self.interrupt(span, start, closer == "`", quoted)
        } else if inside == Mode::Body {
            self.push(span, start + 1, span.end - 1, inside, true)
        } else {
            self.push(span, start, start + inner.len(), inside, true)
        }
    }

    fn may_stand_in(&mut self, enclosed: Enclosed, span: Span, mode: Mode) -> bool {
        let inner = span.of(self.source);
        match mode {
            Mode::Statements => false,
            Mode::Command | Mode::Redirect(_) | Mode::Header(..) | Mode::Patterns | Mode::Array => {
                enclosed != Enclosed::Array || (mode == Mode::Command && self.before(span.start) == Some(b'='))
            }
            Mode::Condition { .. } | Mode::Operand { quoted: false } => enclosed != Enclosed::Array,
            Mode::Quotes | Mode::Body => {
                matches!(enclosed, Enclosed::Command | Enclosed::Parameter | Enclosed::Arithmetic)
            }
            Mode::Operand { quoted: true } => matches!(
                enclosed,
                Enclosed::Command | Enclosed::Parameter | Enclosed::Arithmetic | Enclosed::DoubleQuotes
            ),
            Mode::Arithmetic { .. } | Mode::Subscript { .. } => match enclosed {
                Enclosed::Command | Enclosed::Parameter | Enclosed::Arithmetic | Enclosed::DoubleQuotes => true,
                // They do not quote in arithmetic.
                Enclosed::SingleQuotes => !inner.contains(['$', '`', '\\']),
                Enclosed::Process | Enclosed::AnsiQuotes | Enclosed::Array => false,
            },
        }
    }

    /// Enters a substitution: a reading of its own.
    fn interrupt(&mut self, span: Span, start: usize, backquotes: bool, quoted: bool) -> Children {
        let inner = self.source.get(start..span.end.saturating_sub(1)).unwrap_or_default();
        // In backquotes backslashes are read twice; `$((` is arithmetic before it is anything else.
        let obscure = if backquotes {
            self.in_backquotes || inner.contains('`') || backslash_changes(inner, quoted)
        } else {
            self.byte(self.behind_continuation(start)) == Some(b'(') && self.byte(span.start) == Some(b'$')
        };
        if obscure {
            return self.unexpected(span);
        }
        let outer = (Box::new(std::mem::take(&mut self.shell)), self.in_backquotes);
        self.in_backquotes |= backquotes;
        let children = self.push(span, start, span.end - 1, Mode::Statements, true);
        if let Some(frame) = self.frames.last_mut() {
            frame.outer = Some(outer);
        }
        children
    }

    /// Accounts for a quotation that is one token of the tree.
    fn quotation(&mut self, enclosed: Enclosed, span: Span) {
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

/// Whether a backslash of `text`, which stands in backquotes, is removed before the text is read as commands.
fn backslash_changes(text: &str, quoted: bool) -> bool {
    let removed = |byte: u8| matches!(byte, b'$' | b'`' | b'\\') || (byte == b'"' && quoted);
    text.as_bytes().windows(2).any(|pair| matches!(*pair, [b'\\', byte] if removed(byte)))
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
