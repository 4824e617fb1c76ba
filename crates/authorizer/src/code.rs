use innercmd_bash_units::GapCode;
use innercmd_evidence::EvidenceCode;
use innercmd_policy::{Cause, PolicyCode};
use innercmd_wrapper::WrapperCode;

/// Why a verdict is what it is, where the cause lies in the authorizer itself.
///
/// The wire form is `authorizer:` and the name in kebab case; the first line of each description explains it to people.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, strum::EnumIter, strum::EnumMessage, strum::IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case", prefix = "authorizer:")]
#[non_exhaustive]
pub enum AuthorizerCode {
    /// Every command that is left without the wrapper is allowed, each on its own and all together.
    InnerAllowed,
    /// A rule denies a command that is left without the wrapper.
    InnerDenied,
    /// The policy asks about a command that is left without the wrapper.
    InnerAsk,
    /// A command is allowed only by what the user approved for this session, which is no rule.
    SessionApproval,
    /// The command needs more questions to the host's policy than one request may ask.
    TooManyQueries,
    /// The link is not registered with a session.
    NotRegistered,
    /// The host is in another session than the one the link is registered with.
    SessionChanged,
    /// A call to the host failed.
    HostFailed,
    /// A call to the host was not answered in time.
    HostLate,
    /// The host's policy answered with something that is neither allow, ask nor deny.
    UnknownState,
    /// The host's log did not take the record of the verdict.
    LogFailed,
}

impl AuthorizerCode {
    /// The wire form, such as `authorizer:session-changed`.
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

/// The reason code of a verdict or a finding, from whichever layer found the cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReasonCode {
    /// The analysis of the command text was defeated.
    Gap(GapCode),
    /// The evidence was refused.
    Evidence(EvidenceCode),
    /// The wrapper was not removed.
    Wrapper(WrapperCode),
    /// The policy, or one of its floors.
    Policy(PolicyCode),
    /// The authorizer.
    Authorizer(AuthorizerCode),
}

impl ReasonCode {
    /// The wire form, such as `gap:syntax-error`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Gap(code) => code.code(),
            Self::Evidence(code) => code.code(),
            Self::Wrapper(code) => code.code(),
            Self::Policy(code) => code.code(),
            Self::Authorizer(code) => code.code(),
        }
    }

    /// What the code means, in one sentence for people.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Self::Gap(code) => code.description(),
            Self::Evidence(code) => code.description(),
            Self::Wrapper(code) => code.description(),
            Self::Policy(code) => code.description(),
            Self::Authorizer(code) => code.description(),
        }
    }
}

macro_rules! from_layer {
    ($($layer:ident($code:ty)),*) => {$(
        impl From<$code> for ReasonCode {
            fn from(code: $code) -> Self {
                Self::$layer(code)
            }
        }
    )*};
}

from_layer!(Gap(GapCode), Evidence(EvidenceCode), Wrapper(WrapperCode), Policy(PolicyCode), Authorizer(AuthorizerCode));

impl From<Cause> for ReasonCode {
    fn from(cause: Cause) -> Self {
        match cause {
            Cause::Policy(code) => Self::Policy(code),
            Cause::Gap(code) => Self::Gap(code),
        }
    }
}
