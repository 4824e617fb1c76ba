//! The way from a program to a judgement.

use std::collections::VecDeque;

use innercmd_bash_units::{
    BashCommand, BashProgram, GapCode, LexicalPaths, Limits, PathFacts, Paths, Place, Span, UnitId, Word,
};
use innercmd_wrapper::{DEPTH_LIMIT, Found, Layer, layers, recognize};

use crate::{
    Answer, Cause, Effect, Finding, Judgement, MatchedRule, Policy, PolicyCode, UnitJudgement,
    handover::handover,
    judgement::Looked,
    policy::Compiled,
    rule::CompiledRule,
    ruleset::Which,
    spelling::{Known, spellings, typed},
    subject::{Fit, Subject},
    variables,
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
            let mut judge =
                Judge { policy: self, compiled, notes: vec![], looked: Looked::default(), scripts: VecDeque::new() };
            let place = Place::new(around.cwd, around.home, around.facts);
            judge.whole(program, &place);
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
struct Script<'s> {
    text: String,
    place: Place<'s>,
    /// The unit of the command given, and where it stands.
    label: (UnitId, Span),
    depth: usize,
}

/// What is being looked at: the command given, or a text in it.
pub(crate) struct View<'v, 's> {
    pub(crate) program: &'v BashProgram,
    pub(crate) paths: Paths<'v, 's>,
    pub(crate) known: Known<'v>,
    /// For a text in the command: the unit of the command that it is part of.
    label: Option<(UnitId, Span)>,
    depth: usize,
}

pub(crate) struct Judge<'j, 's> {
    policy: &'j Policy,
    pub(crate) compiled: &'j Compiled,
    notes: Vec<Note>,
    pub(crate) looked: Looked,
    scripts: VecDeque<Script<'s>>,
}

