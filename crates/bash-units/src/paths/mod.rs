//! Which paths a command names, and where they lead.
//!
//! `arguments` tells paths from other words, by what `programs` knows of well-known programs and by their looks; `values` knows
//! what variables hold, `directory` where each command runs, and `location` puts them together. The file system is asked
//! through [`PathFacts`] alone.

mod arguments;
mod directories;
mod directory;
mod facts;
mod location;
mod movement;
mod options;
mod patterns;
mod programs;
mod reading;
mod script;
mod text;
mod unseen;
mod values;
mod work;

use std::borrow::Cow;
use std::collections::HashSet;
use std::rc::Rc;

pub use facts::{LexicalPaths, PathFacts, PathFactsError, ResolvedPath};
pub use location::{Location, Outside};
pub use text::{PathPiece, PathText, Unknown};

use arguments::{Arguments, Candidate};
use directories::Directories;
use directory::Directions;
use location::Parents;
use values::Values;
use work::Work;

use crate::{BashProgram, Part, Redirect, RedirectKind, ScopeId, Span, UnitId, Word};

/// Where a command is about to run.
#[derive(Clone)]
pub struct Place<'p> {
    cwd: &'p str,
    home: Option<&'p str>,
    facts: &'p dyn PathFacts,
    /// The working directory without links.
    root: String,
    /// Where the program starts: the working directory, or where the command that runs it does.
    start: Directories,
    /// Whether the file system knows the working directory at all.
    informed: bool,
    /// Whether nothing in the command changes what patterns match.
    plain_patterns: bool,
    /// What is left of the work that paths may cost; shared with the places of what the command runs.
    work: Rc<Work>,
}

/// A word, or a part of one, that may name a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PathToken {
    /// Where it was written.
    pub span: Span,
    /// The unit it belongs to; none for a redirection of a compound command.
    pub unit: Option<UnitId>,
    /// What it is to the command.
    pub role: PathRole,
    /// The path after quote removal, with home directories, variables of known value, and nothing else expanded.
    pub text: PathText,
    /// Where it leads, from each directory in which the command may run; at least one.
    pub locations: Vec<Location>,
}

/// What a path is to a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::EnumIter)]
pub enum PathRole {
    /// The program itself, given by a path.
    Program,
    /// An argument of a program that takes files there.
    Operand,
    /// An argument that looks like a path.
    Argument,
    /// The value of an option, or a part of it.
    OptionValue,
    /// An argument that may be a file name as well as any other text.
    Bare,
    /// A file that a redirection reads.
    Read,
    /// A file that a redirection writes, or may.
    Write,
    /// The target of a redirection that is a descriptor or a file, by its value.
    DescriptorOrFile,
}

impl<'p> Place<'p> {
    /// The directory `cwd`, an absolute path, in the home directory's owner's session, on the file system of `facts`.
    #[must_use]
    pub fn new(cwd: &'p str, home: Option<&'p str>, facts: &'p dyn PathFacts) -> Self {
        let resolved = facts.resolve(cwd).ok().filter(|_| cwd.starts_with('/'));
        let start = if cwd.starts_with('/') { Directories::start(cwd) } else { Directories::unknown() };
        let informed = resolved.as_ref().is_some_and(|resolved| resolved.exists == Some(true));
        let root = resolved.map_or_else(|| facts::normalize(cwd), |resolved| resolved.path);
        Self { cwd, home, facts, root, start, informed, plain_patterns: true, work: Rc::new(Work::new()) }
    }

    fn cwd(&self) -> &str {
        self.cwd
    }

    fn home(&self) -> Option<&str> {
        self.home
    }

    fn facts(&self) -> &dyn PathFacts {
        self.facts
    }

    fn root(&self) -> &str {
        &self.root
    }

    /// Whether what the file system holds tells what patterns match: it knows the working directory, and nothing in the
    /// command changes what patterns mean.
    fn knows_patterns(&self) -> bool {
        self.informed && self.plain_patterns
    }

    /// Whether a shell may change to the directory `path`, as far as is known.
    fn may_enter(&self, path: &str) -> bool {
        !self.informed
            || self.facts.is_directory(path) != Some(false)
                && self.resolve(path).is_ok_and(|resolved| resolved.exists != Some(false))
    }

    /// Where the absolute `path` leads.
    fn resolve(&self, path: &str) -> Result<ResolvedPath, PathFactsError> {
        self.work.resolve(path, self.facts)
    }
}

/// The paths that a program names when it runs at a place.
pub struct Paths<'p, 'f> {
    program: &'p BashProgram,
    place: Place<'f>,
    values: Values<'p>,
    directions: Directions,
}

