use std::sync::Arc;

use innercmd_bash_units::{CompleteUnits, Span, UnitId};

use crate::{Cause, Effect, MatchedRule, PolicyCode, printable::printable};

/// What a policy says about a command, and everything that made it say so.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Judgement {
    /// Each unit of the program, in its order.
    pub units: Vec<UnitJudgement>,
    /// Everything that was found, in source order; never empty where the decision is no allow.
    pub findings: Vec<Finding>,
    proof: Option<Grant>,
}

/// What a policy says about one unit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnitJudgement {
    /// The unit.
    pub unit: UnitId,
    /// The strictest effect of all that concerns it.
    pub effect: Effect,
    /// The rule that decides, where a rule does.
    pub rule: Option<MatchedRule>,
    /// The text of the command that it runs, where it is a wrapper and that text is known.
    pub inner: Option<String>,
    /// Whether nothing but its being a wrapper makes it an ask: no rule that names it or what it runs, and no other doubt.
    ///
    /// The catch-all and the default do not count, since they say nothing about this wrapper.
    pub wrapper_only: bool,
}

/// One thing that a judgement rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// What it is.
    pub cause: Cause,
    /// What follows from it.
    pub effect: Effect,
    /// The bytes of the command that it is about.
    pub span: Span,
    /// The unit that it is about, where it is one.
    pub unit: Option<UnitId>,
    /// The rule behind it, where there is one.
    pub rule: Option<MatchedRule>,
    /// What it is about in particular: the wrapped command, the path, the manual of an option.
    pub detail: Option<String>,
}

/// What follows from a judgement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It may run; the proof is inside.
    Allow(Grant),
    /// A person decides.
    Ask(Cause),
    /// It may not run.
    Deny {
        /// Why.
        code: Cause,
        /// Why, for people; never empty.
        reason: String,
    },
}

/// The proof that each unit, each redirection and each assignment of a whole command was judged, and allowed.
///
/// INVARIANT: made by [`Grant::prove`] alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    command: Arc<str>,
}

/// How much of a program was looked at.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Looked {
    pub(crate) redirects: usize,
    pub(crate) assignments: usize,
    /// Whether the path gates saw the program.
    pub(crate) paths: bool,
}

impl Grant {
    /// The command text that may run.
    #[must_use]
    pub fn command(&self) -> &str {
        &self.command
    }

    /// The proof for `complete`, where `units` and `findings` are all there is to say about it and all of it is allow.
    ///
    /// INVARIANT: a unit, redirection or assignment that was not judged leaves a count short, and no proof is made.
    fn prove(
        complete: CompleteUnits<'_>,
        units: &[UnitJudgement],
        findings: &[Finding],
        looked: Looked,
    ) -> Option<Self> {
        let program = complete.program();
        let every_unit = program.units().map(|(id, _)| id).eq(units.iter().map(|judged| judged.unit));
        let all_allow = units.iter().all(|judged| judged.effect == Effect::Allow)
            && findings.iter().all(|finding| finding.effect == Effect::Allow);
        let all_seen = looked.paths
            && looked.redirects == program.redirects().count()
            && looked.assignments == program.assignments().count();
        (every_unit && all_allow && all_seen).then(|| Self { command: program.source().into() })
    }
}

impl Judgement {
    pub(crate) fn new(
        complete: Option<CompleteUnits<'_>>,
        units: Vec<UnitJudgement>,
        mut findings: Vec<Finding>,
        looked: Looked,
    ) -> Self {
        findings.sort_by_key(|finding| finding.span);
        let proof = complete.and_then(|complete| Grant::prove(complete, &units, &findings, looked));
        Self { units, findings, proof }
    }

    /// What follows: the strictest of all findings, and an allow only with its proof.
    #[must_use]
    pub fn decision(&self) -> Decision {
        let strictest = self.findings.iter().map(|finding| finding.effect).max();
        let first = strictest.and_then(|effect| self.findings.iter().find(|finding| finding.effect == effect));
        match (first, &self.proof) {
            (Some(Finding { effect: Effect::Allow, .. }) | None, Some(proof)) => Decision::Allow(proof.clone()),
            (Some(finding @ Finding { effect: Effect::Deny, .. }), _) => {
                Decision::Deny { code: finding.cause, reason: finding.reason() }
            }
            (Some(finding), _) => Decision::Ask(finding.cause),
            (None, None) => Decision::Ask(PolicyCode::BashDefault.into()),
        }
    }

    /// The proof, where the decision is an allow.
    #[must_use]
    pub fn grant(&self) -> Option<&Grant> {
        self.proof.as_ref()
    }
}

impl Decision {
    /// The effect without its reasons.
    #[must_use]
    pub fn effect(&self) -> Effect {
        match self {
            Self::Allow(_) => Effect::Allow,
            Self::Ask(_) => Effect::Ask,
            Self::Deny { .. } => Effect::Deny,
        }
    }

    /// The wire form of the code behind it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Allow(_) => PolicyCode::BashRule.code(),
            Self::Ask(cause) | Self::Deny { code: cause, .. } => cause.code(),
        }
    }
}

impl Finding {
    /// Why, in a sentence for people that names the rule where there is one.
    #[must_use]
    pub fn reason(&self) -> String {
        let Some(rule) = &self.rule else {
            return self.cause.description().to_owned();
        };
        let about = self.detail.as_deref().map(|detail| format!(" for `{}`", printable(detail))).unwrap_or_default();
        let why = rule.reason.as_deref().map(|reason| format!(": {reason}")).unwrap_or_default();
        format!(
            "the {} rule `{}` of surface `{}` says {}{about}{why}",
            rule.origin, rule.pattern, rule.surface, rule.effect
        )
    }
}
