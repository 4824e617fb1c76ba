//! What variables hold, where the text itself says so.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;

use super::{
    text::{PathPiece, PathText, Unknown},
    unseen::{Unseen, is_special},
};
use crate::{AssignedValue, Assignment, BashProgram, HoleKind, Joined, Part, ScopeId, ScopeKind, Span, Word};

/// How many spellings one word may have before it counts as unknown.
const MOST_SPELLINGS: usize = 32;

/// How many variables may hold one another's values.
const DEEPEST_VALUE: usize = 4;

/// How many bytes of values are put in the place of variables for one program, before the rest count as unknown.
const MOST_VALUE_BYTES: usize = 1 << 20;

/// What looking up a variable costs, and what each of its values does beside its length, in bytes.
const COST_OF_A_LOOK: usize = 8;
const COST_OF_A_VALUE: usize = 32;

/// The longest word, in bytes, whose patterns are looked at in detail.
const LONGEST_PATTERN: usize = 256;

/// How many scopes around a word are looked through for an assignment.
const MOST_SCOPES: usize = 64;

/// The variables that a program assigns literal values to, and nothing else.
///
/// INVARIANT: a variable is in here only where each assignment to it that the program shows is one of the values, and
/// nothing can assign it unseen. It has one of them only where an assignment is certain to have happened before.
pub(super) struct Values<'p> {
    program: &'p BashProgram,
    home: Option<&'p str>,
    unseen: Unseen,
    assigned: HashMap<&'p str, Variable<'p>>,
    /// Where an and-or list may end: the places of `;`, `|`, newlines and the like, in order.
    ends: Vec<usize>,
    /// How many more bytes of values are put in the place of variables.
    bytes_left: Cell<usize>,
}

#[derive(Default)]
struct Variable<'p> {
    /// The scopes in which it certainly is assigned, and behind which byte.
    certain: HashMap<ScopeId, usize>,
    /// Where else it is assigned, which is certain in the rest of the and-or list alone; in source order.
    listed: Vec<(usize, ScopeId)>,
    values: Vec<Value<'p>>,
    /// Whether some value is not known.
    unknown: bool,
}

#[derive(Clone, Copy)]
struct Value<'p> {
    word: &'p Word,
    scope: ScopeId,
    /// Whether it is one of several words, so that it may become more than one, or a pattern (bash manual 3.5).
    splits: bool,
}

impl<'p> Values<'p> {
    pub(super) fn of(program: &'p BashProgram, home: Option<&'p str>) -> Self {
        let mut assigned: HashMap<&'p str, Variable<'p>> = HashMap::new();
        // What stands before a program is for that program, which may be a function of this text.
        let for_programs = program.commands().iter().map(|unit| unit.assignments.len()).sum::<usize>();
        let globs_vanish = ["nullglob", "failglob"].iter().any(|option| program.source().contains(option));
        for (index, assignment) in program.assignments().enumerate() {
            let values = values_of(assignment).filter(|_| index >= for_programs).unwrap_or_default();
            assigned.entry(&assignment.name).or_default().assign(program, assignment, values, globs_vanish);
        }
        let ends =
            if assigned.values().all(|variable| variable.listed.is_empty()) { vec![] } else { ends(program.source()) };
        let unseen = Unseen::of(program);
        let mut values = Self { program, home: None, unseen, assigned, ends, bytes_left: Cell::new(MOST_VALUE_BYTES) };
        values.home = home.filter(|_| !values.may_assign("HOME"));
        values
    }

    pub(super) fn source(&self) -> &str {
        self.program.source()
    }

