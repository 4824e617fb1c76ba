//! Texts that are almost valid.

use crate::random::Random;

/// What is put into a text.
const INSERTED: [&str; 28] = [
    "\\\n", " ", "\t", "\n", "\"", "'", "`", "#", " #", "\\", "$", "$(", ")", "(", "{", "}", ";", "&", "|", "<", ">",
    "<<E\n", "\r", "\u{a0}", "=", "[", "]", "!",
];
/// What ends something, so that its loss changes much.
const CLOSERS: [char; 8] = [')', '}', ']', '"', '\'', '`', '\n', ';'];
const MOST_EDITS: usize = 4;

/// Changes `text` in one to four places: puts something in, drops or swaps characters, drops a closer, repeats or moves a piece.
///
/// What the result means is not known; it is a function of `text` and `seed`.
#[must_use]
pub fn mutate(text: &str, seed: u64) -> String {
    let mut random = Random::Seeded(seed);
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(MOST_EDITS) {
        edit(&mut characters, &mut random);
    }
    characters.into_iter().collect()
}

fn edit(characters: &mut Vec<char>, random: &mut Random<'_>) {
    let length = characters.len();
    let at = place(length + 1, random);
    match random.below(8) {
        0..4 => {
            let inserted = INSERTED.get(random.below(INSERTED.len())).copied().unwrap_or_default();
            characters.splice(at..at, inserted.chars());
        }
        4 if at + 1 < length => characters.swap(at, at + 1),
        5 if at < length => {
            characters.remove(at);
        }
        6 => {
            let closers: Vec<usize> = (0..length)
                .filter(|index| characters.get(*index).is_some_and(|character| CLOSERS.contains(character)))
                .collect();
            if let Some(closer) = closers.get(place(closers.len(), random)) {
                characters.remove(*closer);
            }
        }
        _ => {
            let end = (at + 1 + random.below(8)).min(length);
            let piece: Vec<char> = characters.get(at..end).unwrap_or_default().to_vec();
            let to = place(length + 1, random);
            characters.splice(to..to, piece);
        }
    }
}

/// A place in a text that may be longer than one choice can tell.
fn place(length: usize, random: &mut Random<'_>) -> usize {
    let far = random.below(256) * 256 + random.below(256);
    far.checked_rem(length).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutation_is_a_function_of_text_and_seed() {
        assert_eq!(mutate("ok $(evil) 'é'", 5), mutate("ok $(evil) 'é'", 5));
    }

    #[test]
    fn mutations_differ() {
        let mutations: std::collections::BTreeSet<_> = (0..200).map(|seed| mutate("ok $(evil) 'é'", seed)).collect();
        assert!(mutations.len() > 150, "{}", mutations.len());
    }

    #[test]
    fn an_empty_text_can_be_mutated() {
        assert!((0..50).any(|seed| !mutate("", seed).is_empty()));
    }
}
