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
}

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
    #[arg(long, value_name = "MS", default_value_t = 5_000)]
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
