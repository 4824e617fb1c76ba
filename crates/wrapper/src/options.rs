//! Option tables, and the reading of a wrapper's own words by them.
//!
//! The grammar is that of GNU `getopt_long`: clusters of short options, a value attached or in the next word, long options with
//! `=` or a word, unambiguous beginnings of long names, `--`. An option that the table does not hold, or a word that is computed,
//! does not end the reading: it makes it unsure, and [`Scan::starts`] then tells every place where the command may begin.

use std::borrow::Cow;
use std::collections::BTreeSet;

use innercmd_bash_units::Word;

use crate::shape::{Count, Shape, assigns, literal, suffix};

/// The options of a program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    /// The options, blank-separated: names joined by `|`, and then `:` for a value, `::` for an optional attached one, `:2` or
    /// `:3` for that many words. One-letter names are short. `#` stands for any number (`nice -10`).
    pub(crate) table: &'static str,
    /// What an operand means for the options behind it.
    pub(crate) order: Order,
    /// What an option is that the table does not hold.
    pub(crate) unlisted: Unlisted,
}

/// Where options may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Before the first operand only.
    First,
    /// Before the first operand that is no assignment (`sudo`).
    FirstButAssignments,
    /// Anywhere before `--`.
    Anywhere,
}

/// What is known of an option that is not in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unlisted {
    /// Nothing: it may take the next word as its value.
    Unsure,
    /// The program's options never take the next word, and none can be cut short.
    NoValue,
}

impl Options {
    /// Options that end at the first operand.
    pub(crate) const fn first(table: &'static str) -> Self {
        Self { table, order: Order::First, unlisted: Unlisted::Unsure }
    }

    /// Options that may stand anywhere.
    pub(crate) const fn anywhere(table: &'static str) -> Self {
        Self { table, order: Order::Anywhere, unlisted: Unlisted::Unsure }
    }
}

/// One step of reading the words of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Item<'w> {
    /// An option of the table, by its first name there, and its value.
    Flag { name: &'static str, value: Option<Cow<'w, Word>> },
    /// The place of an operand.
    Operand(usize),
    /// The place of an unlisted option or of a computed word. The reading goes on as though it were an option without a value.
    Unsure(usize),
}

/// The reading of a program's words, from the one behind its name.
#[derive(Clone, Debug)]
pub(crate) struct Scan<'w> {
    words: &'w [Word],
    options: Options,
    at: usize,
    /// How many bytes of the word `at` have been read as short options.
    cluster: Option<usize>,
    /// Whether every word that follows is an operand.
    ended: bool,
    dashed: bool,
    /// A value that may be no word, or several.
    unsure: Option<usize>,
}

/// What an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    Nothing,
    Value,
    Attached,
    Words(usize),
}

struct Known {
    name: &'static str,
    takes: Takes,
}

impl<'w> Scan<'w> {
    pub(crate) fn new(words: &'w [Word], options: Options) -> Self {
        Self { words, options, at: 1, cluster: None, ended: false, dashed: false, unsure: None }
    }

    /// Whether every word that follows is an operand.
    pub(crate) fn ended(&self) -> bool {
        self.ended
    }

    /// Whether `--` has been read.
    pub(crate) fn dashed(&self) -> bool {
        self.dashed
    }

    /// Goes on reading at `at`.
    pub(crate) fn skip_to(&mut self, at: usize) {
        self.at = at;
        self.cluster = None;
        self.unsure = None;
    }

    /// The place of the next word that has not been read.
    pub(crate) fn place(&self) -> usize {
        if self.cluster.is_some() { self.at + 1 } else { self.at }
    }

    /// Every place, from `from` on, where the command may begin behind `operands` operands.
    ///
    /// The states are places with a number of operands still to come, each visited once: the work is linear.
    pub(crate) fn starts(&self, from: usize, operands: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![(from, operands)];
        while let Some((at, left)) = open.pop() {
            let Some(word) = self.words.get(at) else { continue };
            if !seen.insert((at, left)) {
                continue;
            }
            let shape = Shape::of(word);
            if shape.known() == Some("--") {
                found.insert(at + 1 + left);
            } else if shape.is_operand() {
                self.operand_starts(word, (at, left), &mut open, &mut found);
            } else {
                self.unsure_starts(&shape, (at, left), &mut open, &mut found);
            }
        }
        found.retain(|at| *at < self.words.len());
        found
    }

