//! Clients of containers and clusters: `exec` and `run` start a command elsewhere. A container's own default program is no command of
//! the text, so that `run IMAGE` alone is an ordinary program.

use innercmd_bash_units::Word;

use super::{Grammar, Kind, Prefix, Read, Wrapper};
use crate::Influence;
use crate::options::Options;
use crate::reading::Reading;
use crate::scan::{Item, Scan};
use crate::shape::Shape;

const fn wrapper(name: &'static str, manual: &'static str, read: Read) -> Wrapper {
    Wrapper { name, manual, kind: Kind::NonTransparent, grammar: Grammar::Own(read) }
}

pub(super) static DOCKER: Wrapper =
    wrapper("docker", "docker-exec(1), docker-run(1); podman and nerdctl likewise", read_docker);
pub(super) static COMPOSE: Wrapper = wrapper("docker-compose", "docker compose exec, docker compose run", read_docker);
pub(super) static KUBECTL: Wrapper = wrapper("kubectl", "kubectl exec, kubectl run, kubectl debug", read_kubectl);
pub(super) static LXC: Wrapper = wrapper("lxc", "lxc exec; incus likewise", read_kubectl);

/// The options before the subcommand, of the clients and of their `compose`.
const CLIENT: Options = Options::first(
    "config: c|context: D|debug H|host: l|log-level: tls tlscacert: tlscert: tlskey: tlsverify v|version help url: \
     connection: identity: root: runroot: r|remote storage-driver: storage-opt: cgroup-manager: n|namespace: a|address: \
     f|file: p|project-name: profile: env-file: project-directory: ansi: parallel: progress: compatibility all-resources \
     dry-run",
);

const EXEC: Prefix = Prefix::new(Options::first(
    "d|detach detach-keys: e|env: env-file: i|interactive privileged t|tty u|user: w|workdir: index: T|no-TTY l|latest \
     preserve-fds: preserve-fd: cidfile: help",
))
.operands(1)
.effects(&[("u", Influence::Privilege), ("w", Influence::Directory)])
.variables(&["e"])
.always(&[Influence::Place]);

const RUN: Prefix = Prefix::new(Options::first(
    "add-host: annotation: arch: a|attach: authfile: blkio-weight: blkio-weight-device: build cap-add: cap-drop: \
     cgroup-conf: cgroup-parent: cgroupns: cgroups: chrootdirs: cidfile: conmon-pidfile: cpu-count: cpu-percent: \
     cpu-period: cpu-quota: cpu-rt-period: cpu-rt-runtime: c|cpu-shares: cpus: cpuset-cpus: cpuset-mems: creds: d|detach \
     detach-keys: device: device-cgroup-rule: device-read-bps: device-read-iops: device-write-bps: device-write-iops: \
     disable-content-trust dns: dns-opt|dns-option: dns-search: domainname: entrypoint: e|env: env-file: env-from-file: \
     env-host env-merge: expose: gidmap: gpus: group-add: group-entry: health-cmd: health-interval: health-on-failure: \
     health-retries: health-start-interval: health-start-period: health-timeout: help h|hostname: hostuser: http-proxy \
     image-volume: init init-path: i|interactive ip: ip6: ipc: isolation: kernel-memory: l|label: label-file: link: \
     link-local-ip: log-driver: log-opt: mac-address: m|memory: memory-reservation: memory-swap: memory-swappiness: mount: \
     name: net|network: net-alias|network-alias: no-deps no-healthcheck no-hosts no-TTY oom-kill-disable oom-score-adj: os: \
     passwd passwd-entry: personality: pid: pidfile: pids-limit: platform: pod: pod-id-file: preserve-fds: privileged \
     p|publish: P|publish-all pull: q|quiet quiet-pull rdt-class: read-only read-only-tmpfs remove-orphans replace \
     requires: restart: rm rmi rootfs runtime: sdnotify: seccomp-policy: secret: security-opt: service-ports shm-size: \
     sig-proxy stop-signal: stop-timeout: storage-opt: subgidname: subuidname: sysctl: systemd: T timeout: tls-verify tmpfs: \
     t|tty tz: uidmap: ulimit: umask: unsetenv: unsetenv-all use-aliases use-api-socket u|user: userns: uts: variant: \
     v|volume: volume-driver: volumes-from: w|workdir:",
))
.operands(1)
.effects(&[("u", Influence::Privilege), ("w", Influence::Directory)])
.variables(&["e"])
.always(&[Influence::Place]);

/// Groups of subcommands that hold `exec` and `run` as well.
const GROUPS: [&str; 3] = ["container", "compose", "pod"];

