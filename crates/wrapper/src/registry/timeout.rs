//! `timeout`: the one wrapper that the strict grammar licenses. It forwards everything behind its duration and is never opaque.

use super::{Grammar, Kind, Prefix, Wrapper};
use crate::options::Options;

pub(super) static TIMEOUT: Wrapper = Wrapper {
    name: "timeout",
    manual: "GNU coreutils manual, timeout invocation",
    kind: Kind::Strict,
    grammar: Grammar::Prefix(
        Prefix::new(Options::first("k|kill-after: s|signal: v|verbose f|foreground p|preserve-status help version"))
            .operands(1),
    ),
};

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::check;

    #[rstest]
    #[case("timeout 5 rm -rf x", "rm -rf x")]
    #[case("timeout 5", "")]
    #[case("timeout", "")]
    #[case("timeout -k 3 5 rm x", "rm x")]
    #[case("timeout -k3 5 rm x", "rm x")]
    #[case("timeout -vk 3 5 rm x", "rm x")]
    #[case("timeout --kill-after 3 5 rm x", "rm x")]
    #[case("timeout --kill-after=3 5 rm x", "rm x")]
    #[case("timeout --kill 3 5 rm x", "rm x")]
    #[case("timeout --sig=KILL --pres 5 rm x", "rm x")]
    #[case("timeout -- 5 rm x", "rm x")]
    #[case("timeout -- -5 rm x", "rm x")]
    #[case("timeout 5 -- rm x", "-- rm x")]
    #[case("timeout 5 -k 3 rm x", "-k 3 rm x")]
    #[case("timeout --help rm x", "")]
    #[case("/usr/bin/timeout 5 rm x", "rm x")]
    #[case(r#"\timeout 5 rm x"#, "rm x")]
    #[case("'timeout' 5 rm x", "rm x")]
    #[case("gtimeout 5 rm x", "rm x")]
    #[case("TIMEOUT 5 rm x", "rm x")]
    #[case("timeout.exe 5 rm x", "rm x")]
    #[case("timeouts 5 rm x", "-")]
    #[case("$timeout 5 rm x", "-")]
    fn everything_behind_the_duration_is_forwarded(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }

    #[rstest]
    #[case("timeout -x 5 rm y", "rm y | y")]
    #[case("timeout --frob 5 rm y", "rm y | y")]
    #[case("timeout --p=1 5 rm y", "rm y")]
    #[case(r#"timeout "$T" rm y"#, "rm y | y")]
    #[case("timeout $T rm y", "rm y | y | ?")]
    #[case(r#"timeout -k "$K" 5 rm y"#, "rm y")]
    #[case("timeout -k $K 5 rm y", "5 rm y | rm y | y | ?")]
    #[case(r#"timeout --kill-after="$K" 5 rm y"#, "rm y")]
    #[case("timeout 5 $CMD y", "<CMD> y")]
    fn a_doubt_spells_out_every_place_where_the_command_may_begin(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }
}
