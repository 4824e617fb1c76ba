//! Policy.
mod effect;
mod pattern;
mod rule;
mod ruleset;
mod subject;
pub use effect::Effect;
pub use rule::{MatchedRule, Origin};
