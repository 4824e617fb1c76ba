//! Simple commands (bash manual 3.2.2), with their assignments (3.4) and redirections (3.6).

use super::heredoc::Pending;
use super::machine::{Frame, Machine, Returned};
use super::text::{continues_name, is_blank, is_metacharacter, is_ordinary, starts_name};
use super::word::WordMode;
use crate::semantics::Concern;
use crate::{
    AssignedValue, Assignment, BashCommand, Context, GapCode, HoleKind, Joined, Part, Redirect, RedirectKind, ScopeId,
    Span, Word,
};

/// Builtins whose arguments may be array assignments (bash manual 4.2, "declaration commands", and those bash parses alike).
const DECLARATIONS: [&str; 8] = ["declare", "typeset", "local", "export", "readonly", "alias", "eval", "let"];

/// A simple command that is being read.
pub(super) struct Simple {
    scope: ScopeId,
    joined: Joined,
    words: Vec<Word>,
    /// The words as typed, before brace expansion.
    typed: Vec<Span>,
    assignments: Vec<Assignment>,
    redirects: Vec<Redirect>,
    awaiting: Awaiting,
}

enum Awaiting {
    Nothing,
    /// A word that starts at the position; braces may leave nothing of it.
    Word(usize),
    Target(RedirectHead),
    Subscript(AssignmentHead),
    Value(AssignmentHead),
    /// The array of an argument such as `x=(…)`, which started at the position.
    ArrayArgument(usize),
}

/// A redirection up to its operator.
#[derive(Clone, Copy)]
pub(super) struct RedirectHead {
    pub(super) start: usize,
    pub(super) descriptor: Option<Span>,
    pub(super) kind: RedirectKind,
    /// Behind the operator.
    pub(super) next: usize,
}

/// An assignment up to its `=`.
struct AssignmentHead {
    start: usize,
    name: String,
    subscript: Option<Span>,
    append: bool,
}

/// The words of `( … )` in an array assignment.
pub(super) struct ArrayLiteral {
    name: String,
    words: Vec<Word>,
}

