/// Why a hook holds a command back, where the cause lies neither in the command nor in the policy.
///
/// The wire form is `hooks:` and the name in kebab case; the first line of each description explains it to people.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, strum::EnumIter, strum::EnumMessage, strum::IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case", prefix = "hooks:")]
#[non_exhaustive]
pub enum HookCode {
    /// What the harness sent is no readable JSON, or is longer than what is read.
    UnreadableInput,
    /// The harness describes a call of its shell tool in a form that is not known, so what it would run is not known either.
    UnknownShape,
    /// The command would be run by another shell than bash, which may read it otherwise.
    OtherShell,
    /// The policy cannot be read, or is not valid, so nothing may pass unasked.
    NoPolicy,
    /// The command was not judged in time.
    Late,
    /// The hook failed by a fault of its own.
    Failed,
}

impl HookCode {
    /// The wire form, such as `hooks:other-shell`.
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
