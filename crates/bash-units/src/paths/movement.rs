//! What commands do to the current directory (bash manual 4.1 and 6.8.1).

use std::collections::HashSet;

use super::{
    Place,
    arguments::program,
    directories::Directories,
    values::{Values, keeps_changes},
};
use crate::{BashCommand, BashProgram, HoleKind, Part, Redirect, RedirectKind, ScopeId, ScopeKind, Word};

/// Files that can always be opened.
const DEVICES: [&str; 4] = ["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr"];

/// Where a command leaves the shell.
pub(super) struct Effect {
    pub(super) succeeded: Directories,
    pub(super) failed: Directories,
    /// Whether it may be another place than before.
    pub(super) moves: bool,
    /// Whether it is a place that the command names, or no other.
    pub(super) named: bool,
}

impl Effect {
    pub(super) fn none(entry: &Directories) -> Self {
        Self { moves: false, ..Self::of(entry.clone(), entry.clone()) }
    }

    pub(super) fn of(succeeded: Directories, failed: Directories) -> Self {
        Self { succeeded, failed, moves: true, named: true }
    }

    fn unnamed(self) -> Self {
        Self { named: false, ..self }
    }

    /// The same where it cannot be told which of the two it is.
    pub(super) fn in_doubt(&self) -> Self {
        let all = self.succeeded.joined(&self.failed).as_likely();
        Self { succeeded: all.clone(), failed: all, ..*self }
    }
}

/// What a program holds that moves it, and what changes how.
pub(super) struct Movement<'m, 'p> {
    values: &'m Values<'p>,
    place: &'m Place<'p>,
    functions: HashSet<&'m str>,
    /// Whether anything changes the directory at all.
    anything: bool,
    /// Whether a function changes the directory of its caller.
    by_functions: bool,
    /// Whether the directory may change at any time.
    lost: bool,
    /// Whether the last command of a pipeline may run in the shell itself.
    lastpipe: bool,
    /// Whether `..` may lead to the parent of a link's target (`set -P`).
    physical: bool,
    /// Whether a name may be looked up somewhere else (`CDPATH`, `cdable_vars`).
    elsewhere: bool,
    /// Whether there are loops.
    loops: bool,
    /// Where the later rounds of each scope may start, if it is a loop.
    rounds: Vec<Rounds>,
}

#[derive(Clone)]
enum Rounds {
    /// Where the first one does, or at one of these directories.
    At(Vec<String>),
    Anywhere,
}

impl<'m, 'p> Movement<'m, 'p> {
    pub(super) fn of(program: &'m BashProgram, values: &'m Values<'p>, place: &'m Place<'p>) -> Self {
        let mut movement = Self {
            values,
            place,
            functions: program.functions().collect(),
            anything: false,
            by_functions: false,
            lost: false,
            lastpipe: false,
            physical: false,
            elsewhere: values.may_assign("CDPATH"),
            loops: false,
            rounds: vec![Rounds::At(vec![]); program.scopes().len()],
        };
        movement.find_settings(program);
        movement.find_movers(program);
        if movement.by_functions {
            // Their calls move as well.
            movement.find_movers(program);
        }
        movement
    }

    /// Whether anything changes the directory.
    pub(super) fn moves(&self) -> bool {
        self.anything
    }

    /// Whether nothing is known of the directory from the start.
    pub(super) fn is_lost(&self) -> bool {
        self.lost
    }

    /// Where the rounds of the scope `id` may start, if the first one starts at `entry`.
    pub(super) fn rounds(&self, id: ScopeId, entry: &Directories) -> Directories {
        match self.rounds.get(id.0) {
            Some(_) if !self.loops => entry.clone(),
            Some(Rounds::At(directories)) => {
                let mut all = entry.clone();
                directories.iter().for_each(|directory| all.join(&Directories::one(directory)));
                all
            }
            Some(Rounds::Anywhere) | None => Directories::unknown(),
        }
    }

