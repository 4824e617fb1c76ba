//! The judgement of one unit: its spellings, what it runs, and what it sets.

use innercmd_bash_units::{BashCommand, Span, UnitId, Word};
use innercmd_wrapper::{DEPTH_LIMIT, Found, Layer, Wrapped, layers, recognize};

use crate::{
    Effect, Finding, PolicyCode,
    handover::handover,
    judge::{About, Judge, Note, Script, View},
    ruleset::Which,
    spelling::{Spellings, typed},
    subject::Fit,
    variables,
};

impl<'s> Judge<'_, 's> {
    pub(crate) fn unit(&mut self, view: &View<'_, 's>, id: UnitId, unit: &BashCommand) {
        let about = About { span: unit.span, unit: Some(id), code: PolicyCode::BashRule };
        if Spellings::is_as_typed(&unit.text, &unit.words) {
            self.as_typed_and_read(view, about, &unit.text);
        } else {
            let names = Spellings::of(&unit.words, view.known);
            self.as_typed(view, about, unit, &names);
            self.as_read(view, about, &names);
        }
        // What a variable holds on all ways to here is as good as written.
        let words = view.folded(unit);
        self.wrapped(view, id, unit.span, &words);
        if let Some(manual) = handover(&words, |word| view.paths.spellings(word, unit.scope)) {
            self.note(view, PolicyCode::ArgumentExecutes, Effect::Ask, unit.span, Some(id), Some(manual));
        }
        for (span, manual) in variables::set_by(&words) {
            self.note(view, PolicyCode::CodeLoadingVariable, Effect::Ask, span, Some(id), Some(manual.to_owned()));
        }
    }

    /// A command of one spelling, for which one look at the rules does.
    fn as_typed_and_read(&mut self, view: &View<'_, 's>, about: About, text: &str) {
        let last = self.compiled.bash.lasts(text);
        match last.any.filter(|_| view.is_whole()) {
            Some(rule) => self.note_rule(view, about, rule, rule.effect()),
            None if view.is_whole() => self.note_no_rule(view, about),
            None => {}
        }
        // An allow that a catch-all behind it takes back is no reason for anything.
        if let Some(rule) = last.naming.filter(|rule| rule.effect() > Effect::Allow) {
            self.note_rule(view, about, rule, rule.effect());
        }
    }

    fn note_no_rule(&mut self, view: &View<'_, 's>, about: About) {
        let answer = self.policy.default_answer();
        let finding = about.finding(PolicyCode::BashDefault, answer.effect, None);
        self.push(view, Note { finding: Finding { rule: answer.rule, ..finding }, naming: false });
    }

    /// The spelling the host judges: the text as it is typed, by all rules.
    fn as_typed(&mut self, view: &View<'_, 's>, about: About, unit: &BashCommand, names: &Spellings) {
        if view.label.is_some() {
            if let Some(rule) = self.compiled.bash.last(&unit.text, Which::Naming) {
                self.note_rule(view, about, rule, rule.effect());
            }
            return;
        }
        let Some(rule) = self.compiled.bash.last(&unit.text, Which::All) else {
            return self.note_no_rule(view, about);
        };
        // INVARIANT: an allow rule that matches what is typed allows only where it also covers every value of what is not
        // known.
        let covers = || {
            let typed = typed(&unit.text, &unit.words, view.known);
            typed.iter().chain(&names.whole).any(|subject| rule.pattern.fit(subject) == Fit::Definite)
        };
        if rule.effect() == Effect::Allow && names.have_holes() && !covers() {
            let about = About { code: PolicyCode::DynamicWord, ..about };
            self.note_rule(view, about, rule, Effect::Ask);
        } else {
            self.note_rule(view, about, rule, rule.effect());
        }
    }

    /// The spellings bash reads, by the rules that name something and do not allow.
    fn as_read(&mut self, view: &View<'_, 's>, about: About, names: &Spellings) {
        for name in names.all() {
            let reach = if name.begins_unknown() {
                self.compiled.bash.reach_unknown(name)
            } else {
                self.compiled.bash.reach(name, Which::Naming)
            };
            if let Some(rule) = reach.definite.filter(|rule| rule.effect() > Effect::Allow) {
                self.note_rule(view, about, rule, rule.effect());
            }
            if let Some(rule) = reach.possible {
                self.note_rule(view, About { code: PolicyCode::DynamicWord, ..about }, rule, Effect::Ask);
            }
        }
    }

    /// What the unit runs, where it is a wrapper.
    fn wrapped(&mut self, view: &View<'_, 's>, id: UnitId, span: Span, words: &[Word]) {
        let Some(wrapper) = recognize(words) else { return };
        if let Some(text) = inner_text(&wrapper, view.program.source()).filter(|_| view.is_whole()) {
            self.inner.push((id, text));
        }
        let about = About { span, unit: Some(id), code: PolicyCode::Wrapper };
        // The text of a trap is read where it stands, and its commands are units like any other.
        let read_already =
            wrapper.name == "trap" && wrapper.layers.iter().all(|layer| matches!(layer, Layer::Script(_)));
        if !read_already {
            let finding = about.finding(PolicyCode::Wrapper, Effect::Ask, Some(wrapper.name.to_owned()));
            self.push(view, Note { finding, naming: false });
        }
        for name in &wrapper.variables {
            if let Some(manual) = variables::loads_code(name, None) {
                self.note(view, PolicyCode::CodeLoadingVariable, Effect::Ask, span, Some(id), Some(manual.to_owned()));
            }
        }
        let about = About { code: PolicyCode::WrappedCommand, ..about };
        for found in layers(words, DEPTH_LIMIT) {
            match found {
                Found::Layer { layer: Layer::Command(words), .. } => self.wrapped_words(view, about, id, &words),
                Found::Layer { layer: Layer::Script(text), depth, .. } => self.scripts.push_back(Script {
                    text,
                    place: view.paths.place_of(id),
                    label: view.label.unwrap_or((id, span)),
                    depth: view.depth.saturating_add(depth),
                }),
                Found::Layer { layer: Layer::Opaque, .. } => {}
                Found::TooDeep => {
                    self.note(view, PolicyCode::WrappersTooDeep, Effect::Ask, span, Some(id), None);
                }
            }
        }
    }

    fn wrapped_words(&mut self, view: &View<'_, 's>, about: About, id: UnitId, words: &[Word]) {
        if let Some(rule) = self.compiled.bash.last(&text_of(words, view.program.source()), Which::Naming) {
            self.note_rule(view, about, rule, rule.effect());
        }
        self.as_read(view, about, &Spellings::of(words, view.known));
        // The words of each layer are words of the unit as well, and were looked at there; in a long command that has to do.
        let Some(left) = self.wrapped_words_left.checked_sub(words.len()) else { return };
        self.wrapped_words_left = left;
        if self.paths_matter() {
            self.paths_of(view, words, id);
        }
    }

    pub(crate) fn assignments(&mut self, view: &View<'_, 's>) {
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
}