    fn operand_starts(
        &self,
        word: &Word,
        (at, left): (usize, usize),
        open: &mut Vec<(usize, usize)>,
        found: &mut BTreeSet<usize>,
    ) {
        if self.options.order == Order::FirstButAssignments && assigns(word).is_some() {
            open.push((at + 1, left));
        } else if left == 0 {
            found.insert(at);
        } else if self.options.order == Order::Anywhere {
            open.push((at + 1, left - 1));
        } else {
            found.insert(at + left);
        }
    }

    fn unsure_starts(
        &self,
        shape: &Shape<'_>,
        (at, left): (usize, usize),
        open: &mut Vec<(usize, usize)>,
        found: &mut BTreeSet<usize>,
    ) {
        if shape.count != Count::Known && (shape.lead.is_empty() || shape.count == Count::Any) {
            // It may be an operand too; and where it may be several words, it may be all of them.
            let most = if shape.count == Count::Any { left } else { left.min(1) };
            if left == 0 {
                found.insert(at);
            }
            open.extend((0..=most).map(|taken| (at + 1, left - taken)));
        }
        match shape.known().and_then(|text| self.option_length(text)) {
            Some(length) => open.push((at + length, left)),
            None => {
                open.push((at + 1, left));
                if self.options.table.contains(':') || self.options.unlisted == Unlisted::Unsure {
                    open.push((at + 2, left));
                }
            }
        }
    }

    /// How many words a literal option is with its value, where the table tells.
    fn option_length(&self, text: &str) -> Option<usize> {
        let takes = match text.strip_prefix("--") {
            Some(long) if long.contains('=') => Takes::Nothing,
            Some(long) => self.long(long)?.takes,
            None => {
                let mut letters = text.strip_prefix('-')?.chars();
                loop {
                    let Some(letter) = letters.next() else { break Takes::Nothing };
                    match self.short(letter)?.takes {
                        Takes::Nothing => {}
                        Takes::Attached => break Takes::Nothing,
                        Takes::Value if !letters.as_str().is_empty() => break Takes::Nothing,
                        takes @ (Takes::Value | Takes::Words(_)) => break takes,
                    }
                }
            }
        };
        Some(match takes {
            Takes::Nothing | Takes::Attached => 1,
            Takes::Value => 2,
            Takes::Words(words) => 1 + words,
        })
    }

    fn entries(&self) -> impl Iterator<Item = (&'static str, Takes)> + use<> {
        self.options.table.split_ascii_whitespace().map(|entry| match entry.split_once(':') {
            None => (entry, Takes::Nothing),
            Some((names, "")) => (names, Takes::Value),
            Some((names, ":")) => (names, Takes::Attached),
            Some((names, count)) => (names, Takes::Words(count.parse().unwrap_or(1))),
        })
    }

    fn known(names: &'static str, takes: Takes) -> Known {
        Known { name: names.split('|').next().unwrap_or(names), takes }
    }

    fn short(&self, letter: char) -> Option<Known> {
        let mut buffer = [0; 4];
        let wanted: &str = letter.encode_utf8(&mut buffer);
        let found = self.entries().find(|(names, _)| names.split('|').any(|name| name == wanted));
        match found {
            Some((names, takes)) => Some(Self::known(names, takes)),
            None => (self.options.unlisted == Unlisted::NoValue).then_some(Known { name: "", takes: Takes::Nothing }),
        }
    }

    /// The long option of this name, or the only one that begins with it.
    fn long(&self, wanted: &str) -> Option<Known> {
        let long = |name: &&str| name.len() > 1;
        let exact = self.entries().find(|(names, _)| names.split('|').filter(long).any(|name| name == wanted));
        if let Some((names, takes)) = exact {
            return Some(Self::known(names, takes));
        }
        if self.options.unlisted == Unlisted::NoValue {
            return Some(Known { name: "", takes: Takes::Nothing });
        }
        let mut starting =
            self.entries().filter(|(names, _)| names.split('|').filter(long).any(|name| name.starts_with(wanted)));
        match (starting.next(), starting.next()) {
            (Some((names, takes)), None) => Some(Self::known(names, takes)),
            (Some(_) | None, _) => None,
        }
    }

    fn is_number(&self, text: &str) -> bool {
        let digits = text.strip_prefix('-').map(|rest| rest.strip_prefix(['-', '+']).unwrap_or(rest));
        self.options.table.split_ascii_whitespace().any(|entry| entry == "#")
            && digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
    }

