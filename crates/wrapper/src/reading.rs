use std::borrow::Cow;

use innercmd_bash_units::{HoleKind, Part, Word};

use crate::shape::Shape;
use crate::starts::Starts;
use crate::{Influence, Layer};

/// What has been found out about one use of a wrapper.
#[derive(Debug, Default)]
pub(crate) struct Reading<'w> {
    pub(crate) layers: Vec<Layer<'w>>,
    pub(crate) influences: Vec<Influence>,
    pub(crate) variables: Vec<String>,
    /// Whether it is not certain where the command begins.
    pub(crate) unsure: bool,
}

/// Where a wrapper puts arguments that the text does not show.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Feed<'a> {
    /// Behind the words.
    Append,
    /// In place of each of these, wherever they stand in a word; behind the words where none does.
    Replace(&'a [String]),
}

/// A kind of shell, as far as reading its text as Bash goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Bash.
    Bash,
    /// A POSIX shell, or one of unknown kind that is one as a rule: what `sh` is depends on the system.
    Posix,
    /// Another language.
    Other,
}

impl<'w> Reading<'w> {
    pub(crate) fn command(&mut self, words: &'w [Word]) {
        if !words.is_empty() {
            self.layers.push(Layer::Command(Cow::Borrowed(words)));
        }
    }

    pub(crate) fn command_of(&mut self, words: Vec<Word>) {
        if !words.is_empty() {
            self.layers.push(Layer::Command(Cow::Owned(words)));
        }
    }

    /// The command as typed, and as it is when `feed` has put its arguments in.
    pub(crate) fn fed(&mut self, words: Cow<'w, [Word]>, feed: Feed<'_>) {
        if words.is_empty() {
            return;
        }
        self.influence(Influence::Arguments);
        let filled = fill(&words, feed);
        self.layers.push(Layer::Command(words));
        self.command_of(filled);
    }

    /// The command begins at one of `starts`, and it is not certain at which.
    pub(crate) fn starts(&mut self, words: &'w [Word], starts: &Starts) {
        self.unsure = true;
        for start in &starts.places {
            self.command(words.get(*start..).unwrap_or_default());
        }
        if starts.unseen {
            self.opaque();
        }
    }

    /// As [`Reading::starts`], for a wrapper that runs something not visible where no command is given.
    pub(crate) fn starts_or_unseen(&mut self, words: &'w [Word], starts: &Starts) {
        self.starts(words, starts);
        self.opaque();
    }

    /// As [`Reading::starts`], with arguments that the text does not show.
    pub(crate) fn starts_fed(&mut self, words: &'w [Word], starts: &Starts, feed: Feed<'_>) {
        self.starts(words, starts);
        self.influence(Influence::Arguments);
        for start in &starts.places {
            self.command_of(fill(words.get(*start..).unwrap_or_default(), feed));
        }
    }

    /// As [`Reading::starts`], where the words are joined into text for a shell.
    pub(crate) fn starts_text(&mut self, words: &'w [Word], starts: &Starts, dialect: Dialect) {
        self.starts(words, starts);
        if let Some(text) = starts.places.first().and_then(|start| words.get(*start..)) {
            self.script_words(text, dialect);
        }
    }

    pub(crate) fn opaque(&mut self) {
        if !self.layers.contains(&Layer::Opaque) {
            self.layers.push(Layer::Opaque);
        }
    }

    pub(crate) fn influence(&mut self, influence: Influence) {
        if !self.influences.contains(&influence) {
            self.influences.push(influence);
        }
    }

    /// A word of the form `NAME=VALUE`, or `NAME`, that sets or removes a variable.
    pub(crate) fn variable(&mut self, word: &Word) {
        let shape = Shape::of(word);
        let name = shape.lead.split('=').next().unwrap_or_default();
        self.variables.push(name.to_owned());
    }

    /// Text for a shell.
    pub(crate) fn script(&mut self, text: String, dialect: Dialect) {
        let proves = match dialect {
            Dialect::Bash => true,
            Dialect::Posix => reads_alike(&text),
            Dialect::Other => false,
        };
        self.layers.push(Layer::Script(text));
        if !proves {
            self.opaque();
        }
    }

    /// One word of text for a shell.
    pub(crate) fn script_word(&mut self, word: &Word, dialect: Dialect) {
        match word.literal() {
            Some(text) => self.script(text.into_owned(), dialect),
            None => self.opaque(),
        }
    }

    /// Words that are joined by spaces into text for a shell, as `eval` and `ssh` do.
    pub(crate) fn script_words(&mut self, words: &'w [Word], dialect: Dialect) {
        if words.is_empty() {
            return;
        }
        let texts: Option<Vec<_>> = words.iter().map(Word::literal).collect();
        match texts {
            Some(texts) => self.script(texts.join(" "), dialect),
            None => {
                self.command(words);
                self.opaque();
            }
        }
    }
}

/// Whether reading `text` as Bash finds every command that a POSIX shell would run for it.
///
/// Bash takes more for one word, or for an operator, than POSIX does: where `$'…'` is no quoting, `((` opens two subshells, `&>`
/// ends a command, and `[[` is a command's name, commands would be missed.
fn reads_alike(text: &str) -> bool {
    !["$'", "$\"", "&>", "((", "[[", "<<<", "|&", "$["].iter().any(|bashism| text.contains(bashism))
}

/// The words with holes where the arguments go.
fn fill(words: &[Word], feed: Feed<'_>) -> Vec<Word> {
    let places = match feed {
        Feed::Append => &[],
        Feed::Replace(places) => places,
    };
    let mut filled: Vec<Word> = words.iter().map(|word| replace(word, places)).collect();
    if let Some(last) = words.last().filter(|_| filled == words) {
        let hole = Part::Hole { kind: HoleKind::Expansion, span: last.span, quoted: false };
        filled.push(Word { span: last.span, parts: vec![hole] });
    }
    filled
}

fn replace(word: &Word, places: &[String]) -> Word {
    let mut parts = Vec::with_capacity(word.parts.len());
    if word.parts.len() > 1
        && let Some(text) = word.literal()
        && places.iter().any(|place| text.contains(place.as_str()))
    {
        // A place may be spelled in several quotings: `'{'}`.
        replace_text(word, &text, true, places, &mut parts);
        return Word { span: word.span, parts };
    }
    for part in &word.parts {
        match part {
            Part::Literal { text, quoted } => replace_text(word, text, *quoted, places, &mut parts),
            Part::Hole { .. } => parts.push(part.clone()),
        }
    }
    Word { span: word.span, parts }
}

fn replace_text(word: &Word, text: &str, quoted: bool, places: &[String], parts: &mut Vec<Part>) {
    let mut rest = text;
    loop {
        let next = places
            .iter()
            .filter(|place| !place.is_empty())
            .filter_map(|place| Some((rest.find(place.as_str())?, place.len())))
            .min_by_key(|(at, length)| (*at, usize::MAX - length));
        let (before, behind) = match next {
            Some((at, length)) => (rest.get(..at).unwrap_or_default(), rest.get(at + length..)),
            None => (rest, None),
        };
        if !before.is_empty() {
            parts.push(Part::Literal { text: before.to_owned(), quoted });
        }
        let Some(behind) = behind else { return };
        parts.push(Part::Hole { kind: HoleKind::Expansion, span: word.span, quoted: true });
        rest = behind;
    }
}
