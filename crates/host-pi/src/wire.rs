//! The types of the protocol, as docs/protocol.md has them.
//!
//! Nothing else in this workspace derives serde for Pi's sake: what the engine knows is converted by hand.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

/// The version of the protocol.
pub const PROTOCOL: u32 = 1;
/// The longest line that is read, in bytes.
pub const LONGEST_LINE: usize = 16 << 20;

/// The id of a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Id {
    /// A number.
    Number(i64),
    /// A text.
    Text(String),
}

/// One line from the peer, with what it carries still unread.
#[derive(Debug, Deserialize)]
pub struct Envelope<'l> {
    /// Always `"2.0"`.
    pub jsonrpc: Version,
    /// Which request it is, or answers.
    #[serde(default, borrow)]
    pub id: Option<&'l RawValue>,
    /// What is asked; a response has none.
    pub method: Option<String>,
    /// With what.
    #[serde(default, borrow)]
    pub params: Option<&'l RawValue>,
    /// The answer; `null` is one.
    #[serde(default, borrow, deserialize_with = "present")]
    pub result: Option<&'l RawValue>,
    /// The failure instead of an answer.
    #[serde(default, borrow)]
    pub error: Option<&'l RawValue>,
}

/// Tells a member that is null from one that is not there.
fn present<'de: 'l, 'l, D: Deserializer<'de>>(member: D) -> Result<Option<&'l RawValue>, D::Error> {
    <&RawValue>::deserialize(member).map(Some)
}

/// The version of JSON-RPC, `"2.0"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Version {
    /// The only one.
    #[serde(rename = "2.0")]
    Two,
}

/// A request to the peer, or a notification where there is no id.
#[derive(Debug, Serialize)]
pub struct Outgoing<'o, P> {
    /// Always `"2.0"`.
    pub jsonrpc: Version,
    /// Which request it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// What is asked.
    pub method: &'o str,
    /// With what.
    pub params: P,
}

/// The answer to a request of the peer.
#[derive(Debug, Serialize)]
pub struct Response<R> {
    /// Always `"2.0"`.
    pub jsonrpc: Version,
    /// The request; none where it could not be read.
    pub id: Option<Id>,
    /// What came of it.
    #[serde(flatten)]
    pub outcome: Outcome<R>,
}

/// A result or an error.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome<R> {
    /// The request was carried out.
    Result(R),
    /// It was not.
    Error(RpcError),
}

/// The error object of JSON-RPC.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message} ({code})")]
pub struct RpcError {
    /// A number of docs/protocol.md.
    pub code: i64,
    /// One sentence fragment.
    pub message: String,
    /// More, for programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<serde_json::Value>,
}

/// The number of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i64)]
pub enum ErrorCode {
    /// The line is no JSON.
    Parse = -32700,
    /// The line is no request.
    InvalidRequest = -32600,
    /// There is no such method.
    MethodNotFound = -32601,
    /// The parameters have not the shape of the method's.
    InvalidParams = -32602,
    /// The sidecar failed.
    Internal = -32603,
    /// The request was cancelled.
    Cancelled = -32800,
    /// The protocol version is not supported.
    Unsupported = -32001,
    /// `initialize` is missing, or came twice.
    NotInitialized = -32002,
    /// Too many questions are open.
    Busy = -32003,
    /// Gate mode is not open, or the ticket is unknown.
    NoGate = -32004,
}

impl RpcError {
    /// An error without data.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code: code as i64, message: message.into(), data: None }
    }
}

/// The parameters of `initialize`.
#[derive(Debug, Deserialize)]
pub struct Initialize {
    /// The version the harness speaks.
    pub protocol: u32,
}

/// The result of `initialize`.
#[derive(Debug, Serialize)]
pub struct Initialized {
    /// The version the sidecar speaks.
    pub protocol: u32,
    /// The sidecar.
    pub engine: Program,
}

/// A program and its version.
#[derive(Debug, Serialize)]
pub struct Program {
    /// Its name.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
}

