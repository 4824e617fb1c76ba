//! The names of the wrappers.

use innercmd_bash_units::Word;

use super::{
    Wrapper, boundary, builtins, container, env, fd, find, launch, multicall, parallel, privilege, remote, scheduling,
    shell, shell_text, timeout, trace, xargs,
};
use crate::shape::program_name;

/// The longest name that is compared without regard to case.
const LONGEST_NAME: usize = 32;

/// The wrapper that a program word names.
pub(crate) fn named(word: &Word) -> Option<&'static Wrapper> {
    let name = program_name(word)?;
    let base = name.rsplit('/').next().unwrap_or(&name);
    listed(base).or_else(|| may_be_respelled(base).then(|| respelled(base))?)
}

fn listed(base: &str) -> Option<&'static Wrapper> {
    let at = NAMES.binary_search_by(|(name, _)| (*name).cmp(base)).ok()?;
    NAMES.get(at).map(|(_, wrapper)| *wrapper)
}

/// Whether the name has a letter or sign that no listed name has, but some spelling of one.
fn may_be_respelled(base: &str) -> bool {
    base.bytes().any(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'.')
}

/// A name in another case (which names the same file on some systems), with a file name extension, or with a version.
fn respelled(base: &str) -> Option<&'static Wrapper> {
    let mut buffer = [0; LONGEST_NAME];
    let lower = buffer.get_mut(..base.len())?;
    lower.copy_from_slice(base.as_bytes());
    lower.make_ascii_lowercase();
    let lower = std::str::from_utf8(lower).ok()?;
    if trace::is_loader(lower) {
        return Some(&trace::LOADER);
    }
    let stem = lower.strip_suffix(".exe").unwrap_or(lower);
    let unversioned = stem.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    listed(stem).or_else(|| (unversioned != stem).then(|| listed(unversioned))?)
}

/// Every name.
#[cfg(test)]
pub(crate) fn names() -> Vec<&'static str> {
    NAMES.iter().map(|(name, _)| *name).collect()
}

