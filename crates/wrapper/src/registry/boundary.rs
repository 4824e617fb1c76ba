//! What runs a command behind a boundary: another root, namespaces, a sandbox, a transient service. Those that start a shell by default
//! are opaque without a command.

use innercmd_bash_units::Word;

use super::{Grammar, Kind, Prefix, Wrapper};
use crate::Influence;
use crate::options::Options;
use crate::reading::Reading;
use crate::shape::Shape;

const fn wrapper(name: &'static str, manual: &'static str, prefix: Prefix) -> Wrapper {
    Wrapper { name, manual, kind: Kind::NonTransparent, grammar: Grammar::Prefix(prefix.always(&[Influence::Place])) }
}

pub(super) static CHROOT: Wrapper = Wrapper {
    name: "chroot",
    manual: "GNU coreutils manual, chroot invocation",
    kind: Kind::NonTransparent,
    // `-u`, `-g`, `-G` and `-n` are BSD's.
    grammar: Grammar::Prefix(
        Prefix::new(Options::first("groups: userspec: skip-chdir u: g: G: n help version"))
            .operands(1)
            .always(&[Influence::Directory, Influence::Place])
            .or_shell(),
    ),
};

pub(super) static UNSHARE: Wrapper = wrapper(
    "unshare",
    "util-linux, unshare(1)",
    Prefix::new(Options::first(
        "m u i n p U C T mount:: uts:: ipc:: net:: pid:: user:: cgroup:: time:: f|fork map-user: map-group: \
         r|map-root-user c|map-current-user map-auto map-users: map-groups: map-subids owner: kill-child:: mount-proc:: \
         mount-binfmt:: propagation: setgroups: keep-caps forward-signals R|root: w|wd: S|setuid: G|setgid: monotonic: \
         boottime: l|load-interp: h|help V|version",
    ))
    .inert(&["h", "V"])
    .effects(&[("R", Influence::Directory), ("w", Influence::Directory), ("S", Influence::Privilege)])
    .or_shell(),
);

pub(super) static NSENTER: Wrapper = wrapper(
    "nsenter",
    "util-linux, nsenter(1)",
    Prefix::new(Options::first(
        "a|all t|target: m|mount:: u|uts:: i|ipc:: n|net:: N|net-socket: p|pid:: C|cgroup:: U|user:: T|time:: S|setuid: \
         G|setgid: preserve-credentials keep-caps user-parent r|root:: w|wd:: W|wdns:: e|env F|no-fork c|join-cgroup \
         Z|follow-context h|help V|version",
    ))
    .inert(&["h", "V"])
    .or_shell(),
);

pub(super) static BWRAP: Wrapper = wrapper(
    "bwrap",
    "bubblewrap, bwrap(1)",
    Prefix::new(Options::first(
        "help version args: argv0: level-prefix unshare-user unshare-user-try unshare-ipc unshare-pid unshare-net \
         unshare-uts unshare-cgroup unshare-cgroup-try unshare-all share-net userns: userns2: disable-userns \
         assert-userns-disabled pidns: uid: gid: hostname: chdir: setenv:2 unsetenv: clearenv lock-file: sync-fd: perms: \
         size: bind:2 bind-try:2 dev-bind:2 dev-bind-try:2 ro-bind:2 ro-bind-try:2 bind-fd:2 ro-bind-fd:2 overlay-src: \
         overlay:3 tmp-overlay: ro-overlay: remount-ro: proc: dev: tmpfs: mqueue: dir: file:2 bind-data:2 ro-bind-data:2 \
         symlink:2 chmod:2 seccomp: add-seccomp-fd: exec-label: file-label: block-fd: userns-block-fd: info-fd: \
         json-status-fd: new-session die-with-parent as-pid-1 cap-add: cap-drop:",
    ))
    .effects(&[("chdir", Influence::Directory)])
    .variables(&["setenv", "unsetenv"])
    .unseen(&["args"]),
);

/// All values of firejail's options are attached.
pub(super) static FIREJAIL: Wrapper = wrapper(
    "firejail",
    "firejail(1)",
    Prefix::new(Options::attached("help version list tree top netstats env: rmenv:"))
        .inert(&["help", "version", "list", "tree", "top", "netstats"])
        .variables(&["env", "rmenv"])
        .or_shell(),
);

pub(super) static PROOT: Wrapper = wrapper(
    "proot",
    "proot(1)",
    Prefix::new(Options::first(
        "r|rootfs: b|bind|m|mount: q|qemu: w|pwd|cwd: v|verbose: V|version|about h|help|usage k|kernel-release: 0|root-id \
         i|change-id: R: S: l|link2symlink kill-on-exit",
    ))
    .inert(&["V", "h"])
    .effects(&[("w", Influence::Directory)])
    .or_shell(),
);

