//! Codex's `PreToolUse`; see docs/hosts/codex.md.

use serde_json::{Value, json};

use crate::{CallShell, HookCode, ShellCall, answer::Answer, call::Members};

pub(crate) fn question(input: &Value) -> Result<Option<ShellCall>, HookCode> {
    let input = Members::of(input)?;
    if input.text("hook_event_name")? != "PreToolUse" || input.text("tool_name")? != "Bash" {
        return Ok(None);
    }
    let tool = input.object("tool_input")?;
    tool.only(&["command"])?;
    let (command, cwd) = (tool.text("command")?.to_owned(), input.directory("cwd")?.to_owned());
    Ok(Some(ShellCall { command, cwd, project: None, shell: CallShell::Users }))
}

pub(crate) fn reply(answer: &Answer) -> String {
    match answer {
        // Codex takes an allow, an ask, and every member that it does not know, for a failure of the hook, and runs the command.
        Answer::Pass | Answer::Allow(_) => String::new(),
        Answer::Ask(why) | Answer::Deny(why) => {
            let output = json!({
                "hookEventName": "PreToolUse",
                "permissionDecision": "deny",
                "permissionDecisionReason": why.to_deny(),
            });
            json!({ "hookSpecificOutput": output }).to_string()
        }
    }
}
