use std::collections::HashMap;

use innercmd_bash_units::{BashProgram, UnitId};
use innercmd_policy::Effect;
use innercmd_wrapper::Stripped;

use super::{Trail, WrapperStripped};
use crate::{
    AnswerSource, AuthorizerCode, Deferral, Denial, Finding, PolicyAnswer, PolicyQuery, PolicyState, ReasonCode, Rule,
    calls::Calls, spelling::Spellings, text::shown,
};

/// How many different texts one request may ask the host about.
const MAX_QUERIES: usize = 4_096;

/// A stripped command whose every unit was judged.
#[derive(Debug)]
pub(crate) struct Judged {
    outcome: Outcome,
}

/// What the judgement of all units comes to.
#[derive(Debug)]
pub(crate) enum Outcome {
    Allowed(AllAllowed),
    Denied(Denial),
    Asked(ReasonCode),
}

/// The proof that every unit of a complete list is allowed on its own, and so is the whole.
///
/// INVARIANT: made by [`AllAllowed::prove`] alone.
#[derive(Debug)]
pub(crate) struct AllAllowed {
    stripped: Stripped,
}

impl AllAllowed {
    /// Checks that the units are complete, and that there is an allow for each of them and for the whole.
    fn prove(stripped: Stripped, units: &[(UnitId, Effect)], whole: Effect) -> Result<Self, Stripped> {
        let complete = stripped.program().complete().is_ok_and(|complete| {
            complete.program().units().map(|(id, _)| (id, Effect::Allow)).eq(units.iter().copied())
        });
        if complete && !units.is_empty() && whole == Effect::Allow { Ok(Self { stripped }) } else { Err(stripped) }
    }

    pub(crate) fn command(&self) -> &str {
        self.stripped.program().source()
    }
}

impl Judged {
    /// Judges the stripped command unit by unit and whole, by the host's policy and by the engine's own floors.
    pub(crate) async fn judge(
        stripped: WrapperStripped,
        calls: &mut Calls<'_>,
        trail: &mut Trail,
    ) -> Result<Self, Deferral> {
        let (stripped, agent) = stripped.into_parts();
        let first = trail.findings.len();
        trail.note_gaps(stripped.program());
        let mut desk = Desk { calls, agent, answers: HashMap::new() };
        let units = judge_units(stripped.program(), &mut desk, trail).await?;
        let whole = desk.ask(stripped.program().source()).await?;
        let whole_effect = whole.effect;
        if trail.findings.iter().skip(first).all(|finding| finding.effect < whole_effect) {
            trail.findings.extend(whole.into_finding(stripped.program().source()));
        }
        let stripped = match AllAllowed::prove(stripped, &units, whole_effect) {
            Ok(allowed) => return Ok(Self { outcome: Outcome::Allowed(allowed) }),
            Err(stripped) => stripped,
        };
        drop(stripped);
        Ok(Self { outcome: weigh(trail.findings.iter().skip(first)) })
    }

    pub(crate) fn into_outcome(self) -> Outcome {
        self.outcome
    }
}

/// The effect of each unit; whatever is not an allow is noted on the trail.
async fn judge_units(
    program: &BashProgram,
    desk: &mut Desk<'_, '_>,
    trail: &mut Trail,
) -> Result<Vec<(UnitId, Effect)>, Deferral> {
    let mut effects = Vec::new();
    for (id, unit) in program.units() {
        let mut findings = Vec::new();
        if innercmd_wrapper::recognize(&unit.words).is_some() {
            findings.push(Opinion::floor(AuthorizerCode::WrapperRemains).into_finding(&unit.text));
        }
        let spellings = Spellings::of(unit, program.source());
        findings.push(desk.ask(&spellings.typed).await?.into_finding(&unit.text));
        for other in &spellings.others {
            // A catch-all says nothing about the program that the spelling names; the typed text met it already.
            let opinion = desk.ask(other).await?;
            if opinion.effect > Effect::Allow && !opinion.is_catch_all() {
                findings.push(opinion.into_finding(&unit.text));
            }
        }
        let effect = findings.iter().flatten().map(|finding| finding.effect).max();
        effects.push((id, effect.unwrap_or(Effect::Allow)));
        trail.findings.extend(findings.into_iter().flatten());
    }
    Ok(effects)
}

