//! The machine: its frames, its position, and what it does at the end and on a syntax error.

use super::compound::Compound;
use super::conditional::Conditional;
use super::expansion::{Region, Substitution};
use super::heredoc::{Heredocs, Pending};
use super::list::{List, Reserved};
use super::simple::{ArrayLiteral, Simple};
use super::text::{is_blank, is_metacharacter};
use super::word::WordFrame;
use super::{Reading, raw};
use crate::{Context, GapCode, HoleKind, Joined, Limits, Scope, ScopeId, ScopeKind, Span, Word};

/// How many syntax errors are read past before the rest is only scanned.
const MOST_ERRORS: usize = 8;

/// A construct that is being read.
pub(super) enum Frame {
    List(List),
    Simple(Box<Simple>),
    Array(Box<ArrayLiteral>),
    Word(Box<WordFrame>),
    Region(Region),
    Substitution(Substitution),
    Heredocs(Heredocs),
    Compound(Box<Compound>),
    Conditional(Box<Conditional>),
}

/// What a frame that ended leaves for the frame below it.
pub(super) enum Returned {
    /// A word, after brace expansion where its position allows it.
    Words(Vec<Word>),
    /// The words of `( … )` in an array assignment.
    Array(Vec<Word>),
    /// An expansion that ran from its `$`, `<`, `>` or backtick to its end.
    Hole(HoleKind, Span),
    /// The end of a region of text.
    Region(Span),
    /// A whole command, simple or compound.
    Command,
    /// The end of a list, by the word or operator named; the position is behind it.
    Closed(ClosedBy),
}

/// What ended a list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ClosedBy {
    End,
    Parenthesis,
    Word(Reserved),
    CaseOperator,
}

pub(super) struct Machine<'s> {
    pub(super) source: &'s str,
    pub(super) bytes: &'s [u8],
    pub(super) pos: usize,
    /// The end of what is being read: the text's, a backtick substitution's, or a here-document's.
    pub(super) end: usize,
    pub(super) stack: Vec<Frame>,
    pub(super) returned: Option<Returned>,
    /// Here-documents whose body starts behind the next newline.
    pub(super) pending: Vec<Pending>,
    pub(super) out: Reading,
    /// How many substitutions in parentheses are being read, since the innermost backticks or trap.
    ///
    /// Bash 5.2 runs them not as they are written but as it prints what it read of them, and does not print everything right.
    pub(super) substitutions: usize,
    /// How many here-documents have been read in the innermost of them.
    pub(super) here_documents: usize,
    /// How many newlines have been read as tokens.
    pub(super) lines: usize,
    /// The scopes of the lists on the stack above the program's.
    pub(super) list_scopes: Vec<ScopeId>,
    /// The contexts of `out.scopes`, by the same index.
    contexts: Vec<Context>,
    limits: &'s Limits,
    /// How many bytes may still be looked at more than once.
    allowance: usize,
    errors: usize,
    /// Behind the last complete command of the program.
    complete_to: usize,
}

pub(super) fn program_scope() -> Scope {
    Scope { parent: None, kind: ScopeKind::Program, joined: Joined::Always, detached: false }
}

impl<'s> Machine<'s> {
    pub(super) fn new(source: &'s str, limits: &'s Limits) -> Self {
        let out = Reading { scopes: vec![program_scope()], ..Reading::default() };
        Self {
            source,
            bytes: source.as_bytes(),
            pos: 0,
            end: source.len(),
            stack: vec![Frame::List(List::program())],
            returned: None,
            pending: Vec::new(),
            out,
            substitutions: 0,
            here_documents: 0,
            lines: 0,
            list_scopes: Vec::new(),
            contexts: vec![Context::TopLevel],
            limits,
            allowance: source.len().saturating_mul(8).saturating_add(1 << 16),
            errors: 0,
            complete_to: 0,
        }
    }

    /// Reads to the end of the text.
    pub(super) fn run(mut self) -> Reading {
        while let Some(frame) = self.stack.pop() {
            if self.stack.len() >= self.limits.depth {
                self.abandon(GapCode::NestingTooDeep);
            } else if self.out.commands.len() >= self.limits.units {
                self.abandon(GapCode::TooManyUnits);
            } else {
                self.step(frame);
            }
        }
        self.out
    }

