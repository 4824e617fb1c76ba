//! `fd`: `-x` and `-X` run a command for the files found, up to `;` or the end. Without one it is no wrapper.

use std::borrow::Cow;

use innercmd_bash_units::Word;

use super::{Grammar, Kind, Wrapper};
use crate::options::Options;
use crate::reading::{Feed, Reading};
use crate::scan::{Item, Scan};
use crate::shape::{Count, Shape};

pub(super) static FD: Wrapper =
    Wrapper { name: "fd", manual: "fd(1)", kind: Kind::NonTransparent, grammar: Grammar::Own(read) };

const OPTIONS: Options = Options::anywhere(
    "H|hidden no-hidden I|no-ignore ignore u|unrestricted no-ignore-vcs ignore-vcs no-ignore-parent no-global-ignore-file \
     no-require-git s|case-sensitive i|ignore-case g|glob regex F|fixed-strings|literal and: a|absolute-path l|list-details \
     L|follow no-follow p|full-path 0|print0 d|max-depth|maxdepth: min-depth: exact-depth: E|exclude: prune t|type: \
     e|extension: S|size: changed-within|change-newer-than|newer|changed-after: changed-before|change-older-than|older: \
     o|owner: format: x|exec: X|exec-batch: batch-size: ignore-file: c|color: hyperlink:: j|threads: max-buffer-time: \
     max-results: 1 q|quiet show-errors C|base-directory: path-separator: search-path: strip-cwd-prefix:: \
     one-file-system|mount|xdev gen-completions:: h|help V|version",
);

/// The placeholders for the file found and parts of its path.
const PLACES: [&str; 5] = ["{}", "{/}", "{//}", "{.}", "{/.}"];

fn read<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let places = PLACES.map(str::to_owned);
    let mut scan = Scan::new(words, OPTIONS);
    while let Some(item) = scan.next() {
        match item {
            Item::Flag { name: "x" | "X", value: Some(first) } => {
                let rest = words.get(scan.place()..).unwrap_or_default();
                let length = rest.iter().position(|word| Shape::of(word).known() == Some(";")).unwrap_or(rest.len());
                let rest = rest.get(..length).unwrap_or_default();
                if first.literal().is_none() || rest.iter().any(|word| Shape::of(word).count == Count::Any) {
                    reading.opaque();
                }
                let command: Vec<Word> = std::iter::once(first.into_owned()).chain(rest.iter().cloned()).collect();
                reading.fed(Cow::Owned(command), Feed::Replace(&places));
                scan.skip_to(scan.place() + length + 1);
            }
            Item::Flag { name: "h" | "V", .. } => return,
            Item::Flag { .. } | Item::Operand(_) => {}
            // What is computed may be several words, and an action among them.
            Item::Unsure(at) if super::may_be_several(words, at) => {
                reading.unsure = true;
                reading.opaque();
            }
            Item::Unsure(_) => reading.unsure = true,
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::check;

    #[rstest]
    #[case("fd -x rm", "rm | rm <>")]
    #[case("fd foo -x rm -rf {}", "rm -rf {} | rm -rf <>")]
    #[case("fd -e o --exec rm {/.}", "rm {/.} | rm <>")]
    #[case("fdfind -X rm", "rm | rm <>")]
    #[case("fd --exec-batch rm", "rm | rm <>")]
    #[case("fd --exec=rm", "rm | rm <>")]
    #[case("fd -Hx rm -f", "rm -f | rm -f <>")]
    #[case(r#"fd -x a \; -x b"#, "a | a <> | b | b <>")]
    #[case(r#"fd -x rm \; foo"#, "rm | rm <>")]
    #[case("fd -xrm", "rm | rm <>")]
    fn each_action_of_fd_is_a_command(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }

    #[rstest]
    #[case("fd foo", "-")]
    #[case("fd -e x foo", "-")]
    #[case("fd -e -x foo", "-")]
    #[case("fd -- -x rm", "-")]
    #[case(r#"fd "$x""#, "-")]
    #[case("fd --help -x rm", "-")]
    fn fd_without_an_action_is_no_wrapper(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }

    #[rstest]
    #[case("fd $x", "?")]
    #[case("fd foo $x -x rm", "? | rm | rm <>")]
    fn a_computed_word_of_fd_may_hold_an_action(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }
}
