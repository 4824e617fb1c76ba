use std::borrow::Cow;

use innercmd_bash_units::Word;

use crate::options::{Options, Order, Takes};
use crate::shape::{Count, Shape, assigns, suffix};
use crate::starts::Starts;

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

    /// Every place, from `from` on, where the command may begin behind `operands` operands.
    pub(crate) fn starts(&self, from: usize, operands: usize) -> Starts {
        Starts::of(self.words, self.options, from, operands)
    }

    /// The place of the next word that has not been read.
    pub(crate) fn place(&self) -> usize {
        if self.cluster.is_some() { self.at + 1 } else { self.at }
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

    /// The option at `at`, whose value is not attached.
    fn flag(&mut self, at: usize, name: &'static str, takes: Takes) -> Item<'w> {
        let value = match takes {
            Takes::Nothing | Takes::Attached => None,
            Takes::Perhaps => return Item::Unsure(at),
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
            Some((name, _)) => match self.options.long(name) {
                Some(known) => {
                    let value = suffix(word, "--".len() + name.len() + "=".len());
                    Item::Flag { name: known.name, value: Some(Cow::Owned(value)) }
                }
                // Its value is attached, so that it is one word whatever it means.
                None => Item::Flag { name: "", value: None },
            },
            None if shape.count != Count::Known => Item::Unsure(at),
            None => match self.options.long(text) {
                Some(known) => self.flag(at, known.name, known.takes),
                None => Item::Unsure(at),
            },
        }
    }

    /// Reads the short option at byte `from` of the word.
    fn short_item(&mut self, word: &'w Word, shape: &Shape<'w>, from: usize) -> Item<'w> {
        let at = self.at;
        let rest = shape.lead.get(from..).unwrap_or_default();
        let known = rest.chars().next().and_then(|letter| Some((self.options.short(letter)?, letter.len_utf8())));
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
            Takes::Value | Takes::Attached | Takes::Perhaps if !last => {
                self.cluster = None;
                self.at += 1;
                Item::Flag { name: known.name, value: Some(Cow::Owned(suffix(word, behind))) }
            }
            takes @ (Takes::Nothing | Takes::Value | Takes::Attached | Takes::Perhaps | Takes::Words(_)) => {
                self.cluster = None;
                self.at += 1;
                self.flag(at, known.name, takes)
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
        if shape.known().is_some_and(|text| self.options.is_number(text)) {
            self.at += 1;
            return Some(Item::Flag { name: "#", value: None });
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
