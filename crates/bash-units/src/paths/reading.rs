//! How a program reads its arguments: which of them are options, values, patterns, scripts and files.

use super::script::Named;

/// How a program reads its arguments.
///
/// INVARIANT: an option stands under `text` only where its program always takes the next word as its value, and that value
/// names no file: the words skipped for it are never looked at again. Where a program is not sure about it, the option is left
/// out, and its value counts as one more operand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    /// What its operands are.
    pub(super) operands: Operands,
    /// Options whose value is text: in the next word, glued on, or after `=`.
    pub(super) text: &'static [&'static str],
    /// Options whose next two words are text.
    pub(super) pairs: &'static [&'static str],
    /// Options whose value is a file.
    pub(super) files: &'static [&'static str],
    /// Options whose value is a file that names further files, or `-` for standard input that does.
    pub(super) lists: &'static [&'static str],
    /// Options with which no operand is a pattern, a script or a program.
    pub(super) instead: &'static [&'static str],
    /// Letters of options without a value.
    pub(super) flags: &'static str,
    /// Letters of options that may have a value glued on, which is text.
    pub(super) glued: &'static str,
    /// Whether every letter that is not listed is an option without a value.
    pub(super) closed: bool,
    /// Whether options are single words behind one dash, such as those of `find`.
    pub(super) single_words: bool,
    /// What an argument with `@` in it is.
    pub(super) at: At,
    /// The files that its script names, where its first operand, or what an option gives, is one.
    pub(super) script: Option<fn(&str) -> Vec<Named>>,
    /// Options whose value is a script.
    pub(super) scripts: &'static [&'static str],
    /// Whether with `-c` its operands name further files.
    pub(super) checks: bool,
}

/// What the operands of a program are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operands {
    /// Not known: a path is told by its looks.
    Any,
    /// Files and directories.
    Files,
    /// So many patterns or scripts, then files and directories.
    PatternsThenFiles(usize),
    /// One file or directory, then what is not known.
    FileThenAny,
    /// The places to search, up to the first word of the expression.
    Places,
    /// Text that is printed: what holds a blank is a sentence and not a path.
    Prose,
    /// Text that names no file.
    Text,
    /// `NAME=VALUE` words, of which these name files.
    Assignments(&'static [&'static str]),
    /// So many words that are none, then commits, or pathspecs, which may be patterns (gitglossary(7)).
    Pathspecs(usize),
}

/// What an argument with `@` in it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    /// Text, as a rule.
    Text,
    /// Data from a file: `@FILE`, `NAME=@FILE`.
    Data,
    /// More arguments from a file: `@FILE`.
    Arguments,
}

/// What the value of an option is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Text,
    Script,
    File,
    List,
}

/// What a letter among short options is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Letter {
    Flag,
    /// What follows it is its value, else the next word.
    Takes(Value),
    /// What follows it is its value, which is text.
    Glued,
    Unknown,
}

impl Reading {
    /// What the value of `option`, as a whole word, is.
    pub(super) fn value(&self, option: &str) -> Option<Value> {
        let is_in = |options: &[&str]| options.contains(&option);
        match () {
            () if is_in(self.scripts) => Some(Value::Script),
            () if is_in(self.text) => Some(Value::Text),
            () if is_in(self.files) => Some(Value::File),
            () if is_in(self.lists) => Some(Value::List),
            () => None,
        }
    }

    /// What the value of the long option `name` is, which may be abbreviated (`getopt_long`), and whether it is written out.
    pub(super) fn long(&self, name: &str) -> Option<(Value, bool)> {
        if let Some(value) = self.value(name) {
            return Some((value, true));
        }
        let abbreviated = |options: &[&str]| name.len() > 3 && options.iter().any(|known| known.starts_with(name));
        match () {
            () if abbreviated(self.lists) => Some((Value::List, false)),
            () if abbreviated(self.files) => Some((Value::File, false)),
            () if abbreviated(self.scripts) => Some((Value::Script, false)),
            () if abbreviated(self.text) => Some((Value::Text, false)),
            () => None,
        }
    }

    /// The option of more than one letter, and not a long one, that `option` starts with, where its value is glued on.
    pub(super) fn glued_word(&self, option: &str) -> Option<(Value, usize)> {
        let starts = |known: &&&str| known.len() > 2 && !known.starts_with("--") && option.starts_with(**known);
        let known = self.files.iter().filter(starts).max_by_key(|known| known.len())?;
        Some((Value::File, known.len()))
    }

    /// What `letter` is among short options.
    pub(super) fn letter(&self, letter: char) -> Letter {
        let mut option = [0; 8];
        let option = short(letter, &mut option);
        match self.value(option) {
            Some(value) => Letter::Takes(value),
            None if self.glued.contains(letter) => Letter::Glued,
            None if self.closed || self.flags.contains(letter) => Letter::Flag,
            None => Letter::Unknown,
        }
    }

    /// Whether `option` makes each operand a file, or none a program.
    pub(super) fn replaces_patterns(&self, option: &str) -> bool {
        let name = option.split_once('=').map_or(option, |(name, _)| name);
        if name.starts_with("--") {
            return self.instead.iter().any(|known| known.starts_with(name) && (name.len() > 3 || *known == name));
        }
        // In a cluster, or with its value glued on; a letter too many makes a pattern a file, which is the safe side.
        for letter in option.chars().skip(1) {
            let mut option = [0; 8];
            if self.instead.contains(&short(letter, &mut option)) {
                return true;
            }
            if matches!(self.letter(letter), Letter::Takes(_) | Letter::Glued) {
                return false;
            }
        }
        false
    }
}

/// `-` and the letter.
fn short(letter: char, buffer: &mut [u8; 8]) -> &str {
    let Some((dash, rest)) = buffer.split_first_mut() else { return "" };
    *dash = b'-';
    let length = letter.encode_utf8(rest).len().saturating_add(1);
    buffer.get(..length).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
}
