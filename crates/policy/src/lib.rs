//! Policy.
mod code;
mod config;
mod diagnostics;
mod effect;
mod gates;
mod handover;
mod judge;
mod judgement;
mod merge;
mod pattern;
mod policy;
mod printable;
mod rule;
mod ruleset;
mod spelling;
mod subject;
mod variables;

pub use code::{Cause, PolicyCode};
pub use config::{Knobs, LoadError, PolicySource, Problem, ShellTool};
pub use diagnostics::{Diagnostic, DiagnosticCode};
pub use effect::Effect;
pub use innercmd_bash_units::{LexicalPaths, PathFacts, PathFactsError, ResolvedPath};
pub use judge::Surroundings;
pub use judgement::{Decision, Finding, Grant, Judgement, UnitJudgement};
pub use policy::{Answer, Loaded, Policy};
pub use rule::{MatchedRule, Origin};
