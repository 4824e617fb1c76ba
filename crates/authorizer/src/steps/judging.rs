use std::collections::HashMap;

use innercmd_bash_units::{BashCommand, BashProgram, Span, UnitId};
use innercmd_policy::Effect;
use innercmd_wrapper::Stripped;

use super::{Trail, WrapperStripped, floors::floors};
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
    /// Checks that the units are complete, that there is an allow for each of them and for the whole, and that no floor is met.
    fn prove(stripped: Stripped, units: &[(UnitId, Effect)], whole: Effect, floors: &[(Span, Finding)]) -> Option<Self> {
        let complete = stripped.program().complete().ok()?;
        let every_unit = complete.program().units().map(|(id, _)| (id, Effect::Allow)).eq(units.iter().copied());
        let allowed = every_unit && !units.is_empty() && whole == Effect::Allow && floors.is_empty();
        allowed.then_some(Self { stripped })
    }

    pub(crate) fn program(&self) -> &BashProgram {
        self.stripped.program()
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
        let program = stripped.program();
        let floors = floors(program);
        let mut desk = Desk { calls, agent, answers: HashMap::new(), findings: floors.clone() };
        let mut units = Vec::new();
        for (id, unit) in program.units() {
            units.push((id, desk.judge_unit(unit, program.source()).await?));
        }
        let whole = desk.judge_whole(program.source()).await?;
        let mut findings = desk.findings;
        findings.sort_by_key(|(span, _)| span.start);
        let findings: Vec<Finding> = findings.into_iter().map(|(_, finding)| finding).collect();
        let outcome = match AllAllowed::prove(stripped, &units, whole, &floors) {
            Some(allowed) => Outcome::Allowed(allowed),
            None => weigh(&findings),
        };
        trail.findings.extend(findings);
        Ok(Self { outcome })
    }

    pub(crate) fn into_outcome(self) -> Outcome {
        self.outcome
    }
}

/// The outcome where not everything is allowed: the first of the strictest findings decides.
fn weigh(findings: &[Finding]) -> Outcome {
    let strictest = findings.iter().map(|finding| finding.effect).max();
    match findings.iter().find(|finding| Some(finding.effect) == strictest) {
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

/// Asks the host's policy, each text once, and keeps what is not allowed with its place.
struct Desk<'d, 'h> {
    calls: &'d mut Calls<'h>,
    agent: Option<String>,
    answers: HashMap<String, Opinion>,
    findings: Vec<(Span, Finding)>,
}

impl Desk<'_, '_> {
    /// Judges `unit` of the program `source` in each of its spellings.
    async fn judge_unit(&mut self, unit: &BashCommand, source: &str) -> Result<Effect, Deferral> {
        let spellings = Spellings::of(unit, source);
        let typed = self.ask(&spellings.typed).await?;
        let mut effect = typed.effect;
        self.note(typed, unit.span, &unit.text);
        for other in &spellings.others {
            // A catch-all says nothing about the program that the spelling names, and the typed text met it already; that a user
            // approved another spelling forbids nothing.
            let opinion = self.ask(other).await?;
            if !opinion.is_catch_all() && opinion.code != AuthorizerCode::SessionApproval {
                effect = effect.max(opinion.effect);
                self.note(opinion, unit.span, &unit.text);
            }
        }
        Ok(effect)
    }

    /// Judges the whole text; what it adds to the units' findings is noted behind them.
    async fn judge_whole(&mut self, source: &str) -> Result<Effect, Deferral> {
        let whole = self.ask(source).await?;
        let effect = whole.effect;
        if self.findings.iter().all(|(_, finding)| finding.effect < effect) {
            self.note(whole, Span::new(source.len(), source.len()), source);
        }
        Ok(effect)
    }

    fn note(&mut self, opinion: Opinion, span: Span, subject: &str) {
        self.findings.extend(opinion.into_finding(subject).map(|finding| (span, finding)));
    }

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
