//! The closed registry: every wrapper there is, by name.

mod boundary;
mod builtins;
mod container;
mod env;
mod fd;
mod find;
mod launch;
mod multicall;
mod names;
mod parallel;
mod privilege;
mod remote;
mod scheduling;
mod shell;
mod shell_text;
mod timeout;
mod trace;
mod xargs;

use innercmd_bash_units::Word;

pub(crate) use names::named;
#[cfg(test)]
pub(crate) use names::names;

use crate::Influence;
use crate::options::Options;
use crate::reading::Reading;
use crate::scan::{Item, Scan};
use crate::shape::{Count, Shape};

/// A program that runs other commands.
#[derive(Debug)]
pub(crate) struct Wrapper {
    pub(crate) name: &'static str,
    pub(crate) manual: &'static str,
    pub(crate) kind: Kind,
    pub(crate) grammar: Grammar,
}

/// What a wrapper may do to the command it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Nothing, and the strict grammar knows it.
    Strict,
    /// Nothing, but only the extended grammar would know it.
    Extended,
    /// Change which program it is, its arguments, its environment or its privileges.
    NonTransparent,
    /// Have a shell read it.
    Shell,
}

/// How a wrapper's words are read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Grammar {
    /// By a table alone.
    Prefix(Prefix),
    /// By its own function.
    Own(Read),
}

/// Reads a wrapper's words, the first of which is its name.
pub(crate) type Read = for<'w> fn(&'w [Word], &mut Reading<'w>);

/// The grammar `NAME [OPTION]… [OPERAND]… COMMAND…`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prefix {
    pub(crate) options: Options,
    /// How many operands stand before the command.
    pub(crate) operands: usize,
    /// The options with which it runs no command.
    pub(crate) inert: &'static [&'static str],
    /// The options that change something for the command, and what.
    pub(crate) effects: &'static [(&'static str, Influence)],
    /// The options whose value names a variable that is set or removed for the command.
    pub(crate) variables: &'static [&'static str],
    /// The options with which more arguments, or something beside the command, come from a place that is not visible here.
    pub(crate) unseen: &'static [&'static str],
    /// What it always changes for the command.
    pub(crate) always: &'static [Influence],
    /// What it does where no command is given.
    pub(crate) default: Default,
}

/// What a wrapper does where no command is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Default {
    /// Nothing, or an error.
    Nothing,
    /// It starts a shell, which reads its input.
    Shell,
}

impl Prefix {
    /// A command behind options, and nothing else.
    pub(crate) const fn new(options: Options) -> Self {
        Self {
            options,
            operands: 0,
            inert: &["help", "version"],
            effects: &[],
            variables: &[],
            unseen: &[],
            always: &[],
            default: Default::Nothing,
        }
    }

    pub(crate) const fn operands(self, operands: usize) -> Self {
        Self { operands, ..self }
    }

    pub(crate) const fn inert(self, inert: &'static [&'static str]) -> Self {
        Self { inert, ..self }
    }

    pub(crate) const fn effects(self, effects: &'static [(&'static str, Influence)]) -> Self {
        Self { effects, ..self }
    }

    pub(crate) const fn variables(self, variables: &'static [&'static str]) -> Self {
        Self { variables, ..self }
    }

    pub(crate) const fn unseen(self, unseen: &'static [&'static str]) -> Self {
        Self { unseen, ..self }
    }

    pub(crate) const fn always(self, always: &'static [Influence]) -> Self {
        Self { always, ..self }
    }

    pub(crate) const fn or_shell(self) -> Self {
        Self { default: Default::Shell, ..self }
    }

    pub(crate) fn read<'w>(&self, words: &'w [Word], reading: &mut Reading<'w>) {
        let mut scan = Scan::new(words, self.options);
        let mut left = self.operands;
        while let Some(item) = scan.next() {
            match item {
                Item::Flag { name, .. } if self.inert.contains(&name) => return,
                Item::Flag { name, value } => self.flag(name, value.as_deref(), reading),
                Item::Operand(at) if left == 0 => return self.found(words.get(at..).unwrap_or_default(), reading),
                Item::Operand(at) if !may_be_several(words, at) => left -= 1,
                Item::Operand(at) | Item::Unsure(at) => {
                    let starts = scan.starts(at, left);
                    match self.default {
                        Default::Nothing => reading.starts(words, &starts),
                        Default::Shell => reading.starts_or_unseen(words, &starts),
                    }
                    return self.found(&[], reading);
                }
            }
        }
        if self.default == Default::Shell {
            reading.opaque();
        }
    }

    fn flag(&self, name: &str, value: Option<&Word>, reading: &mut Reading<'_>) {
        for (_, influence) in self.effects.iter().filter(|(option, _)| *option == name) {
            reading.influence(*influence);
        }
        if let Some(value) = value.filter(|_| self.variables.contains(&name)) {
            reading.variable(value);
        }
        if self.unseen.contains(&name) {
            reading.opaque();
        }
    }

    fn found<'w>(&self, command: &'w [Word], reading: &mut Reading<'w>) {
        reading.command(command);
        for influence in self.always {
            reading.influence(*influence);
        }
    }
}

impl Grammar {
    pub(crate) fn read<'w>(&self, words: &'w [Word], reading: &mut Reading<'w>) {
        match self {
            Self::Prefix(prefix) => prefix.read(words, reading),
            Self::Own(read) => read(words, reading),
        }
    }
}

/// Whether the word may be none or several, so that it is not certain which operand is which.
pub(crate) fn may_be_several(words: &[Word], at: usize) -> bool {
    words.get(at).is_some_and(|word| Shape::of(word).count == Count::Any)
}
