//! Where choices come from.

/// A stream of choices.
///
/// INVARIANT: an exhausted stream chooses 0 for ever, and the generator makes 0 the choice that ends soonest.
#[derive(Clone, Debug)]
pub(crate) enum Random<'d> {
    /// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators").
    Seeded(u64),
    /// A byte for each choice, so that fuzzers and shrinkers can work on the choices themselves.
    Bytes(std::slice::Iter<'d, u8>),
}

impl Random<'_> {
    /// A number below `bound`, which is at most 256.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let number = match self {
            Self::Seeded(state) => usize::try_from(split_mix(state) >> 33).unwrap_or_default(),
            Self::Bytes(bytes) => bytes.next().copied().map_or(0, usize::from),
        };
        number.checked_rem(bound).unwrap_or_default()
    }
}

fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_of_a_seed_is_pinned() {
        let mut state = 0;
        assert_eq!(split_mix(&mut state), 0xe220_a839_7b1d_cdaf);
        assert_eq!(split_mix(&mut state), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn exhausted_bytes_choose_zero() {
        let mut random = Random::Bytes([7].iter());
        assert_eq!((random.below(5), random.below(5), random.below(5)), (2, 0, 0));
    }
}
