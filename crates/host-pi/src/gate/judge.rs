//! Judges commands by the policy files of the user, read again when they change.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use innercmd_authorizer::{AuthorizerCode, Denial, GateGrant, GateVerdict, Gated, Link, ReasonCode, gate};
use innercmd_bash_units::{BashCommand, BashProgram, Limits};
use innercmd_file_facts::facts;
use innercmd_policy::{Effect, MatchedRule, Policy, PolicyCode, Surroundings, UnitJudgement};

use super::{
    Call, Judge, Judged,
    files::{Files, Opened},
    told,
};
use crate::{
    PiCode,
    wire::{Finding, GateOpened, OpenGate, Rule, Unit},
};

/// The name under which an authorizer chain lists the link.
const LINK: &str = "inner-cmd";
/// How many agents' policies are kept; they are read again when there are more.
const MOST_AGENTS: usize = 64;

/// The policies of one session, by agent.
#[derive(Default)]
pub(crate) struct PolicyJudge {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    files: Option<Arc<OpenGate>>,
    policies: HashMap<Option<String>, Arc<Opened>>,
}

impl Judge for PolicyJudge {
    fn open(&self, files: &OpenGate) -> GateOpened {
        let files = Arc::new(files.clone());
        *self.state() = State { files: Some(Arc::clone(&files)), policies: HashMap::new() };
        let opened = self.policy(None, &Files::of(&files, None));
        GateOpened { sources: opened.reports.clone(), builtin: opened.builtin }
    }

    fn judge(&self, call: &Call, deadline: Instant) -> Judged {
        let Some(files) = self.state().files.clone() else { return Judged::ask(PiCode::NoPolicy) };
        let agent = call.agent.as_deref();
        if !agent.is_none_or(is_file_name) {
            return Judged::ask(PiCode::NoPolicy);
        }
        let opened = self.policy(agent, &Files::of(&files, agent));
        let Some(policy) = &opened.policy else { return Judged::ask(PiCode::NoPolicy) };
        let judged = judge(policy, call, files.home.as_deref());
        if judged.effect == Effect::Allow && Instant::now() > deadline { Judged::ask(PiCode::Late) } else { judged }
    }
}

impl PolicyJudge {
    /// The policy for `agent`, read again where a file of it has changed.
    fn policy(&self, agent: Option<&str>, files: &Files) -> Arc<Opened> {
        let key = agent.map(str::to_owned);
        if let Some(opened) = self.state().policies.get(&key)
            && opened.stamps == files.stamps()
        {
            return Arc::clone(opened);
        }
        let opened = Arc::new(files.read());
        let mut state = self.state();
        if state.policies.len() >= MOST_AGENTS {
            state.policies.clear();
        }
        state.policies.insert(key, Arc::clone(&opened));
        opened
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether `name` leads to nothing but a file of that name: an agent's rules must neither be missed nor be another file's.
fn is_file_name(name: &str) -> bool {
    !name.contains(['/', '\\', '\0']) && !matches!(name, "" | "." | "..")
}

fn judge(policy: &Policy, call: &Call, home: Option<&str>) -> Judged {
    let program = BashProgram::parse(&call.command, &Limits::default());
    let around = Surroundings { cwd: &call.cwd, home, facts: facts(&call.cwd) };
    let link = if policy.link_enabled(LINK) { Link::On } else { Link::Off };
    let gated = gate(policy, &program, &around, link);
    let (effect, code, reason) = match &gated.verdict {
        GateVerdict::Allow(GateGrant::Policy(_)) => (Effect::Allow, PolicyCode::BashRule.code(), None),
        GateVerdict::Allow(GateGrant::Link { .. }) => (Effect::Allow, AuthorizerCode::InnerAllowed.code(), None),
        GateVerdict::Ask(code) => (Effect::Ask, code.code(), Some(why_asked(&gated, *code))),
        GateVerdict::Deny(denial) => {
            (Effect::Deny, denial.code.code(), Some(told(&why_denied(&program, &gated, denial))))
        }
    };
    let inner = gated.link.as_ref().and_then(|link| link.inner.clone());
    Judged { effect, code, reason, units: units(&program, &gated), inner, findings: findings(&program, &gated) }
}

/// Why the user is asked, for people: what the policy says or, where the link was asked, why it has no say.
fn why_asked(gated: &Gated, code: ReasonCode) -> String {
    let asking = gated.judgement.findings.iter().find(|finding| finding.effect == Effect::Ask);
    let by_policy = asking.filter(|_| gated.link.is_none()).map(|finding| finding.reason());
    by_policy.unwrap_or_else(|| code.description().to_owned())
}

/// Why the command is denied, and which part of it.
fn why_denied(program: &BashProgram, gated: &Gated, denial: &Denial) -> String {
    let denying = gated.judgement.findings.iter().find(|finding| finding.effect == Effect::Deny);
    denying.map_or_else(
        || denial.reason.clone(),
        |finding| format!("`{}` is denied: {}", finding.span.of(program.source()), finding.reason()),
    )
}

fn units(program: &BashProgram, gated: &Gated) -> Vec<Unit> {
    // A link that lets the command pass has answered what the policy asks about its wrapper.
    let by_link = matches!(gated.verdict, GateVerdict::Allow(GateGrant::Link { .. }));
    let unit = |(judged, unit): (&UnitJudgement, &BashCommand)| Unit {
        text: unit.text.clone(),
        decision: if by_link { Effect::Allow } else { judged.effect }.name(),
        rule: judged.rule.as_ref().map(Rule::from),
    };
    gated.judgement.units.iter().zip(program.commands()).map(unit).collect()
}

/// Everything that holds the command back, and what the link says about the command without its wrapper.
fn findings(program: &BashProgram, gated: &Gated) -> Vec<Finding> {
    let by_policy = gated.judgement.findings.iter().filter(|finding| finding.effect > Effect::Allow);
    let by_policy = by_policy.map(|finding| Finding {
        code: finding.cause.code(),
        subject: finding.span.of(program.source()).to_owned(),
        effect: finding.effect.name(),
        rule: finding.rule.as_ref().map(Rule::from),
    });
    let by_link = gated.link.iter().flat_map(|link| &link.findings).map(Finding::from);
    by_policy.chain(by_link).collect()
}

impl From<&MatchedRule> for Rule {
    fn from(rule: &MatchedRule) -> Self {
        Self {
            surface: rule.surface.clone(),
            pattern: Some(rule.pattern.clone()),
            origin: Some(rule.origin.name().to_owned()),
            reason: rule.reason.clone(),
        }
    }
}

#[cfg(test)]
mod tests;
