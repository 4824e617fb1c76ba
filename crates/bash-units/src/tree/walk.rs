//! The walk over the tree, which accounts for every byte of the text.
//!
//! The tree says where constructs begin and end; the bytes between them are read by bash's own rules for where they
//! stand ([`scan`](super::scan)). Words, assignments and the separation of commands come from the bytes: what the tree
//! calls a word is only text.

use tree_sitter::{Node, Tree};

use super::chars;
use super::heredoc::HereDocument;
use super::kind::{Enclosed, Header, NodeKind, kind_of};
use super::mask::{Mask, Masked, Text};
use super::shell::{Shell, State};
use crate::footprint::Footprint;
use crate::{Gap, GapCode, Span};

/// How many gaps are collected before the walk ends.
const ENOUGH_GAPS: usize = 16;

/// How the bytes of a frame that no child holds are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Between commands: blanks, newlines, comments.
    Statements,
    /// In a simple command: its words.
    Command,
    /// In a redirection.
    Redirect(Redirection),
    /// In the words of `for`, `case` or a function definition, of which so many were read.
    Header(Header, usize),
    /// In the patterns of a clause of `case`.
    Patterns,
    /// In a compound array assignment.
    Array,
    /// In double quotes.
    Quotes,
    /// In the body of a here-document.
    Body,
    /// In `${ … }`, and whether it is quoted or in arithmetic, where single quotes do not quote.
    Operand { quoted: bool },
    /// In arithmetic, and how many parentheses are open.
    Arithmetic { open: usize },
    /// In the subscript of an assignment, and how many brackets are open; only where a command begins may it hold
    /// what would end a word elsewhere.
    Subscript { open: usize, leading: bool },
    /// In `[[ … ]]`, and how many parentheses are open.
    Condition { open: usize },
}

/// How far the reading of a redirection is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Redirection {
    /// Where the operator ends.
    pub(super) operator_end: Option<usize>,
    /// The target so far.
    pub(super) target: Option<Span>,
    /// The here-document it opens.
    pub(super) heredoc: Option<usize>,
}

/// A construct that the walk is in.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) mode: Mode,
    /// The whole construct.
    span: Span,
    /// Up to where its bytes are accounted for.
    pub(super) cursor: usize,
    /// Where its closer starts.
    close: usize,
    /// Whether its parent takes it for a piece of a word.
    piece: bool,
    /// The reading that it interrupts, and whether it stands in backquotes, where it is a substitution.
    outer: Option<(Box<Shell>, bool)>,
}

/// The walk over one tree.
#[derive(Debug)]
pub(super) struct Walk<'s> {
    pub(super) source: &'s str,
    pub(super) text: Text,
    pub(super) masks: &'s [Mask],
    pub(super) heredocs: &'s [HereDocument],
    pub(super) next_mask: usize,
    pub(super) frames: Vec<Frame>,
    pub(super) shell: Shell,
    pub(super) in_backquotes: bool,
    pub(super) footprint: Footprint,
    pub(super) gaps: Vec<Gap>,
    /// Bodies of here-documents that are expanded.
    pub(super) bodies: Vec<Span>,
}

/// What is to be done with the children of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Children {
    Skip,
    Visit,
    /// Visit them in the frame that was opened for them.
    Frame,
}

impl<'s> Walk<'s> {
    pub(super) fn new(source: &'s str, text: Text, masked: &'s Masked) -> Self {
        let span = Span::new(0, source.len());
        let root = Frame { mode: Mode::Statements, span, cursor: 0, close: span.end, piece: false, outer: None };
        Self {
            source,
            text,
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
            NodeKind::Statements => self.unexpected(span),
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
            NodeKind::Assignment => self.unexpected(span),
            NodeKind::Redirect if matches!(mode, Mode::Statements | Mode::Command) => self.enter_redirect(span),
            NodeKind::Subscript => self.enter_subscript(span),
            NodeKind::Enclosed(enclosed) => self.enter_enclosed(enclosed, span),
            NodeKind::Command
            | NodeKind::Test
            | NodeKind::Header(_)
            | NodeKind::Clause
            | NodeKind::Redirect
            | NodeKind::Unknown => self.unexpected(span),
        }
    }

    /// The bytes of a node without the blanks before it, which the grammar's scanner takes for a part of some nodes.
    fn trimmed(&self, node: &Node<'_>) -> Span {
        let span = Span::new(node.start_byte(), node.end_byte());
        let outermost = self.frames.len() < 3 && self.text == Text::Body;
        let blank = |&byte: &u8| chars::is_blank(byte) || byte == b'\n';
        let blanks = if outermost { 0 } else { span.of(self.source).bytes().take_while(blank).count() };
        Span::new(span.start + blanks, span.end)
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
            || self.rest(close).get(..2) != Some("]]")
        {
            return self.unexpected(span);
        }
        self.push(span, span.start + 2, close, Mode::Condition { open: 0 }, false)
    }

