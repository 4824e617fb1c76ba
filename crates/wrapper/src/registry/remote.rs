//! What runs a command on another host. Opaque without a command, where a shell there reads the input.

use innercmd_bash_units::Word;

use super::{Grammar, Kind, Read, Wrapper};
use crate::Influence;
use crate::options::Options;
use crate::reading::{Dialect, Reading};
use crate::scan::{Item, Scan};
use crate::shape::Shape;

const fn wrapper(name: &'static str, manual: &'static str, read: Read) -> Wrapper {
    Wrapper { name, manual, kind: Kind::NonTransparent, grammar: Grammar::Own(read) }
}

pub(super) static SSH: Wrapper = wrapper("ssh", "OpenSSH, ssh(1)", read_ssh);
pub(super) static MOSH: Wrapper = wrapper("mosh", "mosh(1)", read_mosh);

const SSH_OPTIONS: Options = Options::first(
    "1 2 4 6 A a B: b: C c: D: E: e: F: f G g I: i: J: K k L: l: M m: N n O: o: P: p: Q: q R: S: s T t V v W: w: X x Y y",
);

/// Settings whose value is a command: on this host, but for the last (ssh_config(5)).
const COMMANDS: [&str; 4] = ["proxycommand", "localcommand", "knownhostscommand", "remotecommand"];

/// Options may stand on both sides of the host; what follows is joined for the remote user's shell.
fn read_ssh<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let Some(host) = read_side(words, 1, reading) else { return };
    let rest = words.get(host..).unwrap_or_default();
    let Some(command) = read_side(rest, 0, reading) else { return };
    reading.influence(Influence::Place);
    match rest.get(command..) {
        Some(command) if !command.is_empty() => reading.script_words(command, Dialect::Posix),
        Some(_) | None => reading.opaque(),
    }
}

/// Reads the options on one side of the host, and gives the place of the operand behind them; none where nothing is left to do.
fn read_side<'w>(words: &'w [Word], operands: usize, reading: &mut Reading<'w>) -> Option<usize> {
    let mut scan = Scan::new(words, SSH_OPTIONS);
    while let Some(item) = scan.next() {
        match item {
            Item::Flag { name: "G" | "N" | "O" | "Q" | "V" | "W", .. } => return None,
            Item::Flag { name: "o", value: Some(value) } => read_setting(&value, reading),
            Item::Flag { .. } => {}
            Item::Operand(at) if !super::may_be_several(words, at) => return Some(at),
            Item::Operand(at) | Item::Unsure(at) => {
                reading.influence(Influence::Place);
                reading.starts_text(words, &scan.starts(at, operands), Dialect::Posix);
                reading.opaque();
                return None;
            }
        }
    }
    (operands == 0).then_some(words.len())
}

fn read_setting(value: &Word, reading: &mut Reading<'_>) {
    let Some(text) = value.literal() else { return reading.opaque() };
    let name = text.split(['=', ' ', '\t']).next().unwrap_or_default();
    if COMMANDS.contains(&name.to_ascii_lowercase().as_str()) {
        let command = text.get(name.len()..).unwrap_or_default().trim_start_matches(['=', ' ', '\t']);
        reading.script(command.to_owned(), Dialect::Posix);
    }
}

/// `mosh [OPTION]… HOST [--] CMD…`; without a command the shell there is interactive.
fn read_mosh<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let mut scan = Scan::new(
        words,
        Options::first(
            "client: server: ssh: predict: predict-overwrite family: 4 6 a n o p|port: bind-server: no-ssh-pty no-init local \
             experimental-remote-ip: help version",
        ),
    );
    reading.influence(Influence::Place);
    while let Some(item) = scan.next() {
        match item {
            Item::Flag { name: "help" | "version", .. } => return,
            Item::Flag { name: "ssh" | "server" | "client", value: Some(value) } => {
                reading.script_word(&value, Dialect::Posix);
            }
            Item::Flag { .. } => {}
            Item::Operand(at) => {
                let behind = words.get(at + 1..).unwrap_or_default();
                let dashes = behind.first().is_some_and(|word| Shape::of(word).known() == Some("--"));
                return reading.command(behind.get(usize::from(dashes)..).unwrap_or_default());
            }
            Item::Unsure(at) => return reading.starts(words, &scan.starts(at, 1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::check;

    #[rstest]
    #[case("ssh build-host 'dropdb appdb'", "$ dropdb appdb")]
    #[case("ssh host rm -rf x", "$ rm -rf x")]
    #[case("ssh -p 22 user@host rm x", "$ rm x")]
    #[case("ssh -p22 -t host rm x", "$ rm x")]
    #[case("ssh host -p 22 rm x", "$ rm x")]
    #[case("ssh -i key -o A=b host -- rm x", "$ rm x")]
    #[case("ssh host", "?")]
    #[case("ssh -N host", "-")]
    #[case("ssh -V", "-")]
    #[case("ssh", "-")]
    #[case("ssh -o ProxyCommand='rm x' host", "$ rm x | ?")]
    #[case("ssh -o 'localcommand rm x' -N host", "$ rm x")]
    #[case("ssh host rm $x", "rm <x> | ?")]
    #[case("ssh $H rm x", "rm x | x | ? | $ rm x")]
    #[case(r#"ssh "$H" rm x"#, "rm x | x | $ rm x | ?")]
    #[case("ssh \"$H\"", "?")]
    #[case("mosh host -- rm x", "rm x")]
    #[case("mosh host rm x", "rm x")]
    #[case("mosh host", "-")]
    fn a_remote_command_is_text_for_a_shell(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }
}
