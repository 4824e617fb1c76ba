//! Expansions (bash manual 3.5): `$…`, backticks, process substitution, and the regions of text they open.

use super::list::Closer;
use super::machine::{Frame, Machine, Returned};
use super::text::{continues_name, is_blank, is_special_parameter, starts_name};
use crate::expand;
use crate::semantics::Concern;
use crate::{AssignedValue, Assignment, HoleKind, Joined, Part, ScopeKind, Span, Word};

/// What a dollar sign, or a backtick, starts.
pub(super) enum Dollar {
    /// `$NAME`: the name, and the position behind it.
    Parameter(String, usize),
    /// `${`: the position behind it.
    Braces(usize),
    /// `$(`: the position behind it.
    Command(usize),
    /// `$((`: the position behind it.
    Arithmetic(usize),
    /// `$[`: the position behind it.
    Bracket(usize),
    /// A backtick at the position.
    Backtick,
    /// Nothing: the dollar sign stands for itself.
    Literal,
}

/// A command or process substitution, or the text of a trap, whose list is being read above it.
pub(super) struct Substitution {
    start: usize,
    /// What it leaves in a word; a trap leaves nothing.
    kind: Option<HoleKind>,
    /// The position and the end to go back to, where the list had an end of its own.
    outer: Option<(usize, usize)>,
    outer_pending: Vec<super::heredoc::Pending>,
    /// How many lines had been read before it.
    lines: usize,
    /// The machine's counts outside.
    outer_counts: (usize, usize),
}

/// A text in which only expansions matter.
pub(super) struct Region {
    kind: RegionKind,
    start: usize,
    /// Behind what opened it.
    inside: usize,
    /// Whether the text around it is double-quoted, or a here-document.
    quoted: bool,
    /// Whether a pair of double quotes is open in it.
    in_double_quotes: bool,
    depth: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum RegionKind {
    /// The operand of `${…}`.
    Operand {
        /// Whether it is a pattern, in which single quotes always quote.
        pattern: bool,
        /// Whether it is arithmetic: an offset and a length.
        arithmetic: bool,
    },
    /// `((…))`, with or without `$`.
    Arithmetic,
    /// `$[…]`.
    Bracket,
    /// `NAME[…]`, in an assignment.
    Subscript,
    /// `NAME[…]` in `${…}`; the operand follows.
    ParameterSubscript,
    /// `(…)` in an extended pattern or a regular expression.
    Group,
    /// The body of a here-document; it ends where the text does.
    Heredoc,
}

impl Machine<'_> {
    /// What the dollar sign at `pos` starts.
    pub(super) fn dollar(&self, pos: usize) -> Dollar {
        let Some((byte, next)) = self.peek(pos + 1) else { return Dollar::Literal };
        match byte {
            b'{' => Dollar::Braces(next),
            b'[' => Dollar::Bracket(next),
            b'(' => match self.operator(next, b"(") {
                Some(inside) => Dollar::Arithmetic(inside),
                None => Dollar::Command(next),
            },
            _ if byte.is_ascii_digit() || is_special_parameter(byte) => {
                Dollar::Parameter(char::from(byte).to_string(), next)
            }
            _ if starts_name(byte) => {
                let mut end = next;
                while let Some((_, next)) = self.peek(end).filter(|(byte, _)| continues_name(*byte)) {
                    end = next;
                }
                Dollar::Parameter(self.slice(pos + 1, end).replace("\\\n", ""), end)
            }
            _ => Dollar::Literal,
        }
    }

    /// Opens the expansion that starts at the position.
    pub(super) fn open_expansion(&mut self, dollar: Dollar, quoted: bool) {
        let start = self.pos;
        match dollar {
            Dollar::Parameter(name, end) => {
                self.pos = end;
                self.returned = Some(Returned::Hole(HoleKind::Parameter(name), Span::new(start, end)));
            }
            Dollar::Literal => self.pos += 1,
            Dollar::Braces(inside) => self.open_parameter(start, inside, quoted),
            Dollar::Command(inside) => {
                self.pos = inside;
                self.open_substitution(start, HoleKind::CommandSubstitution, Closer::Parenthesis, None);
            }
            Dollar::Arithmetic(inside) => {
                if self.arithmetic_close(inside).is_some() {
                    self.open_region(RegionKind::Arithmetic, start, inside, quoted);
                } else {
                    // `$( (…) … )`: a subshell comes first in the substitution. Which of the two bash takes it for hangs on quotes
                    // and parentheses far behind.
                    self.unsure(start, inside);
                    self.pos = inside - 1;
                    self.open_substitution(start, HoleKind::CommandSubstitution, Closer::Parenthesis, None);
                }
            }
            Dollar::Bracket(inside) => self.open_region(RegionKind::Bracket, start, inside, quoted),
            Dollar::Backtick => self.open_backtick(quoted),
        }
    }

