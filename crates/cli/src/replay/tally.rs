//! What is counted while past commands are judged.

use innercmd_authorizer::{GateVerdict, Gated, ReasonCode};
use innercmd_bash_units::BashProgram;
use innercmd_policy::{Cause, Effect, Finding, MatchedRule, PolicyCode};

use super::counts::{Counts, Weight};
use crate::wire;

/// The longest text that is kept, in bytes; a longer one is cut for show and never suggested.
const LONGEST_KEPT: usize = 1_000;
/// How many different units a command may ask about for a set of rules to be looked for.
const MOST_WANTED: usize = 6;
/// How many commands are kept of those that the same units hold back.
const MOST_SAMPLES: usize = 4;
/// How many entries the tables have at most.
const MOST_PROGRAMS: usize = 10_000;
const MOST_CAUSES: usize = 5_000;
const MOST_WANTS: usize = 50_000;
const MOST_CHANGES: usize = 20_000;

/// How many of something were allowed, asked about and denied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Decisions {
    pub(crate) allow: u64,
    pub(crate) ask: u64,
    pub(crate) deny: u64,
}

/// Why commands are held back: a code, and the rule where there is one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CauseKey {
    pub(crate) code: &'static str,
    pub(crate) rule: Option<RuleKey>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RuleKey {
    pub(crate) surface: String,
    pub(crate) pattern: String,
    pub(crate) effect: Effect,
    pub(crate) file: std::sync::Arc<str>,
    pub(crate) line: usize,
    pub(crate) origin: &'static str,
}

/// The commands that a cause has a part in.
#[derive(Clone, Debug)]
pub(crate) struct CauseCount {
    pub(crate) description: &'static str,
    pub(crate) commands: Decisions,
    /// Those in which it is the only cause.
    pub(crate) alone: u64,
    pub(crate) example: Sample,
}

/// A command, and where it ran.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Sample {
    pub(crate) command: String,
    pub(crate) cwd: String,
}

/// Commands that would be allowed, were their units.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub(crate) commands: u64,
    /// Some of them, the shortest first.
    pub(crate) samples: Vec<Sample>,
}

/// A command that another policy decides otherwise: what the one says, what the other says, and the command.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Change {
    pub(crate) from: Effect,
    pub(crate) to: Effect,
    pub(crate) command: String,
}

/// All that is counted.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    pub(crate) lines: u64,
    pub(crate) unreadable: u64,
    /// The file and the number of the first line that could not be read.
    pub(crate) first_unreadable: Option<(usize, u64)>,
    pub(crate) commands: Decisions,
    pub(crate) units: Decisions,
    pub(crate) programs: Counts<String, Decisions>,
    pub(crate) causes: Counts<CauseKey, CauseCount>,
    /// Which units, if a rule allowed them, would let how many commands pass.
    pub(crate) wanted: Counts<Vec<String>, Wanted>,
    /// By what the one policy says, and then what the other says.
    pub(crate) moved: [[u64; 3]; 3],
    pub(crate) changes: Counts<Change, u64>,
}

impl Tally {
    pub(crate) fn new() -> Self {
        Self {
            lines: 0,
            unreadable: 0,
            first_unreadable: None,
            commands: Decisions::default(),
            units: Decisions::default(),
            programs: Counts::new(MOST_PROGRAMS),
            causes: Counts::new(MOST_CAUSES),
            wanted: Counts::new(MOST_WANTS),
            moved: [[0; 3]; 3],
            changes: Counts::new(MOST_CHANGES),
        }
    }

    /// Takes all that `other` has seen.
    pub(crate) fn merge(&mut self, other: Self) {
        self.lines = self.lines.saturating_add(other.lines);
        self.unreadable = self.unreadable.saturating_add(other.unreadable);
        self.first_unreadable = self.first_unreadable.into_iter().chain(other.first_unreadable).min();
        self.commands.merge(other.commands);
        self.units.merge(other.units);
        self.programs.merge(other.programs);
        self.causes.merge(other.causes);
        self.wanted.merge(other.wanted);
        for (mine, others) in self.moved.iter_mut().flatten().zip(other.moved.iter().flatten()) {
            *mine = mine.saturating_add(*others);
        }
        self.changes.merge(other.changes);
    }

