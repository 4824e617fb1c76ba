//! What starts a command in another session, with other streams, or with a service beside it. They forward everything behind their
//! options and operands. Those that start a shell by default are opaque without a command.

use innercmd_bash_units::Word;

use super::{Grammar, Kind, Prefix, Wrapper};
use crate::Influence;
use crate::options::Options;
use crate::reading::Reading;
use crate::scan::{Item, Scan};
use crate::shape::Shape;

const fn wrapper(name: &'static str, manual: &'static str, kind: Kind, prefix: Prefix) -> Wrapper {
    Wrapper { name, manual, kind, grammar: Grammar::Prefix(prefix) }
}

pub(super) static NOHUP: Wrapper = wrapper(
    "nohup",
    "GNU coreutils manual, nohup invocation",
    Kind::Extended,
    Prefix::new(Options::first("help version")),
);

pub(super) static STDBUF: Wrapper = wrapper(
    "stdbuf",
    "GNU coreutils manual, stdbuf invocation",
    Kind::Extended,
    Prefix::new(Options::first("i|input: o|output: e|error: help version")),
);

pub(super) static SETSID: Wrapper = wrapper(
    "setsid",
    "util-linux, setsid(1)",
    Kind::Extended,
    Prefix::new(Options::first("c|ctty f|fork w|wait h|help V|version")).inert(&["h", "V"]),
);

/// The program; the reserved word of the shell is no word of a unit. `-h` and `-l` are BSD's.
pub(super) static TIME: Wrapper = wrapper(
    "time",
    "GNU time manual, time(1)",
    Kind::Extended,
    Prefix::new(Options::first("a|append f|format: h l o|output: p|portability q|quiet v|verbose V|version help"))
        .inert(&["V", "help"]),
);

pub(super) static UNBUFFER: Wrapper =
    wrapper("unbuffer", "expect, unbuffer(1)", Kind::NonTransparent, Prefix::new(Options::first("p")));

pub(super) static CHRONIC: Wrapper =
    wrapper("chronic", "moreutils, chronic(1)", Kind::NonTransparent, Prefix::new(Options::first("e v")));

pub(super) static IFNE: Wrapper =
    wrapper("ifne", "moreutils, ifne(1)", Kind::NonTransparent, Prefix::new(Options::first("n")));

pub(super) static LCKDO: Wrapper = wrapper(
    "lckdo",
    "moreutils, lckdo(1)",
    Kind::NonTransparent,
    Prefix::new(Options::first("E: W: e q s t w x")).operands(1),
);

pub(super) static DBUS_RUN_SESSION: Wrapper = wrapper(
    "dbus-run-session",
    "dbus-run-session(1)",
    Kind::NonTransparent,
    Prefix::new(Options::first("config-file: dbus-daemon: help version")),
);

pub(super) static XVFB_RUN: Wrapper = wrapper(
    "xvfb-run",
    "xvfb-run(1)",
    Kind::NonTransparent,
    Prefix::new(Options::first(
        "a|auto-servernum d|auto-display e|error-file: f|auth-file: h|help n|server-num: l|listen-tcp p|xauth-protocol: \
         s|server-args: w|wait:",
    ))
    .inert(&["h"]),
);

pub(super) static FAKEROOT: Wrapper = wrapper(
    "fakeroot",
    "fakeroot(1)",
    Kind::NonTransparent,
    Prefix::new(Options::first("l|lib: faked: s: i: u|unknown-is-real b: h|help v|version"))
        .inert(&["h", "v"])
        .or_shell(),
);

pub(super) static FAKECHROOT: Wrapper = wrapper(
    "fakechroot",
    "fakechroot(1)",
    Kind::NonTransparent,
    Prefix::new(Options::first(
        "b|bindir: c|config-dir: d|elfloader: e|environment: l|lib: s|use-system-libs h|help v|version",
    ))
    .inert(&["h", "v"])
    .or_shell(),
);

pub(super) static EATMYDATA: Wrapper =
    wrapper("eatmydata", "eatmydata(1)", Kind::NonTransparent, Prefix::new(Options::first("")));

pub(super) static NOCACHE: Wrapper =
    wrapper("nocache", "nocache(1)", Kind::NonTransparent, Prefix::new(Options::first("D: n: f")));

