use std::borrow::Cow;

use innercmd_bash_units::Word;

use crate::Layer;
use crate::recognize::open;

/// How deep [`layers`] goes where its caller has no reason for another depth.
pub const DEPTH_LIMIT: usize = 32;

/// How many words are read for each word given, and how many at least.
///
/// A chain of wrappers reads each word once a level. Only doubts that branch on every level cost more, and they end here.
const WORK_PER_WORD: usize = 128;
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
