//! The directory in which each command runs, as far as literal `cd`, `pushd` and `popd` tell.

use std::collections::HashMap;

use super::{
    Place,
    arguments::program,
    facts::{join, normalize},
    values::{Values, keeps_changes},
};
use crate::{BashCommand, BashProgram, Joined, Redirect, ScopeId, ScopeKind, Span, Word};

/// How many directories are followed before the directory counts as unknown.
const MOST_DIRECTORIES: usize = 8;

/// The longest directory that is followed, in bytes: no system takes longer ones (`PATH_MAX`).
const LONGEST_PATH: usize = 4096;

/// A set of directories that may be the current one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Directories {
    possible: Vec<Possible>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Possible {
    /// None where it may be any.
    path: Option<String>,
    /// Whether it is so only where a `cd` fails that as a rule does not.
    unlikely: bool,
}

impl Directories {
    pub(super) fn unknown() -> Self {
        Self { possible: vec![Possible { path: None, unlikely: false }] }
    }

    pub(super) fn one(path: &str) -> Self {
        Self { possible: vec![Possible { path: Some(normalize(path)), unlikely: false }] }
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.possible.iter().filter_map(|possible| possible.path.as_deref())
    }

    /// Whether it may be any other directory than those known.
    pub(super) fn is_unknown(&self) -> bool {
        self.possible.iter().any(|possible| possible.path.is_none())
    }

    fn is_empty(&self) -> bool {
        self.possible.is_empty()
    }

    pub(super) fn join(&mut self, other: &Self) {
        for possible in &other.possible {
            match self.possible.iter_mut().find(|known| known.path == possible.path) {
                Some(known) => known.unlikely &= possible.unlikely,
                None => self.possible.push(possible.clone()),
            }
        }
        if self.possible.len() > MOST_DIRECTORIES {
            *self = Self::unknown();
        }
    }

    fn unlikely(mut self) -> Self {
        self.possible.iter_mut().for_each(|possible| possible.unlikely = true);
        self
    }

    /// The same without what is unlikely, where anything else is left.
    fn likely(mut self) -> Self {
        if self.possible.iter().any(|possible| !possible.unlikely) {
            self.possible.retain(|possible| !possible.unlikely);
        }
        self
    }

    /// The directories that `target` leads to from here.
    pub(super) fn folded(&self, target: &str) -> Self {
        if target.starts_with('/') {
            return Self::one(target);
        }
        let mut folded = Self::default();
        for Possible { path, unlikely } in &self.possible {
            let path =
                path.as_ref().map(|path| normalize(&join(path, target))).filter(|path| path.len() <= LONGEST_PATH);
            folded.join(&Self { possible: vec![Possible { path, unlikely: *unlikely }] });
        }
        folded
    }
}

/// What holds at one point of a scope.
#[derive(Clone, Debug)]
struct State {
    /// Before the last command.
    before: Directories,
    /// Where the last command stands, with its assignments and redirections.
    last: Span,
    /// Behind the last command, where it succeeds.
    succeeded: Directories,
    /// Behind the last command, where it fails.
    failed: Directories,
    stack: Vec<Directories>,
}

impl State {
    fn new(entry: Directories) -> Self {
        Self { before: entry.clone(), last: Span::new(0, 0), succeeded: entry.clone(), failed: entry, stack: vec![] }
    }

    fn after(&self) -> Directories {
        let mut all = self.succeeded.clone();
        all.join(&self.failed);
        if all.is_empty() { self.before.clone() } else { all.likely() }
    }

    fn entry(&self, joined: Joined) -> Directories {
        let entry = match joined {
            Joined::Always => self.after(),
            Joined::And => self.succeeded.clone(),
            Joined::Or => self.failed.clone(),
            Joined::Pipe => self.before.clone(),
        };
        if entry.is_empty() { self.before.clone() } else { entry }
    }

