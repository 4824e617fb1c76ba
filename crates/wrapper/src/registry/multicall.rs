//! Programs that hold many programs: the first operand names the one that runs. Never opaque.

use innercmd_bash_units::Word;

use super::{Grammar, Kind, Wrapper};
use crate::reading::Reading;
use crate::shape::{Shape, suffix};

pub(super) static BUSYBOX: Wrapper =
    Wrapper { name: "busybox", manual: "busybox(1)", kind: Kind::NonTransparent, grammar: Grammar::Own(read) };

pub(super) static TOYBOX: Wrapper =
    Wrapper { name: "toybox", manual: "toybox(1)", kind: Kind::NonTransparent, grammar: Grammar::Own(read) };

pub(super) static COREUTILS: Wrapper = Wrapper {
    name: "coreutils",
    manual: "GNU coreutils manual, Multi-call invocation",
    kind: Kind::NonTransparent,
    grammar: Grammar::Own(read_coreutils),
};

/// The name behind `--coreutils-prog=` or `--coreutils-prog-shebang=`.
const CHOICES: [&str; 2] = ["--coreutils-prog=", "--coreutils-prog-shebang="];

/// Options of the box itself (`--list`, `--install`) run nothing.
fn read<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let applet = words.get(1..).unwrap_or_default();
    if applet.first().is_some_and(|word| !Shape::of(word).lead.starts_with('-')) {
        reading.command(applet);
    }
}

fn read_coreutils<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let Some(first) = words.get(1) else { return };
    let lead = Shape::of(first).lead.into_owned();
    match CHOICES.iter().find(|choice| lead.starts_with(*choice)) {
        Some(choice) => {
            let rest = words.get(2..).unwrap_or_default().iter().cloned();
            reading.command_of(std::iter::once(suffix(first, choice.len())).chain(rest).collect());
        }
        None => read(words, reading),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::check;

    #[rstest]
    #[case("busybox rm -rf build", "rm -rf build")]
    #[case("busybox sh -c x", "sh -c x")]
    #[case("busybox", "-")]
    #[case("busybox --list", "-")]
    #[case("/bin/busybox rm", "rm")]
    #[case("toybox rm x", "rm x")]
    #[case("coreutils rm x", "rm x")]
    #[case("coreutils --coreutils-prog=rm x", "rm x")]
    #[case("coreutils --help", "-")]
    #[case(r#"busybox "$x" y"#, "<x> y")]
    fn the_first_operand_is_the_program(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }
}
