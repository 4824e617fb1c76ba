//! Plain text: bare and quoted words, blanks and separators, and nothing that expands or nests.

use crate::random::Random;
use crate::{Argv, Generated};

const PROGRAMS: [&str; 12] =
    ["ok", "evil", "./ok", "/bin/evil", "a.b-c", "%1", ":", "ok+", "@x", "fi.sh", "'if'", "\"evil one\""];
const BARE: [&str; 16] =
    ["a", "-n", "--flag=v", "x=1", "a/b.txt", "2", "if", "done", "in", "time", "a,b:c", "-", "=", "^x", "50%", "u@h"];
const QUOTED: [&str; 10] =
    ["'a b'", "\"a b\"", "''", "\"\"", "'; evil'", "\"&& evil\"", "'$(evil)'", "\"it's\"", "'say \"hi\"'", "'a\n\tb'"];
const SEPARATORS: [&str; 16] =
    [";", "; ", " ;\n", "\n", "\n\n ", " && ", "&&", " || ", "||\n", " | ", "|", "|\n ", " & ", "&", "&&\t", " \n"];

/// Makes the plain text of `seed`, with at most `size` commands.
#[must_use]
pub fn plain(seed: u64, size: usize) -> Generated {
    let mut random = Random::Seeded(seed);
    let mut generated = Generated::default();
    let commands = 1 + random.below(size.max(1));
    for command in 0..commands {
        if command > 0 {
            generated.text.push_str(pick(&mut random, &SEPARATORS));
        }
        simple(&mut random, &mut generated);
    }
    generated.text.push_str(pick(&mut random, &["", "", "\n", ";", " &", " ; \n"]));
    generated
}

fn simple(random: &mut Random<'_>, generated: &mut Generated) {
    let mut argv: Argv = vec![word(random, &mut generated.text, &PROGRAMS)];
    for _ in 0..random.below(5) {
        generated.text.push_str(pick(random, &[" ", " ", "  ", "\t"]));
        match random.below(8) {
            0 => {
                generated.text.push_str("2>&1");
                generated.redirect(">&", Some("1".to_owned()));
            }
            1..3 => argv.push(word(random, &mut generated.text, &QUOTED)),
            3 => {
                let glued = [&BARE[..], &QUOTED].map(|words| word(random, &mut generated.text, words));
                argv.push(glued.into_iter().collect::<Option<String>>());
            }
            _ => argv.push(word(random, &mut generated.text, &BARE)),
        }
    }
    generated.commands.push(argv);
}

/// Writes one of `words`, and returns its value: what is left when quotes are removed.
fn word(random: &mut Random<'_>, text: &mut String, words: &[&'static str]) -> Option<String> {
    let word = pick(random, words);
    text.push_str(word);
    let inside = [('\'', '\''), ('"', '"')]
        .iter()
        .find_map(|(open, close)| word.strip_prefix(*open).and_then(|rest| rest.strip_suffix(*close)));
    Some(inside.unwrap_or(word).to_owned())
}

fn pick(random: &mut Random<'_>, choices: &[&'static str]) -> &'static str {
    choices.get(random.below(choices.len())).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_a_function_of_its_seed_and_holds_every_shape() {
        let texts: String = (0..2000).map(|seed| plain(seed, 8).text + "\0").collect();
        assert_eq!(texts, (0..2000).map(|seed| plain(seed, 8).text + "\0").collect::<String>());
        for shape in PROGRAMS.iter().chain(&BARE).chain(&QUOTED).chain(&SEPARATORS).chain(&["2>&1"]) {
            assert!(texts.contains(shape), "{shape:?}");
        }
    }
}