    pub(super) fn open_process_substitution(&mut self) {
        let start = self.pos;
        self.pos = self.operator(start + 1, b"(").unwrap_or(start + 1);
        self.open_substitution(start, HoleKind::ProcessSubstitution, Closer::Parenthesis, None);
    }

    fn open_substitution(&mut self, start: usize, kind: HoleKind, closer: Closer, outer: Option<(usize, usize)>) {
        let scope_kind = if kind == HoleKind::ProcessSubstitution {
            ScopeKind::ProcessSubstitution
        } else {
            ScopeKind::CommandSubstitution
        };
        let scope = self.scope(self.current_scope(), scope_kind, Joined::Always);
        self.push_substitution(start, Some(kind), outer);
        self.open_list(closer, scope);
    }

    /// Reads the text of a trap where it stands, and comes back to the position.
    pub(super) fn open_trap(&mut self, body: Span) {
        self.out.embedded.push(body);
        let outer = Some((self.pos, std::mem::replace(&mut self.end, body.end)));
        let scope = self.scope(self.current_scope(), ScopeKind::Trap, Joined::Always);
        self.pos = body.start;
        self.push_substitution(body.start, None, outer);
        self.open_list(Closer::End, scope);
    }

    fn push_substitution(&mut self, start: usize, kind: Option<HoleKind>, outer: Option<(usize, usize)>) {
        let outer_pending = std::mem::take(&mut self.pending);
        let outer_counts = (self.substitutions, std::mem::take(&mut self.here_documents));
        self.substitutions = if outer.is_some() { 0 } else { self.substitutions + 1 };
        let lines = self.lines;
        self.stack.push(Frame::Substitution(Substitution { start, kind, outer, outer_pending, lines, outer_counts }));
    }

    /// Reads a backtick substitution (bash manual 3.5.4): up to the next backtick that no backslash precedes.
    fn open_backtick(&mut self, quoted: bool) {
        let start = self.pos;
        let mut close = start + 1;
        let mut escapes = false;
        loop {
            match self.byte(close) {
                None => {
                    self.pos = self.end;
                    return self.syntax_error();
                }
                Some(b'`') => break,
                Some(b'\\') => {
                    // Inside, bash removes these backslashes before it reads the commands.
                    escapes |= self
                        .byte(close + 1)
                        .is_some_and(|next| matches!(next, b'$' | b'`' | b'\\' | b'\n') || (quoted && next == b'"'));
                    close += 2;
                }
                Some(_) => close += 1,
            }
        }
        if escapes {
            self.unsure(start, close + 1);
        }
        self.pos = start + 1;
        let outer_end = std::mem::replace(&mut self.end, close);
        self.open_substitution(start, HoleKind::CommandSubstitution, Closer::End, Some((close + 1, outer_end)));
    }

    /// Closes a substitution behind its list.
    pub(super) fn end_substitution(&mut self, mut substitution: Substitution) {
        if let Some((pos, end)) = substitution.outer {
            (self.pos, self.end) = (pos, end);
        }
        (self.substitutions, self.here_documents) = substitution.outer_counts;
        let span = Span::new(substitution.start, self.pos);
        let Some(kind) = substitution.kind else {
            self.pending = substitution.outer_pending;
            self.returned = Some(Returned::Command);
            return;
        };
        // Between backticks, bash reads lines only when it runs them.
        let waits = !substitution.outer_pending.is_empty() && substitution.outer.is_none();
        if !self.pending.is_empty() || (waits && self.lines > substitution.lines) {
            // Which lines are the body of a here-document that is still open differs between bash versions.
            self.unsure(span.start, span.end);
        }
        self.pending.clear();
        self.pending.append(&mut substitution.outer_pending);
        self.returned = Some(Returned::Hole(kind, span));
    }

    /// The position behind `))`, where the parentheses before `inside` open arithmetic and not two subshells.
    pub(super) fn arithmetic_close(&mut self, inside: usize) -> Option<usize> {
        let close = self.matching(inside, b'(', b')')?;
        self.operator(close, b"))")
    }

    fn open_region(&mut self, kind: RegionKind, start: usize, inside: usize, quoted: bool) {
        self.pos = inside;
        self.stack.push(Frame::Region(Region { kind, start, inside, quoted, in_double_quotes: false, depth: 0 }));
    }