    fn apply(&mut self, joined: Joined, entry: Directories, effect: Effect) {
        self.before = entry;
        match joined {
            Joined::Always => (self.succeeded, self.failed) = (effect.succeeded, effect.failed),
            Joined::And => {
                self.succeeded = effect.succeeded;
                self.failed.join(&effect.failed);
            }
            Joined::Or => {
                self.succeeded.join(&effect.succeeded);
                self.failed = effect.failed;
            }
            Joined::Pipe => {}
        }
    }
}

/// Where a command leaves the shell.
struct Effect {
    succeeded: Directories,
    failed: Directories,
}

impl Effect {
    fn none(entry: &Directories) -> Self {
        Self { succeeded: entry.clone(), failed: entry.clone() }
    }
}

/// The directory of each unit, and of each redirection of compound commands.
#[derive(Debug, Default)]
pub(super) struct Directions {
    units: Vec<Directories>,
    redirects: HashMap<Span, Directories>,
}

impl Directions {
    pub(super) fn of(program: &BashProgram, values: &Values<'_>, place: &Place<'_>) -> Self {
        let mut walk = Walk {
            program,
            values,
            place,
            open: vec![(ScopeId(0), State::new(place.start.clone()))],
            is_open: vec![false; program.scopes().len()],
            unstable: vec![false; program.scopes().len()],
            functions_move: false,
            anything_moves: false,
            found: Self::default(),
        };
        walk.find_movers();
        walk.run();
        walk.found
    }

    /// The directories in which the unit at `index` may run.
    pub(super) fn unit(&self, index: usize) -> Directories {
        self.units.get(index).cloned().unwrap_or_else(Directories::unknown)
    }

    /// The directories in which a redirection that belongs to no unit may be opened.
    pub(super) fn redirect(&self, redirect: &Redirect) -> Directories {
        self.redirects.get(&redirect.span).cloned().unwrap_or_else(Directories::unknown)
    }
}

/// Follows the commands of a program in their order.
struct Walk<'w, 'p> {
    program: &'w BashProgram,
    values: &'w Values<'p>,
    place: &'w Place<'p>,
    /// The open scopes from the outside in; the first is the program, and stays.
    open: Vec<(ScopeId, State)>,
    is_open: Vec<bool>,
    /// Scopes in which each round of a loop may start somewhere else.
    unstable: Vec<bool>,
    /// Whether a function changes the directory of its caller.
    functions_move: bool,
    anything_moves: bool,
    found: Directions,
}

impl Walk<'_, '_> {
    /// Looks for directory changes whose effect depends on how often, or when, they run.
    fn find_movers(&mut self) {
        let loops = self
            .program
            .source()
            .split(|c: char| !c.is_ascii_alphanumeric())
            .any(|word| matches!(word, "for" | "while" | "until" | "select"));
        let mut seen = vec![false; self.program.scopes().len()];
        for unit in self.program.commands() {
            if !changes_directory(&unit.words) {
                continue;
            }
            self.anything_moves = true;
            let to = target(&unit.words);
            let absolute = to.is_some_and(|word| word.literal().is_some_and(|text| text.starts_with('/')));
            let mut next = Some(unit.scope).filter(|_| !unit.detached);
            while let Some(id) = next {
                let Some(scope) = self.program.scopes().get(id.0) else { break };
                let known = seen.get_mut(id.0).map(|seen| std::mem::replace(seen, *seen || !absolute));
                if known != Some(false) || keeps_changes(scope.kind) || scope.detached {
                    break;
                }
                self.functions_move |= matches!(scope.kind, ScopeKind::Function | ScopeKind::Trap);
                if let Some(unstable) = self.unstable.get_mut(id.0) {
                    *unstable |= scope.kind == ScopeKind::ControlFlow && loops && !absolute;
                }
                next = scope.parent.filter(|parent| *parent < id);
            }
        }
    }

