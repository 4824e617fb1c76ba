//! Builtins of the shell that run a command, or text. `eval` and `trap` are opaque where their text is computed.

use innercmd_bash_units::Word;

use super::{Grammar, Kind, Prefix, Wrapper};
use crate::options::Options;
use crate::reading::{Dialect, Reading};
use crate::scan::{Item, Scan};
use crate::shape::Shape;

pub(super) static COMMAND: Wrapper = Wrapper {
    name: "command",
    manual: "bash manual 4.2, command",
    kind: Kind::Extended,
    grammar: Grammar::Prefix(Prefix::new(Options::first("p v V")).inert(&["v", "V"])),
};

pub(super) static BUILTIN: Wrapper = Wrapper {
    name: "builtin",
    manual: "bash manual 4.2, builtin",
    kind: Kind::NonTransparent,
    grammar: Grammar::Prefix(Prefix::new(Options::first(""))),
};

pub(super) static EXEC: Wrapper = Wrapper {
    name: "exec",
    manual: "bash manual 4.1, exec",
    kind: Kind::NonTransparent,
    grammar: Grammar::Prefix(Prefix::new(Options::first("a: c l"))),
};

pub(super) static EVAL: Wrapper =
    Wrapper { name: "eval", manual: "bash manual 4.1, eval", kind: Kind::Shell, grammar: Grammar::Own(read_eval) };

pub(super) static TRAP: Wrapper =
    Wrapper { name: "trap", manual: "bash manual 4.1, trap", kind: Kind::Shell, grammar: Grammar::Own(read_trap) };

fn read_eval<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let skip = if words.get(1).is_some_and(|word| Shape::of(word).known() == Some("--")) { 2 } else { 1 };
    reading.script_words(words.get(skip..).unwrap_or_default(), Dialect::Bash);
}

/// `trap ACTION SIGNAL…` sets an action; with one operand, or with a signal number first, it resets one instead.
fn read_trap<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let mut operands = vec![];
    for item in Scan::new(words, Options::first("l p P")) {
        match item {
            Item::Flag { .. } => return,
            Item::Operand(at) | Item::Unsure(at) => operands.extend(words.get(at)),
        }
    }
    let Some((action, signals)) = operands.split_first() else { return };
    let shape = Shape::of(action);
    match shape.known() {
        Some("" | "-") => {}
        Some(_) if signals.is_empty() => {}
        Some(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => {}
        Some(_) | None => reading.script_word(action, Dialect::Bash),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::check;

    #[rstest]
    #[case("command rm x", "rm x")]
    #[case("command -p rm x", "rm x")]
    #[case("command -- rm x", "rm x")]
    #[case("command -v rm", "-")]
    #[case("command -V rm", "-")]
    #[case("command -pv rm", "-")]
    #[case("command", "-")]
    #[case(r#"command "${VAR:-rm}" -rf build"#, "<> -rf build | build | ?")]
    #[case("builtin eval 'rm x'", "eval 'rm x'")]
    #[case("builtin -- unalias -- x", "unalias -- x")]
    #[case("builtin", "-")]
    #[case("exec rm x", "rm x")]
    #[case("exec -a name rm x", "rm x")]
    #[case("exec -cl rm x", "rm x")]
    #[case("exec >log", "-")]
    fn builtins_forward_a_command(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }

    #[rstest]
    #[case("eval 'rm x'", "$ rm x")]
    #[case("eval rm -rf x", "$ rm -rf x")]
    #[case("eval -- rm x", "$ rm x")]
    #[case("eval", "-")]
    #[case(r#"eval "$x""#, "<x> | ?")]
    #[case("eval rm $x", "rm <x> | ?")]
    #[case("trap 'rm x' EXIT", "$ rm x")]
    #[case("trap -- 'rm x' INT TERM", "$ rm x")]
    #[case("trap - INT", "-")]
    #[case("trap '' INT", "-")]
    #[case("trap INT", "-")]
    #[case("trap -p", "-")]
    #[case("trap", "-")]
    #[case("trap 2 3", "-")]
    #[case(r#"trap "$x" EXIT"#, "?")]
    fn builtins_forward_text(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }
}
