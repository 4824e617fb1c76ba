//! The harnesses: how each asks, and what it understands.

use serde_json::Value;

use crate::{Asking, HookCode, ShellCall, answer::Answer};

mod claude_code;
mod codex;
mod cursor;
mod gemini;
mod opencode;

/// A harness whose hooks are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::EnumIter, strum::IntoStaticStr, strum::Display)]
#[strum(serialize_all = "kebab-case")]
pub enum Host {
    /// Claude Code: `PreToolUse`.
    ClaudeCode,
    /// Codex: `PreToolUse`.
    Codex,
    /// Gemini CLI: `BeforeTool`.
    Gemini,
    /// opencode: `tool.execute.before`, by a plugin.
    Opencode,
    /// Cursor: `beforeShellExecution`.
    Cursor,
}

impl Host {
    /// The name, as the command line takes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The environment variable in which the harness tells its hooks the directory of the session.
    #[must_use]
    pub fn project_variable(self) -> Option<&'static str> {
        match self {
            Self::ClaudeCode => Some("CLAUDE_PROJECT_DIR"),
            Self::Gemini => Some("GEMINI_PROJECT_DIR"),
            Self::Cursor => Some("CURSOR_PROJECT_DIR"),
            Self::Codex | Self::Opencode => None,
        }
    }

    /// The environment variables in which the harness is told which shell to use, the first that is set counting.
    #[must_use]
    pub fn shell_variables(self) -> &'static [&'static str] {
        match self {
            Self::ClaudeCode => &["CLAUDE_CODE_SHELL", "SHELL"],
            Self::Codex | Self::Gemini | Self::Opencode | Self::Cursor => &["SHELL"],
        }
    }

    /// What an ask becomes where nothing else is chosen: a prompt where that is sure to hold, else a block.
    pub(crate) fn asking(self) -> Asking {
        match self {
            Self::ClaudeCode => Asking::Prompt,
            Self::Codex | Self::Gemini | Self::Opencode | Self::Cursor => Asking::Block,
        }
    }

    /// Whether there is an allow that leaves the harness's own deny rules in force.
    pub(crate) fn knows_allow(self) -> bool {
        self == Self::ClaudeCode
    }

    /// Whether the harness, in some of its versions and modes, asks its user where a hook says so.
    pub(crate) fn knows_ask(self) -> bool {
        match self {
            Self::ClaudeCode | Self::Gemini | Self::Cursor => true,
            Self::Codex | Self::Opencode => false,
        }
    }

    /// The command that `input` asks about; none where it asks about something else.
    pub(crate) fn question(self, input: &Value) -> Result<Option<ShellCall>, HookCode> {
        match self {
            Self::ClaudeCode => claude_code::question(input),
            Self::Codex => codex::question(input),
            Self::Gemini => gemini::question(input),
            Self::Opencode => opencode::question(input),
            Self::Cursor => cursor::question(input),
        }
    }

    /// The answer in the harness's own form: what the hook writes before it exits with 0.
    pub(crate) fn reply(self, answer: &Answer) -> String {
        match self {
            Self::ClaudeCode => claude_code::reply(answer),
            Self::Codex => codex::reply(answer),
            Self::Gemini => gemini::reply(answer),
            Self::Opencode => opencode::reply(answer),
            Self::Cursor => cursor::reply(answer),
        }
    }
}
