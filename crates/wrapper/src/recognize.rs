use innercmd_bash_units::Word;

use crate::reading::Reading;
use crate::registry::{self, Kind, Wrapper};
use crate::{Layer, Wrapped, WrapperCode, strict};

/// Recognizes a wrapper by a unit's words, and tells what it runs.
///
/// The words are those of [`BashCommand::words`](innercmd_bash_units::BashCommand::words). A program word that is computed is no
/// wrapper: what it runs is a gap already. Nor is a wrapper's name a wrapper where it runs nothing else: `find . -name x`,
/// `command -v ls`, `bash build.sh`, and `env` on its own.
///
/// ```
/// use innercmd_bash_units::{BashProgram, Limits};
/// use innercmd_wrapper::{Layer, WrapperCode, recognize};
///
/// let program = BashProgram::parse("sudo -u deploy rm -rf build", &Limits::default());
/// for unit in program.commands() {
///     let wrapped = recognize(&unit.words).unwrap();
///     assert_eq!(wrapped.name, "sudo");
///     assert_eq!(wrapped.refusal, Some(WrapperCode::NonTransparent));
///     let Some(Layer::Command(inner)) = wrapped.layers.first() else { panic!() };
///     assert_eq!(inner.first().unwrap().literal().unwrap(), "rm");
/// }
/// ```
#[must_use]
pub fn recognize(words: &[Word]) -> Option<Wrapped<'_>> {
    let (wrapper, reading) = open(words)?;
    let refusal = refusal(wrapper, &reading, words);
    Some(Wrapped {
        name: wrapper.name,
        manual: wrapper.manual,
        layers: reading.layers,
        influences: reading.influences,
        variables: reading.variables,
        refusal,
    })
}

/// The wrapper and what it runs, without a judgement on it.
///
/// INVARIANT: does not look into the layers, so that a chain of wrappers costs its caller one call each and no recursion.
pub(crate) fn open(words: &[Word]) -> Option<(&'static Wrapper, Reading<'_>)> {
    let wrapper = registry::named(words.first()?)?;
    let mut reading = Reading::default();
    wrapper.grammar.read(words, &mut reading);
    match wrapper.kind {
        // ADR 0001: whatever names `timeout` and is not its strict form is unsupported, also where it runs nothing.
        Kind::Strict => Some((wrapper, reading)),
        Kind::Extended | Kind::NonTransparent | Kind::Shell => {
            (!reading.layers.is_empty()).then_some((wrapper, reading))
        }
    }
}

fn refusal(wrapper: &Wrapper, reading: &Reading<'_>, words: &[Word]) -> Option<WrapperCode> {
    let unseen = reading.layers.iter().all(|layer| matches!(layer, Layer::Opaque));
    match wrapper.kind {
        Kind::Strict => strict::refusal(words),
        Kind::Extended | Kind::NonTransparent | Kind::Shell if unseen => Some(WrapperCode::UnseenProgram),
        Kind::Extended | Kind::NonTransparent | Kind::Shell if reading.unsure => Some(WrapperCode::UnsureOptions),
        Kind::Extended => Some(WrapperCode::ExtendedOnly),
        Kind::NonTransparent => Some(WrapperCode::NonTransparent),
        Kind::Shell => Some(WrapperCode::ShellText),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;
    use crate::Influence::{Arguments, Directory, Place, Privilege};
    use crate::testing::{render_layer, words};
    use crate::{DEPTH_LIMIT, Found, Influence, layers};

    #[rstest]
    #[case("timeout 5 ls", &[], &[])]
    #[case("nice -n 5 ls", &[], &[])]
    #[case("env A=1 -u B ls", &[], &["A"])]
    #[case("env -u B A=1 ls", &[], &["B", "A"])]
    #[case("env -C /tmp ls", &[Directory], &[])]
    #[case("env -S 'LD_PRELOAD=x ls'", &[], &["LD_PRELOAD"])]
    #[case("sudo ls", &[Privilege], &[])]
    #[case("sudo A=1 ls", &[Privilege], &["A"])]
    #[case("sudo -D /tmp ls", &[Directory, Privilege], &[])]
    #[case("su -c ls", &[Privilege], &[])]
    #[case("xargs ls", &[Arguments], &[])]
    #[case("find . -exec ls {} +", &[Arguments], &[])]
    #[case("find . -exec ls \\;", &[], &[])]
    #[case("find . -execdir ls {} +", &[Directory, Arguments], &[])]
    #[case("fd -x ls", &[Arguments], &[])]
    #[case("parallel ls", &[Arguments], &[])]
    #[case("chroot / ls", &[Directory, Place], &[])]
    #[case("ssh host ls", &[Place], &[])]
    #[case("docker exec -e A=1 -w /x c ls", &[Directory, Place], &["A"])]
    #[case("kubectl exec pod -- ls", &[Place], &[])]
    #[case("bwrap --setenv A 1 --chdir /x ls", &[Directory, Place], &["A"])]
    #[case("systemd-run -E A=1 ls", &[Directory], &["A"])]
    #[case("strace -E A=1 ls", &[], &["A"])]
    #[case("bash -c ls", &[], &[])]
    fn what_a_wrapper_changes_is_told(
        #[case] line: &str,
        #[case] influences: &[Influence],
        #[case] variables: &[&str],
    ) {
        let words = words(line);
        let wrapped = recognize(&words).unwrap();
        assert_eq!(wrapped.influences, influences, "of {line}");
        assert_eq!(wrapped.variables, variables, "of {line}");
    }

    /// What may stand before a command and run it as it is.
    const OUTER: [&str; 16] = [
        "timeout 5", "timeout -k 3 5s", "env A=1", "env -i", "nice -n 5", "sudo -u deploy", "nohup", "stdbuf -oL",
        "command", "exec", "busybox", "xargs", "setsid -f", "strace -f", "/usr/bin/env --", "flock lock",
    ];

    proptest! {
        #[test]
        fn every_wrapper_in_a_chain_is_seen_through(chain in prop::collection::vec(prop::sample::select(OUTER.as_slice()), 1..6)) {
            let line = format!("{} rm -rf build", chain.join(" "));
            let words = words(&line);
            let innermost = layers(&words, DEPTH_LIMIT).any(|found| match found {
                Found::Layer { depth, layer, .. } => depth == chain.len() && render_layer(&layer) == "rm -rf build",
                Found::TooDeep => false,
            });
            prop_assert!(innermost, "{line}");
        }

        #[test]
        fn no_words_make_it_panic(wrapper in prop::sample::select(registry::names()), rest in "[-a-z0-9 {};+=:'\"$*~\\\\]{0,40}") {
            let program = innercmd_bash_units::BashProgram::parse(&format!("{wrapper} {rest}"), &innercmd_bash_units::Limits::default());
            for unit in program.commands() {
                let count = layers(&unit.words, DEPTH_LIMIT).count();
                prop_assert_eq!(count == 0, recognize(&unit.words).is_none_or(|wrapped| wrapped.layers.is_empty()));
            }
        }
    }
}
