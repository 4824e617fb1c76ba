//! Shells. `-c` hands them text; without it they read a file, which is no wrapping, or their input, which is not visible here.
//! Opaque too where text is computed, where the file is a process substitution or an open descriptor, and where the shell's language
//! is another than Bash.

use innercmd_bash_units::{HoleKind, Part, Word};

use super::{Grammar, Kind, Read, Wrapper};
use crate::options::Options;
use crate::reading::{Dialect, Reading};
use crate::scan::{Item, Scan};
use crate::shape::{Count, Shape};

const fn shell(name: &'static str, manual: &'static str, read: Read) -> Wrapper {
    Wrapper { name, manual, kind: Kind::Shell, grammar: Grammar::Own(read) }
}

pub(super) static BASH: Wrapper = shell("bash", "bash manual 6.1, Invoking Bash", read_bash);
pub(super) static SH: Wrapper = shell("sh", "POSIX, sh", read_posix);
pub(super) static DASH: Wrapper = shell("dash", "dash(1)", read_posix);
pub(super) static KSH: Wrapper = shell("ksh", "ksh93(1), mksh(1)", read_other);
pub(super) static ZSH: Wrapper = shell("zsh", "zsh manual 4, Invocation", read_other);
pub(super) static CSH: Wrapper = shell("csh", "tcsh(1)", read_other);
pub(super) static FISH: Wrapper = shell("fish", "fish(1)", read_fish);
pub(super) static NU: Wrapper = shell("nu", "Nushell book; elvish and xonsh likewise", read_fish);
pub(super) static PWSH: Wrapper = shell("pwsh", "PowerShell, about_Pwsh", read_pwsh);

fn read_bash<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    read(words, Dialect::Bash, reading);
}

fn read_posix<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    read(words, Dialect::Posix, reading);
}

fn read_other<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    read(words, Dialect::Other, reading);
}

/// The options of a shell's invocation.
#[derive(Default)]
struct Invocation {
    /// `-c`: the first operand is the program's text.
    text: bool,
    /// `-s`: the program is read from input.
    input: bool,
    /// `-n` without `-i`: nothing is executed.
    noexec: bool,
    interactive: bool,
    /// `--help` and the like.
    inert: bool,
    /// Whether options change how the text is read, or are computed.
    unsure: bool,
    /// The place of the first operand.
    operand: usize,
}

fn read<'w>(words: &'w [Word], dialect: Dialect, reading: &mut Reading<'w>) {
    let invocation = Invocation::of(words);
    if invocation.inert {
        return;
    }
    if invocation.unsure {
        reading.unsure = true;
        reading.opaque();
    }
    if invocation.noexec && !invocation.interactive {
        return;
    }
    if invocation.text && invocation.input {
        // dash runs the text, and then its input.
        reading.opaque();
    }
    match words.get(invocation.operand) {
        Some(text) if invocation.text => {
            reading.script_word(text, dialect);
            positional(text, words.get(invocation.operand + 1..).unwrap_or_default(), reading);
        }
        None if invocation.text => {}
        Some(file) if !invocation.input => {
            if unseen_file(file) {
                reading.opaque();
            }
        }
        Some(_) | None => reading.opaque(),
    }
}

impl Invocation {
    fn of(words: &[Word]) -> Self {
        let mut invocation = Self { operand: 1, ..Self::default() };
        let mut long_allowed = true;
        while let Some(word) = words.get(invocation.operand) {
            let shape = Shape::of(word);
            let option = match shape.known() {
                Some("-" | "--") => {
                    invocation.operand += 1;
                    break;
                }
                Some(text) if is_long(text, long_allowed) => invocation.long(text),
                Some(text) if text.len() > 1 && text.starts_with(['-', '+']) => {
                    long_allowed = false;
                    invocation.cluster(text)
                }
                Some(_) => break,
                None if shape.is_operand() && !shape.lead.starts_with('+') => break,
                None if shape.count == Count::One && holds_slash(word) && !shape.lead.starts_with(['-', '+']) => break,
                None => {
                    invocation.unsure = true;
                    1
                }
            };
            invocation.operand += option;
        }
        invocation
    }

    /// Takes in a long option, and says how many words it is.
    fn long(&mut self, text: &str) -> usize {
        match text.trim_start_matches('-') {
            "help" | "version" | "dump-strings" | "dump-po-strings" => self.inert = true,
            "rcfile" | "init-file" => return 2,
            _ => {}
        }
        1
    }