pub(super) static SYSTEMD_RUN: Wrapper = Wrapper {
    name: "systemd-run",
    manual: "systemd, systemd-run(1)",
    kind: Kind::NonTransparent,
    // Without --scope a service runs the command, in the root directory unless it is told another.
    grammar: Grammar::Prefix(
        Prefix::new(Options::first(
            "no-ask-password scope u|unit: p|property: description: slice: slice-inherit expand-environment: \
             r|remain-after-exit send-sighup service-type: uid: gid: nice: working-directory: d|same-dir E|setenv: t|pty \
             T|pty-late P|pipe S|shell q|quiet on-active: on-boot: on-startup: on-unit-active: on-unit-inactive: \
             on-calendar: on-clock-change on-timezone-change path-property: socket-property: timer-property: no-block wait \
             G|collect ignore-failure background: user system H|host: M|machine: C|capsule: v|verbose job-mode: no-pager \
             json: root-directory: R|same-root-dir h|help version",
        ))
        .inert(&["h", "version"])
        .effects(&[("uid", Influence::Privilege), ("H", Influence::Place), ("M", Influence::Place)])
        .variables(&["E"])
        .unseen(&["S"])
        .always(&[Influence::Directory]),
    ),
};

pub(super) static SYSTEMD_NSPAWN: Wrapper = wrapper(
    "systemd-nspawn",
    "systemd, systemd-nspawn(1)",
    Prefix::new(Options::first(
        "q|quiet D|directory: template: x|ephemeral i|image: b|boot a|as-pid2 chdir: E|setenv: u|user: M|machine: n \
         network-veth bind: bind-ro: tmpfs: private-users: U pipe P console: settings: hostname: uuid: S|slice: property: \
         register: keep-unit capability: drop-capability: read-only volatile:: link-journal: j h|help version",
    ))
    .inert(&["h", "version"])
    .variables(&["E"])
    .or_shell(),
);

pub(super) static FLATPAK_SPAWN: Wrapper = wrapper(
    "flatpak-spawn",
    "flatpak-spawn(1)",
    Prefix::new(Options::attached("h|help version env:")).inert(&["h"]).variables(&["env"]),
);

/// `ip netns exec NAME CMD…` and `ip vrf exec NAME CMD…`; `ip -all netns exec CMD…`.
pub(super) static IP: Wrapper = Wrapper {
    name: "ip",
    manual: "iproute2, ip-netns(8) and ip-vrf(8)",
    kind: Kind::NonTransparent,
    grammar: Grammar::Own(read_ip),
};

fn read_ip<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let known = |word: &Word, names: &[&str]| Shape::of(word).known().is_some_and(|text| names.contains(&text));
    let Some(at) = words.iter().position(|word| known(word, &["netns", "vrf", "net", "netn", "vr"])) else { return };
    if !words.get(at + 1).is_some_and(|word| known(word, &["exec", "exe", "ex", "e"])) {
        return;
    }
    let all = words
        .iter()
        .take(at)
        .any(|word| Shape::of(word).lead.starts_with("-a") || Shape::of(word).lead.starts_with("--a"));
    reading.influence(Influence::Place);
    Prefix::new(Options::first("")).operands(usize::from(!all)).read(words.get(at + 1..).unwrap_or_default(), reading);
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::check;

    #[rstest]
    #[case("chroot /x rm y", "rm y")]
    #[case("chroot --userspec=a /x rm y", "rm y")]
    #[case("chroot /x", "?")]
    #[case("unshare rm x", "rm x")]
    #[case("unshare -r -m rm x", "rm x")]
    #[case("unshare -muR /y rm x", "rm x")]
    #[case("unshare --mount=/f --fork rm x", "rm x")]
    #[case("unshare", "?")]
    #[case("unshare --frob", "?")]
    #[case("unshare -h", "-")]
    #[case("nsenter -t 1 -m rm x", "rm x")]
    #[case("nsenter -t1 -a -- rm x", "rm x")]
    #[case("nsenter -t 1 -a", "?")]
    #[case("bwrap --ro-bind / / --setenv A 1 rm x", "rm x")]
    #[case("bwrap --bind a b --dev /dev -- rm x", "rm x")]
    #[case("bwrap --args 3 rm x", "? | rm x")]
    #[case("firejail --net=none rm x", "rm x")]
    #[case("firejail --private rm x", "rm x")]
    #[case("firejail", "?")]
    #[case("firejail --list", "-")]
    #[case("proot -r / -b /a:/b rm x", "rm x")]
    #[case("systemd-run --user --scope rm x", "rm x")]
    #[case("systemd-run -E A=1 -p X=y rm x", "rm x")]
    #[case("systemd-run -S", "?")]
    #[case("ip netns exec a rm x", "rm x")]
    #[case("ip -all netns exec rm x", "rm x")]
    #[case("ip vrf exec a rm x", "rm x")]
    #[case("ip netns list", "-")]
    #[case("ip addr", "-")]
    #[case("systemd-nspawn -D /x rm y", "rm y")]
    #[case("flatpak-spawn --host rm x", "rm x")]
    fn boundaries_forward_what_stands_behind_their_options(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }
}
