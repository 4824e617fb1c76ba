use async_trait::async_trait;
use innercmd_bash_units::{BashProgram, Limits};
use innercmd_policy::{Cause, Effect, Finding, Judgement, MatchedRule, Origin, Policy, PolicyCode, Surroundings};
use serde_json::Value;

use crate::{AnswerSource, HostError, HostSession, LogRecord, PolicyAnswer, PolicyQuery, PolicyState, SessionId};

/// A host that answers by a policy at hand, such as the command line and a gate have.
///
/// As the policy query of a permission system does, it answers for one surface: what a command may run says nothing about the
/// paths it touches, and so it looks up no files. Whose agent's policy it is, is for the caller to know. Its one session never
/// ends, it keeps no entries, and it has no log.
#[derive(Clone, Copy, Debug)]
pub struct LocalHost<'h> {
    policy: &'h Policy,
    home: Option<&'h str>,
}

impl<'h> LocalHost<'h> {
    /// A host that judges by `policy` for a user whose home directory is `home`.
    #[must_use]
    pub fn new(policy: &'h Policy, home: Option<&'h str>) -> Self {
        Self { policy, home }
    }

    /// The session it is in.
    #[must_use]
    pub fn session() -> SessionId {
        SessionId::local()
    }
}

#[async_trait]
impl HostSession for LocalHost<'_> {
    async fn session_id(&self) -> Result<SessionId, HostError> {
        Ok(Self::session())
    }

    async fn check_permission(&self, query: &PolicyQuery) -> Result<PolicyAnswer, HostError> {
        if query.surface != "bash" {
            return Err(HostError::Unsupported);
        }
        let program = BashProgram::parse(&query.value, &Limits::default());
        let surroundings = Surroundings { home: self.home, ..Surroundings::new("/") };
        Ok(answer(&program, &self.policy.judge(&program, &surroundings)))
    }

    async fn entries(&self) -> Result<Vec<Value>, HostError> {
        Err(HostError::Unsupported)
    }

    fn log(&self, _record: &LogRecord) -> Result<(), HostError> {
        Ok(())
    }
}

/// What the surface `bash` has to say about `program`.
fn answer(program: &BashProgram, judgement: &Judgement) -> PolicyAnswer {
    let about_commands = || judgement.findings.iter().filter(|finding| !is_about_paths(finding));
    let strictest = about_commands().map(|finding| finding.effect).max().unwrap_or(Effect::Allow);
    let deciding = about_commands().find(|finding| finding.effect == strictest);
    // Nothing but paths may stand between this and the policy's own allow.
    let allowed = strictest == Effect::Allow && program.complete().is_ok();
    let state = match strictest {
        Effect::Deny => PolicyState::Deny,
        Effect::Allow if allowed => PolicyState::Allow,
        Effect::Allow | Effect::Ask => PolicyState::Ask,
    };
    let rule = match state {
        PolicyState::Allow => session_rule(judgement).or_else(|| judgement.units.first()?.rule.as_ref()),
        PolicyState::Ask | PolicyState::Deny | PolicyState::Unknown(_) => {
            deciding.and_then(|finding| finding.rule.as_ref())
        }
    };
    PolicyAnswer {
        state,
        reason: rule.and_then(|rule| rule.reason.clone()),
        matched_pattern: rule
            .map(|rule| rule.pattern.clone())
            .or_else(|| deciding.map(|finding| synthetic(finding.cause))),
        source: match rule.map(|rule| rule.origin) {
            Some(Origin::Session) => AnswerSource::Session,
            Some(_) | None => AnswerSource::Other("bash".to_owned()),
        },
        origin: rule.map(|rule| rule.origin.name().to_owned()),
    }
}

/// What stands for a pattern where no rule decides, as with a permission system: its default is a catch-all, and its floors have
/// names of their own.
fn synthetic(cause: Cause) -> String {
    if cause == Cause::Policy(PolicyCode::BashDefault) { "*".to_owned() } else { format!("<{}>", cause.code()) }
}

/// A rule of this session that an allow rests on.
fn session_rule(judgement: &Judgement) -> Option<&MatchedRule> {
    judgement.units.iter().filter_map(|unit| unit.rule.as_ref()).find(|rule| rule.origin == Origin::Session)
}

fn is_about_paths(finding: &Finding) -> bool {
    matches!(
        finding.cause,
        Cause::Policy(
            PolicyCode::PathRule
                | PolicyCode::DynamicPath
                | PolicyCode::ExternalDirectory
                | PolicyCode::DynamicDirectory
                | PolicyCode::PathUnresolved
        )
    )
}