    fn step(&mut self, frame: Frame) {
        match frame {
            Frame::List(list) => self.list(list),
            Frame::Simple(simple) => self.simple(simple),
            Frame::Array(array) => self.array(array),
            Frame::Word(word) => self.word(word),
            Frame::Region(region) => self.region(region),
            Frame::Substitution(substitution) => self.end_substitution(substitution),
            Frame::Heredocs(heredocs) => self.heredocs(heredocs),
            Frame::Compound(compound) => self.compound(compound),
            Frame::Conditional(conditional) => self.conditional(conditional),
        }
    }

    /// Notes that everything before the position is whole commands of the program.
    pub(super) fn completed(&mut self) {
        if self.stack.is_empty() {
            self.complete_to = self.pos;
        }
    }

    /// Records a syntax error at the position and goes on behind it, at the top.
    ///
    /// Bash runs nothing from the line of the error on; what is listed there can only make an answer stricter.
    pub(super) fn syntax_error(&mut self) {
        self.errors += 1;
        let at = Span::new(self.pos, self.next_boundary(self.pos));
        self.out.gap(GapCode::SyntaxError, at);
        let whole = self.source.len();
        if self.errors > MOST_ERRORS || self.pos >= whole {
            self.scan_from(self.complete_to);
            return;
        }
        self.unwind();
        self.pos = at.end.max(self.pos + 1);
        self.stack.push(Frame::List(List::program()));
    }

    /// Gives up reading and lists what the rest of the text looks like.
    fn abandon(&mut self, code: GapCode) {
        self.out.gap(code, Span::new(self.complete_to, self.source.len()));
        self.scan_from(self.complete_to);
    }

    fn scan_from(&mut self, start: usize) {
        self.unwind();
        raw::scan(self.source, Span::new(start, self.source.len()), &mut self.out);
    }

    /// Leaves every construct, keeping the units that had begun.
    fn unwind(&mut self) {
        for frame in std::mem::take(&mut self.stack) {
            if let Frame::Simple(simple) = frame {
                self.emit(*simple);
            }
        }
        self.returned = None;
        self.pending.clear();
        self.list_scopes.clear();
        (self.substitutions, self.here_documents) = (0, 0);
        self.end = self.source.len();
    }

    /// The first character boundary behind `pos`.
    pub(super) fn next_boundary(&self, pos: usize) -> usize {
        let mut next = pos.saturating_add(1);
        while next < self.source.len() && !self.source.is_char_boundary(next) {
            next += 1;
        }
        next.min(self.source.len())
    }

    pub(super) fn scope(&mut self, parent: ScopeId, kind: ScopeKind, joined: Joined) -> ScopeId {
        let context = match kind {
            ScopeKind::Program => Context::TopLevel,
            ScopeKind::Group => self.context(parent),
            ScopeKind::Subshell => Context::Subshell,
            ScopeKind::CommandSubstitution => Context::CommandSubstitution,
            ScopeKind::ProcessSubstitution => Context::ProcessSubstitution,
            ScopeKind::ControlFlow => Context::ControlFlow,
            ScopeKind::Function => Context::Function,
            ScopeKind::Coprocess => Context::Coprocess,
            ScopeKind::Trap => Context::Trap,
        };
        self.out.scopes.push(Scope { parent: Some(parent), kind, joined, detached: false });
        self.contexts.push(context);
        ScopeId(self.out.scopes.len() - 1)
    }

    /// The scope of the innermost list that is being read.
    pub(super) fn current_scope(&self) -> ScopeId {
        self.list_scopes.last().copied().unwrap_or(ScopeId(0))
    }

    pub(super) fn context(&self, scope: ScopeId) -> Context {
        self.contexts.get(scope.0).copied().unwrap_or(Context::TopLevel)
    }

    /// Records that the reading is not sure of `span`.
    pub(super) fn unsure(&mut self, start: usize, end: usize) {
        self.out.gap(GapCode::UnsureReading, Span::new(start, end.max(start)));
    }

