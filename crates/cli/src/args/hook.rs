use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::PolicyArguments;

#[derive(Debug, Subcommand)]
pub(crate) enum HookCommand {
    /// Answers `PreToolUse` of Claude Code, read from standard input.
    ClaudeCode(Answering),
    /// Answers `PreToolUse` of Codex, read from standard input.
    Codex(Answering),
    /// Answers `BeforeTool` of Gemini CLI, read from standard input.
    Gemini(Answering),
    /// Answers `tool.execute.before` of opencode, as the plugin writes it to standard input.
    Opencode(Answering),
    /// Answers `beforeShellExecution` of Cursor, read from standard input.
    Cursor(Answering),
    /// Puts the hook into the settings of a harness.
    Install(Install),
    /// Takes the hook out of the settings of a harness.
    Uninstall(Settings),
    /// Says where the hook is installed, and whether the program it starts is there.
    Status {
        /// Also looks at the settings of the project in this directory, not only at the current one's.
        #[arg(long, value_name = "DIR")]
        project: Option<PathBuf>,
    },
}

#[derive(Clone, Debug, Args)]
pub(crate) struct Install {
    #[command(flatten)]
    pub(crate) settings: Settings,
    /// The program that the harness starts; this one if not given.
    #[arg(long, value_name = "FILE")]
    pub(crate) program: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) answering: Answering,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct Settings {
    /// The harness.
    #[arg(value_enum)]
    pub(crate) host: Harness,
    /// Changes the settings of the project in the current directory, not the user's own.
    #[arg(long)]
    pub(crate) project: bool,
    /// Shows the change, and makes none.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Harness {
    ClaudeCode,
    Codex,
    Gemini,
    Opencode,
    Cursor,
}

/// The default of `--deadline`, in milliseconds.
pub(crate) const DEADLINE: u64 = 5_000;

/// How a hook answers.
#[derive(Clone, Debug, Args)]
pub(crate) struct Answering {
    #[command(flatten)]
    pub(crate) policy: PolicyArguments,
    /// The agent on whose behalf commands would run.
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Leaves the link out: the policy alone answers.
    #[arg(long)]
    pub(crate) policy_only: bool,
    /// Answers that a command may run where the policy allows it, so that the harness leaves its own prompt out; Claude Code alone.
    ///
    /// Without it the harness decides about such a command by its own rules, as if there were no hook.
    #[arg(long)]
    pub(crate) allow: bool,
    /// What becomes of a command that the policy asks about; without it a prompt in Claude Code, else a block.
    #[arg(long, value_enum, value_name = "HOW")]
    pub(crate) ask: Option<Ask>,
    /// The shell that the harness runs commands with, where it is not the user's own: `bash`.
    #[arg(long, value_name = "NAME")]
    pub(crate) shell: Option<String>,
    /// After how many milliseconds a command that is not judged yet is held back.
    #[arg(long, value_name = "MS", default_value_t = DEADLINE)]
    pub(crate) deadline: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Ask {
    /// The harness asks its user: Claude Code, and Gemini CLI and Cursor in some versions and modes.
    Prompt,
    /// The command does not run, and the agent is told what needs approval.
    Block,
    /// The harness decides by its own rules.
    Leave,
}
