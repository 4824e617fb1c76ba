//! The options of a command: which of them have values, and which of those are files.

use super::{
    PathRole,
    arguments::{Next, Reader, looks_like_path, script_text},
    reading::{Letter, Operands, Value},
    text::PathText,
};
use crate::{Span, Word};

/// How many letters may stand before a value in one word of a program whose options are not known.
const MOST_LETTERS: usize = 3;

impl Reader<'_, '_> {
    /// Reads an option that is all known.
    pub(super) fn option(&mut self, option: &str, word: &Word) {
        self.noted(option);
        let checks = if option.starts_with("--") { option.starts_with("--c") } else { option.contains('c') };
        if checks && self.reading.checks {
            self.anything(word.span);
        }
        if self.reading.pairs.contains(&option) {
            self.next = Next::Text(2);
        } else if option.starts_with("--") {
            self.long(option, word);
        } else if let Some(value) = self.reading.value(option) {
            self.takes(value, option, true);
        } else if !self.reading.single_words {
            self.cluster(&PathText::known(option), word);
        }
    }

    /// Reads an option of which a part is not known.
    pub(super) fn computed_option(&mut self, word: &Word) {
        for text in self.values.words(word, self.scope) {
            let leading = text.leading();
            if !leading.starts_with("--") {
                if leading.starts_with('-') && !self.reading.single_words {
                    self.cluster(&text, word);
                }
                continue;
            }
            let Some(equals) = leading.find('=') else { continue };
            let name = leading.get(..equals).unwrap_or_default();
            let behind = equals.saturating_add(1);
            match self.reading.long(name) {
                Some((Value::Text, _)) => {}
                Some((Value::Script, _)) => self.script(&script_text(word, behind), word.span),
                Some((Value::File | Value::List, _)) | None => self.option_value(word.span, text.behind(behind)),
            }
        }
    }

    fn noted(&mut self, option: &str) {
        self.in_expression |= self.reading.operands == Operands::Places;
        self.no_patterns |= self.reading.replaces_patterns(option);
    }

    fn long(&mut self, option: &str, word: &Word) {
        let (name, value) = option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
        match (self.reading.long(name), value) {
            (Some((kind, _)), Some(value)) => {
                let skip = name.len().saturating_add(1);
                let encoded = name.starts_with("--data-u");
                self.holds(kind, PathText::known(value), word, skip, encoded);
            }
            (None, Some(value)) => self.option_value(word.span, PathText::known(value)),
            (Some((kind, written_out)), None) => self.takes(kind, name, written_out),
            (None, None) => {}
        }
    }

    /// The option has its value in the next word.
    fn takes(&mut self, kind: Value, name: &str, sure: bool) {
        self.next = match kind {
            // What only may be a value is looked at as an operand.
            Value::Text if !sure => Next::Anything,
            Value::Text if name == "--data-urlencode" => Next::Encoded,
            Value::Text => Next::Text(1),
            Value::Script => Next::Script,
            Value::File => Next::File,
            Value::List => Next::List,
        };
        self.no_patterns |= !sure && kind != Value::Text;
    }

    /// The option has its value in the same word, behind its first `skip` bytes.
    fn holds(&mut self, kind: Value, value: PathText, word: &Word, skip: usize, encoded: bool) {
        match kind {
            Value::Text => self.data(value.text().unwrap_or_default(), word.span, encoded),
            Value::Script => self.script(&script_text(word, skip), word.span),
            Value::File | Value::List => {
                if value.text() != Some("-") {
                    self.push(word.span, PathRole::OptionValue, value);
                }
                if kind == Value::List {
                    self.anything(word.span);
                }
            }
        }
    }

    /// Reads letters behind one dash, up to the first that has a value.
    fn cluster(&mut self, option: &PathText, word: &Word) {
        let leading = option.leading().to_owned();
        let whole = option.text().is_some();
        if let Some((kind, length)) = self.reading.glued_word(&leading) {
            return self.holds(kind, option.behind(length), word, length, false);
        }
        let mut sure = true;
        for (at, letter) in leading.char_indices().skip(1) {
            let behind = at.saturating_add(letter.len_utf8());
            let rest = leading.get(behind..).unwrap_or_default();
            match self.reading.letter(letter) {
                Letter::Flag => {}
                Letter::Glued => return self.data(rest, word.span, false),
                Letter::Takes(kind) if !rest.is_empty() || !whole => {
                    return self.holds(kind, option.behind(behind), word, behind, false);
                }
                Letter::Takes(kind) => return self.takes(kind, "", sure),
                Letter::Unknown => {
                    sure = false;
                    if at > MOST_LETTERS || !(letter.is_ascii_alphabetic() || at == 1) {
                        return;
                    }
                    self.maybe_value(at, option, behind, word.span);
                }
            }
        }
    }

    /// What stands behind the letter at `at`, which may be a value of it.
    fn maybe_value(&mut self, at: usize, option: &PathText, behind: usize, span: Span) {
        let value = option.behind(behind);
        let leading = value.leading();
        if at > 1 {
            let rooted = at == 2 && leading.starts_with('/')
                || ["~/", "./", "../"].iter().any(|start| leading.starts_with(start));
            let hidden =
                leading.strip_prefix('.').is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()));
            if (rooted || hidden) && leading != "/" {
                self.option_value(span, value);
            }
            return;
        }
        // `-name=value`, of programs that write words behind one dash.
        if let Some((name, named)) = leading.split_once('=') {
            let start = name.len().saturating_add(1);
            if value.text().is_none() || named.contains(['/', '.', '~']) {
                self.option_value(span, value.behind(start));
            }
        }
        // A lone slash is a separator.
        if value.text().is_none() || leading.contains(['/', '.', '~']) && leading != "/" {
            if let Some(path) = value.text().filter(|text| text.starts_with('@')) {
                return self.data(path, span, false);
            }
            self.option_value(span, value);
        }
    }

    fn option_value(&mut self, span: Span, text: PathText) {
        if let Some(text) = text.text() {
            self.data(text, span, false);
        }
        let role = if looks_like_path(&text) { PathRole::OptionValue } else { PathRole::Bare };
        self.push(span, role, text);
    }
}
