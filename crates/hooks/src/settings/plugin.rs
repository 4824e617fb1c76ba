//! opencode's plugin: a file that is all ours.

use std::path::Path;

use super::{HookCommand, SettingsError, Status};

const TEMPLATE: &str = include_str!("plugin.js");
const MADE: &str = "// Made by `innercmd hook install opencode`";
const WORDS: &str = "// command: ";

/// The plugin that starts `command`.
pub(super) fn install(file: &Path, before: Option<&str>, command: &HookCommand) -> Result<String, SettingsError> {
    if before.is_some_and(|before| !before.starts_with(MADE)) {
        let problem = "the file is not one that this command made".to_owned();
        return Err(SettingsError::Unreadable { file: file.to_owned(), problem });
    }
    let program = command.program().to_string_lossy().into_owned();
    let words: Vec<&str> =
        std::iter::once(program.as_str()).chain(command.arguments().iter().map(String::as_str)).collect();
    // A JSON text on one line, and that again as a text of JavaScript, in which these two end a line too.
    let words = serde_json::json!(words).to_string();
    let literal = serde_json::json!(words).to_string().replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029");
    Ok(TEMPLATE.replace("// __COMMAND__", &format!("{WORDS}{literal}")).replace("__WORDS__", &literal))
}

/// The command that the plugin `text` starts.
pub(super) fn found(text: &str) -> Status {
    let line = text.lines().filter(|_| text.starts_with(MADE)).find_map(|line| line.strip_prefix(WORDS));
    let words = line.and_then(|literal| serde_json::from_str::<String>(literal).ok());
    let words = words.and_then(|words| serde_json::from_str::<Vec<String>>(&words).ok());
    match words.map(Vec::into_iter).and_then(|mut words| Some((words.next()?, words.collect()))) {
        Some((program, arguments)) => Status::Installed(HookCommand::from_parts(program, arguments)),
        None => Status::Absent,
    }
}