    /// Where a command in a subshell leaves the shell, if it would leave it as `inside` says.
    pub(super) fn behind(&self, outside: Effect, inside: Effect) -> Effect {
        if !(self.lastpipe && inside.moves) {
            return outside;
        }
        let all = outside.succeeded.joined(&inside.succeeded).joined(&inside.failed).as_likely();
        Effect::of(all.clone(), all)
    }

    /// Whether the unit leaves a loop, or goes on with its next round; where there is none, it does nothing.
    pub(super) fn leaves(&self, unit: &BashCommand) -> bool {
        program(&unit.words).is_some_and(|(name, _)| matches!(name.as_str(), "break" | "continue"))
    }

    /// Whether the file of a redirection may be one that cannot be opened.
    pub(super) fn may_fail(&self, redirect: &Redirect) -> bool {
        let target = redirect.target.literal();
        match redirect.kind {
            RedirectKind::HereDocument | RedirectKind::HereDocumentTabs | RedirectKind::HereString => false,
            RedirectKind::DuplicateInput | RedirectKind::DuplicateOutput => {
                target.is_none_or(|target| !matches!(target.as_ref(), "0" | "1" | "2" | "-"))
            }
            RedirectKind::Input
            | RedirectKind::Output
            | RedirectKind::Append
            | RedirectKind::Clobber
            | RedirectKind::ReadWrite
            | RedirectKind::OutputAndError
            | RedirectKind::AppendAndError => target.is_none_or(|target| !DEVICES.contains(&target.as_ref())),
        }
    }

    pub(super) fn effect(&self, unit: &BashCommand, entry: &Directories) -> Effect {
        if self.lost {
            return Effect::none(&Directories::unknown());
        }
        if self.by_functions && self.may_call(unit) {
            return Effect::of(Directories::unknown(), Directories::unknown());
        }
        let Some((name, arguments)) = program(&unit.words) else { return Effect::none(entry) };
        let may_fail = unit.redirects.iter().any(|redirect| self.may_fail(redirect));
        let replaced = self.functions.contains(name.as_str());
        match name.as_str() {
            "cd" | "pushd" | "popd" if replaced => {
                Effect::of(entry.anywhere().without_stack(), entry.clone()).unnamed()
            }
            "cd" => self.changed(entry, &Operands::of(arguments, "LPe"), unit.scope, may_fail),
            "pushd" => self.pushed(entry, &Operands::of(arguments, ""), unit.scope, may_fail),
            "popd" => {
                let plain = arguments.is_empty();
                let succeeded = if plain { entry.popped() } else { entry.anywhere().without_stack() };
                let failed = if plain && !may_fail { entry.unlikely() } else { entry.clone() };
                Effect::of(succeeded, failed).unnamed()
            }
            "dirs" => Effect::none(&if arguments.is_empty() { entry.clone() } else { entry.without_stack() }),
            "eval" => Effect::of(Directories::unknown(), Directories::unknown()),
            // What follows is not reached from here.
            "exit" if !replaced && !may_fail && exits(arguments) => {
                Effect::of(Directories::none(), Directories::none())
            }
            _ => Effect::none(entry),
        }
    }

    /// What `cd` does.
    fn changed(&self, entry: &Directories, operands: &Operands<'_>, scope: ScopeId, may_fail: bool) -> Effect {
        let succeeded = match operands.first {
            None => self.values.home().map(|home| entry.folded(home)),
            Some(word) if word.literal().as_deref() == Some("-") => Some(entry.back()),
            Some(word) => self.folded(entry, word, scope),
        };
        let certain = operands.plain && !may_fail;
        let named = operands.first.is_some_and(|word| word.literal().is_none_or(|text| text != "-")) && !self.elsewhere;
        let effect = self.arrived(entry, succeeded.filter(|_| !self.physical && !operands.physical), certain);
        Effect { named, ..effect }
    }

