//! `xargs`: runs a command with its input lines as arguments. It forwards what stands behind its options, or `echo`. Never opaque by
//! itself; a program among the replaced words makes its layer so.

use std::borrow::Cow;

use innercmd_bash_units::Word;

use super::{Grammar, Kind, Wrapper};
use crate::options::{Item, Options, Scan};
use crate::reading::{Feed, Reading};
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
