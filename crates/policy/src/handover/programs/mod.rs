//! Well-known programs, and the arguments with which they run something else or write files that no operand names.
//!
//! Each program has a table of its options in the language of [`options`](super::options): those that hand something over, those
//! whose value decides, and the others that take a value, so that a value is never taken for an option nor hides one.

mod build;
mod data;
mod files;
mod judges;
mod network;
mod view;

use std::sync::LazyLock;

use super::argument::Argument;
use super::options::{Found, Options, Style};

/// A program that its arguments can make run something else.
pub(super) struct Program {
    names: &'static [&'static str],
    manual: &'static str,
    options: Options,
    /// Whether an operand of this text hands something over; the text may hold [`HOLE`](super::argument::HOLE).
    operand: fn(&str) -> bool,
    /// Whether the arguments as a whole hand something over.
    reads: fn(&[Argument<'_>]) -> bool,
    /// How many of the arguments are the program's own.
    until: fn(&[Argument<'_>]) -> usize,
    /// Whether the first argument may be options without a dash (GNU tar manual 3.3.3).
    bundle: bool,
}

impl Program {
    const fn new(names: &'static [&'static str], manual: &'static str, style: Style, table: &'static str) -> Self {
        Self {
            names,
            manual,
            options: Options::new(style, table),
            operand: |_| false,
            reads: |_| false,
            until: |arguments| arguments.len(),
            bundle: false,
        }
    }

    /// `-abc`, `--long`, and beginnings of long names.
    const fn clusters(names: &'static [&'static str], manual: &'static str, table: &'static str) -> Self {
        Self::new(names, manual, Style::Clusters, table)
    }

    /// `-abc`, and long names in full.
    const fn in_full(names: &'static [&'static str], manual: &'static str, table: &'static str) -> Self {
        Self::new(names, manual, Style::ClustersInFull, table)
    }

    /// `-name`, in full.
    const fn words(names: &'static [&'static str], manual: &'static str, table: &'static str) -> Self {
        Self::new(names, manual, Style::Words, table)
    }

    /// `-name`, in full, with the value behind it.
    const fn primaries(names: &'static [&'static str], manual: &'static str, table: &'static str) -> Self {
        Self::new(names, manual, Style::Primaries, table)
    }

    /// `-name`, and beginnings of names.
    const fn words_cut(names: &'static [&'static str], manual: &'static str, table: &'static str) -> Self {
        Self::new(names, manual, Style::WordsCut, table)
    }

    const fn judged(self, judge: fn(&str, &str) -> bool) -> Self {
        Self { options: Options { judge, ..self.options }, ..self }
    }

    const fn operands(self, operand: fn(&str) -> bool) -> Self {
        Self { operand, ..self }
    }

    const fn reads(self, reads: fn(&[Argument<'_>]) -> bool) -> Self {
        Self { reads, ..self }
    }

    const fn until(self, until: fn(&[Argument<'_>]) -> usize) -> Self {
        Self { until, ..self }
    }

    const fn bundled(self) -> Self {
        Self { bundle: true, ..self }
    }

    /// The manual, and the option of it, by which `arguments` hand something over; none where they do not.
    pub(super) fn hands_over(&self, arguments: &[Argument<'_>]) -> Option<String> {
        let arguments = arguments.get(..(self.until)(arguments)).unwrap_or(arguments);
        if (self.reads)(arguments) {
            return Some(self.manual.to_owned());
        }
        let rest = match arguments.first().filter(|first| self.bundle && !first.text().starts_with('-')) {
            Some(first) => match self.behind_bundle(first, arguments) {
                Ok(rest) => rest,
                Err(found) => return Some(describe(self.manual, found)),
            },
            None => arguments,
        };
        let wanted = |found: Found<'_>| match found {
            Found::Option(_) | Found::Doubt => true,
            Found::Operand(argument) => (self.operand)(argument.text()),
        };
        self.options.find(rest, wanted).map(|found| describe(self.manual, found))
    }

    /// The arguments behind a first one that is options without a dash, and behind their values, which follow in order.
    fn behind_bundle<'a>(
        &self,
        first: &Argument<'a>,
        arguments: &'a [Argument<'a>],
    ) -> Result<&'a [Argument<'a>], Found<'a>> {
        if first.has_hole() || first.hides_more() {
            return Err(Found::Doubt);
        }
        let mut values = 0_usize;
        for letter in first.text().chars() {
            values = values.saturating_add(self.options.bundled(letter)?);
        }
        let (values, rest) = arguments.split_at(values.saturating_add(1).min(arguments.len()));
        if values.iter().any(Argument::hides_more) { Err(Found::Doubt) } else { Ok(rest) }
    }
}

static TABLES: [&[Program]; 5] = [build::PROGRAMS, data::PROGRAMS, files::PROGRAMS, network::PROGRAMS, view::PROGRAMS];

/// The program of this name.
pub(super) fn program(name: &str) -> Option<&'static Program> {
    static BY_NAME: LazyLock<Vec<(&'static str, &'static Program)>> = LazyLock::new(|| {
        let programs = TABLES.iter().copied().flatten();
        let mut names: Vec<_> =
            programs.flat_map(|program| program.names.iter().map(move |name| (*name, program))).collect();
        // The sort is stable: of two tables of one name the first counts.
        names.sort_by_key(|(name, _)| *name);
        names
    });
    let place = BY_NAME.partition_point(|(known, _)| *known < name);
    BY_NAME.get(place).filter(|(known, _)| *known == name).map(|(_, program)| *program)
}

/// What was found, for people.
pub(super) fn describe(manual: &str, found: Found<'_>) -> String {
    match found {
        Found::Option(name) if name.chars().count() == 1 => format!("{manual}: -{name}"),
        Found::Option(name) => format!("{manual}: --{name}"),
        Found::Doubt => format!("{manual}: an option may be in an argument that is not known"),
        Found::Operand(_) => manual.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_program_is_listed_once_and_has_a_manual() {
        let mut seen = BTreeSet::new();
        for program in TABLES.iter().copied().flatten() {
            assert!(!program.manual.is_empty());
            assert!(program.names.iter().all(|name| seen.insert(*name)), "{:?}", program.names);
        }
    }
}
