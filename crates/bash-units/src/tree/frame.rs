//! Where the walk stands: the constructs that are open, and how the bytes between their parts are read.

use super::kind::Header;
use super::shell::Shell;
use super::walk::Walk;
use crate::Span;

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
    pub(super) span: Span,
    /// Up to where its bytes are accounted for.
    pub(super) cursor: usize,
    /// Where its closer starts.
    pub(super) close: usize,
    /// Whether its parent takes it for a piece of a word.
    pub(super) piece: bool,
    /// The reading that it interrupts, and whether it stands in backquotes, where it is a substitution.
    pub(super) outer: Option<(Box<Shell>, bool)>,
}

/// What is to be done with the children of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Children {
    Skip,
    Visit,
    /// Visit them in the frame that was opened for them.
    Frame,
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
    pub(super) fn open(&mut self, span: Span, mode: Mode) -> Children {
        self.flush(span.start);
        self.push(span, span.start, span.end, mode, false)
    }

    pub(super) fn push(&mut self, span: Span, cursor: usize, close: usize, mode: Mode, piece: bool) -> Children {
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

    /// Takes the bytes up to `end` as accounted for.
    pub(super) fn skip_to(&mut self, end: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.cursor = frame.cursor.max(end);
        }
    }
}
