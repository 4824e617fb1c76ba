//! Judges everything a Bash command would execute by a policy of allow, ask and deny rules: pi-permission-system's model, so
//! that a user's existing file works, read more strictly.
//!
//! [`Policy::load`] reads the files of all scopes, or says what is wrong in them and where. [`Policy::judge`] looks at a program
//! that `innercmd-bash-units` has read: at each unit in every spelling a rule should meet, at what wrappers run, at
//! assignments, redirections and paths. The [`Judgement`] holds all of what was found; its [`Decision`] is the strictest of it.
//!
//! # Invariants
//! - An allow is a [`Grant`], and a grant is made only from a complete program of which every unit, redirection, assignment and
//!   path was judged, and allowed.
//! - An allow rule counts only for what is typed, and only where it covers every value of what is not known. Rules that ask or
//!   deny meet every spelling, and what they may meet is asked about.
//! - Each gap of the analysis asks; a deny denies all the same.
//! - Judging is a function of policy, program and surroundings: no files, environment, clock, process or network. The file
//!   system is asked through [`PathFacts`].
//!
//! # Non-goals
//! - Removing wrappers: that is `innercmd-wrapper`'s `strip`, and its caller judges the result.
//! - Judging what interpreters are told: `python3 -c …` is what a rule for `python3` says.
//! - Finding policy files; asking people.

mod code;
mod config;
mod diagnostics;
mod effect;
mod gates;
mod handover;
mod host;
mod judge;
mod judgement;
mod merge;
mod pattern;
mod policy;
mod printable;
mod rule;
mod ruleset;
#[cfg(any(test, feature = "schema"))]
mod schema;
mod spelling;
mod subject;
mod units;
mod variables;

pub use code::{Cause, PolicyCode};
pub use config::{Knobs, LoadError, PolicySource, Problem, ShellTool};
pub use diagnostics::{Diagnostic, DiagnosticCode};
pub use effect::Effect;
pub use innercmd_bash_units::{LexicalPaths, PathFacts, PathFactsError, ResolvedPath};
pub use judge::Surroundings;
pub use judgement::{Decision, Finding, Grant, Judgement, UnitJudgement};
pub use policy::{Answer, Loaded, Policy, READ_MOSTLY};
pub use rule::{MatchedRule, Origin, Rule};
#[cfg(feature = "schema")]
pub use schema::schema;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