    /// Takes in a cluster of short options, and says how many words it is with their values.
    fn cluster(&mut self, text: &str) -> usize {
        let on = text.starts_with('-');
        let mut length = 1;
        for letter in text.chars().skip(1) {
            match letter {
                'c' => self.text = true,
                's' => self.input = true,
                'n' => self.noexec = on,
                'i' => self.interactive = true,
                'D' => self.inert = on,
                'o' => length += 1,
                'O' => {
                    // A shell option may change how the text is read.
                    self.unsure = true;
                    length += 1;
                }
                _ => {}
            }
        }
        length
    }
}

/// Bash takes its long options with one dash too, before any short one (bash manual 6.1).
fn is_long(text: &str, allowed: bool) -> bool {
    const NAMES: [&str; 16] = [
        "debug", "debugger", "dump-po-strings", "dump-strings", "help", "init-file", "login", "noediting", "noprofile",
        "norc", "posix", "pretty-print", "rcfile", "restricted", "verbose", "version",
    ];
    text.len() > 2 && text.starts_with("--")
        || allowed && text.strip_prefix('-').is_some_and(|name| NAMES.contains(&name))
}

fn holds_slash(word: &Word) -> bool {
    word.parts.iter().any(|part| match part {
        Part::Literal { text, .. } => text.contains('/'),
        Part::Hole { .. } => false,
    })
}

/// Whether a script operand is no file whose name could be judged.
fn unseen_file(file: &Word) -> bool {
    let substituted = file.parts.iter().any(|part| match part {
        Part::Literal { .. } => false,
        Part::Hole { kind, .. } => matches!(kind, HoleKind::ProcessSubstitution),
    });
    let shape = Shape::of(file);
    let descriptor = ["/dev/stdin", "/dev/fd/", "/proc/"].iter().any(|prefix| shape.lead.starts_with(prefix));
    substituted || descriptor || shape.lead.is_empty() && shape.count != Count::Known && !holds_slash(file)
}

/// Where the text begins by running its own arguments, they are a command: `sh -c '"$@"' NAME CMD…`.
fn positional<'w>(text: &Word, arguments: &'w [Word], reading: &mut Reading<'w>) {
    let Some(text) = text.literal() else { return };
    let text = text.trim_start();
    let text = text.strip_prefix("exec ").map_or(text, str::trim_start);
    let unquoted = text.strip_prefix('"').unwrap_or(text);
    if ["$0", "${0}"].iter().any(|zero| unquoted.starts_with(zero)) {
        reading.command(arguments);
    } else if ["$@", "$*", "${@", "${*", "$1", "${1"].iter().any(|all| unquoted.starts_with(all)) {
        reading.command(arguments.get(1..).unwrap_or_default());
    }
}

/// `-c` may be given several times; `-C` and `-e` run text before anything else.
fn read_fish<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let options = Options::anywhere(
        "c|command|commands: C|init-command: e|execute: d|debug: o|debug-output: D: f|features: p|profile: I|include-path: \
         config: env-config: n|no-execute i|interactive l|login P|private N|no-config h|help v|V|version rc: no-rc",
    );
    let (mut text, mut file) = (false, false);
    for item in Scan::new(words, options) {
        match item {
            Item::Flag { name: "n" | "h" | "v", .. } => return,
            Item::Flag { name: "c" | "C" | "e", value: Some(value) } => {
                text = true;
                reading.script_word(&value, Dialect::Other);
            }
            Item::Flag { .. } => {}
            Item::Operand(at) => file |= words.get(at).is_some_and(|word| !unseen_file(word)),
            Item::Unsure(_) => {
                reading.unsure = true;
                reading.opaque();
            }
        }
    }
    if !text && !file {
        reading.opaque();
    }
}

