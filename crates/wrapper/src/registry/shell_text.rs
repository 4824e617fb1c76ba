//! Programs that have a shell run text, or a job. `at`, `batch`, and `script` or `nix-shell` without a command read it from their
//! input, which is not visible here.

use std::borrow::Cow;

use innercmd_bash_units::Word;

use super::{Grammar, Kind, Read, Wrapper};
use crate::options::Options;
use crate::reading::{Dialect, Feed, Reading};
use crate::scan::{Item, Scan};
use crate::shape::Shape;

const fn wrapper(name: &'static str, manual: &'static str, read: Read) -> Wrapper {
    Wrapper { name, manual, kind: Kind::Shell, grammar: Grammar::Own(read) }
}

pub(super) static WATCH: Wrapper = wrapper("watch", "procps, watch(1)", read_watch);
pub(super) static SCRIPT: Wrapper = wrapper("script", "util-linux, script(1)", read_script);
pub(super) static FLOCK: Wrapper = wrapper("flock", "util-linux, flock(1)", read_flock);
pub(super) static AT: Wrapper = wrapper("at", "POSIX, at; at(1)", read_at);
pub(super) static ENTR: Wrapper = wrapper("entr", "entr(1)", read_entr);
pub(super) static NIX_SHELL: Wrapper = wrapper("nix-shell", "Nix manual, nix-shell", read_nix_shell);
pub(super) static NIX: Wrapper = wrapper("nix", "Nix manual, nix develop and nix shell", read_nix);
pub(super) static PEE: Wrapper = wrapper("pee", "moreutils, pee(1) and mispipe(1)", read_each);
pub(super) static TMUX: Wrapper = wrapper("tmux", "tmux(1)", read_tmux);
pub(super) static SCREEN: Wrapper = wrapper("screen", "screen(1)", read_screen);

/// The words are joined for a shell, or with `-x` executed.
fn read_watch<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let mut scan = Scan::new(
        words,
        Options::first(
            "b|beep c|color C|no-color d|differences:: e|errexit f|follow g|chgexit h|help n|interval: p|precise \
             q|equexit: r|no-rerun s|shotsdir: t|no-title v|version w|no-wrap x|exec",
        ),
    );
    let mut exec = false;
    while let Some(item) = scan.next() {
        match item {
            Item::Flag { name: "h" | "v", .. } => return,
            Item::Flag { name, .. } => exec |= name == "x",
            Item::Operand(at) => {
                let command = words.get(at..).unwrap_or_default();
                return if exec { reading.command(command) } else { reading.script_words(command, Dialect::Posix) };
            }
            Item::Unsure(at) => {
                return reading.starts_text(words, &scan.starts(at, 0), Dialect::Posix);
            }
        }
    }
}

/// `-c` gives the text; a command may follow the file (BSD, and behind `--` in newer versions). A shell reads the input otherwise.
fn read_script<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let table = "a|append B|log-io: c|command: d e|return E|echo: f|flush F force h|help I|log-in: k \
                 m|logging-format: o|output-limit: O|log-out: p q|quiet r t|timing:: T|log-timing: V|version";
    let mut text = false;
    for item in Scan::new(words, Options::anywhere(table)) {
        match item {
            Item::Flag { name: "h" | "V", .. } => return,
            Item::Flag { name: "c", value: Some(value) } => {
                text = true;
                reading.script_word(&value, Dialect::Posix);
            }
            Item::Flag { .. } | Item::Operand(_) => {}
            Item::Unsure(_) => reading.unsure = true,
        }
    }
    let operands: Vec<usize> = Scan::new(words, Options::first(table)).filter_map(operand).collect();
    match operands.get(1).and_then(|at| words.get(*at..)) {
        Some(command) => {
            let dashes = command.first().is_some_and(|word| Shape::of(word).known() == Some("--"));
            reading.command(command.get(usize::from(dashes)..).unwrap_or_default());
        }
        None if text => {}
        None => reading.opaque(),
    }
}

fn operand(item: Item<'_>) -> Option<usize> {
    match item {
        Item::Operand(at) => Some(at),
        Item::Flag { .. } | Item::Unsure(_) => None,
    }
}

