//! What the command line writes and reads as JSON; the keys stand in the order in which they are declared.

use innercmd_authorizer::{Authorization, AuthorizerCode, GateGrant, GateVerdict, Gated, ReasonCode, Verdict};
use innercmd_bash_units::{BashCommand, BashProgram, Span};
use innercmd_policy::{Effect, MatchedRule, PolicyCode, UnitJudgement};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use crate::exit::Failure;

/// The answer about one command.
#[derive(Debug, Serialize)]
pub(crate) struct Checked<'a> {
    /// As given, and null where none was.
    pub(crate) id: Option<&'a RawValue>,
    pub(crate) command: &'a str,
    pub(crate) decision: &'static str,
    pub(crate) code: &'static str,
    pub(crate) units: Vec<Unit<'a>>,
    pub(crate) gaps: Vec<Gap>,
    pub(crate) findings: Vec<Finding<'a>>,
}

/// A unit of a command.
#[derive(Debug, Serialize)]
pub(crate) struct Unit<'a> {
    pub(crate) text: &'a str,
    /// Byte offsets into the command: the first byte, and the one behind the last.
    pub(crate) span: [usize; 2],
    pub(crate) context: &'static str,
    /// The program after quote removal; null where only execution can tell.
    pub(crate) program: Option<String>,
    /// What a wrapper runs.
    pub(crate) inner: Option<&'a str>,
    pub(crate) decision: &'static str,
    pub(crate) rule: Option<Rule<'a>>,
}

/// A rule that matched.
#[derive(Debug, Serialize)]
pub(crate) struct Rule<'a> {
    pub(crate) surface: &'a str,
    pub(crate) pattern: Option<&'a str>,
    pub(crate) origin: Option<&'a str>,
}

/// A place that defeated the analysis.
#[derive(Debug, Serialize)]
pub(crate) struct Gap {
    pub(crate) code: &'static str,
    pub(crate) span: [usize; 2],
}

/// Something that the decision rests on.
#[derive(Debug, Serialize)]
pub(crate) struct Finding<'a> {
    pub(crate) code: &'static str,
    pub(crate) decision: &'static str,
    /// The part of the command that it is about.
    pub(crate) text: &'a str,
    /// Where that part stands; null for a finding about the command without its wrapper.
    pub(crate) span: Option<[usize; 2]>,
    pub(crate) rule: Option<Rule<'a>>,
    /// Why, for people.
    pub(crate) reason: String,
}

/// The answer about one request to a link.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Authorized<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<&'a RawValue>,
    pub(crate) request_id: Option<&'a str>,
    pub(crate) verdict: &'static str,
    pub(crate) code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) inner: Option<&'a str>,
}

/// A line that could not be answered.
#[derive(Debug, Serialize)]
pub(crate) struct Unanswered<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<&'a RawValue>,
    pub(crate) error: &'a str,
}

/// A line of a batch, of which nothing is read yet but where its parts begin and end.
#[derive(Debug, Deserialize)]
pub(crate) struct BatchLine<'l> {
    #[serde(borrow, default)]
    pub(crate) id: Option<&'l RawValue>,
    #[serde(borrow, default)]
    pub(crate) command: Option<&'l RawValue>,
    #[serde(borrow, default)]
    pub(crate) policy: Option<&'l RawValue>,
    #[serde(borrow, default)]
    pub(crate) cwd: Option<&'l RawValue>,
    #[serde(borrow, default)]
    pub(crate) home: Option<&'l RawValue>,
    #[serde(borrow, default)]
    pub(crate) agent: Option<&'l RawValue>,
}

/// A recorded line, of which nothing is read yet but its id and whether it records a request.
#[derive(Debug, Deserialize)]
pub(crate) struct RecordedLine<'l> {
    #[serde(borrow, default)]
    pub(crate) id: Option<&'l RawValue>,
    /// Null as it stands there, and none where the key is absent.
    #[serde(borrow, default, deserialize_with = "present")]
    pub(crate) details: Option<&'l RawValue>,
}

fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// The JSON text of `value`, on one line.
///
/// # Errors
/// Never, for the types of this module; were it to fail, that is an internal error.
pub(crate) fn line(value: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string(value).map_err(|error| Failure::io("an answer")(error.into()))?;
    // Some readers end a line at these too. They stand in strings alone, where JSON lets them be escaped.
    if !text.contains(OTHER_LINE_ENDS) {
        return Ok(text);
    }
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if OTHER_LINE_ENDS.contains(&character) {
            escaped.push_str(&format!("\\u{:04x}", u32::from(character)));
        } else {
            escaped.push(character);
        }
    }
    Ok(escaped)
}

/// What ends a line beside the control characters, which JSON escapes itself (Unicode, newline guidelines).
const OTHER_LINE_ENDS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];

