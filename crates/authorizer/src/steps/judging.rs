use innercmd_bash_units::{BashProgram, Span, UnitId};
use innercmd_policy::Effect;
use innercmd_wrapper::Stripped;

use super::{Trail, WrapperStripped, floors::floors, questions::Desk};
use crate::{AuthorizerCode, Deferral, Denial, Finding, ReasonCode, calls::Calls, text::shown};

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
    fn prove(
        stripped: Stripped,
        units: &[(UnitId, Effect)],
        whole: Effect,
        floors: &[(Span, Finding)],
    ) -> Option<Self> {
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
        let mut desk = Desk::new(calls, agent);
        let mut units = Vec::new();
        for (id, unit) in program.units() {
            units.push((id, desk.judge_unit(unit, program.source()).await?));
        }
        let whole = desk.judge_whole(program.source()).await?;
        let findings = in_source_order(floors.clone(), desk.into_findings());
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

/// All findings by their places; where these are the same, a floor stands before what a rule says.
fn in_source_order(mut findings: Vec<(Span, Finding)>, of_rules: Vec<(Span, Finding)>) -> Vec<Finding> {
    findings.extend(of_rules);
    findings.sort_by_key(|(span, _)| span.start);
    findings.into_iter().map(|(_, finding)| finding).collect()
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
