//! The explanation for programs: the answer of `check`, and the places with all that is said about them.

use innercmd_policy::{Finding, MatchedRule};
use serde::Serialize;

use super::entries::Entry;
use super::said::Words;
use crate::check::Judged;
use crate::human::sentence;
use crate::wire::Checked;

/// The answer of `check` with more keys.
#[derive(Debug, Serialize)]
pub(crate) struct Explained<'a> {
    #[serde(flatten)]
    checked: Checked<'a>,
    /// Why, for people.
    reason: String,
    /// The command without its wrapper, where the link was asked about it.
    inner: Option<&'a str>,
    /// What the page numbers, in its order.
    places: Vec<Place<'a>>,
}

#[derive(Debug, Serialize)]
struct Place<'a> {
    text: &'a str,
    span: [usize; 2],
    /// `unit`, or `part` for a place within or between units.
    kind: &'static str,
    context: Option<&'static str>,
    decision: &'static str,
    runs: Option<&'a str>,
    causes: Vec<Said<'a>>,
    /// The rule that counts for the unit as typed, where it is not among the causes.
    typed: Option<Rule<'a>>,
    /// The rules that match and that a later one beats; the last of them comes first.
    beaten: Vec<Rule<'a>>,
}

#[derive(Debug, Serialize)]
struct Said<'a> {
    code: &'static str,
    decision: &'static str,
    reason: String,
    detail: Option<&'a str>,
    rule: Option<Rule<'a>>,
}

#[derive(Debug, Serialize)]
struct Rule<'a> {
    surface: &'a str,
    pattern: &'a str,
    decision: &'static str,
    origin: &'static str,
    file: &'a str,
    line: usize,
}

impl<'a> Explained<'a> {
    pub(crate) fn new(judged: &'a Judged, entries: &'a [Entry<'a>]) -> Self {
        Self {
            checked: Checked::new(None, &judged.program, &judged.gated),
            reason: sentence(&judged.gated),
            inner: judged.gated.link.as_ref().and_then(|link| link.inner.as_deref()),
            places: entries.iter().map(|entry| Place::new(judged, entry)).collect(),
        }
    }
}

impl<'a> Place<'a> {
    fn new(judged: &'a Judged, entry: &'a Entry<'a>) -> Self {
        let unit = entry.unit.as_ref();
        Self {
            text: entry.span.of(judged.program.source()),
            span: [entry.span.start, entry.span.end],
            kind: if unit.is_some() { "unit" } else { "part" },
            context: unit.map(|unit| unit.context.into()),
            decision: entry.effect.name(),
            runs: unit.and_then(|unit| unit.inner),
            causes: entry.findings.iter().map(|finding| Said::new(finding)).collect(),
            typed: entry.typed.as_ref().map(Rule::new),
            beaten: entry.beaten.iter().map(Rule::new).collect(),
        }
    }
}

impl<'a> Said<'a> {
    fn new(finding: &'a Finding) -> Self {
        Self {
            code: finding.cause.code(),
            decision: finding.effect.name(),
            reason: Words { home: None }.finding(finding),
            detail: finding.detail.as_deref(),
            rule: finding.rule.as_ref().map(Rule::new),
        }
    }
}

impl<'a> Rule<'a> {
    fn new(rule: &'a MatchedRule) -> Self {
        Self {
            surface: &rule.surface,
            pattern: &rule.pattern,
            decision: rule.effect.name(),
            origin: rule.origin.name(),
            file: &rule.file,
            line: rule.line,
        }
    }
}