    /// Counts a command that was judged.
    pub(crate) fn command(&mut self, program: &BashProgram, gated: &Gated, cwd: &str) {
        let verdict = effect(&gated.verdict);
        self.commands.count(verdict);
        let by_link = wire::is_by_link(gated);
        for (unit, judged) in program.commands().iter().zip(&gated.judgement.units) {
            let effect = if by_link { Effect::Allow } else { judged.effect };
            self.units.count(effect);
            let name = unit.words.first().and_then(|word| word.literal());
            let name = name.map_or_else(|| COMPUTED.to_owned(), |name| kept(base_name(&name)));
            self.programs.add(name, Decisions::of(effect));
        }
        if verdict > Effect::Allow {
            let sample = || Sample { command: kept(program.source()), cwd: cwd.to_owned() };
            self.causes(gated, verdict, &sample);
            if let Some(units) = wanted(program, gated).filter(|_| program.source().len() <= LONGEST_KEPT) {
                self.wanted.add(units, Wanted { commands: 1, samples: vec![sample()] });
            }
        }
    }

    /// Counts what another policy says about a command.
    pub(crate) fn against(&mut self, program: &BashProgram, from: &GateVerdict, to: &GateVerdict) {
        let (from, to) = (effect(from), effect(to));
        if let Some(count) = self.moved.get_mut(place(from)).and_then(|row| row.get_mut(place(to))) {
            *count = count.saturating_add(1);
        }
        if from != to {
            self.changes.add(Change { from, to, command: kept(program.source()) }, 1);
        }
    }

    /// Every cause of the verdict once.
    fn causes(&mut self, gated: &Gated, verdict: Effect, sample: &dyn Fn() -> Sample) {
        let mut causes: Vec<(CauseKey, &'static str)> = vec![];
        let mut add = |key: CauseKey, description| {
            if !causes.iter().any(|(known, _)| *known == key) {
                causes.push((key, description));
            }
        };
        for finding in gated.judgement.findings.iter().filter(|finding| finding.effect == verdict) {
            let rule = finding.rule.as_ref().map(RuleKey::new);
            add(CauseKey { code: finding.cause.code(), rule }, finding.cause.description());
        }
        let of_link = gated.link.iter().flat_map(|link| &link.findings).filter(|finding| finding.effect == verdict);
        for finding in of_link.filter(|_| gated.judgement.findings.iter().all(|finding| finding.effect < verdict)) {
            add(CauseKey { code: finding.code.code(), rule: None }, finding.code.description());
        }
        if causes.is_empty() {
            let code: ReasonCode = wire::code(&gated.verdict);
            causes.push((CauseKey { code: code.code(), rule: None }, code.description()));
        }
        let alone = u64::from(causes.len() == 1);
        for (key, description) in causes {
            let commands = Decisions::of(verdict);
            self.causes.add(key, CauseCount { description, commands, alone, example: sample() });
        }
    }
}

/// What stands for a program that only running tells.
pub(crate) const COMPUTED: &str = "(computed)";

/// The texts of the units that a rule would have to allow, where nothing else holds the command back: no rule names them, and
/// they are all there is to ask about.
fn wanted(program: &BashProgram, gated: &Gated) -> Option<Vec<String>> {
    let GateVerdict::Ask(_) = gated.verdict else { return None };
    if program.complete().is_err() {
        return None;
    }
    let mut texts = vec![];
    let inner = gated.link.as_ref().filter(|link| link.inner.is_some());
    for finding in gated.judgement.findings.iter().filter(|finding| finding.effect > Effect::Allow) {
        let unit = program.commands().get(finding.unit?.0)?;
        match finding.cause {
            Cause::Policy(PolicyCode::BashRule | PolicyCode::BashDefault) if is_catch_all(finding) => {
                // What a wrapper runs is what the link asks about.
                if inner.is_none() && unit.span == finding.span {
                    texts.push(unit.text.clone());
                } else if unit.span != finding.span {
                    return None;
                }
            }
            Cause::Policy(PolicyCode::Wrapper) if inner.is_some() => {}
            Cause::Policy(_) | Cause::Gap(_) => return None,
        }
    }
    for finding in inner.into_iter().flat_map(|link| &link.findings).filter(|finding| finding.effect > Effect::Allow) {
        let pattern = finding.rule.as_ref()?.pattern.as_deref();
        if !pattern.is_none_or(|pattern| pattern.chars().all(|character| character == '*')) {
            return None;
        }
        texts.push(finding.subject.clone());
    }
    texts.sort_unstable();
    texts.dedup();
    let fits = (1..=MOST_WANTED).contains(&texts.len()) && texts.iter().map(String::len).sum::<usize>() <= LONGEST_KEPT;
    fits.then_some(texts)
}

/// Whether the finding rests on a rule that names nothing, or on no rule: what nobody has thought about yet.
fn is_catch_all(finding: &Finding) -> bool {
    let names_nothing = |rule: &MatchedRule| rule.pattern.chars().all(|character| character == '*');
    finding.effect == Effect::Ask && finding.rule.as_ref().is_none_or(names_nothing)
}

fn base_name(program: &str) -> &str {
    program.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or(program)
}

/// The text, or its beginning where it is long.
fn kept(text: &str) -> String {
    if text.len() <= LONGEST_KEPT {
        return text.to_owned();
    }
    let end = (0..=LONGEST_KEPT).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    format!("{}…", text.get(..end).unwrap_or_default())
}

/// The effect of a verdict.
pub(crate) fn effect(verdict: &GateVerdict) -> Effect {
    match verdict {
        GateVerdict::Allow(_) => Effect::Allow,
        GateVerdict::Ask(_) => Effect::Ask,
        GateVerdict::Deny(_) => Effect::Deny,
    }
}

fn place(effect: Effect) -> usize {
    match effect {
        Effect::Allow => 0,
        Effect::Ask => 1,
        Effect::Deny => 2,
    }
}

impl Decisions {
    fn of(effect: Effect) -> Self {
        let mut one = Self::default();
        one.count(effect);
        one
    }

