//! How the arguments of a program are read for the options among them.
//!
//! A table is one text: entries with blanks between them, each the names of one option joined by `|`, of one letter or long, and
//! then `:` where it takes a value, `::` where a value may be attached, and `!` where it hands something over or `?` where that
//! depends on its value. What a table does not list is a flag.

use super::argument::{Argument, HOLE};

/// How a program's options look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// `-abc`, `-bVALUE`, `--long`, `--long=VALUE`, and beginnings of long names (GNU `getopt_long`).
    Clusters,
    /// The same, with long names in full only.
    ClustersInFull,
    /// Names of any length behind one dash or two, in full (Go's `flag`, `find`).
    Words,
    /// The same, and beginnings of names (`getopt_long_only`).
    WordsCut,
    /// Names of any length behind one dash, in full, with their values in arguments of their own (`find`).
    Primaries,
}

/// The options of a program, and what their values may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    pub(super) style: Style,
    pub(super) table: &'static str,
    /// Whether the value of an option that the table marks `?` hands something over; the text may hold [`HOLE`].
    pub(super) judge: fn(&str, &str) -> bool,
}

/// What was found while reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found<'a> {
    /// An option that hands something over: its first name in the table.
    Option(&'static str),
    /// An argument that may be such an option, or hide one.
    Doubt,
    /// An argument that is no option.
    Operand(&'a Argument<'a>),
}

/// One option of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    name: &'static str,
    takes: Takes,
    hands: Hands,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    Nothing,
    Value,
    Attached,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hands {
    Nothing,
    Over,
    ByValue,
}

impl Options {
    pub(super) const fn new(style: Style, table: &'static str) -> Self {
        Self { style, table, judge: |_, _| true }
    }

    /// Reads `arguments`, and ends at the first for which `wanted` is true, or else tells nothing.
    ///
    /// INVARIANT: an argument that is not known is an operand only where nothing that it may become is an option which hands
    /// something over.
    pub(super) fn find<'a>(
        &self,
        arguments: &'a [Argument<'a>],
        mut wanted: impl FnMut(Found<'a>) -> bool,
    ) -> Option<Found<'a>> {
        let mut reader =
            Reader { options: self, rest: arguments, waiting: None, value_may_follow: false, ended: Ended::No };
        while let Some(found) = reader.next() {
            if wanted(found) {
                return Some(found);
            }
        }
        None
    }

    /// How many arguments are the value of this letter in a bundle.
    ///
    /// # Errors
    /// What the letter hands over.
    pub(super) fn bundled<'a>(&self, letter: char) -> Result<usize, Found<'a>> {
        match self.short(letter) {
            Some(known) if known.hands != Hands::Nothing => Err(Found::Option(known.name)),
            Some(known) => Ok(usize::from(known.takes == Takes::Value)),
            None => Ok(0),
        }
    }

    fn entries(&self) -> impl Iterator<Item = (&'static str, Known)> + use<> {
        self.table.split_ascii_whitespace().map(|entry| {
            let (entry, hands) = match (entry.strip_suffix('!'), entry.strip_suffix('?')) {
                (Some(entry), _) => (entry, Hands::Over),
                (None, Some(entry)) => (entry, Hands::ByValue),
                (None, None) => (entry, Hands::Nothing),
            };
            let (names, takes) = match (entry.strip_suffix("::"), entry.strip_suffix(':')) {
                (Some(names), _) => (names, Takes::Attached),
                (None, Some(names)) => (names, Takes::Value),
                (None, None) => (entry, Takes::Nothing),
            };
            let name = names.split('|').next().unwrap_or(names);
            (names, Known { name, takes, hands })
        })
    }

    fn short(&self, letter: char) -> Option<Known> {
        let is = |name: &str| name.chars().eq([letter]);
        self.entries().find(|(names, _)| names.split('|').any(is)).map(|(_, known)| known)
    }

    /// The option of this long name, or one that hands over and whose name begins so, where that is enough.
    fn long(&self, wanted: &str) -> Option<Known> {
        let long = |name: &str| name.len() > 1 || self.words();
        let exact = self.entries().find(|(names, _)| names.split('|').any(|name| long(name) && name == wanted));
        if let Some((_, known)) = exact {
            return Some(known);
        }
        let cut = matches!(self.style, Style::Clusters | Style::WordsCut) && !wanted.is_empty();
        cut.then(|| self.beginning(wanted)).flatten()
    }

    /// An option with a long name that begins with `start`: one that hands something over, if there is one.
    fn beginning(&self, start: &str) -> Option<Known> {
        let begins = |names: &str| names.split('|').any(|name| name.len() > 1 && name.starts_with(start));
        let mut found = self.entries().filter(|(names, _)| begins(names)).map(|(_, known)| known);
        let first = found.next()?;
        Some(std::iter::once(first).chain(found).find(|known| known.hands != Hands::Nothing).unwrap_or(first))
    }

    fn words(&self) -> bool {
        matches!(self.style, Style::Words | Style::WordsCut | Style::Primaries)
    }

    /// Whether any option hands something over.
    fn any_hands_over(&self) -> bool {
        self.table.contains(['!', '?'])
    }

    /// Whether a long name that begins with `start` hands something over.
    fn may_hand_over(&self, start: &str) -> bool {
        let begins =
            |names: &str| names.split('|').any(|name| (name.len() > 1 || self.words()) && name.starts_with(start));
        self.entries().any(|(names, known)| known.hands != Hands::Nothing && begins(names))
    }
}

