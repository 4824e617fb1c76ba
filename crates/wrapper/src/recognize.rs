use innercmd_bash_units::Word;

use crate::reading::Reading;
use crate::registry::{self, Kind, Wrapper};
use crate::{Layer, Wrapped, WrapperCode, strict};

/// Recognizes a wrapper by a unit's words, and tells what it runs.
///
/// The words are those of [`BashCommand::words`](innercmd_bash_units::BashCommand::words). A program word that is computed is no
/// wrapper: what it runs is a gap already. Nor is a wrapper's name a wrapper where it runs nothing else: `find . -name x`,
/// `command -v ls`, `bash build.sh`, and `env` on its own.
///
/// ```
/// use innercmd_bash_units::{BashProgram, Limits};
/// use innercmd_wrapper::{Layer, WrapperCode, recognize};
///
/// let program = BashProgram::parse("sudo -u deploy rm -rf build", &Limits::default());
/// for unit in program.commands() {
///     let wrapped = recognize(&unit.words).unwrap();
///     assert_eq!(wrapped.name, "sudo");
///     assert_eq!(wrapped.refusal, Some(WrapperCode::NonTransparent));
///     let Some(Layer::Command(inner)) = wrapped.layers.first() else { panic!() };
///     assert_eq!(inner.first().unwrap().literal().unwrap(), "rm");
/// }
/// ```
#[must_use]
pub fn recognize(words: &[Word]) -> Option<Wrapped<'_>> {
    let (wrapper, reading) = open(words)?;
    let refusal = refusal(wrapper, &reading, words);
    Some(Wrapped {
        name: wrapper.name,
        manual: wrapper.manual,
        layers: reading.layers,
        influences: reading.influences,
        variables: reading.variables,
        refusal,
    })
}

/// The wrapper and what it runs, without a judgement on it.
///
/// INVARIANT: does not look into the layers, so that a chain of wrappers costs its caller one call each and no recursion.
pub(crate) fn open(words: &[Word]) -> Option<(&'static Wrapper, Reading<'_>)> {
    let wrapper = registry::named(words.first()?)?;
    let mut reading = Reading::default();
    wrapper.grammar.read(words, &mut reading);
    match wrapper.kind {
        // ADR 0001: whatever names `timeout` and is not its strict form is unsupported, also where it runs nothing.
        Kind::Strict => Some((wrapper, reading)),
        Kind::Extended | Kind::NonTransparent | Kind::Shell => {
            (!reading.layers.is_empty()).then_some((wrapper, reading))
        }
    }
}

fn refusal(wrapper: &Wrapper, reading: &Reading<'_>, words: &[Word]) -> Option<WrapperCode> {
    let unseen = reading.layers.iter().all(|layer| matches!(layer, Layer::Opaque));
    match wrapper.kind {
        Kind::Strict => strict::refusal(words),
        Kind::Extended | Kind::NonTransparent | Kind::Shell if unseen => Some(WrapperCode::UnseenProgram),
        Kind::Extended | Kind::NonTransparent | Kind::Shell if reading.unsure => Some(WrapperCode::UnsureOptions),
        Kind::Extended => Some(WrapperCode::ExtendedOnly),
        Kind::NonTransparent => Some(WrapperCode::NonTransparent),
        Kind::Shell => Some(WrapperCode::ShellText),
    }
}
