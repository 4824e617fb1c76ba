//! What a line of a past session says was run.

use serde_json::Value;

/// A command that an agent asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) command: String,
    /// The directory it was asked for in, where the line says so.
    pub(crate) cwd: Option<String>,
}

/// The line is no JSON object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unreadable;

/// The directory that a session of Pi begins in, where `line` is its first.
pub(crate) fn session_directory(line: &[u8]) -> Option<String> {
    // The key stands at the beginning; only such a line is worth reading twice.
    memchr::memmem::find(line.get(..64).unwrap_or(line), b"\"session\"")?;
    let header: Value = serde_json::from_slice(line).ok()?;
    if text(&header, "type") != Some("session") {
        return None;
    }
    text(&header, "cwd").map(str::to_owned)
}

/// The commands of a line: a message of Pi or of Claude Code that calls the Bash tool, or an object with a `command`.
pub(crate) fn asked(line: &[u8]) -> Result<Vec<Asked>, Unreadable> {
    // Of most lines of a session nothing is needed but that they hold no command.
    if memchr::memmem::find(line, b"\"command\"").is_none() {
        let object = line.trim_ascii();
        return if object.is_empty() || object.starts_with(b"{") && object.ends_with(b"}") {
            Ok(vec![])
        } else {
            Err(Unreadable)
        };
    }
    let line: Value = serde_json::from_slice(line).map_err(|_| Unreadable)?;
    let Some(object) = line.as_object() else { return Err(Unreadable) };
    let cwd = text(&line, "cwd").map(str::to_owned);
    if let Some(command) = object.get("command").and_then(Value::as_str) {
        return Ok(vec![Asked { command: command.to_owned(), cwd }]);
    }
    let message = object.get("message").filter(|message| text(message, "role") == Some("assistant"));
    let content = message.and_then(|message| message.get("content")).and_then(Value::as_array);
    let called = content.into_iter().flatten().filter_map(called);
    Ok(called.map(|command| Asked { command: command.to_owned(), cwd: cwd.clone() }).collect())
}

/// The command of a call of the Bash tool.
fn called(block: &Value) -> Option<&str> {
    let arguments = match text(block, "type")? {
        "toolCall" => block.get("arguments")?,
        "tool_use" => block.get("input")?,
        _ => return None,
    };
    let is_bash = text(block, "name")?.eq_ignore_ascii_case("bash");
    arguments.get("command").and_then(Value::as_str).filter(|_| is_bash)
}

fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::plain(r#"{"command":"ls","cwd":"/w"}"#, &[("ls", Some("/w"))])]
    #[case::plain_with_more(r#"{"id":1,"command":"ls\nrm x"}"#, &[("ls\nrm x", None)])]
    #[case::pi(
        r#"{"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"x"},{"type":"toolCall","name":"bash","arguments":{"command":"a"}},{"type":"toolCall","name":"bash","arguments":{"command":"b"}}]}}"#,
        &[("a", None), ("b", None)]
    )]
    #[case::claude(
        r#"{"type":"assistant","cwd":"/w","message":{"role":"assistant","content":[{"type":"tool_use","name":"Bash","input":{"command":"a"}}]}}"#,
        &[("a", Some("/w"))]
    )]
    #[case::another_tool(
        r#"{"message":{"role":"assistant","content":[{"type":"tool_use","name":"Task","input":{"command":"a"}}]}}"#, &[]
    )]
    #[case::a_result(
        r#"{"message":{"role":"user","content":[{"type":"tool_use","name":"Bash","input":{"command":"a"}}]}}"#, &[]
    )]
    #[case::text(r#"{"message":{"role":"assistant","content":"a \"command\" of text"}}"#, &[])]
    #[case::no_text(r#"{"command":5}"#, &[])]
    #[case::nothing(r#"{"type":"session"}"#, &[])]
    #[case::empty("", &[])]
    fn a_line_says_what_was_run(#[case] line: &str, #[case] expected: &[(&str, Option<&str>)]) {
        let found = asked(line.as_bytes()).unwrap();
        let found: Vec<_> = found.iter().map(|asked| (asked.command.as_str(), asked.cwd.as_deref())).collect();
        assert_eq!(found, expected);
    }

    #[rstest]
    #[case::no_json("ls -l")]
    #[case::cut(r#"{"command":"l"#)]
    #[case::array(r#"["command"]"#)]
    fn a_line_that_is_no_object_is_unreadable(#[case] line: &str) {
        assert_eq!(asked(line.as_bytes()), Err(Unreadable));
    }

    #[test]
    fn a_session_begins_with_its_directory() {
        assert_eq!(session_directory(br#"{"type":"session","version":3,"cwd":"/w"}"#).as_deref(), Some("/w"));
        assert_eq!(session_directory(br#"{"type":"message","name":"session","cwd":"/w"}"#), None);
    }
}
