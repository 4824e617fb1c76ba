//! Settings that are JSON, with comments or without.

use std::path::Path;

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use serde_json::{Value, json};

use super::{HookCommand, SettingsError, Status};
use crate::Host;

/// The text with the hook in it, and with it once.
pub(super) fn install(host: Host, file: &Path, text: &str, command: &HookCommand) -> Result<String, SettingsError> {
    let line = command.line()?;
    let root = parse(file, text)?;
    let wrong = |what: &str| unreadable(file, format!("`{what}` is not what {host} reads"));
    let settings = root.object_value_or_create().ok_or_else(|| wrong("the file"))?;
    if host == Host::Cursor && settings.get("version").is_none() {
        settings.append("version", 1_u64.into());
    }
    let hooks = settings.object_value_or_create("hooks").ok_or_else(|| wrong("hooks"))?;
    let entries = hooks.array_value_or_create(event(host)).ok_or_else(|| wrong(event(host)))?;
    let entry = entry(host, &line);
    let ours = own(host, &entries);
    if let [only] = ours.as_slice()
        && only.to_serde_value().as_ref() == Some(&entry)
    {
        return Ok(text.to_owned());
    }
    ours.into_iter().for_each(|node| remove(host, node));
    entries.append(input(&entry));
    entries.ensure_multiline();
    let end = if text.trim().is_empty() && !root.to_string().ends_with('\n') { "\n" } else { "" };
    Ok(format!("{root}{end}"))
}

/// The text without the hook; none where nothing else is in it.
pub(super) fn uninstall(host: Host, file: &Path, text: &str) -> Result<Option<String>, SettingsError> {
    let root = parse(file, text)?;
    let Some((settings, hooks, entries)) = entries(host, &root) else { return Ok(Some(text.to_owned())) };
    own(host, &entries).into_iter().for_each(|node| remove(host, node));
    if entries.elements().is_empty()
        && let Some(property) = hooks.get(event(host))
    {
        property.remove();
    }
    if hooks.properties().is_empty()
        && let Some(property) = settings.get("hooks")
    {
        property.remove();
    }
    let text = root.to_string();
    let nothing = match root.to_serde_value() {
        Some(Value::Object(left)) => left.is_empty() || (host == Host::Cursor && left.keys().eq(["version"])),
        _ => false,
    };
    let comments = text.contains("//") || text.contains("/*");
    Ok(if nothing && !comments { None } else { Some(text) })
}

/// The hook in `text`.
pub(super) fn found(host: Host, file: &Path, text: &str) -> Result<Status, SettingsError> {
    let root = parse(file, text)?;
    let Some((_, _, entries)) = entries(host, &root) else { return Ok(Status::Absent) };
    let values = entries.elements().into_iter().filter_map(|node| node.to_serde_value());
    let mut commands = values.filter_map(|value| commands(&value).find_map(|line| HookCommand::parse(host, line)));
    Ok(commands.next().map_or(Status::Absent, Status::Installed))
}

fn parse(file: &Path, text: &str) -> Result<CstRootNode, SettingsError> {
    CstRootNode::parse(text, &ParseOptions::default()).map_err(|error| unreadable(file, error.to_string()))
}

fn unreadable(file: &Path, problem: String) -> SettingsError {
    SettingsError::Unreadable { file: file.to_owned(), problem }
}

fn entries(host: Host, root: &CstRootNode) -> Option<(CstObject, CstObject, CstArray)> {
    let settings = root.object_value()?;
    let hooks = settings.object_value("hooks")?;
    let entries = hooks.array_value(event(host))?;
    Some((settings, hooks, entries))
}

/// Under which event the harness looks for the hook.
fn event(host: Host) -> &'static str {
    match host {
        Host::ClaudeCode | Host::Codex => "PreToolUse",
        Host::Gemini => "BeforeTool",
        Host::Cursor => "beforeShellExecution",
        Host::Opencode => "",
    }
}

/// The hook as the harness reads it. Its time-outs are far beyond the hook's own: a harness that gives a hook up runs the command.
fn entry(host: Host, line: &str) -> Value {
    match host {
        Host::ClaudeCode => json!({
            "matcher": "Bash|Monitor|PowerShell",
            "hooks": [{ "type": "command", "command": line, "timeout": 60, "onFailure": "block" }],
        }),
        Host::Codex | Host::Opencode => json!({
            "matcher": "^Bash$",
            "hooks": [{ "type": "command", "command": line, "timeout": 60 }],
        }),
        Host::Gemini => json!({
            "matcher": "^run_shell_command$",
            "hooks": [{ "name": "innercmd", "type": "command", "command": line, "timeout": 60_000 }],
        }),
        Host::Cursor => json!({ "command": line, "timeout": 60, "failClosed": true }),
    }
}

/// The command lines of an entry.
fn commands(entry: &Value) -> impl Iterator<Item = &str> {
    let nested = entry.get("hooks").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    std::iter::once(entry).chain(nested).filter_map(|hook| hook.get("command")?.as_str())
}

/// The entries that hold the hook.
fn own(host: Host, entries: &CstArray) -> Vec<CstNode> {
    let is_own = |node: &CstNode| {
        node.to_serde_value().is_some_and(|value| commands(&value).any(|line| HookCommand::parse(host, line).is_some()))
    };
    entries.elements().into_iter().filter(is_own).collect()
}

/// Removes the hook from its entry, and the entry where it holds nothing else.
fn remove(host: Host, entry: CstNode) {
    let is_own = |node: &CstNode| {
        let value = node.to_serde_value();
        value.is_some_and(|value| commands(&value).any(|line| HookCommand::parse(host, line).is_some()))
    };
    let nested = entry.as_object().and_then(|entry| entry.array_value("hooks")).map(|hooks| hooks.elements());
    let others = nested.as_ref().is_some_and(|hooks| hooks.iter().any(|hook| !is_own(hook)));
    match nested {
        Some(hooks) if others => hooks.into_iter().filter(is_own).for_each(CstNode::remove),
        Some(_) | None => entry.remove(),
    }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => (*value).into(),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => text.as_str().into(),
        Value::Array(values) => CstInputValue::Array(values.iter().map(input).collect()),
        Value::Object(members) => {
            CstInputValue::Object(members.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}
