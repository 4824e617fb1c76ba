//! Tracers, debuggers, profilers, and the dynamic loader: they start the program behind their options. Opaque where they also take
//! commands of their own.

use innercmd_bash_units::Word;

use super::{Grammar, Kind, Prefix, Read, Wrapper};
use crate::options::Options;
use crate::reading::{Dialect, Reading};
use crate::scan::{Item, Scan};
use crate::shape::Shape;

const fn wrapper(name: &'static str, manual: &'static str, prefix: Prefix) -> Wrapper {
    Wrapper { name, manual, kind: Kind::NonTransparent, grammar: Grammar::Prefix(prefix) }
}

const fn own(name: &'static str, manual: &'static str, read: Read) -> Wrapper {
    Wrapper { name, manual, kind: Kind::NonTransparent, grammar: Grammar::Own(read) }
}

pub(super) static STRACE: Wrapper = wrapper(
    "strace",
    "strace(1)",
    Prefix::new(Options::first(
        "A|output-append-mode a|columns: b|detach-on: C|summary c|summary-only D d|debug E|env: e: F f|follow-forks h|help \
         I|interruptible: i|instruction-pointer k n|syscall-number N|arg-names O|summary-syscall-overhead: o|output: \
         P|trace-path: p|attach: q r S|summary-sort-by: s|string-limit: T t U|summary-columns: u|user: V|version \
         v|no-abbrev w|summary-wall-clock X|const-print-style: x y Y Z|failed-only z|successful-only abbrev: argv0: \
         absolute-timestamps:: daemonize:: decode-fds:: decode-pids: fault: follow-forks inject: kvm: output-separately \
         pidns-translation quiet:: raw: read: relative-timestamps:: seccomp-bpf signal: silence: silent: stack-traces:: \
         stack-trace-frame-limit: status: strings-in-hex:: syscall-limit: syscall-times:: timestamps:: tips:: trace: \
         verbose: write:",
    ))
    .inert(&["h", "V"])
    .variables(&["E"]),
);

pub(super) static LTRACE: Wrapper = wrapper(
    "ltrace",
    "ltrace(1)",
    Prefix::new(Options::first(
        "a|align: A: b|no-signals c C|demangle D|debug: e: f F: h|help i l|library: L n|indent: o|output: p: r s: S t T u: \
         w|where: x: V|version",
    ))
    .inert(&["h", "V"]),
);

/// All options of valgrind and its tools have their values attached.
pub(super) static VALGRIND: Wrapper = wrapper(
    "valgrind",
    "valgrind(1)",
    Prefix::new(Options::attached("h help version")).inert(&["h", "help", "version"]),
);

pub(super) static CATCHSEGV: Wrapper =
    wrapper("catchsegv", "glibc, catchsegv(1)", Prefix::new(Options::attached("help version")));

pub(super) static HEAPTRACK: Wrapper = wrapper(
    "heaptrack",
    "heaptrack(1)",
    Prefix::new(Options::first("a|analyze: d|debug h|help i|interpret o|output: p|pid: r|raw use-inject v|version"))
        .inert(&["a", "p", "h", "v"]),
);

pub(super) static LOADER: Wrapper = wrapper(
    "ld.so",
    "ld.so(8)",
    Prefix::new(Options::first(
        "argv0: audit: glibc-hwcaps-mask: glibc-hwcaps-prepend: help inhibit-cache inhibit-rpath: library-path: list \
         list-diagnostics list-tunables preload: verify version",
    ))
    .inert(&["help", "list", "list-diagnostics", "list-tunables", "verify", "version"]),
);

pub(super) static GDB: Wrapper = own("gdb", "GDB manual, Invoking GDB", read_gdb);
pub(super) static LLDB: Wrapper = own("lldb", "lldb(1)", read_lldb);
pub(super) static PERF: Wrapper = own("perf", "perf-record(1), perf-stat(1), perf-trace(1)", read_perf);
pub(super) static RR: Wrapper = own("rr", "rr(1)", read_rr);

/// Whether the name is one of the dynamic loader's: `ld-linux-x86-64.so.2`, `ld-musl-x86_64.so.1`, `ld.so`.
pub(super) fn is_loader(name: &str) -> bool {
    name.starts_with("ld-") && name.contains(".so") || name == "ld.so" || name.starts_with("ld64.so")
}

/// GDB runs the program of `--args` when told to, and everything its own commands say.
fn read_gdb<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let long =
        |word: &Word| Shape::of(word).lead.trim_start_matches('-').split('=').next().unwrap_or_default().to_owned();
    let own = |word: &&Word| {
        let names = ["ex", "eval-command", "x", "command", "iex", "init-eval-command", "ix", "init-command"];
        Shape::of(word).lead.starts_with('-') && names.contains(&long(word).as_str())
    };
    if words.iter().skip(1).any(|word| own(&word)) {
        reading.opaque();
    }
    let arguments = words.iter().skip(1).position(|word| matches!(Shape::of(word).known(), Some("--args" | "-args")));
    if let Some(rest) = arguments.and_then(|at| words.get(at + 2..)) {
        let program = rest.iter().position(|word| !Shape::of(word).lead.starts_with('-')).unwrap_or(0);
        reading.command(rest.get(program..).unwrap_or_default());
    }
}