pub(super) static FAKETIME: Wrapper = wrapper(
    "faketime",
    "faketime(1)",
    Kind::NonTransparent,
    Prefix::new(Options::first("m f p|pid: exclude-monotonic disable-monotonic-time date-prog: h|help v|version"))
        .operands(1)
        .inert(&["h", "v"]),
);

pub(super) static SYSTEMD_INHIBIT: Wrapper = wrapper(
    "systemd-inhibit",
    "systemd-inhibit(1)",
    Kind::NonTransparent,
    Prefix::new(Options::first("what: who: why: mode: list no-pager no-legend no-ask-password h|help version"))
        .inert(&["list", "h", "version"]),
);

pub(super) static CAFFEINATE: Wrapper =
    wrapper("caffeinate", "macOS, caffeinate(8)", Kind::NonTransparent, Prefix::new(Options::first("d i m s u t: w:")));

/// Init processes for containers.
pub(super) static TINI: Wrapper = wrapper(
    "tini",
    "tini, README",
    Kind::NonTransparent,
    Prefix::new(Options::first("s p: v w g e: l h version")).inert(&["h", "l", "version"]),
);

pub(super) static DUMB_INIT: Wrapper = wrapper(
    "dumb-init",
    "dumb-init, README",
    Kind::NonTransparent,
    Prefix::new(Options::first("c|single-child r|rewrite: v|verbose h|help V|version")).inert(&["h", "V"]),
);

pub(super) static DAEMONIZE: Wrapper = wrapper(
    "daemonize",
    "daemonize(1)",
    Kind::NonTransparent,
    Prefix::new(Options::first("a c: e: E: l: o: p: u: v"))
        .inert(&[])
        .effects(&[("c", Influence::Directory), ("u", Influence::Privilege)]),
);

pub(super) static TORSOCKS: Wrapper = wrapper(
    "torsocks",
    "torsocks(1)",
    Kind::NonTransparent,
    Prefix::new(Options::first("a|address: P|port: u|user: p|pass: i|isolate q|quiet d|debug shell h|help version"))
        .inert(&["h", "version"]),
);

pub(super) static PROXYCHAINS: Wrapper =
    wrapper("proxychains", "proxychains(1)", Kind::NonTransparent, Prefix::new(Options::first("q f: help")));

pub(super) static SSHPASS: Wrapper = wrapper(
    "sshpass",
    "sshpass(1)",
    Kind::NonTransparent,
    Prefix::new(Options::first("f: d: p: e P: v h V")).inert(&["h", "V"]),
);

pub(super) static SETARCH: Wrapper = Wrapper {
    name: "setarch",
    manual: "util-linux, setarch(8)",
    kind: Kind::NonTransparent,
    grammar: Grammar::Own(read_setarch),
};

/// The names of `setarch` that stand for an architecture themselves.
pub(super) static LINUX32: Wrapper = wrapper("linux32", "util-linux, setarch(8)", Kind::NonTransparent, SETARCH_PREFIX);

const SETARCH_PREFIX: Prefix = Prefix::new(Options::first(
    "B|32bit F|fdpic-funcptrs I|short-inode L|addr-compat-layout R|addr-no-randomize S|whole-seconds T|sticky-timeouts \
     X|read-implies-exec Z|mmap-page-zero 3|3gb 4gb uname-2.6 v|verbose list show:: p|pid: h|help V|version",
))
.inert(&["list", "show", "h", "V"])
.or_shell();

/// The architecture stands before the options, or is left out where options come first.
fn read_setarch<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let architecture = words.get(1).is_some_and(|word| !Shape::of(word).lead.starts_with('-'));
    let skip = usize::from(architecture);
    SETARCH_PREFIX.read(words.get(skip..).unwrap_or_default(), reading);
}

pub(super) static START_STOP_DAEMON: Wrapper = Wrapper {
    name: "start-stop-daemon",
    manual: "dpkg, start-stop-daemon(8)",
    kind: Kind::NonTransparent,
    grammar: Grammar::Own(read_start_stop_daemon),
};

