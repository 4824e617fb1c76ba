use innercmd_bash_units::GapCode;

/// Why a policy holds a command back, or lets it pass.
///
/// The wire form is `policy:` and the name in kebab case; the first line of each description explains it to people.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, strum::EnumIter, strum::EnumMessage, strum::IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case", prefix = "policy:")]
#[non_exhaustive]
pub enum PolicyCode {
    /// A rule of the policy matches the command.
    BashRule,
    /// No rule of the policy matches the command, so the default counts.
    BashDefault,
    /// A word is known only at run time, and for some value of it another rule would count.
    DynamicWord,
    /// The command runs another command, so a rule about its own text says nothing about what runs.
    Wrapper,
    /// A rule of the policy matches a command that a wrapper runs.
    WrappedCommand,
    /// More commands are wrapped in one another than the analysis follows.
    WrappersTooDeep,
    /// A variable is set that makes programs load or run other code, or find other files.
    CodeLoadingVariable,
    /// An argument hands an otherwise ordinary program something to execute, or a file to write unseen.
    ArgumentExecutes,
    /// A rule of the policy matches an assignment.
    AssignmentRule,
    /// A rule of the policy matches a path that the command names.
    PathRule,
    /// A path is known only at run time, and for some value of it a rule would hold it back.
    DynamicPath,
    /// The command names a path outside the working directory.
    ExternalDirectory,
    /// The command may name a path outside the working directory.
    DynamicDirectory,
    /// Where a path leads could not be looked up.
    PathUnresolved,
    /// A redirection opens a network connection.
    NetworkRedirect,
    /// A rule of the policy is about redirections that write.
    RedirectRule,
    /// The command is longer or deeper than the analysis reads, and the text that was not read holds something that a rule denies.
    UnreadText,
    /// A rule of the policy matches a text that pi-permission-system takes for a command, such as a whole loop, and holds it back.
    HostText,
    /// A rule of the policy matches a text that pi-permission-system takes for a path, and holds it back.
    HostPath,
    /// The text holds something that bash would do, such as a redirection, but nothing that pi-permission-system takes for a command.
    NoCommand,
    /// A file of the policy is not valid, so that nothing it could have forbidden may pass unasked.
    InvalidScope,
}

impl PolicyCode {
    /// The wire form, such as `policy:bash-rule`.
    #[must_use]
    pub fn code(self) -> &'static str {
        self.into()
    }

    /// What the code means, in one sentence for people.
    #[must_use]
    pub fn description(self) -> &'static str {
        strum::EnumMessage::get_documentation(&self).unwrap_or_default()
    }
}

/// The cause of a finding: the policy's own, or a gap of the analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// The policy.
    Policy(PolicyCode),
    /// A gap.
    Gap(GapCode),
}

impl Cause {
    /// The wire form of the code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Policy(code) => code.code(),
            Self::Gap(code) => code.code(),
        }
    }

    /// What the code means, in one sentence for people.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Self::Policy(code) => code.description(),
            Self::Gap(code) => code.description(),
        }
    }
}

impl From<PolicyCode> for Cause {
    fn from(code: PolicyCode) -> Self {
        Self::Policy(code)
    }
}

impl From<GapCode> for Cause {
    fn from(code: GapCode) -> Self {
        Self::Gap(code)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use strum::IntoEnumIterator as _;

    use super::*;

    #[test]
    fn every_code_is_unique_and_explained() {
        let codes: BTreeSet<&str> = PolicyCode::iter().map(PolicyCode::code).collect();
        assert_eq!(codes.len(), PolicyCode::iter().count());
        for code in PolicyCode::iter() {
            assert!(code.code().starts_with("policy:"), "{code:?}");
            assert!(code.description().ends_with('.'), "{code:?}");
        }
    }
}
