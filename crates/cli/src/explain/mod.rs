//! The long answer for people: the command with everything in it underlined.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Level, Renderer, Snippet};
use innercmd_authorizer::{GateVerdict, Gated};
use innercmd_bash_units::{BashProgram, Span, UnitId};
use innercmd_policy::{Cause, Effect, Finding, PolicyCode, UnitJudgement};

use crate::human::{rule, sentence, shown};
use crate::wire::is_by_link;

/// How many places are underlined at most; more than that nobody reads.
const MOST_LABELS: usize = 200;

/// The command with every unit underlined and labelled, its gaps, and the verdict.
pub(crate) fn render(program: &BashProgram, gated: &Gated) -> String {
    let (level, word) = match gated.verdict {
        GateVerdict::Allow(_) => (Level::HELP, "allow"),
        GateVerdict::Ask(_) => (Level::WARNING, "ask"),
        GateVerdict::Deny(_) => (Level::ERROR, "deny"),
    };
    let labels = labels(program, gated);
    let left_out = labels.len().saturating_sub(MOST_LABELS);
    let annotations = labels.into_iter().take(MOST_LABELS).map(|label| label.into_annotation(program.source()));
    let snippet = Snippet::source(program.source()).fold(false).annotations(annotations);
    let mut group = level.with_name(word).primary_title(sentence(gated)).element(snippet);
    for note in notes(program, gated, left_out) {
        group = group.element(Level::NOTE.message(note));
    }
    // Styles that nobody can see are removed where the text is written.
    Renderer::styled().render(&[group])
}

/// A place in the command, and what is to be said about it.
struct Label {
    span: Span,
    effect: Effect,
    text: String,
}

impl Label {
    fn into_annotation<'a>(self, source: &str) -> Annotation<'a> {
        let kind = if self.effect == Effect::Allow { AnnotationKind::Context } else { AnnotationKind::Primary };
        kind.span(whole_characters(self.span, source)).label(self.text)
    }
}

/// The place of all characters that the span touches: a gap may lie within one.
fn whole_characters(span: Span, source: &str) -> Range<usize> {
    let boundary = |at: &usize| source.is_char_boundary(*at);
    let end = span.end.min(source.len());
    let start = (0..=span.start.min(end)).rev().find(boundary).unwrap_or(0);
    start..(end..=source.len()).find(boundary).unwrap_or(source.len())
}

/// Each unit, and each other place that something was found about.
fn labels(program: &BashProgram, gated: &Gated) -> Vec<Label> {
    let held = gated.judgement.findings.iter().filter(|finding| finding.effect > Effect::Allow);
    let mut behind: HashMap<UnitId, Vec<&Finding>> = HashMap::new();
    for finding in held.clone() {
        if let Some(unit) = finding.unit {
            behind.entry(unit).or_default().push(finding);
        }
    }
    // Where the text is no valid Bash, one place may be read twice; the stricter reading counts.
    let mut labels: BTreeMap<Span, Label> = BTreeMap::new();
    let mut add = |label: Label| match labels.get(&label.span) {
        Some(known) if known.effect >= label.effect => {}
        Some(_) | None => drop(labels.insert(label.span, label)),
    };
    let decided_by_link = is_by_link(gated);
    for (unit, judged) in program.commands().iter().zip(&gated.judgement.units) {
        let effect = if decided_by_link { Effect::Allow } else { judged.effect };
        let behind = behind.get(&judged.unit).map_or(&[][..], Vec::as_slice);
        add(Label { span: unit.span, effect, text: unit_label(effect, judged, behind) });
    }
    for finding in held.filter(|finding| finding.unit.is_none() || !is_whole_unit(program, finding)) {
        let text = format!("{}: {}", finding.effect.name(), cause(finding));
        add(Label { span: finding.span, effect: finding.effect, text });
    }
    labels.into_values().collect()
}

/// Whether the finding is about all of its unit, and so in the unit's own label.
fn is_whole_unit(program: &BashProgram, finding: &Finding) -> bool {
    let unit = finding.unit.and_then(|unit| program.commands().get(unit.0));
    unit.is_some_and(|unit| unit.span == finding.span)
}

