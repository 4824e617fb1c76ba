//! Lists and pipelines (bash manual 3.2.3 and 3.2.4): what separates commands, and what ends a list.

use super::machine::{ClosedBy, Frame, Machine, Returned};
use crate::{Joined, ScopeId};

/// A reserved word that bash recognizes where a command may start (bash manual 3.2.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reserved {
    If,
    Then,
    Elif,
    Else,
    Fi,
    While,
    Until,
    For,
    Select,
    Do,
    Done,
    Case,
    Esac,
    Function,
    Coproc,
    Time,
    Bang,
    OpenBrace,
    CloseBrace,
    OpenConditional,
}

impl Reserved {
    fn of(token: &[u8]) -> Option<Self> {
        Some(match token {
            b"if" => Self::If,
            b"then" => Self::Then,
            b"elif" => Self::Elif,
            b"else" => Self::Else,
            b"fi" => Self::Fi,
            b"while" => Self::While,
            b"until" => Self::Until,
            b"for" => Self::For,
            b"select" => Self::Select,
            b"do" => Self::Do,
            b"done" => Self::Done,
            b"case" => Self::Case,
            b"esac" => Self::Esac,
            b"function" => Self::Function,
            b"coproc" => Self::Coproc,
            b"time" => Self::Time,
            b"!" => Self::Bang,
            b"{" => Self::OpenBrace,
            b"}" => Self::CloseBrace,
            b"[[" => Self::OpenConditional,
            _ => return None,
        })
    }
}

/// What may end a list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Closer {
    /// The end of what is being read.
    End,
    /// `)`.
    Parenthesis,
    /// The brace that ends a function substitution: no blank or separator needs to follow it.
    Brace,
    /// One of the reserved words.
    Words(&'static [Reserved]),
    /// `;;`, `;&`, `;;&`, or `esac`.
    CaseItem,
}

/// A list that is being read.
pub(super) struct List {
    closer: Closer,
    scope: ScopeId,
    expects: Expects,
    joined: Joined,
    /// Where the list's, the and-or list's and the pipeline's units and scopes start.
    and_or: Mark,
    element: Mark,
    piped: bool,
    /// Whether no command has been read yet.
    empty: bool,
    /// Whether a semicolon stands behind a here-document of the same substitution.
    behind_heredoc: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Expects {
    /// A command, or the end.
    Command,
    /// A command, since an operator stands before it.
    Operand,
    /// A command or nothing, since `!` or `time` stands before it.
    Negated,
    /// An operator, or the end.
    Operator,
}

#[derive(Clone, Copy)]
struct Mark {
    units: usize,
    scopes: usize,
    assignments: usize,
}

impl List {
    pub(super) const fn program() -> Self {
        Self::new(Closer::End, ScopeId(0), Mark { units: 0, scopes: 1, assignments: 0 })
    }

    const fn new(closer: Closer, scope: ScopeId, mark: Mark) -> Self {
        Self {
            closer,
            scope,
            expects: Expects::Command,
            joined: Joined::Always,
            and_or: mark,
            element: mark,
            piped: false,
            empty: true,
            behind_heredoc: false,
        }
    }
}

impl Machine<'_> {
    fn mark(&self) -> Mark {
        let (units, scopes) = (self.out.commands.len(), self.out.scopes.len());
        Mark { units, scopes, assignments: self.out.loose_assignments.len() }
    }

    /// Starts a list in `scope` that ends with `closer`.
    pub(super) fn open_list(&mut self, closer: Closer, scope: ScopeId) {
        let list = List::new(closer, scope, self.mark());
        self.list_scopes.push(scope);
        self.stack.push(Frame::List(list));
    }

    pub(super) fn list(&mut self, mut list: List) {
        if let Some(Returned::Command) = self.returned.take() {
            list.expects = Expects::Operator;
            list.empty = false;
        }
        loop {
            self.skip_blanks();
            let Some(byte) = self.byte(self.pos) else { return self.close_at_end(list) };
            if byte == b'\n' {
                if list.expects == Expects::Operator || list.expects == Expects::Negated {
                    self.end_and_or(&mut list);
                    self.completed();
                }
                let Some(Frame::List(same)) = self.newline(Frame::List(list)) else { return };
                list = same;
                continue;
            }
            let goes_on = match list.expects {
                Expects::Operator => self.list_operator(&mut list, byte),
                Expects::Command | Expects::Operand | Expects::Negated => return self.list_command(list, byte),
            };
            match goes_on {
                Step::Next => {}
                Step::Close(by) => return self.close(&list, by),
                Step::Error => return self.syntax_error(),
            }
        }
    }

