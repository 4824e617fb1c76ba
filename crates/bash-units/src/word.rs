use std::borrow::Cow;

use crate::Span;

/// One word as bash reads it (POSIX Shell Command Language 2.3): a sequence of parts that are known, and holes that are not.
///
/// Brace expansion (bash manual 3.5.1) is already done, so several words may share the span they were written in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Where the word was written.
    pub span: Span,
    /// What the word is made of, in order; no two adjacent literals have the same quoting.
    pub parts: Vec<Part>,
}

/// A piece of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text that is known, after quote removal (bash manual 3.5.9).
    Literal {
        /// The text bash sees.
        text: String,
        /// Whether quotes or a backslash stood around it.
        quoted: bool,
    },
    /// Text that only execution can tell.
    Hole {
        /// What produces the text.
        kind: HoleKind,
        /// Where it was written.
        span: Span,
        /// Whether double quotes stood around it; an unquoted hole may become no word, or several.
        quoted: bool,
    },
}

/// What produces the text of a hole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HoleKind {
    /// `$NAME` or `${NAME}` without an operator: the name of the variable, or the special or positional parameter.
    Parameter(String),
    /// Any other parameter expansion (bash manual 3.5.3).
    Expansion,
    /// `$(…)`, backticks, or the function substitution `${ …; }`.
    CommandSubstitution,
    /// `<(…)` or `>(…)`.
    ProcessSubstitution,
    /// `$((…))` or `$[…]`.
    Arithmetic,
    /// An unquoted pattern character or bracket expression (bash manual 3.5.8), which may become file names.
    Glob,
    /// A tilde-prefix (bash manual 3.5.2): the text behind the tilde, empty for the user's own home.
    Tilde(String),
    /// A brace expansion with more words than the limits allow.
    Brace,
}

impl Word {
    /// The value of the word after quote removal where no part of it is a hole.
    #[must_use]
    pub fn literal(&self) -> Option<Cow<'_, str>> {
        match self.parts.as_slice() {
            [] => Some(Cow::Borrowed("")),
            [Part::Literal { text, .. }] => Some(Cow::Borrowed(text)),
            parts => parts
                .iter()
                .map(|part| match part {
                    Part::Literal { text, .. } => Some(text.as_str()),
                    Part::Hole { .. } => None,
                })
                .collect::<Option<String>>()
                .map(Cow::Owned),
        }
    }
}
