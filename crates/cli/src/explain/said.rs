//! What is said about rules and findings, in words.

use innercmd_policy::{Cause, Effect, Finding, MatchedRule, Origin, PolicyCode};

use crate::human::shown;

/// Says things for one reader.
#[derive(Clone, Copy)]
pub(crate) struct Words<'w> {
    /// What is written `~`.
    pub(crate) home: Option<&'w str>,
}

impl Words<'_> {
    /// A rule with its effect and where it is written.
    pub(crate) fn rule(self, rule: &MatchedRule) -> String {
        let reason = rule.reason.as_deref().map(|reason| format!(", {}", shown(reason))).unwrap_or_default();
        format!("{}{reason} ({})", rule_and_effect(rule), self.place(rule))
    }

    /// Whose rule it is, and where it is written.
    pub(crate) fn place(self, rule: &MatchedRule) -> String {
        if rule.origin == Origin::Builtin {
            return format!("built-in policy, line {}", rule.line);
        }
        format!("{}, {}:{}", rule.origin, self.path(&rule.file), rule.line)
    }

    /// What a finding rests on: its rule, or its cause in a sentence with the code.
    pub(crate) fn finding(self, finding: &Finding) -> String {
        let detail = finding.detail.as_deref().map(shown);
        match (&finding.rule, finding.cause) {
            (Some(rule), Cause::Policy(PolicyCode::DynamicWord | PolicyCode::DynamicPath)) => {
                format!("for some value of what is computed: {}", self.rule(rule))
            }
            (Some(rule), Cause::Policy(PolicyCode::WrappedCommand)) => format!("for what it runs: {}", self.rule(rule)),
            (Some(rule), _) => {
                let about = detail.map(|detail| format!("for `{detail}`: ")).unwrap_or_default();
                format!("{about}{}", self.rule(rule))
            }
            (None, Cause::Policy(PolicyCode::Wrapper)) => {
                let name = detail.unwrap_or_else(|| "it".to_owned());
                format!(
                    "`{name}` runs another command: a rule about its own text says nothing of what runs [{}]",
                    finding.cause.code()
                )
            }
            (None, cause) => {
                let about = detail.map(|detail| format!(" ({detail})")).unwrap_or_default();
                format!("{}{about} [{}]", cause.description().trim_end_matches('.'), cause.code())
            }
        }
    }

    /// The name of a file.
    pub(crate) fn path(self, file: &str) -> String {
        let below = self.home.filter(|home| home.len() > 1).and_then(|home| file.strip_prefix(home));
        match below.filter(|rest| rest.starts_with('/')) {
            Some(rest) => format!("~{}", shown(rest)),
            None => shown(file),
        }
    }
}

fn rule_and_effect(rule: &MatchedRule) -> String {
    let effect = match rule.effect {
        Effect::Allow => "allows",
        Effect::Ask => "asks",
        Effect::Deny => "denies",
    };
    format!("{} `{}` {effect}", shown(&rule.surface), shown(&rule.pattern))
}
