//! The directory in which each command runs, as far as literal `cd`, `pushd` and `popd` tell.

use std::collections::HashMap;

use super::{
    Place,
    directories::Directories,
    movement::{Effect, Movement},
    values::{Values, keeps_changes},
};
use crate::{BashCommand, BashProgram, Joined, Redirect, ScopeId, ScopeKind, Span, UnitId};

/// How far in front of a command a sign of negation is looked for, in bytes.
const LOOK_BACK: usize = 256;

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
    /// Behind the commands of this list that may run in one subshell in the background.
    aside: Directories,
    /// Where `break` and `continue` leave the scope.
    left: Directories,
    /// Where its first command starts.
    start: Option<usize>,
}

impl State {
    fn new(entry: Directories) -> Self {
        Self {
            before: entry.clone(),
            last: Span::new(0, 0),
            succeeded: entry.clone(),
            failed: entry,
            aside: Directories::none(),
            left: Directories::none(),
            start: None,
        }
    }

    fn after(&self) -> Directories {
        let all = self.succeeded.joined(&self.failed);
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

    /// Where a command starts that runs in a subshell of its own, which it may share with those before it in its list.
    fn entry_aside(&self, joined: Joined) -> Directories {
        match joined {
            Joined::Always | Joined::Pipe => self.entry(joined),
            Joined::And | Joined::Or => self.entry(joined).joined(&self.aside),
        }
    }

    fn apply(&mut self, joined: Joined, effect: Effect) {
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
            // As a rule it runs in a subshell.
            Joined::Pipe if effect.moves => {
                self.succeeded.join(&effect.succeeded);
                self.failed.join(&effect.failed);
            }
            Joined::Pipe => {}
        }
    }

    /// Notes the effect of a command in a subshell of its own.
    fn apply_aside(&mut self, joined: Joined, effect: &Effect) {
        if joined == Joined::Always {
            self.aside = Directories::none();
        }
        self.aside.join(&effect.succeeded);
        self.aside.join(&effect.failed);
    }
}

/// The directory of each unit, and of each redirection of compound commands.
#[derive(Debug, Default)]
pub(super) struct Directions {
    units: Vec<Directories>,
    redirects: HashMap<Span, Directories>,
    /// Where the units lead that change to a directory that they do not name, in order.
    arrivals: Vec<(UnitId, Directories)>,
}

impl Directions {
    pub(super) fn of(program: &BashProgram, values: &Values<'_>, place: &Place<'_>) -> Self {
        let movement = Movement::of(program, values, place);
        let start = if movement.is_lost() { Directories::unknown() } else { place.start.clone() };
        let mut walk = Walk {
            program,
            movement,
            open: vec![(ScopeId(0), State::new(start))],
            is_open: vec![false; program.scopes().len()],
            found: Self::default(),
        };
        walk.run();
        walk.found
    }

    /// The directories in which the unit at `index` may run.
    pub(super) fn unit(&self, index: usize) -> Directories {
        self.units.get(index).cloned().unwrap_or_else(Directories::unknown)
    }

    /// Where the units lead that change to a directory that they do not name, in order.
    pub(super) fn arrivals(&self) -> &[(UnitId, Directories)] {
        &self.arrivals
    }

    /// The directories in which a redirection that belongs to no unit may be opened.
    pub(super) fn redirect(&self, redirect: &Redirect) -> Directories {
        self.redirects.get(&redirect.span).cloned().unwrap_or_else(Directories::unknown)
    }
}

/// Follows the commands of a program in their order.
struct Walk<'w, 'p> {
    program: &'w BashProgram,
    movement: Movement<'w, 'p>,
    /// The open scopes from the outside in; the first is the program, and stays.
    open: Vec<(ScopeId, State)>,
    is_open: Vec<bool>,
    found: Directions,
}

impl Walk<'_, '_> {
    fn run(&mut self) {
        let program = self.program;
        let loose = loose_redirects(program);
        let mut redirects = loose.iter().peekable();
        for unit in program.commands() {
            while let Some(redirect) = redirects.next_if(|redirect| redirect.span < unit.span) {
                self.redirect(redirect);
            }
            self.enter(unit.scope, unit.span);
            self.unit(unit);
        }
        redirects.for_each(|redirect| self.redirect(redirect));
    }

    fn unit(&mut self, unit: &BashCommand) {
        let Some((_, state)) = self.open.last_mut() else { return };
        let extent = extent(unit);
        let entry = state.entry(unit.joined);
        let aside = if unit.detached { state.entry_aside(unit.joined) } else { entry.clone() };
        self.found.units.push(aside.clone());
        let mut effect = self.movement.effect(unit, &aside);
        if !effect.named {
            self.found.arrivals.push((UnitId(self.found.units.len().saturating_sub(1)), effect.succeeded.clone()));
        }
        if effect.moves && is_negated(self.program.source(), extent.start) {
            effect = effect.in_doubt();
        }
        state.last = extent;
        state.start = state.start.or(Some(extent.start));
        state.before = aside;
        if unit.detached {
            state.apply_aside(unit.joined, &effect);
            effect = self.movement.behind(Effect::none(&entry), effect);
        }
        let leaves = self.movement.leaves(unit).then(|| state.before.clone());
        state.apply(unit.joined, effect);
        if let Some(directories) = leaves {
            self.leave(&directories);
        }
    }

