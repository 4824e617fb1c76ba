//! opencode's `tool.execute.before`, as the plugin hands it on; see docs/hosts/opencode.md.

use serde_json::{Value, json};

use crate::{
    CallShell, HookCode, ShellCall,
    answer::Answer,
    call::{Members, resolve},
};

pub(crate) fn question(input: &Value) -> Result<Option<ShellCall>, HookCode> {
    let input = Members::of(input)?;
    if input.text("tool")? != "bash" {
        return Ok(None);
    }
    let tool = input.object("args")?;
    tool.only(&["command", "description", "timeout", "workdir"])?;
    let session = input.directory("directory")?;
    let cwd = resolve(session, tool.optional_text("workdir")?.unwrap_or_default())?;
    let project = Some(session.to_owned());
    Ok(Some(ShellCall { command: tool.text("command")?.to_owned(), cwd, project, shell: CallShell::Users }))
}

pub(crate) fn reply(answer: &Answer) -> String {
    match answer {
        Answer::Pass | Answer::Allow(_) => json!({ "decision": "pass" }),
        Answer::Ask(why) | Answer::Deny(why) => json!({ "decision": "deny", "reason": why.to_deny() }),
    }
    .to_string()
}