const START_STOP_DAEMON_OPTIONS: Options = Options::anywhere(
    "S|start K|stop T|status H|help V|version p|pidfile: pid: ppid: x|exec: n|name: u|user: g|group: s|signal: R|retry: \
         a|startas: t|test o|oknodo q|quiet c|chuid: r|chroot: d|chdir: b|background notify-await notify-timeout: C|no-close \
         O|output: N|nicelevel: P|procsched: I|iosched: k|umask: m|make-pidfile remove-pidfile v|verbose",
);

/// The program is the value of `--startas`, else of `--exec`; its arguments are the operands.
fn read_start_stop_daemon<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let (mut exec, mut start_as, mut arguments) = (None, None, vec![]);
    for item in Scan::new(words, START_STOP_DAEMON_OPTIONS) {
        match item {
            Item::Flag { name: "K" | "T" | "H" | "V" | "t", .. } => return,
            Item::Flag { name: "x", value } => exec = value,
            Item::Flag { name: "a", value } => start_as = value,
            Item::Flag { name: "c", .. } => reading.influence(Influence::Privilege),
            Item::Flag { name: "r" | "d", .. } => reading.influence(Influence::Directory),
            Item::Flag { .. } => {}
            Item::Operand(at) => arguments.extend(words.get(at).cloned()),
            Item::Unsure(_) => reading.opaque(),
        }
    }
    if let Some(program) = start_as.or(exec) {
        reading.command_of(std::iter::once(program.into_owned()).chain(arguments).collect());
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::check;

    #[rstest]
    #[case("nohup git push origin main", "git push origin main")]
    #[case("nohup -- rm x", "rm x")]
    #[case("nohup --help", "-")]
    #[case("nohup", "-")]
    #[case("stdbuf -oL rm x", "rm x")]
    #[case("stdbuf -o L -e 0 rm x", "rm x")]
    #[case("stdbuf --output=L rm x", "rm x")]
    #[case("setsid rm x", "rm x")]
    #[case("setsid -f rm x", "rm x")]
    #[case("setsid -fw rm x", "rm x")]
    #[case(r#"\time rm x"#, "rm x")]
    #[case("/usr/bin/time -v rm x", "rm x")]
    #[case("/usr/bin/time -f %e -o out rm x", "rm x")]
    #[case("/usr/bin/time -p rm x", "rm x")]
    #[case("unbuffer -p rm x", "rm x")]
    #[case("chronic rm x", "rm x")]
    #[case("ifne rm x", "rm x")]
    #[case("lckdo -W 5 lock rm x", "rm x")]
    #[case("dbus-run-session -- rm x", "rm x")]
    #[case("xvfb-run -a -s '-screen 0 1x1x8' rm x", "rm x")]
    #[case("fakeroot -- rm x", "rm x")]
    #[case("fakeroot", "?")]
    #[case("fakeroot -v", "-")]
    #[case("eatmydata rm x", "rm x")]
    #[case("nocache rm x", "rm x")]
    #[case("faketime '2020-01-01' rm x", "rm x")]
    #[case("faketime -f '+1d' rm x", "rm x")]
    #[case("systemd-inhibit --what=sleep rm x", "rm x")]
    #[case("caffeinate -i rm x", "rm x")]
    #[case("caffeinate -t 5", "-")]
    #[case("tini -- rm x", "rm x")]
    #[case("tini -s -- rm x", "rm x")]
    #[case("dumb-init rm x", "rm x")]
    #[case("daemonize -o out rm x", "rm x")]
    #[case("torsocks rm x", "rm x")]
    #[case("proxychains4 -q -f c rm x", "rm x")]
    #[case("sshpass -p y ssh host", "ssh host")]
    #[case("setarch x86_64 -R rm x", "rm x")]
    #[case("setarch -R rm x", "rm x")]
    #[case("linux32 rm x", "rm x")]
    #[case("setarch --list", "-")]
    #[case("start-stop-daemon --start --exec /bin/rm -- -rf x", "/bin/rm -rf x")]
    #[case("start-stop-daemon -S -x a -a rm -- x", "rm x")]
    #[case("start-stop-daemon --stop --exec a", "-")]
    fn launchers_forward_what_stands_behind_their_options(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }
}