impl BashProgram {
    /// Follows the directories and variables of this program as far as its text tells them.
    ///
    /// ```
    /// use innercmd_bash_units::{BashProgram, LexicalPaths, Limits, Outside, Place};
    ///
    /// let program = BashProgram::parse("cd src && cat ../README.md ../../other", &Limits::default());
    /// let paths = program.paths(&Place::new("/work/project", Some("/home/user"), &LexicalPaths));
    /// let outside: Vec<_> = paths.external().iter().map(|token| token.text.text().unwrap().to_owned()).collect();
    /// assert_eq!(outside, ["../../other"]);
    /// ```
    #[must_use]
    pub fn paths<'p, 'f: 'p>(&'p self, place: &Place<'f>) -> Paths<'p, 'f> {
        let values = Values::of(self, place.home);
        let directions = Directions::of(self, &values, place);
        let plain = !patterns::SETTINGS.iter().any(|setting| self.source().contains(setting));
        let place = Place { plain_patterns: place.plain_patterns && plain, ..place.clone() };
        Paths { program: self, place, values, directions }
    }

    /// Each path that the commands and redirections of this program name, and each word that may be one, in source order.
    #[must_use]
    pub fn path_tokens(&self, place: &Place<'_>) -> Vec<PathToken> {
        self.paths(place).tokens()
    }

    /// The paths that lead, or may lead, out of the working directory.
    #[must_use]
    pub fn external_paths(&self, cwd: &str, facts: &dyn PathFacts) -> Vec<PathToken> {
        self.paths(&Place::new(cwd, None, facts)).external()
    }
}

impl<'f> Paths<'_, 'f> {
    /// Each path that the commands and redirections of the program name, and each word that may be one, in source order.
    #[must_use]
    pub fn tokens(&self) -> Vec<PathToken> {
        let mut tokens = self.redirections();
        tokens.extend(self.arrivals());
        for (id, unit) in self.program.units() {
            tokens.extend(self.tokens_of(&unit.words, id));
        }
        tokens.sort_by_key(|token| token.span);
        tokens
    }

    /// Those that redirections name, in source order.
    #[must_use]
    pub fn redirections(&self) -> Vec<PathToken> {
        let mut tokens = vec![];
        for (id, unit) in self.program.units().filter(|(_, unit)| !unit.redirects.is_empty()) {
            let directories = self.directions.unit(id.0);
            unit.redirects.iter().for_each(|redirect| tokens.extend(self.redirected(redirect, Some(id), &directories)));
        }
        for redirect in directory::loose_redirects(self.program) {
            tokens.extend(self.redirected(redirect, None, &self.directions.redirect(redirect)));
        }
        tokens.sort_by_key(|token| token.span);
        tokens
    }

    /// Those of the directories that commands change to without naming them, such as home and the one before, in source order.
    ///
    /// With them each way into a directory is a path: what then runs there needs no name of it.
    pub fn arrivals(&self) -> impl Iterator<Item = PathToken> + use<'_, 'f> {
        self.directions.arrivals().iter().filter_map(|(id, directories)| {
            let unit = self.program.commands().get(id.0)?;
            let text = PathText::known(".");
            let locations = location::locate(&text, directories, Parents::Physical, &self.place);
            Some(PathToken { span: unit.span, unit: Some(*id), role: PathRole::Operand, text, locations })
        })
    }

    /// Those of a command of `words` that the unit `unit` runs, such as the command that a wrapper runs.
    pub fn tokens_of(&self, words: &[Word], unit: UnitId) -> impl Iterator<Item = PathToken> + use<'_, 'f> {
        let scope = self.program.commands().get(unit.0).map_or(ScopeId(0), |unit| unit.scope);
        let found = arguments::arguments(words, scope, &self.values);
        located(found, Some(unit), &self.directions.unit(unit.0), &self.place)
    }

    /// Whether there were more paths than are looked at, so that some of those found say less than they could.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.place.work.is_exhausted()
    }

    /// Those that lead, or may lead, out of the working directory.
    #[must_use]
    pub fn external(&self) -> Vec<PathToken> {
        let leads_out = |token: &PathToken| token.role != PathRole::Bare && token.outside() != Outside::No;
        self.tokens().into_iter().filter(leads_out).collect()
    }

    /// The place of a program that the unit `unit` starts.
    #[must_use]
    pub fn place_of(&self, unit: UnitId) -> Place<'f> {
        let home = self.place.home.filter(|_| self.values.home().is_some());
        Place { start: self.directions.unit(unit.0), home, ..self.place.clone() }
    }

    /// The `words`, in `scope`, with the values of variables in their place, where they are known on all ways to there.
    #[must_use]
    pub fn folded<'w>(&self, words: &'w [Word], scope: ScopeId) -> Cow<'w, [Word]> {
        self.values.all_folded(words, scope)
    }

    /// What `word`, in `scope`, may be after expansion: one text for each combination of values.
    #[must_use]
    pub fn spellings(&self, word: &Word, scope: ScopeId) -> Vec<PathText> {
        self.values.spellings(word, scope)
    }

    /// The working directory that the program was given, by its text.
    #[must_use]
    pub fn cwd(&self) -> String {
        facts::normalize(self.place.cwd)
    }

    /// The home directory, where the program does not change it.
    #[must_use]
    pub fn home(&self) -> Option<&'f str> {
        self.place.home.filter(|_| self.values.home().is_some())
    }

    /// The absolute `path` without symbolic links, where they can be followed.
    #[must_use]
    pub fn resolved(&self, path: &str) -> Option<String> {
        self.place.facts.resolve(path).ok().map(|resolved| resolved.path)
    }

    /// `path`, which has no symbolic links, seen from the working directory, where it is below it.
    #[must_use]
    pub fn within_root<'t>(&self, path: &'t str) -> Option<&'t str> {
        path.strip_prefix(self.place.root.trim_end_matches('/'))?.strip_prefix('/')
    }

    fn redirected(&self, redirect: &Redirect, unit: Option<UnitId>, directories: &Directories) -> Vec<PathToken> {
        let role = match redirect.kind {
            RedirectKind::Input => PathRole::Read,
            RedirectKind::Output
            | RedirectKind::Append
            | RedirectKind::Clobber
            | RedirectKind::ReadWrite
            | RedirectKind::OutputAndError
            | RedirectKind::AppendAndError => PathRole::Write,
            RedirectKind::DuplicateOutput if redirect.target.literal().is_none() => PathRole::DescriptorOrFile,
            RedirectKind::DuplicateInput
            | RedirectKind::DuplicateOutput
            | RedirectKind::HereDocument
            | RedirectKind::HereDocumentTabs
            | RedirectKind::HereString => return vec![],
        };
        if matches!(redirect.target.parts.as_slice(), [Part::Hole { kind: crate::HoleKind::ProcessSubstitution, .. }]) {
            return vec![];
        }
        let candidate = |text| Candidate { span: redirect.target.span, role, text };
        let candidates = self.values.spellings(&redirect.target, redirect.scope).into_iter().map(candidate).collect();
        located(Arguments { candidates, ..Arguments::default() }, unit, directories, &self.place).collect()
    }
}