    /// Opens `((…))` behind its parentheses.
    pub(super) fn open_arithmetic(&mut self, start: usize, inside: usize) {
        self.open_region(RegionKind::Arithmetic, start, inside, false);
    }

    /// Opens the subscript of an assignment.
    pub(super) fn open_subscript(&mut self, inside: usize) {
        self.open_region(RegionKind::Subscript, inside, inside, false);
    }

    /// Opens the parentheses of an extended pattern or a regular expression.
    pub(super) fn open_pattern_group(&mut self) {
        self.open_region(RegionKind::Group, self.pos, self.pos + 1, false);
    }

    /// Opens the body of a here-document, which ends where the text now does.
    pub(super) fn open_heredoc_body(&mut self) {
        self.open_region(RegionKind::Heredoc, self.pos, self.pos, true);
    }

    /// Reads `${` up to its operator (bash manual 3.5.3).
    fn open_parameter(&mut self, start: usize, inside: usize, quoted: bool) {
        self.pos = self.past_continuations(inside);
        let Some(first) = self.byte(self.pos) else { return self.syntax_error() };
        if is_blank(first) || matches!(first, b'\n' | b'|') {
            self.pos += usize::from(first == b'|');
            return self.open_substitution(start, HoleKind::CommandSubstitution, Closer::Brace, None);
        }
        let mut indirect = false;
        if matches!(first, b'!' | b'#') {
            let next = self.peek(self.pos + 1);
            let names = next.is_some_and(|(byte, at)| {
                continues_name(byte)
                    || (is_special_parameter(byte) && self.peek(at).is_some_and(|(byte, _)| byte == b'}'))
            });
            if names {
                self.pos += 1;
                indirect = first == b'!';
            }
        }
        let name_start = self.past_continuations(self.pos);
        self.pos = self.past_parameter(name_start);
        if self.pos == name_start {
            self.unsure(start, self.pos);
        }
        let name = self.slice(name_start, self.pos);
        if indirect {
            if let Some(next) = self.operator(self.pos, b"*}").or_else(|| self.operator(self.pos, b"@}")) {
                self.pos = next;
                self.returned = Some(Returned::Hole(HoleKind::Expansion, Span::new(start, next)));
                return;
            }
            if !self.lists_keys() {
                self.out.concerns.push(Concern::Indirection(Span::new(start, self.pos)));
            }
        }
        if let Some(next) = self
            .operator(self.pos, b"}")
            .filter(|_| name_start == self.past_continuations(inside) && !name.contains('\\'))
        {
            self.pos = next;
            let span = Span::new(start, next);
            self.returned = Some(Returned::Hole(HoleKind::Parameter(name.to_owned()), span));
            return;
        }
        match self.operator(self.pos, b"[") {
            Some(next) => self.open_region(RegionKind::ParameterSubscript, start, next, quoted),
            None => self.open_operand(start, quoted),
        }
    }

    /// The position behind the name, number or special parameter at `pos`.
    fn past_parameter(&self, pos: usize) -> usize {
        let mut end = pos;
        match self.peek(pos) {
            Some((byte, next)) if is_special_parameter(byte) => next,
            Some((byte, _)) if byte.is_ascii_digit() => {
                while let Some((_, next)) = self.peek(end).filter(|(byte, _)| byte.is_ascii_digit()) {
                    end = next;
                }
                end
            }
            _ => {
                while let Some((_, next)) = self.peek(end).filter(|(byte, _)| continues_name(*byte)) {
                    end = next;
                }
                end
            }
        }
    }

    /// Whether `${!NAME` goes on as a list of keys: `[*]}` or `[@]}`.
    fn lists_keys(&self) -> bool {
        [&b"[*]}"[..], b"[@]}"].iter().any(|ending| self.operator(self.pos, ending).is_some())
    }