    /// What `pushd` does.
    fn pushed(&self, entry: &Directories, operands: &Operands<'_>, scope: ScopeId, may_fail: bool) -> Effect {
        let rotates = |word: &Word| word.literal().is_none_or(|text| text.starts_with(['-', '+']));
        let succeeded = match operands.first {
            None => Some(entry.swapped()),
            Some(word) if rotates(word) => Some(entry.anywhere().without_stack()),
            Some(word) => self.folded(&entry.pushed(), word, scope),
        };
        let certain = operands.plain && !may_fail;
        let succeeded = if operands.plain { succeeded } else { Some(entry.anywhere().without_stack()) };
        let named = operands.plain && operands.first.is_some_and(|word| !rotates(word)) && !self.elsewhere;
        Effect { named, ..self.arrived(entry, succeeded.filter(|_| !self.physical), certain) }
    }

    /// The directories that `word` leads to, where all of them are known.
    fn folded(&self, entry: &Directories, word: &Word, scope: ScopeId) -> Option<Directories> {
        let mut all = Directories::none();
        for text in self.values.spellings(word, scope) {
            let target = text.text().filter(|text| !text.is_empty() && *text != "-")?;
            if target.starts_with('-') && word.literal().is_none() {
                return None;
            }
            if self.elsewhere && !target.starts_with('/') {
                return None;
            }
            all.join(&entry.folded(target));
        }
        Some(all).filter(|all| !all.is_empty())
    }

    fn arrived(&self, entry: &Directories, succeeded: Option<Directories>, certain: bool) -> Effect {
        let succeeded = succeeded.unwrap_or_else(|| entry.anywhere().without_stack());
        let missing = succeeded.paths().any(|path| !self.place.may_enter(path));
        let failed = if missing || !certain { entry.clone() } else { entry.unlikely() };
        Effect::of(succeeded, failed)
    }

    /// Whether the unit calls a function.
    fn may_call(&self, unit: &BashCommand) -> bool {
        let name = unit.words.first().and_then(Word::literal);
        name.is_none_or(|name| self.functions.contains(name.as_ref()))
    }

    /// Whether the unit may change the directory, and the absolute path that it changes to where that is known.
    fn moves_to(&self, unit: &BashCommand) -> Option<Option<String>> {
        if self.by_functions && self.may_call(unit) {
            return Some(None);
        }
        let (name, arguments) = program(&unit.words)?;
        match name.as_str() {
            "cd" | "pushd" => {
                let target = Operands::of(arguments, "LPe").first.and_then(Word::literal);
                Some(target.filter(|target| target.starts_with('/')).map(std::borrow::Cow::into_owned))
            }
            "popd" | "eval" => Some(None),
            _ => None,
        }
    }

    /// Looks for directory changes whose effect depends on how often, or when, they run.
    fn find_movers(&mut self, program: &BashProgram) {
        let continued = program.source().contains("\\\n").then(|| program.source().replace("\\\n", ""));
        let source = continued.as_deref().unwrap_or(program.source());
        let mut words = source.split(|c: char| !c.is_ascii_alphanumeric());
        self.loops = words.any(|word| matches!(word, "for" | "while" | "until" | "select"));
        let traps = program.commands().iter().any(|unit| is_trap_at_any_time(&unit.words));
        for unit in program.commands() {
            let Some(target) = self.moves_to(unit) else { continue };
            self.anything = true;
            let mut next = Some(unit.scope).filter(|_| !unit.detached || self.lastpipe);
            while let Some(id) = next {
                let Some(scope) = program.scopes().get(id.0) else { break };
                if keeps_changes(scope.kind) || (scope.detached && !self.lastpipe) {
                    break;
                }
                self.by_functions |= scope.kind == ScopeKind::Function;
                self.lost |= scope.kind == ScopeKind::Trap && traps;
                if !self.note(id, target.as_deref()) {
                    break;
                }
                next = scope.parent.filter(|parent| *parent < id);
            }
        }
    }

    /// Notes that each round of the scope may start at `target`; whether that is new.
    fn note(&mut self, id: ScopeId, target: Option<&str>) -> bool {
        let Some(rounds) = self.rounds.get_mut(id.0) else { return false };
        match (&mut *rounds, target) {
            (Rounds::Anywhere, _) => false,
            (Rounds::At(known), Some(target)) if known.iter().any(|known| known == target) => false,
            (Rounds::At(known), Some(target)) if known.len() < MOST_TARGETS => {
                known.push(target.to_owned());
                true
            }
            (Rounds::At(_), _) => {
                *rounds = Rounds::Anywhere;
                true
            }
        }
    }