    /// Takes the next word as a value.
    fn next_value(&mut self) -> Option<Cow<'w, Word>> {
        let word = self.words.get(self.at)?;
        match Shape::of(word).count {
            Count::Known | Count::One => {}
            Count::Alike | Count::Any => self.unsure = Some(self.at),
        }
        self.at += 1;
        Some(Cow::Borrowed(word))
    }

    fn flag(&mut self, name: &'static str, takes: Takes) -> Item<'w> {
        let value = match takes {
            Takes::Nothing | Takes::Attached => None,
            Takes::Value => self.next_value(),
            Takes::Words(count) => {
                let first = self.next_value();
                for _ in 1..count {
                    self.next_value();
                }
                first
            }
        };
        Item::Flag { name, value }
    }

    fn long_item(&mut self, word: &'w Word, shape: &Shape<'w>, text: &str) -> Item<'w> {
        let at = self.at;
        self.at += 1;
        if shape.count == Count::Any {
            return Item::Unsure(at);
        }
        match text.split_once('=') {
            Some((name, _)) => match self.long(name) {
                Some(known) => {
                    let value = suffix(word, "--".len() + name.len() + "=".len());
                    Item::Flag { name: known.name, value: Some(Cow::Owned(value)) }
                }
                // Its value is attached, so that it is one word whatever it means.
                None => Item::Flag { name: "", value: None },
            },
            None if shape.count != Count::Known => Item::Unsure(at),
            None => match self.long(text) {
                Some(known) => self.flag(known.name, known.takes),
                None => Item::Unsure(at),
            },
        }
    }

    /// Reads the short option at byte `from` of the word.
    fn short_item(&mut self, word: &'w Word, shape: &Shape<'w>, from: usize) -> Item<'w> {
        let at = self.at;
        let rest = shape.lead.get(from..).unwrap_or_default();
        let known = rest.chars().next().and_then(|letter| Some((self.short(letter)?, letter.len_utf8())));
        let Some((known, length)) = known.filter(|_| shape.count != Count::Any) else {
            self.cluster = None;
            self.at += 1;
            return Item::Unsure(at);
        };
        let behind = from + length;
        let last = behind >= shape.lead.len() && shape.count == Count::Known;
        match known.takes {
            Takes::Nothing if !last => {
                self.cluster = Some(behind);
                Item::Flag { name: known.name, value: None }
            }
            Takes::Value | Takes::Attached if !last => {
                self.cluster = None;
                self.at += 1;
                Item::Flag { name: known.name, value: Some(Cow::Owned(suffix(word, behind))) }
            }
            takes @ (Takes::Nothing | Takes::Value | Takes::Attached | Takes::Words(_)) => {
                self.cluster = None;
                self.at += 1;
                self.flag(known.name, takes)
            }
        }
    }

    fn operand(&mut self, word: &Word) -> Item<'w> {
        let at = self.at;
        self.at += 1;
        self.ended |= match self.options.order {
            Order::First => true,
            Order::FirstButAssignments => assigns(word).is_none(),
            Order::Anywhere => false,
        };
        Item::Operand(at)
    }
}

impl<'w> Iterator for Scan<'w> {
    type Item = Item<'w>;

    fn next(&mut self) -> Option<Item<'w>> {
        if let Some(at) = self.unsure.take() {
            return Some(Item::Unsure(at));
        }
        let words = self.words;
        let word = words.get(self.at)?;
        let shape = Shape::of(word);
        if let Some(from) = self.cluster {
            return Some(self.short_item(word, &shape, from));
        }
        if self.ended {
            self.at += 1;
            return Some(Item::Operand(self.at - 1));
        }
        if shape.known() == Some("--") {
            self.ended = true;
            self.dashed = true;
            self.at += 1;
            return self.next_operand();
        }
        if shape.is_operand() {
            return Some(self.operand(word));
        }
        let lead = shape.lead.clone();
        if shape.known().is_some_and(|text| self.is_number(text)) {
            self.at += 1;
            return Some(Item::Flag { name: "#", value: Some(Cow::Owned(literal(&lead, word))) });
        }
        if let Some(text) = lead.strip_prefix("--") {
            return Some(self.long_item(word, &shape, text));
        }
        if lead.len() > 1 {
            return Some(self.short_item(word, &shape, 1));
        }
        self.at += 1;
        Some(Item::Unsure(self.at - 1))
    }
}

impl<'w> Scan<'w> {
    /// The operand behind `--`.
    fn next_operand(&mut self) -> Option<Item<'w>> {
        self.words.get(self.at)?;
        self.at += 1;
        Some(Item::Operand(self.at - 1))
    }
}