impl<'s> Judge<'_, 's> {
    fn whole(&mut self, program: &BashProgram, place: &Place<'s>) {
        let view = View::new(program, place, None, 0);
        self.view(&view);
        let everything = Span::new(0, program.source().len());
        if program.commands().is_empty() {
            self.text_without_units(&view, everything);
        }
        if self.policy.is_clamped() {
            self.note(&view, PolicyCode::InvalidScope, Effect::Ask, everything, None, None);
        }
    }

    /// Reads the texts that wrappers hand to shells, and those in them.
    fn scripts(&mut self) {
        let mut read = 0;
        while let Some(Script { text, place, label, depth }) = self.scripts.pop_front() {
            read += 1;
            let program = BashProgram::parse(&text, &Limits::default());
            let view = View::new(&program, &place, Some(label), depth);
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
        for gap in view.program.gaps() {
            self.note(view, gap.code, Effect::Ask, gap.span, gap.unit, None);
        }
        if view.program.gaps().iter().any(|gap| is_limit(gap.code)) {
            self.unread_text(view);
        }
    }

    fn unit(&mut self, view: &View<'_, 's>, id: UnitId, unit: &BashCommand) {
        let about = About { span: unit.span, unit: Some(id), code: PolicyCode::BashRule };
        let names = spellings(&unit.words, view.known);
        self.as_typed(view, about, unit, &names);
        self.as_read(view, about, &names);
        self.wrapped(view, id, unit);
        if let Some(manual) = handover(&unit.words) {
            self.note(view, PolicyCode::ArgumentExecutes, Effect::Ask, unit.span, Some(id), Some(manual.to_owned()));
        }
        for (span, manual) in variables::set_by(&unit.words) {
            self.note(view, PolicyCode::CodeLoadingVariable, Effect::Ask, span, Some(id), Some(manual.to_owned()));
        }
    }

    /// The spelling the host judges: the text as it is typed, by all rules.
    fn as_typed(&mut self, view: &View<'_, 's>, about: About, unit: &BashCommand, names: &[Subject]) {
        if view.label.is_some() {
            if let Some(rule) = self.compiled.bash.last(&unit.text, Which::Naming) {
                self.note_rule(view, about, rule, rule.effect());
            }
            return;
        }
        let Some(rule) = self.compiled.bash.last(&unit.text, Which::All) else {
            let answer = self.policy.default_answer();
            let finding = about.finding(PolicyCode::BashDefault, answer.effect, None);
            self.notes.push(Note { finding: Finding { rule: answer.rule, ..finding }, naming: false });
            return;
        };
        // INVARIANT: an allow rule that matches what is typed allows only where it also covers every value of what is not
        // known.
        let covers = || {
            let typed = typed(&unit.text, &unit.words, view.known);
            typed.iter().chain(names).any(|subject| rule.pattern.fit(subject) == Fit::Definite)
        };
        let has_holes = names.iter().any(|name| name.known().is_none());
        if rule.effect() == Effect::Allow && has_holes && !covers() {
            let about = About { code: PolicyCode::DynamicWord, ..about };
            self.note_rule(view, about, rule, Effect::Ask);
        } else {
            self.note_rule(view, about, rule, rule.effect());
        }
    }

    /// The spellings bash reads, by the rules that name something and do not allow.
    fn as_read(&mut self, view: &View<'_, 's>, about: About, names: &[Subject]) {
        for name in names {
            let reach = self.compiled.bash.reach(name, Which::Naming);
            if let Some(rule) = reach.definite.filter(|rule| rule.effect() > Effect::Allow) {
                self.note_rule(view, about, rule, rule.effect());
            }
            if let Some(rule) = reach.possible {
                self.note_rule(view, About { code: PolicyCode::DynamicWord, ..about }, rule, Effect::Ask);
            }
        }
    }

    /// What the unit runs, where it is a wrapper.
    fn wrapped(&mut self, view: &View<'_, 's>, id: UnitId, unit: &BashCommand) {
        let Some(wrapper) = recognize(&unit.words) else { return };
        let about = About { span: unit.span, unit: Some(id), code: PolicyCode::Wrapper };
        // The text of a trap is read where it stands, and its commands are units like any other.
        let read_already =
            wrapper.name == "trap" && wrapper.layers.iter().all(|layer| matches!(layer, Layer::Script(_)));
        if !read_already {
            let finding = about.finding(PolicyCode::Wrapper, Effect::Ask, Some(wrapper.name.to_owned()));
            self.push(view, Note { finding, naming: false });
        }
        for name in &wrapper.variables {
            if let Some(manual) = variables::loads_code(name, None) {
                self.note(
                    view,
                    PolicyCode::CodeLoadingVariable,
                    Effect::Ask,
                    unit.span,
                    Some(id),
                    Some(manual.to_owned()),
                );
            }
        }
        let about = About { code: PolicyCode::WrappedCommand, ..about };
        for found in layers(&unit.words, DEPTH_LIMIT) {
            match found {
                Found::Layer { layer: Layer::Command(words), .. } => self.wrapped_words(view, about, id, &words),
                Found::Layer { layer: Layer::Script(text), depth, .. } => self.scripts.push_back(Script {
                    text,
                    place: view.paths.place_of(id),
                    label: view.label.unwrap_or((id, unit.span)),
                    depth: view.depth.saturating_add(depth),
                }),
                Found::Layer { layer: Layer::Opaque, .. } => {}
                Found::TooDeep => {
                    self.note(view, PolicyCode::WrappersTooDeep, Effect::Ask, unit.span, Some(id), None);
                }
            }
        }
    }

    fn wrapped_words(&mut self, view: &View<'_, 's>, about: About, id: UnitId, words: &[Word]) {
        if let Some(rule) = self.compiled.bash.last(&text_of(words, view.program.source()), Which::Naming) {
            self.note_rule(view, about, rule, rule.effect());
        }
        self.as_read(view, about, &spellings(words, view.known));
        for token in view.paths.tokens_of(words, id) {
            self.path(view, &token);
        }
    }

    fn assignments(&mut self, view: &View<'_, 's>) {
        for (id, unit) in view.program.units() {
            for assignment in &unit.assignments {
                self.look_at_assignment(view);
                let manual = variables::assigned_for(unit, assignment);
                self.note_variable(view, assignment.span, Some(id), manual);
            }
        }
        let of_units = view.program.commands().iter().map(|unit| unit.assignments.len()).sum();
        for assignment in view.program.assignments().skip(of_units) {
            self.look_at_assignment(view);
            self.note_variable(view, assignment.span, None, variables::assignment_loads_code(assignment));
            // The host matches a line that only assigns as a command of that text.
            let text = assignment.span.of(view.program.source());
            if let Some(rule) = self.compiled.bash.last(text, Which::Naming) {
                let about = About { span: assignment.span, unit: None, code: PolicyCode::AssignmentRule };
                self.note_rule(view, about, rule, rule.effect());
            }
        }
    }

    fn look_at_assignment(&mut self, view: &View<'_, 's>) {
        self.looked.assignments += usize::from(view.label.is_none());
    }

    fn note_variable(&mut self, view: &View<'_, 's>, span: Span, unit: Option<UnitId>, manual: Option<&'static str>) {
        if let Some(manual) = manual {
            self.note(view, PolicyCode::CodeLoadingVariable, Effect::Ask, span, unit, Some(manual.to_owned()));
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

    fn note_rule(&mut self, view: &View<'_, 's>, about: About, rule: &CompiledRule, effect: Effect) {
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
    fn push(&mut self, view: &View<'_, 's>, mut note: Note) {
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
        for (judged, unit) in units.iter_mut().zip(program.commands()) {
            judged.inner = inner_text(&unit.words, program.source());
            judged.wrapper_only &= judged.effect == Effect::Ask && judged.inner.is_some();
        }
        let findings = self.notes.into_iter().map(|note| note.finding).collect();
        Judgement::new(program.complete().ok(), units, findings, self.looked)
    }
}

/// How many of the latest notes are looked through for the same one.
const RECENT: usize = 32;

impl<'v, 's> View<'v, 's> {
    fn new(program: &'v BashProgram, place: &Place<'s>, label: Option<(UnitId, Span)>, depth: usize) -> Self
    where
        's: 'v,
    {
        let paths = program.paths(place);
        let known = Known { source: program.source(), home: paths.home() };
        Self { program, paths, known, label, depth }
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

/// The words as they are typed, with one blank between them.
fn text_of(words: &[Word], source: &str) -> String {
    let mut spans: Vec<Span> = words.iter().map(|word| word.span).collect();
    spans.dedup();
    spans.into_iter().map(|span| span.of(source)).collect::<Vec<_>>().join(" ")
}

/// What a wrapper of these words runs first, as text.
fn inner_text(words: &[Word], source: &str) -> Option<String> {
    let wrapper = recognize(words)?;
    wrapper.layers.into_iter().find_map(|layer| match layer {
        Layer::Command(words) => Some(text_of(&words, source)),
        Layer::Script(text) => Some(text),
        Layer::Opaque => None,
    })
}
