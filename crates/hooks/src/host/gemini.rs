//! Gemini CLI's `BeforeTool`; see docs/hosts/gemini.md.

use serde_json::{Value, json};

use crate::{
    CallShell, HookCode, ShellCall,
    answer::Answer,
    call::{Members, resolve},
};

pub(crate) fn question(input: &Value) -> Result<Option<ShellCall>, HookCode> {
    let input = Members::of(input)?;
    if input.text("hook_event_name")? != "BeforeTool" || input.text("tool_name")? != "run_shell_command" {
        return Ok(None);
    }
    let tool = input.object("tool_input")?;
    tool.only(&["command", "description", "dir_path", "is_background", "delay_ms"])?;
    let session = input.directory("cwd")?;
    let cwd = resolve(session, tool.optional_text("dir_path")?.unwrap_or_default())?;
    let project = Some(session.to_owned());
    Ok(Some(ShellCall { command: tool.text("command")?.to_owned(), cwd, project, shell: CallShell::Bash }))
}

pub(crate) fn reply(answer: &Answer) -> String {
    match answer {
        // With nothing on standard output Gemini CLI would read standard error as the answer.
        Answer::Pass | Answer::Allow(_) => json!({}),
        Answer::Ask(why) => json!({ "decision": "ask", "systemMessage": why.to_ask() }),
        Answer::Deny(why) => json!({ "decision": "deny", "reason": why.to_deny() }),
    }
    .to_string()
}