/// Whether options have ended, by `--`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    No,
    /// Unless that was the value of an option that the table does not list.
    Perhaps,
    Yes,
}

struct Reader<'a, 'o> {
    options: &'o Options,
    rest: &'a [Argument<'a>],
    /// The option whose value is the next argument.
    waiting: Option<Known>,
    /// Whether an option came last that may take the next argument.
    value_may_follow: bool,
    ended: Ended,
}

impl<'a> Reader<'a, '_> {
    fn next(&mut self) -> Option<Found<'a>> {
        loop {
            let (argument, rest) = self.rest.split_first()?;
            self.rest = rest;
            let found = match (self.waiting.take(), self.ended) {
                (Some(known), _) => self.value(known, argument),
                (None, Ended::Yes) => Some(Found::Operand(argument)),
                (None, Ended::Perhaps) => self.argument(argument).map(|found| match found {
                    Found::Doubt => Found::Operand(argument),
                    Found::Option(_) | Found::Operand(_) => found,
                }),
                (None, Ended::No) => self.argument(argument),
            };
            if found.is_some() {
                return found;
            }
        }
    }

    /// Reads the value of an option that stands in an argument of its own.
    ///
    /// Programs of one name differ in which options take one, so that what looks like an option that hands something over is
    /// not hidden by being a value.
    fn value(&mut self, known: Known, argument: &'a Argument<'a>) -> Option<Found<'a>> {
        if known.hands == Hands::ByValue && (self.options.judge)(known.name, argument.text()) {
            return Some(Found::Option(known.name));
        }
        if argument.hides_more() && self.options.any_hands_over() {
            return Some(Found::Doubt);
        }
        let certain = self.options.style == Style::Primaries;
        if certain || !argument.text().starts_with('-') || argument.known() == Some("--") {
            return None;
        }
        let found = self.argument(argument);
        self.waiting = None;
        self.value_may_follow = false;
        found.filter(|found| matches!(found, Found::Option(_)))
    }

    /// Reads one argument; none for an option that hands nothing over.
    fn argument(&mut self, argument: &'a Argument<'a>) -> Option<Found<'a>> {
        let value_may_follow = std::mem::take(&mut self.value_may_follow);
        if argument.hides_more() && self.options.any_hands_over() {
            return Some(Found::Doubt);
        }
        if argument.known() == Some("--") && !matches!(self.options.style, Style::Words | Style::Primaries) {
            self.ended = if value_may_follow { Ended::Perhaps } else { Ended::Yes };
            return None;
        }
        let lead = argument.lead();
        if lead.is_empty() && argument.has_hole() {
            return Some(if self.may_be_an_option(argument) { Found::Doubt } else { Found::Operand(argument) });
        }
        if !lead.starts_with('-') || argument.known() == Some("-") {
            return Some(Found::Operand(argument));
        }
        match lead.strip_prefix("--") {
            Some(_) => self.long(argument, "--".len()),
            None if self.options.words() => self.long(argument, "-".len()),
            None => self.cluster(argument),
        }
    }

    /// Whether an argument of which the beginning is not known may be an option that hands something over.
    fn may_be_an_option(&self, argument: &Argument<'_>) -> bool {
        if !self.options.any_hands_over() {
            return false;
        }
        // A whole name is an option only where its value follows; what looks like one is hardly that value.
        let value = self.rest.first().is_some_and(|next| !next.text().starts_with('-'));
        self.options.style != Style::Primaries
            || value && argument.text().chars().all(|c| c == HOLE || c == '-' || c.is_ascii_alphanumeric())
    }

    /// Reads an option with a long name behind so many dashes.
    fn long(&mut self, argument: &'a Argument<'a>, dashes: usize) -> Option<Found<'a>> {
        let text = argument.text().get(dashes..).unwrap_or_default();
        let (name, attached) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        if let Some((start, _)) = name.split_once(HOLE) {
            return self.options.may_hand_over(start).then_some(Found::Doubt);
        }
        match self.options.long(name) {
            Some(known) => self.option(known, attached),
            None => {
                self.value_may_follow = attached.is_none();
                None
            }
        }
    }

    /// Reads a cluster of options of one letter: the first that takes a value ends it.
    fn cluster(&mut self, argument: &'a Argument<'a>) -> Option<Found<'a>> {
        let mut letters = argument.text().chars();
        letters.next();
        while let Some(letter) = letters.next() {
            if letter == HOLE {
                return self.options.any_hands_over().then_some(Found::Doubt);
            }
            let Some(known) = self.options.short(letter) else { continue };
            let rest = letters.as_str();
            match known.takes {
                Takes::Nothing if known.hands == Hands::Nothing => {}
                Takes::Nothing | Takes::Value | Takes::Attached => {
                    return self.option(known, (!rest.is_empty()).then_some(rest));
                }
            }
        }
        None
    }

    fn option(&mut self, known: Known, attached: Option<&str>) -> Option<Found<'a>> {
        match (known.hands, known.takes, attached) {
            (Hands::Over, ..) => return Some(Found::Option(known.name)),
            (Hands::ByValue, _, Some(value)) if (self.options.judge)(known.name, value) => {
                return Some(Found::Option(known.name));
            }
            (Hands::ByValue, Takes::Nothing | Takes::Attached, None) if (self.options.judge)(known.name, "") => {
                return Some(Found::Option(known.name));
            }
            (_, Takes::Value, None) => self.waiting = Some(known),
            (_, Takes::Attached, None) => self.value_may_follow = true,
            (Hands::Nothing | Hands::ByValue, ..) => {}
        }
        None
    }
}
