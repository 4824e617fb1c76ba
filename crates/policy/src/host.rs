//! What pi-permission-system would hold back: its own reading of the command, by its own gates.
//!
//! INVARIANT: nothing here makes a judgement milder. What is found here counts where it is stricter than all that was found
//! before, so that no command passes that pi-permission-system denies, and none that it asks about but for one kind of ask: a
//! catch-all or default that meets a text which is no command of its own, or no path.

mod path;

use std::borrow::Cow;

use innercmd_bash_units::{GapCode, HostCommand, HostCommandKind, HostReading, HostToken, Span, UnitId};
use innercmd_wrapper::recognize;

use crate::{
    Effect, Finding, MatchedRule, PolicyCode,
    judge::{Judge, Note, View},
    rule::CompiledRule,
    ruleset::{Ruleset, Which},
};
use path::HostPath;

/// What the catch-all and the default have to say about a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CatchAll {
    /// All of it: it is a command, or a path.
    Counts,
    /// Its denies alone: the text is neither.
    DeniesOnly,
}

/// What a rule, or the default, says about a text.
struct Said {
    effect: Effect,
    rule: Option<MatchedRule>,
    names: bool,
}

impl<'s> Judge<'_, 's> {
    /// Looks at the command given as pi-permission-system does.
    pub(crate) fn as_the_host(&mut self, view: &View<'_, 's>) {
        let so_far = self.strictest();
        let unread = view.program.gaps().iter().any(|gap| gap.code == GapCode::InputTooLong);
        if so_far == Effect::Deny || unread || (so_far == Effect::Ask && !self.can_deny()) {
            return;
        }
        let everything = Span::new(0, view.program.source().len());
        let reading = if self.paths_matter() {
            view.program.host_reading()
        } else {
            view.program.host_commands().map(|commands| HostReading { commands, tokens: vec![] })
        };
        let Some(reading) = reading else {
            self.note_stricter(view, everything, None, GapCode::TooMuchWork.into(), Effect::Ask, None, None);
            return;
        };
        self.host_commands(view, &reading.commands);
        let seen = Seen::new(std::mem::take(&mut self.paths_seen));
        for token in &reading.tokens {
            self.host_token(view, token, &seen);
        }
    }

    fn can_deny(&self) -> bool {
        let compiled = self.compiled;
        let rules = [&compiled.bash, &compiled.path, &compiled.external_directory];
        rules.into_iter().any(Ruleset::can_deny) || self.default_answer().effect == Effect::Deny
    }

    fn host_commands(&mut self, view: &View<'_, 's>, commands: &[HostCommand]) {
        let source = view.program.source();
        if commands.is_empty() && !is_trivial(source) {
            let everything = Span::new(0, source.len());
            self.note_stricter(view, everything, None, PolicyCode::NoCommand.into(), Effect::Ask, None, None);
        }
        let units = view.program.commands();
        for command in commands {
            // INVARIANT: units are in source order.
            let place = units.partition_point(|unit| unit.span.start <= command.span.start).checked_sub(1);
            let same_start =
                |place: &usize| units.get(*place).is_some_and(|unit| unit.span.start == command.span.start);
            self.host_command(view, *command, place.filter(same_start).map(UnitId));
        }
    }

    fn host_command(&mut self, view: &View<'_, 's>, command: HostCommand, unit: Option<UnitId>) {
        let words = unit.and_then(|id| view.program.commands().get(id.0));
        let text = matched_text(command.span.of(view.program.source()));
        let wrapper = command.kind == HostCommandKind::Wrapper;
        let known = words.is_some_and(|unit| unit.text == text && (!wrapper || recognize(&unit.words).is_some()));
        if known {
            return;
        }
        // A simple command that is none of the units, or not by its text, is one that bash reads otherwise.
        let catch_all = if wrapper { CatchAll::Counts } else { CatchAll::DeniesOnly };
        let said = self.said(self.compiled.bash.last(&text, Which::All));
        let detail = Some(text.into_owned());
        if let Some(effect) = said.held_back(catch_all) {
            self.note_stricter(view, command.span, unit, PolicyCode::HostText.into(), effect, said.rule, detail);
        } else if wrapper {
            self.note_stricter(view, command.span, unit, PolicyCode::Wrapper.into(), Effect::Ask, None, detail);
        }
    }

    fn host_token(&mut self, view: &View<'_, 's>, token: &HostToken, seen: &Seen) {
        let cwd = view.paths.cwd();
        let path = HostPath { token, cwd: &cwd, home: self.home, paths: &view.paths };
        let catch_all =
            if seen.holds(token.span) && !path.is_device() { CatchAll::Counts } else { CatchAll::DeniesOnly };
        if let Some(names) = path.for_rules(|text| self.compiled.path.holds_back(text))
            && let Some(rule) = self.compiled.path.last_of(names.iter().map(String::as_str), Which::All)
        {
            let said = self.said(Some(rule));
            self.note_host_path(view, token, PolicyCode::HostPath, &said, catch_all);
        }
        if let Some(names) = path.outside() {
            let rule = self.compiled.external_directory.last_of(names.iter().map(String::as_str), Which::All);
            let said = self.said(rule);
            self.note_host_path(view, token, PolicyCode::ExternalDirectory, &said, catch_all);
        }
    }

    fn note_host_path(
        &mut self,
        view: &View<'_, 's>,
        token: &HostToken,
        code: PolicyCode,
        said: &Said,
        catch_all: CatchAll,
    ) {
        if let Some(effect) = said.held_back(catch_all) {
            let (rule, detail) = (said.rule.clone(), Some(token.text.clone()));
            self.note_stricter(view, token.span, None, code.into(), effect, rule, detail);
        }
    }

    fn said(&self, rule: Option<&CompiledRule>) -> Said {
        match rule {
            Some(rule) => {
                Said { effect: rule.effect(), rule: Some(rule.matched()), names: !rule.pattern.is_catch_all() }
            }
            None => {
                let answer = self.default_answer();
                Said { effect: answer.effect, rule: answer.rule, names: false }
            }
        }
    }

    /// Adds a finding where it is stricter than all others.
    #[expect(clippy::too_many_arguments, reason = "these are the parts of a finding")]
    fn note_stricter(
        &mut self,
        view: &View<'_, 's>,
        span: Span,
        unit: Option<UnitId>,
        cause: crate::Cause,
        effect: Effect,
        rule: Option<MatchedRule>,
        detail: Option<String>,
    ) {
        if effect > self.strictest() {
            let finding = Finding { cause, effect, span, unit, rule, detail };
            self.push(view, Note { finding, naming: true });
        }
    }
}

