//! Words for tests, from a line of simple text.

use innercmd_bash_units::{HoleKind, Part, Span, Word};

/// Splits a line into words: quotes, backslashes, `$NAME`, `$@`, `*`, and a leading `~` mean what they mean to bash.
#[track_caller]
pub(crate) fn words(line: &str) -> Vec<Word> {
    let mut words = vec![];
    let mut at = 0;
    while at < line.len() {
        if line[at..].starts_with([' ', '\t']) {
            at += 1;
            continue;
        }
        let (word, end) = word(line, at);
        words.push(word);
        at = end;
    }
    words
}

/// The words in one line: holes as `<name>`, words with blanks or nothing in them in single quotes.
pub(crate) fn render(words: &[Word]) -> String {
    let texts = words.iter().map(|word| {
        let text: String = word.parts.iter().map(render_part).collect();
        if text.is_empty() || text.contains(' ') { format!("'{text}'") } else { text }
    });
    texts.collect::<Vec<_>>().join(" ")
}

fn render_part(part: &Part) -> String {
    match part {
        Part::Literal { text, .. } => text.clone(),
        Part::Hole { kind: HoleKind::Parameter(name), .. } => format!("<{name}>"),
        Part::Hole { kind: HoleKind::Glob, .. } => "<*>".to_owned(),
        Part::Hole { kind: HoleKind::Tilde(_), .. } => "<~>".to_owned(),
        Part::Hole { .. } => "<>".to_owned(),
    }
}

fn word(line: &str, start: usize) -> (Word, usize) {
    let mut parts: Vec<Part> = vec![];
    let mut at = start;
    let mut quote = None;
    while let Some(next) = line[at..].chars().next() {
        let from = at;
        at += next.len_utf8();
        match (quote, next) {
            (None, ' ' | '\t') => {
                at = from;
                break;
            }
            (None, '\'' | '"') => {
                quote = Some(next);
                push(&mut parts, "", true);
            }
            (Some(open), close) if open == close => quote = None,
            (None, '\\') => {
                let escaped = line[at..].chars().next().expect("a backslash escapes something");
                at += escaped.len_utf8();
                push(&mut parts, &escaped.to_string(), true);
            }
            (None | Some('"'), '$') => {
                let name: String = line[at..].chars().take_while(|c| c.is_alphanumeric() || *c == '@').collect();
                at += name.len();
                let kind = HoleKind::Parameter(name);
                parts.push(Part::Hole { kind, span: Span::new(from, at), quoted: quote.is_some() });
            }
            (None, '*') => parts.push(Part::Hole { kind: HoleKind::Glob, span: Span::new(from, at), quoted: false }),
            (None, '~') if from == start => {
                parts.push(Part::Hole {
                    kind: HoleKind::Tilde(String::new()),
                    span: Span::new(from, at),
                    quoted: false,
                });
            }
            (_, text) => push(&mut parts, &text.to_string(), quote.is_some()),
        }
    }
    assert!(quote.is_none(), "an open quote in {line}");
    parts.retain(|part| !matches!(part, Part::Literal { text, .. } if text.is_empty()));
    (Word { span: Span::new(start, at), parts }, at)
}

fn push(parts: &mut Vec<Part>, more: &str, more_quoted: bool) {
    if let Some(Part::Literal { text, quoted }) = parts.last_mut()
        && *quoted == more_quoted
    {
        text.push_str(more);
        return;
    }
    parts.push(Part::Literal { text: more.to_owned(), quoted: more_quoted });
}