    pub(super) fn home(&self) -> Option<&'p str> {
        self.home
    }

    /// Whether the program may assign to the variable, by what its text shows.
    pub(super) fn may_assign(&self, name: &str) -> bool {
        self.unseen.has(name) || self.assigned.contains_key(name)
    }

    /// What `word`, in `scope`, may be after expansion: one text for each combination of values.
    pub(super) fn spellings(&self, word: &Word, scope: ScopeId) -> Vec<PathText> {
        self.spelled(word, scope, true, 0)
    }

    /// The same, and any text where the word may become several.
    pub(super) fn words(&self, word: &Word, scope: ScopeId) -> Vec<PathText> {
        let mut spellings = self.spellings(word, scope);
        let split = |part: &&Part| matches!(part, Part::Hole { kind, quoted: false, .. } if may_split(kind));
        if let Some(Part::Hole { span, .. }) = word.parts.iter().find(split)
            && word.parts.len() > 1
            && spellings.iter().any(|text| text.pieces().iter().any(PathPiece::is_anything))
        {
            let mut any = PathText::default();
            any.push(PathPiece::Unknown { kind: Unknown::Anything, span: *span });
            spellings.push(any);
        }
        spellings
    }

    /// The words with the values of their variables in their place, where those are known.
    pub(super) fn all_folded<'w>(&self, words: &'w [Word], scope: ScopeId) -> Cow<'w, [Word]> {
        let mut all = Cow::Borrowed(words);
        for (index, word) in words.iter().enumerate() {
            if let Some(folded) = self.folded(word, scope)
                && let Some(slot) = all.to_mut().get_mut(index)
            {
                *slot = folded;
            }
        }
        all
    }

    /// The word with the values of its variables in their place, where there is one value for each and it stays one word.
    pub(super) fn folded(&self, word: &Word, scope: ScopeId) -> Option<Word> {
        let is_variable = |part: &Part| matches!(part, Part::Hole { kind: HoleKind::Parameter(_), .. });
        if self.assigned.is_empty() || !word.parts.iter().any(is_variable) {
            return None;
        }
        match self.spellings(word, scope).as_slice() {
            [only] => {
                let text = only.text().filter(|text| !text.is_empty())?.to_owned();
                Some(Word { span: word.span, parts: vec![Part::Literal { text, quoted: true }] })
            }
            _ => None,
        }
    }

    fn spelled(&self, word: &Word, scope: ScopeId, splits: bool, depth: usize) -> Vec<PathText> {
        let mut spellings = vec![PathText::default()];
        for (index, part) in word.parts.iter().enumerate() {
            let choices = self.choices(part, scope, splits, depth).unwrap_or_else(|| {
                let mut path = PathText::default();
                path.push(self.here(word, index).unwrap_or_else(|| self.piece(part)));
                vec![path]
            });
            match choices.as_slice() {
                [only] => spellings.iter_mut().for_each(|before| before.extend(only)),
                choices if spellings.len().saturating_mul(choices.len()) > MOST_SPELLINGS => {
                    return vec![self.spelling_with_unknowns(word)];
                }
                choices => {
                    let with = |before: &PathText, choice: &PathText| {
                        let mut whole = before.clone();
                        whole.extend(choice);
                        whole
                    };
                    spellings =
                        spellings.iter().flat_map(|before| choices.iter().map(|choice| with(before, choice))).collect();
                }
            }
        }
        spellings
    }

    fn spelling_with_unknowns(&self, word: &Word) -> PathText {
        let mut path = PathText::default();
        word.parts.iter().for_each(|part| path.push(self.piece(part)));
        path
    }

    /// The values of the variable that `part` names, where they are known.
    fn choices(&self, part: &Part, scope: ScopeId, splits: bool, depth: usize) -> Option<Vec<PathText>> {
        let Part::Hole { kind: HoleKind::Parameter(name), span, quoted } = part else { return None };
        let known = !self.unseen.is_everything() && !self.unseen.has(name) && !is_special(name);
        let variable = self.assigned.get(name.as_str()).filter(|variable| known && !variable.unknown)?;
        self.bytes_left.set(self.bytes_left.get().checked_sub(COST_OF_A_LOOK)?);
        if depth >= DEEPEST_VALUE || variable.values.is_empty() || !self.is_certain(variable, *span, scope) {
            return None;
        }
        let mut texts = vec![];
        for value in &variable.values {
            texts.extend(self.spelled(value.word, value.scope, value.splits, depth.saturating_add(1)));
            if texts.len() > MOST_SPELLINGS {
                return None;
            }
        }
        let bytes = texts.iter().flat_map(PathText::texts).map(|text| text.len().saturating_add(COST_OF_A_VALUE)).sum();
        self.bytes_left.set(self.bytes_left.get().checked_sub(bytes)?);
        let whole = *quoted || !splits || texts.iter().all(|text| self.is_one_word(text));
        whole.then_some(texts)
    }

    /// Whether the text stays one word, and no pattern, without quotes (bash manual 3.5.7 and 3.5.8).
    fn is_one_word(&self, text: &PathText) -> bool {
        let pattern = [' ', '\t', '\n', '*', '?', '[', ']', '(', '\\'];
        !self.may_assign("IFS") && text.texts().all(|known| !known.contains(pattern))
    }

    /// Whether an assignment to the variable is certain to have happened before the hole at `span`, in `scope`.
    fn is_certain(&self, variable: &Variable<'_>, span: Span, scope: ScopeId) -> bool {
        let around = |wanted: &dyn Fn(ScopeId) -> bool| self.around(scope).take(MOST_SCOPES).any(wanted);
        let assigned = |id: ScopeId| variable.certain.get(&id).is_some_and(|end| *end <= span.start);
        let listed = variable.listed.partition_point(|(end, _)| *end <= span.start).checked_sub(1);
        let listed = listed.and_then(|last| variable.listed.get(last));
        around(&assigned)
            || listed.is_some_and(|(end, list)| {
                let next = self.ends.partition_point(|at| at < end);
                self.ends.get(next).is_none_or(|at| *at >= span.start) && around(&|id| id == *list)
            })
    }

    /// `scope` and those around it, from the inside out.
    fn around(&self, scope: ScopeId) -> impl Iterator<Item = ScopeId> + '_ {
        // INVARIANT: a parent comes before its children, so that this ends.
        let parent =
            |id: &ScopeId| self.program.scopes().get(id.0).and_then(|scope| scope.parent).filter(|parent| parent < id);
        std::iter::successors(Some(scope), parent)
    }

    /// The current directory, where the word starts with it: `$PWD`, `~+`, `$(pwd)`.
    fn here(&self, word: &Word, index: usize) -> Option<PathPiece> {
        let first = word.parts.get(index).filter(|_| index == 0)?;
        let Part::Hole { kind, span, .. } = first else { return None };
        let names_it = match kind {
            HoleKind::Tilde(user) => user == "+",
            HoleKind::Parameter(name) => name == "PWD",
            HoleKind::CommandSubstitution => matches!(span.of(self.program.source()), "$(pwd)" | "`pwd`"),
            HoleKind::Expansion
            | HoleKind::ProcessSubstitution
            | HoleKind::Arithmetic
            | HoleKind::Glob
            | HoleKind::Brace => false,
        };
        let ends = match word.parts.get(1) {
            None => true,
            Some(Part::Literal { text, .. }) => text.starts_with('/'),
            Some(Part::Hole { .. }) => false,
        };
        (names_it && ends && !self.may_assign("PWD")).then(|| PathPiece::Text(".".to_owned()))
    }

    /// The part without regard to what the program assigns.
    fn piece(&self, part: &Part) -> PathPiece {
        let (kind, span) = match part {
            Part::Literal { text, .. } => return PathPiece::Text(text.clone()),
            Part::Hole { kind, span, .. } => (kind, *span),
        };
        let unknown = |kind| PathPiece::Unknown { kind, span };
        let home = || self.home.map_or(unknown(Unknown::Anything), |home| PathPiece::Text(home.to_owned()));
        match kind {
            HoleKind::Tilde(user) if user.is_empty() => home(),
            HoleKind::Parameter(name) if name == "HOME" => home(),
            HoleKind::Parameter(name) if matches!(name.as_str(), "#" | "?" | "$" | "!") => unknown(Unknown::Number),
            HoleKind::Arithmetic => unknown(Unknown::Number),
            HoleKind::Glob if span.len() < LONGEST_PATTERN && only_lists_letters(span.of(self.program.source())) => {
                unknown(Unknown::PatternWithoutDots)
            }
            HoleKind::Glob => unknown(Unknown::Pattern),
            HoleKind::Parameter(_)
            | HoleKind::Tilde(_)
            | HoleKind::Expansion
            | HoleKind::CommandSubstitution
            | HoleKind::ProcessSubstitution
            | HoleKind::Brace => unknown(Unknown::Anything),
        }
    }
}