impl Said {
    /// How much the text is held back, if it is.
    fn held_back(&self, catch_all: CatchAll) -> Option<Effect> {
        match (self.effect, catch_all) {
            (Effect::Deny, _) => Some(Effect::Deny),
            (Effect::Ask, CatchAll::Counts) => Some(Effect::Ask),
            (Effect::Ask, CatchAll::DeniesOnly) if self.names => Some(Effect::Ask),
            (Effect::Ask | Effect::Allow, _) => None,
        }
    }
}

/// The places of the words that were judged as paths.
struct Seen {
    /// Where they start, in order.
    starts: Vec<usize>,
    /// The last end of those up to each of them.
    ends: Vec<usize>,
}

impl Seen {
    fn new(mut spans: Vec<Span>) -> Self {
        spans.sort_unstable();
        let mut last = 0;
        let mut so_far = |end: usize| {
            last = last.max(end);
            last
        };
        let ends = spans.iter().map(|span| so_far(span.end)).collect();
        Self { starts: spans.iter().map(|span| span.start).collect(), ends }
    }

    /// Whether one of them has a byte in common with `span`.
    fn holds(&self, span: Span) -> bool {
        let before = self.starts.partition_point(|start| *start < span.end);
        before.checked_sub(1).and_then(|last| self.ends.get(last)).is_some_and(|end| *end > span.start)
    }
}

/// The text that the host matches: without lines that begin with `#`, wherever they stand, and without blanks around it; as
/// it is where that leaves nothing.
fn matched_text(text: &str) -> Cow<'_, str> {
    let is_comment = |line: &str| line.trim_start_matches(is_js_space).starts_with('#');
    if !text.contains('#') {
        let trimmed = text.trim_matches(is_js_space);
        return Cow::Borrowed(if trimmed.is_empty() { text } else { trimmed });
    }
    let kept: Vec<&str> = text.split('\n').filter(|line| !is_comment(line)).collect();
    let kept = kept.join("\n");
    let trimmed = kept.trim_matches(is_js_space);
    if trimmed.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(trimmed.to_owned()) }
}

/// Whether there is nothing in the text for the host to judge: it is blank, or holds comments alone.
fn is_trivial(source: &str) -> bool {
    source.split('\n').map(|line| line.trim_matches(is_js_space)).all(|line| line.is_empty() || line.starts_with('#'))
}

/// What JavaScript trims (ECMA-262, `String.prototype.trim`).
fn is_js_space(c: char) -> bool {
    (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}'
}
