use serde_json::Value;

use crate::EvidenceCode;
use crate::fields::{list, object, text};
use crate::text::is_blank;

/// What a session entry means to a search for tool calls.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entry<'a> {
    /// A message of the assistant, with its content blocks.
    Assistant(&'a [Value]),
    /// The result of the tool call with this id.
    ToolResult(&'a str),
    /// Something that holds no tool call.
    Other,
}

impl<'a> Entry<'a> {
    /// Reads an entry by its type and role; one that does not tell them may be anything, so it is an error.
    pub(crate) fn read(entry: &'a Value) -> Result<Self, EvidenceCode> {
        let entry = entry.as_object().ok_or(EvidenceCode::SessionEntryMalformed)?;
        if text(entry, "type", EvidenceCode::SessionEntryMalformed)? != "message" {
            return Ok(Self::Other);
        }
        let malformed = EvidenceCode::SessionMessageMalformed;
        let message = object(entry, "message", malformed)?;
        match text(message, "role", malformed)? {
            "assistant" => list(message, "content", malformed).map(Self::Assistant),
            "toolResult" => text(message, "toolCallId", malformed).map(Self::ToolResult),
            _ => Ok(Self::Other),
        }
    }
}

/// A content block of an assistant message.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Block<'a> {
    ToolCall { id: &'a str, name: &'a str, arguments: Option<&'a Value> },
    Other { id: Option<&'a Value> },
}

impl<'a> Block<'a> {
    pub(crate) fn read(block: &'a Value) -> Result<Self, EvidenceCode> {
        let malformed = EvidenceCode::SessionBlockMalformed;
        let block = block.as_object().ok_or(malformed)?;
        if text(block, "type", malformed)? != "toolCall" {
            return Ok(Self::Other { id: block.get("id") });
        }
        let (id, name) = (text(block, "id", malformed)?, text(block, "name", malformed)?);
        Ok(Self::ToolCall { id, name, arguments: block.get("arguments") })
    }
}

/// Reads the command out of the arguments of a `bash` tool call.
pub(crate) fn command_in(arguments: Option<&Value>) -> Result<&str, EvidenceCode> {
    let command = arguments.and_then(|arguments| arguments.get("command")).and_then(Value::as_str);
    match command.ok_or(EvidenceCode::ArgumentsMalformed)? {
        command if is_blank(command) => Err(EvidenceCode::FullCommandBlank),
        command if command.contains('\0') => Err(EvidenceCode::NulInCommand),
        command => Ok(command),
    }
}
