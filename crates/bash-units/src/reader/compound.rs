//! Compound commands (bash manual 3.2.5), functions (3.3) and coprocesses (3.2.6).

use super::conditional::Conditional;
use super::list::{Closer, Reserved};
use super::machine::{ClosedBy, Frame, Machine, Returned};
use super::simple::{RedirectHead, one_word};
use super::text::{continues_name, is_blank, is_metacharacter, starts_name};
use super::word::WordMode;
use crate::semantics::Concern;
use crate::{AssignedValue, Assignment, Joined, ScopeId, ScopeKind, Span, Word};

/// A compound command that is being read.
pub(super) struct Compound {
    /// The scope it stands in.
    scope: ScopeId,
    joined: Joined,
    state: State,
}

enum State {
    /// Its body is read: redirections follow, of which one may wait for its target.
    Redirections(Option<RedirectHead>),
    /// `if`, or `elif`: a condition is being read.
    Condition,
    /// `then` or `else`: a branch is being read.
    Branch,
    /// `while` or `until`: the condition is being read.
    LoopCondition,
    /// `for` or `select`: the name is read; `in`, `;`, a newline or the body follows.
    ForName(Loop),
    /// Words of `in …` are being read.
    ForWords(Loop),
    /// `for ((…))`: the body follows.
    ForBody,
    /// `case`: its word is being read.
    CaseWord,
    /// A pattern, or `esac`, follows.
    CasePattern,
    /// A pattern is being read, in a list that has one already or not.
    CasePatternWord,
    /// A function's name is read: its body follows, or ends.
    FunctionBody(ScopeId),
    /// The body of a function or coprocess is being read.
    Body,
}

/// The head of `for NAME in …`.
struct Loop {
    start: usize,
    name: String,
    words: Vec<Word>,
    end: usize,
}

