use std::borrow::Cow;

use innercmd_bash_units::Word;

use crate::{Influence, WrapperCode};

/// A wrapper that was recognized by its words.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wrapped<'w> {
    /// The wrapper's usual name, such as `timeout`.
    pub name: &'static str,
    /// The manual whose grammar was followed.
    pub manual: &'static str,
    /// What it runs, in the order of the words; several where it runs several commands, or where it is not certain which.
    pub layers: Vec<Layer<'w>>,
    /// What it changes for the commands it runs.
    pub influences: Vec<Influence>,
    /// The names of the environment variables that it sets or removes for them.
    pub variables: Vec<String>,
    /// None where the words follow the strict grammar, so that [`strip`](crate::strip) may remove the wrapper once it has checked
    /// the bytes too; else the reason why the wrapper is never removed.
    pub refusal: Option<WrapperCode>,
}

/// Something that a wrapper runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layer<'w> {
    /// A program and its arguments; at least one word.
    ///
    /// Where the wrapper feeds it arguments that the text does not show, there are two such layers: one as typed, so that a rule
    /// about the typed words applies, and one with holes where those arguments go, so that a rule that could apply is seen to.
    Command(Cow<'w, [Word]>),
    /// Text that is handed to a shell.
    Script(String),
    /// Something that is not visible here: a program read from input, computed text, or text in a shell language whose reading
    /// as Bash proves nothing.
    Opaque,
}

impl Layer<'_> {
    /// The same layer, borrowing from nothing.
    #[must_use]
    pub fn into_owned(self) -> Layer<'static> {
        match self {
            Self::Command(words) => Layer::Command(Cow::Owned(words.into_owned())),
            Self::Script(text) => Layer::Script(text),
            Self::Opaque => Layer::Opaque,
        }
    }
}
