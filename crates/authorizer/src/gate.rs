use std::collections::HashSet;

use futures_util::FutureExt;
use innercmd_bash_units::{BashCommand, BashProgram, UnitId};
use innercmd_policy::{Decision, Effect, Judgement, Policy, Surroundings, UnitJudgement};

use crate::{AuthorizerCode, Denial, Finding, Grant, LocalHost, ReasonCode, Verdict, authorize::authorize_own_call};

/// Whether a gate asks the link where its policy asks because of a wrapper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// The link is in the chain.
    On,
    /// The policy alone answers.
    Off,
}

/// What a gate answers to one call.
#[derive(Debug)]
pub struct Gated {
    /// The answer.
    pub verdict: GateVerdict,
    /// What the policy says about the command as typed.
    pub judgement: Judgement,
    /// What the link found, where it was asked.
    pub link: Option<Linked>,
}

/// What a link found on the way to its part of a gate's answer.
#[derive(Debug, Default)]
pub struct Linked {
    /// The command inside the wrapper, where one was stripped.
    pub inner: Option<String>,
    /// Everything that was found, as in [`Authorization::findings`](crate::Authorization::findings).
    pub findings: Vec<Finding>,
}

/// The answer of a gate.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one for each decision, and it moves once")]
pub enum GateVerdict {
    /// The command may run.
    Allow(GateGrant),
    /// A person has to be asked.
    Ask(ReasonCode),
    /// The command may not run.
    Deny(Denial),
}

/// The proof behind an allow of a gate.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one for each decision, and it moves once")]
pub enum GateGrant {
    /// The policy allows the command as typed.
    Policy(innercmd_policy::Grant),
    /// The policy asks because of a wrapper alone, and both the link and the policy allow the command without it.
    Link {
        /// The link's proof.
        link: Grant,
        /// The policy's proof for the stripped command, paths included.
        policy: innercmd_policy::Grant,
    },
}

/// Judges `program` by `policy` and, where that asks because of a wrapper alone, by the link.
///
/// An allow that comes by the link needs the policy's own allow for the command without the wrapper, so that it is never looser
/// than either.
#[must_use]
pub fn gate(policy: &Policy, program: &BashProgram, surroundings: &Surroundings<'_>, link: Link) -> Gated {
    let judgement = policy.judge(program, surroundings);
    let (verdict, link) = match judgement.decision() {
        Decision::Allow(grant) => (GateVerdict::Allow(GateGrant::Policy(grant)), None),
        Decision::Deny { code, reason } => (GateVerdict::Deny(Denial { code: code.into(), reason }), None),
        Decision::Ask(cause) => match triggering_unit(program, &judgement).filter(|_| link == Link::On) {
            Some(unit) => {
                let (verdict, linked) = ask_link(policy, program, unit, surroundings);
                (verdict, Some(linked))
            }
            None => (GateVerdict::Ask(cause.into()), None),
        },
    };
    Gated { verdict, judgement, link }
}

/// The first unit that is asked about, where wrappers are the only reason to ask at all.
fn triggering_unit<'p>(program: &'p BashProgram, judgement: &Judgement) -> Option<&'p BashCommand> {
    let asking: Vec<&UnitJudgement> = judgement.units.iter().filter(|unit| unit.effect > Effect::Allow).collect();
    let asked: HashSet<UnitId> = asking.iter().map(|unit| unit.unit).collect();
    let mut held = judgement.findings.iter().filter(|finding| finding.effect > Effect::Allow);
    let wrappers_only = asking.iter().all(|unit| unit.wrapper_only)
        && held.all(|finding| finding.unit.is_some_and(|unit| asked.contains(&unit)));
    let first = asking.first().filter(|_| wrappers_only)?.unit;
    program.units().find(|(id, _)| *id == first).map(|(_, unit)| unit)
}

fn ask_link(
    policy: &Policy,
    program: &BashProgram,
    unit: &BashCommand,
    surroundings: &Surroundings<'_>,
) -> (GateVerdict, Linked) {
    let host = LocalHost::new(policy, surroundings.home);
    // A local host answers at once. Were it ever to wait, nobody would wake the gate, and so the gate asks.
    let Some(answer) = authorize_own_call(program, unit, &host).now_or_never() else {
        return (GateVerdict::Ask(AuthorizerCode::HostLate.into()), Linked::default());
    };
    let verdict = match answer.verdict {
        Verdict::Allow(link) => match policy.judge(link.program(), surroundings).decision() {
            Decision::Allow(policy) => GateVerdict::Allow(GateGrant::Link { link, policy }),
            Decision::Ask(cause) => GateVerdict::Ask(cause.into()),
            Decision::Deny { code, reason } => GateVerdict::Deny(Denial { code: code.into(), reason }),
        },
        Verdict::Deny(denial) => GateVerdict::Deny(denial),
        Verdict::Defer(deferral) => GateVerdict::Ask(deferral.code),
    };
    (verdict, Linked { inner: answer.inner, findings: answer.findings })
}
