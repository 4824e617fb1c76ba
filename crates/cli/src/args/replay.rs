use std::path::PathBuf;

use clap::Args;

use super::{Format, PolicyArguments};

#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// Past sessions: files, directories that are searched for `.jsonl` files, or `-` for standard input.
    ///
    /// Session files of Pi, transcripts of Claude Code, and JSON lines with a `command` (and perhaps a `cwd`) are understood.
    #[arg(required = true, value_name = "SESSIONS")]
    pub(crate) sessions: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) policy: PolicyArguments,
    /// Another policy file: what would be decided otherwise by it, and what it would newly allow.
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Option<PathBuf>,
    /// The directory of commands that were recorded without one; the current one if not given.
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
    /// The agent on whose behalf the commands ran.
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Leaves the link out: the policy alone answers.
    #[arg(long)]
    pub(crate) policy_only: bool,
    /// How many lines each table has at most.
    #[arg(long, default_value_t = 10, value_name = "NUMBER")]
    pub(crate) top: usize,
    /// Writes the report as a page of its own, too.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// How to write the report.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}
