//! The way from a program to a judgement.

use std::{
    borrow::Cow,
    cell::{Cell, LazyCell},
    collections::VecDeque,
    rc::Rc,
};

use innercmd_bash_units::{
    BashCommand, BashProgram, GapCode, LexicalPaths, Limits, Part, PathFacts, Paths, Place, Span, UnitId, Word,
};
use innercmd_wrapper::DEPTH_LIMIT;

use crate::{
    Answer, Cause, Effect, Finding, Judgement, MatchedRule, Policy, PolicyCode, UnitJudgement, judgement::Looked,
    policy::Compiled, rule::CompiledRule, ruleset::Which, spelling::Known,
};

/// What a command is surrounded by when it runs.
#[derive(Clone, Copy)]
pub struct Surroundings<'s> {
    /// The working directory: an absolute path.
    pub cwd: &'s str,
    /// The home directory of the user, where it is known.
    pub home: Option<&'s str>,
    /// What is known of the file system.
    pub facts: &'s dyn PathFacts,
}

/// How many words that wrappers run are looked at for paths as their programs read them.
const MOST_WRAPPED_WORDS: usize = 50_000;

/// How many words are looked at for paths in one command and what it hands to shells; the rest is asked about.
const MOST_PATHS: usize = 20_000;

/// How many texts that wrappers hand to shells are read for one command.
const MOST_SCRIPTS: usize = 256;

impl<'s> Surroundings<'s> {
    /// The working directory `cwd`, and nothing known of homes and files.
    #[must_use]
    pub fn new(cwd: &'s str) -> Self {
        Self { cwd, home: None, facts: &LexicalPaths }
    }
}

impl Policy {
    /// Judges everything that `program` would execute, assign and redirect.
    ///
    /// ```
    /// use innercmd_bash_units::{BashProgram, Limits};
    /// use innercmd_policy::{Decision, Effect, Policy, Surroundings};
    ///
    /// let policy = Policy::from_permission(r#"{ "bash": { "git *": "allow", "git push *": "deny" } }"#).unwrap().policy;
    /// let judge = |command| {
    ///     let program = BashProgram::parse(command, &Limits::default());
    ///     policy.judge(&program, &Surroundings::new("/work/project")).decision()
    /// };
    /// assert!(matches!(judge("git status && git log"), Decision::Allow(_)));
    /// assert_eq!(judge("git status && 'git' push origin").effect(), Effect::Deny);
    /// assert_eq!(judge("git status > /etc/passwd").code(), "policy:external-directory");
    /// ```
    #[must_use]
    pub fn judge(&self, program: &BashProgram, around: &Surroundings<'_>) -> Judgement {
        self.with_compiled(around.home, |compiled| {
            let mut judge = Judge {
                policy: self,
                compiled,
                notes: vec![],
                looked: Looked::default(),
                inner: vec![],
                scripts: VecDeque::new(),
                wrapped_words_left: MOST_WRAPPED_WORDS,
                paths_left: MOST_PATHS,
                paths_seen: vec![],
                home: around.home,
            };
            let Surroundings { cwd, home, facts } = *around;
            judge.whole(&View::new(program, move || Place::new(cwd, home, facts), None, 0));
            judge.scripts();
            judge.judgement(program)
        })
    }
}

/// A finding, and whether it says something about the command in particular.
pub(crate) struct Note {
    pub(crate) finding: Finding,
    /// False for what the catch-all and the default say, and for the floor of a wrapper.
    pub(crate) naming: bool,
}

/// A text that a wrapper hands to a shell.
pub(crate) struct Script<'s> {
    pub(crate) text: String,
    pub(crate) place: Place<'s>,
    /// The unit of the command given, and where it stands.
    pub(crate) label: (UnitId, Span),
    pub(crate) depth: usize,
}

pub(crate) type LazyPaths<'v, 's> = LazyCell<Paths<'v, 's>, Box<dyn FnOnce() -> Paths<'v, 's> + 'v>>;

/// What is being looked at: the command given, or a text in it.
pub(crate) struct View<'v, 's> {
    pub(crate) program: &'v BashProgram,
    /// Made when it is first asked for: many commands name no path that matters.
    pub(crate) paths: LazyPaths<'v, 's>,
    paths_made: Rc<Cell<bool>>,
    pub(crate) known: Known<'v>,
    /// For a text in the command: the unit of the command that it is part of.
    pub(crate) label: Option<(UnitId, Span)>,
    pub(crate) depth: usize,
}

pub(crate) struct Judge<'j, 's> {
    pub(crate) policy: &'j Policy,
    pub(crate) compiled: &'j Compiled,
    notes: Vec<Note>,
    pub(crate) looked: Looked,
    /// What the wrappers among the units of the command given run, as text.
    pub(crate) inner: Vec<(UnitId, String)>,
    pub(crate) scripts: VecDeque<Script<'s>>,
    /// How many more words that wrappers run are looked at as their programs read them.
    pub(crate) wrapped_words_left: usize,
    /// How many more words are looked at for paths.
    pub(crate) paths_left: usize,
    /// Where the words of the command given stand that were judged as paths.
    pub(crate) paths_seen: Vec<Span>,
    /// The home directory of the user, whatever the command makes of it.
    pub(crate) home: Option<&'s str>,
}

