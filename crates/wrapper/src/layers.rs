use std::borrow::Cow;

use innercmd_bash_units::Word;

use crate::Layer;
use crate::recognize::open;

/// How deep [`layers`] goes where its caller has no reason for another depth.
pub const DEPTH_LIMIT: usize = 32;

/// How many words are read for each word given, and how many at least.
///
/// A chain of wrappers reads each word once a level. Only doubts that branch on every level cost more, and they end here.
const WORK_PER_WORD: usize = 40;
const WORK_AT_LEAST: usize = 4096;

/// What [`layers`] comes upon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found<'w> {
    /// A layer.
    Layer {
        /// How many wrappers are around it; at least one.
        depth: usize,
        /// The name of the innermost of them.
        wrapper: &'static str,
        /// What that wrapper runs.
        layer: Layer<'w>,
    },
    /// Wrappers nest deeper than the limit, so that some layers are not listed. Nothing follows.
    TooDeep,
}

/// Lists everything that a unit's words run through wrappers, an outer layer before those inside it.
///
/// A layer of words that are a wrapper's themselves is listed, and its own layers too. The text of a [`Layer::Script`] is left to
/// the caller: its units have words, which have layers, and their depth adds to the script's.
///
/// The walk ends in [`Found::TooDeep`] where more than `depth_limit` wrappers nest, or where doubts about options branch so often
/// that listing every reading would cost more than in proportion to the words. A caller must not take that for the end of the list.
///
/// ```
/// use innercmd_bash_units::{BashProgram, Limits};
/// use innercmd_wrapper::{DEPTH_LIMIT, Found, Layer, layers};
///
/// let program = BashProgram::parse("env env env env sh -c 'rm -rf build'", &Limits::default());
/// for unit in program.commands() {
///     let innermost = layers(&unit.words, DEPTH_LIMIT).last().unwrap();
///     let script = Layer::Script("rm -rf build".to_owned());
///     assert_eq!(innermost, Found::Layer { depth: 5, wrapper: "sh", layer: script });
/// }
/// ```
#[must_use]
pub fn layers(words: &[Word], depth_limit: usize) -> Layers<'_> {
    let work = words.len().saturating_mul(WORK_PER_WORD).max(WORK_AT_LEAST);
    Layers {
        open: vec![Open { depth: 0, wrapper: "", layer: Layer::Command(Cow::Borrowed(words)) }],
        depth_limit,
        work,
    }
}

/// The iterator of [`layers`].
#[derive(Clone, Debug)]
pub struct Layers<'w> {
    /// The layers to come, the next one last.
    open: Vec<Open<'w>>,
    depth_limit: usize,
    work: usize,
}

#[derive(Clone, Debug)]
struct Open<'w> {
    depth: usize,
    wrapper: &'static str,
    layer: Layer<'w>,
}

impl<'w> Iterator for Layers<'w> {
    type Item = Found<'w>;

    fn next(&mut self) -> Option<Found<'w>> {
        loop {
            let Open { depth, wrapper, layer } = self.open.pop()?;
            if depth > self.depth_limit || !self.descend(&layer, depth) {
                self.open.clear();
                return Some(Found::TooDeep);
            }
            if depth > 0 {
                return Some(Found::Layer { depth, wrapper, layer });
            }
        }
    }
}

impl<'w> Layers<'w> {
    /// Takes in what the words of `layer` run, and says whether there was work left for it.
    fn descend(&mut self, layer: &Layer<'w>, depth: usize) -> bool {
        let inner = match layer {
            Layer::Command(Cow::Borrowed(words)) => {
                open(words).map(|(wrapper, reading)| (wrapper.name, reading.layers))
            }
            Layer::Command(Cow::Owned(words)) => open(words).map(|(wrapper, reading)| {
                (
                    wrapper.name,
                    reading.layers.into_iter().map(|layer| layer.into_owned()).collect::<Vec<Layer<'static>>>(),
                )
            }),
            Layer::Script(_) | Layer::Opaque => None,
        };
        let Some((wrapper, inner)) = inner else { return true };
        let cost: usize = inner.iter().map(cost).sum();
        self.open.extend(inner.into_iter().rev().map(|layer| Open { depth: depth + 1, wrapper, layer }));
        self.work.checked_sub(cost).map(|left| self.work = left).is_some()
    }
}

