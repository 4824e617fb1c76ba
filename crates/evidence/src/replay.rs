use serde_json::Value;

use crate::EvidenceCode;
use crate::json::{cause, strict};
use crate::message::{Block, Entry, command_in};
use crate::text::is_blank;

/// Reads the text of a session file: JSON lines, split at LF alone, oldest entry first.
///
/// A line that cannot be read keeps its place as a null entry. The walk stops at it like at any other entry that may be the
/// one, and a replay reports it. The last line is no exception: cut off by a crash or not yet written to its end, it is
/// still the newest entry and may hold the call in question. It costs nothing to keep it: every call before it can be
/// replayed.
///
/// ```
/// use innercmd_evidence::session_entries;
///
/// let log = session_entries(
///     r#"{"type":"session","version":3,"id":"s","cwd":"/home/user/project"}
/// {"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"Let me look."},{"type":"toolCall",
/// "#,
/// );
/// assert_eq!(log.cwd(), Some("/home/user/project"));
/// // The second line is cut off: it may hold a call, and says so.
/// assert_eq!(log.bash_calls().map(|call| call.map_err(|unusable| unusable.line)).collect::<Vec<_>>(), [Err(2)]);
/// ```
#[must_use]
pub fn session_entries(text: &str) -> SessionLog {
    let mut log = SessionLog { entries: Vec::new(), lines: Vec::new() };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (number, line) in (1..).zip(text.split('\n')) {
        if is_blank(line) {
            continue;
        }
        let (entry, failure) = match strict(line) {
            Ok(entry) => (entry, None),
            Err(code) => (Value::Null, Some(cause(line, code))),
        };
        log.entries.push(entry);
        log.lines.push(Line { number, failure });
    }
    log
}

/// The entries of a session file.
///
/// INVARIANT: `entries` and `lines` run in step, one of each per line that is not blank; an unreadable line is null among
/// the entries, so that it cannot be passed unseen.
#[derive(Clone, Debug)]
pub struct SessionLog {
    entries: Vec<Value>,
    lines: Vec<Line>,
}

#[derive(Clone, Copy, Debug)]
struct Line {
    number: usize,
    failure: Option<EvidenceCode>,
}

/// A `bash` tool call of a past session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BashCall<'a> {
    /// The index of the entry that holds it, from 0.
    pub entry: usize,
    /// The line of the file that holds it, from 1.
    pub line: usize,
    /// Its tool call id.
    pub id: &'a str,
    /// The command as the tool received it.
    pub command: &'a str,
}

/// A place of a session file that holds no usable call but may hold one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnusableEntry {
    /// The index of the entry, from 0.
    pub entry: usize,
    /// The line of the file, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub code: EvidenceCode,
}

impl std::fmt::Display for UnusableEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {} ({}): {}", self.line, self.code.code(), self.code.description())
    }
}

impl std::error::Error for UnusableEntry {}

impl SessionLog {
    /// The entries, oldest first; an unreadable line is null.
    #[must_use]
    pub fn entries(&self) -> &[Value] {
        &self.entries
    }

    /// The entries as they stood when `call` was made: up to the one that holds it.
    #[must_use]
    pub fn until(&self, call: &BashCall<'_>) -> &[Value] {
        self.entries.get(..=call.entry).unwrap_or_default()
    }

    /// The directory the session ran in, as its header says.
    #[must_use]
    pub fn cwd(&self) -> Option<&str> {
        let header = self.entries.first()?;
        if header.get("type")?.as_str()? == "session" { header.get("cwd")?.as_str() } else { None }
    }

    /// All `bash` tool calls in the order of the file, and whatever may hold one and cannot be read.
    pub fn bash_calls(&self) -> impl Iterator<Item = Result<BashCall<'_>, UnusableEntry>> {
        self.entries.iter().zip(&self.lines).enumerate().flat_map(|(index, (entry, line))| {
            let (failed, blocks) = match (line.failure, Entry::read(entry)) {
                (Some(code), _) | (None, Err(code)) => (Some(code), &[][..]),
                (None, Ok(Entry::Assistant(blocks))) => (None, blocks),
                (None, Ok(Entry::ToolResult(_) | Entry::Other)) => (None, &[][..]),
            };
            let unusable = move |code| UnusableEntry { entry: index, line: line.number, code };
            let calls = blocks.iter().filter_map(move |block| match bash_call(block) {
                Ok(Some((id, command))) => Some(Ok(BashCall { entry: index, line: line.number, id, command })),
                Ok(None) => None,
                Err(code) => Some(Err(unusable(code))),
            });
            failed.map(|code| Err(unusable(code))).into_iter().chain(calls)
        })
    }
}

/// Reads the id and the command of a block that calls `bash`; other blocks are nothing.
fn bash_call(block: &Value) -> Result<Option<(&str, &str)>, EvidenceCode> {
    match Block::read(block)? {
        Block::ToolCall { id, name: "bash", arguments } => Ok(Some((id, command_in(arguments)?))),
        Block::ToolCall { .. } | Block::Other { .. } => Ok(None),
    }
}
