//! What there is to say about a command: its units and the other places that something was found about, each with its rules.

use std::collections::{BTreeMap, HashMap};

use innercmd_authorizer::Gated;
use innercmd_bash_units::{BashCommand, Context, Span, UnitId};
use innercmd_policy::{Effect, Finding, MatchedRule, UnitJudgement};

use crate::check::Judged;
use crate::wire::is_by_link;

/// A place of the command, and what is said about it.
pub(crate) struct Entry<'j> {
    pub(crate) span: Span,
    pub(crate) effect: Effect,
    pub(crate) unit: Option<Unit<'j>>,
    /// What decides, the strictest first; the findings that allow are not among them.
    pub(crate) findings: Vec<&'j Finding>,
    /// The rule that counts for the unit as typed, where no finding tells it: it allows.
    pub(crate) typed: Option<MatchedRule>,
    /// The rules that match the unit as typed, and that a later one beats; the last of them comes first.
    pub(crate) beaten: Vec<MatchedRule>,
}

/// The unit that a place is.
pub(crate) struct Unit<'j> {
    pub(crate) id: UnitId,
    pub(crate) context: Context,
    /// What it runs, where it is a wrapper.
    pub(crate) inner: Option<&'j str>,
    /// Whether the link lets it pass, and not the policy.
    pub(crate) by_link: bool,
}

/// Each unit, and each other place that something was found about, in source order.
pub(crate) fn entries(judged: &Judged) -> Vec<Entry<'_>> {
    let Gated { judgement, .. } = &judged.gated;
    let mut behind: HashMap<UnitId, Vec<&Finding>> = HashMap::new();
    let mut places: BTreeMap<Span, Entry<'_>> = BTreeMap::new();
    for finding in judgement.findings.iter().filter(|finding| finding.effect > Effect::Allow) {
        match finding.unit.filter(|unit| is_whole(judged, *unit, finding)) {
            Some(unit) => behind.entry(unit).or_default().push(finding),
            None => add(&mut places, place(finding)),
        }
    }
    for (command, unit) in judged.program.commands().iter().zip(&judgement.units) {
        add(&mut places, entry(judged, command, unit, behind.remove(&unit.unit).unwrap_or_default()));
    }
    places.into_values().collect()
}

/// Puts `entry` where it stands; where the text is no valid Bash one place may be read twice, and all that was said counts.
fn add<'j>(places: &mut BTreeMap<Span, Entry<'j>>, mut entry: Entry<'j>) {
    if let Some(known) = places.remove(&entry.span) {
        entry.effect = entry.effect.max(known.effect);
        entry.findings.extend(known.findings);
        entry.findings = each_once(entry.findings);
        entry.unit = entry.unit.or(known.unit);
        entry.typed = entry.typed.or(known.typed);
        for rule in known.beaten {
            if !entry.beaten.contains(&rule) {
                entry.beaten.push(rule);
            }
        }
    }
    places.insert(entry.span, entry);
}

/// The strictest first, and none that says what another one says.
fn each_once(mut findings: Vec<&Finding>) -> Vec<&Finding> {
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.effect));
    let mut said: Vec<&Finding> = Vec::with_capacity(findings.len());
    for finding in findings {
        let known = |known: &&Finding| {
            (known.cause, &known.rule, &known.detail) == (finding.cause, &finding.rule, &finding.detail)
        };
        if !said.iter().any(known) {
            said.push(finding);
        }
    }
    said
}

fn is_whole(judged: &Judged, unit: UnitId, finding: &Finding) -> bool {
    judged.program.commands().get(unit.0).is_some_and(|command| command.span == finding.span)
}

fn place(finding: &Finding) -> Entry<'_> {
    let (span, effect) = (finding.span, finding.effect);
    Entry { span, effect, unit: None, findings: vec![finding], typed: None, beaten: vec![] }
}

fn entry<'j>(
    judged: &'j Judged,
    command: &'j BashCommand,
    unit: &'j UnitJudgement,
    findings: Vec<&'j Finding>,
) -> Entry<'j> {
    let by_link = is_by_link(&judged.gated) && unit.effect > Effect::Allow;
    let said = each_once(findings);
    let is_told = |rule: &MatchedRule| said.iter().any(|finding| finding.rule.as_ref() == Some(rule));
    let mut beaten = judged.policy.matching("bash", &command.text, judged.home.as_deref());
    let typed = beaten.pop().filter(|rule| !is_told(rule));
    beaten.reverse();
    beaten.retain(|rule| !is_told(rule));
    Entry {
        span: command.span,
        effect: if by_link { Effect::Allow } else { unit.effect },
        typed,
        unit: Some(Unit { id: unit.unit, context: command.context, inner: unit.inner.as_deref(), by_link }),
        findings: said,
        beaten,
    }
}