    /// Reads the operator at the position and opens its operand.
    fn open_operand(&mut self, start: usize, quoted: bool) {
        let at = self.past_continuations(self.pos);
        let (mut pattern, mut arithmetic) = (false, false);
        match (self.byte(at), self.peek(at + 1)) {
            (None, _) => {
                self.pos = at;
                return self.syntax_error();
            }
            (Some(b':'), Some((b'-' | b'=' | b'?' | b'+', _))) | (Some(b'}' | b'-' | b'=' | b'?' | b'+'), _) => {}
            (Some(b':'), _) => arithmetic = true,
            (Some(b'#' | b'%' | b'/' | b'^' | b',' | b'~'), _) => pattern = true,
            (Some(b'@'), Some((transformation, next))) if self.operator(next, b"}").is_some() => {
                if transformation == b'P' {
                    self.out.concerns.push(Concern::PromptExpansion(Span::new(start, next)));
                }
            }
            _ => self.unsure(start, at + 1),
        }
        let assigns = self.byte(at) == Some(b'=') || self.operator(at, b":=").is_some();
        if assigns {
            self.assign_default(start, at);
        }
        let inside = if arithmetic { at + 1 } else { at };
        self.open_region(RegionKind::Operand { pattern, arithmetic }, start, inside, quoted);
    }

    /// Notes that `${NAME:=…}`, which starts at `start` and has its operator at `operator`, assigns.
    fn assign_default(&mut self, start: usize, operator: usize) {
        let span = Span::new(start, operator);
        let inside = span.of(self.source).replace("\\\n", "");
        let name: String = inside
            .chars()
            .skip_while(|character| matches!(character, '$' | '{' | '!' | '#'))
            .take_while(|character| character.is_ascii_alphanumeric() || *character == '_')
            .collect();
        let hole = Part::Hole { kind: HoleKind::Expansion, span, quoted: true };
        let value = AssignedValue::Default(Word { span, parts: vec![hole] });
        let scope = self.current_scope();
        self.out.loose_assignments.push(Assignment {
            span,
            name,
            subscript: None,
            append: false,
            value,
            scope,
            joined: Joined::Always,
            detached: false,
            body: None,
        });
    }

    pub(super) fn region(&mut self, mut region: Region) {
        self.returned = None;
        while let Some(byte) = self.byte(self.pos) {
            match byte {
                b'\\' => self.pos += 1 + usize::from(self.pos + 1 < self.end),
                b'$' => match self.dollar(self.pos) {
                    Dollar::Literal => self.region_dollar(&region),
                    Dollar::Parameter(_, end) => self.pos = end,
                    dollar @ (Dollar::Braces(_)
                    | Dollar::Command(_)
                    | Dollar::Arithmetic(_)
                    | Dollar::Bracket(_)
                    | Dollar::Backtick) => {
                        return self.open_in_region(region, dollar);
                    }
                },
                b'`' => return self.open_in_region(region, Dollar::Backtick),
                b'"' if region.kind != RegionKind::Heredoc => {
                    region.in_double_quotes = !region.in_double_quotes;
                    self.pos += 1;
                }
                b'\'' if !region.in_double_quotes && region.kind != RegionKind::Heredoc => {
                    self.single_quote_in(&region)
                }
                b'<' | b'>' if self.substitutes_process(&region) => {
                    self.stack.push(Frame::Region(region));
                    return self.open_process_substitution();
                }
                _ if region.in_double_quotes => self.pos += 1,
                _ => {
                    if self.region_byte(&mut region, byte) {
                        return self.end_region(&region);
                    }
                }
            }
        }
        if region.kind == RegionKind::Heredoc {
            return self.end_region(&region);
        }
        self.syntax_error();
    }

    /// Steps over one byte that is no expansion; true where it ended the region.
    fn region_byte(&mut self, region: &mut Region, byte: u8) -> bool {
        let (open, close) = match region.kind {
            RegionKind::Operand { .. } => (None, b'}'),
            RegionKind::Arithmetic | RegionKind::Group => (Some(b'('), b')'),
            RegionKind::Bracket | RegionKind::Subscript | RegionKind::ParameterSubscript => (Some(b'['), b']'),
            RegionKind::Heredoc => {
                self.pos += 1;
                return false;
            }
        };
        if Some(byte) == open {
            region.depth += 1;
        } else if byte == close {
            if region.depth == 0 {
                return true;
            }
            region.depth -= 1;
        }
        self.pos += 1;
        false
    }

    fn open_in_region(&mut self, region: Region, dollar: Dollar) {
        let quoted = region.quoted || region.in_double_quotes || region.is_arithmetic();
        self.stack.push(Frame::Region(region));
        self.open_expansion(dollar, quoted);
    }

    /// Steps over a dollar sign that starts no parameter: `$'…'` quotes where single quotes do.
    fn region_dollar(&mut self, region: &Region) {
        let inside = self.peek(self.pos + 1).filter(|(byte, _)| *byte == b'\'').map(|(_, inside)| inside);
        let Some(inside) = inside.filter(|_| region.kind != RegionKind::Heredoc && !region.in_double_quotes) else {
            self.pos += 1;
            return;
        };
        let length = expand::ansi_c_length(self.slice(inside, self.end));
        match length.filter(|_| !region.quoted && !region.is_arithmetic()) {
            Some(length) => self.pos = inside + length + 1,
            None => {
                self.unsure(self.pos, self.pos + 2);
                self.pos += 1;
            }
        }
    }

