//! Claude Code's `PreToolUse`; see docs/hosts/claude-code.md.

use innercmd_authorizer::GateGrant;
use serde_json::{Value, json};

use crate::{CallShell, HookCode, ShellCall, answer::Answer, call::Members};

/// What the tools that run commands are told beside the command.
const BASH: &[&str] = &["command", "description", "timeout", "run_in_background", "dangerouslyDisableSandbox"];
const MONITOR: &[&str] = &["command", "description", "timeout_ms", "persistent"];

pub(crate) fn question(input: &Value) -> Result<Option<ShellCall>, HookCode> {
    let input = Members::of(input)?;
    if input.text("hook_event_name")? != "PreToolUse" {
        return Ok(None);
    }
    let (known, shell) = match input.text("tool_name")? {
        "Bash" => (BASH, CallShell::Users),
        "Monitor" => (MONITOR, CallShell::Users),
        "PowerShell" => (BASH, CallShell::Other),
        _ => return Ok(None),
    };
    let tool = input.object("tool_input")?;
    tool.only(known)?;
    let (command, cwd) = (tool.text("command")?.to_owned(), input.directory("cwd")?.to_owned());
    Ok(Some(ShellCall { command, cwd, project: None, shell }))
}

pub(crate) fn reply(answer: &Answer) -> String {
    let (decision, reason) = match answer {
        // No decision: Claude Code's own rules and modes count.
        Answer::Pass => return String::new(),
        Answer::Allow(grant) => {
            let why = match **grant {
                GateGrant::Policy(_) => "the policy allows it",
                GateGrant::Link { .. } => "the policy allows it without its wrapper",
            };
            ("allow", format!("[innercmd] {why}"))
        }
        Answer::Ask(why) => ("ask", why.to_ask()),
        Answer::Deny(why) => ("deny", why.to_deny()),
    };
    let output = json!({
        "hookEventName": "PreToolUse",
        "permissionDecision": decision,
        "permissionDecisionReason": reason,
    });
    json!({ "hookSpecificOutput": output }).to_string()
}
