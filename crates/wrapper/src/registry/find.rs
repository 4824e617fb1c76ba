//! `find`: its actions `-exec`, `-execdir`, `-ok` and `-okdir` run a command for the files found. Without one it is no wrapper. Opaque
//! where a word that may become several could hold an action.

use std::borrow::Cow;

use innercmd_bash_units::Word;

use super::{Grammar, Kind, Wrapper};
use crate::Influence;
use crate::reading::{Feed, Reading};
use crate::shape::{Count, Shape};

pub(super) static FIND: Wrapper = Wrapper {
    name: "find",
    manual: "GNU findutils manual, find(1)",
    kind: Kind::NonTransparent,
    grammar: Grammar::Own(read),
};

/// The tests, options and actions that take one word (GNU find, and FreeBSD's where it has others).
const ONE_WORD: [&str; 44] = [
    "-Bmin", "-Bnewer", "-Btime", "-D", "-amin", "-anewer", "-atime", "-cmin", "-cnewer", "-context", "-ctime",
    "-files0-from", "-flags", "-fls", "-fprint", "-fprint0", "-fstype", "-gid", "-group", "-ilname", "-iname", "-inum",
    "-ipath", "-iregex", "-iwholename", "-links", "-lname", "-maxdepth", "-mindepth", "-mmin", "-mnewer", "-mtime",
    "-name", "-newer", "-path", "-perm", "-regex", "-regextype", "-samefile", "-size", "-type", "-uid", "-used",
    "-user",
];
const MORE_ONE_WORD: [&str; 3] = ["-wholename", "-xattrname", "-xtype"];

/// How many actions are listed once it is not certain where actions stand.
const UNSURE_ACTIONS: usize = 16;

fn read<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let mut at = 1;
    let mut unsure_actions = 0;
    while let Some(word) = words.get(at) {
        let shape = Shape::of(word);
        match shape.known() {
            Some("-exec" | "-ok" | "-execdir" | "-okdir") if unsure_actions < UNSURE_ACTIONS => {
                let in_directory = matches!(shape.known(), Some("-execdir" | "-okdir"));
                let plus = matches!(shape.known(), Some("-exec" | "-execdir"));
                let end = end(words, at + 1, plus);
                action(words.get(at + 1..end).unwrap_or_default(), in_directory, reading);
                // A computed word may end the action, so that the next one is looked for inside it.
                let certain = words.get(at + 1..end).unwrap_or_default().iter().all(|word| word.literal().is_some());
                unsure_actions += usize::from(!certain);
                at = if certain { end } else { at };
            }
            Some("-fprintf") => at += 2,
            Some(test) if ONE_WORD.binary_search(&test).is_ok() || MORE_ONE_WORD.contains(&test) => at += 1,
            // `-newerXY` compares two times.
            Some(test) if test.len() == "-newerXY".len() && test.starts_with("-newer") => at += 1,
            Some(_) => {}
            None => unsure(&shape, reading),
        }
        at += 1;
    }
    if unsure_actions >= UNSURE_ACTIONS {
        reading.opaque();
    }
}

/// A word that may become several may become an action; a pattern only where file names can begin with a dash.
fn unsure(shape: &Shape<'_>, reading: &mut Reading<'_>) {
    match shape.count {
        Count::Known | Count::One => {}
        Count::Alike if shape.is_operand() => {}
        Count::Alike | Count::Any => {
            reading.unsure = true;
            reading.opaque();
        }
    }
}

fn action<'w>(command: &'w [Word], in_directory: bool, reading: &mut Reading<'w>) {
    if in_directory {
        reading.influence(Influence::Directory);
    }
    if command.iter().any(|word| Shape::of(word).count == Count::Any) {
        reading.opaque();
    }
    if command.iter().any(|word| word.literal().is_some_and(|text| text.contains("{}"))) {
        reading.fed(Cow::Borrowed(command), Feed::Replace(&["{}".to_owned()]));
    } else {
        reading.command(command);
    }
}

/// The place of the word that ends an action: `;`, or `+` behind `{}`; the end of the words where there is none.
fn end(words: &[Word], from: usize, plus: bool) -> usize {
    let mut before = "";
    for (at, word) in words.iter().enumerate().skip(from) {
        let shape = Shape::of(word);
        match shape.known() {
            Some(";") => return at,
            Some("+") if plus && before == "{}" => return at,
            Some("{}") => before = "{}",
            Some(_) | None => before = "",
        }
    }
    words.len()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::check;

    #[rstest]
    #[case(r#"find . -exec rm {} \;"#, "rm {} | rm <>")]
    #[case(r#"find . -type f -exec rm \{\} \;"#, "rm {} | rm <>")]
    #[case("find . -exec rm {} +", "rm {} | rm <>")]
    #[case("find . -exec rm {} ';'", "rm {} | rm <>")]
    #[case(r#"find . -execdir rm a{}b \;"#, "rm a{}b | rm a<>b")]
    #[case(r#"find . -ok rm {} \;"#, "rm {} | rm <>")]
    #[case(r#"find . -okdir rm x \;"#, "rm x")]
    #[case(r#"find . -exec rm x + \;"#, "rm x +")]
    #[case(r#"find . -ok rm {} + \;"#, "rm {} + | rm <> +")]
    #[case(r#"find . -exec a {} \; -o -exec b {} \;"#, "a {} | a <> | b {} | b <>")]
    #[case(r#"find . \( -name x -exec a \; \) -o -exec b {} +"#, "a | b {} | b <>")]
    #[case(r#"find . -'exec' rm {} \;"#, "rm {} | rm <>")]
    #[case("find . -exec rm {}", "rm {} | rm <>")]
    #[case(r#"find . -exec env rm -f {} \;"#, "env rm -f {} | env rm -f <>")]
    fn each_action_of_find_is_a_command(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }

    #[rstest]
    #[case("find . -name x", "-")]
    #[case("find . -name '-exec' -print", "-")]
    #[case("find . -name -exec -path -exec", "-")]
    #[case("find . -fprintf -exec -exec -ls", "-")]
    #[case("find . -newermt -exec", "-")]
    #[case("find . -delete", "-")]
    #[case(r#"find "$d" -name '*.jsonl'"#, "-")]
    #[case("find ~/x -name y", "-")]
    #[case("find src/* -name y", "-")]
    #[case("find", "-")]
    fn find_without_an_action_is_no_wrapper(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }

    #[rstest]
    #[case("find $x -name y", "?")]
    #[case("find . $x", "?")]
    #[case("find *", "?")]
    #[case(r#"find "$@""#, "?")]
    #[case(r#"find . $x -exec rm {} \;"#, "? | rm {} | rm <>")]
    #[case(r#"find . -exec echo $x \; -exec rm {} \;"#, "? | echo <x> | rm {} | rm <>")]
    #[case(r#"find . -exec echo $x -exec rm {} \;"#, "? | echo <x> -exec rm {} | echo <x> -exec rm <> | rm {} | rm <>")]
    fn a_computed_word_of_find_may_hold_an_action(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }
}
