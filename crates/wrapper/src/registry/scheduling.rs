//! What sets the priority, the processors or the limits of a command. They forward everything behind their options.

use super::{Grammar, Kind, Prefix, Wrapper};
use crate::options::Options;
use crate::reading::Reading;
use crate::scan::{Item, Scan};
use crate::shape::Shape;
use innercmd_bash_units::Word;

pub(super) static NICE: Wrapper = Wrapper {
    name: "nice",
    manual: "GNU coreutils manual, nice invocation",
    kind: Kind::Extended,
    grammar: Grammar::Prefix(Prefix::new(Options::first("n|adjustment: # help version"))),
};

pub(super) static IONICE: Wrapper = Wrapper {
    name: "ionice",
    manual: "util-linux, ionice(1)",
    kind: Kind::Extended,
    grammar: Grammar::Prefix(
        Prefix::new(Options::first("c|class: n|classdata: p|pid: P|pgid: t|ignore u|uid: h|help V|version"))
            .inert(&["p", "P", "u", "h", "V"]),
    ),
};

pub(super) static CHOOM: Wrapper = Wrapper {
    name: "choom",
    manual: "util-linux, choom(1)",
    kind: Kind::NonTransparent,
    grammar: Grammar::Prefix(Prefix::new(Options::first("n|adjust: p|pid: h|help V|version")).inert(&["p", "h", "V"])),
};

pub(super) static TASKSET: Wrapper = Wrapper {
    name: "taskset",
    manual: "util-linux, taskset(1)",
    kind: Kind::Extended,
    grammar: Grammar::Prefix(
        Prefix::new(Options::first("a|all-tasks p|pid c|cpu-list h|help V|version"))
            .operands(1)
            .inert(&["p", "h", "V"]),
    ),
};

pub(super) static CHRT: Wrapper =
    Wrapper { name: "chrt", manual: "util-linux, chrt(1)", kind: Kind::Extended, grammar: Grammar::Own(read_chrt) };

const CHRT_PREFIX: Prefix = Prefix::new(Options::first(
    "a|all-tasks b|batch d|deadline e|ext f|fifo i|idle m|max o|other p|pid r|rr R|reset-on-fork T|sched-runtime: \
     P|sched-period: D|sched-deadline: v|verbose h|help V|version",
))
.operands(1)
.inert(&["m", "p", "h", "V"]);

pub(super) static PRLIMIT: Wrapper = Wrapper {
    name: "prlimit",
    manual: "util-linux, prlimit(1)",
    kind: Kind::NonTransparent,
    grammar: Grammar::Prefix(
        Prefix::new(Options::first(
            "p|pid: o|output: noheadings raw verbose h|help V|version c|core:: d|data:: e|nice:: f|fsize:: i|sigpending:: \
             l|memlock:: m|rss:: n|nofile:: q|msgqueue:: r|rtprio:: s|stack:: t|cpu:: u|nproc:: v|as:: x|locks:: y|rttime::",
        ))
        .inert(&["p", "h", "V"]),
    ),
};

pub(super) static NUMACTL: Wrapper = Wrapper {
    name: "numactl",
    manual: "numactl(8)",
    kind: Kind::NonTransparent,
    grammar: Grammar::Prefix(
        Prefix::new(Options::first(
            "a|all b|balancing i|interleave: w|weighted-interleave: p|preferred: P|preferred-many: c|cpubind: N|cpunodebind: \
             C|physcpubind: m|membind: l|localalloc s|show H|hardware S|shm: f|file: o|offset: L|length: I|shmid: \
             M|shmmode: t|strict u|huge T|touch V|verify D|dump dump-nodes h|help v|version",
        ))
        .inert(&["s", "H", "h", "v"]),
    ),
};

pub(super) static CGEXEC: Wrapper = Wrapper {
    name: "cgexec",
    manual: "libcgroup, cgexec(1)",
    kind: Kind::NonTransparent,
    grammar: Grammar::Prefix(Prefix::new(Options::first("g: b r sticky h|help")).inert(&["h"])),
};

pub(super) static CPULIMIT: Wrapper = Wrapper {
    name: "cpulimit",
    manual: "cpulimit(1)",
    kind: Kind::NonTransparent,
    grammar: Grammar::Prefix(
        Prefix::new(Options::first(
            "l|limit: p|pid: e|exe: P|path: c|cpu: b|background f|foreground i|include-children k|kill m|monitor-forks \
             q|quiet r|restore s|signal: v|verbose z|lazy h|help",
        ))
        .inert(&["p", "e", "P", "h"]),
    ),
};

/// The priority may be left out where the policy needs none, so that only a number certainly is one.
fn read_chrt<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    CHRT_PREFIX.read(words, reading);
    let first = Scan::new(words, CHRT_PREFIX.options).find_map(|item| match item {
        Item::Operand(at) => Some(at),
        Item::Flag { .. } | Item::Unsure(_) => None,
    });
    let command = first.and_then(|at| words.get(at..)).unwrap_or_default();
    let number =
        |word: &Word| Shape::of(word).known().is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    if !reading.layers.is_empty() && command.first().is_some_and(|word| !number(word)) {
        reading.command(command);
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::check;

    #[rstest]
    #[case("choom -n 0 -- rm x", "rm x")]
    #[case("choom -n 0 rm x", "rm x")]
    #[case("nice rm x", "rm x")]
    #[case("nice -n 10 rm x", "rm x")]
    #[case("nice -n10 rm x", "rm x")]
    #[case("nice -10 rm x", "rm x")]
    #[case("nice --10 rm x", "rm x")]
    #[case("nice --adjustment=5 rm x", "rm x")]
    #[case("nice", "-")]
    #[case("ionice -c 3 rm x", "rm x")]
    #[case("ionice -c3 -n 0 rm x", "rm x")]
    #[case("ionice -c2 -p 12", "-")]
    #[case("taskset 3 rm x", "rm x")]
    #[case("taskset -c 0,3 rm x", "rm x")]
    #[case("taskset -p 3 700", "-")]
    #[case("taskset -pc 3 700", "-")]
    #[case("chrt 10 rm x", "rm x")]
    #[case("chrt -f 10 rm x", "rm x")]
    #[case("chrt -i 0 rm x", "rm x")]
    #[case("chrt -i rm x", "x | rm x")]
    #[case("chrt -p 12", "-")]
    #[case("chrt -m", "-")]
    #[case("prlimit --nofile=10:20 rm x", "rm x")]
    #[case("prlimit -n10 rm x", "rm x")]
    #[case("prlimit -p 1 --nofile", "-")]
    #[case("numactl -N 0 -m 0 rm x", "rm x")]
    #[case("numactl --cpunodebind=0 -- rm x", "rm x")]
    #[case("numactl --show", "-")]
    #[case("cgexec -g cpu:x rm y", "rm y")]
    #[case("cpulimit -l 50 -- rm x", "rm x")]
    #[case("cpulimit -p 12 -l 50", "-")]
    fn scheduling_wrappers_forward_what_stands_behind_their_options(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }
}
