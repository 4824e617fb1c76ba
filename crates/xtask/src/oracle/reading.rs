//! What bash executes for a text, by both readings.

use std::collections::HashSet;

/// Both readings of one text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading {
    /// The static reading: every command on any path.
    pub(crate) walk: Walk,
    /// The dynamic reading: what unmodified bash started.
    pub(crate) runs: Runs,
}

/// The static reading.
#[derive(Clone, Debug, Default)]
pub(crate) struct Walk {
    /// The simple commands, in the order they were met; a command that is met twice is listed twice.
    pub(crate) commands: Vec<Walked>,
    /// The assignments, alone and before commands, as written.
    pub(crate) assignments: Vec<String>,
    /// The redirections to a file, a text or a computed descriptor.
    pub(crate) redirects: Vec<Redirected>,
    /// The byte offsets behind each complete command, in order.
    pub(crate) cuts: Vec<usize>,
    /// Whether the whole text parses.
    pub(crate) valid: bool,
    /// How many substitutions hold text that does not parse; bash finds that out when it runs them.
    pub(crate) nested_errors: usize,
    /// Whether a here-document ends with the text instead of its delimiter.
    pub(crate) open_heredoc: bool,
    /// Whether the reading came to its end, or why not.
    pub(crate) ended: Ended,
}

/// A simple command that the walker met.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Walked {
    /// How many of the words are leading assignments.
    pub(crate) assignments: usize,
    /// The words as written, less line continuations.
    pub(crate) words: Vec<String>,
    /// The words after all expansions, without assignments, where no expansion failed.
    pub(crate) argv: Option<Vec<String>>,
}

/// A redirection that the walker met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Redirected {
    /// The operator, without the descriptor before it.
    pub(crate) operator: String,
    /// The target as written, or the delimiter of a here-document without its quotes.
    pub(crate) target: String,
    /// The body of a here-document, as bash keeps it.
    pub(crate) body: Option<String>,
}

/// The dynamic reading: the union of runs with builtins on and off, and with programs that succeed and fail.
#[derive(Clone, Debug, Default)]
pub(crate) struct Runs {
    /// The arguments of each `execve`, without repetition.
    pub(crate) execs: Vec<Vec<String>>,
    /// Whether every run came to its end, or why not.
    pub(crate) ended: Ended,
}

/// How a reading ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    flags: u32,
}

impl Ended {
    /// The reading came to its end.
    pub(crate) const WELL: Self = Self { flags: 0 };
    /// The text cannot be given to `bash -c`: it is too long, or holds a NUL.
    pub(crate) const REFUSED: Self = Self { flags: 1 << 8 };
    /// The server itself ended or hung.
    pub(crate) const LOST: Self = Self { flags: 1 << 9 };
    /// The walk did not reach the end of the text.
    pub(crate) const SHORT: Self = Self { flags: 1 << 10 };

    /// The bits of `enum oracle_flag` and of the constants here, with their names.
    const NAMES: [(u32, &'static str); 8] = [
        (1, "time"),
        (2, "output"),
        (4, "processes"),
        (8, "loop"),
        (16, "signal"),
        (1 << 8, "refused"),
        (1 << 9, "lost"),
        (1 << 10, "short"),
    ];

    /// From the flags of an answer.
    pub(super) const fn from_flags(flags: u32) -> Self {
        Self { flags }
    }

    /// Both.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self { flags: self.flags | other.flags }
    }

    /// The names of what ended the reading early.
    pub(crate) fn reasons(self) -> Vec<&'static str> {
        Self::NAMES.iter().filter(|(bit, _)| self.flags & bit != 0).map(|(_, name)| *name).collect()
    }
}

impl Default for Ended {
    fn default() -> Self {
        Self::WELL
    }
}

impl Walk {
    /// The words of each command as written, without repetition.
    pub(crate) fn words(&self) -> Vec<Vec<String>> {
        unique(self.commands.iter().map(|command| command.words.clone()))
    }
}

/// `lists` without repetitions, in the order of their first appearance.
pub(super) fn unique(lists: impl IntoIterator<Item = Vec<String>>) -> Vec<Vec<String>> {
    let mut seen = HashSet::new();
    lists.into_iter().filter(|list| seen.insert(list.clone())).collect()
}
