use serde_json::Value;

use crate::ask::LocalAsk;
use crate::fields::{Object, expect_text, object, text};
use crate::message::{Block, Entry, command_in};
use crate::{CommandEvidence, EvidenceCode, Provenance, Refusal};

/// Reads the evidence out of the session (ADR 0001; permission systems older than 25.3, which have no payload).
///
/// `entries` are the session's entries as they stand when the request is made, oldest first. The latest assistant message
/// that holds the tool call is the one that counts. On the way to it nothing is passed that might be it: an entry, a message
/// or a block that cannot be read ends the walk. So does a result of the same tool call, because a call that waits for
/// permission has none: the message behind it is an earlier call with the same id. To replay a past session, give the
/// entries up to the call ([`SessionLog::until`](crate::SessionLog::until)).
///
/// ```
/// use innercmd_evidence::{EvidenceCode, from_session, parse_details, session_entries};
///
/// let ask = r#"{"requestId":"perm-1","source":"tool_call","agentName":null,"toolCallId":"call_1","toolName":"bash",
///     "command":"timeout 5 ls"}"#;
/// let session = r#"{"type":"message","message":{"role":"assistant","content":[{"type":"toolCall","id":"call_1",
///     "name":"bash","arguments":{"command":"timeout 5 ls | wc -l"}}]}}"#.replace('\n', "");
/// let (ask, log) = (parse_details(ask)?, session_entries(&session));
/// assert_eq!(from_session(&ask, log.entries())?.full_command(), "timeout 5 ls | wc -l");
///
/// let refusal = from_session(&ask, &[]).unwrap_err();
/// assert_eq!(refusal.code, EvidenceCode::ToolCallNotFound);
/// # Ok::<(), innercmd_evidence::Refusal>(())
/// ```
///
/// # Errors
/// A [`Refusal`] unless the request is a local ask of the native `bash` tool without a payload, and the walk ends at exactly
/// one tool call of `bash` with a command that contains `details.command`.
pub fn from_session(details: &Value, entries: &[Value]) -> Result<CommandEvidence, Refusal> {
    read(details, entries).map_err(|code| Refusal::of(details, code))
}

fn read(details: &Value, entries: &[Value]) -> Result<CommandEvidence, EvidenceCode> {
    let ask = LocalAsk::read(details)?;
    // INVARIANT: a payload, in whatever state, is never passed over in favour of the walk.
    if ask.details.contains_key("payload") {
        return Err(EvidenceCode::PayloadUnexpected);
    }
    expect_bash_surface(ask.details)?;
    let unit = text(ask.details, "command", EvidenceCode::CommandMalformed)?;
    let full = recorded_command(ask.tool_call_id, entries)?;
    CommandEvidence::new(ask, unit, full, Provenance::SessionToolCall)
}

/// The path and directory gates ask about the same tool with the same command. Where a request names its surface, it must
/// be `bash`; older versions did not always name it.
fn expect_bash_surface(details: &Object) -> Result<(), EvidenceCode> {
    let (malformed, other) = (EvidenceCode::SurfaceMalformed, EvidenceCode::OtherSurface);
    let named = |key: &str| details.get(key).is_some_and(|value| !value.is_null());
    if named("surface") {
        expect_text(details, "surface", "bash", malformed, other)?;
    }
    for holder in ["accessIntent", "sessionApproval"] {
        if named(holder) {
            expect_text(object(details, holder, malformed)?, "surface", "bash", malformed, other)?;
        }
    }
    Ok(())
}

fn recorded_command<'a>(tool_call_id: &str, entries: &'a [Value]) -> Result<&'a str, EvidenceCode> {
    for entry in entries.iter().rev() {
        match Entry::read(entry)? {
            Entry::Assistant(blocks) => {
                if let Some(command) = command_of_call(tool_call_id, blocks)? {
                    return Ok(command);
                }
            }
            Entry::ToolResult(answered) if answered == tool_call_id => return Err(EvidenceCode::ToolCallAnswered),
            Entry::ToolResult(_) | Entry::Other => {}
        }
    }
    Err(EvidenceCode::ToolCallNotFound)
}

/// Finds the one call with the id in a message, if the message holds it, and reads its command. All blocks are read before
/// one is taken, so that none behind it can be a second one.
fn command_of_call<'a>(tool_call_id: &str, blocks: &'a [Value]) -> Result<Option<&'a str>, EvidenceCode> {
    let mut found = None;
    for block in blocks {
        match Block::read(block)? {
            Block::ToolCall { id, name, arguments } if id == tool_call_id => {
                if found.replace((name, arguments)).is_some() {
                    return Err(EvidenceCode::ToolCallDuplicate);
                }
            }
            Block::Other { id: Some(Value::String(id)) } if id == tool_call_id => {
                return Err(EvidenceCode::SessionBlockMalformed);
            }
            Block::ToolCall { .. } | Block::Other { .. } => {}
        }
    }
    match found {
        None => Ok(None),
        Some(("bash", arguments)) => command_in(arguments).map(Some),
        Some(_) => Err(EvidenceCode::SessionOtherTool),
    }
}