impl<'s> Judge<'_, 's> {
    fn whole(&mut self, view: &View<'_, 's>) {
        self.view(view);
        let everything = Span::new(0, view.program.source().len());
        if view.program.commands().is_empty() {
            self.text_without_units(view, everything);
        }
        if self.policy.is_clamped() {
            self.note(view, PolicyCode::InvalidScope, Effect::Ask, everything, None, None);
        }
        self.as_the_host(view);
    }

    /// Reads the texts that wrappers hand to shells, and those in them.
    fn scripts(&mut self) {
        let mut read = 0;
        while let Some(Script { text, place, label, depth }) = self.scripts.pop_front() {
            read += 1;
            let program = BashProgram::parse(&text, &Limits::default());
            let view = View::new(&program, move || place, Some(label), depth);
            if depth > DEPTH_LIMIT || read > MOST_SCRIPTS {
                self.note(&view, PolicyCode::WrappersTooDeep, Effect::Ask, label.1, Some(label.0), None);
                return;
            }
            self.view(&view);
        }
    }

    fn view(&mut self, view: &View<'_, 's>) {
        for (id, unit) in view.program.units() {
            self.unit(view, id, unit);
        }
        self.assignments(view);
        self.redirects(view);
        self.paths(view);
        if view.paths_made.get() && view.paths.is_exhausted() {
            let everything = Span::new(0, view.program.source().len());
            self.note(view, GapCode::TooMuchWork, Effect::Ask, everything, None, None);
        }
        for gap in view.program.gaps() {
            self.note(view, gap.code, Effect::Ask, gap.span, gap.unit, None);
        }
        if view.program.gaps().iter().any(|gap| is_limit(gap.code)) {
            self.unread_text(view);
        }
    }

    /// A text in which bash finds no command is judged as a whole, as the host does.
    fn text_without_units(&mut self, view: &View<'_, 's>, span: Span) {
        let answer = match self.compiled.bash.last(view.program.source(), Which::All) {
            Some(rule) => Answer { effect: rule.effect(), rule: Some(rule.matched()) },
            None => self.policy.default_answer(),
        };
        let finding = About { span, unit: None, code: PolicyCode::BashDefault }.finding(
            PolicyCode::BashDefault,
            answer.effect,
            None,
        );
        self.push(view, Note { finding: Finding { rule: answer.rule, ..finding }, naming: false });
    }

    /// Looks for denied commands in a text that was too long or too deep to be read.
    fn unread_text(&mut self, view: &View<'_, 's>) {
        let source = view.program.source();
        let separator = |c: char| matches!(c, ';' | '&' | '|' | '\n' | '(' | ')' | '{' | '}' | '`');
        let mut rest = source;
        while !rest.is_empty() {
            let start = source.len().saturating_sub(rest.len());
            let end = rest.find(separator).unwrap_or(rest.len());
            let piece = rest.get(..end).unwrap_or_default();
            rest = rest
                .get(end..)
                .and_then(|rest| rest.char_indices().nth(1).and_then(|(at, _)| rest.get(at..)))
                .unwrap_or_default();
            let words = piece.split_whitespace().collect::<Vec<_>>().join(" ");
            let rule = self.compiled.bash.last(&words, Which::Naming).filter(|rule| rule.effect() == Effect::Deny);
            if let Some(rule) = rule.filter(|_| !words.is_empty()) {
                let span = Span::new(start, start.saturating_add(end));
                self.note_rule(view, About { span, unit: None, code: PolicyCode::UnreadText }, rule, Effect::Deny);
                return;
            }
        }
    }

    pub(crate) fn note_rule(&mut self, view: &View<'_, 's>, about: About, rule: &CompiledRule, effect: Effect) {
        // In a text inside the command, an allow says nothing: the wrapper around it asks.
        if view.label.is_some() && effect == Effect::Allow {
            return;
        }
        let finding = Finding { rule: Some(rule.matched()), ..about.finding(about.code, effect, None) };
        self.push(view, Note { finding, naming: !rule.pattern.is_catch_all() });
    }

    pub(crate) fn note_path_rule(
        &mut self,
        view: &View<'_, 's>,
        about: About,
        rule: &CompiledRule,
        effect: Effect,
        path: &str,
    ) {
        let finding = about.finding(about.code, effect, Some(path.to_owned()));
        self.push(view, Note { finding: Finding { rule: Some(rule.matched()), ..finding }, naming: true });
    }

    pub(crate) fn note_default(
        &mut self,
        view: &View<'_, 's>,
        about: About,
        effect: Effect,
        rule: Option<MatchedRule>,
        path: String,
    ) {
        let finding = Finding { rule, ..about.finding(about.code, effect, Some(path)) };
        self.push(view, Note { finding, naming: true });
    }

    pub(crate) fn note(
        &mut self,
        view: &View<'_, 's>,
        cause: impl Into<Cause>,
        effect: Effect,
        span: Span,
        unit: Option<UnitId>,
        detail: Option<String>,
    ) {
        let finding = Finding { cause: cause.into(), effect, span, unit, rule: None, detail };
        self.push(view, Note { finding, naming: true });
    }

    /// Adds a note, once, under the unit of the command given that it belongs to.
    pub(crate) fn push(&mut self, view: &View<'_, 's>, mut note: Note) {
        if let Some((unit, span)) = view.label {
            note.finding.unit = Some(unit);
            note.finding.span = span;
        }
        // The notes of one unit come one after the other.
        let unit = note.finding.unit;
        let recent = self.notes.iter().rev().take_while(|known| known.finding.unit == unit).take(RECENT);
        if !recent.into_iter().any(|known| known.finding == note.finding) {
            self.notes.push(note);
        }
    }

    /// The strictest of what was found so far.
    pub(crate) fn strictest(&self) -> Effect {
        self.notes.iter().map(|note| note.finding.effect).max().unwrap_or(Effect::Allow)
    }

    pub(crate) fn default_answer(&self) -> Answer {
        self.policy.default_answer()
    }

    fn judgement(self, program: &BashProgram) -> Judgement {
        let mut units: Vec<UnitJudgement> = program.units().map(|(unit, _)| UnitJudgement::start(unit)).collect();
        for note in &self.notes {
            if let Some(judged) = note.finding.unit.and_then(|unit| units.get_mut(unit.0)) {
                judged.take(note);
            }
        }
        for (unit, text) in self.inner {
            if let Some(judged) = units.get_mut(unit.0) {
                judged.inner = Some(text);
            }
        }
        for judged in &mut units {
            judged.wrapper_only &= judged.effect == Effect::Ask && judged.inner.is_some();
        }
        let findings = self.notes.into_iter().map(|note| note.finding).collect();
        Judgement::new(program.complete().ok(), units, findings, self.looked)
    }
}