/// What is decided about a unit, the rules or codes behind it, and what it runs.
fn unit_label(effect: Effect, judged: &UnitJudgement, behind: &[&Finding]) -> String {
    let causes: Vec<String> =
        behind.iter().filter(|finding| finding.effect == judged.effect).map(|finding| cause(finding)).collect();
    let because = match judged.rule.as_ref() {
        // What the policy asks about is answered by the link.
        _ if effect != judged.effect => "without its wrapper".to_owned(),
        _ if !causes.is_empty() => causes.join("; "),
        Some(matched) => rule(matched),
        None => "no rule".to_owned(),
    };
    let runs = judged.inner.as_deref().map_or_else(String::new, |inner| format!("; runs `{}`", shown(inner)));
    format!("{effect}: {because}{runs}")
}

/// The rule behind a finding, or its code.
fn cause(finding: &Finding) -> String {
    let may_match = finding.cause == Cause::Policy(PolicyCode::DynamicWord);
    match &finding.rule {
        Some(matched) if may_match => format!("possibly {}", rule(matched)),
        Some(matched) => rule(matched),
        None => finding.cause.code().to_owned(),
    }
}

/// What does not belong to one place: each code in a sentence, and what is left without the wrapper.
fn notes(program: &BashProgram, gated: &Gated, left_out: usize) -> Vec<String> {
    let mut notes = Vec::new();
    if left_out > 0 {
        notes.push(format!("{left_out} more places are not underlined"));
    }
    // What the policy asks about is answered where the link lets the command pass.
    let held = gated.judgement.findings.iter().filter(|finding| finding.effect > Effect::Allow && !is_by_link(gated));
    let held = held.filter(|finding| finding.rule.is_none());
    let gaps = program.gaps().iter().map(|gap| (gap.code.code(), gap.code.description()));
    let causes: BTreeSet<_> =
        held.map(|finding| (finding.cause.code(), finding.cause.description())).chain(gaps).collect();
    notes.extend(causes.into_iter().map(|(code, description)| format!("{code}: {description}")));
    if let Some(link) = &gated.link {
        if let Some(inner) = &link.inner {
            notes.push(format!("without its wrapper the command is `{}`", shown(inner)));
        }
        for finding in &link.findings {
            notes.push(format!(
                "without its wrapper: {}: `{}` [{}]",
                finding.effect.name(),
                shown(&finding.subject),
                finding.code.code()
            ));
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use innercmd_authorizer::{Link, gate};
    use innercmd_bash_units::Limits;
    use innercmd_policy::{Policy, Surroundings};
    use proptest::prelude::*;

    use super::*;

    fn explained(command: &str) -> String {
        let policy =
            Policy::from_permission(r#"{ "bash": { "*": "ask", "rm *": "deny", "git *": "allow" } }"#).unwrap().policy;
        let program = BashProgram::parse(command, &Limits::default());
        render(&program, &gate(&policy, &program, &Surroundings::new("/work/project"), Link::On))
    }

    fn pieces() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "git log", "rm", " ", "\n", "\r", "\t", "&&", ";", "|", "$(", ")", "`", "'", "\"", "<<E", "E",
            "timeout 5 ", "é", "世", "\u{202e}", "\u{0}", "\u{1b}", "{a,b}", "$x", "\\", ">f", "=", "FOO=1 ",
        ]);
        prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn any_text_can_be_explained(command in pieces()) {
            prop_assert!(!explained(&command).is_empty());
        }

        #[test]
        fn even_no_bash_at_all(command in any::<String>()) {
            prop_assert!(!explained(&command).is_empty());
        }
    }

    #[test]
    fn a_place_within_a_character_is_widened_to_it() {
        assert_eq!(whole_characters(Span::new(2, 3), "aé世b"), 1..3);
        assert_eq!(whole_characters(Span::new(1, 4), "aé世b"), 1..6);
        assert_eq!(whole_characters(Span::new(9, 12), "aé世b"), 7..7);
    }

    #[test]
    fn a_command_of_very_many_units_is_cut() {
        let explained = explained(&"git log; ".repeat(1_000));
        assert!(explained.contains("800 more places are not underlined"));
    }
}
