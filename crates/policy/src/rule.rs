use std::{ops::Deref, sync::Arc};

use crate::{Effect, pattern::Pattern};

/// Where a rule comes from, from the weakest to the strongest.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, strum::Display, strum::EnumIter, strum::IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Origin {
    /// The engine itself.
    Builtin,
    /// The user's own file.
    Global,
    /// The project's file, given only where the project is trusted.
    Project,
    /// The user's file of one agent.
    Agent,
    /// The project's file of one agent, given only where the project is trusted.
    ProjectAgent,
    /// What was approved in this session.
    Session,
}

impl Origin {
    /// The host's word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A rule, as a policy says it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// The surface it stands under, as the policy writes it; `*` for the universal default.
    pub surface: String,
    /// Its pattern, as the policy writes it.
    pub pattern: String,
    /// What it says.
    pub effect: Effect,
    /// Where it comes from.
    pub origin: Origin,
    /// The reason it gives for a deny.
    pub reason: Option<String>,
    /// The name of the file it is written in, as its [`PolicySource`](crate::PolicySource) gives it.
    pub file: Arc<str>,
    /// The line it is written on, from 1 on.
    pub line: usize,
}

/// A rule that matched. It is the policy's own, and so costs nothing to hand on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchedRule(Arc<Rule>);

/// A rule that can match.
#[derive(Clone, Debug)]
pub(crate) struct CompiledRule {
    pub(crate) rule: MatchedRule,
    pub(crate) pattern: Pattern,
}

impl CompiledRule {
    pub(crate) fn compile(rule: &MatchedRule, home: Option<&str>) -> Self {
        Self { pattern: Pattern::compile(&rule.pattern, home), rule: rule.clone() }
    }

    pub(crate) fn effect(&self) -> Effect {
        self.rule.effect
    }

    pub(crate) fn matched(&self) -> MatchedRule {
        self.rule.clone()
    }
}

impl MatchedRule {
    pub(crate) fn new(rule: Rule) -> Self {
        Self(Arc::new(rule))
    }
}

impl Deref for MatchedRule {
    type Target = Rule;

    fn deref(&self) -> &Rule {
        &self.0
    }
}
