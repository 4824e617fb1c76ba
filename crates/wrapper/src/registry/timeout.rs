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
