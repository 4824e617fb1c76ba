//! The explanation for people.

use std::collections::HashMap;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use anstyle::Style;
use innercmd_authorizer::GateVerdict;
use innercmd_bash_units::Context;
use innercmd_policy::Effect;

use super::entries::{Entry, Unit};
use super::rows::Rows;
use super::said::Words;
use crate::check::Judged;
use crate::human::{sentence, shown, style};
use crate::terminal::wrapped;

/// How many places are explained at most; more than that nobody reads.
const MOST_ENTRIES: usize = 200;
/// From how many rows on those without anything to say are left out.
const MOST_ROWS: usize = 80;
/// What stands beside a row: a bar, and behind its last place a label such as ` 12 allow`.
const BESIDE: usize = 13;
/// How many of the rules that a later one beats are told.
const MOST_BEATEN: usize = 3;

/// The verdict, the command with its places underlined and numbered, and what decides about each of them.
pub(crate) fn render(judged: &Judged, entries: &[Entry<'_>], width: usize) -> String {
    let page = Page { judged, entries: entries.get(..MOST_ENTRIES).unwrap_or(entries), width };
    let mut parts = vec![page.verdict(), page.command(), page.places()];
    let left_out = entries.len().saturating_sub(MOST_ENTRIES);
    if left_out > 0 {
        parts.push(format!("{left_out} more places are not explained"));
    }
    parts.extend(page.without_wrapper());
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

struct Page<'p> {
    judged: &'p Judged,
    entries: &'p [Entry<'p>],
    width: usize,
}

