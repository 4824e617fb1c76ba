use crate::{Span, Word};

/// The place of a unit in [`BashProgram::commands`](crate::BashProgram::commands).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId(pub usize);

/// One simple command that bash may execute (bash manual 3.2.2): a *unit*.
///
/// A command of assignments or redirections alone is no unit; see [`BashProgram::assignments`](crate::BashProgram::assignments)
/// and [`BashProgram::redirects`](crate::BashProgram::redirects).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BashCommand {
    /// The words as typed, without leading assignments and without redirections.
    ///
    /// The blanks between two words are as typed where only blanks stand there, else one space.
    pub text: String,
    /// From the first byte of the first word to the last byte of the last.
    pub span: Span,
    /// The program and its arguments, after brace expansion; at least one.
    pub words: Vec<Word>,
    /// The assignments before the program.
    pub assignments: Vec<Assignment>,
    /// The redirections of this command, in source order.
    pub redirects: Vec<Redirect>,
    /// Where in the program's structure the command stands.
    pub context: Context,
    /// The scope it runs in.
    pub scope: ScopeId,
    /// How it follows what stands before it in its scope.
    pub joined: Joined,
    /// Whether it runs in a subshell of its own, as part of a pipeline or in the background.
    pub detached: bool,
}

/// The innermost construct that decides how a unit comes to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::IntoStaticStr, strum::EnumIter)]
#[strum(serialize_all = "snake_case")]
pub enum Context {
    /// The text itself, or a brace group in it.
    TopLevel,
    /// A branch or a loop: it may run, or not, or often.
    ControlFlow,
    /// `( … )`.
    Subshell,
    /// `$(…)`, backticks, or the function substitution `${ …; }`.
    CommandSubstitution,
    /// `<(…)` or `>(…)`.
    ProcessSubstitution,
    /// The body of a function.
    Function,
    /// `coproc …`.
    Coprocess,
    /// The text of a `trap`, which runs on a signal.
    Trap,
}

/// The place of a scope in [`BashProgram::scopes`](crate::BashProgram::scopes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScopeId(pub usize);

/// A region whose commands share one execution environment and one condition to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The scope around it; none for the program itself.
    pub parent: Option<ScopeId>,
    /// What opens it.
    pub kind: ScopeKind,
    /// How it follows what stands before it in its parent.
    pub joined: Joined,
    /// Whether it is part of a pipeline or in the background, and so a subshell of its own.
    pub detached: bool,
}

/// What opens a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScopeKind {
    /// The whole text.
    Program,
    /// `{ …; }`: runs where it stands.
    Group,
    /// `( … )`: changes in it do not outlive it.
    Subshell,
    /// `$(…)`, backticks: as a subshell. The function substitution `${ …; }` counts here too, though bash runs it in place.
    CommandSubstitution,
    /// `<(…)` or `>(…)`: as a subshell, at its own time.
    ProcessSubstitution,
    /// A list of `if`, `while`, `until`, `for`, `select` or `case`: runs in place, perhaps, or often.
    ControlFlow,
    /// The body of a function: runs where, and if, it is called.
    Function,
    /// `coproc …`: as a subshell, at its own time.
    Coprocess,
    /// The text of a `trap` (bash manual 4.1): runs in place, at its own time.
    Trap,
}

/// How a command follows the one before it (bash manual 3.2.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Joined {
    /// It is the first of its list, or stands behind `;`, `&` or a newline.
    Always,
    /// Behind `&&`.
    And,
    /// Behind `||`.
    Or,
    /// Behind `|` or `|&`.
    Pipe,
}

/// An assignment, before a program or alone (bash manual 3.4).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Assignment {
    /// From the first byte of the name to the last of the value.
    pub span: Span,
    /// The name of the variable.
    pub name: String,
    /// The bytes between the brackets of `NAME[…]=`.
    pub subscript: Option<Span>,
    /// Whether it is `+=`.
    pub append: bool,
    /// What is assigned.
    pub value: AssignedValue,
    /// The scope it runs in.
    pub scope: ScopeId,
    /// How the command that it is part of follows what stands before it in its scope.
    pub joined: Joined,
    /// Whether it stands alone in a subshell of its own, as part of a pipeline or in the background.
    pub detached: bool,
    /// The body of the loop, where it is a loop that assigns.
    pub body: Option<ScopeId>,
}

/// The right-hand side of an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AssignedValue {
    /// One value.
    Scalar(Word),
    /// `( … )`: the words of a compound array assignment.
    Array(Vec<Word>),
    /// The words that `for NAME in …` or `select NAME in …` assigns, one after the other; none stand for `"$@"`.
    Each(Vec<Word>),
    /// What `${NAME:=…}` or `${NAME=…}` assigns where the variable is empty or unset.
    Default(Word),
}

/// A redirection (bash manual 3.6).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Redirect {
    /// From the file descriptor, or the operator, to the last byte of the target or delimiter.
    pub span: Span,
    /// The operator.
    pub kind: RedirectKind,
    /// What stands before the operator: a number, or `{NAME}`.
    pub descriptor: Option<Span>,
    /// The target: a file, a descriptor to duplicate, the text of a here-string, or the delimiter of a here-document.
    pub target: Word,
    /// The body, where the operator is `<<` or `<<-`.
    pub heredoc: Option<Heredoc>,
    /// The scope it runs in.
    pub scope: ScopeId,
}

/// A redirection operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::EnumIter)]
pub enum RedirectKind {
    /// `<`.
    Input,
    /// `>`.
    Output,
    /// `>>`.
    Append,
    /// `>|`.
    Clobber,
    /// `<>`.
    ReadWrite,
    /// `&>`, and `>&` before a word that is no descriptor.
    OutputAndError,
    /// `&>>`.
    AppendAndError,
    /// `<&`.
    DuplicateInput,
    /// `>&` before a descriptor, a move or a close; also before a word that only execution can tell.
    DuplicateOutput,
    /// `<<`.
    HereDocument,
    /// `<<-`.
    HereDocumentTabs,
    /// `<<<`.
    HereString,
}

/// The body of a here-document (bash manual 3.6.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heredoc {
    /// The lines between the operator's line and the delimiter's.
    pub body: Span,
    /// Whether a part of the delimiter was quoted, so that nothing in the body is expanded.
    pub quoted: bool,
}