    /// Notes that a loop may be left from `directories`: which of the scopes is the loop cannot be told.
    fn leave(&mut self, directories: &Directories) {
        if let Some((_, state)) = self.open.last_mut() {
            state.left.join(directories);
        }
    }

    fn redirect(&mut self, redirect: &Redirect) {
        let depth = self.open.len();
        self.enter(redirect.scope, redirect.span);
        let closed = self.open.len() < depth;
        let Some((_, state)) = self.open.last_mut() else { return };
        let directories = state.before.joined(&state.after());
        // Where it cannot be opened, the compound command before it does not run.
        if closed && self.movement.may_fail(redirect) {
            let before = state.before.as_likely();
            state.failed.join(&before);
        }
        self.found.redirects.insert(redirect.span, directories);
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
        match scope.kind {
            ScopeKind::Function | ScopeKind::Trap if self.movement.moves() => Directories::unknown(),
            // In the words of the last command it runs before that one.
            ScopeKind::CommandSubstitution | ScopeKind::ProcessSubstitution => {
                if parent.last.contains(at) {
                    parent.before.clone()
                } else if parent.last.end < at.start && self.source_between(parent.last.end, at.start).contains("||") {
                    parent.after().joined(&parent.failed.as_likely())
                } else {
                    parent.after()
                }
            }
            ScopeKind::ControlFlow => self.movement.rounds(id, &self.joined_entry(id, parent)),
            ScopeKind::Program
            | ScopeKind::Group
            | ScopeKind::Subshell
            | ScopeKind::Function
            | ScopeKind::Trap
            | ScopeKind::Coprocess => self.joined_entry(id, parent),
        }
    }

    fn source_between(&self, start: usize, end: usize) -> &str {
        Span::new(start, end).of(self.program.source())
    }

    fn joined_entry(&self, id: ScopeId, parent: &State) -> Directories {
        match self.program.scopes().get(id.0) {
            Some(scope) if scope.detached => parent.entry_aside(scope.joined),
            Some(scope) => parent.entry(scope.joined),
            None => Directories::unknown(),
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
        let start = if scope.detached { parent.entry_aside(scope.joined) } else { entry.clone() };
        parent.before = start.clone();
        parent.start = parent.start.or(inner.start);
        if !(scope.detached || keeps_changes(scope.kind) || scope.kind == ScopeKind::Function) {
            parent.left.join(&inner.left);
        }
        let mut effect = match scope.kind {
            _ if keeps_changes(scope.kind) => Effect::none(&start),
            ScopeKind::Function | ScopeKind::Trap => Effect::none(&start),
            ScopeKind::ControlFlow => {
                let mut after = inner.after();
                after.join(&inner.left.as_likely());
                after.join(&start);
                Effect::none(&after)
            }
            ScopeKind::Program
            | ScopeKind::Group
            | ScopeKind::Subshell
            | ScopeKind::CommandSubstitution
            | ScopeKind::ProcessSubstitution
            | ScopeKind::Coprocess => {
                let effect = Effect { moves: true, ..Effect::of(inner.succeeded, inner.failed) };
                let negated = inner.start.is_some_and(|start| is_negated(self.program.source(), start));
                if negated { effect.in_doubt() } else { effect }
            }
        };
        if scope.detached {
            parent.apply_aside(scope.joined, &effect);
            effect = self.movement.behind(Effect::none(&entry), effect);
        }
        parent.apply(scope.joined, effect);
    }
}

/// Where a command stands with all that belongs to it.
fn extent(unit: &BashCommand) -> Span {
    let parts = unit.redirects.iter().map(|redirect| redirect.span);
    let parts = parts.chain(unit.assignments.iter().map(|assignment| assignment.span));
    parts.fold(unit.span, |whole, part| Span::new(whole.start.min(part.start), whole.end.max(part.end)))
}

/// Whether the command that starts at `start`, or one around it that starts with it, may stand behind `!` (bash manual 3.2.3).
fn is_negated(source: &str, start: usize) -> bool {
    let from = start.saturating_sub(LOOK_BACK);
    let Some(mut before) = source.as_bytes().get(from..start) else { return true };
    loop {
        let rest = match before {
            [rest @ .., b' ' | b'\t' | b'\n' | b'\\' | b'{' | b'('] => rest,
            [rest @ .., b't', b'i', b'm', b'e'] | [rest @ .., b'-', b'p' | b'-'] => rest,
            [.., b'!'] => return true,
            [] => return from > 0,
            _ => return false,
        };
        before = rest;
    }
}

/// The redirections that belong to no unit, in source order.
pub(super) fn loose_redirects(program: &BashProgram) -> Vec<&Redirect> {
    let of_units = program.commands().iter().map(|unit| unit.redirects.len()).sum::<usize>();
    let mut loose: Vec<&Redirect> = program.redirects().skip(of_units).collect();
    loose.sort_by_key(|redirect| redirect.span);
    loose
}
