use std::collections::HashMap;

use innercmd_bash_units::{BashCommand, Span};
use innercmd_policy::Effect;

use crate::{
    AnswerSource, AuthorizerCode, Deferral, Finding, PolicyAnswer, PolicyQuery, PolicyState, Rule, calls::Calls,
    spelling::Spellings,
};

/// The surface of every question.
const SURFACE: &str = "bash";

/// How many different texts one request may ask the host about.
const MOST_QUERIES: usize = 4_096;

/// Asks the host's policy, each text once, and keeps what is not allowed with its place.
pub(super) struct Desk<'d, 'h> {
    calls: &'d mut Calls<'h>,
    agent: Option<String>,
    answers: HashMap<String, Opinion>,
    findings: Vec<(Span, Finding)>,
}

impl<'d, 'h> Desk<'d, 'h> {
    pub(super) fn new(calls: &'d mut Calls<'h>, agent: Option<String>) -> Self {
        Self { calls, agent, answers: HashMap::new(), findings: Vec::new() }
    }

    /// Judges `unit` of the program `source` in each of its spellings.
    pub(super) async fn judge_unit(&mut self, unit: &BashCommand, source: &str) -> Result<Effect, Deferral> {
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

    /// Judges the whole text; what is stricter than all that its units met is noted behind them.
    pub(super) async fn judge_whole(&mut self, source: &str) -> Result<Effect, Deferral> {
        let whole = self.ask(source).await?;
        let effect = whole.effect;
        if self.findings.iter().all(|(_, finding)| finding.effect < effect) {
            self.note(whole, Span::new(source.len(), source.len()), source);
        }
        Ok(effect)
    }

    /// Everything that is not allowed, with its place.
    pub(super) fn into_findings(self) -> Vec<(Span, Finding)> {
        self.findings
    }

    fn note(&mut self, opinion: Opinion, span: Span, subject: &str) {
        self.findings.extend(opinion.into_finding(subject).map(|finding| (span, finding)));
    }

    async fn ask(&mut self, text: &str) -> Result<Opinion, Deferral> {
        if let Some(opinion) = self.answers.get(text) {
            return Ok(opinion.clone());
        }
        if self.answers.len() >= MOST_QUERIES {
            return Err(AuthorizerCode::TooManyQueries.into());
        }
        let query = PolicyQuery { surface: SURFACE, value: text.to_owned(), agent: self.agent.clone() };
        let answer = self.calls.check_permission(&query).await.map_err(Deferral::on_error)?;
        let opinion = Opinion::of(answer)?;
        self.answers.insert(text.to_owned(), opinion.clone());
        Ok(opinion)
    }
}

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