impl PathToken {
    /// Whether it leads out of the working directory, from any of the directories in which the command may run.
    #[must_use]
    pub fn outside(&self) -> Outside {
        self.locations.iter().map(|location| location.outside).max().unwrap_or(Outside::Maybe)
    }
}

/// Looks up where each of what was found leads, one by one: a command may have as many words as a text has room for.
fn located<'l, 'f>(
    found: Arguments,
    unit: Option<UnitId>,
    directories: &Directories,
    place: &'l Place<'f>,
) -> impl Iterator<Item = PathToken> + use<'l, 'f> {
    let mut all = directories.clone();
    for directory in &found.works_in {
        match directory.text() {
            Some(known) => all.join(&directories.folded(known)),
            None => all.join(&Directories::unknown()),
        }
    }
    let parents = found.parents;
    found.candidates.into_iter().map(move |Candidate { span, role, text }| {
        let locations = location::locate(&text, &all, parents, place);
        PathToken { span, unit, role, text, locations }
    })
}

/// The units of `[` and `test` that execute nothing, because all their words are known, and none has an operator that would.
pub(crate) fn known_tests(program: &BashProgram, units: Vec<UnitId>) -> HashSet<UnitId> {
    let values = Values::of(program, None);
    let is_known = |id: &UnitId| {
        let Some(unit) = program.commands().get(id.0) else { return false };
        let words = values.all_folded(&unit.words, unit.scope);
        let Some((name, operands)) = words.split_first() else { return false };
        let inert =
            |word: &Word| word.literal().is_some_and(|text| !EXECUTING.contains(&text.as_ref()) && !text.contains('['));
        matches!(name.literal().as_deref(), Some("[" | "test")) && operands.iter().all(inert)
    };
    units.into_iter().filter(is_known).collect()
}

/// Operators of `test` whose operands bash may evaluate (bash manual 6.4).
const EXECUTING: [&str; 8] = ["-v", "-R", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"];