impl Machine<'_> {
    /// Opens the compound command that `word`, which ends before `next`, starts.
    pub(super) fn open_compound(&mut self, word: Reserved, next: usize, scope: ScopeId, joined: Joined) {
        let start = self.pos;
        self.pos = next;
        match word {
            Reserved::OpenBrace => {
                let inner = self.scope(scope, ScopeKind::Group, joined);
                self.wait(scope, joined, State::Redirections(None));
                self.open_list(Closer::Words(&[Reserved::CloseBrace]), inner);
            }
            Reserved::If => {
                self.wait(scope, joined, State::Condition);
                self.open_branch(scope, joined, &[Reserved::Then]);
            }
            Reserved::While | Reserved::Until => {
                self.wait(scope, joined, State::LoopCondition);
                self.open_branch(scope, joined, &[Reserved::Do]);
            }
            Reserved::For | Reserved::Select => self.open_for(scope, joined, start, word),
            Reserved::Case => {
                self.skip_inline_blanks();
                if !self.word_follows() {
                    return self.syntax_error();
                }
                self.wait(scope, joined, State::CaseWord);
                self.open_word(WordMode::Case);
            }
            Reserved::OpenConditional => {
                self.wait(scope, joined, State::Redirections(None));
                self.stack.push(Frame::Conditional(Box::new(Conditional::new(start))));
            }
            Reserved::Function => self.open_function_keyword(scope, joined),
            Reserved::Coproc => self.open_coprocess(scope, joined),
            Reserved::Then
            | Reserved::Elif
            | Reserved::Else
            | Reserved::Fi
            | Reserved::Do
            | Reserved::Done
            | Reserved::Esac
            | Reserved::Time
            | Reserved::Bang
            | Reserved::CloseBrace => self.syntax_error(),
        }
    }

    /// Opens the subshell or arithmetic command that the parenthesis at the position starts.
    pub(super) fn open_parenthesis(&mut self, scope: ScopeId, joined: Joined) {
        let start = self.pos;
        let arithmetic = self.operator(start, b"((").filter(|inside| self.arithmetic_close(*inside).is_some());
        self.wait(scope, joined, State::Redirections(None));
        if let Some(inside) = arithmetic {
            return self.open_arithmetic(start, inside);
        }
        if let Some(inside) = self.operator(start, b"((") {
            self.unsure(start, inside);
        }
        self.pos += 1;
        let inner = self.scope(scope, ScopeKind::Subshell, joined);
        self.open_list(Closer::Parenthesis, inner);
    }

    /// Opens the body of the function `name`, behind its parentheses.
    pub(super) fn open_function(&mut self, name: &str, span: Span, scope: ScopeId, joined: Joined) {
        self.out.concerns.push(Concern::Function(name.to_owned(), span));
        let inner = self.scope(scope, ScopeKind::Function, joined);
        self.wait(scope, joined, State::FunctionBody(inner));
    }

    fn wait(&mut self, scope: ScopeId, joined: Joined, state: State) {
        self.stack.push(Frame::Compound(Box::new(Compound { scope, joined, state })));
    }

    fn open_branch(&mut self, scope: ScopeId, joined: Joined, closers: &'static [Reserved]) {
        let inner = self.scope(scope, ScopeKind::ControlFlow, joined);
        self.open_list(Closer::Words(closers), inner);
    }

    pub(super) fn compound(&mut self, mut compound: Box<Compound>) {
        let (scope, joined) = (compound.scope, compound.joined);
        let returned = self.returned.take();
        match compound.state {
            State::Redirections(waiting) => self.compound_redirections(compound, waiting, returned),
            State::Condition => {
                compound.state = State::Branch;
                self.stack.push(Frame::Compound(compound));
                self.open_branch(scope, joined, &[Reserved::Elif, Reserved::Else, Reserved::Fi]);
            }
            State::Branch => self.end_branch(compound, returned),
            State::LoopCondition => self.open_body(compound, &[Reserved::Done]),
            State::ForName(head) => self.for_name(scope, joined, head),
            State::ForWords(mut head) => {
                if let Some(Returned::Words(words)) = returned {
                    head.words.extend(words);
                    head.end = self.pos;
                }
                self.for_words(scope, joined, head);
            }
            State::ForBody => self.for_body(compound),
            State::CaseWord => {
                if !self.skip_lines(&mut compound) {
                    return;
                }
                match self.token(self.pos, 2) {
                    Some((token, next)) if token.as_bytes() == b"in" => self.pos = next,
                    _ => return self.syntax_error(),
                }
                compound.state = State::CasePattern;
                self.stack.push(Frame::Compound(compound));
            }
            State::CasePattern => self.case_pattern(compound, returned),
            State::CasePatternWord => self.case_pattern_end(compound),
            State::FunctionBody(inner) => self.function_body(compound, inner),
            State::Body => self.returned = Some(Returned::Command),
        }
    }

    fn end_branch(&mut self, mut compound: Box<Compound>, returned: Option<Returned>) {
        let (scope, joined) = (compound.scope, compound.joined);
        match returned {
            Some(Returned::Closed(ClosedBy::Word(Reserved::Elif))) => {
                compound.state = State::Condition;
                self.stack.push(Frame::Compound(compound));
                self.open_branch(scope, joined, &[Reserved::Then]);
            }
            Some(Returned::Closed(ClosedBy::Word(Reserved::Else))) => self.open_body(compound, &[Reserved::Fi]),
            _ => {
                compound.state = State::Redirections(None);
                self.stack.push(Frame::Compound(compound));
            }
        }
    }

    /// Opens the last list of a compound command.
    fn open_body(&mut self, mut compound: Box<Compound>, closers: &'static [Reserved]) {
        let (scope, joined) = (compound.scope, compound.joined);
        compound.state = State::Redirections(None);
        self.stack.push(Frame::Compound(compound));
        self.open_branch(scope, joined, closers);
    }

    /// Reads the redirections behind a compound command.
    fn compound_redirections(
        &mut self,
        mut compound: Box<Compound>,
        waiting: Option<RedirectHead>,
        returned: Option<Returned>,
    ) {
        let scope = compound.scope;
        if let (Some(head), Some(Returned::Words(words))) = (waiting, returned) {
            let redirect = self.redirect(head, one_word(words, self.pos), scope);
            self.out.loose_redirects.push(redirect);
        }
        self.skip_blanks();
        let Some(head) = self.redirect_head(self.pos) else {
            self.returned = Some(Returned::Command);
            return;
        };
        if let Some(target) = self.start_target(head) {
            let redirect = self.redirect(head, target, scope);
            self.out.loose_redirects.push(redirect);
            compound.state = State::Redirections(None);
            return self.stack.push(Frame::Compound(compound));
        }
        if !self.word_follows() {
            return self.syntax_error();
        }
        compound.state = State::Redirections(Some(head));
        self.stack.push(Frame::Compound(compound));
        self.open_word(WordMode::Target);
    }

    /// Skips blanks, comments and newlines; false where a here-document is read first.
    fn skip_lines(&mut self, compound: &mut Box<Compound>) -> bool {
        loop {
            self.skip_blanks();
            if self.byte(self.pos) != Some(b'\n') {
                return true;
            }
            let placeholder = Box::new(Compound { scope: compound.scope, joined: compound.joined, state: State::Body });
            let whole = std::mem::replace(compound, placeholder);
            match self.newline(Frame::Compound(whole)) {
                Some(Frame::Compound(same)) => *compound = same,
                _ => return false,
            }
        }
    }

    fn open_for(&mut self, scope: ScopeId, joined: Joined, start: usize, word: Reserved) {
        self.skip_inline_blanks();
        if word == Reserved::For
            && let Some(inside) = self.operator(self.pos, b"((")
        {
            self.wait(scope, joined, State::ForBody);
            return self.open_arithmetic(self.pos, inside);
        }
        let name_start = self.pos;
        while let Some((byte, next)) = self.peek(self.pos).filter(|(byte, _)| !is_metacharacter(*byte)) {
            if !continues_name(byte) {
                return self.syntax_error();
            }
            self.pos = next;
        }
        if self.pos == name_start {
            return self.syntax_error();
        }
        let name = self.slice(name_start, self.pos).replace("\\\n", "");
        self.wait(scope, joined, State::ForName(Loop { start, name, words: Vec::new(), end: self.pos }));
    }

    fn for_name(&mut self, scope: ScopeId, joined: Joined, head: Loop) {
        let mut compound = Box::new(Compound { scope, joined, state: State::ForName(head) });
        if !self.skip_lines(&mut compound) {
            return;
        }
        let State::ForName(head) = compound.state else { return self.syntax_error() };
        match self.token(self.pos, 2) {
            Some((token, next)) if token.as_bytes() == b"in" => {
                self.pos = next;
                self.wait(scope, joined, State::ForWords(head));
            }
            _ => {
                self.assign_each(scope, joined, head);
                self.pos += usize::from(self.byte(self.pos) == Some(b';'));
                self.wait(scope, joined, State::ForBody);
            }
        }
    }

    fn for_words(&mut self, scope: ScopeId, joined: Joined, head: Loop) {
        self.skip_blanks();
        match self.byte(self.pos) {
            Some(b'\n') => {
                self.assign_each(scope, joined, head);
                self.wait(scope, joined, State::ForBody);
            }
            Some(b';') => {
                self.pos += 1;
                self.assign_each(scope, joined, head);
                self.wait(scope, joined, State::ForBody);
            }
            Some(_) if self.word_follows() => {
                self.wait(scope, joined, State::ForWords(head));
                self.open_word(WordMode::Element);
            }
            _ => self.syntax_error(),
        }
    }

    fn assign_each(&mut self, scope: ScopeId, joined: Joined, head: Loop) {
        self.out.loose_assignments.push(Assignment {
            span: Span::new(head.start, head.end),
            name: head.name,
            subscript: None,
            append: false,
            value: AssignedValue::Each(head.words),
            scope,
            joined,
            detached: false,
            // The scope of the body is the next one to open.
            body: Some(ScopeId(self.out.scopes.len())),
        });
    }

    /// Reads `do` or `{` before the body of a loop.
    fn for_body(&mut self, mut compound: Box<Compound>) {
        if !self.skip_lines(&mut compound) {
            return;
        }
        if self.byte(self.pos) == Some(b';') {
            // Behind `((…))` and before `do`.
            self.pos += 1;
            return self.stack.push(Frame::Compound(compound));
        }
        match self.reserved(self.pos) {
            Some((Reserved::Do, next)) => {
                self.pos = next;
                self.open_body(compound, &[Reserved::Done]);
            }
            Some((Reserved::OpenBrace, next)) => {
                self.pos = next;
                self.open_body(compound, &[Reserved::CloseBrace]);
            }
            _ => self.syntax_error(),
        }
    }

    fn case_pattern(&mut self, mut compound: Box<Compound>, returned: Option<Returned>) {
        if let Some(Returned::Closed(ClosedBy::Word(_))) = returned {
            compound.state = State::Redirections(None);
            return self.stack.push(Frame::Compound(compound));
        }
        if !self.skip_lines(&mut compound) {
            return;
        }
        if self.byte(self.pos) == Some(b'(') {
            self.pos += 1;
            self.skip_inline_blanks();
            if self.substitutions > 0 && matches!(self.reserved(self.pos), Some((Reserved::Esac, _))) {
                // Bash 5.2 prints the pattern without its parenthesis, where it ends the command.
                self.unsure(self.pos, self.pos + 1);
            }
        } else if let Some((Reserved::Esac, next)) = self.reserved(self.pos) {
            self.pos = next;
            compound.state = State::Redirections(None);
            return self.stack.push(Frame::Compound(compound));
        }
        self.case_pattern_word(compound);
    }

    fn case_pattern_word(&mut self, mut compound: Box<Compound>) {
        if !self.word_follows() {
            return self.syntax_error();
        }
        compound.state = State::CasePatternWord;
        self.stack.push(Frame::Compound(compound));
        self.open_word(WordMode::Case);
    }

    fn case_pattern_end(&mut self, mut compound: Box<Compound>) {
        self.skip_inline_blanks();
        match self.byte(self.pos) {
            Some(b'|') => {
                self.pos += 1;
                self.skip_inline_blanks();
                self.case_pattern_word(compound);
            }
            Some(b')') => {
                self.pos += 1;
                let (scope, joined) = (compound.scope, compound.joined);
                compound.state = State::CasePattern;
                self.stack.push(Frame::Compound(compound));
                let inner = self.scope(scope, ScopeKind::ControlFlow, joined);
                self.open_list(Closer::CaseItem, inner);
            }
            _ => self.syntax_error(),
        }
    }

    /// Reads `function NAME`, with or without parentheses.
    fn open_function_keyword(&mut self, scope: ScopeId, joined: Joined) {
        self.skip_inline_blanks();
        let start = self.pos;
        while let Some((byte, next)) = self.peek(self.pos).filter(|(byte, _)| !is_metacharacter(*byte)) {
            if matches!(byte, b'$' | b'`' | b'"' | b'\'' | b'\\') {
                return self.syntax_error();
            }
            self.pos = next;
        }
        if self.pos == start {
            return self.syntax_error();
        }
        let span = Span::new(start, self.pos);
        let name = span.of(self.source).replace("\\\n", "");
        self.skip_inline_blanks();
        if let Some(inside) = self.operator(self.pos, b"(") {
            let mut close = inside;
            while let Some((_, next)) = self.peek(close).filter(|(byte, _)| is_blank(*byte)) {
                close = next;
            }
            if let Some(next) = self.operator(close, b")") {
                self.pos = next;
            }
        }
        self.open_function(&name, span, scope, joined);
    }

    fn function_body(&mut self, mut compound: Box<Compound>, inner: ScopeId) {
        if !self.skip_lines(&mut compound) {
            return;
        }
        compound.state = State::Body;
        self.stack.push(Frame::Compound(compound));
        self.open_body_command(inner);
    }

    /// Opens the compound command at the position, or fails.
    fn open_body_command(&mut self, scope: ScopeId) {
        if self.byte(self.pos) == Some(b'(') {
            return self.open_parenthesis(scope, Joined::Always);
        }
        match self.reserved(self.pos).filter(|(word, _)| opens_compound(*word)) {
            Some((word, next)) => self.open_compound(word, next, scope, Joined::Always),
            None => self.syntax_error(),
        }
    }

    fn open_coprocess(&mut self, scope: ScopeId, joined: Joined) {
        let inner = self.scope(scope, ScopeKind::Coprocess, joined);
        self.wait(scope, joined, State::Body);
        self.skip_inline_blanks();
        if self.opens_body(self.pos) {
            return self.open_body_command(inner);
        }
        let mut behind = self.pos;
        if self.peek(behind).is_some_and(|(byte, _)| starts_name(byte)) {
            while let Some((_, next)) = self.peek(behind).filter(|(byte, _)| continues_name(*byte)) {
                behind = next;
            }
            let named = self.peek(behind).is_some_and(|(byte, _)| is_blank(byte));
            while let Some((_, next)) = self.peek(behind).filter(|(byte, _)| is_blank(*byte)) {
                behind = next;
            }
            if named && self.opens_body(behind) {
                self.pos = self.past_continuations(behind);
                return self.open_body_command(inner);
            }
        }
        if !self.word_follows() && self.redirect_head(self.pos).is_none() {
            return self.syntax_error();
        }
        if self.substitutions > 0 {
            // Bash 5.2 prints the default name before the command, and so runs a program of that name.
            self.unsure(self.pos, self.pos + 1);
        }
        self.open_simple(inner, Joined::Always);
    }

    fn opens_body(&self, pos: usize) -> bool {
        self.operator(pos, b"(").is_some() || self.reserved(pos).is_some_and(|(word, _)| opens_compound(word))
    }
}

fn opens_compound(word: Reserved) -> bool {
    matches!(
        word,
        Reserved::If
            | Reserved::While
            | Reserved::Until
            | Reserved::For
            | Reserved::Select
            | Reserved::Case
            | Reserved::OpenBrace
            | Reserved::OpenConditional
    )
}
