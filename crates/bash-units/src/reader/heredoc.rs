//! Here-documents (bash manual 3.6.6).

use std::borrow::Cow;

use super::machine::{Frame, Machine};
use super::simple::RedirectHead;
use super::text::is_metacharacter;
use crate::{GapCode, Heredoc, Part, RedirectKind, ScopeKind, Span, Word};

/// A here-document whose body is still to come.
pub(super) struct Pending {
    /// Where its redirection starts.
    redirect: usize,
    delimiter: String,
    quoted: bool,
    /// Whether leading tabs are removed from its lines.
    tabs: bool,
}

/// Bodies that are being read, one behind the other.
pub(super) struct Heredocs {
    queue: Vec<Pending>,
    next: usize,
    /// Behind the delimiter of a body whose expansions are being read, and the end to go back to.
    resume: Option<(usize, usize)>,
}

impl Heredocs {
    pub(super) fn new(queue: Vec<Pending>) -> Self {
        Self { queue, next: 0, resume: None }
    }
}

/// Where a body ends.
struct Extent {
    body_end: usize,
    next: usize,
}

impl<'s> Machine<'s> {
    /// Reads the delimiter at the position; its body follows behind the next newline.
    pub(super) fn heredoc_delimiter(&mut self, head: RedirectHead) -> Word {
        let start = self.pos;
        let mut delimiter = String::new();
        let mut quoted = false;
        while let Some(byte) = self.byte(self.pos) {
            match byte {
                b'\\' if self.byte(self.pos + 1) == Some(b'\n') => self.pos += 2,
                b'\\' => {
                    quoted = true;
                    let end = self.next_boundary(self.pos + 1);
                    delimiter.push_str(self.slice(self.pos + 1, end));
                    self.pos = end;
                }
                b'\'' | b'"' => {
                    quoted = true;
                    let inside = self.pos + 1;
                    let rest = self.bytes.get(inside..self.end).unwrap_or_default();
                    let length = rest.iter().position(|other| *other == byte).unwrap_or(rest.len());
                    let text = self.slice(inside, inside + length);
                    if text.contains(['\n', '\\', '$', '`']) || length == rest.len() {
                        self.unsure(start, inside + length);
                    }
                    delimiter.push_str(text);
                    self.pos = (inside + length + 1).min(self.end);
                }
                _ if is_metacharacter(byte) => break,
                _ => {
                    if matches!(byte, b'$' | b'`') {
                        // Bash takes the characters as they are, but for `$'…'` and what only looks like an expansion.
                        self.unsure(start, self.pos + 1);
                    }
                    let end = self.next_boundary(self.pos);
                    if self.slice(self.pos, end).chars().any(super::text::is_deceptive) {
                        self.out.gap(GapCode::ControlCharacter, Span::new(self.pos, end));
                    }
                    delimiter.push_str(self.slice(self.pos, end));
                    self.pos = end;
                }
            }
        }
        if self.pos == start {
            self.unsure(head.start, self.pos);
        }
        if self.substitutions > 0 {
            self.here_documents += 1;
            let scope = self.out.scopes.get(self.current_scope().0).map(|scope| scope.kind);
            if !matches!(scope, Some(ScopeKind::CommandSubstitution | ScopeKind::ProcessSubstitution)) {
                // Bash 5.2 prints the body behind lines that did not stand before it.
                self.unsure(head.start, self.pos);
            }
        }
        let tabs = head.kind == RedirectKind::HereDocumentTabs;
        self.await_heredoc(Pending { redirect: head.start, delimiter: delimiter.clone(), quoted, tabs });
        Word { span: Span::new(start, self.pos), parts: vec![Part::Literal { text: delimiter, quoted }] }
    }

    /// Reads the bodies that start at the position.
    pub(super) fn heredocs(&mut self, mut heredocs: Heredocs) {
        self.returned = None;
        if let Some((next, end)) = heredocs.resume.take() {
            self.pos = next;
            self.end = end;
        }
        while let Some(pending) = heredocs.queue.get(heredocs.next) {
            heredocs.next += 1;
            let start = self.pos;
            let extent = self.heredoc_extent(pending);
            let body = Span::new(start, extent.body_end);
            self.out.heredocs.push((pending.redirect, Heredoc { body, quoted: pending.quoted }));
            if pending.quoted {
                self.pos = extent.next;
                continue;
            }
            heredocs.resume = Some((extent.next, self.end));
            self.end = extent.body_end;
            self.stack.push(Frame::Heredocs(heredocs));
            return self.open_heredoc_body();
        }
    }

    /// Finds the delimiter line of the body that starts at the position.
    fn heredoc_extent(&mut self, pending: &Pending) -> Extent {
        let in_substitution = !self.list_scopes.is_empty();
        let mut line_start = self.pos;
        while line_start < self.end {
            let (line, next) = self.logical_line(line_start, !pending.quoted);
            if !self.afford((next - line_start) / 4) {
                break;
            }
            let compared = if pending.tabs { line.trim_start_matches('\t') } else { &line };
            if compared == pending.delimiter {
                return Extent { body_end: line_start, next };
            }
            if in_substitution
                && compared.strip_prefix(pending.delimiter.as_str()).is_some_and(|rest| rest.contains(')'))
            {
                // Bash 5.2 ends the body here too, for compatibility with older versions.
                self.unsure(line_start, next);
            }
            line_start = next;
        }
        self.out.gap(GapCode::UnterminatedHeredoc, Span::new(pending.redirect, self.end));
        Extent { body_end: self.end, next: self.end }
    }

    /// The line at `start`, joined with those that follow where `joins` and a backslash ends it, and the position behind it.
    fn logical_line(&self, start: usize, joins: bool) -> (Cow<'s, str>, usize) {
        let mut from = start;
        loop {
            let rest = self.bytes.get(from..self.end).unwrap_or_default();
            let Some(length) = rest.iter().position(|byte| *byte == b'\n') else {
                return (self.joined_line(start, self.end, joins), self.end);
            };
            let end = from + length;
            let backslashes =
                self.bytes.get(start..end).unwrap_or_default().iter().rev().take_while(|byte| **byte == b'\\').count();
            if !joins || backslashes % 2 == 0 {
                return (self.joined_line(start, end, joins), end + 1);
            }
            from = end + 1;
        }
    }

    fn joined_line(&self, start: usize, end: usize, joins: bool) -> Cow<'s, str> {
        let text = self.slice(start, end);
        if joins && text.contains("\\\n") { text.replace("\\\n", "").into() } else { text.into() }
    }
}