    /// Reads the operator behind a command.
    fn list_operator(&mut self, list: &mut List, byte: u8) -> Step {
        let at = self.pos;
        if byte == b')' && list.closer == Closer::Parenthesis {
            self.pos += 1;
            return Step::Close(ClosedBy::Parenthesis);
        }
        if let Some(next) = self.operator(at, b"&&") {
            return self.join(list, Joined::And, next);
        }
        if let Some(next) = self.operator(at, b"||") {
            return self.join(list, Joined::Or, next);
        }
        if let Some(next) = self.operator(at, b"|&").or_else(|| self.operator(at, b"|")) {
            list.piped = true;
            self.detach(list.scope, list.element);
            list.element = self.mark();
            return self.expect_operand(list, Joined::Pipe, next);
        }
        if byte == b';' {
            if let Some(step) = self.case_operator(list) {
                return step;
            }
            self.pos += 1;
            self.end_and_or(list);
            list.behind_heredoc = self.substitutions > 0 && self.here_documents > 0;
            return Step::Next;
        }
        if byte == b'&' {
            self.pos += 1;
            self.detach(list.scope, list.and_or);
            self.end_and_or(list);
            return Step::Next;
        }
        // Only behind a compound command can a word stand here; there bash recognizes reserved words: `if …; then (a) fi`.
        match self.reserved(at) {
            Some((word, next)) if closes(list.closer, word) => {
                self.pos = next;
                Step::Close(ClosedBy::Word(word))
            }
            _ => Step::Error,
        }
    }

    fn join(&mut self, list: &mut List, joined: Joined, next: usize) -> Step {
        self.end_pipeline(list);
        self.expect_operand(list, joined, next)
    }

    fn expect_operand(&mut self, list: &mut List, joined: Joined, next: usize) -> Step {
        list.joined = joined;
        list.expects = Expects::Operand;
        self.pos = next;
        Step::Next
    }

    fn case_operator(&mut self, list: &mut List) -> Option<Step> {
        let next = [&b";;&"[..], b";;", b";&"].iter().find_map(|operator| self.operator(self.pos, operator))?;
        if list.closer != Closer::CaseItem {
            return Some(Step::Error);
        }
        self.pos = next;
        Some(Step::Close(ClosedBy::CaseOperator))
    }

    /// Reads the start of a command.
    fn list_command(&mut self, mut list: List, byte: u8) {
        match byte {
            b')' if list.closer == Closer::Parenthesis && list.expects == Expects::Command => {
                self.pos += 1;
                return self.close(&list, ClosedBy::Parenthesis);
            }
            b'}' if list.closer == Closer::Brace && list.expects == Expects::Command => {
                self.pos += 1;
                return self.close(&list, ClosedBy::Word(Reserved::CloseBrace));
            }
            b';' => {
                if list.expects == Expects::Negated {
                    list.expects = Expects::Operator;
                    return self.stack.push(Frame::List(list));
                }
                return match (list.expects, self.case_operator(&mut list)) {
                    (Expects::Command, Some(Step::Close(by))) => self.close(&list, by),
                    _ => self.syntax_error(),
                };
            }
            b'&' if self.operator(self.pos, b"&>").is_none() => return self.syntax_error(),
            b'|' | b')' => return self.syntax_error(),
            _ => {}
        }
        let behind_heredoc = std::mem::take(&mut list.behind_heredoc);
        if behind_heredoc && !self.reserved(self.pos).is_some_and(|(word, _)| closes(list.closer, word)) {
            // Bash 5.2 does not print a semicolon there, so that two commands become one.
            self.unsure(self.pos, self.pos + 1);
        }
        let (scope, joined) = (list.scope, list.joined);
        if byte == b'(' {
            self.stack.push(Frame::List(list));
            return self.open_parenthesis(scope, joined);
        }
        match self.reserved(self.pos) {
            Some((word, next)) => self.list_reserved(list, word, next),
            None => {
                self.stack.push(Frame::List(list));
                self.open_simple(scope, joined);
            }
        }
    }

