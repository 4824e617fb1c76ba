//! The decision of this workspace's policy, without the link: what `innercmd check --policy-only` says.

use std::collections::{BTreeSet, HashMap};

use innercmd_bash_units::{BashProgram, LexicalPaths, Limits, PathRole, Place};
use innercmd_policy::{Effect, Policy, Surroundings};

use rayon::prelude::*;

use super::triples::{HOME, Triple};
use crate::e2e::Failure;

/// What is said about one command, and what it rests on.
#[derive(Debug)]
pub(super) struct Ours {
    pub(super) effect: Effect,
    /// The reason code.
    pub(super) code: &'static str,
    /// The text of the unit that the reason is about, where it is about one.
    pub(super) unit: Option<String>,
    /// The texts of all units.
    pub(super) units: BTreeSet<String>,
    /// The words that were judged as paths: as they are typed, and where they lead.
    pub(super) paths: BTreeSet<String>,
}

/// Decides `triples`, on all cores.
pub(super) fn decide(triples: &[Triple]) -> Result<Vec<Ours>, Failure> {
    let mut policies = HashMap::new();
    for triple in triples {
        if !policies.contains_key(triple.permission.as_str()) {
            let loaded = Policy::from_permission(&triple.permission)
                .map_err(|error| Failure::new(format!("{error} in {}", triple.permission)))?;
            policies.insert(triple.permission.as_str(), loaded.policy);
        }
    }
    let known = |triple| policies.get(Triple::permission(triple)).map(|policy| Ours::decide(triple, policy));
    triples.par_iter().map(known).collect::<Option<_>>().ok_or_else(|| Failure::new("a policy is missing"))
}

impl Ours {
    fn decide(triple: &Triple, policy: &Policy) -> Self {
        let program = BashProgram::parse(&triple.command, &Limits::default());
        let around = Surroundings { cwd: &triple.cwd, home: Some(HOME), facts: &LexicalPaths };
        let judgement = policy.judge(&program, &around);
        let decision = judgement.decision();
        let effect = decision.effect();
        let cause = judgement.findings.iter().find(|finding| finding.effect == effect);
        let unit = cause.and_then(|finding| finding.unit).and_then(|unit| program.commands().get(unit.0));
        let tokens = program.path_tokens(&Place::new(&triple.cwd, Some(HOME), &LexicalPaths));
        let judged = tokens.iter().filter(|token| !matches!(token.role, PathRole::Bare | PathRole::Program));
        let paths = judged.flat_map(|token| {
            let leads = token.locations.iter().filter_map(|location| location.lexical.text());
            token.text.text().into_iter().chain(leads).map(str::to_owned).collect::<Vec<_>>()
        });
        Self {
            effect,
            code: decision.code(),
            unit: unit.map(|unit| unit.text.clone()),
            units: program.commands().iter().map(|unit| unit.text.clone()).collect(),
            paths: paths.collect(),
        }
    }
}