    /// Spends work on looking at `bytes` ahead; false where the allowance is used up, which is a gap.
    pub(super) fn afford(&mut self, bytes: usize) -> bool {
        if let Some(left) = self.allowance.checked_sub(bytes) {
            self.allowance = left;
            return true;
        }
        if self.allowance > 0 {
            self.allowance = 0;
            self.out.gap(GapCode::TooMuchWork, Span::new(self.pos, self.end));
        }
        false
    }

    /// How many bytes may still be looked at ahead.
    pub(super) fn allowance(&self) -> usize {
        self.allowance
    }

    pub(super) fn byte(&self, pos: usize) -> Option<u8> {
        if pos < self.end { self.bytes.get(pos).copied() } else { None }
    }

    pub(super) fn slice(&self, start: usize, end: usize) -> &'s str {
        self.source.get(start..end).unwrap_or_default()
    }

    /// Whether a backslash-newline pair stands at `pos` (POSIX 2.2.1: it is removed before the text is split into tokens).
    pub(super) fn is_continuation(&self, pos: usize) -> bool {
        self.byte(pos) == Some(b'\\') && self.byte(pos + 1) == Some(b'\n')
    }

    /// The first position from `pos` on where no continuation stands.
    pub(super) fn past_continuations(&self, mut pos: usize) -> usize {
        while self.is_continuation(pos) {
            pos += 2;
        }
        pos
    }

    /// The byte at `pos`, continuations aside, and the position behind it.
    pub(super) fn peek(&self, pos: usize) -> Option<(u8, usize)> {
        let at = self.past_continuations(pos);
        self.byte(at).map(|byte| (byte, at + 1))
    }

    /// The position behind `operator` where it stands at `pos`, with continuations between its bytes.
    pub(super) fn operator(&self, pos: usize, operator: &[u8]) -> Option<usize> {
        operator
            .iter()
            .try_fold(pos, |at, expected| self.peek(at).filter(|(byte, _)| byte == expected).map(|(_, next)| next))
    }

    /// Skips blanks, continuations, and a comment if one follows.
    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.byte(self.pos) {
                Some(byte) if is_blank(byte) => self.pos += 1,
                Some(b'\\') if self.byte(self.pos + 1) == Some(b'\n') => self.pos += 2,
                Some(b'#') => {
                    let rest = self.bytes.get(self.pos..self.end).unwrap_or_default();
                    self.pos = rest.iter().position(|byte| *byte == b'\n').map_or(self.end, |at| self.pos + at);
                }
                _ => return,
            }
        }
    }

    /// Steps over the newline at the position; true where bodies of here-documents follow and `frame` waits below them.
    pub(super) fn newline(&mut self, frame: Frame) -> Option<Frame> {
        self.pos += 1;
        self.lines += 1;
        if self.pending.is_empty() {
            return Some(frame);
        }
        self.stack.push(frame);
        let queue = std::mem::take(&mut self.pending);
        self.stack.push(Frame::Heredocs(Heredocs::new(queue)));
        None
    }

    /// The unquoted token at `pos` up to a metacharacter, continuations removed, where it is at most `longest` plain bytes.
    pub(super) fn token(&self, pos: usize, longest: usize) -> Option<(Token, usize)> {
        let mut token = Token::default();
        let mut at = pos;
        while let Some((byte, next)) = self.peek(at) {
            if is_metacharacter(byte) {
                // A process substitution is part of the word before it.
                if matches!(byte, b'<' | b'>') && self.peek(next).is_some_and(|(byte, _)| byte == b'(') {
                    return None;
                }
                break;
            }
            if token.len == longest.min(token.bytes.len()) || matches!(byte, b'\'' | b'"' | b'\\' | b'$' | b'`') {
                return None;
            }
            if let Some(slot) = token.bytes.get_mut(token.len) {
                *slot = byte;
            }
            token.len += 1;
            at = next;
        }
        (token.len > 0).then_some((token, at))
    }
}

/// A short plain token.
#[derive(Default)]
pub(super) struct Token {
    bytes: [u8; 8],
    len: usize,
}

impl Token {
    pub(super) fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }
}