impl Machine<'_> {
    /// Starts a simple command at the position.
    pub(super) fn open_simple(&mut self, scope: ScopeId, joined: Joined) {
        self.stack.push(Frame::Simple(Box::new(Simple {
            scope,
            joined,
            words: Vec::new(),
            typed: Vec::new(),
            assignments: Vec::new(),
            redirects: Vec::new(),
            awaiting: Awaiting::Nothing,
        })));
    }

    pub(super) fn simple(&mut self, mut simple: Box<Simple>) {
        if let Some(returned) = self.returned.take() {
            let Some(same) = self.simple_part(simple, returned) else { return };
            simple = same;
        }
        self.skip_blanks();
        while let Some(word) = self.ordinary_word(&simple) {
            simple.typed.push(word.span);
            simple.words.push(word);
            self.skip_blanks();
        }
        let Some(byte) = self.byte(self.pos) else { return self.end_simple(*simple) };
        if let Some(head) = self.redirect_head(self.pos) {
            return self.read_redirect(simple, head);
        }
        match byte {
            b'\n' | b';' | b'&' | b'|' | b')' => return self.end_simple(*simple),
            b'(' => return self.parenthesis_in_simple(*simple),
            _ => {}
        }
        let leads = simple.typed.is_empty() && simple.assignments.is_empty() && !simple.redirects.is_empty();
        if leads && self.substitutions > 0 && self.reserved(self.pos).is_some() {
            // Bash 5.2 runs a text that has the word first, where it is a reserved word.
            self.unsure(self.pos, self.pos + 1);
        }
        if simple.typed.is_empty() {
            if let Some((head, next)) = self.assignment_head(self.pos) {
                return self.read_assignment(simple, head, next);
            }
        } else if let Some(next) = self.array_argument(&simple) {
            let name = self.name_at(self.pos);
            simple.awaiting = Awaiting::ArrayArgument(self.pos);
            self.pos = next;
            return self.open_array(name, Frame::Simple(simple));
        }
        if simple.typed.len() == 1
            && self.context(simple.scope) == Context::Coprocess
            && self.assignment_head(self.pos).is_some()
        {
            // Behind the word after `coproc`, which may be a name, bash still reads assignments.
            self.unsure(self.pos, self.pos + 1);
        }
        simple.awaiting = Awaiting::Word(self.pos);
        self.stack.push(Frame::Simple(simple));
        self.open_word(WordMode::Command);
    }

    /// Reads the word at the position where each of its bytes stands for itself, as in most words: without a frame of its own.
    fn ordinary_word(&mut self, simple: &Simple) -> Option<Word> {
        let rest = self.bytes.get(self.pos..self.end)?;
        let length = rest.iter().position(|byte| !is_ordinary(*byte)).unwrap_or(rest.len());
        let ends = matches!(rest.get(length), None | Some(b' ' | b'\t' | b'\n' | b';' | b'&' | b'|'));
        let text = self.slice(self.pos, self.pos + length);
        let first = simple.typed.is_empty();
        // Before the program, assignments have to be told from words, and reserved words behind redirections.
        let opens = first && (!simple.assignments.is_empty() || !simple.redirects.is_empty() || text.contains('='));
        if length == 0 || !ends || opens {
            return None;
        }
        let span = Span::new(self.pos, self.pos + length);
        self.pos = span.end;
        Some(Word { span, parts: vec![Part::Literal { text: text.to_owned(), quoted: false }] })
    }

    /// Takes what a frame above left; nothing where the command waits for more.
    fn simple_part(&mut self, mut simple: Box<Simple>, returned: Returned) -> Option<Box<Simple>> {
        match (std::mem::replace(&mut simple.awaiting, Awaiting::Nothing), returned) {
            (Awaiting::Word(start), Returned::Words(words)) => {
                let span = Span::new(start, self.pos);
                simple.typed.push(span);
                simple.words.extend(words);
            }
            (Awaiting::Target(head), Returned::Words(words)) => {
                let scope = simple.scope;
                let target = one_word(words, self.pos);
                simple.redirects.push(self.redirect(head, target, scope));
            }
            (Awaiting::Value(head), Returned::Words(words)) => {
                let value = AssignedValue::Scalar(one_word(words, self.pos));
                let assignment = self.assignment(head, value, &simple);
                simple.assignments.push(assignment);
            }
            (Awaiting::Value(head), Returned::Array(words)) => {
                self.skip_glued();
                let assignment = self.assignment(head, AssignedValue::Array(words), &simple);
                simple.assignments.push(assignment);
            }
            (Awaiting::Subscript(mut head), Returned::Region(span)) => {
                head.subscript = Some(span);
                let equals = self.operator(self.pos, b"+=");
                head.append = equals.is_some();
                let Some(next) = equals.or_else(|| self.operator(self.pos, b"=")) else {
                    self.unsure(head.start, self.pos);
                    return Some(simple);
                };
                self.read_value(simple, head, next);
                return None;
            }
            (Awaiting::ArrayArgument(start), Returned::Array(_)) => {
                self.skip_glued();
                let span = Span::new(start, self.pos);
                let open = start + self.slice(start, self.pos).find('(').unwrap_or(0);
                let hole = Part::Hole { kind: HoleKind::Expansion, span: Span::new(open, self.pos), quoted: true };
                let parts =
                    vec![Part::Literal { text: self.slice(start, open).replace("\\\n", ""), quoted: false }, hole];
                simple.typed.push(span);
                simple.words.push(Word { span, parts });
            }
            _ => self.unsure(self.pos, self.pos),
        }
        Some(simple)
    }

    fn read_redirect(&mut self, mut simple: Box<Simple>, head: RedirectHead) {
        let scope = simple.scope;
        if let Some(target) = self.start_target(head) {
            simple.redirects.push(self.redirect(head, target, scope));
            return self.stack.push(Frame::Simple(simple));
        }
        if !self.word_follows() {
            self.stack.push(Frame::Simple(simple));
            return self.syntax_error();
        }
        simple.awaiting = Awaiting::Target(head);
        self.stack.push(Frame::Simple(simple));
        self.open_word(WordMode::Target);
    }

    /// Moves to the target of a redirection and reads it where it is no ordinary word.
    pub(super) fn start_target(&mut self, head: RedirectHead) -> Option<Word> {
        self.pos = head.next;
        self.skip_inline_blanks();
        if matches!(head.kind, RedirectKind::HereDocument | RedirectKind::HereDocumentTabs) {
            return Some(self.heredoc_delimiter(head));
        }
        // Bash reads `-` behind `<&` and `>&` as a token of its own: what is glued to it is the next word.
        let duplicates = matches!(head.kind, RedirectKind::DuplicateInput | RedirectKind::DuplicateOutput);
        if !duplicates || self.byte(self.pos) != Some(b'-') {
            return None;
        }
        self.pos += 1;
        let parts = vec![Part::Literal { text: "-".to_owned(), quoted: false }];
        Some(Word { span: Span::new(self.pos - 1, self.pos), parts })
    }

    /// Skips blanks and continuations where no comment may start.
    pub(super) fn skip_inline_blanks(&mut self) {
        loop {
            if self.is_continuation(self.pos) {
                self.pos += 2;
            } else if self.byte(self.pos).is_some_and(is_blank) {
                self.pos += 1;
            } else {
                return;
            }
        }
    }

    /// Whether a word starts at the position.
    pub(super) fn word_follows(&self) -> bool {
        let Some((byte, next)) = self.peek(self.pos) else { return false };
        let substitutes = matches!(byte, b'<' | b'>') && self.peek(next).is_some_and(|(byte, _)| byte == b'(');
        byte != b'#' && (!is_metacharacter(byte) || substitutes)
    }

    pub(super) fn redirect(&mut self, head: RedirectHead, target: Word, scope: ScopeId) -> Redirect {
        let onto_output = head.kind == RedirectKind::DuplicateOutput
            && head.descriptor.is_none_or(|descriptor| descriptor.of(self.source).replace("\\\n", "") == "1");
        // Bash expands the word behind `>&` once more where it turns out to be no descriptor.
        if onto_output && target.literal().is_none_or(|text| text.contains(['$', '`'])) {
            self.out.gap(GapCode::ValueExecuted, target.span);
        }
        let both = onto_output && names_a_file(&target);
        let kind = if both { RedirectKind::OutputAndError } else { head.kind };
        Redirect {
            span: Span::new(head.start, target.span.end.max(head.next)),
            kind,
            descriptor: head.descriptor,
            target,
            heredoc: None,
            scope,
        }
    }

    /// The redirection that starts at `pos`, up to its operator.
    pub(super) fn redirect_head(&self, pos: usize) -> Option<RedirectHead> {
        let (first, _) = self.peek(pos)?;
        if !matches!(first, b'<' | b'>' | b'&' | b'{' | b'0'..=b'9') {
            return None;
        }
        let head = |kind, descriptor, next| Some(RedirectHead { start: pos, descriptor, kind, next });
        if first == b'&' {
            let both = |operator| self.operator(pos, operator);
            return both(b"&>>")
                .and_then(|next| head(RedirectKind::AppendAndError, None, next))
                .or_else(|| both(b"&>").and_then(|next| head(RedirectKind::OutputAndError, None, next)));
        }
        let at = self.past_descriptor(pos)?;
        // `<(` and `>(` are process substitutions, also behind digits.
        if self.operator(at, b"<(").or_else(|| self.operator(at, b">(")).is_some() {
            return None;
        }
        const OPERATORS: [(&[u8], RedirectKind); 10] = [
            (b"<<<", RedirectKind::HereString),
            (b"<<-", RedirectKind::HereDocumentTabs),
            (b"<<", RedirectKind::HereDocument),
            (b"<&", RedirectKind::DuplicateInput),
            (b"<>", RedirectKind::ReadWrite),
            (b"<", RedirectKind::Input),
            (b">>", RedirectKind::Append),
            (b">&", RedirectKind::DuplicateOutput),
            (b">|", RedirectKind::Clobber),
            (b">", RedirectKind::Output),
        ];
        let descriptor = (at > pos).then(|| Span::new(pos, at));
        OPERATORS.iter().find_map(|(operator, kind)| {
            let next = self.operator(at, operator)?;
            head(*kind, descriptor, next)
        })
    }

    /// The position behind a number or `{NAME}` at `pos`.
    fn past_descriptor(&self, pos: usize) -> Option<usize> {
        let mut at = pos;
        if let Some((b'{', mut inside)) = self.peek(pos) {
            let start = inside;
            while let Some((byte, next)) = self.peek(inside) {
                if byte == b'}' && inside > start {
                    return Some(next);
                }
                if !continues_name(byte) || (inside == start && !starts_name(byte)) {
                    return None;
                }
                inside = next;
            }
            return None;
        }
        while let Some((_, next)) = self.peek(at).filter(|(byte, _)| byte.is_ascii_digit()) {
            at = next;
        }
        // Bash takes a number that is no int for a word.
        let number = self.slice(pos, at).replace("\\\n", "");
        (number.is_empty() || number.parse::<i32>().is_ok()).then_some(at)
    }

    /// The assignment that starts at `pos`, up to `=` or `[`, and the position behind that.
    fn assignment_head(&mut self, pos: usize) -> Option<(AssignmentHead, usize)> {
        let (first, _) = self.peek(pos)?;
        if !starts_name(first) {
            return None;
        }
        let mut at = pos;
        while let Some((_, next)) = self.peek(at).filter(|(byte, _)| continues_name(*byte)) {
            at = next;
        }
        let head = |append| AssignmentHead { start: pos, name: String::new(), subscript: None, append };
        let (mut head, next) = if let Some(next) = self.operator(at, b"=") {
            (head(false), next)
        } else if let Some(next) = self.operator(at, b"+=") {
            (head(true), next)
        } else {
            let next = self.operator(at, b"[")?;
            self.subscript_assigns(pos, next).then_some((head(false), next))?
        };
        head.name = self.slice(pos, at).replace("\\\n", "");
        Some((head, next))
    }

    /// Whether the bracket that opened before `inside` ends before an `=` or `+=`.
    fn subscript_assigns(&mut self, start: usize, inside: usize) -> bool {
        let Some(close) = self.matching(inside, b'[', b']') else { return false };
        let assigns = self.operator(close + 1, b"=").or_else(|| self.operator(close + 1, b"+=")).is_some();
        // Bash reads `a[x y]` as one word here; the word reader does not.
        if !assigns
            && self
                .slice(inside, close)
                .bytes()
                .any(|byte| is_metacharacter(byte) || matches!(byte, b'\'' | b'"' | b'`'))
        {
            self.unsure(start, close);
        }
        assigns
    }

    fn read_assignment(&mut self, mut simple: Box<Simple>, head: AssignmentHead, next: usize) {
        self.pos = next;
        if self.bytes.get(next.saturating_sub(1)) == Some(&b'[') {
            simple.awaiting = Awaiting::Subscript(head);
            self.stack.push(Frame::Simple(simple));
            return self.open_subscript(next);
        }
        self.read_value(simple, head, next);
    }

    fn read_value(&mut self, mut simple: Box<Simple>, head: AssignmentHead, next: usize) {
        self.pos = next;
        let name = head.name.clone();
        simple.awaiting = Awaiting::Value(head);
        if let Some(inside) = self.operator(next, b"(") {
            self.pos = inside;
            return self.open_array(name, Frame::Simple(simple));
        }
        self.stack.push(Frame::Simple(simple));
        self.open_word(WordMode::Assignment);
    }

    fn assignment(&self, head: AssignmentHead, value: AssignedValue, simple: &Simple) -> Assignment {
        Assignment {
            span: Span::new(head.start, self.pos),
            name: head.name,
            subscript: head.subscript,
            append: head.append,
            value,
            scope: simple.scope,
            joined: simple.joined,
            detached: false,
            body: None,
        }
    }

    /// The position behind the parenthesis of `NAME=(` in an argument of a declaration command.
    fn array_argument(&self, simple: &Simple) -> Option<usize> {
        if !starts_name(self.peek(self.pos)?.0) {
            return None;
        }
        let program = simple.words.first()?.literal()?;
        if !DECLARATIONS.contains(&program.as_ref()) {
            return None;
        }
        let mut at = self.pos;
        while let Some((_, next)) = self.peek(at).filter(|(byte, _)| continues_name(*byte)) {
            at = next;
        }
        self.operator(at, b"=(").or_else(|| self.operator(at, b"+=("))
    }

    /// The name that starts at `pos`.
    fn name_at(&self, pos: usize) -> String {
        let rest = self.bytes.get(pos..self.end).unwrap_or_default();
        let length = rest.iter().take_while(|byte| continues_name(**byte)).count();
        self.slice(pos, pos + length).to_owned()
    }

    fn open_array(&mut self, name: String, waiting: Frame) {
        self.stack.push(waiting);
        self.stack.push(Frame::Array(Box::new(ArrayLiteral { name, words: Vec::new() })));
    }

    /// Notes the subscript of an element `[…]=…`, which bash evaluates even where it is quoted.
    fn element_subscript(&mut self, name: &str, words: &[Word]) {
        let Some(span) = words.first().map(|word| word.span) else { return };
        let text = span.of(self.source);
        let close = text.find("]=").or_else(|| text.find("]+="));
        if let (true, Some(close)) = (text.starts_with('['), close) {
            let subscript = Span::new(span.start + 1, span.start + close);
            let inside = subscript.of(self.source);
            if inside.contains(['$', '`']) && inside.contains(['\'', '"', '\\']) {
                self.unsure(subscript.start, subscript.end);
            }
            self.out.concerns.push(Concern::Subscript { name: name.to_owned(), text: subscript });
        }
    }

    /// Reads the words of `( … )` in an array assignment (bash manual 6.7).
    pub(super) fn array(&mut self, mut array: Box<ArrayLiteral>) {
        if let Some(Returned::Words(words)) = self.returned.take() {
            self.element_subscript(&array.name, &words);
            array.words.extend(words);
        }
        loop {
            self.skip_blanks();
            match self.byte(self.pos) {
                Some(b'\n') => {
                    if !self.pending.is_empty() {
                        self.unsure(self.pos, self.pos + 1);
                    }
                    self.pos += 1;
                    self.lines += 1;
                }
                Some(b')') => {
                    self.pos += 1;
                    self.returned = Some(Returned::Array(array.words));
                    return;
                }
                Some(_) if self.word_follows() => {
                    self.stack.push(Frame::Array(array));
                    return self.open_word(WordMode::Element);
                }
                _ => return self.syntax_error(),
            }
        }
    }

    /// Steps over what bash joins to the `)` of an array: it is the same word still, and no comment starts there.
    fn skip_glued(&mut self) {
        let start = self.pos;
        while let Some((_, next)) = self.peek(self.pos).filter(|(byte, _)| !is_metacharacter(*byte)) {
            self.pos = next;
        }
        if self.pos > start {
            self.unsure(start, self.pos);
        }
    }

    /// Decides what `(` behind the words of a simple command is: a function definition, or an error.
    fn parenthesis_in_simple(&mut self, simple: Simple) {
        let mut close = self.pos + 1;
        while let Some((_, next)) = self.peek(close).filter(|(byte, _)| is_blank(*byte)) {
            close = next;
        }
        let name = simple.words.first().and_then(Word::literal);
        let defines = simple.words.len() == 1 && simple.assignments.is_empty() && simple.redirects.is_empty();
        match (self.operator(close, b")"), name) {
            (Some(next), Some(name)) if defines => {
                let span = simple.typed.first().copied().unwrap_or(Span::new(self.pos, self.pos));
                self.pos = next;
                self.open_function(&name, span, simple.scope, simple.joined);
            }
            _ => {
                self.stack.push(Frame::Simple(Box::new(simple)));
                self.syntax_error();
            }
        }
    }

    fn end_simple(&mut self, simple: Simple) {
        let trap = trap_text(&simple.words).map(|word| (word.span, self.in_place(word)));
        self.emit(simple);
        match trap {
            Some((_, Some(body))) => self.open_trap(body),
            Some((span, None)) => {
                self.out.gap(GapCode::EvaluatedText, span);
                self.returned = Some(Returned::Command);
            }
            None => self.returned = Some(Returned::Command),
        }
    }

    /// Where the value of `word` stands in the text unchanged.
    fn in_place(&self, word: &Word) -> Option<Span> {
        let value = word.literal()?;
        let Span { start, end } = word.span;
        let within = [Span::new(start, end), Span::new(start + 1, end.saturating_sub(1))];
        within.into_iter().find(|span| span.of(self.source) == value)
    }

    /// Lists what was read of a simple command.
    pub(super) fn emit(&mut self, simple: Simple) {
        let (Some(first), Some(last), false) = (simple.typed.first(), simple.typed.last(), simple.words.is_empty())
        else {
            self.out.loose_assignments.extend(simple.assignments);
            self.out.loose_redirects.extend(simple.redirects);
            return;
        };
        let span = Span::new(first.start, last.end);
        let unit = BashCommand {
            text: self.typed_text(&simple.typed),
            span,
            words: simple.words,
            assignments: simple.assignments,
            redirects: simple.redirects,
            context: self.context(simple.scope),
            scope: simple.scope,
            joined: simple.joined,
            detached: false,
        };
        self.out.commands.push(unit);
    }

    /// The words as typed, with the blanks between them where only blanks stand there.
    fn typed_text(&self, typed: &[Span]) -> String {
        let only_blanks = |pair: &[Span]| match pair {
            [one, next] => self.slice(one.end, next.start).bytes().all(is_blank),
            _ => true,
        };
        if let (Some(first), Some(last)) = (typed.first(), typed.last())
            && typed.windows(2).all(only_blanks)
        {
            return self.slice(first.start, last.end).to_owned();
        }
        let mut text = String::new();
        let mut behind = None;
        for span in typed {
            if let Some(behind) = behind {
                let between = self.slice(behind, span.start);
                text.push_str(if between.bytes().all(is_blank) { between } else { " " });
            }
            text.push_str(span.of(self.source));
            behind = Some(span.end);
        }
        text
    }

    pub(super) fn await_heredoc(&mut self, pending: Pending) {
        self.pending.push(pending);
    }
}

