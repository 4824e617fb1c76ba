//! Cursor's `beforeShellExecution`; see docs/hosts/cursor.md.

use serde_json::{Value, json};

use crate::{CallShell, HookCode, ShellCall, answer::Answer, call::Members};

pub(crate) fn question(input: &Value) -> Result<Option<ShellCall>, HookCode> {
    let input = Members::of(input)?;
    match input.text("hook_event_name")? {
        "beforeShellExecution" => {}
        // The general event tells of commands too, but not for sure where they would run.
        "preToolUse" if input.text("tool_name")? == "Shell" => return Err(HookCode::UnknownShape),
        _ => return Ok(None),
    }
    let (command, cwd) = (input.text("command")?.to_owned(), input.directory("cwd")?.to_owned());
    Ok(Some(ShellCall { command, cwd, project: None, shell: CallShell::Users }))
}

pub(crate) fn reply(answer: &Answer) -> String {
    match answer {
        // Where failures block, silence is a failure. Cursor's own allow-list counts all the same.
        Answer::Pass | Answer::Allow(_) => json!({ "permission": "allow" }),
        Answer::Ask(why) => json!({
            "permission": "ask", "user_message": why.to_ask(), "agent_message": why.to_ask(),
        }),
        Answer::Deny(why) => json!({
            "permission": "deny", "user_message": why.to_deny(), "agent_message": why.to_deny(),
        }),
    }
    .to_string()
}