    /// Steps over a single quote, which quotes or not depending on what is around; where that matters the reading is not sure.
    fn single_quote_in(&mut self, region: &Region) {
        let inside = self.pos + 1;
        let rest = self.bytes.get(inside..self.end).unwrap_or_default();
        let close = rest.iter().position(|byte| *byte == b'\'');
        let surely_quotes = !region.quoted && !region.is_arithmetic();
        let text = rest.get(..close.unwrap_or(rest.len())).unwrap_or_default();
        if surely_quotes {
            match close {
                Some(length) => self.pos = inside + length + 1,
                None => {
                    self.unsure(self.pos, self.end);
                    self.pos = inside;
                }
            }
            return;
        }
        if !self.afford(text.len()) {
            self.pos = inside;
            return;
        }
        let harmless = !text.iter().any(|byte| {
            matches!(byte, b'$' | b'`' | b'\\' | b'"' | b'{' | b'}' | b'(' | b')' | b'[' | b']' | b'<' | b'>')
        });
        match close {
            Some(length) if harmless => self.pos = inside + length + 1,
            _ => {
                self.unsure(self.pos, inside);
                self.pos = inside;
            }
        }
    }

    fn substitutes_process(&self, region: &Region) -> bool {
        let operand = matches!(region.kind, RegionKind::Operand { arithmetic: false, .. });
        (operand || region.kind == RegionKind::Group)
            && !region.quoted
            && !region.in_double_quotes
            && self.peek(self.pos + 1).is_some_and(|(byte, _)| byte == b'(')
    }

    /// Closes a region at the byte that ends it.
    fn end_region(&mut self, region: &Region) {
        let text = Span::new(region.inside, self.pos);
        match region.kind {
            RegionKind::Heredoc => self.returned = Some(Returned::Region(text)),
            RegionKind::Operand { arithmetic, .. } => {
                self.pos += 1;
                if arithmetic {
                    self.out.concerns.push(Concern::Arithmetic(text));
                }
                self.returned = Some(Returned::Hole(HoleKind::Expansion, Span::new(region.start, self.pos)));
            }
            RegionKind::Arithmetic => {
                let Some(next) = self.operator(self.pos, b"))") else {
                    self.unsure(region.start, self.pos);
                    self.pos += 1;
                    self.returned = Some(Returned::Hole(HoleKind::Arithmetic, Span::new(region.start, self.pos)));
                    return;
                };
                self.pos = next;
                self.out.concerns.push(Concern::Arithmetic(text));
                self.returned = Some(Returned::Hole(HoleKind::Arithmetic, Span::new(region.start, next)));
            }
            RegionKind::Bracket => {
                self.pos += 1;
                self.out.concerns.push(Concern::Arithmetic(text));
                self.returned = Some(Returned::Hole(HoleKind::Arithmetic, Span::new(region.start, self.pos)));
            }
            RegionKind::Subscript => {
                self.pos += 1;
                let name = self.name_before(region.inside);
                self.out.concerns.push(Concern::Subscript { name, text });
                self.returned = Some(Returned::Region(text));
            }
            RegionKind::ParameterSubscript => {
                self.pos += 1;
                let name = self.name_before(region.inside);
                self.out.concerns.push(Concern::Subscript { name, text });
                self.open_operand(region.start, region.quoted);
            }
            RegionKind::Group => {
                self.pos += 1;
                self.returned = Some(Returned::Region(Span::new(region.start, self.pos)));
            }
        }
    }

    /// The name before the bracket that stands before `inside`.
    fn name_before(&self, inside: usize) -> String {
        let before = self.bytes.get(..inside.saturating_sub(1)).unwrap_or_default();
        let length = before.iter().rev().take_while(|byte| continues_name(**byte)).count();
        self.slice(before.len() - length, before.len()).to_owned()
    }
}

impl Region {
    fn is_arithmetic(&self) -> bool {
        match self.kind {
            RegionKind::Operand { arithmetic, .. } => arithmetic,
            RegionKind::Arithmetic | RegionKind::Bracket | RegionKind::Subscript | RegionKind::ParameterSubscript => {
                true
            }
            RegionKind::Group | RegionKind::Heredoc => false,
        }
    }
}