/// `-Command` takes the rest of the line; names may be cut short and are not case-sensitive.
fn read_pwsh<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let is = |word: &Word, name: &str| {
        let text = Shape::of(word).lead.to_ascii_lowercase();
        text.len() > 1 && name.starts_with(text.as_str())
    };
    let command = words.iter().position(|word| is(word, "-command"));
    match command.and_then(|at| words.get(at + 1..)) {
        Some(text) => reading.script_words(text, Dialect::Other),
        None if words.iter().any(|word| is(word, "-file") || is(word, "-version")) => {}
        None => {
            let operand = words.iter().skip(1).position(|word| !Shape::of(word).lead.starts_with('-'));
            reading.script_words(operand.and_then(|at| words.get(at + 1..)).unwrap_or_default(), Dialect::Other);
        }
    }
    if !matches!(words.get(1), Some(word) if is(word, "-version") || is(word, "-file")) {
        reading.opaque();
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::check;

    #[rstest]
    #[case("bash -c 'rm x'", "$ rm x")]
    #[case("bash -c 'rm x' a b", "$ rm x")]
    #[case("bash -xc 'rm x'", "$ rm x")]
    #[case("bash -cx 'rm x'", "$ rm x")]
    #[case("bash -c -x 'rm x'", "$ rm x")]
    #[case("bash -lc 'rm x'", "$ rm x")]
    #[case("bash --norc -c 'rm x'", "$ rm x")]
    #[case("bash --rcfile f -c 'rm x'", "$ rm x")]
    #[case("bash -norc -c 'rm x'", "$ rm x")]
    #[case("bash -o pipefail -c 'rm x'", "$ rm x")]
    #[case("bash -eo pipefail -c 'rm x'", "$ rm x")]
    #[case("bash -ceuo pipefail 'rm x'", "$ rm x")]
    #[case("bash +e -c 'rm x'", "$ rm x")]
    #[case("bash +c 'rm x'", "$ rm x")]
    #[case("bash -c -- 'rm x'", "$ rm x")]
    #[case("bash -c - 'rm x'", "$ rm x")]
    #[case("bash -c", "-")]
    #[case("sh -sc 'rm x'", "? | $ rm x")]
    #[case(r#"bash -c "$x""#, "?")]
    #[case(r#"bash -c "rm $x""#, "?")]
    #[case("bash -O extglob -c 'rm x'", "? | $ rm x")]
    #[case("/bin/sh -c 'rm x'", "$ rm x")]
    #[case("bash-5.2 -c 'rm x'", "$ rm x")]
    #[case("bash5 -c 'rm x'", "$ rm x")]
    #[case("rbash -c 'rm x'", "$ rm x")]
    #[case("dash -c 'rm x'", "$ rm x")]
    #[case("sh -c 'echo a &> b'", "$ echo a &> b | ?")]
    #[case("sh -c '((rm x))'", "$ ((rm x)) | ?")]
    #[case("zsh -c 'rm x'", "$ rm x | ?")]
    #[case("ksh93 -c 'rm x'", "$ rm x | ?")]
    #[case("fish -c 'rm x'", "$ rm x | ?")]
    #[case("fish --command='rm x' --command 'ls'", "$ rm x | ? | $ ls")]
    #[case("tcsh -c 'rm x'", "$ rm x | ?")]
    #[case("pwsh -Command rm x", "$ rm x | ?")]
    #[case("pwsh -c 'rm x'", "$ rm x | ?")]
    #[case("nu -c 'rm x'", "$ rm x | ?")]
    #[case(r#"sh -c '"$@"' _ rm -rf x"#, r#"$ "$@" | rm -rf x"#)]
    #[case(r#"sh -c 'exec "$@"' _ rm x"#, r#"$ exec "$@" | rm x"#)]
    #[case(r#"sh -c '"$0" "$@"' rm x"#, r#"$ "$0" "$@" | rm x"#)]
    #[case("bash $OPTS -c 'rm x'", "? | $ rm x")]
    fn dash_c_is_text(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }

    #[rstest]
    #[case("bash", "?")]
    #[case("sh", "?")]
    #[case("bash -", "?")]
    #[case("bash -s", "?")]
    #[case("bash -s a b", "?")]
    #[case("bash -x", "?")]
    #[case("bash --", "?")]
    #[case("bash -l", "?")]
    #[case("bash -i", "?")]
    #[case("bash -in", "?")]
    #[case("zsh", "?")]
    #[case("fish", "?")]
    #[case("pwsh", "?")]
    #[case("bash /dev/stdin", "?")]
    #[case("bash <(curl x)", "?")]
    #[case("bash /dev/fd/3", "?")]
    #[case(r#"bash "$x""#, "?")]
    #[case("bash $x", "?")]
    #[case("bash +x", "?")]
    fn without_a_file_a_shell_reads_its_input(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }

    #[rstest]
    #[case("bash script.sh", "-")]
    #[case("bash -x script.sh -c 'rm x'", "-")]
    #[case("bash ./a b", "-")]
    #[case("bash -n script.sh", "-")]
    #[case("bash -n", "-")]
    #[case("bash -nc 'rm x'", "-")]
    #[case("bash --version", "-")]
    #[case("bash --help", "-")]
    #[case(r#"bash "$DIR/build.sh""#, "-")]
    #[case("bash ~/x.sh", "-")]
    #[case("sh script", "-")]
    #[case("fish script.fish", "-")]
    #[case("bash -o pipefail script.sh", "-")]
    #[case("bash -- -c", "-")]
    #[case("bashful -c x", "-")]
    fn a_script_file_is_no_wrapping(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }
}