/// The outcome where not everything is allowed: the first of the strictest findings decides.
fn weigh<'f>(findings: impl Iterator<Item = &'f Finding>) -> Outcome {
    let strictest = findings.fold(None, |strictest: Option<&Finding>, finding| match strictest {
        Some(found) if found.effect >= finding.effect => Some(found),
        _ => Some(finding),
    });
    match strictest {
        Some(finding) if finding.effect == Effect::Deny => {
            Outcome::Denied(Denial { code: finding.code, reason: deny_reason(finding) })
        }
        Some(finding) if finding.effect == Effect::Ask => Outcome::Asked(finding.code),
        Some(_) | None => Outcome::Asked(AuthorizerCode::InnerAsk.into()),
    }
}

fn deny_reason(finding: &Finding) -> String {
    let subject = shown(&finding.subject);
    let Some(rule) = &finding.rule else { return format!("`{subject}` is denied") };
    let pattern = rule.pattern.as_deref().map_or_else(String::new, |pattern| format!(" `{}`", shown(pattern)));
    let origin = rule.origin.as_deref().map_or_else(String::new, |origin| format!(" ({})", shown(origin)));
    let reason = rule.reason.as_deref().map_or_else(String::new, |reason| format!(": {reason}"));
    format!("`{subject}` is denied by the {} rule{pattern}{origin}{reason}", rule.surface)
}

/// Asks the host's policy, each text once.
struct Desk<'d, 'h> {
    calls: &'d mut Calls<'h>,
    agent: Option<String>,
    answers: HashMap<String, Opinion>,
}

impl Desk<'_, '_> {
    async fn ask(&mut self, text: &str) -> Result<Opinion, Deferral> {
        if let Some(opinion) = self.answers.get(text) {
            return Ok(opinion.clone());
        }
        if self.answers.len() >= MAX_QUERIES {
            return Err(AuthorizerCode::TooManyQueries.into());
        }
        let query = PolicyQuery { surface: SURFACE, value: text.to_owned(), agent: self.agent.clone() };
        let answer = self.calls.check_permission(&query).await.map_err(Deferral::on_error)?;
        let opinion = Opinion::of(answer)?;
        self.answers.insert(text.to_owned(), opinion.clone());
        Ok(opinion)
    }
}

const SURFACE: &str = "bash";

/// What one answer means for the verdict.
#[derive(Clone, Debug)]
struct Opinion {
    effect: Effect,
    code: AuthorizerCode,
    rule: Option<Rule>,
}

impl Opinion {
    fn of(answer: PolicyAnswer) -> Result<Self, Deferral> {
        let (effect, code) = match answer.state {
            PolicyState::Allow if answer.source == AnswerSource::Session => {
                (Effect::Ask, AuthorizerCode::SessionApproval)
            }
            PolicyState::Allow => (Effect::Allow, AuthorizerCode::InnerAllowed),
            PolicyState::Ask => (Effect::Ask, AuthorizerCode::InnerAsk),
            PolicyState::Deny => (Effect::Deny, AuthorizerCode::InnerDenied),
            PolicyState::Unknown(_) => return Err(AuthorizerCode::UnknownState.into()),
        };
        let rule = Rule {
            surface: SURFACE.to_owned(),
            pattern: answer.matched_pattern,
            origin: answer.origin,
            reason: answer.reason,
        };
        Ok(Self { effect, code, rule: Some(rule) })
    }

    fn floor(code: AuthorizerCode) -> Self {
        Self { effect: Effect::Ask, code, rule: None }
    }

    fn is_catch_all(&self) -> bool {
        let pattern = self.rule.as_ref().and_then(|rule| rule.pattern.as_deref());
        pattern.is_some_and(|pattern| !pattern.is_empty() && pattern.chars().all(|character| character == '*'))
    }

    /// The finding this makes about `subject`; an allow makes none.
    fn into_finding(self, subject: &str) -> Option<Finding> {
        (self.effect > Effect::Allow).then(|| Finding {
            code: self.code.into(),
            subject: subject.to_owned(),
            effect: self.effect,
            rule: self.rule,
        })
    }
}