/// The parameters of `$/cancelRequest`.
#[derive(Debug, Deserialize)]
pub struct Cancel {
    /// The request that is no longer wanted.
    pub id: Id,
}

/// A question to the engine.
#[derive(Debug)]
pub enum Question {
    /// `link/authorize`.
    Authorize(Authorize),
    /// `gate/open`.
    OpenGate(OpenGate),
    /// `gate/decide`.
    Decide(Decide),
    /// `gate/settle`.
    Settle(Settle),
}

/// The answer to a question.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// To `link/authorize`.
    Authorize(Authorized),
    /// To `gate/open`.
    OpenGate(GateOpened),
    /// To `gate/decide`.
    Decide(Decided),
    /// To `gate/settle`.
    Settle(Settled),
}

impl Answer {
    /// `allow`, `ask`, `deny` or `defer`, where the answer is a decision.
    pub fn effect(&self) -> Option<&'static str> {
        match self {
            Self::Authorize(answer) => Some(answer.verdict),
            Self::Decide(answer) => Some(answer.decision),
            Self::Settle(answer) => Some(answer.decision),
            Self::OpenGate(_) => None,
        }
    }
}

/// The parameters of `link/authorize`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Authorize {
    /// JSON text.
    pub details: String,
    /// The session the link is registered with.
    pub owner: String,
    /// The session the harness was in when it asked.
    pub session_id: String,
    /// Where the whole command is found.
    pub evidence: Evidence,
    /// How long the answer may take, in milliseconds.
    pub deadline_ms: u64,
}

/// Where a permission system puts the whole command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Evidence {
    /// In the payload of `details`.
    Payload,
    /// In the entries of the session.
    Session,
}

/// The result of `link/authorize`.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Authorized {
    /// `allow`, `deny` or `defer`.
    pub verdict: &'static str,
    /// A reason code.
    pub code: &'static str,
    /// What the agent is told; every deny has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The command inside the wrapper.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inner: Option<String>,
    /// The request, as `details` names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// What was found on the way.
    pub findings: Vec<Finding>,
}

/// One thing that was found about a part of a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// A reason code.
    pub code: &'static str,
    /// The part.
    pub subject: String,
    /// What it makes of the verdict at least.
    pub effect: &'static str,
    /// The rule behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<Rule>,
}

/// A rule of a policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rule {
    /// The surface it belongs to.
    pub surface: String,
    /// Its pattern.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The file or scope it came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// What it tells people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The parameters of `gate/open`.
#[derive(Clone, Debug, Deserialize)]
pub struct OpenGate {
    /// The policy files, the widest scope first.
    pub sources: Vec<Source>,
    /// The directories in which agents are defined, a file `NAME.md` each.
    #[serde(default)]
    pub agents: Vec<Source>,
    /// The file the decisions are recorded in.
    pub audit: std::path::PathBuf,
    /// The user's home directory.
    pub home: Option<String>,
}

/// A policy file.
#[derive(Clone, Debug, Deserialize)]
pub struct Source {
    /// The scope it speaks for.
    pub origin: SourceOrigin,
    /// Where it lies; for an agent's, the directory.
    pub path: std::path::PathBuf,
}

/// The scope of a policy file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SourceOrigin {
    /// The user's own.
    Global,
    /// The project's.
    Project,
    /// The agent's definition among the user's own.
    Agent,
    /// The agent's definition in the project.
    ProjectAgent,
}

/// The result of `gate/open`.
#[derive(Debug, Serialize)]
pub struct GateOpened {
    /// What became of each file.
    pub sources: Vec<SourceReport>,
    /// Whether the engine's own policy is in force, because there is no file.
    pub builtin: bool,
}

/// What became of a policy file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourceReport {
    /// The scope it speaks for.
    pub origin: SourceOrigin,
    /// Where it lies.
    pub path: String,
    /// Whether it is in force.
    pub state: SourceState,
    /// What is wrong with it, a sentence each.
    pub problems: Vec<String>,
}

/// Whether a policy file is in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SourceState {
    /// It is.
    Loaded,
    /// There is none.
    Absent,
    /// It cannot be read, or means nothing.
    Invalid,
}