/// A command behind the lock file, or `-c` and text; a lone descriptor runs nothing.
fn read_flock<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let mut scan = Scan::new(
        words,
        Options::first(
            "s|shared x|e|exclusive u|unlock n|nb|nonblock w|wait|timeout: E|conflict-exit-code: o|close F|no-fork fcntl \
             start: length: verbose h|help V|version",
        ),
    );
    let mut left = 1;
    while let Some(item) = scan.next() {
        match item {
            Item::Flag { name: "h" | "V", .. } => return,
            Item::Flag { .. } => {}
            Item::Operand(at) if left > 0 && super::may_be_several(words, at) => {
                return reading.starts(words, &scan.starts(at, left));
            }
            Item::Operand(_) if left > 0 => left -= 1,
            Item::Operand(at) => {
                let command = words.get(at..).unwrap_or_default();
                let text =
                    command.first().is_some_and(|word| matches!(Shape::of(word).known(), Some("-c" | "--command")));
                return match command.get(1) {
                    Some(script) if text => reading.script_word(script, Dialect::Posix),
                    Some(_) | None => reading.command(command),
                };
            }
            Item::Unsure(at) => return reading.starts(words, &scan.starts(at, left)),
        }
    }
}

/// The job is read from input, or from the file of `-f`.
fn read_at<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let inert = |item: Item<'_>| matches!(item, Item::Flag { name: "l" | "r" | "d" | "c" | "V", .. });
    if !Scan::new(words, Options::anywhere("V q: f: m M l r d b v t: c u:")).any(inert) {
        reading.opaque();
    }
}

/// `/_` stands for the file that changed; with `-s` the first operand is text.
fn read_entr<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let mut scan = Scan::new(words, Options::first("a c d n p r s x z"));
    let mut text = false;
    while let Some(item) = scan.next() {
        match item {
            Item::Flag { name, .. } => text |= name == "s",
            Item::Operand(at) | Item::Unsure(at) if text => {
                return if let Some(word) = words.get(at) {
                    reading.script_word(word, Dialect::Posix)
                };
            }
            Item::Operand(at) => {
                let command = words.get(at..).unwrap_or_default();
                let changed = command.iter().any(|word| word.literal().is_some_and(|text| text.contains("/_")));
                return if changed {
                    reading.fed(Cow::Borrowed(command), Feed::Replace(&["/_".to_owned()]));
                } else {
                    reading.command(command);
                };
            }
            Item::Unsure(at) => return reading.starts(words, &scan.starts(at, 0)),
        }
    }
}

/// `--run` and `--command` give text; a shell reads the input otherwise.
fn read_nix_shell<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let options = Options::anywhere(
        "run: command: p|packages A|attr: I: i: arg:2 argstr:2 keep: option:2 j|max-jobs: cores: exclude: E|expr pure impure \
         K|keep-failed k|keep-going Q|no-build-output v|verbose help version",
    );
    let mut text = false;
    for item in Scan::new(words, options) {
        match item {
            Item::Flag { name: "help" | "version", .. } => return,
            Item::Flag { name: "run" | "command", value: Some(value) } => {
                text = true;
                reading.script_word(&value, Dialect::Bash);
            }
            Item::Flag { .. } | Item::Operand(_) => {}
            Item::Unsure(_) => reading.unsure = true,
        }
    }
    if !text {
        reading.opaque();
    }
}

/// `nix develop` and `nix shell` run what stands behind `--command`, or else a shell that reads the input.
fn read_nix<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let is = |word: &Word, names: &[&str]| Shape::of(word).known().is_some_and(|text| names.contains(&text));
    if !words.iter().skip(1).any(|word| is(word, &["develop", "shell"])) {
        return;
    }
    match words.iter().position(|word| is(word, &["-c", "--command"])) {
        Some(at) => reading.command(words.get(at + 1..).unwrap_or_default()),
        None => reading.opaque(),
    }
}

/// Every argument is text of its own.
fn read_each<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    for word in words.iter().skip(1).filter(|word| !Shape::of(word).lead.starts_with('-')) {
        reading.script_word(word, Dialect::Posix);
    }
}