/// How many of the latest notes are looked through for the same one.
const RECENT: usize = 32;

impl<'v, 's> View<'v, 's> {
    fn new(
        program: &'v BashProgram,
        place: impl FnOnce() -> Place<'s> + 'v,
        label: Option<(UnitId, Span)>,
        depth: usize,
    ) -> Self
    where
        's: 'v,
    {
        let source = program.source();
        let paths_made = Rc::new(Cell::new(false));
        let made = Rc::clone(&paths_made);
        let paths: LazyPaths<'v, 's> = LazyCell::new(Box::new(move || {
            made.set(true);
            program.paths(&place())
        }));
        // Whoever does not write the home directory need not know it. A joined line may part the name.
        let names_home = ["~", "HOME", "\\\n"].iter().any(|sign| source.contains(sign));
        let home = if names_home { paths.home() } else { None };
        Self { program, paths, paths_made, known: Known { source, home }, label, depth }
    }

    /// The words of `unit`, with what variables hold on all ways to it written out; all that is written needs no paths to tell.
    pub(crate) fn folded<'w>(&self, unit: &'w BashCommand) -> Cow<'w, [Word]> {
        let written = |word: &Word| word.parts.iter().all(|part| matches!(part, Part::Literal { .. }));
        if unit.words.iter().all(written) {
            return Cow::Borrowed(&unit.words);
        }
        self.paths.folded(&unit.words, unit.scope)
    }

    /// Whether it is the command given itself.
    pub(crate) fn is_whole(&self) -> bool {
        self.label.is_none()
    }
}

/// What a finding is about.
#[derive(Clone, Copy)]
pub(crate) struct About {
    pub(crate) span: Span,
    pub(crate) unit: Option<UnitId>,
    pub(crate) code: PolicyCode,
}

impl About {
    pub(crate) fn finding(self, code: PolicyCode, effect: Effect, detail: Option<String>) -> Finding {
        Finding { cause: code.into(), effect, span: self.span, unit: self.unit, rule: None, detail }
    }
}

impl UnitJudgement {
    fn start(unit: UnitId) -> Self {
        Self { unit, effect: Effect::Allow, rule: None, inner: None, wrapper_only: true }
    }

    fn take(&mut self, note: &Note) {
        let finding = &note.finding;
        if finding.effect > self.effect {
            (self.effect, self.rule) = (finding.effect, finding.rule.clone());
        } else if finding.effect == self.effect && self.rule.is_none() {
            self.rule.clone_from(&finding.rule);
        }
        self.wrapper_only &= finding.effect == Effect::Allow || !note.naming;
    }
}

/// Whether the gap means that a part of the text was not looked at.
fn is_limit(code: GapCode) -> bool {
    matches!(code, GapCode::InputTooLong | GapCode::NestingTooDeep | GapCode::TooManyUnits | GapCode::TooMuchWork)
}
