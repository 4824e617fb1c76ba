//! What runs a command as another user or with other privileges. Those that start that user's shell by default are opaque without a
//! command; `su -c` and `sg` hand text to it.

use innercmd_bash_units::Word;

use super::{Grammar, Kind, Prefix, Wrapper, may_be_several};
use crate::Influence;
use crate::options::{Options, Order, Unlisted};
use crate::reading::{Dialect, Reading};
use crate::scan::{Item, Scan};
use crate::shape::{Shape, literal};

const fn wrapper(name: &'static str, manual: &'static str, prefix: Prefix) -> Wrapper {
    let prefix = prefix.always(&[Influence::Privilege]);
    Wrapper { name, manual, kind: Kind::NonTransparent, grammar: Grammar::Prefix(prefix) }
}

const fn own(name: &'static str, manual: &'static str, read: super::Read) -> Wrapper {
    Wrapper { name, manual, kind: Kind::NonTransparent, grammar: Grammar::Own(read) }
}

pub(super) static SUDO: Wrapper = own("sudo", "sudo(8)", read_sudo);
pub(super) static SU: Wrapper = own("su", "util-linux, su(1)", read_su);
pub(super) static RUNUSER: Wrapper = own("runuser", "util-linux, runuser(1)", read_runuser);
pub(super) static SG: Wrapper = own("sg", "shadow, sg(1)", read_sg);
pub(super) static CAPSH: Wrapper = own("capsh", "libcap, capsh(1)", read_capsh);

pub(super) static DOAS: Wrapper =
    wrapper("doas", "OpenBSD, doas(1)", Prefix::new(Options::first("L n s a: C: u:")).inert(&["L", "C"]).or_shell());

pub(super) static PKEXEC: Wrapper = wrapper(
    "pkexec",
    "polkit, pkexec(1)",
    Prefix::new(Options::first("u|user: disable-internal-agent keep-cwd help version")).or_shell(),
);

pub(super) static RUN0: Wrapper = wrapper(
    "run0",
    "systemd, run0(1)",
    Prefix::new(Options::first(
        "no-ask-password unit: property: description: slice: slice-inherit u|user: g|group: nice: D|chdir: setenv: \
         background: machine: pty pipe shell-prompt-prefix: lightweight: area: i via-shell h|help V|version",
    ))
    .inert(&["h", "V"])
    .effects(&[("D", Influence::Directory), ("machine", Influence::Place)])
    .or_shell(),
);

pub(super) static SETPRIV: Wrapper = wrapper(
    "setpriv",
    "util-linux, setpriv(1)",
    Prefix::new(Options::first(
        "d|dump nnp|no-new-privs ambient-caps: inh-caps: bounding-set: ruid: euid: rgid: egid: reuid: regid: clear-groups \
         keep-groups init-groups list-caps groups: securebits: pdeathsig: ptracer: selinux-label: apparmor-profile: \
         landlock-access: landlock-rule: seccomp-filter: reset-env h|help V|version",
    ))
    .inert(&["d", "list-caps", "h", "V"]),
);

/// `gosu`, `su-exec` and `setuidgid` all take the user and then the command.
pub(super) static GOSU: Wrapper =
    wrapper("gosu", "gosu, README", Prefix::new(Options::first("help version")).operands(1));
pub(super) static SU_EXEC: Wrapper = wrapper("su-exec", "su-exec, README", Prefix::new(Options::first("")).operands(1));
pub(super) static SETUIDGID: Wrapper =
    wrapper("setuidgid", "daemontools, setuidgid(8)", Prefix::new(Options::first("")).operands(1));

pub(super) static CHPST: Wrapper = wrapper(
    "chpst",
    "runit, chpst(8)",
    Prefix::new(Options::first("u: U: b: e: m: d: o: p: f: c: t: r: a: s: l: L: n: /: P v V 0 1 2"))
        .inert(&["V"])
        .effects(&[("/", Influence::Directory)]),
);

