use serde_json::Value;

use crate::EvidenceCode;
use crate::fields::{Object, agent, expect_text, filled_text};

/// What both sources require of a request: a local tool call of the native `bash` tool, with typed ids and agent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalAsk<'a> {
    pub(crate) details: &'a Object,
    pub(crate) request_id: &'a str,
    pub(crate) tool_call_id: &'a str,
    pub(crate) agent: Option<&'a str>,
}

impl<'a> LocalAsk<'a> {
    pub(crate) fn read(details: &'a Value) -> Result<Self, EvidenceCode> {
        let details = details.as_object().ok_or(EvidenceCode::DetailsMissing)?;
        let request_id = filled_text(details, "requestId", EvidenceCode::RequestIdMalformed)?;
        expect_local(details)?;
        expect_text(details, "source", "tool_call", EvidenceCode::SourceMalformed, EvidenceCode::NotAToolCall)?;
        expect_text(details, "toolName", "bash", EvidenceCode::ToolNameMalformed, EvidenceCode::OtherTool)?;
        let tool_call_id = filled_text(details, "toolCallId", EvidenceCode::ToolCallIdMalformed)?;
        let agent = agent(details, "agentName", EvidenceCode::AgentNameMalformed)?;
        Ok(Self { details, request_id, tool_call_id, agent })
    }
}

/// A local request has no `forwarding`; anything but null there, even `false`, is not how a local one looks.
fn expect_local(details: &Object) -> Result<(), EvidenceCode> {
    match details.get("forwarding") {
        None | Some(Value::Null) => Ok(()),
        Some(_) => Err(EvidenceCode::Forwarded),
    }
}