fn read_lldb<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let options = Options::first(
        "a|arch: b|batch c|core: d|debug e|editor f|file: h|help k|one-line-on-crash: K|source-on-crash: l|script-language: \
         n|attach-name: O|one-line-before-file: o|one-line: P|python-path p|attach-pid: Q|source-quietly r|repl:: \
         s|source: S|source-before-file: v|version w|wait-for x|no-lldbinit X|no-use-colors",
    );
    let mut program = None;
    for item in Scan::new(words, options) {
        match item {
            Item::Flag { name: "h" | "v", .. } => return,
            Item::Flag { name: "k" | "K" | "O" | "o" | "s" | "S", .. } => reading.opaque(),
            Item::Flag { .. } => {}
            Item::Operand(at) | Item::Unsure(at) => program = program.or(Some(at)),
        }
    }
    if let Some(command) = program.and_then(|at| words.get(at..)) {
        reading.command(command);
    }
}

const PERF_OPTIONS: Options = Options::first(
    "a|all-cpus e|event: filter: p|pid: t|tid: u|uid: r: repeat: c: o|output: i|no-inherit F|freq: m|mmap-pages: g G|cgroup: \
     call-graph: C|cpu: D|delay: I|interval-print: M|metrics: x|field-separator: j: log-fd: s S d T P n N q v B A O b W \
     k|clockid: z pre: post: append no-buffering no-buildid quiet verbose max-size: switch-output:: null big-num json-output",
);

/// The subcommands that start a command.
fn read_perf<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    const STARTING: [&str; 5] = ["record", "stat", "trace", "ftrace", "kvm"];
    let starting = |word: &Word| Shape::of(word).known().is_some_and(|text| STARTING.contains(&text));
    let Some(rest) = words.iter().position(starting).and_then(|at| words.get(at..)) else { return };
    for item in Scan::new(rest, PERF_OPTIONS) {
        match item {
            Item::Flag { name: "pre" | "post", value: Some(value) } => reading.script_word(&value, Dialect::Posix),
            Item::Flag { .. } => {}
            Item::Operand(_) | Item::Unsure(_) => break,
        }
    }
    Prefix::new(PERF_OPTIONS).read(rest, reading);
}

/// `rr record PROGRAM…`, or `rr PROGRAM…`.
fn read_rr<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    const OTHERS: [&str; 12] = [
        "replay", "ps", "dump", "pack", "ls", "rm", "cpufeatures", "help", "sources", "rerun", "explicit-sources",
        "traceinfo",
    ];
    let known = |word: &Word, names: &[&str]| Shape::of(word).known().is_some_and(|text| names.contains(&text));
    match words.get(1) {
        Some(word) if known(word, &OTHERS) => {}
        Some(word) => {
            let skip = usize::from(known(word, &["record"]));
            Prefix::new(Options::first("")).read(words.get(skip..).unwrap_or_default(), reading);
        }
        None => {}
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::check;

    #[rstest]
    #[case("strace rm x", "rm x")]
    #[case("strace -f -e trace=open -o out rm x", "rm x")]
    #[case("strace -ffo out rm x", "rm x")]
    #[case("strace -tt -p 1", "-")]
    #[case("strace -E A=1 rm x", "rm x")]
    #[case("strace -V", "-")]
    #[case("ltrace -S rm x", "rm x")]
    #[case("valgrind --leak-check=full -q rm x", "rm x")]
    #[case("valgrind --version", "-")]
    #[case("catchsegv rm x", "rm x")]
    #[case("gdb --args rm x", "rm x")]
    #[case("gdb -q -ex run --args rm x", "? | rm x")]
    #[case("gdb rm", "-")]
    #[case("lldb -o run -- rm x", "? | rm x")]
    #[case("perf record -g rm x", "rm x")]
    #[case("perf stat -r 5 -- rm x", "rm x")]
    #[case("perf report", "-")]
    #[case("perf stat --pre 'rm x' ls", "$ rm x | ls")]
    #[case("rr record rm x", "rm x")]
    #[case("rr rm x", "-")]
    #[case("rr ls x", "-")]
    #[case("rr ./a x", "./a x")]
    #[case("heaptrack rm x", "rm x")]
    #[case("/lib64/ld-linux-x86-64.so.2 /bin/rm x", "/bin/rm x")]
    #[case("/lib/ld-musl-x86_64.so.1 --library-path /x rm y", "rm y")]
    #[case("ld.so --list /bin/rm", "-")]
    fn tracers_start_the_program_behind_their_options(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }
}
