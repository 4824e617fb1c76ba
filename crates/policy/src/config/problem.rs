use std::fmt;

use crate::printable::printable;

/// What is wrong in a policy file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The name of the file, as the caller gave it.
    pub file: String,
    /// The line, from 1 on.
    pub line: usize,
    /// The column in characters, from 1 on.
    pub column: usize,
    /// What is wrong: a lowercase fragment.
    pub message: String,
    /// The text that is wrong; empty where something is missing.
    pub found: String,
    /// What was probably meant.
    pub suggestion: Option<String>,
}

/// A policy that cannot be used, since a file of it that everything else builds on is not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n"))]
#[non_exhaustive]
pub struct LoadError {
    /// What is wrong, in source order; at least one.
    pub problems: Vec<Problem>,
}

impl Problem {
    /// What is wrong, without the place.
    #[must_use]
    pub fn text(&self) -> String {
        let found = if self.found.is_empty() { String::new() } else { format!(" `{}`", printable(&self.found)) };
        let hint = self.suggestion.as_deref().map(|suggestion| format!(" ({suggestion})")).unwrap_or_default();
        format!("{}{found}{hint}", self.message)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.text())
    }
}

/// Where problems of one file are gathered.
#[derive(Debug)]
pub(super) struct Problems<'f> {
    file: &'f str,
    text: &'f str,
    /// Where lines begin, from the second on; found when the first rule is placed.
    line_starts: Option<Vec<usize>>,
    found: Vec<Problem>,
}

impl<'f> Problems<'f> {
    pub(super) fn new(file: &'f str, text: &'f str) -> Self {
        Self { file, text, line_starts: None, found: vec![] }
    }

    /// Notes a problem with the bytes `start..end` of the file.
    pub(super) fn note(&mut self, start: usize, end: usize, message: impl Into<String>, suggestion: Option<String>) {
        let (line, column) = self.position(start);
        let found = self.text.get(start..end).unwrap_or_default();
        // A whole object is no help; its first line is.
        let found = found.lines().next().unwrap_or_default().to_owned();
        self.found.push(Problem {
            file: self.file.to_owned(),
            line,
            column,
            message: message.into(),
            found,
            suggestion,
        });
    }

    /// The line and the column of the byte at `offset`.
    pub(super) fn position(&self, offset: usize) -> (usize, usize) {
        let before = self.text.get(..offset).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |at| at.saturating_add(1));
        let column = before.get(line_start..).unwrap_or_default().chars().count();
        (before.matches('\n').count().saturating_add(1), column.saturating_add(1))
    }

    /// The line of the byte at `offset`, from 1 on.
    pub(super) fn line(&mut self, offset: usize) -> usize {
        let text = self.text;
        let starts = self.line_starts.get_or_insert_with(|| {
            text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at.saturating_add(1)).collect()
        });
        starts.partition_point(|start| *start <= offset).saturating_add(1)
    }

    pub(super) fn into_found(mut self) -> Vec<Problem> {
        self.found.sort_by_key(|problem| (problem.line, problem.column));
        self.found
    }
}

/// The one of `known` that `word` is probably meant to be.
pub(crate) fn closest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let plain = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let wanted = plain(word);
    let distance = |name: &str| strsim::damerau_levenshtein(&wanted, &plain(name));
    let (name, distance) =
        known.into_iter().map(|name| (name, distance(name))).min_by_key(|(_, distance)| *distance)?;
    // Two slips in a long word, one in a short one.
    (distance <= if wanted.len() >= 6 { 2 } else { 1 }).then_some(name)
}