impl<'p> Variable<'p> {
    fn assign(&mut self, program: &BashProgram, assignment: &'p Assignment, values: Vec<&'p Word>, globs_vanish: bool) {
        if values.is_empty() || self.values.len().saturating_add(values.len()) > MOST_SPELLINGS {
            self.unknown = true;
        }
        if self.unknown {
            return;
        }
        let (end, scope) = (assignment.span.end, assignment.scope);
        let splits = matches!(assignment.value, AssignedValue::Each(_));
        // In a subshell of its own it is, as a rule, a value for nobody.
        let certain = !assignment.detached && (!splits || values.iter().any(|word| is_some_word(word, globs_vanish)));
        self.values.extend(values.into_iter().map(|word| Value { word, scope, splits }));
        // INVARIANT: what follows the body's first byte runs only where the loop has assigned.
        let body = assignment.body.map(|body| (body, end));
        let reached = (certain && assignment.joined == Joined::Always).then(|| (reach(program, scope), end));
        for (scope, end) in body.into_iter().chain(reached) {
            let place = self.certain.entry(scope).or_insert(end);
            *place = end.min(*place);
        }
        if certain && assignment.joined != Joined::Always {
            self.listed.push((end, scope));
        }
    }
}

/// The outermost scope in which what happens in `scope` certainly has happened for what follows.
fn reach(program: &BashProgram, scope: ScopeId) -> ScopeId {
    let mut at = scope;
    while let Some(scope) = program.scopes().get(at.0)
        && scope.kind == ScopeKind::Group
        && scope.joined == Joined::Always
        && !scope.detached
        && let Some(parent) = scope.parent.filter(|parent| *parent < at)
    {
        at = parent;
    }
    at
}

