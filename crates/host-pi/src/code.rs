/// Why a decision is what it is, where the cause lies in the sidecar or with the user.
///
/// The wire form is `host-pi:` and the name in kebab case; the first line of each description explains it to people.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, strum::EnumIter, strum::EnumMessage, strum::IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case", prefix = "host-pi:")]
#[non_exhaustive]
pub enum PiCode {
    /// The input of the tool call is not the input of Pi's bash tool, or holds text that is not valid Unicode.
    UnreadableInput,
    /// The command would be run by another shell than bash, which may read it otherwise.
    OtherShell,
    /// No policy can be read, so nothing is allowed without the user.
    NoPolicy,
    /// The user approved this command once.
    ApprovedOnce,
    /// The user approved this command for the session.
    ApprovedForSession,
    /// The user approved the same command, in the same directory, earlier in this session.
    ApprovedBefore,
    /// The user denied this command.
    DeniedByUser,
    /// The command needs the user's word, and the session has no way to ask.
    NobodyToAsk,
    /// The turn ended before the user answered.
    Aborted,
    /// The decision could not be recorded, and what is not on record is not allowed.
    RecordFailed,
    /// The engine did not judge the command in time.
    Late,
    /// The engine gave no answer.
    NoAnswer,
}

impl PiCode {
    /// The wire form, such as `host-pi:denied-by-user`.
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