/// The words of a unit without the command that it runs, where it is a wrapper and that command is all that follows.
///
/// What the inner words are is for the inner program to say: `timeout 5 grep /x f` reads no file `/x`.
pub(crate) fn own_words(words: &[Word]) -> &[Word] {
    let Some(wrapper) = recognize(words) else { return words };
    let [Layer::Command(inner)] = wrapper.layers.as_slice() else { return words };
    match words.split_at_checked(words.len().saturating_sub(inner.len())) {
        // A layer that was made up is no part of the words.
        Some((own, rest)) if rest == inner.as_ref() => own,
        Some(_) | None => words,
    }
}

/// The words as they are typed, with one blank between them.
fn text_of(words: &[Word], source: &str) -> String {
    let mut spans: Vec<Span> = words.iter().map(|word| word.span).collect();
    spans.dedup();
    spans.into_iter().map(|span| span.of(source)).collect::<Vec<_>>().join(" ")
}

/// What a wrapper runs first, as text.
fn inner_text(wrapper: &Wrapped<'_>, source: &str) -> Option<String> {
    wrapper.layers.iter().find_map(|layer| match layer {
        Layer::Command(words) => Some(text_of(words, source)),
        Layer::Script(text) => Some(text.clone()),
        Layer::Opaque => None,
    })
}
