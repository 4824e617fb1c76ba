use std::collections::BTreeSet;

use innercmd_bash_units::Word;

use crate::options::{Options, Order};
use crate::shape::{Count, Shape, assigns};

/// How many places a doubt about one wrapper's options is spelled out as.
const LIMIT: usize = 16;

/// Every place where a command may begin, when it is not certain which options are before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Starts {
    /// The places, in order.
    pub(crate) places: Vec<usize>,
    /// Whether there are more of them, or the command itself may come from a word that is computed.
    pub(crate) unseen: bool,
}

/// A place, and how many operands are still to come before the command.
type State = (usize, usize);

/// The search for [`Starts`]: each state is visited once, in the order of the places, until enough starts are found.
struct Search {
    options: Options,
    open: BTreeSet<State>,
    found: BTreeSet<usize>,
    unseen: bool,
}

impl Starts {
    /// The places from `from` on, behind `operands` operands.
    pub(crate) fn of(words: &[Word], options: Options, from: usize, operands: usize) -> Self {
        let open = BTreeSet::from([(from, operands)]);
        let mut search = Search { options, open, found: BTreeSet::new(), unseen: false };
        // A start is found at most `operands` places ahead of the search, so that the first ones are found first.
        while search.found.len() <= LIMIT + operands
            && let Some(state) = search.open.pop_first()
        {
            if let Some(word) = words.get(state.0) {
                search.visit(word, state);
            }
        }
        let found = search.found.into_iter().filter(|at| *at < words.len());
        let mut places: Vec<usize> = found.take(LIMIT + 1).collect();
        let unseen = search.unseen || places.len() > LIMIT;
        places.truncate(LIMIT);
        Self { places, unseen }
    }
}

impl Search {
    fn visit(&mut self, word: &Word, (at, left): State) {
        let shape = Shape::of(word);
        if shape.known() == Some("--") {
            self.found.insert(at + 1 + left);
        } else if shape.is_operand() {
            self.operand(word, (at, left));
        } else {
            self.unsure(&shape, (at, left));
        }
    }

    fn operand(&mut self, word: &Word, (at, left): State) {
        if self.options.order == Order::FirstButAssignments && assigns(word).is_some() {
            self.open.insert((at + 1, left));
        } else if left == 0 {
            self.found.insert(at);
        } else if self.options.order == Order::Anywhere {
            self.open.insert((at + 1, left - 1));
        } else {
            self.found.insert(at + left);
        }
    }

    fn unsure(&mut self, shape: &Shape<'_>, (at, left): State) {
        if shape.count != Count::Known && (shape.lead.is_empty() || shape.count == Count::Any) {
            // It may be an operand too; and where it may be several words, it may be all of them, and the command as well.
            let most = if shape.count == Count::Any { left } else { left.min(1) };
            if left == 0 {
                self.found.insert(at);
            }
            self.open.extend((0..=most).map(|taken| (at + 1, left - taken)));
            self.unseen |= shape.count == Count::Any;
        }
        match shape.known().and_then(|text| self.options.length(text)) {
            Some(length) => {
                self.open.insert((at + length, left));
            }
            None => {
                self.open.insert((at + 1, left));
                if self.options.may_take_a_word() {
                    self.open.insert((at + 2, left));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::testing::words;

    const OPTIONS: Options = Options::first("a b: two:2");

    #[track_caller]
    fn check(options: Options, line: &str, operands: usize, places: &[usize], unseen: bool) {
        let words = words(line);
        assert_eq!(Starts::of(&words, options, 1, operands), Starts { places: places.to_vec(), unseen }, "of {line}");
    }

    #[rstest]
    #[case("p x y", 0, &[1], false)]
    #[case("p x y", 1, &[2], false)]
    #[case("p x", 1, &[], false)]
    #[case("p -a x y", 0, &[2], false)]
    #[case("p -b x y", 0, &[3], false)]
    #[case("p --two x y z", 0, &[4], false)]
    #[case("p -q x y", 0, &[2, 3], false)]
    #[case("p -q -b x y", 0, &[3, 4], false)]
    #[case("p -q -- -x", 0, &[3], false)]
    #[case("p $x y z", 0, &[1, 2, 3], true)]
    #[case("p $x y z", 1, &[2, 3], true)]
    #[case("p \"$x\" y z", 0, &[1, 2, 3], false)]
    #[case("p \"$x\" y z", 1, &[2, 3], false)]
    #[case("p a\"$x\" y z", 0, &[1], false)]
    #[case("p a$x y z", 0, &[1, 2, 3], true)]
    #[case("p -q", 0, &[], false)]
    fn every_place_is_found(
        #[case] line: &str,
        #[case] operands: usize,
        #[case] places: &[usize],
        #[case] unseen: bool,
    ) {
        check(OPTIONS, line, operands, places, unseen);
    }

    #[test]
    fn where_no_option_takes_a_word_fewer_places_are_left() {
        check(Options::first("a"), "p -q x y", 0, &[2], false);
        check(Options::attached("a"), "p -q x y", 0, &[2], false);
    }

    #[test]
    fn assignments_may_stand_among_options() {
        let options = Options { order: Order::FirstButAssignments, ..OPTIONS };
        check(options, "p -q A=1 -a B=2 x y", 0, &[5], false);
        check(OPTIONS, "p -q A=1 -a B=2 x y", 0, &[2, 4], false);
    }

    #[test]
    fn too_many_places_are_told() {
        let line = |options: usize| format!("p {}", "-q x ".repeat(options));
        let places: Vec<usize> = (1..=16).map(|option| 2 * option).collect();
        check(OPTIONS, &line(16), 0, &places, false);
        check(OPTIONS, &line(17), 0, &places, true);
    }
}
