//! `innercmd policy check`.

use std::io::Write;
use std::ops::Range;
use std::path::Path;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use innercmd_policy::{Diagnostic, DiagnosticCode, Origin, Policy, PolicySource, Problem};
use serde::Serialize;

use crate::args::{Format, PolicyCheck};
use crate::exit::{Exit, Failure};
use crate::human::{shown, style};
use crate::policies::read_text;
use crate::{terminal, wire};

/// Checks each file on its own.
///
/// # Errors
/// A file cannot be read.
pub(crate) fn run(arguments: &PolicyCheck) -> Result<Exit, Failure> {
    let mut checked = vec![];
    for path in &arguments.files {
        checked.push(Checked::new(path, &read_text(path).map_err(Failure::Usage)?));
    }
    let invalid = checked.iter().any(|file| file.errors() > 0 || arguments.strict && !file.notes.is_empty());
    let text = match arguments.format {
        Format::Json => wire::line(&checked)?,
        Format::Human => checked.iter().map(Checked::page).collect::<Vec<_>>().join("\n"),
    };
    writeln!(anstream::stdout(), "{text}").map_err(Failure::io("standard output"))?;
    Ok(if invalid { Exit::Invalid } else { Exit::Allow })
}

/// A file, and what is to be said about it.
#[derive(Debug, Serialize)]
struct Checked {
    file: String,
    /// How many rules it has; none where it is not valid.
    rules: Option<usize>,
    notes: Vec<Note>,
    #[serde(skip)]
    text: String,
}

/// What is wrong or doubtful at one place.
#[derive(Debug, Serialize)]
struct Note {
    severity: Severity,
    code: &'static str,
    line: usize,
    column: usize,
    message: String,
    /// What was probably meant.
    suggestion: Option<String>,
    /// The bytes that it is about.
    span: [usize; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Severity {
    Error,
    Warning,
}

impl Checked {
    fn new(path: &Path, text: &str) -> Self {
        let name = path.display().to_string();
        // Front matter is what agent files have.
        let origin =
            if path.extension().is_some_and(|extension| extension == "md") { Origin::Agent } else { Origin::Global };
        let (rules, mut notes): (_, Vec<Note>) = match Policy::load(&[PolicySource { name: &name, text, origin }]) {
            Ok(loaded) => {
                let notes: Vec<Note> = loaded.diagnostics.iter().map(|found| Note::doubt(text, found)).collect();
                ((!loaded.policy.is_clamped()).then(|| loaded.policy.rules().count()), notes)
            }
            Err(error) => (None, error.problems.iter().map(|problem| Note::problem(text, problem)).collect()),
        };
        notes.sort_by_key(|note| (note.line, note.column));
        Self { file: name, rules, notes, text: text.to_owned() }
    }

    fn errors(&self) -> usize {
        self.notes.iter().filter(|note| note.severity == Severity::Error).count()
    }

    fn page(&self) -> String {
        let renderer = Renderer::styled().term_width(terminal::width());
        let mut parts: Vec<String> =
            self.notes.iter().map(|note| format!("{}\n", renderer.render(&[note.group(self)]))).collect();
        parts.push(self.summary());
        parts.join("\n")
    }

    fn summary(&self) -> String {
        let plural = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let (errors, name) = (self.errors(), shown(&self.file));
        let warnings = plural(self.notes.len().saturating_sub(errors), "warning");
        match self.rules {
            None => {
                let style = style("deny");
                format!("{name}: {style}not valid{style:#}, {}, {warnings}", plural(errors, "error"))
            }
            Some(rules) => {
                let style = style("allow");
                format!("{name}: {style}valid{style:#}, {}, {warnings}", plural(rules, "rule"))
            }
        }
    }
}

impl Note {
    fn problem(text: &str, problem: &Problem) -> Self {
        let start = offset(text, problem.line, problem.column);
        let found = if problem.found.is_empty() { String::new() } else { format!(" `{}`", shown(&problem.found)) };
        Self {
            severity: Severity::Error,
            code: "policy-file:not-valid",
            line: problem.line,
            column: problem.column,
            message: format!("{}{found}", problem.message),
            suggestion: problem.suggestion.clone(),
            span: span(start..start.saturating_add(problem.found.len().max(1)), text),
        }
    }

    fn doubt(text: &str, found: &Diagnostic) -> Self {
        let start = offset(text, found.line, found.column);
        // A file of an agent that is not valid is left out, and so an error here.
        let severity = if found.code == DiagnosticCode::LeftOut { Severity::Error } else { Severity::Warning };
        let (message, suggestion) = intention(&found.message);
        Self {
            severity,
            code: found.code.code(),
            line: found.line,
            column: found.column,
            message,
            suggestion,
            span: span(start..start.saturating_add(token(text.get(start..).unwrap_or_default())), text),
        }
    }

    fn group<'n>(&'n self, file: &'n Checked) -> Group<'n> {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let [start, end] = self.span;
        let snippet = Snippet::source(&file.text).path(&file.file).annotation(AnnotationKind::Primary.span(start..end));
        let group = level.primary_title(&self.message).id(self.code).element(snippet);
        match &self.suggestion {
            Some(suggestion) => group.element(Level::HELP.message(suggestion)),
            None => group,
        }
    }
}

/// Takes the likely intention from the end of a message, where it stands in brackets.
fn intention(message: &str) -> (String, Option<String>) {
    let split = message.strip_suffix(')').and_then(|message| message.rsplit_once(" ("));
    split.map_or_else(|| (message.to_owned(), None), |(message, hint)| (message.to_owned(), Some(hint.to_owned())))
}

/// The byte at a line and a column in characters, both from 1 on.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let before = text.get(start..).unwrap_or_default().chars().take(column.saturating_sub(1));
    start.saturating_add(before.map(char::len_utf8).sum())
}

/// The length of the string with which `text` begins, or of the word.
fn token(text: &str) -> usize {
    if !text.starts_with('"') {
        return text.find(|end: char| end.is_whitespace() || ",:{}[]".contains(end)).unwrap_or(text.len());
    }
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, character)| {
        let ends = *character == '"' && !escaped;
        escaped = *character == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at.saturating_add(1))
}

/// `range` within `text`, and between characters.
fn span(range: Range<usize>, text: &str) -> [usize; 2] {
    let start = range.start.min(text.len());
    let end = (range.end..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    [start, end.max(start)]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::text(r#""a\"b" : 1"#, 6)]
    #[case::word("yoloMode: true", 8)]
    #[case::unfinished("\"abc", 4)]
    fn a_token_ends_where_its_string_or_word_does(#[case] text: &str, #[case] length: usize) {
        assert_eq!(token(text), length);
    }

    proptest! {
        #[test]
        fn any_text_can_be_checked(text in r#"[{}"é:,a*\\\n /-]{0,40}"#) {
            for name in ["a.json", "b.md"] {
                prop_assert!(!Checked::new(Path::new(name), &text).page().is_empty());
            }
        }
    }
}