/// How many words reading a layer costs.
fn cost(layer: &Layer<'_>) -> usize {
    match layer {
        Layer::Command(words) => words.len(),
        Layer::Script(_) | Layer::Opaque => 1,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::testing::{render_layer, words};

    fn list(words: &[Word], depth_limit: usize) -> String {
        let found = layers(words, depth_limit).map(|found| match found {
            Found::Layer { depth, wrapper, layer } => format!("{depth} {wrapper}: {}", render_layer(&layer)),
            Found::TooDeep => "too deep".to_owned(),
        });
        found.collect::<Vec<_>>().join("; ")
    }

    #[track_caller]
    fn check(line: &str, listed: &str) {
        assert_eq!(list(&words(line), DEPTH_LIMIT), listed, "of {line}");
    }

    #[rstest]
    #[case("ls", "")]
    #[case("sudo rm x", "1 sudo: rm x")]
    #[case("sudo env A=1 nice rm x", "1 sudo: env A=1 nice rm x; 2 env: nice rm x; 3 nice: rm x")]
    #[case("env -S 'nice rm x'", "1 env: nice rm x; 2 nice: rm x")]
    #[case("sudo sh -c 'sudo rm x'", "1 sudo: sh -c 'sudo rm x'; 2 sh: $ sudo rm x")]
    #[case(r"find . -exec nice a \; -exec sudo b \;", "1 find: nice a; 2 nice: a; 1 find: sudo b; 2 sudo: b")]
    #[case("xargs sudo rm", "1 xargs: sudo rm; 2 sudo: rm; 1 xargs: sudo rm <>; 2 sudo: rm <>")]
    #[case("busybox env sh", "1 busybox: env sh; 2 env: sh; 3 sh: ?")]
    fn every_layer_is_listed_with_those_inside_it(#[case] line: &str, #[case] listed: &str) {
        check(line, listed);
    }

    #[rstest]
    #[case(3, 3, false)]
    #[case(4, 3, true)]
    #[case(32, 32, false)]
    #[case(33, 32, true)]
    #[case(0, 0, false)]
    #[case(1, 0, true)]
    fn the_limit_is_told_and_not_passed_over(#[case] wrappers: usize, #[case] limit: usize, #[case] too_deep: bool) {
        let words = words(&format!("{} rm x", "env ".repeat(wrappers)));
        let found: Vec<Found<'_>> = layers(&words, limit).collect();
        assert_eq!(found.last() == Some(&Found::TooDeep), too_deep);
        assert_eq!(found.len(), wrappers.min(limit) + usize::from(too_deep));
    }

    #[test]
    fn a_chain_that_branches_comes_to_its_command_before_its_end() {
        let words = words(&format!("{} rm -rf x", "xargs ".repeat(20)));
        let found: Vec<Found<'_>> = layers(&words, DEPTH_LIMIT).collect();
        let inner = |found: &Found<'_>| matches!(found, Found::Layer { depth: 20, layer, .. } if render_layer(layer) == "rm -rf x");
        assert!(found.iter().any(inner));
        assert_eq!(found.last(), Some(&Found::TooDeep));
    }

    #[rstest]
    #[case::wrappers("env ", 20_000)]
    #[case::doubts("env --frob ", 20_000)]
    #[case::computed("env $x ", 5_000)]
    #[case::branches("xargs ", 20_000)]
    #[case::actions(r"find . -exec rm {} \; ", 5_000)]
    #[case::computed_actions("find $x -exec rm $y ", 5_000)]
    #[case::options("sudo -n ", 20_000)]
    fn the_work_is_bounded(#[case] part: &str, #[case] times: usize) {
        let words = words(&part.repeat(times));
        let listed: usize = layers(&words, DEPTH_LIMIT)
            .map(|found| match found {
                Found::Layer { layer, .. } => cost(&layer),
                Found::TooDeep => 0,
            })
            .sum();
        assert!(listed <= 2 * words.len() * WORK_PER_WORD + WORK_AT_LEAST, "{listed} words for {}", words.len());
    }
}
