use innercmd_bash_units::Span;

/// Why a wrapper is not seen through.
///
/// The wire form is `wrapper:` and the name in kebab case; the first line of each description explains it to people.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, strum::EnumIter, strum::EnumMessage, strum::IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case", prefix = "wrapper:")]
#[non_exhaustive]
pub enum WrapperCode {
    /// The wrapper's own arguments, or its input, can change which program runs or what it may touch.
    NonTransparent,
    /// The wrapper changes nothing about its command, but only the extended grammar knows it, and that is not switched on.
    ExtendedOnly,
    /// The wrapper hands text to a shell.
    ShellText,
    /// The wrapper runs something that is not visible here, such as a program read from its input.
    UnseenProgram,
    /// An option of the wrapper is unknown or computed, so that it is not certain where its command begins.
    UnsureOptions,
    /// The wrapper's name is quoted, escaped or a path, so that it may be another program of that name.
    NameNotPlain,
    /// The wrapper has an option, and the strict grammar knows none.
    UnsupportedOption,
    /// The duration is no positive number without leading zeros, with decimals or one of the units s, m, h and d at most.
    UnsupportedDuration,
    /// The wrapper names no command.
    MissingCommand,
    /// The wrapper's command begins with an assignment, which would take effect only without the wrapper.
    InnerAssignment,
    /// The wrapper's command begins with a dash, and would be an option of the wrapper somewhere.
    InnerOption,
    /// The program that the wrapper runs is known only at run time.
    InnerComputed,
    /// The wrapper's command names a builtin or a reserved word of the shell, which it would become without the wrapper.
    InnerBuiltin,
    /// The wrapper's command is a wrapper itself.
    NestedWrapper,
    /// Assignments stand before the wrapper.
    LeadingAssignment,
    /// The unit is written on more than one line.
    SeveralLines,
    /// Something else than blanks stands between the wrapper, its duration and its command.
    UnsupportedSeparator,
    /// The unit is no wrapper.
    NotAWrapper,
    /// The full command does not contain the text of the unit.
    UnitNotFound,
    /// The full command contains the text of the unit more than once.
    UnitAmbiguous,
    /// The text of the unit does not coincide with one command of the full command.
    UnitMisaligned,
    /// Not everything that the full command would run is known.
    IncompleteProgram,
    /// Not everything that the full command would run without the wrapper is known.
    IncompleteResult,
    /// The full command without the wrapper differs from it in more than the wrapper.
    ResultDiffers,
}

impl WrapperCode {
    /// The wire form, such as `wrapper:nested-wrapper`.
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

/// Why [`strip`](crate::strip) left a program as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", code.code())]
#[non_exhaustive]
pub struct WrapperRefusal {
    /// The reason.
    pub code: WrapperCode,
    /// The place in the full command that it is about, where there is one.
    pub span: Option<Span>,
    /// The wrapper's name, where one was recognized.
    pub wrapper: Option<&'static str>,
}

impl From<WrapperCode> for WrapperRefusal {
    fn from(code: WrapperCode) -> Self {
        Self { code, span: None, wrapper: None }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use strum::IntoEnumIterator as _;

    use super::*;

    #[test]
    fn every_code_is_unique_and_explained() {
        let codes: BTreeSet<&str> = WrapperCode::iter().map(WrapperCode::code).collect();
        assert_eq!(codes.len(), WrapperCode::iter().count());
        for code in WrapperCode::iter() {
            assert!(code.code().starts_with("wrapper:"), "{code:?}");
            assert!(code.description().ends_with('.'), "{code:?}");
        }
    }
}