/// Whether the word becomes at least one word.
fn is_some_word(word: &Word, globs_vanish: bool) -> bool {
    let is_pattern = |part: &Part| matches!(part, Part::Hole { kind: HoleKind::Glob | HoleKind::Brace, .. });
    let is_there = |part: &Part| matches!(part, Part::Literal { .. } | Part::Hole { quoted: true, .. });
    let may_vanish = globs_vanish && word.parts.iter().any(is_pattern);
    word.parts.iter().any(is_there) && !may_vanish
}

/// Where an and-or list may end, or a command run aside, by the signs for it anywhere in `source`.
fn ends(source: &str) -> Vec<usize> {
    let bytes = source.as_bytes();
    let is_pair = |at: usize| {
        let twin = |at: Option<usize>| at.and_then(|at| bytes.get(at)) == Some(&b'&');
        twin(at.checked_add(1)) || twin(at.checked_sub(1))
    };
    let ends = bytes.iter().enumerate().filter(|(at, byte)| match byte {
        b';' | b'\n' | b'|' => true,
        b'&' => !is_pair(*at),
        _ => false,
    });
    ends.map(|(at, _)| at).collect()
}

fn may_split(kind: &HoleKind) -> bool {
    match kind {
        HoleKind::Parameter(name) => !matches!(name.as_str(), "#" | "?" | "$" | "!"),
        HoleKind::Expansion | HoleKind::CommandSubstitution => true,
        HoleKind::ProcessSubstitution
        | HoleKind::Arithmetic
        | HoleKind::Glob
        | HoleKind::Tilde(_)
        | HoleKind::Brace => false,
    }
}

/// Whether the only patterns in the word `typed` are bracket expressions that list letters and digits one by one.
fn only_lists_letters(typed: &str) -> bool {
    let mut rest = typed;
    while let Some((before, behind)) = rest.split_once('[') {
        let Some((listed, after)) = behind.split_once(']') else { return false };
        if before.contains(['*', '?', '(']) || !listed.chars().all(char::is_alphanumeric) {
            return false;
        }
        rest = after;
    }
    !rest.contains(['*', '?', '('])
}

/// Whether what changes in such a scope is gone behind it.
pub(super) fn keeps_changes(kind: ScopeKind) -> bool {
    match kind {
        ScopeKind::Program | ScopeKind::Group | ScopeKind::ControlFlow | ScopeKind::Function | ScopeKind::Trap => false,
        ScopeKind::Subshell
        | ScopeKind::CommandSubstitution
        | ScopeKind::ProcessSubstitution
        | ScopeKind::Coprocess => true,
    }
}

fn values_of(assignment: &Assignment) -> Option<Vec<&Word>> {
    match &assignment.value {
        AssignedValue::Scalar(word) => (!assignment.append && assignment.subscript.is_none()).then(|| vec![word]),
        // Without words a loop goes over the positional parameters.
        AssignedValue::Each(words) => Some(words.iter().collect()),
        AssignedValue::Array(_) | AssignedValue::Default(_) => None,
    }
}
