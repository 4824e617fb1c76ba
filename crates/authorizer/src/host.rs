use async_trait::async_trait;
use serde_json::Value;

/// The host of a link: the only way out of this crate.
///
/// A host answers with values. Whatever goes wrong on its side is a [`HostError`], and a call that never comes back is cut off
/// by the deadline that the caller of [`authorize`](crate::authorize) brings.
#[cfg_attr(test, mockall::automock)]
#[async_trait]
pub trait HostSession: Send + Sync {
    /// Names the session that the host is in now.
    ///
    /// # Errors
    /// The host failed, or has no session.
    async fn session_id(&self) -> Result<SessionId, HostError>;

    /// Asks the host's policy about one text.
    ///
    /// # Errors
    /// The host failed, or its answer has no readable shape. An answer with a state that means nothing is no error here: it is
    /// [`PolicyState::Unknown`], and the link defers.
    async fn check_permission(&self, query: &PolicyQuery) -> Result<PolicyAnswer, HostError>;

    /// Lists the entries of the session, the newest last, for hosts whose asks carry no payload (ADR 0001).
    ///
    /// # Errors
    /// The host failed, or keeps no entries.
    async fn entries(&self) -> Result<Vec<Value>, HostError>;

    /// Takes a record for the host's log; it does not wait.
    ///
    /// # Errors
    /// The record was not taken. No verdict depends on it.
    fn log(&self, record: &LogRecord) -> Result<(), HostError>;
}

/// The name of a host's session; never blank.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SessionId(String);

impl SessionId {
    /// Takes `id` as the name of a session.
    ///
    /// # Errors
    /// `id` is blank: a session without a name cannot be told from another.
    pub fn new(id: impl Into<String>) -> Result<Self, HostError> {
        let id = id.into();
        if id.trim().is_empty() { Err(HostError::NoSession) } else { Ok(Self(id)) }
    }

    /// The session of a host that has but one.
    pub(crate) fn local() -> Self {
        Self("local".to_owned())
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A question to the host's policy.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PolicyQuery {
    /// The surface of the policy, `bash` for every question this crate asks.
    pub surface: &'static str,
    /// The text to judge.
    pub value: String,
    /// The agent on whose behalf it would run, where the ask names one.
    pub agent: Option<String>,
}

/// What the host's policy says about one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyAnswer {
    /// The effect.
    pub state: PolicyState,
    /// What the matched rule tells people.
    pub reason: Option<String>,
    /// The pattern of the matched rule.
    pub matched_pattern: Option<String>,
    /// What kind of rule it was.
    pub source: AnswerSource,
    /// Which file or scope the rule came from.
    pub origin: Option<String>,
}

/// The effect that a host names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PolicyState {
    /// `allow`.
    Allow,
    /// `ask`.
    Ask,
    /// `deny`.
    Deny,
    /// Anything else, as the host wrote it.
    Unknown(String),
}

impl From<&str> for PolicyState {
    fn from(state: &str) -> Self {
        match state {
            "allow" => Self::Allow,
            "ask" => Self::Ask,
            "deny" => Self::Deny,
            other => Self::Unknown(other.to_owned()),
        }
    }
}

/// The kind of rule an answer rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerSource {
    /// A pattern that the user approved for this session alone.
    Session,
    /// Any other, as the host wrote it.
    Other(String),
}

impl From<&str> for AnswerSource {
    fn from(source: &str) -> Self {
        if source == "session" { Self::Session } else { Self::Other(source.to_owned()) }
    }
}

/// A record of one verdict for the host's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogRecord {
    /// Which of the host's logs it belongs to.
    pub level: LogLevel,
    /// What happened, such as `inner_cmd.allow`.
    pub event: &'static str,
    /// The reason code of the verdict.
    pub code: &'static str,
    /// The request that was answered, where it has a readable id.
    pub request_id: Option<String>,
    /// The whole command, where the evidence was accepted.
    pub command: Option<String>,
    /// The command inside the wrapper, where one was stripped.
    pub inner_command: Option<String>,
}

/// The log a record belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogLevel {
    /// What reviewers read: decisive verdicts.
    Review,
    /// What only a search for causes reads.
    Debug,
}

/// What went wrong on the host's side.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// The call ended in an error or an exception.
    #[error("the host failed: `{}`", .0.escape_debug())]
    Failed(String),
    /// What came back has not the shape of an answer.
    #[error("the host's answer is malformed: `{}`", .0.escape_debug())]
    Malformed(String),
    /// The host has no session, or one without a name.
    #[error("the host has no session")]
    NoSession,
    /// The host does not offer what was called.
    #[error("the host does not support the call")]
    Unsupported,
    /// The host is gone.
    #[error("the host is gone")]
    Gone,
}
