//! `xargs`: runs a command with its input lines as arguments. It forwards what stands behind its options, or `echo`. Never opaque by
//! itself; a program among the replaced words makes its layer so.

use std::borrow::Cow;

use innercmd_bash_units::Word;

use super::{Grammar, Kind, Wrapper};
use crate::options::Options;
use crate::reading::{Feed, Reading};
use crate::scan::{Item, Scan};
use crate::shape::literal;

pub(super) static XARGS: Wrapper = Wrapper {
    name: "xargs",
    manual: "GNU findutils manual, Invoking xargs",
    kind: Kind::NonTransparent,
    grammar: Grammar::Own(read),
};

/// `-J`, `-R` and `-S` are BSD's (xargs(1) there).
const OPTIONS: Options = Options::first(
    "0|null a|arg-file: d|delimiter: E: e|eof:: I: i|replace:: L: l|max-lines:: n|max-args: o|open-tty P|max-procs: \
     p|interactive process-slot-var: r|no-run-if-empty s|max-chars: show-limits t|verbose x|exit help version J: R: S:",
);

fn read<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let mut scan = Scan::new(words, OPTIONS);
    let mut replaced = vec![];
    while let Some(item) = scan.next() {
        match item {
            Item::Flag { name: "help" | "version", .. } => return,
            Item::Flag { name: "I" | "J" | "i", value } => match value.as_ref().map(|word| word.literal()) {
                Some(Some(place)) => replaced = vec![place.into_owned()],
                Some(None) => reading.opaque(),
                None => replaced = vec!["{}".to_owned()],
            },
            Item::Flag { .. } => {}
            Item::Unsure(at) => return reading.starts_fed(words, &scan.starts(at, 0), feed(&replaced)),
            Item::Operand(at) => {
                return reading.fed(Cow::Borrowed(words.get(at..).unwrap_or_default()), feed(&replaced));
            }
        }
    }
    if let Some(name) = words.first() {
        reading.fed(Cow::Owned(vec![literal("echo", name)]), Feed::Append);
    }
}

fn feed(replaced: &[String]) -> Feed<'_> {
    if replaced.is_empty() { Feed::Append } else { Feed::Replace(replaced) }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::check;

    #[rstest]
    #[case("xargs rm -rf", "rm -rf | rm -rf <>")]
    #[case("xargs", "echo | echo <>")]
    #[case("xargs -0 rm", "rm | rm <>")]
    #[case("xargs -n1 -P 4 rm", "rm | rm <>")]
    #[case("xargs -n 1 -P4 rm", "rm | rm <>")]
    #[case("xargs -0rn1 rm", "rm | rm <>")]
    #[case("xargs --max-args=1 rm", "rm | rm <>")]
    #[case("xargs --max-a 1 rm", "rm | rm <>")]
    #[case("xargs -a list rm", "rm | rm <>")]
    #[case(r#"xargs -d '\n' rm"#, "rm | rm <>")]
    #[case("xargs -e rm", "rm | rm <>")]
    #[case("xargs -l rm", "rm | rm <>")]
    #[case("xargs -L 1 rm", "rm | rm <>")]
    #[case("xargs -r -- rm", "rm | rm <>")]
    #[case("xargs --help", "-")]
    #[case("xargs timeout 5 echo", "timeout 5 echo | timeout 5 echo <>")]
    fn xargs_forwards_its_command_and_the_input_behind_it(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }

    #[rstest]
    #[case("xargs -I {} rm -rf {}", "rm -rf {} | rm -rf <>")]
    #[case("xargs -I{} rm a{}b", "rm a{}b | rm a<>b")]
    #[case("xargs -I % rm %", "rm % | rm <>")]
    #[case("xargs -i rm {}", "rm {} | rm <>")]
    #[case("xargs -iX rm X", "rm X | rm <>")]
    #[case("xargs --replace=X rm X", "rm X | rm <>")]
    #[case("xargs -I {} -P 4 rm -rf {}", "rm -rf {} | rm -rf <>")]
    #[case("xargs -I {} sh -c 'rm {}'", "sh -c 'rm {}' | sh -c 'rm <>'")]
    #[case(r#"xargs -I "$X" rm y"#, "? | rm y | rm y <>")]
    #[case("xargs -I {} {} x", "{} x | <> x")]
    fn a_replaced_word_becomes_a_hole(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }

    #[rstest]
    #[case(r#"xargs -n "$N" rm"#, "rm | rm <>")]
    #[case("xargs --frob rm x", "rm x | x | rm x <> | x <>")]
    fn a_computed_option_of_xargs_is_a_doubt(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }
}
