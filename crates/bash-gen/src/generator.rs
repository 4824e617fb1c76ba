//! The generator's state, and the bounds of what it writes.

use crate::Generated;
use crate::heredoc::Pending;
use crate::random::Random;

/// How deep constructs nest.
const DEEPEST: usize = 5;
/// The most commands of a text that is made from bytes.
const MOST_FUEL: usize = 64;

/// Writes one text.
///
/// It recurses on the grammar, and never deeper than a small constant; see the crate's invariants.
#[derive(Clone)]
pub struct Generator<'d> {
    random: Random<'d>,
    /// How many more commands may be written.
    fuel: usize,
    depth: usize,
    /// The text so far, or that of the innermost backticks or trap.
    pub(crate) out: String,
    /// Here-documents whose bodies follow the next newline.
    pub(crate) pending: Vec<Pending>,
    /// Whether a newline may separate commands here: not while an outer here-document waits for its body.
    pub(crate) lines: bool,
    /// Whether only shapes may be written whose parentheses and quotes balance, since bash counts them here.
    pub(crate) tame: bool,
    /// How many substitutions in parentheses are open: there bash 5.2 ignores backslashes in arrays.
    pub(crate) substitutions: usize,
    /// Whether the next command is the first of a substitution in parentheses.
    pub(crate) first: bool,
    /// Whether a `case` has been written: behind one, bash 5.2 does not read `for NAME`, newline, `in`.
    pub(crate) cased: bool,
    /// How many bodies of unquoted here-documents are open: there bash joins lines before it reads quotes.
    pub(crate) bodies: usize,
    /// How many delimiters have been used.
    pub(crate) delimiters: usize,
    pub(crate) record: Generated,
}

impl Generator<'static> {
    /// Makes the text of `seed`, with at most about `size` commands.
    #[must_use]
    pub fn new(seed: u64, size: usize) -> Self {
        Self::from_random(Random::Seeded(seed), size)
    }
}

impl<'d> Generator<'d> {
    /// Makes the text that `choices` describe: each byte is one choice, and absent ones choose what is simplest.
    #[must_use]
    pub fn from_bytes(choices: &'d [u8]) -> Self {
        Self::from_random(Random::Bytes(choices.iter()), choices.len().min(MOST_FUEL))
    }

    fn from_random(random: Random<'d>, fuel: usize) -> Self {
        Self {
            random,
            fuel,
            depth: 0,
            out: String::new(),
            pending: Vec::new(),
            lines: true,
            tame: false,
            substitutions: 0,
            first: false,
            cased: false,
            bodies: 0,
            delimiters: 0,
            record: Generated::default(),
        }
    }

    /// Writes the text.
    #[must_use]
    pub fn program(mut self) -> Generated {
        self.record.computed = self.below(4) == 3;
        if self.rarely(8) {
            self.newline();
        }
        self.list_to_end();
        if !self.pending.is_empty() || self.rarely(4) {
            self.newline();
        }
        self.record.text = self.out;
        self.record
    }

    /// A number below `bound`; 0 is what ends soonest.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    /// True once in `times`.
    pub(crate) fn rarely(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    /// One of `choices`, the first being what ends soonest.
    pub(crate) fn pick<T: Copy + Default>(&mut self, choices: &[T]) -> T {
        let chosen = self.below(choices.len());
        choices.get(chosen).copied().unwrap_or_default()
    }

    pub(crate) fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Whether values may decide what runs.
    pub(crate) fn computed(&self) -> bool {
        self.record.computed
    }

    /// Whether another command may be written, and should be.
    pub(crate) fn another(&mut self) -> bool {
        let odds = if self.depth <= 1 { 4 } else { 2 };
        self.fuel > 0 && self.below(odds) != 0
    }

    /// Whether a construct may be opened here.
    pub(crate) fn may_nest(&self) -> bool {
        self.fuel > 0 && self.depth < DEEPEST
    }

    pub(crate) fn spend(&mut self) {
        self.fuel = self.fuel.saturating_sub(1);
    }

    /// Writes what `inner` does, one level deeper.
    pub(crate) fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Writes what `inner` does where bash counts parentheses and quotes.
    pub(crate) fn tamed<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let tame = std::mem::replace(&mut self.tame, true);
        let result = inner(self);
        self.tame = tame;
        result
    }

    /// The text that `inner` writes, apart from what stands before it.
    pub(crate) fn apart(&mut self, inner: impl FnOnce(&mut Self)) -> String {
        let outer = std::mem::take(&mut self.out);
        inner(self);
        std::mem::replace(&mut self.out, outer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_a_function_of_its_seed() {
        for seed in 0..200 {
            assert_eq!(Generator::new(seed, 20).program(), Generator::new(seed, 20).program());
        }
    }

    #[test]
    fn no_choices_make_the_simplest_text() {
        let generated = Generator::from_bytes(&[]).program();
        assert_eq!(generated.text, "ok");
        assert_eq!(generated.commands, [vec![Some("ok".to_owned())]]);
    }

    #[test]
    fn the_length_is_bounded_by_the_size() {
        let longest = (0..2000).map(|seed| Generator::new(seed, 30).program().text.len()).max().unwrap();
        assert!(longest < 40_000, "{longest}");
    }

    #[test]
    fn every_construct_is_met() {
        let texts: String = (0..3000).map(|seed| Generator::new(seed, 30).program().text).collect();
        let constructs = [
            "$(", "<(", ">(", "${", "$((", "$[", "`", "$'", "$\"", "<<-", "<<<", "<>", ">|", "&>>", ">&-", "|&", "&&",
            "||", ";;&", ";&", "[[", "=~", "((", "coproc", "time -p", "! ", "select", "until", "function", "() ",
            "for ((", "elif", "+=(", "]=", "{x}>", "\\\n", "\t", "#", "case", "esac", "trap", "[ ",
        ];
        for construct in constructs {
            assert!(texts.contains(construct), "{construct:?}");
        }
    }
}