    fn enter_redirect(&mut self, span: Span) -> Children {
        let children = self.open(span, Mode::Redirect(Redirection::default()));
        // A number that touches the operator is its descriptor, whatever the tree says.
        let glued = self.shell.piece_end == Some(span.start);
        let number =
            self.shell.words.last().is_some_and(|word| word.of(self.source).bytes().all(|b| b.is_ascii_digit()));
        let descriptor = self.byte(span.start).is_some_and(|byte| byte.is_ascii_digit());
        if glued && (number || descriptor) {
            self.unaccounted(span.start);
        }
        match self.shell.state {
            State::Fresh => (self.shell.state, self.shell.incomplete) = (State::Command, false),
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

    fn enter_enclosed(&mut self, enclosed: Enclosed, span: Span) -> Children {
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
            inner.starts_with('(') && self.byte(span.start) == Some(b'$')
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

/// Frames.
impl Walk<'_> {
    pub(super) fn mode(&self) -> Mode {
        self.frames.last().map_or(Mode::Statements, |frame| frame.mode)
    }

    pub(super) fn set_mode(&mut self, mode: Mode) {
        if let Some(frame) = self.frames.last_mut() {
            frame.mode = mode;
        }
    }

    pub(super) fn frame_start(&self) -> Option<usize> {
        self.frames.last().map(|frame| frame.span.start)
    }

    /// Whether `token` opens or closes the frame that the walk is in.
    pub(super) fn bounds_frame(&self, token: Span) -> bool {
        self.frames.last().is_some_and(|frame| {
            frame.outer.is_some() && (token.start == frame.span.start || token.start == frame.close)
        })
    }

    /// Opens a frame for a construct without an opener and a closer of its own.
    fn open(&mut self, span: Span, mode: Mode) -> Children {
        self.flush(span.start);
        self.push(span, span.start, span.end, mode, false)
    }

    fn push(&mut self, span: Span, cursor: usize, close: usize, mode: Mode, piece: bool) -> Children {
        self.frames.push(Frame { mode, span, cursor, close, piece, outer: None });
        Children::Frame
    }

    /// Whether the walk is in arithmetic that operators bound, and no node.
    pub(super) fn in_bare_arithmetic(&self) -> bool {
        matches!(self.frames.last(), Some(Frame { mode: Mode::Arithmetic { .. }, span, .. }) if span.is_empty())
    }

    /// Opens a frame from the end of an operator on, up to the operator that ends it.
    pub(super) fn push_arithmetic(&mut self, start: usize) {
        self.push(Span::new(start, start), start, start, Mode::Arithmetic { open: 0 }, false);
    }

    /// Ends such a frame at `close`.
    pub(super) fn pop_arithmetic(&mut self, close: usize) {
        self.flush(close);
        if let Some(Frame { mode: Mode::Arithmetic { open: 1.. }, .. }) = self.frames.pop() {
            self.unaccounted(close);
        }
    }

    fn unexpected(&mut self, span: Span) -> Children {
        self.flush(span.start);
        self.gap(GapCode::UnaccountedBytes, span);
        self.skip_to(span.end);
        Children::Skip
    }

    pub(super) fn skip_to(&mut self, end: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.cursor = frame.cursor.max(end);
        }
    }

    pub(super) fn unaccounted(&mut self, at: usize) {
        self.gap(GapCode::UnaccountedBytes, Span::new(at, at + 1));
    }

    pub(super) fn gap(&mut self, code: GapCode, span: Span) {
        self.gaps.push(Gap { code, span, unit: None });
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.source.as_bytes().get(at).copied()
    }

    pub(super) fn before(&self, at: usize) -> Option<u8> {
        self.byte(at.checked_sub(1)?)
    }

    pub(super) fn rest(&self, at: usize) -> &str {
        self.source.get(at..).unwrap_or_default()
    }
}

/// Whether a backslash of `text`, which stands in backquotes, is removed before the text is read as commands.
fn backslash_changes(text: &str, quoted: bool) -> bool {
    let removed = |byte: u8| matches!(byte, b'$' | b'`' | b'\\') || (byte == b'"' && quoted);
    text.as_bytes().windows(2).any(|pair| matches!(*pair, [b'\\', byte] if removed(byte)))
}