    fn list_reserved(&mut self, mut list: List, word: Reserved, next: usize) {
        let (scope, joined) = (list.scope, list.joined);
        match word {
            Reserved::Bang | Reserved::Time if joined == Joined::Pipe => {
                // Behind `|` bash takes `time` for a program, and `!` for an error.
                if word == Reserved::Bang {
                    return self.syntax_error();
                }
                self.stack.push(Frame::List(list));
                self.open_simple(scope, joined);
            }
            Reserved::Bang => {
                self.pos = next;
                list.expects = Expects::Negated;
                self.stack.push(Frame::List(list));
            }
            Reserved::Time => {
                self.pos = next;
                self.time_options();
                list.expects = Expects::Negated;
                self.stack.push(Frame::List(list));
            }
            Reserved::Then
            | Reserved::Elif
            | Reserved::Else
            | Reserved::Fi
            | Reserved::Do
            | Reserved::Done
            | Reserved::Esac
            | Reserved::CloseBrace => {
                if list.expects == Expects::Command
                    && closes(list.closer, word)
                    && (!list.empty || word == Reserved::Esac)
                {
                    self.pos = next;
                    self.close(&list, ClosedBy::Word(word));
                } else {
                    self.syntax_error();
                }
            }
            Reserved::If
            | Reserved::While
            | Reserved::Until
            | Reserved::For
            | Reserved::Select
            | Reserved::Case
            | Reserved::Function
            | Reserved::Coproc
            | Reserved::OpenBrace
            | Reserved::OpenConditional => {
                self.stack.push(Frame::List(list));
                self.open_compound(word, next, scope, joined);
            }
        }
    }

    /// Skips `-p` and `--` behind `time` (bash manual 3.2.3).
    fn time_options(&mut self) {
        let start = self.pos;
        for option in [&b"-p"[..], b"--"] {
            let mut at = self.pos;
            while let Some((byte, next)) = self.peek(at).filter(|(byte, _)| matches!(byte, b' ' | b'\t')) {
                debug_assert!(byte.is_ascii_whitespace());
                at = next;
            }
            match self.token(at, option.len()) {
                Some((token, next)) if token.as_bytes() == option => {
                    self.pos = next;
                    if option == b"--" && self.substitutions > 0 {
                        // Bash 5.2 does not print it, so that what follows may be taken for an option.
                        self.unsure(start, next);
                    }
                }
                _ => {}
            }
        }
    }

    /// The reserved word at `pos`, and the position behind it.
    pub(super) fn reserved(&self, pos: usize) -> Option<(Reserved, usize)> {
        if !matches!(self.peek(pos)?.0, b'a'..=b'z' | b'!' | b'{' | b'}' | b'[') {
            return None;
        }
        let (token, next) = self.token(pos, 8)?;
        Reserved::of(token.as_bytes()).map(|word| (word, next))
    }

    fn end_pipeline(&mut self, list: &mut List) {
        if list.piped {
            self.detach(list.scope, list.element);
        }
        list.piped = false;
        list.element = self.mark();
    }

    fn end_and_or(&mut self, list: &mut List) {
        self.end_pipeline(list);
        list.and_or = self.mark();
        list.joined = Joined::Always;
        list.expects = Expects::Command;
    }

    /// Marks what was read in `scope` since `mark` as running in subshells of their own.
    fn detach(&mut self, scope: ScopeId, mark: Mark) {
        for unit in self.out.commands.iter_mut().skip(mark.units).filter(|unit| unit.scope == scope) {
            unit.detached = true;
        }
        for inner in self.out.scopes.iter_mut().skip(mark.scopes).filter(|inner| inner.parent == Some(scope)) {
            inner.detached = true;
        }
        let assignments = self.out.loose_assignments.iter_mut().skip(mark.assignments);
        for assignment in assignments.filter(|assignment| assignment.scope == scope) {
            assignment.detached = true;
        }
    }

    fn close_at_end(&mut self, mut list: List) {
        if list.expects == Expects::Operand || list.closer != Closer::End {
            return self.syntax_error();
        }
        self.end_and_or(&mut list);
        self.completed();
        self.close(&list, ClosedBy::End);
    }

    fn close(&mut self, list: &List, by: ClosedBy) {
        if list.piped {
            self.detach(list.scope, list.element);
        }
        self.list_scopes.pop();
        self.returned = Some(Returned::Closed(by));
    }
}

enum Step {
    Next,
    Close(ClosedBy),
    Error,
}

fn closes(closer: Closer, word: Reserved) -> bool {
    match closer {
        Closer::Words(words) => words.contains(&word),
        Closer::CaseItem => word == Reserved::Esac,
        Closer::End | Closer::Parenthesis | Closer::Brace => false,
    }
}