const SUDO_OPTIONS: Options = Options {
    table: "A|askpass a|auth-type: B|bell b|background C|close-from: c|login-class: D|chdir: E preserve-env:: e|edit \
            g|group: H|set-home help h|host: i|login K|remove-timestamp k|reset-timestamp l|list N|no-update \
            n|non-interactive P|preserve-groups p|prompt: R|chroot: r|role: S|stdin s|shell t|type: T|command-timeout: \
            U|other-user: u|user: V|version v|validate",
    order: Order::FirstButAssignments,
    unlisted: Unlisted::Unsure,
};

/// Options and assignments may be mixed; `-s` and `-i` have a shell run the command's words, or its input where there are none.
fn read_sudo<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let mut scan = Scan::new(words, SUDO_OPTIONS);
    let mut shell = false;
    while let Some(item) = scan.next() {
        match item {
            Item::Flag { name: "e" | "K" | "l" | "V" | "v" | "help", .. } => return,
            Item::Flag { name: "i" | "s", .. } => shell = true,
            Item::Flag { name: "D" | "R", .. } => reading.influence(Influence::Directory),
            Item::Flag { .. } => {}
            Item::Operand(at) if may_be_several(words, at) => return sudo_starts(words, &scan, at, reading),
            Item::Operand(at) => match words.get(at) {
                Some(word) if !scan.ended() => reading.variable(word),
                Some(_) | None => {
                    reading.influence(Influence::Privilege);
                    return reading.command(words.get(at..).unwrap_or_default());
                }
            },
            Item::Unsure(at) => return sudo_starts(words, &scan, at, reading),
        }
    }
    if shell {
        reading.opaque();
    }
}

fn sudo_starts<'w>(words: &'w [Word], scan: &Scan<'w>, at: usize, reading: &mut Reading<'w>) {
    reading.influence(Influence::Privilege);
    let starts = scan.starts(at, 0);
    if starts.places.is_empty() { reading.starts_or_unseen(words, &starts) } else { reading.starts(words, &starts) }
}

const SU_OPTIONS: Options = Options::anywhere(
    "m|p|preserve-environment w|whitelist-environment: g|group: G|supp-group: l|login c|command: session-command: f|fast \
     s|shell: P|pty T|no-pty h|help V|version u|user:",
);

/// Without `-c` the user's shell reads its input, or a script that the operands name.
fn read_su<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    reading.influence(Influence::Privilege);
    let mut text = false;
    for item in Scan::new(words, SU_OPTIONS) {
        match item {
            Item::Flag { name: "h" | "V", .. } => return,
            Item::Flag { name: "c" | "session-command", value: Some(value) } => {
                text = true;
                reading.script_word(&value, Dialect::Posix);
            }
            Item::Flag { .. } | Item::Operand(_) => {}
            Item::Unsure(_) => {
                reading.unsure = true;
                reading.opaque();
            }
        }
    }
    if !text {
        text_behind_operands(words, reading);
        reading.opaque();
    }
}

/// `su deploy -- -c TEXT`: the operands behind the user go to the shell.
fn text_behind_operands<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let option = words.iter().position(|word| Shape::of(word).known() == Some("-c"));
    if let Some(text) = option.and_then(|at| words.get(at + 1)) {
        reading.script_word(text, Dialect::Posix);
    }
}

/// With `-u` a command follows the options; else it is `su`.
fn read_runuser<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let mut scan = Scan::new(words, Options { order: Order::First, ..SU_OPTIONS });
    let mut user = false;
    while let Some(item) = scan.next() {
        match item {
            Item::Flag { name: "h" | "V", .. } => return,
            Item::Flag { name: "u", .. } => user = true,
            Item::Flag { .. } => {}
            Item::Operand(at) if user => {
                reading.influence(Influence::Privilege);
                return reading.command(words.get(at..).unwrap_or_default());
            }
            Item::Unsure(at) if user => return sudo_starts(words, &scan, at, reading),
            Item::Operand(_) | Item::Unsure(_) => break,
        }
    }
    read_su(words, reading);
}

