use std::fmt;

use serde_json::Value;

use crate::text::is_blank;

/// The answer where no evidence could be established: why, and for which request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Why.
    pub code: EvidenceCode,
    /// Which request it answers, as far as that could be read.
    pub request_id: Option<String>,
}

impl Refusal {
    pub(crate) fn of(details: &Value, code: EvidenceCode) -> Self {
        let request_id = details.get("requestId").and_then(Value::as_str).filter(|id| !is_blank(id));
        Self { code, request_id: request_id.map(str::to_owned) }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no command evidence ({}): {}", self.code.code(), self.code.description())
    }
}

impl std::error::Error for Refusal {}

/// Why there is no evidence of what the whole command is.
///
/// The wire form is `evidence:` and the name in kebab case; the first line of each description explains it to people.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, strum::EnumIter, strum::EnumMessage, strum::IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case", prefix = "evidence:")]
#[non_exhaustive]
pub enum EvidenceCode {
    /// The text is not one valid JSON value, or nests too deep to be read.
    MalformedJson,
    /// The text holds one half of a surrogate pair, which is no character.
    LoneSurrogate,
    /// An object names one key twice, and readers differ in which of the two counts.
    DuplicateKey,
    /// There is no `details` object.
    DetailsMissing,
    /// The request id is missing or is not a text with something in it.
    RequestIdMalformed,
    /// The source of the request is missing or is not a text.
    SourceMalformed,
    /// The request does not come from a tool call.
    NotAToolCall,
    /// The request was forwarded from another agent's session.
    Forwarded,
    /// The tool name of the request is missing or is not a text.
    ToolNameMalformed,
    /// The request is about another tool than `bash`.
    OtherTool,
    /// The tool call id is missing or is not a text with something in it.
    ToolCallIdMalformed,
    /// The name of the agent is missing or is neither null nor a text with something in it.
    AgentNameMalformed,
    /// The projected command of the request is not a text where it has to be one.
    CommandMalformed,
    /// The triggering unit is blank.
    UnitBlank,
    /// The full command is blank.
    FullCommandBlank,
    /// The command holds the character U+0000, which bash cannot receive.
    NulInCommand,
    /// The full command does not contain the triggering unit.
    UnitNotInFullCommand,

    /// The request has no payload.
    PayloadMissing,
    /// The payload is not an object.
    PayloadMalformed,
    /// The kind of the payload is missing or is not a text.
    KindMalformed,
    /// The payload is of another kind than `bash`.
    OtherKind,
    /// The request in the payload is missing or is not an object.
    RequestMalformed,
    /// The requester is missing or is not an object.
    RequesterMalformed,
    /// Whether the requester is forwarded is missing or is not true or false.
    RequesterForwardedMalformed,
    /// The session id of the requester is missing or is neither null nor a text.
    RequesterSessionMalformed,
    /// The requester in the payload is missing its agent, or names it in another form than null or a text.
    RequesterAgentMalformed,
    /// The payload names another agent than the request.
    AgentInconsistent,
    /// The surface of the request is missing or is not a text.
    SurfaceMalformed,
    /// The request is about another surface than `bash`.
    OtherSurface,
    /// The tool name in the payload is missing or is not a text.
    RequestToolMalformed,
    /// The payload names another tool than `bash`.
    OtherRequestTool,
    /// The invoked tool name is missing or is neither null nor a text.
    InvokedToolMalformed,
    /// The tool was called under another name.
    Aliased,
    /// The value of the request is missing or is not a text.
    ValueMalformed,
    /// The projected command of the request is not the value in the payload.
    CommandInconsistent,
    /// The context of the command is neither null nor a text.
    ContextMalformed,
    /// The evidence of the payload is missing or is not a list.
    EvidenceMalformed,
    /// An evidence entry is not an object with a label and a text.
    EvidenceEntryMalformed,
    /// An evidence entry has a label that resembles `full command` without being it.
    FullCommandMislabelled,
    /// There is more than one `full command` entry.
    FullCommandDuplicate,
    /// The triggering unit stands inside another command, but there is no `full command` entry.
    FullCommandMissing,
    /// The command ends in a backslash, so that what was trimmed off after it may have been part of a word.
    TrailingBackslash,

    /// The request has a payload, but the host declared that its permission system has none.
    PayloadUnexpected,
    /// An entry of the session is unreadable, and it may be the one that holds the tool call.
    SessionEntryMalformed,
    /// A message of the session has no readable role or content, and it may be the one that holds the tool call.
    SessionMessageMalformed,
    /// A content block of the session is unreadable, and it may be the tool call.
    SessionBlockMalformed,
    /// No assistant message of the session holds the tool call.
    ToolCallNotFound,
    /// The latest message that holds the tool call holds it more than once.
    ToolCallDuplicate,
    /// The session holds a result of the tool call after the latest message with it, so that message is an earlier call.
    ToolCallAnswered,
    /// The tool call in the session names another tool than `bash`.
    SessionOtherTool,
    /// The tool call in the session has no arguments with a text as the command.
    ArgumentsMalformed,
}

impl EvidenceCode {
    /// The wire form, such as `evidence:forwarded`.
    #[must_use]
    pub fn code(self) -> &'static str {
        self.into()
    }

    /// What the code means, in one sentence for people.
    #[must_use]
    pub fn description(self) -> &'static str {
        strum::EnumMessage::get_documentation(&self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use strum::IntoEnumIterator;

    use super::*;

    #[test]
    fn every_code_has_its_own_name_and_sentence() {
        let codes: BTreeSet<_> = EvidenceCode::iter().map(EvidenceCode::code).collect();
        let sentences: BTreeSet<_> = EvidenceCode::iter().map(EvidenceCode::description).collect();
        assert_eq!(codes.len(), EvidenceCode::iter().count());
        assert_eq!(sentences.len(), EvidenceCode::iter().count());
        assert!(codes.iter().all(|code| code.starts_with("evidence:") && !code.contains(' ')), "{codes:?}");
        assert!(sentences.iter().all(|text| text.ends_with('.') && !text.contains('\n')), "{sentences:?}");
    }

    #[test]
    fn a_refusal_says_its_code_and_its_reason() {
        let refusal = Refusal { code: EvidenceCode::Forwarded, request_id: None };
        assert_eq!(
            refusal.to_string(),
            "no command evidence (evidence:forwarded): The request was forwarded from another agent's session."
        );
    }
}