/// Why a gate's answer is what it is.
pub(crate) fn code(verdict: &GateVerdict) -> ReasonCode {
    match verdict {
        GateVerdict::Allow(GateGrant::Policy(_)) => PolicyCode::BashRule.into(),
        GateVerdict::Allow(GateGrant::Link { .. }) => AuthorizerCode::InnerAllowed.into(),
        GateVerdict::Ask(code) => *code,
        GateVerdict::Deny(denial) => denial.code,
    }
}

impl<'a> Checked<'a> {
    pub(crate) fn new(id: Option<&'a RawValue>, program: &'a BashProgram, gated: &'a Gated) -> Self {
        let units = program.commands().iter().zip(&gated.judgement.units);
        let gaps = program.gaps().iter().map(|gap| Gap { code: gap.code.code(), span: offsets(gap.span) });
        Self {
            id,
            command: program.source(),
            decision: decision(&gated.verdict),
            code: code(&gated.verdict).code(),
            units: units.map(|(unit, judged)| Unit::new(unit, judged, gated)).collect(),
            gaps: gaps.collect(),
            findings: findings(program, gated),
        }
    }
}

impl<'a> Unit<'a> {
    fn new(unit: &'a BashCommand, judged: &'a UnitJudgement, gated: &Gated) -> Self {
        // A link that lets the command pass has answered what the policy asks about its wrapper.
        let effect = if is_by_link(gated) { Effect::Allow } else { judged.effect };
        Self {
            text: &unit.text,
            span: offsets(unit.span),
            context: unit.context.into(),
            program: unit.words.first().and_then(|word| word.literal()).map(Into::into),
            inner: judged.inner.as_deref(),
            decision: effect.name(),
            rule: judged.rule.as_ref().map(Rule::matched),
        }
    }
}

impl<'a> Rule<'a> {
    fn matched(rule: &'a MatchedRule) -> Self {
        Self { surface: &rule.surface, pattern: Some(&rule.pattern), origin: Some(rule.origin.name()) }
    }
}

/// Everything that holds the command back, and what the link says about the command without its wrapper.
fn findings<'a>(program: &'a BashProgram, gated: &'a Gated) -> Vec<Finding<'a>> {
    let by_link = is_by_link(gated);
    let of_policy = gated.judgement.findings.iter().filter(|finding| finding.effect > Effect::Allow && !by_link);
    let of_policy = of_policy.map(|finding| Finding {
        code: finding.cause.code(),
        decision: finding.effect.name(),
        text: finding.span.of(program.source()),
        span: Some(offsets(finding.span)),
        rule: finding.rule.as_ref().map(Rule::matched),
        reason: finding.reason(),
    });
    let allowed = gated.link.iter().filter(|_| by_link).filter_map(|link| link.inner.as_deref()).map(|inner| Finding {
        code: AuthorizerCode::InnerAllowed.code(),
        decision: Effect::Allow.name(),
        text: inner,
        span: None,
        rule: None,
        reason: AuthorizerCode::InnerAllowed.description().to_owned(),
    });
    let of_link = gated.link.iter().flat_map(|link| &link.findings).map(|finding| Finding {
        code: finding.code.code(),
        decision: finding.effect.name(),
        text: &finding.subject,
        span: None,
        rule: finding.rule.as_ref().map(|rule| Rule {
            surface: &rule.surface,
            pattern: rule.pattern.as_deref(),
            origin: rule.origin.as_deref(),
        }),
        reason: finding.code.description().to_owned(),
    });
    of_policy.chain(allowed).chain(of_link).collect()
}

/// The word for a verdict.
pub(crate) fn decision(verdict: &GateVerdict) -> &'static str {
    match verdict {
        GateVerdict::Allow(_) => "allow",
        GateVerdict::Ask(_) => "ask",
        GateVerdict::Deny(_) => "deny",
    }
}

/// Whether the link lets the command pass, and not the policy alone.
pub(crate) fn is_by_link(gated: &Gated) -> bool {
    matches!(gated.verdict, GateVerdict::Allow(GateGrant::Link { .. }))
}

fn offsets(span: Span) -> [usize; 2] {
    [span.start, span.end]
}

impl<'a> Authorized<'a> {
    pub(crate) fn new(id: Option<&'a RawValue>, answer: &'a Authorization) -> Self {
        Self {
            id,
            request_id: answer.request_id.as_deref(),
            verdict: answer.verdict.kind(),
            code: answer.verdict.code().code(),
            reason: match &answer.verdict {
                Verdict::Deny(denial) => Some(&denial.reason),
                Verdict::Allow(_) | Verdict::Defer(_) => None,
            },
            inner: answer.inner.as_deref(),
        }
    }
}