    fn run(&mut self) {
        let program = self.program;
        let loose = loose_redirects(program);
        let mut redirects = loose.iter().peekable();
        for unit in program.commands() {
            while let Some(redirect) = redirects.next_if(|redirect| redirect.span < unit.span) {
                self.note_redirect(redirect);
            }
            self.enter(unit.scope, unit.span);
            let Some((_, state)) = self.open.last() else { return };
            let entry = state.entry(unit.joined);
            self.found.units.push(entry.clone());
            let effect =
                if unit.detached { Effect::none(&entry) } else { self.effect(&unit.words, &entry, unit.scope) };
            if let Some((_, state)) = self.open.last_mut() {
                state.apply(unit.joined, entry, effect);
                state.last = extent(unit);
            }
        }
        redirects.for_each(|redirect| self.note_redirect(redirect));
    }

    fn note_redirect(&mut self, redirect: &Redirect) {
        self.enter(redirect.scope, redirect.span);
        if let Some((_, state)) = self.open.last() {
            let mut directories = state.before.clone();
            directories.join(&state.after());
            self.found.redirects.insert(redirect.span, directories);
        }
    }

    /// Closes and opens scopes until `scope` is the innermost.
    fn enter(&mut self, scope: ScopeId, at: Span) {
        let mut inside = vec![];
        let mut next = Some(scope);
        while let Some(id) = next.filter(|id| id.0 > 0 && self.is_open.get(id.0) == Some(&false)) {
            inside.push(id);
            next = self.program.scopes().get(id.0).and_then(|scope| scope.parent).filter(|parent| *parent < id);
        }
        let innermost = next.unwrap_or(ScopeId(0));
        while self.open.len() > 1 && self.open.last().is_some_and(|(open, _)| *open != innermost) {
            self.close();
        }
        for id in inside.into_iter().rev() {
            let entry = self.entry(id, at);
            self.open.push((id, State::new(entry)));
            self.mark(id, true);
        }
    }

    fn mark(&mut self, id: ScopeId, open: bool) {
        if let Some(slot) = self.is_open.get_mut(id.0) {
            *slot = open;
        }
    }

    fn entry(&self, id: ScopeId, at: Span) -> Directories {
        let Some((scope, (_, parent))) = self.program.scopes().get(id.0).zip(self.open.last()) else {
            return Directories::unknown();
        };
        if self.unstable.get(id.0) == Some(&true) {
            return Directories::unknown();
        }
        match scope.kind {
            ScopeKind::Function | ScopeKind::Trap if self.anything_moves => Directories::unknown(),
            // In the words of the last command it runs before that one.
            ScopeKind::CommandSubstitution | ScopeKind::ProcessSubstitution => {
                if parent.last.contains(at) {
                    parent.before.clone()
                } else {
                    parent.after()
                }
            }
            ScopeKind::Program
            | ScopeKind::Group
            | ScopeKind::Subshell
            | ScopeKind::ControlFlow
            | ScopeKind::Function
            | ScopeKind::Trap
            | ScopeKind::Coprocess => parent.entry(scope.joined),
        }
    }

    /// Closes the innermost scope, and lets what holds at its end hold around it where bash does.
    fn close(&mut self) {
        let Some((id, inner)) = self.open.pop() else { return };
        self.mark(id, false);
        let Some((scope, (_, parent))) = self.program.scopes().get(id.0).zip(self.open.last_mut()) else { return };
        if matches!(scope.kind, ScopeKind::CommandSubstitution | ScopeKind::ProcessSubstitution) {
            return;
        }
        let entry = parent.entry(scope.joined);
        let effect = match scope.kind {
            _ if scope.detached || keeps_changes(scope.kind) => Effect::none(&entry),
            ScopeKind::Function | ScopeKind::Trap if self.functions_move => Effect::none(&Directories::unknown()),
            ScopeKind::Function | ScopeKind::Trap => Effect::none(&entry),
            ScopeKind::ControlFlow => {
                let mut after = inner.after();
                after.join(&entry);
                Effect::none(&after)
            }
            ScopeKind::Program
            | ScopeKind::Group
            | ScopeKind::Subshell
            | ScopeKind::CommandSubstitution
            | ScopeKind::ProcessSubstitution
            | ScopeKind::Coprocess => Effect { succeeded: inner.succeeded, failed: inner.failed },
        };
        parent.apply(scope.joined, entry, effect);
    }

