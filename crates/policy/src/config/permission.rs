//! From a permission map to rules.

use super::{
    problem::{Problems, closest},
    section::{Entry, Section, Value},
};
use crate::Effect;

/// A permission map, as one file writes it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Permission {
    pub(crate) surfaces: Vec<Surface>,
}

/// One surface of a permission map.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    pub(crate) name: String,
    pub(crate) at: (usize, usize),
    /// The line it begins on, from 1 on.
    pub(crate) line: usize,
    pub(crate) says: Says,
}

/// What is written for a surface.
#[derive(Clone, Debug)]
pub(crate) enum Says {
    /// One effect for everything.
    All(Effect),
    /// Rules in their order.
    Rules(Vec<Saying>),
}

/// A pattern and what it says.
#[derive(Clone, Debug)]
pub(crate) struct Saying {
    pub(crate) pattern: String,
    pub(crate) at: (usize, usize),
    /// The line it begins on, from 1 on.
    pub(crate) line: usize,
    pub(crate) effect: Effect,
    pub(crate) reason: Option<String>,
}

/// The surfaces that the host or this engine gives a meaning to; any other name is that of a tool.
pub(crate) const SURFACES: [&str; 13] = [
    "*", "bash", "bash_redirect", "edit", "external_directory", "find", "grep", "ls", "mcp", "path", "read", "skill",
    "write",
];

/// The longest reason, in characters, that the host takes.
const LONGEST_REASON: usize = 500;

const EFFECTS: &str = "one of `allow`, `ask` and `deny`";

impl Permission {
    pub(super) fn read(section: &Section, problems: &mut Problems<'_>) -> Self {
        note_repeated(section, problems);
        let surfaces = section.iter().filter_map(|entry| surface(entry, problems)).collect();
        Self { surfaces }
    }
}

fn surface(entry: &Entry, problems: &mut Problems<'_>) -> Option<Surface> {
    let (start, end) = entry.at;
    if let Some(meant) = misspelt(&entry.key) {
        problems.note(start, end, "unknown surface", Some(format!("did you mean `{meant}`?")));
    } else if entry.key.is_empty() {
        problems.note(start, end, "a surface without a name", None);
    }
    let says = match &entry.value {
        Value::Text(word) => Says::All(effect(word, entry, problems)?),
        Value::Map(_) if entry.key == "*" => {
            let (start, end) = entry.value_at;
            problems.note(start, end, "the universal default takes no patterns", Some(format!("write {EFFECTS}")));
            return None;
        }
        Value::Map(rules) => {
            note_repeated(rules, problems);
            Says::Rules(rules.iter().filter_map(|rule| saying(rule, problems)).collect())
        }
        Value::Other(found) => {
            wrong_type(found, &format!("{EFFECTS}, or a map of patterns"), entry, problems);
            return None;
        }
    };
    Some(Surface { name: entry.key.clone(), at: entry.at, line: problems.line(start), says })
}

fn saying(entry: &Entry, problems: &mut Problems<'_>) -> Option<Saying> {
    let (start, end) = entry.at;
    if entry.key.is_empty() {
        problems.note(start, end, "empty pattern", Some("`*` matches everything".to_owned()));
        return None;
    }
    if entry.key.contains('\0') {
        problems.note(start, end, "a pattern with a NUL matches no command", None);
        return None;
    }
    let (effect, reason) = match &entry.value {
        Value::Text(word) => (effect(word, entry, problems)?, None),
        Value::Map(parts) => (Effect::Deny, deny(parts, entry, problems)?),
        Value::Other(found) => {
            wrong_type(found, &format!("{EFFECTS}, or a deny with a reason"), entry, problems);
            return None;
        }
    };
    Some(Saying { pattern: entry.key.clone(), at: entry.at, line: problems.line(start), effect, reason })
}

/// The reason of `{ "action": "deny", "reason": … }`.
fn deny(parts: &Section, entry: &Entry, problems: &mut Problems<'_>) -> Option<Option<String>> {
    note_repeated(parts, problems);
    let mut action = None;
    let mut reason = None;
    for part in parts {
        let (start, end) = part.value_at;
        match (part.key.as_str(), &part.value) {
            ("action", Value::Text(word)) if word == "deny" => action = Some(Effect::Deny),
            ("action", _) => {
                action = Some(Effect::Deny);
                let hint = "the short form of an effect without a reason is a string".to_owned();
                problems.note(start, end, "only a deny takes a reason, not", Some(hint));
            }
            ("reason", Value::Text(text)) if text.chars().count() > LONGEST_REASON => {
                problems.note(start, end, format!("a reason of more than {LONGEST_REASON} characters"), None);
            }
            ("reason", Value::Text(text)) => reason = Some(text.clone()),
            ("reason", Value::Map(_)) => wrong_type("an object", "a string", part, problems),
            ("reason", Value::Other(found)) => wrong_type(found, "a string", part, problems),
            (other, _) => {
                let meant = closest(other, ["action", "reason"]).map(|meant| format!("did you mean `{meant}`?"));
                problems.note(part.at.0, part.at.1, "unknown key", meant);
            }
        }
    }
    if action.is_none() {
        let (start, end) = entry.value_at;
        problems.note(
            start,
            end,
            "a deny with a reason needs its `action`",
            Some("add `\"action\": \"deny\"`".to_owned()),
        );
        return None;
    }
    Some(reason)
}

fn effect(word: &str, entry: &Entry, problems: &mut Problems<'_>) -> Option<Effect> {
    let effect = Effect::parse(word);
    if effect.is_none() {
        let (start, end) = entry.value_at;
        let meant = closest(word, ["allow", "ask", "deny"]).or(match word.to_ascii_lowercase().as_str() {
            "block" | "reject" | "forbid" | "never" | "no" => Some("deny"),
            "prompt" | "confirm" => Some("ask"),
            "permit" | "yes" | "always" => Some("allow"),
            _ => None,
        });
        let hint = meant.map_or_else(|| format!("write {EFFECTS}"), |meant| format!("did you mean `{meant}`?"));
        problems.note(start, end, "unknown effect", Some(hint));
    }
    effect
}

fn wrong_type(found: &str, expected: &str, entry: &Entry, problems: &mut Problems<'_>) {
    let (start, end) = entry.value_at;
    problems.note(start, end, format!("expected {expected}, found {found}"), None);
}

/// A repeated key is an error: of the two values one would be dropped, and which one depends on the reader.
pub(super) fn note_repeated(section: &Section, problems: &mut Problems<'_>) {
    let mut seen = std::collections::HashMap::new();
    for entry in section {
        if let Some(first) = seen.insert(entry.key.as_str(), entry.at.0) {
            let (line, _) = problems.position(first);
            problems.note(
                entry.at.0,
                entry.at.1,
                "repeated key",
                Some(format!("it is on line {line} already; the last one would win in the first one's place")),
            );
        }
    }
}

/// The surface that `name` is another spelling of: `externalDirectory`, `Bash`, `skills`.
fn misspelt(name: &str) -> Option<&'static str> {
    let plain = |text: &str| {
        let letters: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
        letters.to_ascii_lowercase()
    };
    let wanted = plain(name);
    if wanted == "skills" {
        return Some("skill");
    }
    SURFACES.iter().copied().find(|known| *known != name && !wanted.is_empty() && plain(known) == wanted)
}