    fn find_settings(&mut self, program: &BashProgram) {
        for unit in program.commands() {
            let Some((name, arguments)) = super::arguments::program(&unit.words) else { continue };
            let names = |option: &str| {
                arguments.iter().any(|word| word.literal().is_none_or(|text| text.eq_ignore_ascii_case(option)))
            };
            match name.as_str() {
                "shopt" => {
                    self.lastpipe |= names("lastpipe");
                    self.elsewhere |= names("cdable_vars");
                }
                "set" => {
                    let options = arguments.iter().take_while(|word| word.literal().as_deref() != Some("--"));
                    let physical = |word: &Word| {
                        word.literal()
                            .is_none_or(|text| text == "physical" || text.starts_with(['-', '+']) && text.contains('P'))
                    };
                    self.physical |= options.clone().any(physical);
                }
                _ => {}
            }
        }
    }
}

/// How many directories the rounds of a loop are followed to.
const MOST_TARGETS: usize = 4;

/// The operands of `cd` and `pushd`.
struct Operands<'w> {
    first: Option<&'w Word>,
    /// Whether there is not more than one of them, and no option that is not known.
    plain: bool,
    /// Whether an option asks for the directory behind symbolic links (bash manual 4.1, `cd -P`).
    physical: bool,
}

impl<'w> Operands<'w> {
    fn of(arguments: &'w [Word], options: &str) -> Self {
        let mut found = Self { first: None, plain: true, physical: false };
        let mut operands = arguments.iter().peekable();
        while let Some(word) = operands.peek() {
            match word.literal().as_deref() {
                Some("--") => {
                    operands.next();
                    break;
                }
                Some(text) if text.len() > 1 && text.starts_with('-') => {
                    // `pushd -1` is no option, and nothing that is followed.
                    found.plain &= !options.is_empty() && text.chars().skip(1).all(|letter| options.contains(letter));
                    found.physical |= text.contains('P');
                    operands.next();
                }
                _ => break,
            }
        }
        found.first = operands.next();
        // Words that may be several, or none.
        let splits = |word: &&Word| {
            word.parts.iter().any(|part| matches!(part, Part::Hole { kind, quoted: false, .. } if may_split(kind)))
        };
        found.plain &= operands.next().is_none() && !found.first.as_ref().is_some_and(splits);
        found
    }
}

fn may_split(kind: &HoleKind) -> bool {
    match kind {
        HoleKind::Parameter(name) => !matches!(name.as_str(), "#" | "?" | "$" | "!"),
        HoleKind::Expansion | HoleKind::CommandSubstitution | HoleKind::Glob | HoleKind::Brace => true,
        HoleKind::ProcessSubstitution | HoleKind::Arithmetic | HoleKind::Tilde(_) => false,
    }
}

/// Whether `cd` or `pushd` of these words asks for the directory behind symbolic links.
pub(super) fn is_physical(arguments: &[Word]) -> bool {
    Operands::of(arguments, "LPe").physical
}

/// Whether `exit` with these arguments exits: it does not where there are too many, or for `--help`.
fn exits(arguments: &[Word]) -> bool {
    match arguments {
        [] => true,
        [status] => match status.parts.as_slice() {
            [Part::Hole { kind: HoleKind::Parameter(name), .. }] => name == "?",
            _ => status.literal().is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_digit())),
        },
        _ => false,
    }
}

/// Whether the unit sets a trap that may run before the shell ends.
fn is_trap_at_any_time(words: &[Word]) -> bool {
    let Some((name, arguments)) = program(words) else { return false };
    let at_exit = |word: &Word| word.literal().is_some_and(|text| text.eq_ignore_ascii_case("EXIT") || text == "0");
    name == "trap" && !arguments.iter().skip(1).all(at_exit)
}