fn read_docker<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let Some((at, name)) = subcommand(words) else { return };
    let rest = words.get(at..).unwrap_or_default();
    if name == "exec" {
        return EXEC.read(rest, reading);
    }
    RUN.read(rest, reading);
    for item in Scan::new(rest, RUN.options) {
        match item {
            Item::Flag { name: "entrypoint", value: Some(program) } => reading.command_of(vec![program.into_owned()]),
            Item::Flag { .. } | Item::Unsure(_) => {}
            Item::Operand(_) => break,
        }
    }
}

/// The place and name of `exec` or `run`.
fn subcommand(words: &[Word]) -> Option<(usize, &'static str)> {
    let named = |word: &Word| ["exec", "run"].into_iter().find(|name| Shape::of(word).known() == Some(name));
    let mut from = 0;
    for _ in 0..=GROUPS.len() {
        let rest = words.get(from..)?;
        let first = Scan::new(rest, CLIENT).find(|item| !matches!(item, Item::Flag { .. }))?;
        let at = match first {
            Item::Operand(at) => from + at,
            // Some later word is the subcommand: the first that can be.
            Item::Unsure(_) | Item::Flag { .. } => {
                let at = words.iter().position(|word| named(word).is_some())?;
                return Some((at, named(words.get(at)?)?));
            }
        };
        let word = words.get(at)?;
        if let Some(name) = named(word) {
            return Some((at, name));
        }
        if !GROUPS.iter().any(|group| Shape::of(word).known() == Some(group)) {
            return None;
        }
        from = at;
    }
    None
}

const CLUSTER: Prefix = Prefix::new(Options::anywhere(
    "c|container: f|filename: i|stdin t|tty n|namespace: pod-running-timeout: q|quiet context: kubeconfig: cluster: user: \
     as: as-group: as-uid: s|server: token: v: request-timeout: cache-dir: certificate-authority: client-certificate: \
     client-key: image: image-pull-policy: restart: env: l|labels: port: overrides: rm attach command dry-run:: o|output: \
     target: copy-to: profile: share-processes cwd: group: mode: T t help",
))
.operands(1)
.variables(&["env"])
.always(&[Influence::Place]);

/// `exec POD … -- CMD…`, `run NAME … -- CMD…`, `debug NODE … -- CMD…`; older forms leave `--` out.
fn read_kubectl<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let starting = |word: &Word| matches!(Shape::of(word).known(), Some("exec" | "run" | "debug"));
    let Some(at) = words.iter().position(starting) else { return };
    let rest = words.get(at..).unwrap_or_default();
    match rest.iter().position(|word| Shape::of(word).known() == Some("--")) {
        Some(dashes) => {
            reading.influence(Influence::Place);
            reading.command(rest.get(dashes + 1..).unwrap_or_default());
        }
        None => CLUSTER.read(rest, reading),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::check;

    #[rstest]
    #[case("docker exec web bash -c 'rm -rf build'", "bash -c 'rm -rf build'")]
    #[case("docker exec -it -e A=1 -w /x web rm x", "rm x")]
    #[case("docker exec --user root web rm x", "rm x")]
    #[case("docker -H tcp://x exec web rm x", "rm x")]
    #[case("docker container exec web rm x", "rm x")]
    #[case("docker compose exec web rm x", "rm x")]
    #[case("docker compose -f a.yml exec -T web rm x", "rm x")]
    #[case("docker-compose -p a run --rm web rm x", "rm x")]
    #[case("docker run --rm -v a:b -e A=1 alpine rm x", "rm x")]
    #[case("docker run -it --name x alpine rm x", "rm x")]
    #[case("docker run --entrypoint rm alpine x", "x | rm")]
    #[case("podman run --rm alpine rm x", "rm x")]
    #[case("docker run alpine", "-")]
    #[case("docker ps", "-")]
    #[case("docker build -t run .", "-")]
    #[case("docker", "-")]
    #[case("docker rm x", "-")]
    #[case("docker exec $C rm x", "rm x | x | ?")]
    #[case(r#"docker exec "$C" rm x"#, "rm x | x")]
    fn containers_run_a_command_elsewhere(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }

    #[rstest]
    #[case("kubectl exec pod -- rm x", "rm x")]
    #[case("kubectl exec -it pod -c c -- rm x", "rm x")]
    #[case("kubectl -n ns exec pod -- rm x", "rm x")]
    #[case("kubectl exec pod rm x", "rm x")]
    #[case("kubectl run a --image=b -- rm x", "rm x")]
    #[case("kubectl get pods", "-")]
    #[case("kubectl exec pod", "-")]
    #[case("lxc exec c -- rm x", "rm x")]
    #[case("oc exec pod -- rm x", "rm x")]
    fn clusters_run_a_command_elsewhere(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }
}
