use serde_json::Value;

use crate::ask::LocalAsk;
use crate::fields::{Object, agent, expect_text, list, nullable_text, object, text};
use crate::text::ends_in_bare_backslash;
use crate::{CommandEvidence, EvidenceCode, Provenance, Refusal};

/// The label of the evidence entry that carries the whole command.
const FULL_COMMAND: &str = "full command";

/// Reads the evidence out of the structured payload of a request (ADR 0002; permission system 25.3 and newer).
///
/// # Errors
/// A [`Refusal`] unless the request is a local ask of the native `bash` tool in every field that says so, and its payload
/// gives one full command or, by leaving it out, says that the unit is the whole.
pub fn from_payload(details: &Value) -> Result<CommandEvidence, Refusal> {
    read(details).map_err(|code| Refusal::of(details, code))
}

fn read(details: &Value) -> Result<CommandEvidence, EvidenceCode> {
    let ask = LocalAsk::read(details)?;
    let payload = payload_of(ask.details)?;
    let request = object(payload, "request", EvidenceCode::RequestMalformed)?;
    let requester = object(request, "requester", EvidenceCode::RequesterMalformed)?;
    // Forwarding first: a forwarded ask differs in other fields as well, and this is the cause to name.
    expect_local(requester)?;
    expect_bash(payload, request)?;
    expect_same_agent(&ask, requester)?;

    let unit = text(request, "value", EvidenceCode::ValueMalformed)?;
    expect_projection(ask.details, unit)?;
    let (full, provenance) = match full_command_entry(payload)? {
        Some(full) => (full, Provenance::FullCommandEntry),
        None => (whole_unit(request, unit)?, Provenance::RequestValue),
    };
    // The builder trims the command. After a bare backslash that may have removed a quoted blank, which is part of a word.
    if ends_in_bare_backslash(full) {
        return Err(EvidenceCode::TrailingBackslash);
    }
    CommandEvidence::new(ask, unit, full, provenance)
}

fn payload_of(details: &Object) -> Result<&Object, EvidenceCode> {
    match details.get("payload") {
        None | Some(Value::Null) => Err(EvidenceCode::PayloadMissing),
        Some(payload) => payload.as_object().ok_or(EvidenceCode::PayloadMalformed),
    }
}

fn expect_local(requester: &Object) -> Result<(), EvidenceCode> {
    match requester.get("forwarded").and_then(Value::as_bool) {
        Some(false) => {}
        Some(true) => return Err(EvidenceCode::Forwarded),
        None => return Err(EvidenceCode::RequesterForwardedMalformed),
    }
    nullable_text(requester, "sessionId", EvidenceCode::RequesterSessionMalformed).map(drop)
}

fn expect_bash(payload: &Object, request: &Object) -> Result<(), EvidenceCode> {
    expect_text(payload, "kind", "bash", EvidenceCode::KindMalformed, EvidenceCode::OtherKind)?;
    expect_text(request, "surface", "bash", EvidenceCode::SurfaceMalformed, EvidenceCode::OtherSurface)?;
    expect_text(request, "toolName", "bash", EvidenceCode::RequestToolMalformed, EvidenceCode::OtherRequestTool)?;
    match nullable_text(request, "invokedToolName", EvidenceCode::InvokedToolMalformed)? {
        None => Ok(()),
        Some(_) => Err(EvidenceCode::Aliased),
    }
}

/// The agent selects the policy, so the request and its payload must not name two.
fn expect_same_agent(ask: &LocalAsk<'_>, requester: &Object) -> Result<(), EvidenceCode> {
    let requesting = agent(requester, "agentName", EvidenceCode::RequesterAgentMalformed)?;
    if requesting == ask.agent { Ok(()) } else { Err(EvidenceCode::AgentInconsistent) }
}

/// `details.command` is the projection of older versions: it may be absent, and where it is there it says the same.
fn expect_projection(details: &Object, unit: &str) -> Result<(), EvidenceCode> {
    match details.get("command") {
        None => Ok(()),
        Some(Value::String(command)) if command == unit => Ok(()),
        Some(Value::String(_)) => Err(EvidenceCode::CommandInconsistent),
        Some(_) => Err(EvidenceCode::CommandMalformed),
    }
}

/// Finds the one `full command` entry, if there is one. Every entry must be readable: an unreadable one could be it.
fn full_command_entry(payload: &Object) -> Result<Option<&str>, EvidenceCode> {
    let mut found = None;
    for entry in list(payload, "evidence", EvidenceCode::EvidenceMalformed)? {
        let entry = entry.as_object().ok_or(EvidenceCode::EvidenceEntryMalformed)?;
        let label = text(entry, "label", EvidenceCode::EvidenceEntryMalformed)?;
        let text = text(entry, "text", EvidenceCode::EvidenceEntryMalformed)?;
        if label == FULL_COMMAND {
            if found.replace(text).is_some() {
                return Err(EvidenceCode::FullCommandDuplicate);
            }
        } else if resembles_full_command(label) {
            return Err(EvidenceCode::FullCommandMislabelled);
        }
    }
    Ok(found)
}

/// Whether a label is `full command` in another spelling. Were it taken for something else, the unit would pass for the
/// whole command.
fn resembles_full_command(label: &str) -> bool {
    let letters =
        |text: &str| -> String { text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect() };
    letters(label) == letters(FULL_COMMAND)
}

/// Takes the unit for the whole command, as the builder's leaving the entry out says; a unit that stands inside a
/// substitution or a subshell cannot be the whole.
fn whole_unit<'a>(request: &Object, unit: &'a str) -> Result<&'a str, EvidenceCode> {
    match request.get("commandContext") {
        None | Some(Value::Null) => Ok(unit),
        Some(Value::String(_)) => Err(EvidenceCode::FullCommandMissing),
        Some(_) => Err(EvidenceCode::ContextMalformed),
    }
}
