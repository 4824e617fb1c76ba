//! Answers the hooks of coding agents that are about to run Bash, and installs itself into their settings.
//!
//! A harness starts the hook with its question on standard input. [`Manner::answer`] reads the question, has the command judged, and
//! renders the answer in the harness's own form; [`guarded`] sees to it that there is an answer in time. What each harness does with
//! an answer, with silence, and with a hook that fails, is in `docs/hosts`.
//!
//! # Invariants
//! - Whatever fails, the command does not run by it: what cannot be read, judged or answered in time is asked about where the harness
//!   asks, else blocked.
//! - An allow is silence, unless the harness keeps its own deny rules in force beside it and the user has opted in.
//! - What a harness sends beside the command and is not known is asked about: it may change what would run.
//! - Settings are changed where the hook stands and nowhere else, by one atomic write with a backup.
//!
//! # Non-goals
//! - Finding policies: the caller brings a [`Ruling`].
//! - Other tools than the shell: harnesses decide about them as if there were no hook.

mod code;
mod call;
mod text;
mod ruling;
mod answer;
mod guard;
mod host;
mod settings;

pub use answer::{Allowing, Asking, Manner, Unsupported};
pub use call::{CallShell, ShellCall};
pub use code::HookCode;
pub use guard::guarded;
pub use host::Host;
pub use ruling::{Bench, Ruling, Why};
pub use settings::{Change, HookCommand, Places, Scope, SettingsError, Status, install, status, uninstall};