/// The parameters of `gate/decide`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Decide {
    /// JSON text: the input of the tool call.
    pub input: String,
    /// The tool call.
    pub tool_call_id: String,
    /// The session.
    pub session_id: String,
    /// Where the command would run.
    pub cwd: String,
    /// On whose behalf.
    pub agent: Option<String>,
    /// The shell that would run it, where the harness is not left to its default.
    pub shell: Option<String>,
    /// How long the answer may take, in milliseconds.
    pub deadline_ms: u64,
}

/// The result of `gate/decide`.
#[derive(Debug, Serialize)]
pub struct Decided {
    /// `allow`, `ask` or `deny`.
    pub decision: &'static str,
    /// Names the decision in the record, and an ask to `gate/settle`.
    pub ticket: String,
    /// A reason code.
    pub code: &'static str,
    /// A text for the agent; every deny has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The units of the command.
    pub units: Vec<Unit>,
    /// What was found.
    pub findings: Vec<Finding>,
}

/// One unit of a command, as it was judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unit {
    /// As typed.
    pub text: String,
    /// `allow`, `ask` or `deny`.
    pub decision: &'static str,
    /// The rule that decided.
    pub rule: Option<Rule>,
}

/// The parameters of `gate/settle`.
#[derive(Debug, Deserialize)]
pub struct Settle {
    /// The ask.
    pub ticket: String,
    /// What the user chose.
    pub choice: Choice,
    /// What the user wants the agent to know.
    pub reason: Option<String>,
}

/// What became of an ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Choice {
    /// This once.
    Once,
    /// The same again in this session.
    Session,
    /// No.
    Deny,
    /// There is nobody to ask.
    Unavailable,
    /// The question was given up.
    Aborted,
}

/// The result of `gate/settle`.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Settled {
    /// `allow` or `deny`.
    pub decision: &'static str,
    /// A reason code.
    pub code: &'static str,
    /// A text for the agent; every deny has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The parameters of the calls to the harness.
#[derive(Debug, Serialize)]
pub struct HostQuery<'q> {
    /// The question on whose behalf the call is made.
    pub ask: &'q Id,
    /// The surface, for `host/checkPermission`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surface: Option<&'q str>,
    /// The text to judge, for `host/checkPermission`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<&'q str>,
    /// The agent, for `host/checkPermission`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<&'q str>,
}

/// The result of `host/checkPermission`.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Permission {
    /// `allow`, `ask`, `deny`, or what else the permission system says.
    pub state: String,
    /// What the rule tells people.
    pub reason: Option<String>,
    /// The pattern of the rule.
    pub matched_pattern: Option<String>,
    /// What kind of rule it was.
    pub source: Option<String>,
    /// Where it came from.
    pub origin: Option<String>,
}

/// The parameters of `host/log`.
#[derive(Debug, Serialize)]
pub struct Log<'l> {
    /// The question it is about.
    pub ask: &'l Id,
    /// `review` or `debug`.
    pub level: &'static str,
    /// What happened.
    pub event: &'static str,
    /// With what.
    pub data: LogData<'l>,
}

/// What a log record says.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LogData<'l> {
    /// The reason code.
    pub code: &'static str,
    /// The request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<&'l str>,
    /// The whole command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<&'l str>,
    /// The command inside the wrapper.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inner_command: Option<&'l str>,
}

/// The result of `status`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    /// The protocol version.
    pub protocol: u32,
    /// The sidecar's version.
    pub version: &'static str,
    /// How long it runs, in milliseconds.
    pub uptime_ms: u128,
    /// How many questions are open.
    pub open: usize,
    /// How many were answered, and how.
    pub answered: Answered,
    /// How many lines could not be read.
    pub malformed: u64,
}

/// How many questions were answered, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Answered {
    /// With allow.
    pub allow: u64,
    /// With ask.
    pub ask: u64,
    /// With deny.
    pub deny: u64,
    /// With defer.
    pub defer: u64,
}
