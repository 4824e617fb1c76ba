//! The front matter of agent files: the little of YAML that the host reads.

use super::{
    problem::Problems,
    section::{Entry, Place, Section, Value},
};

/// A line of front matter that says something.
struct Line<'t> {
    indent: usize,
    key: String,
    at: Place,
    value: &'t str,
    value_at: Place,
}

/// How deep `permission` maps nest.
const DEPTH: usize = 3;

/// The entries of `permission` in the front matter of `text`; none where there is none.
pub(super) fn permission(text: &str, problems: &mut Problems<'_>) -> Section {
    let Some(lines) = lines(text, problems) else { return vec![] };
    let mut rest = lines.iter().skip_while(|line| line.indent > 0 || line.key != "permission");
    let Some(head) = rest.next() else { return vec![] };
    if !head.value.is_empty() {
        let (start, end) = head.value_at;
        problems.note(start, end, "expected a map of surfaces below `permission:`, found", None);
    }
    let below: Vec<&Line<'_>> = rest.take_while(|line| line.indent > 0).collect();
    section(&below, DEPTH)
}

/// The lines of the front matter.
fn lines<'t>(text: &'t str, problems: &mut Problems<'_>) -> Option<Vec<Line<'t>>> {
    let mut all = text.split_inclusive('\n');
    let mut offset = all.next().filter(|first| first.trim_end_matches(['\r', '\n']) == "---")?.len();
    let mut found = vec![];
    for raw in all {
        let (start, content) = (offset, raw.trim_end_matches(['\r', '\n']));
        offset = offset.saturating_add(raw.len());
        if content.starts_with("---") {
            return Some(found);
        }
        let trimmed = content.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        let indent = content.len().saturating_sub(content.trim_start().len());
        found.push(line(trimmed, indent, start.saturating_add(indent), problems));
    }
    problems.note(0, 3, "front matter without its end", Some("close it with a line `---`".to_owned()));
    None
}

fn line<'t>(trimmed: &'t str, indent: usize, start: usize, problems: &mut Problems<'_>) -> Line<'t> {
    let end = start.saturating_add(trimmed.len());
    // The host ends a key at the first colon, whatever stands around it.
    let Some((key, value)) = trimmed.split_once(':') else {
        if indent > 0 {
            problems.note(start, end, "expected `key: value`, found", None);
        }
        return Line { indent, key: String::new(), at: (start, end), value: "", value_at: (end, end) };
    };
    let unquoted = |text: &str| {
        let text = text.trim();
        ['"', '\''].iter().find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote)).unwrap_or(text).to_owned()
    };
    let trimmed_value = value.trim();
    let value_start = end.saturating_sub(value.trim_start().len());
    let value_at = (value_start, value_start.saturating_add(trimmed_value.len()));
    let quoted = ['"', '\''].iter().find_map(|quote| trimmed_value.strip_prefix(*quote)?.strip_suffix(*quote));
    let at = (start, start.saturating_add(key.trim_end().len()));
    Line { indent, key: unquoted(key), at, value: quoted.unwrap_or(trimmed_value), value_at }
}

/// The entries of `lines`: those with the indent of the first, each with the lines below it that are indented more.
fn section(lines: &[&Line<'_>], depth: usize) -> Section {
    let Some(indent) = lines.first().map(|line| line.indent) else { return vec![] };
    let mut entries = vec![];
    let mut rest = lines;
    while let Some((line, behind)) = rest.split_first() {
        let inner = behind.iter().take_while(|inner| inner.indent > line.indent).count();
        let (below, next) = behind.split_at_checked(inner).unwrap_or((behind, &[]));
        rest = next;
        let value = match (line.value, below) {
            ("", []) => Value::Other("nothing"),
            ("", below) if depth > 1 => Value::Map(section(below, depth.saturating_sub(1))),
            (_, []) if line.indent == indent => Value::Text(line.value.to_owned()),
            _ => Value::Other("lines with an indentation of their own"),
        };
        entries.push(Entry { key: line.key.clone(), at: line.at, value, value_at: line.value_at });
    }
    entries
}
