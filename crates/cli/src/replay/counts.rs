//! A table of bounded size: what is seen often stays, and what is dropped is accounted for.

use std::collections::HashMap;
use std::hash::Hash;

/// A value that a table counts by.
pub(crate) trait Weight {
    /// How much it counts.
    fn weight(&self) -> u64;

    /// Takes what `other`, of the same key, has seen.
    fn merge(&mut self, other: Self);
}

/// Values by key.
#[derive(Clone, Debug)]
pub(crate) struct Counts<K, V> {
    entries: HashMap<K, V>,
    most: usize,
    /// The weight of what was dropped.
    dropped: u64,
}

impl<K: Clone + Eq + Hash + Ord, V: Weight> Counts<K, V> {
    /// A table of `most` entries at most.
    pub(crate) fn new(most: usize) -> Self {
        Self { entries: HashMap::new(), most, dropped: 0 }
    }

    /// Adds `value` to what is known of `key`.
    pub(crate) fn add(&mut self, key: K, value: V) {
        match self.entries.get_mut(&key) {
            Some(known) => known.merge(value),
            None => {
                if self.entries.len() >= self.most {
                    self.prune();
                }
                self.entries.insert(key, value);
            }
        }
    }

    /// Takes all that `other` has seen.
    pub(crate) fn merge(&mut self, other: Self) {
        self.dropped = self.dropped.saturating_add(other.dropped);
        for (key, value) in other.entries {
            self.add(key, value);
        }
    }

    /// The entries, the heaviest first and equal ones by key.
    pub(crate) fn into_sorted(self) -> Vec<(K, V)> {
        let mut entries: Vec<(K, V)> = self.entries.into_iter().collect();
        entries.sort_by(|(a, x), (b, y)| y.weight().cmp(&x.weight()).then_with(|| a.cmp(b)));
        entries
    }

    /// How much weight the entries do not show.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Drops the lighter half.
    fn prune(&mut self) {
        let mut weights: Vec<u64> = self.entries.values().map(V::weight).collect();
        let middle = weights.len() / 2;
        let (_, threshold, _) = weights.select_nth_unstable(middle);
        let threshold = *threshold;
        // Where all are equal, as many go as have to.
        let mut spare = self.entries.values().filter(|value| value.weight() == threshold).count() / 2;
        let dropped = &mut self.dropped;
        self.entries.retain(|_, value| {
            let weight = value.weight();
            let kept = weight > threshold || weight == threshold && spare > 0;
            spare = spare.saturating_sub(usize::from(kept && weight == threshold));
            *dropped = dropped.saturating_add(if kept { 0 } else { weight });
            kept
        });
    }
}

impl Weight for u64 {
    fn weight(&self) -> u64 {
        *self
    }

    fn merge(&mut self, other: Self) {
        *self = self.saturating_add(other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_often_seen_stays_and_all_weight_is_accounted_for() {
        let mut counts: Counts<u64, u64> = Counts::new(100);
        for number in 0..10_000 {
            counts.add(number, 1);
            counts.add(number % 3 + 20_000, 1);
            assert!(counts.len() <= 100);
        }
        let dropped = counts.dropped();
        let sorted = counts.into_sorted();
        assert_eq!(sorted.iter().map(|(_, weight)| weight).sum::<u64>() + dropped, 20_000);
        let often: Vec<u64> = sorted.iter().take(3).map(|(key, _)| *key).collect();
        assert_eq!(often, [20_000, 20_001, 20_002]);
    }

    #[test]
    fn equal_weights_are_in_the_order_of_their_keys() {
        let mut counts = Counts::new(10);
        ["b", "a", "c", "c"].into_iter().for_each(|key| counts.add(key, 1_u64));
        assert_eq!(counts.into_sorted(), [("c", 2), ("a", 1), ("b", 1)]);
    }
}