/// `sg GROUP [-c] TEXT`.
fn read_sg<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    reading.influence(Influence::Privilege);
    let mut rest = words.iter().skip(1).filter(|word| !matches!(Shape::of(word).known(), Some("-" | "-c" | "--")));
    match rest.nth(1) {
        Some(text) => reading.script_word(text, Dialect::Posix),
        None => reading.opaque(),
    }
}

/// What stands behind `--` or `==` are arguments of a Bash.
fn read_capsh<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let Some(at) = words.iter().position(|word| matches!(Shape::of(word).known(), Some("--" | "=="))) else { return };
    let Some(like) = words.get(at) else { return };
    reading.influence(Influence::Privilege);
    let arguments = words.get(at + 1..).unwrap_or_default().iter().cloned();
    reading.command_of(std::iter::once(literal("bash", like)).chain(arguments).collect());
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::check;

    #[rstest]
    #[case("sudo rm x", "rm x")]
    #[case("sudo -u deploy -n rm -rf build", "rm -rf build")]
    #[case("sudo -nu deploy rm x", "rm x")]
    #[case("sudo -udeploy rm x", "rm x")]
    #[case("sudo --user=deploy rm x", "rm x")]
    #[case("sudo --user deploy rm x", "rm x")]
    #[case("sudo -E A=1 -u b rm x", "rm x")]
    #[case("sudo A=1 rm x", "rm x")]
    #[case("sudo -- rm x", "rm x")]
    #[case("sudo -h host rm x", "rm x")]
    #[case("sudo --preserve-env=A rm x", "rm x")]
    #[case("sudo --preserve-env rm x", "rm x")]
    #[case("sudo -D / rm x", "rm x")]
    #[case("sudo -s rm x", "rm x")]
    #[case("sudo -s", "?")]
    #[case("sudo -i", "?")]
    #[case("sudo -iu root", "?")]
    #[case("sudo", "-")]
    #[case("sudo -l rm", "-")]
    #[case("sudo -v", "-")]
    #[case("sudo -e file", "-")]
    #[case("sudo -k", "-")]
    #[case(r#"sudo -u "$U" rm x"#, "rm x")]
    #[case("sudo -u $U rm x", "<U> rm x | rm x | x | ?")]
    #[case("sudo --frob rm x", "rm x | x")]
    #[case("sudo --frob -s", "?")]
    fn sudo_forwards_what_stands_behind_options_and_assignments(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }

    #[rstest]
    #[case("doas rm x", "rm x")]
    #[case("doas -u a rm x", "rm x")]
    #[case("doas -s", "?")]
    #[case("doas -C f rm", "-")]
    #[case("pkexec rm x", "rm x")]
    #[case("pkexec --user a rm x", "rm x")]
    #[case("run0 rm x", "rm x")]
    #[case("setpriv --reuid=1 --clear-groups rm x", "rm x")]
    #[case("setpriv --reuid 1 rm x", "rm x")]
    #[case("setpriv -d", "-")]
    #[case("gosu a rm x", "rm x")]
    #[case("su-exec a:b rm x", "rm x")]
    #[case("setuidgid a rm x", "rm x")]
    #[case("chpst -u a -P rm x", "rm x")]
    #[case("su -c 'rm x'", "$ rm x")]
    #[case("su root -c 'rm x'", "$ rm x")]
    #[case("su - deploy --command='rm x'", "$ rm x")]
    #[case("su deploy -- -c 'rm x'", "$ rm x | ?")]
    #[case("su", "?")]
    #[case("su -", "?")]
    #[case("su --help", "-")]
    #[case("runuser -u a -- rm x", "rm x")]
    #[case("runuser -u a rm x", "rm x")]
    #[case("runuser a -c 'rm x'", "$ rm x")]
    #[case("runuser - a", "?")]
    #[case("sg disk -c 'rm x'", "$ rm x")]
    #[case("sg disk 'rm x'", "$ rm x")]
    #[case("sg disk", "?")]
    #[case("capsh --drop=all -- -c 'rm x'", "bash -c 'rm x'")]
    #[case("capsh --print", "-")]
    fn other_users_run_commands_or_shells(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }
}