impl Page<'_> {
    fn words(&self) -> Words<'_> {
        Words { home: self.judged.home.as_deref() }
    }

    fn verdict(&self) -> String {
        let word = match self.judged.gated.verdict {
            GateVerdict::Allow(_) => "allow",
            GateVerdict::Ask(_) => "ask",
            GateVerdict::Deny(_) => "deny",
        };
        let text = wrapped(&format!("{word}: {}", sentence(&self.judged.gated)), self.width, "", "  ");
        let style = style(word);
        format!("{style}{word}{style:#}{}", text.strip_prefix(word).unwrap_or(&text))
    }

    /// The command as typed, in rows that fit the page.
    fn command(&self) -> String {
        let source = self.judged.program.source();
        let level = match self.judged.gated.verdict {
            GateVerdict::Allow(_) => Level::HELP,
            GateVerdict::Ask(_) => Level::WARNING,
            GateVerdict::Deny(_) => Level::ERROR,
        };
        let starts: Vec<usize> = self.entries.iter().map(|entry| entry.span.start).collect();
        let lines = source.split_inclusive('\n').count().max(1).to_string().len();
        let rows = Rows::new(source, self.width.saturating_sub(lines.saturating_add(BESIDE)), &starts);
        let annotations = self.entries.iter().enumerate().flat_map(|(place, entry)| {
            let kind = if entry.effect == Effect::Allow { AnnotationKind::Context } else { AnnotationKind::Primary };
            let label = format!("{} {}", place.saturating_add(1), entry.effect);
            let pieces = rows.pieces(entry.span);
            let last = pieces.len().saturating_sub(1);
            pieces.into_iter().enumerate().map(move |(number, piece)| {
                let annotation = kind.span(piece);
                if number == last { annotation.label(label.clone()) } else { annotation }
            })
        });
        let snippet = Snippet::source(rows.text()).fold(rows.count() > MOST_ROWS).annotations(annotations);
        // Styles that nobody can see are removed where the text is written.
        let rendered = Renderer::styled().render(&[Group::with_level(level).element(snippet)]);
        rows.renumbered(&rendered)
    }

    /// What decides about each place.
    fn places(&self) -> String {
        let mut explained: HashMap<String, usize> = HashMap::new();
        let mut lines = vec![];
        for (place, entry) in self.entries.iter().enumerate() {
            let number = place.saturating_add(1);
            lines.push(self.head(number, entry));
            for said in self.said(entry) {
                // What was said in full once is referred to.
                let known = explained.get(&said).copied().filter(|_| said.ends_with(']'));
                let said = match (known, said.rfind('[')) {
                    (Some(first), Some(code)) => format!("as {first} {}", said.get(code..).unwrap_or_default()),
                    (Some(_) | None, _) => {
                        explained.insert(said.clone(), number);
                        said
                    }
                };
                lines.push(wrapped(&said, self.width, INDENT, CONTINUED));
            }
        }
        lines.join("\n")
    }

    /// The number and the effect of a place, its text on one line, and where in the command it stands.
    fn head(&self, number: usize, entry: &Entry<'_>) -> String {
        let style = style(entry.effect.name());
        let aside = entry.unit.as_ref().and_then(aside).map(|aside| format!("  {aside}")).unwrap_or_default();
        let columns = self.width.saturating_sub(INDENT.len().saturating_add(aside.len()));
        let text = one_line(entry.span.of(self.judged.program.source()), columns);
        let text = if text.is_empty() { "(here)".to_owned() } else { text };
        let dim = Style::new().dimmed();
        format!("{number:>3} {style}{:<5}{style:#} {text}{dim}{aside}{dim:#}", entry.effect.name())
    }

    /// What is behind the effect of a place, one thing a line.
    fn said(&self, entry: &Entry<'_>) -> Vec<String> {
        let words = self.words();
        let mut said = vec![];
        if let Some(Unit { inner: Some(inner), .. }) = &entry.unit {
            said.push(format!("runs `{}`", one_line(inner, self.width.saturating_sub(INDENT.len().saturating_add(8)))));
        }
        if entry.unit.as_ref().is_some_and(|unit| unit.by_link) {
            said.push("allowed without its wrapper, see below".to_owned());
            return said;
        }
        said.extend(entry.findings.iter().map(|finding| words.finding(finding)));
        said.extend(entry.typed.as_ref().map(|rule| words.rule(rule)));
        said.extend(self.parts_behind(entry));
        let beaten = entry.beaten.iter().take(MOST_BEATEN);
        said.extend(beaten.map(|rule| format!("over {}", words.rule(rule))));
        if entry.beaten.len() > MOST_BEATEN {
            said.push(format!("over {} more rules", entry.beaten.len().saturating_sub(MOST_BEATEN)));
        }
        said
    }

    /// The places of a unit, such as its redirections, that hold it back, where it is held back by nothing else.
    fn parts_behind(&self, entry: &Entry<'_>) -> Option<String> {
        let unit = entry.unit.as_ref()?.id;
        let behind = entry.findings.iter().any(|finding| finding.effect >= entry.effect);
        if behind || entry.effect == Effect::Allow {
            return None;
        }
        let of_unit = |(_, part): &(usize, &Entry<'_>)| {
            part.findings.iter().any(|finding| finding.effect == entry.effect && finding.unit == Some(unit))
        };
        let parts = self.entries.iter().enumerate().filter(of_unit);
        let parts: Vec<String> = parts.map(|(place, _)| place.saturating_add(1).to_string()).collect();
        (!parts.is_empty()).then(|| format!("but see {}", parts.join(", ")))
    }

    /// What the link found about the command without its wrapper.
    fn without_wrapper(&self) -> Option<String> {
        let link = self.judged.gated.link.as_ref()?;
        let mut lines = vec![];
        if let Some(inner) = &link.inner {
            lines.push(wrapped(
                &format!("without its wrapper the command is `{}`", shown(inner)),
                self.width,
                "",
                "  ",
            ));
        }
        for finding in &link.findings {
            let style = style(finding.effect.name());
            let code = finding.code;
            let text = format!(
                "`{}`: {} [{}]",
                shown(&finding.subject),
                code.description().trim_end_matches('.'),
                code.code()
            );
            let text = wrapped(&text, self.width, INDENT, CONTINUED);
            lines.push(format!(
                "    {style}{:<5}{style:#}{}",
                finding.effect.name(),
                text.get(INDENT.len().saturating_sub(1)..).unwrap_or_default()
            ));
        }
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

/// Before what is said about a place, and before the rest of it.
const INDENT: &str = "          ";
const CONTINUED: &str = "            ";

/// How a unit comes to run, where that is not plain.
fn aside(unit: &Unit<'_>) -> Option<&'static str> {
    Some(match unit.context {
        Context::TopLevel => return None,
        Context::ControlFlow => "(in a branch or loop)",
        Context::Subshell => "(in a subshell)",
        Context::CommandSubstitution => "(in a command substitution)",
        Context::ProcessSubstitution => "(in a process substitution)",
        Context::Function => "(in a function)",
        Context::Coprocess => "(in a coprocess)",
        Context::Trap => "(in a trap)",
    })
}

/// The beginning of `text`, without its line ends, in at most `columns` columns.
pub(crate) fn one_line(text: &str, columns: usize) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    let line = shown(&line.join(" "));
    if unicode_width::UnicodeWidthStr::width(line.as_str()) <= columns {
        return line;
    }
    let mut cut = String::new();
    let mut taken = 1;
    for character in line.chars() {
        taken += unicode_width::UnicodeWidthChar::width(character).unwrap_or(0);
        if taken > columns {
            break;
        }
        cut.push(character);
    }
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use innercmd_authorizer::{Link, gate};
    use innercmd_bash_units::{BashProgram, Limits};
    use innercmd_policy::{Policy, Surroundings};
    use proptest::prelude::*;
    use unicode_width::UnicodeWidthStr as _;

    use super::super::entries::entries;
    use super::*;

    fn explained(command: &str, width: usize) -> String {
        let policy =
            Policy::from_permission(r#"{ "bash": { "*": "ask", "rm *": "deny", "git *": "allow" } }"#).unwrap().policy;
        let program = BashProgram::parse(command, &Limits::default());
        let gated = gate(&policy, &program, &Surroundings::new("/work/project"), Link::On);
        let judged = Judged { program, gated, policy: Arc::new(policy), home: None };
        anstream::adapter::strip_str(&render(&judged, &entries(&judged), width)).to_string()
    }

    fn pieces() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "git log", "rm", " ", "\n", "\r", "\t", "&&", ";", "|", "$(", ")", "`", "'", "\"", "<<E", "E",
            "timeout 5 ", "é", "世", "\u{202e}", "\u{0}", "\u{1b}", "{a,b}", "$x", "\\", ">f", "=", "FOO=1 ",
        ]);
        prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn any_text_can_be_explained(command in pieces(), width in 40_usize..120) {
            prop_assert!(!explained(&command, width).is_empty());
        }

        #[test]
        fn even_no_bash_at_all(command in any::<String>()) {
            prop_assert!(!explained(&command, 80).is_empty());
        }
    }

    #[test]
    fn a_command_of_very_many_units_is_cut() {
        let explained = explained(&"git log; ".repeat(1_000), 80);
        assert!(explained.contains("800 more places are not explained"));
    }

    #[test]
    fn a_long_command_stays_within_the_page() {
        let line = "FOO=1 git log --oneline --graph --decorate && rm -rf build/output | grep -v something > out.txt; ";
        for command in [line.repeat(8), format!("{}\n", line.trim_end()).repeat(40)] {
            for width in [60, 80, 100] {
                let explained = explained(&command, width);
                let widest = explained.lines().max_by_key(|line| line.width()).unwrap();
                assert!(widest.width() <= width, "{width}: {widest}");
            }
        }
    }

    #[test]
    fn each_line_keeps_its_number() {
        let explained = explained(&"git log\n".repeat(40), 80);
        assert!(explained.contains("\n40 | git log\n"), "{explained}");
    }
}