    fn count(&mut self, effect: Effect) {
        let count = match effect {
            Effect::Allow => &mut self.allow,
            Effect::Ask => &mut self.ask,
            Effect::Deny => &mut self.deny,
        };
        *count = count.saturating_add(1);
    }

    pub(crate) fn total(&self) -> u64 {
        self.allow.saturating_add(self.ask).saturating_add(self.deny)
    }
}

impl Weight for Decisions {
    fn weight(&self) -> u64 {
        self.total()
    }

    fn merge(&mut self, other: Self) {
        self.allow = self.allow.saturating_add(other.allow);
        self.ask = self.ask.saturating_add(other.ask);
        self.deny = self.deny.saturating_add(other.deny);
    }
}

impl Weight for CauseCount {
    fn weight(&self) -> u64 {
        self.commands.total()
    }

    fn merge(&mut self, other: Self) {
        self.commands.merge(other.commands);
        self.alone = self.alone.saturating_add(other.alone);
        self.example.merge(other.example);
    }
}

impl Weight for Wanted {
    fn weight(&self) -> u64 {
        self.commands
    }

    fn merge(&mut self, other: Self) {
        self.commands = self.commands.saturating_add(other.commands);
        self.samples.extend(other.samples);
        self.samples.sort_by(Sample::order);
        self.samples.dedup();
        self.samples.truncate(MOST_SAMPLES);
    }
}

impl Sample {
    /// The shorter one, so that it does not depend on who was first.
    fn merge(&mut self, other: Self) {
        if Self::order(&other, self).is_lt() {
            *self = other;
        }
    }

    fn order(a: &Self, b: &Self) -> std::cmp::Ordering {
        a.command.len().cmp(&b.command.len()).then_with(|| a.cmp(b))
    }
}

impl RuleKey {
    fn new(rule: &MatchedRule) -> Self {
        Self {
            surface: rule.surface.clone(),
            pattern: rule.pattern.clone(),
            effect: rule.effect,
            file: std::sync::Arc::clone(&rule.file),
            line: rule.line,
            origin: rule.origin.name(),
        }
    }
}
