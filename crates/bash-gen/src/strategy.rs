//! Strategies for property tests.

use proptest::collection::vec;
use proptest::prelude::{Strategy, any};

use crate::{Generated, Generator, mutate};

/// Generated texts; they shrink through the choices they are made from.
pub fn generated(most_choices: usize) -> impl Strategy<Value = Generated> {
    vec(any::<u8>(), 0..most_choices).prop_map(|choices| Generator::from_bytes(&choices).program())
}

/// Texts that are almost valid.
pub fn near_valid(most_choices: usize) -> impl Strategy<Value = String> {
    (generated(most_choices), any::<u64>()).prop_map(|(generated, seed)| mutate(&generated.text, seed))
}
