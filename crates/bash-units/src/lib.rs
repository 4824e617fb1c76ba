//! Lists everything bash would execute for a command text, or says where that cannot be established.
//!
//! [`BashProgram::parse`] reads a text once. Everything else is a question to the result: its [`commands`](BashProgram::commands)
//! (the *units*), what else it assigns and redirects, and its [`gaps`](BashProgram::gaps): the places that defeated the
//! analysis. [`BashProgram::complete`] is the only way to a [`CompleteUnits`], the proof that no gap is left.
//!
//! # Invariants
//! - Parsing is a function of the bytes alone: no files, environment, clock, process or network.
//! - Parsing never fails and never panics; what defeats it is a [`Gap`].
//! - Every offset is a byte offset into the UTF-8 text that was given.
//!
//! # Non-goals
//! - Executing, expanding or formatting Bash; dialects other than bash 5.
//! - Deciding: that is the business of `innercmd-policy`.

mod span;
mod word;
mod command;
mod gap;
mod program;
mod reader;
mod expand;
mod semantics;
mod footprint;
mod plain;
mod tree;
mod paths;
mod host;

pub use command::{
    AssignedValue, Assignment, BashCommand, Context, Heredoc, Joined, Redirect, RedirectKind, Scope, ScopeId,
    ScopeKind, UnitId,
};
pub use gap::{Gap, GapCode};
pub use host::{HostBase, HostCommand, HostCommandKind, HostReading, HostToken};
pub use paths::{
    LexicalPaths, Location, Outside, PathFacts, PathFactsError, PathPiece, PathRole, PathText, PathToken, Paths, Place,
    ResolvedPath, Unknown,
};
pub use program::{BashProgram, CompleteUnits, Limits};
pub use span::Span;
pub use word::{HoleKind, Part, Word};
