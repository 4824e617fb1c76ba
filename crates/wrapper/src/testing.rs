//! Words for tests.

use innercmd_bash_units::{BashProgram, HoleKind, Limits, Part, Word};

use crate::{Layer, recognize};

/// Checks what a line's first command runs as a wrapper: its layers, `-` where it is none.
#[track_caller]
pub(crate) fn check(line: &str, layers: &str) {
    assert_eq!(runs(line), layers, "of {line}");
}

/// The layers of the wrapper in a line, joined by bars: words as they are, text behind `$ `, and `?` for what is not visible.
#[track_caller]
pub(crate) fn runs(line: &str) -> String {
    let words = words(line);
    match recognize(&words) {
        Some(wrapped) => wrapped.layers.iter().map(render_layer).collect::<Vec<_>>().join(" | "),
        None => "-".to_owned(),
    }
}

/// The words of the first command in a line.
#[track_caller]
pub(crate) fn words(line: &str) -> Vec<Word> {
    let program = BashProgram::parse(line, &Limits::default());
    program.commands().first().unwrap_or_else(|| panic!("no command in {line}")).words.clone()
}

/// The words in one line: holes as `<name>`, words with blanks or nothing in them in single quotes.
pub(crate) fn render(words: &[Word]) -> String {
    let texts = words.iter().map(|word| {
        let text: String = word.parts.iter().map(render_part).collect();
        if text.is_empty() || text.contains(' ') { format!("'{text}'") } else { text }
    });
    texts.collect::<Vec<_>>().join(" ")
}

/// A layer in one line, as in [`runs`].
pub(crate) fn render_layer(layer: &Layer<'_>) -> String {
    match layer {
        Layer::Command(words) => render(words),
        Layer::Script(text) => format!("$ {text}"),
        Layer::Opaque => "?".to_owned(),
    }
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
