//! The walk over the tree, which accounts for every byte of the text.
//!
//! The tree says where constructs begin and end; the bytes between them are read by bash's own rules for where they
//! stand ([`scan`](super::scan)). Words, assignments and the separation of commands come from the bytes: what the tree
//! calls a word is only text.

use tree_sitter::{Node, Tree};

use super::chars;
use super::frame::{Children, Frame, Mode, Redirection};
use super::heredoc::HereDocument;
use super::kind::{NodeKind, kind_of};
use super::mask::{Mask, Masked, Text};
use super::shell::{Shell, State};
use crate::footprint::Footprint;
use crate::{Gap, GapCode, Span};

/// How many gaps are collected before the walk ends.
const ENOUGH_GAPS: usize = 16;

/// The walk over one tree.
#[derive(Debug)]
pub(super) struct Walk<'s> {
    pub(super) source: &'s str,
    pub(super) text: Text,
    /// The text as the tree sees it.
    masked: &'s [u8],
    pub(super) masks: &'s [Mask],
    pub(super) heredocs: &'s [HereDocument],
    pub(super) next_mask: usize,
    pub(super) frames: Vec<Frame>,
    pub(super) shell: Shell,
    pub(super) in_backquotes: bool,
    pub(super) footprint: Footprint,
    pub(super) gaps: Vec<Gap>,
    /// Texts that the tree holds as one token and bash expands, to be read on their own: the bodies of here-documents, and
    /// operands such as the pattern of `${x#…}`.
    pub(super) bodies: Vec<Span>,
}

impl<'s> Walk<'s> {
    pub(super) fn new(source: &'s str, text: Text, masked: &'s Masked) -> Self {
        let span = Span::new(0, source.len());
        let root = Frame { mode: Mode::Statements, span, cursor: 0, close: span.end, piece: false, outer: None };
        Self {
            source,
            text,
            masked: &masked.text,
            masks: &masked.masks,
            heredocs: &masked.heredocs,
            next_mask: 0,
            frames: vec![root],
            shell: Shell::default(),
            in_backquotes: false,
            footprint: Footprint::default(),
            gaps: vec![],
            bodies: vec![],
        }
    }