/// Every name, in byte order.
static NAMES: &[(&str, &Wrapper)] = &[
    ("ash", &shell::DASH),
    ("at", &shell_text::AT),
    ("autossh", &remote::SSH),
    ("bash", &shell::BASH),
    ("batch", &shell_text::AT),
    ("bsd-csh", &shell::CSH),
    ("builtin", &builtins::BUILTIN),
    ("busybox", &multicall::BUSYBOX),
    ("bwrap", &boundary::BWRAP),
    ("caffeinate", &launch::CAFFEINATE),
    ("capsh", &privilege::CAPSH),
    ("catchsegv", &trace::CATCHSEGV),
    ("cgexec", &scheduling::CGEXEC),
    ("choom", &scheduling::CHOOM),
    ("chpst", &privilege::CHPST),
    ("chronic", &launch::CHRONIC),
    ("chroot", &boundary::CHROOT),
    ("chrt", &scheduling::CHRT),
    ("command", &builtins::COMMAND),
    ("coreutils", &multicall::COREUTILS),
    ("cpulimit", &scheduling::CPULIMIT),
    ("csh", &shell::CSH),
    ("daemonize", &launch::DAEMONIZE),
    ("dash", &shell::DASH),
    ("dbus-launch", &launch::DBUS_RUN_SESSION),
    ("dbus-run-session", &launch::DBUS_RUN_SESSION),
    ("doas", &privilege::DOAS),
    ("docker", &container::DOCKER),
    ("docker-compose", &container::COMPOSE),
    ("dumb-init", &launch::DUMB_INIT),
    ("eatmydata", &launch::EATMYDATA),
    ("elvish", &shell::NU),
    ("entr", &shell_text::ENTR),
    ("env", &env::ENV),
    ("env_parallel", &parallel::PARALLEL),
    ("eval", &builtins::EVAL),
    ("exec", &builtins::EXEC),
    ("expect_unbuffer", &launch::UNBUFFER),
    ("fakechroot", &launch::FAKECHROOT),
    ("fakeroot", &launch::FAKEROOT),
    ("fakeroot-sysv", &launch::FAKEROOT),
    ("fakeroot-tcp", &launch::FAKEROOT),
    ("faketime", &launch::FAKETIME),
    ("fd", &fd::FD),
    ("fdfind", &fd::FD),
    ("finch", &container::DOCKER),
    ("find", &find::FIND),
    ("firejail", &boundary::FIREJAIL),
    ("fish", &shell::FISH),
    ("flatpak-spawn", &boundary::FLATPAK_SPAWN),
    ("flock", &shell_text::FLOCK),
    ("gchroot", &boundary::CHROOT),
    ("gdb", &trace::GDB),
    ("genv", &env::ENV),
    ("gfind", &find::FIND),
    ("gnice", &scheduling::NICE),
    ("gnohup", &launch::NOHUP),
    ("gosu", &privilege::GOSU),
    ("gstdbuf", &launch::STDBUF),
    ("gtime", &launch::TIME),
    ("gtimeout", &timeout::TIMEOUT),
    ("gxargs", &xargs::XARGS),
    ("heaptrack", &trace::HEAPTRACK),
    ("i386", &launch::LINUX32),
    ("ifne", &launch::IFNE),
    ("incus", &container::LXC),
    ("ionice", &scheduling::IONICE),
    ("ip", &boundary::IP),
    ("k3s", &container::KUBECTL),
    ("ksh", &shell::KSH),
    ("kubectl", &container::KUBECTL),
    ("lckdo", &launch::LCKDO),
    ("linux32", &launch::LINUX32),
    ("linux64", &launch::LINUX32),
    ("lksh", &shell::KSH),
    ("lldb", &trace::LLDB),
    ("ltrace", &trace::LTRACE),
    ("lxc", &container::LXC),
    ("microk8s.kubectl", &container::KUBECTL),
    ("mispipe", &shell_text::PEE),
    ("mksh", &shell::KSH),
    ("mosh", &remote::MOSH),
    ("nerdctl", &container::DOCKER),
    ("nice", &scheduling::NICE),
    ("nix", &shell_text::NIX),
    ("nix-shell", &shell_text::NIX_SHELL),
    ("nocache", &launch::NOCACHE),
    ("nohup", &launch::NOHUP),
    ("npm", &shell_text::NPX),
    ("npx", &shell_text::NPX),
    ("nsenter", &boundary::NSENTER),
    ("nu", &shell::NU),
    ("numactl", &scheduling::NUMACTL),
    ("oc", &container::KUBECTL),
    ("oksh", &shell::KSH),
    ("parallel", &parallel::PARALLEL),
    ("pdksh", &shell::KSH),
    ("pee", &shell_text::PEE),
    ("perf", &trace::PERF),
    ("pkexec", &privilege::PKEXEC),
    ("podman", &container::DOCKER),
    ("podman-compose", &container::COMPOSE),
    ("posh", &shell::DASH),
    ("powershell", &shell::PWSH),
    ("prlimit", &scheduling::PRLIMIT),
    ("proot", &boundary::PROOT),
    ("proxychains", &launch::PROXYCHAINS),
    ("proxychains4", &launch::PROXYCHAINS),
    ("pwsh", &shell::PWSH),
    ("rbash", &shell::BASH),
    ("rksh", &shell::KSH),
    ("rr", &trace::RR),
    ("run0", &privilege::RUN0),
    ("runuser", &privilege::RUNUSER),
    ("rush", &parallel::RUSH),
    ("rust-parallel", &parallel::RUST_PARALLEL),
    ("rzsh", &shell::ZSH),
    ("screen", &shell_text::SCREEN),
    ("script", &shell_text::SCRIPT),
    ("sem", &parallel::PARALLEL),
    ("setarch", &launch::SETARCH),
    ("setpriv", &privilege::SETPRIV),
    ("setsid", &launch::SETSID),
    ("setuidgid", &privilege::SETUIDGID),
    ("sg", &privilege::SG),
    ("sh", &shell::SH),
    ("slogin", &remote::SSH),
    ("ssh", &remote::SSH),
    ("sshpass", &launch::SSHPASS),
    ("start-stop-daemon", &launch::START_STOP_DAEMON),
    ("stdbuf", &launch::STDBUF),
    ("strace", &trace::STRACE),
    ("su", &privilege::SU),
    ("su-exec", &privilege::SU_EXEC),
    ("sudo", &privilege::SUDO),
    ("systemd-inhibit", &launch::SYSTEMD_INHIBIT),
    ("systemd-nspawn", &boundary::SYSTEMD_NSPAWN),
    ("systemd-run", &boundary::SYSTEMD_RUN),
    ("taskset", &scheduling::TASKSET),
    ("tcsh", &shell::CSH),
    ("time", &launch::TIME),
    ("timeout", &timeout::TIMEOUT),
    ("tini", &launch::TINI),
    ("tini-static", &launch::TINI),
    ("tmux", &shell_text::TMUX),
    ("torify", &launch::TORSOCKS),
    ("torsocks", &launch::TORSOCKS),
    ("toybox", &multicall::TOYBOX),
    ("trap", &builtins::TRAP),
    ("uname26", &launch::LINUX32),
    ("unbuffer", &launch::UNBUFFER),
    ("unshare", &boundary::UNSHARE),
    ("valgrind", &trace::VALGRIND),
    ("watch", &shell_text::WATCH),
    ("x86_64", &launch::LINUX32),
    ("xargs", &xargs::XARGS),
    ("xonsh", &shell::NU),
    ("xvfb-run", &launch::XVFB_RUN),
    ("yash", &shell::DASH),
    ("zsh", &shell::ZSH),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rstest::rstest;

    use super::*;
    use crate::registry::Kind;
    use crate::testing::words;

    #[test]
    fn the_names_are_in_order_and_lower_case() {
        assert!(NAMES.is_sorted_by(|one, next| one.0 < next.0));
        assert!(NAMES.iter().all(|(name, _)| name.len() < LONGEST_NAME && !name.contains(char::is_uppercase)));
    }

    #[test]
    fn every_wrapper_is_listed_by_its_own_name_and_has_a_manual() {
        let names: BTreeSet<&str> = NAMES.iter().map(|(name, _)| *name).collect();
        for (_, wrapper) in NAMES {
            assert!(names.contains(wrapper.name), "{}", wrapper.name);
            assert!(!wrapper.manual.is_empty(), "{}", wrapper.name);
        }
    }

    #[test]
    fn only_timeout_is_strict() {
        let strict: BTreeSet<&str> =
            NAMES.iter().filter(|(_, wrapper)| wrapper.kind == Kind::Strict).map(|(_, wrapper)| wrapper.name).collect();
        assert_eq!(strict, BTreeSet::from(["timeout"]));
    }

    #[rstest]
    #[case::plain("env", Some("env"))]
    #[case::path("/usr/bin/env", Some("env"))]
    #[case::relative_path("./env", Some("env"))]
    #[case::quoted("e'n'v", Some("env"))]
    #[case::other_case("ENV", Some("env"))]
    #[case::extension("bash.exe", Some("bash"))]
    #[case::version("bash-5.2", Some("bash"))]
    #[case::version("zsh5", Some("zsh"))]
    #[case::longer("environment", None)]
    #[case::shorter("en", None)]
    #[case::home("~/bin/env", Some("env"))]
    #[case::home_of("~user/env", Some("env"))]
    #[case::users_home("~env", None)]
    #[case::directory("env/", None)]
    #[case::very_long("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxenv", None)]
    #[case::beyond_ascii("énv", None)]
    #[case::computed("$env", None)]
    #[case::partly_computed("env$x", None)]
    fn a_wrapper_is_known_by_the_base_name_of_a_literal_word(#[case] word: &str, #[case] name: Option<&str>) {
        assert_eq!(named(&words(word)[0]).map(|wrapper| wrapper.name), name);
    }
}