/// The commands of tmux that take a shell command, or keys for a shell.
fn read_tmux<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    const COMMANDS: [&str; 22] = [
        "new-session", "new", "new-window", "neww", "split-window", "splitw", "respawn-pane", "respawnp",
        "respawn-window", "respawnw", "run-shell", "run", "if-shell", "if", "pipe-pane", "pipep", "display-popup",
        "popup", "send-keys", "send", "confirm-before", "command-prompt",
    ];
    let starts = |word: &Word| Shape::of(word).known().is_some_and(|text| COMMANDS.contains(&text));
    let places = words.iter().enumerate().skip(1).filter(|(_, word)| starts(word)).map(|(at, _)| at);
    for at in places.take(words.len().min(16)) {
        let command = words.get(at..).unwrap_or_default();
        let scan = Scan::new(
            command,
            Options::first("c: e: F: f: l: N: n: p: s: t: w: x: y: A B C D d E h H I k l O P R X Z a b v"),
        );
        let text = scan.filter_map(operand).next();
        reading.script_words(text.and_then(|at| command.get(at..)).unwrap_or_default(), Dialect::Posix);
    }
}

/// A command behind the options, or with `-X` one for a running session.
fn read_screen<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let scan = Scan::new(words, Options::first("a A c: d D e: f h: i l L m O p: q Q: r R s: S: t: T: U v x X"));
    let mut sent = false;
    for item in scan {
        match item {
            Item::Flag { name: "v" | "Q", .. } => return,
            Item::Flag { name, .. } => sent |= name == "X",
            Item::Operand(at) | Item::Unsure(at) => {
                let command = words.get(at..).unwrap_or_default();
                let skipped = command.get(usize::from(sent)..).unwrap_or_default();
                return if sent { reading.script_words(skipped, Dialect::Posix) } else { reading.command(command) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::check;

    #[rstest]
    #[case("watch -n 5 rm -rf build", "$ rm -rf build")]
    #[case("watch 'rm x; ls'", "$ rm x; ls")]
    #[case("watch -x rm x", "rm x")]
    #[case("watch -n1 -d rm x", "$ rm x")]
    #[case("watch --help", "-")]
    #[case("script -c 'rm -rf build' /dev/null", "$ rm -rf build")]
    #[case("script -qec 'rm x' f", "$ rm x")]
    #[case("script --command='rm x'", "$ rm x")]
    #[case("script f", "?")]
    #[case("script", "?")]
    #[case("script -q f rm x", "rm x")]
    #[case("script -q f -- rm x", "rm x")]
    #[case("flock f rm x", "rm x")]
    #[case("flock -n f rm x", "rm x")]
    #[case("flock -w 5 f -c 'rm x'", "$ rm x")]
    #[case("flock f --command 'rm x'", "$ rm x")]
    #[case("flock 9", "-")]
    #[case("flock -u 9", "-")]
    #[case("flock f bash -c 'rm x'", "bash -c 'rm x'")]
    #[case("at now", "?")]
    #[case("at -f job now", "?")]
    #[case("at -l", "-")]
    #[case("batch", "?")]
    #[case("entr -r rm x", "rm x")]
    #[case("entr rm /_", "rm /_ | rm <>")]
    #[case("entr -s 'rm x'", "$ rm x")]
    #[case("nix-shell --run 'rm x'", "$ rm x")]
    #[case("nix-shell -p jq --command 'rm x'", "$ rm x")]
    #[case("nix-shell", "?")]
    #[case("nix develop -c rm x", "rm x")]
    #[case("nix shell nixpkgs#jq --command rm x", "rm x")]
    #[case("nix build", "-")]
    #[case("pee 'rm x' 'ls y'", "$ rm x | $ ls y")]
    #[case("mispipe 'rm x' 'ls y'", "$ rm x | $ ls y")]
    #[case("tmux new-session -d -s n 'rm x'", "$ rm x")]
    #[case("tmux send-keys -t 0 'rm x' Enter", "$ rm x Enter")]
    #[case("tmux ls", "-")]
    #[case("screen -dmS n rm x", "rm x")]
    #[case("screen -S n -X stuff 'rm x'", "$ rm x")]
    fn programs_that_have_a_shell_run_text(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }
}
