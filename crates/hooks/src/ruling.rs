//! What the policy says about a call.

use innercmd_authorizer::{GateGrant, GateVerdict, Gated, Link, gate};
use innercmd_bash_units::{BashProgram, Limits};
use innercmd_file_facts::facts;
use innercmd_policy::{Cause, Decision, Effect, Finding, Policy, PolicyCode, Surroundings};

use crate::{HookCode, ShellCall, text::shown};

/// The name of the link, as a policy's `authorizerChain` lists it.
const LINK: &str = "inner-cmd";

/// What is decided about a call, and the proof of an allow.
#[derive(Debug)]
pub enum Ruling {
    /// The command may run.
    Allow(Box<GateGrant>),
    /// A person decides.
    Ask(Why),
    /// The command may not run.
    Deny(Why),
}

/// Why a command is held back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// The wire form of the code behind it.
    pub code: &'static str,
    /// A text for people, which names the part of the command that it is about.
    pub text: String,
}

/// By what a call is judged.
#[derive(Clone, Copy, Debug)]
pub struct Bench<'b> {
    /// The policy.
    pub policy: &'b Policy,
    /// The home directory of the user.
    pub home: Option<&'b str>,
    /// The directory of the session, where it is known: what lies beyond it is outside.
    pub project: Option<&'b str>,
    /// Whether the policy alone answers; else the link is asked too, where the policy lists it.
    pub link: Link,
}

impl Bench<'_> {
    /// Judges `call` by the policy, and the directory that it would run in too, where that is not the session's own.
    #[must_use]
    pub fn judge(&self, call: &ShellCall) -> Ruling {
        let program = BashProgram::parse(&call.command, &Limits::default());
        let link = if self.policy.link_enabled(LINK) { self.link } else { Link::Off };
        let ruling = Ruling::of(&program, gate(self.policy, &program, &self.around(&call.cwd), link));
        let moved =
            self.project.filter(|project| *project != call.cwd).and_then(|from| self.judge_move(from, &call.cwd));
        match moved {
            Some(moved) => ruling.at_least(moved),
            None => ruling,
        }
    }

    /// What the paths of the policy say about going `from` the session's directory `to` the call's, where they hold it back.
    ///
    /// A harness that lets the model choose the directory of a call would otherwise move what is outside.
    fn judge_move(&self, from: &str, to: &str) -> Option<Ruling> {
        let Ok(quoted) = shlex::try_quote(to) else { return Some(Ruling::Ask(Why::of(HookCode::UnknownShape))) };
        let program = BashProgram::parse(&format!("cd -- {quoted}"), &Limits::default());
        let judgement = self.policy.judge(&program, &self.around(from));
        let held =
            judgement.findings.iter().filter(|finding| finding.effect > Effect::Allow && is_about_paths(finding));
        let strictest = held.max_by_key(|finding| finding.effect)?;
        let text = format!("the command would run in `{}`: {}", shown(to), strictest.reason());
        let why = Why { code: strictest.cause.code(), text };
        Some(if strictest.effect == Effect::Deny { Ruling::Deny(why) } else { Ruling::Ask(why) })
    }

    fn around<'s>(&'s self, cwd: &'s str) -> Surroundings<'s> {
        Surroundings { home: self.home, facts: facts(cwd), ..Surroundings::new(cwd) }
    }
}

/// Whether a finding is about where a command reaches, or about text that was not understood, and not about what `cd` may do.
fn is_about_paths(finding: &Finding) -> bool {
    match finding.cause {
        Cause::Gap(_) => true,
        Cause::Policy(code) => !matches!(code, PolicyCode::BashRule | PolicyCode::BashDefault),
    }
}

impl Ruling {
    /// What a gate's answer means for the call it was asked about.
    #[must_use]
    pub fn of(program: &BashProgram, gated: Gated) -> Self {
        let Gated { verdict, judgement, link } = gated;
        let strictest = |effect| judgement.findings.iter().find(|finding| finding.effect == effect);
        let about = |finding: &Finding| format!("`{}`: {}", shown(finding.span.of(program.source())), finding.reason());
        match verdict {
            GateVerdict::Allow(grant) => Self::Allow(Box::new(grant)),
            GateVerdict::Ask(code) => {
                let by_policy = strictest(Effect::Ask).filter(|_| link.is_none());
                let text = by_policy.map_or_else(|| code.description().to_owned(), about);
                Self::Ask(Why { code: code.code(), text })
            }
            GateVerdict::Deny(denial) => {
                let by_policy =
                    strictest(Effect::Deny).filter(|_| matches!(judgement.decision(), Decision::Deny { .. }));
                Self::Deny(Why { code: denial.code.code(), text: by_policy.map_or(denial.reason, about) })
            }
        }
    }

    /// The stricter of both.
    fn at_least(self, other: Self) -> Self {
        if other.effect() > self.effect() { other } else { self }
    }

    /// The effect without its reasons.
    #[must_use]
    pub fn effect(&self) -> Effect {
        match self {
            Self::Allow(_) => Effect::Allow,
            Self::Ask(_) => Effect::Ask,
            Self::Deny(_) => Effect::Deny,
        }
    }
}

impl Why {
    /// The cause `code` in its own words.
    #[must_use]
    pub fn of(code: HookCode) -> Self {
        Self { code: code.code(), text: code.description().trim_end_matches('.').to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::CallShell;

    #[track_caller]
    fn check(command: &str, cwd: &str, expected: Effect, code: &str) {
        let policy = r#"{ "*": "allow", "external_directory": { "*": "ask", "/opt/*": "allow", "/secret/*": "deny" },
            "bash": { "*": "ask", "ls *": "allow", "git *": "allow", "git push *": "deny" } }"#;
        let policy = Policy::from_permission(policy).unwrap().policy;
        let bench = Bench { policy: &policy, home: None, project: Some("/no/such"), link: Link::On };
        let call = ShellCall { command: command.into(), cwd: cwd.into(), project: None, shell: CallShell::Bash };
        let ruling = bench.judge(&call);
        assert_eq!(ruling.effect(), expected, "{ruling:?}");
        if let Ruling::Ask(why) | Ruling::Deny(why) = ruling {
            assert_eq!(why.code, code);
            assert!(why.text.contains('`') && !why.text.ends_with('.'), "{why:?}");
        }
    }

    #[rstest]
    #[case::allowed("git status", Effect::Allow, "")]
    #[case::a_wrapper_that_changes_nothing("timeout 5 git status", Effect::Allow, "")]
    #[case::asked("npm test", Effect::Ask, "policy:bash-rule")]
    #[case::denied("git status && git push", Effect::Deny, "policy:bash-rule")]
    fn a_call_is_judged_as_a_gate_does(#[case] command: &str, #[case] effect: Effect, #[case] code: &str) {
        check(command, "/no/such", effect, code);
    }

    #[rstest]
    #[case::below("/no/such/sub", Effect::Allow, "")]
    #[case::allowed_outside("/opt/x", Effect::Allow, "")]
    #[case::outside("/etc", Effect::Ask, "policy:external-directory")]
    #[case::denied_outside("/secret/x", Effect::Deny, "policy:external-directory")]
    fn the_directory_of_a_call_is_judged_too(#[case] cwd: &str, #[case] effect: Effect, #[case] code: &str) {
        check("ls", cwd, effect, code);
    }

    #[test]
    fn another_directory_never_weakens_a_deny() {
        check("git push", "/etc", Effect::Deny, "policy:bash-rule");
    }
}