    fn effect(&mut self, words: &[Word], entry: &Directories, scope: ScopeId) -> Effect {
        let Some((name, _)) = program(words) else { return Effect::none(entry) };
        match name.as_str() {
            "cd" => self.changed(words, entry, scope),
            "pushd" => {
                let effect = self.changed(words, entry, scope);
                if let Some((_, state)) = self.open.last_mut() {
                    state.stack.push(entry.clone());
                }
                effect
            }
            "popd" => {
                let top = self.open.last_mut().and_then(|(_, state)| state.stack.pop());
                let plain = words.len() == 1;
                let succeeded = top.filter(|_| plain).unwrap_or_else(Directories::unknown);
                Effect { succeeded, failed: entry.clone().unlikely() }
            }
            // What follows is not reached from here.
            "exit" | "return" | "break" | "continue" | "exec" => {
                Effect { succeeded: Directories::default(), failed: Directories::default() }
            }
            _ => Effect::none(entry),
        }
    }

    fn changed(&self, words: &[Word], entry: &Directories, scope: ScopeId) -> Effect {
        let targets: Vec<String> = match target(words) {
            // `cd` alone goes home; `pushd` alone swaps directories.
            None if program(words).is_some_and(|(name, _)| name == "cd") => {
                self.values.home().map(|home| vec![home.to_owned()]).unwrap_or_default()
            }
            None => vec![],
            Some(_) if is_physical(words) => vec![],
            Some(word) => {
                let spellings = self.values.spellings(word, scope);
                let texts: Option<Vec<String>> = spellings
                    .iter()
                    .map(|text| {
                        text.text().filter(|text| !text.is_empty() && !text.starts_with(['-', '+'])).map(str::to_owned)
                    })
                    .collect();
                texts.unwrap_or_default()
            }
        };
        if targets.is_empty() {
            return Effect { succeeded: Directories::unknown(), failed: entry.clone().unlikely() };
        }
        let mut succeeded = Directories::default();
        targets.iter().for_each(|target| succeeded.join(&entry.folded(target)));
        let missing = succeeded.paths().any(|path| self.place.lacks(path));
        let failed = if missing { entry.clone() } else { entry.clone().unlikely() };
        Effect { succeeded, failed }
    }
}

/// Where a command stands with all that belongs to it.
fn extent(unit: &BashCommand) -> Span {
    let parts = unit.redirects.iter().map(|redirect| redirect.span);
    let parts = parts.chain(unit.assignments.iter().map(|assignment| assignment.span));
    parts.fold(unit.span, |whole, part| Span::new(whole.start.min(part.start), whole.end.max(part.end)))
}

fn changes_directory(words: &[Word]) -> bool {
    program(words).is_some_and(|(name, _)| matches!(name.as_str(), "cd" | "pushd" | "popd"))
}

/// Whether an option asks for the directory behind symbolic links (bash manual 4.1, `cd -P`).
pub(super) fn is_physical(words: &[Word]) -> bool {
    words.iter().any(|word| word.literal().is_some_and(|text| text.starts_with('-') && text.contains('P')))
}

/// The first operand.
fn target(words: &[Word]) -> Option<&Word> {
    let (_, arguments) = program(words)?;
    let is_option = |word: &&Word| word.literal().is_some_and(|text| text.starts_with('-') && text.len() > 1);
    arguments.iter().find(|word| !is_option(word))
}

/// The redirections that belong to no unit, in source order.
pub(super) fn loose_redirects(program: &BashProgram) -> Vec<&Redirect> {
    let of_units = program.commands().iter().map(|unit| unit.redirects.len()).sum::<usize>();
    let mut loose: Vec<&Redirect> = program.redirects().skip(of_units).collect();
    loose.sort_by_key(|redirect| redirect.span);
    loose
}
