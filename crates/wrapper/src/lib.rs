//! Sees through *wrappers*: programs that run another command which their own arguments name.
//!
//! [`recognize`] tells whether a unit's words are a wrapper's, and what it runs, as [`Layer`]s: `sudo -u deploy rm -rf build`
//! runs `rm -rf build`. [`layers`] goes on from there, to a bounded depth, so that a rule about `rm` meets every `rm`.
//! [`strip`] does the opposite service: where a wrapper provably changes nothing, it gives the program without it.
//!
//! # Invariants
//! - A wrapper is *licensed* (its [`refusal`](Wrapped::refusal) is none) by the strict grammar alone, and a [`Stripped`] program
//!   is made by [`strip`] alone, from a complete program, into a complete program that differs in nothing but the wrapper.
//! - Layers are for rules that forbid or ask. They are a best effort, they err on the side of one layer too many, and no allow
//!   may rest on them alone.
//! - Nothing here recurses on the input, and the work is bounded by the words given.
//!
//! # Non-goals
//! - Reading the text of a [`Layer::Script`]: that is `innercmd-bash-units`' business, at the caller's request.
//! - Package runners (`npx`, `bunx`, `pnpm exec`, `uv run`, `bundle exec`) and interpreters (`python -c`): they are programs
//!   that a policy judges by name. What they start is looked up in a project and not on the search path, so that the same words
//!   unwrapped would run something else.
//! - Programs with an option that names a command (`git -c`, `tar`, `sort`), or with a language of their own (`sed`, `awk`): what
//!   they may be told is a policy's to judge.
//! - Builtins that run a file in place (`source`, `.`): the file is an operand like any other.

mod code;
mod influence;
mod layer;
mod layers;
mod options;
mod reading;
mod recognize;
mod registry;
mod scan;
mod shape;
mod shift;
mod starts;
mod strict;
mod strip;

#[cfg(test)]
mod testing;

pub use code::{WrapperCode, WrapperRefusal};
pub use influence::Influence;
pub use layer::{Layer, Wrapped};
pub use layers::{DEPTH_LIMIT, Found, Layers, layers};
pub use recognize::recognize;
pub use strip::{Stripped, strip};