    /// Walks over `tree`, which holds no error.
    pub(super) fn run(mut self, tree: &Tree) -> Self {
        let mut cursor = tree.walk();
        let mut framed = Vec::new();
        'tree: while self.gaps.len() < ENOUGH_GAPS {
            let children = self.enter(&cursor.node());
            if children != Children::Skip && cursor.goto_first_child() {
                framed.push(children == Children::Frame);
                continue;
            }
            if children == Children::Frame {
                self.leave();
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    break 'tree;
                }
                if framed.pop() == Some(true) {
                    self.leave();
                }
            }
        }
        self.end_of_text();
        self
    }

    fn enter(&mut self, node: &Node<'_>) -> Children {
        let span = self.trimmed(node);
        let mode = self.mode();
        match kind_of(node) {
            NodeKind::Text => Children::Visit,
            NodeKind::Token => {
                self.token(node.kind(), span);
                Children::Skip
            }
            NodeKind::Comment => {
                self.flush(span.start);
                self.comment(span);
                self.skip_to(span.end);
                Children::Skip
            }
            NodeKind::Statements if mode == Mode::Statements => Children::Visit,
            NodeKind::Statements if matches!(mode, Mode::Header(..)) => {
                self.flush(span.start);
                self.set_mode(Mode::Statements);
                Children::Visit
            }
            NodeKind::Command if mode == Mode::Statements => self.enter_command(span, State::Fresh),
            NodeKind::Test if mode == Mode::Statements => {
                if self.rest(span.start).starts_with("[[") {
                    self.enter_condition(span)
                } else {
                    self.enter_command(span, State::Fresh)
                }
            }
            NodeKind::Header(header) if mode == Mode::Statements => self.open(span, Mode::Header(header, 0)),
            NodeKind::Clause if mode == Mode::Statements => self.open(span, Mode::Patterns),
            NodeKind::Assignment if mode == Mode::Statements => self.enter_command(span, State::Command),
            NodeKind::Assignment if matches!(mode, Mode::Command | Mode::Arithmetic { .. }) => Children::Visit,
            NodeKind::Redirect if matches!(mode, Mode::Statements | Mode::Command) => self.enter_redirect(span),
            NodeKind::Subscript => self.enter_subscript(span),
            NodeKind::Enclosed(enclosed) => self.enter_enclosed(enclosed, span),
            NodeKind::Statements
            | NodeKind::Command
            | NodeKind::Test
            | NodeKind::Header(_)
            | NodeKind::Clause
            | NodeKind::Assignment
            | NodeKind::Redirect
            | NodeKind::Unknown => self.unexpected(span),
        }
    }

    /// The bytes of a node without the blanks before it, which the grammar's scanner takes for a part of some nodes.
    fn trimmed(&self, node: &Node<'_>) -> Span {
        let (start, end) = (node.start_byte(), node.end_byte());
        let seen = self.masked.get(start..end).unwrap_or_default();
        let blanks = seen.iter().take_while(|&&byte| chars::is_blank(byte) || byte == b'\n').count();
        Span::new(start + blanks, end)
    }

    /// Enters a simple command, or the first or a further part of it where `further` is [`State::Command`].
    fn enter_command(&mut self, span: Span, further: State) -> Children {
        let children = self.open(span, Mode::Command);
        if self.shell.state != State::Fresh && self.shell.state != further {
            self.unaccounted(span.start);
        }
        children
    }

    fn enter_condition(&mut self, span: Span) -> Children {
        self.flush(span.start);
        let blank = |byte: Option<u8>| byte.is_some_and(|byte| chars::is_blank(byte) || byte == b'\n');
        let close = span.end.saturating_sub(2);
        if self.shell.state != State::Fresh
            || !blank(self.byte(span.start + 2))
            || !blank(self.byte(close.saturating_sub(1)))
            || !self.rest(close).starts_with("]]")
            || !self.separates(self.before(span.start))
            || !self.separates(self.byte(span.end))
        {
            return self.unexpected(span);
        }
        self.push(span, span.start + 2, close, Mode::Condition { open: 0 }, false)
    }

    fn enter_redirect(&mut self, span: Span) -> Children {
        let children = self.open(span, Mode::Redirect(Redirection::default()));
        // What touches the operator may be its descriptor, whatever the tree says: a number, or `{NAME}`.
        let descriptor = |text: &str| text.starts_with('{') || text.bytes().all(|byte| byte.is_ascii_digit());
        let glued = self.shell.piece_end == Some(span.start);
        // The grammar takes a number before an operator for a word now and then. `&>` has no descriptor.
        let taken =
            glued && matches!(self.byte(span.start), Some(b'<' | b'>')) && self.shell.take_descriptor(self.source);
        if glued
            && !taken
            && (self.byte(span.start).is_some_and(|byte| byte.is_ascii_digit())
                || self.shell.words.last().is_some_and(|word| descriptor(word.of(self.source))))
        {
            self.unaccounted(span.start);
        }
        match self.shell.state {
            State::Fresh => self.shell.begin(),
            State::Command | State::Compound => {}
            State::Header => self.unaccounted(span.start),
        }
        children
    }

    fn enter_subscript(&mut self, span: Span) -> Children {
        if self.mode() != Mode::Command {
            return Children::Visit;
        }
        let name = chars::name_length(self.rest(span.start).as_bytes());
        let bracket = span.start + name;
        if name == 0 || self.byte(bracket) != Some(b'[') || self.byte(span.end.saturating_sub(1)) != Some(b']') {
            return self.unexpected(span);
        }
        self.flush(span.start);
        let leading = self.shell.state == State::Fresh;
        self.flush(bracket);
        let brackets = Span::new(bracket, span.end);
        self.shell.subscripts.push(brackets);
        self.push(brackets, bracket + 1, span.end - 1, Mode::Subscript { open: 0, leading }, true)
    }

    fn leave(&mut self) {
        let Some(close) = self.frames.last().map(|frame| frame.close) else { return };
        self.flush(close);
        if self.frames.last().is_some_and(|frame| frame.outer.is_some()) {
            self.end_of_list(close);
        }
        let Some(frame) = self.frames.pop() else { return };
        if let Some((shell, in_backquotes)) = frame.outer {
            self.shell = *shell;
            self.in_backquotes = in_backquotes;
        }
        match frame.mode {
            Mode::Redirect(redirection) => self.end_of_redirect(redirection, frame.span),
            Mode::Arithmetic { open } | Mode::Subscript { open, .. } | Mode::Condition { open } if open > 0 => {
                self.unaccounted(close);
            }
            Mode::Condition { .. } => (self.shell.state, self.shell.incomplete) = (State::Compound, false),
            Mode::Patterns => self.unaccounted(close),
            Mode::Statements
            | Mode::Command
            | Mode::Header(..)
            | Mode::Array
            | Mode::Quotes
            | Mode::Body
            | Mode::Operand { .. }
            | Mode::Arithmetic { .. }
            | Mode::Subscript { .. } => {}
        }
        if frame.piece {
            self.piece(frame.span);
        }
        self.skip_to(frame.span.end);
    }
}

/// Reports and the text.
impl Walk<'_> {
    pub(super) fn unexpected(&mut self, span: Span) -> Children {
        self.flush(span.start);
        self.gap(GapCode::UnaccountedBytes, span);
        self.skip_to(span.end);
        Children::Skip
    }

    pub(super) fn unaccounted(&mut self, at: usize) {
        self.gap(GapCode::UnaccountedBytes, Span::new(at, at + 1));
    }

    pub(super) fn gap(&mut self, code: GapCode, span: Span) {
        if self.gaps.len() < ENOUGH_GAPS {
            self.gaps.push(Gap { code, span, unit: None });
        }
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.source.as_bytes().get(at).copied()
    }

    pub(super) fn before(&self, at: usize) -> Option<u8> {
        self.byte(at.checked_sub(1)?)
    }

    /// The first offset from `at` on that is not a backslash before a newline.
    pub(super) fn behind_continuation(&self, mut at: usize) -> usize {
        while self.rest(at).starts_with("\\\n") {
            at += 2;
        }
        at
    }

    pub(super) fn rest(&self, at: usize) -> &str {
        self.source.get(at..).unwrap_or_default()
    }
}
