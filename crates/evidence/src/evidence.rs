use serde_json::Value;

use crate::ask::LocalAsk;
use crate::text::is_blank;
use crate::{EvidenceCode, Refusal, from_payload, from_session};

/// The proof of what the whole command of a request is.
///
/// INVARIANT: only [`from_payload`] and [`from_session`] make one, so that holding one means that every check has passed:
/// the request is a local call of the native `bash` tool, the full command is not blank and contains the triggering unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandEvidence {
    full_command: String,
    triggering_unit: String,
    agent: Option<String>,
    request_id: String,
    tool_call_id: String,
    provenance: Provenance,
}

impl CommandEvidence {
    pub(crate) fn new(ask: LocalAsk<'_>, unit: &str, full: &str, provenance: Provenance) -> Result<Self, EvidenceCode> {
        if is_blank(unit) {
            return Err(EvidenceCode::UnitBlank);
        }
        if is_blank(full) {
            return Err(EvidenceCode::FullCommandBlank);
        }
        if full.contains('\0') || unit.contains('\0') {
            return Err(EvidenceCode::NulInCommand);
        }
        if !full.contains(unit) {
            return Err(EvidenceCode::UnitNotInFullCommand);
        }
        Ok(Self {
            full_command: full.to_owned(),
            triggering_unit: unit.to_owned(),
            agent: ask.agent.map(str::to_owned),
            request_id: ask.request_id.to_owned(),
            tool_call_id: ask.tool_call_id.to_owned(),
            provenance,
        })
    }

    /// The whole command of the tool call.
    ///
    /// Out of a payload it is what is left after JavaScript's trim ([`js_trim`](crate::js_trim)); out of a session it is
    /// the text as the tool receives it.
    #[must_use]
    pub fn full_command(&self) -> &str {
        &self.full_command
    }

    /// The unit the request is about; it occurs in the full command.
    #[must_use]
    pub fn triggering_unit(&self) -> &str {
        &self.triggering_unit
    }

    /// The agent that asks, where it has a name.
    #[must_use]
    pub fn agent(&self) -> Option<&str> {
        self.agent.as_deref()
    }

    /// The id of the request.
    #[must_use]
    pub fn request_id(&self) -> &str {
        &self.request_id
    }

    /// The id of the tool call.
    #[must_use]
    pub fn tool_call_id(&self) -> &str {
        &self.tool_call_id
    }

    /// Where the full command was found.
    #[must_use]
    pub fn provenance(&self) -> Provenance {
        self.provenance
    }
}

/// Where the full command of a [`CommandEvidence`] was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, strum::EnumIter, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Provenance {
    /// The one `full command` entry of the payload.
    FullCommandEntry,
    /// The value of the payload's request: the builder leaves the entry out where the two are equal.
    RequestValue,
    /// The arguments of the tool call in the session.
    SessionToolCall,
}

/// Which source the host's permission system provides; the host declares it, and no request can change it.
///
/// ```
/// use innercmd_evidence::{EvidenceCode, EvidenceSource, parse_details};
///
/// let ask = parse_details(r#"{"requestId":"perm-1","source":"tool_call","agentName":null,"toolCallId":"call_1",
///     "toolName":"bash","command":"timeout 5 ls"}"#)?;
/// let refusal = EvidenceSource::Payload.read(&ask, &[]).unwrap_err();
/// assert_eq!(refusal.code, EvidenceCode::PayloadMissing); // and the session is not looked at
/// # Ok::<(), innercmd_evidence::Refusal>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, strum::EnumIter, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum EvidenceSource {
    /// The structured payload: permission system 25.3 and newer (ADR 0002).
    Payload,
    /// The session walk: permission systems older than 25.3, which have no payload (ADR 0001).
    SessionWalk,
}

impl EvidenceSource {
    /// Reads the evidence for `details` from the declared source; `entries` are the session's, oldest first, and only the
    /// walk reads them.
    ///
    /// # Errors
    /// A [`Refusal`] wherever the declared source does not establish the command; the other source is never tried.
    pub fn read(self, details: &Value, entries: &[Value]) -> Result<CommandEvidence, Refusal> {
        match self {
            Self::Payload => from_payload(details),
            Self::SessionWalk => from_session(details, entries),
        }
    }
}
