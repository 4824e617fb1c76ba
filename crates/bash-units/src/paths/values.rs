//! What variables hold, where the text itself says so.

use std::collections::HashMap;

use super::text::{PathPiece, PathText, Unknown};
use crate::{AssignedValue, Assignment, BashProgram, HoleKind, Part, Scope, ScopeId, ScopeKind, Word};

/// How many spellings one word may have before it counts as unknown.
const MOST_SPELLINGS: usize = 32;

/// Builtins that assign to the variables their arguments name, or run text that may.
const ASSIGNING: [&str; 10] =
    ["read", "mapfile", "readarray", "declare", "typeset", "local", "export", "readonly", "getopts", "unset"];

/// The variables that a program assigns literal values to, and nothing else.
///
/// INVARIANT: a variable is in here only where each assignment to it that the program shows is one of the values, and
/// nothing can assign it unseen.
pub(super) struct Values<'p> {
    program: &'p BashProgram,
    home: Option<&'p str>,
    pwd: bool,
    /// Whether any variable may be assigned unseen.
    anything: bool,
    assigned: HashMap<&'p str, Variable<'p>>,
}

struct Variable<'p> {
    /// Where its assignments end, and the scope that keeps each of them from what follows, if there is one.
    places: Vec<(usize, Option<ScopeId>)>,
    /// None where some value is not known.
    values: Option<Vec<&'p Word>>,
}

impl<'p> Values<'p> {
    pub(super) fn of(program: &'p BashProgram, home: Option<&'p str>) -> Self {
        let mut assigned: HashMap<&'p str, Variable<'p>> = HashMap::new();
        // What stands before a program is for that program, which may be a function of this text.
        let for_programs = program.commands().iter().map(|unit| unit.assignments.len()).sum::<usize>();
        for (index, assignment) in program.assignments().enumerate() {
            let values = values_of(assignment).filter(|_| index >= for_programs);
            let variable =
                assigned.entry(&assignment.name).or_insert(Variable { places: vec![], values: Some(vec![]) });
            variable.places.push((assignment.span.end, isolating(program.scopes(), assignment.scope).next()));
            match (values, &mut variable.values) {
                (Some(values), Some(known)) if known.len().saturating_add(values.len()) <= MOST_SPELLINGS => {
                    known.extend(values)
                }
                _ => variable.values = None,
            }
        }
        let mut values = Self { program, home, pwd: true, anything: false, assigned };
        values.forget_what_builtins_assign(program);
        values.home = home.filter(|_| !values.assigned.contains_key("HOME"));
        values.pwd = !values.assigned.contains_key("PWD");
        values
    }

    pub(super) fn source(&self) -> &str {
        self.program.source()
    }

