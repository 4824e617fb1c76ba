use crate::{Span, UnitId};

/// A place that defeated the analysis: what stands there may run commands that are not listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Why.
    pub code: GapCode,
    /// Where.
    pub span: Span,
    /// The unit it concerns, where the rest of the program is not in doubt.
    pub unit: Option<UnitId>,
}

/// Why the analysis of a text is not complete.
///
/// The wire form is `gap:` and the name in kebab case; the first line of each description explains it to people.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, strum::EnumIter, strum::EnumMessage, strum::IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case", prefix = "gap:")]
#[non_exhaustive]
pub enum GapCode {
    /// The command is longer than the analysis reads.
    InputTooLong,
    /// The command nests deeper than the analysis follows.
    NestingTooDeep,
    /// The command holds more parts than the analysis lists.
    TooManyUnits,
    /// The command costs more work to analyse than the analysis spends.
    TooMuchWork,
    /// The text is not valid Bash here; bash still runs the complete lines before it.
    SyntaxError,
    /// A here-document has no closing delimiter.
    UnterminatedHeredoc,
    /// A control or invisible character stands outside quotes, so that what people see is not what bash reads.
    ControlCharacter,
    /// A construct is one that the reader does not follow to its end.
    UnsureReading,
    /// The syntax tree has an error where the reader found none.
    TreeError,
    /// The syntax tree leaves bytes unaccounted for.
    UnaccountedBytes,
    /// The two readings of the text do not find the same commands.
    ReadingsDisagree,
    /// Which program runs is known only at run time.
    DynamicCommand,
    /// Text that is computed, or held in a string, is executed as Bash.
    EvaluatedText,
    /// A shell reads its program from standard input, a string or a computed place.
    ShellProgram,
    /// A name is expanded in a way that executes what its value holds.
    ValueExecuted,
    /// Arithmetic evaluates a name whose value is not a literal number here, and a value can hold a command.
    DynamicArithmetic,
    /// What a name runs is changed: a function, alias, hash, builtin or search path shadows it.
    CommandRedefined,
    /// An option changes how the rest of the text is read or what running it does.
    ParsingChanged,
}

impl GapCode {
    /// The wire form, such as `gap:syntax-error`.
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
