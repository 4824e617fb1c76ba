//! Semantic gaps: places where data becomes code, so that no list of commands can be complete.

use crate::{Span, Word};

/// A place whose safety depends on a value.
#[derive(Clone, Debug)]
pub(crate) enum Concern {
    /// A text that bash evaluates as arithmetic (bash manual 6.5).
    Arithmetic(Span),
    /// An operand of `-eq` and its kin in `[[ … ]]`.
    ArithmeticOperand(Word),
    /// The subscript of a variable, in an assignment or an expansion.
    Subscript(Span),
    /// The operand of `-v` or `-R` in `[[ … ]]`.
    TestedVariable(Word),
    /// `${!NAME}`.
    Indirection(Span),
    /// `${NAME@P}`.
    PromptExpansion(Span),
    /// The definition of the function named, at the span of its name.
    Function(String, Span),
}