/// The word of a `trap` that bash evaluates on a signal (bash manual 4.1).
fn trap_text(words: &[Word]) -> Option<&Word> {
    let (program, arguments) = words.split_first()?;
    if program.literal().as_deref() != Some("trap") {
        return None;
    }
    let operands = arguments.iter().position(|word| word.literal().as_deref() == Some("--")).map_or(0, |at| at + 1);
    let mut operands = arguments.get(operands..).unwrap_or_default().iter();
    let text = operands.next()?;
    // Without a signal it names a signal to reset; `-l` and `-p` list, `-` resets, and nothing ignores.
    let signals = operands.next().is_some();
    let evaluated = text.literal().is_none_or(|text| !text.is_empty() && !text.starts_with('-'));
    (signals && evaluated).then_some(text)
}

/// The word of a position that takes exactly one.
pub(super) fn one_word(words: Vec<Word>, at: usize) -> Word {
    words.into_iter().next().unwrap_or(Word { span: Span::new(at, at), parts: Vec::new() })
}

/// Whether the word behind `>&` is a file's name and no descriptor (bash manual 3.6.4).
fn names_a_file(target: &Word) -> bool {
    target.literal().is_some_and(|text| {
        let digits = text.strip_suffix('-').unwrap_or(&text);
        !digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}
