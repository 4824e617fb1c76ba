//! Generates valid Bash from the grammar of the bash manual, and says which commands the text holds.
//!
//! A [`Generated`] text comes with what the generator *meant* by it: every simple command, assignment and redirection on any
//! path, in source order. Whoever reads Bash can be compared with that, without running anything.
//!
//! ```
//! let generated = innercmd_bash_gen::Generator::new(7, 20).program();
//! assert_eq!(generated, innercmd_bash_gen::Generator::new(7, 20).program());
//! assert!(!generated.text.is_empty());
//! ```
//!
//! # Invariants
//! - A text is a function of the seed and the size, or of the bytes, that it is made from. The random numbers are SplitMix64,
//!   kept here, so that no update of a library changes what a seed means.
//! - The grammar is the manual's; nothing here knows how the workspace reads Bash.
//! - Programs are marker names such as `ok` and `evil`, or builtins that touch nothing.
//! - Nesting is bounded, and the length of a text grows with the size asked for.
//!
//! # Non-goals
//! - Shapes whose reading differs between bash 5 versions, such as a newline in a substitution behind a pending here-document.
//! - Extended patterns outside `[[ … ]]`, aliases and history, which are off where bash is given a text to run.

mod random;
mod generated;
mod generator;
mod layout;
mod list;
mod compound;
mod conditional;
mod simple;
mod redirect;
mod heredoc;
mod word;
mod quoting;
mod braces;
mod expansion;
mod parameter;
mod mutate;
mod plain;
#[cfg(feature = "proptest")]
mod strategy;

pub use generated::{Argv, Assigned, Generated, Redirected};
pub use generator::Generator;
pub use mutate::mutate;
pub use plain::plain;
#[cfg(feature = "proptest")]
pub use strategy::{generated, near_valid};