    pub(super) fn home(&self) -> Option<&'p str> {
        self.home
    }

    fn forget_what_builtins_assign(&mut self, program: &'p BashProgram) {
        for unit in program.commands() {
            let Some((name, arguments)) = unit.words.split_first() else { continue };
            match name.literal().as_deref() {
                Some("eval" | "source" | "." | "command" | "builtin") | None => self.anything = true,
                Some(name) if assigns(name, arguments) => arguments.iter().for_each(|word| self.forget(word)),
                Some(_) => {}
            }
        }
        // `${NAME:=word}` and `${NAME=word}` assign as well (bash manual 3.5.3).
        for (at, _) in program.source().match_indices("${") {
            let rest = program.source().get(at.saturating_add(2)..).unwrap_or_default();
            let (name, behind) = split_name(rest);
            if behind.starts_with('=') || behind.starts_with(":=") {
                self.forget_name(name);
            }
        }
    }

    fn forget(&mut self, word: &'p Word) {
        match word.parts.first() {
            Some(Part::Literal { text, .. }) => self.forget_name(split_name(text).0),
            Some(Part::Hole { .. }) | None => self.anything = true,
        }
    }

    fn forget_name(&mut self, name: &'p str) {
        let unknown = || Variable { places: vec![], values: None };
        self.assigned.entry(name).or_insert_with(unknown).values = None;
    }

    /// What `word`, in `scope`, may be after expansion: one path for each combination of values.
    pub(super) fn spellings(&self, word: &Word, scope: ScopeId) -> Vec<PathText> {
        let mut spellings = vec![PathText::default()];
        for (index, part) in word.parts.iter().enumerate() {
            let choices = self.choices(part, scope).unwrap_or_else(|| {
                let mut path = PathText::default();
                path.push(self.here(word, index).unwrap_or_else(|| self.piece(part)));
                vec![path]
            });
            if spellings.len().saturating_mul(choices.len()) > MOST_SPELLINGS {
                return vec![self.spelling_with_unknowns(word)];
            }
            let with = |before: &PathText, choice: &PathText| {
                let mut whole = before.clone();
                choice.pieces.iter().cloned().for_each(|piece| whole.push(piece));
                whole
            };
            spellings = spellings.iter().flat_map(|before| choices.iter().map(|choice| with(before, choice))).collect();
        }
        spellings
    }

    fn spelling_with_unknowns(&self, word: &Word) -> PathText {
        let mut path = PathText::default();
        word.parts.iter().for_each(|part| path.push(self.piece(part)));
        path
    }

    /// The values of the variable that `part` names, where they are known.
    fn choices(&self, part: &Part, scope: ScopeId) -> Option<Vec<PathText>> {
        let Part::Hole { kind: HoleKind::Parameter(name), span, quoted } = part else { return None };
        let variable = self.assigned.get(name.as_str()).filter(|_| !self.anything)?;
        let around = |kept| isolating(self.program.scopes(), scope).take(MOST_SPELLINGS).any(|open| open == kept);
        let reaches = |(end, kept): &(usize, Option<ScopeId>)| *end <= span.start && kept.is_none_or(around);
        let values = variable.values.as_deref().filter(|values| !values.is_empty())?;
        if !variable.places.iter().any(reaches) {
            return None;
        }
        let texts: Vec<PathText> = values.iter().map(|value| self.spelling_with_unknowns(value)).collect();
        // Without quotes a value with a blank in it is more than one word, and one with pattern characters a pattern.
        let plain = |text: &PathText| text.texts().all(|known| !known.contains([' ', '\t', '\n', '*', '?', '[']));
        (*quoted || texts.iter().all(plain)).then_some(texts)
    }

    /// The current directory, where the word starts with it: `$PWD`, `~+`, `$(pwd)`.
    fn here(&self, word: &Word, index: usize) -> Option<PathPiece> {
        let first = word.parts.get(index).filter(|_| index == 0 && self.pwd)?;
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
        (names_it && ends).then(|| PathPiece::Text(".".to_owned()))
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
            HoleKind::Glob if only_lists_letters(span.of(self.program.source())) => {
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

/// The scopes around `scope`, itself included, whose changes do not outlive them, from the inside out.
fn isolating(scopes: &[Scope], scope: ScopeId) -> impl Iterator<Item = ScopeId> + '_ {
    let mut next = Some(scope);
    std::iter::from_fn(move || {
        let id = next?;
        let scope = scopes.get(id.0)?;
        // INVARIANT: a parent comes before its children, so that this ends.
        next = scope.parent.filter(|parent| *parent < id);
        Some((id, scope))
    })
    .filter(|(_, scope)| scope.detached || keeps_changes(scope.kind))
    .map(|(id, _)| id)
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

/// Whether the builtin assigns to what its arguments name.
fn assigns(builtin: &str, arguments: &[Word]) -> bool {
    match builtin {
        "printf" => arguments.first().is_some_and(|word| word.literal().is_none_or(|text| text.starts_with("-v"))),
        name => ASSIGNING.contains(&name),
    }
}

/// The variable name at the start of `text`, and what follows it.
fn split_name(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or_default()
}

fn values_of(assignment: &Assignment) -> Option<Vec<&Word>> {
    match &assignment.value {
        AssignedValue::Scalar(word) => (!assignment.append && assignment.subscript.is_none()).then(|| vec![word]),
        // Without words a loop goes over the positional parameters.
        AssignedValue::Each(words) => (!words.is_empty()).then(|| words.iter().collect()),
        AssignedValue::Array(_) | AssignedValue::Default(_) => None,
    }
}
