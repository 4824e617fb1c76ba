//! `parallel` and its like: run a command for each input. GNU parallel joins the words for a shell; without a command the inputs are
//! the commands. Opaque where they come from input or a file.

use std::borrow::Cow;

use innercmd_bash_units::Word;

use super::{Grammar, Kind, Read, Wrapper};
use crate::Influence;
use crate::options::Options;
use crate::reading::{Dialect, Feed, Reading};
use crate::scan::{Item, Scan};
use crate::shape::Shape;

const fn wrapper(name: &'static str, manual: &'static str, read: Read) -> Wrapper {
    Wrapper { name, manual, kind: Kind::Shell, grammar: Grammar::Own(read) }
}

pub(super) static PARALLEL: Wrapper = wrapper("parallel", "GNU parallel(1), moreutils parallel(1)", read_parallel);
pub(super) static RUSH: Wrapper = wrapper("rush", "rush, README", read_rush);
pub(super) static RUST_PARALLEL: Wrapper = wrapper("rust-parallel", "rust-parallel, manual", read_rust_parallel);

const PARALLEL_OPTIONS: Options = Options::first(
    "0|null a|arg-file: arg-file-sep: arg-sep: bar basefile|bf: basenamereplace|bnr: basenameextensionreplace|bner: bin: bg \
     block|block-size: block-timeout|bt: cat cleanup color color-failed|cf C|colsep: compress compress-program: \
     decompress-program: csv ctag ctagstring: delay: d|delimiter: dirnamereplace|dnr: dry-run|dryrun D: E: e|eof:? embed env: \
     eta extensionreplace|er: fg fifo filter: filter-hosts files|output-as-files|outputasfiles f gnu group group-by: help h \
     halt|halt-on-error: header: hostgroups|hgrp I: i|replace:? joblog|jl: j|jobs: P|max-procs: k|keep-order K L: \
     l|max-lines:? limit: latest-line|ll lb|line-buffer|linebuffer u|ungroup link xapply load: M|controlmaster m memfree: \
     memsuspend: minversion: n|max-args: N|max-replace-args: nonall onall open-tty o pipe|spreadstdin \
     pipe-part|pipepart plain plus process-slot-var: progress max-line-length-allowed number-of-cpus number-of-cores \
     number-of-sockets number-of-threads no-keep-order nice: p|interactive _parset: parens: J|profile: q|quote \
     r|no-run-if-empty noswap record-env recstart: recend: regexp|regex remove-rec-sep|removerecsep|rrs results|res: resume \
     resume-failed retry-failed retries: return: round-robin|round rpl: rsync-opts: s|max-chars: show-limits semaphore \
     semaphore-name|id: semaphore-timeout|st: seqreplace: session shard: shebang|hashbang shebang-wrap shell-completion: \
     shell-quote shuf skip-first-line sql: sql-master|sqlmaster: sql-and-worker|sqlandworker: sql-worker|sqlworker: ssh: \
     ssh-delay|sshdelay: S|sshlogin: sshloginfile|slf: slotreplace: silent template|tmpl: tty tag tagstring: tee \
     term-seq|termseq: total-jobs|total: tmpdir: tmux:? tmuxpane:? timeout: t|verbose transfer transferfile|tf: trc: trim: \
     ungroup unsafe use-cores-instead-of-threads use-cpus-instead-of-cores v V|version w|workdir|wd: wait X x|exit Y xargs \
     fast will-cite",
);

/// What stands between the command and its inputs.
const SEPARATORS: [&str; 4] = [":::", ":::+", "::::", "::::+"];

/// The placeholders for an input and parts of it.
const PLACES: [&str; 8] = ["{}", "{.}", "{/}", "{//}", "{/.}", "{1}", "{2}", "{3}"];

/// What stands for an input in text: a variable, so that reading it finds a word that is computed.
const INPUT: &str = "${input}";

fn read_parallel<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let mut scan = Scan::new(words, PARALLEL_OPTIONS);
    let mut places = PLACES.map(str::to_owned);
    while let Some(item) = scan.next() {
        match item {
            Item::Flag { name: "help" | "h" | "V" | "show-limits" | "minversion" | "record-env", .. } => return,
            // Perl code, or a program of its own.
            Item::Flag {
                name:
                    "rpl" | "filter" | "bin" | "shard" | "group-by" | "ssh" | "limit" | "J" | "compress-program"
                    | "decompress-program" | "embed" | "template",
                ..
            } => reading.opaque(),
            Item::Flag { name: "I" | "i", value: Some(value) } => match value.literal() {
                Some(place) => places[0] = place.into_owned(),
                None => reading.opaque(),
            },
            Item::Flag { name: "S" | "sshloginfile", .. } => reading.influence(Influence::Place),
            Item::Flag { name: "w", .. } => reading.influence(Influence::Directory),
            Item::Flag { .. } => {}
            Item::Operand(at) => return jobs(words.get(at..).unwrap_or_default(), scan.dashed(), &places, reading),
            Item::Unsure(at) => {
                let starts = scan.starts(at, 0);
                reading.starts_or_unseen(words, &starts);
                if let Some(rest) = starts.places.first().and_then(|start| words.get(*start..)) {
                    jobs(rest, true, &places, reading);
                }
                return;
            }
        }
    }
    reading.opaque();
}

/// A command up to a separator, and the inputs behind it.
fn jobs<'w>(words: &'w [Word], dashed: bool, places: &[String], reading: &mut Reading<'w>) {
    let separator = |word: &Word| Shape::of(word).known().is_some_and(|text| SEPARATORS.contains(&text));
    let end = words.iter().position(separator).unwrap_or(words.len());
    let (command, inputs) = words.split_at_checked(end).unwrap_or_default();
    if command.is_empty() {
        return inputs_as_commands(inputs, reading);
    }
    if dashed {
        // moreutils: `parallel -- TEXT…`.
        for text in command {
            reading.script_word(text, Dialect::Posix);
        }
    }
    reading.fed(Cow::Borrowed(command), Feed::Replace(places));
    reading.script_words(command, Dialect::Posix);
    let text: Option<Vec<_>> = command.iter().map(Word::literal).collect();
    if let Some(text) = text {
        reading.script(filled(&text.join(" "), places), Dialect::Posix);
    }
}

/// Every input is text of its own; what comes from input or a file is not visible.
fn inputs_as_commands(inputs: &[Word], reading: &mut Reading<'_>) {
    let (mut sources, mut visible, mut files) = (0, false, false);
    for word in inputs {
        match Shape::of(word).known() {
            Some(separator) if SEPARATORS.contains(&separator) => {
                sources += 1;
                files = separator.starts_with("::::");
            }
            Some(_) | None if files => reading.opaque(),
            Some(_) | None => {
                visible = true;
                reading.script_word(word, Dialect::Posix);
            }
        }
    }
    // Several sources are combined into one command each; none at all stands for the input.
    if !visible || sources > 1 {
        reading.opaque();
    }
}

fn filled(text: &str, places: &[String]) -> String {
    let places = places.iter().filter(|place| !place.is_empty());
    let replaced = places.fold(text.to_owned(), |text, place| text.replace(place, INPUT));
    if replaced == text { format!("{text} {INPUT}") } else { replaced }
}

/// The operands are text for a shell, with placeholders.
fn read_rush<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let mut scan = Scan::new(
        words,
        Options::first(
            "v|assign: j|jobs: i|infile: d|field-delimiter: D|record-delimiter: J|records-join-sep: n|nrecords: k|keep-order \
             c|continue C|succ-cmd-file: e|stop-on-error r|retries: retry-interval: t|timeout: T|trim: o|out-file: q|escape \
             Q|escape-symbols: s|immediate-output I|imm-output eta P|prefix: propagate-exit-code dry-run verbose \
             cleanup-time: V|version h|help",
        ),
    );
    while let Some(item) = scan.next() {
        match item {
            Item::Flag { name: "V" | "h", .. } => return,
            Item::Flag { .. } => {}
            Item::Operand(at) => {
                return jobs(words.get(at..).unwrap_or_default(), false, &PLACES.map(str::to_owned), reading);
            }
            Item::Unsure(at) => return reading.starts_or_unseen(words, &scan.starts(at, 0)),
        }
    }
    reading.opaque();
}

/// A command that is executed, or with `-s` text; without one the inputs are commands.
fn read_rust_parallel<'w>(words: &'w [Word], reading: &mut Reading<'w>) {
    let mut scan = Scan::new(
        words,
        Options::first(
            "d|discard-output: i|input-file: j|jobs: 0|null-separator p|progress-bar r|regex: s|shell t|timeout-seconds: \
             channel-capacity: disable-path-cache dry-run exit-on-error no-run-if-empty shell-path: shell-argument: h|help \
             V|version",
        ),
    );
    while let Some(item) = scan.next() {
        match item {
            Item::Flag { name: "V" | "h", .. } => return,
            Item::Flag { .. } => {}
            Item::Operand(at) => {
                return jobs(words.get(at..).unwrap_or_default(), false, &PLACES.map(str::to_owned), reading);
            }
            Item::Unsure(at) => return reading.starts_or_unseen(words, &scan.starts(at, 0)),
        }
    }
    reading.opaque();
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::check;

    #[rstest]
    #[case("parallel rm ::: a b", "rm | rm <> | $ rm | $ rm ${input}")]
    #[case("parallel -j4 rm -rf {} ::: a", "rm -rf {} | rm -rf <> | $ rm -rf {} | $ rm -rf ${input}")]
    #[case(
        "parallel 'rm {}; ls {.}' :::: list",
        "'rm {}; ls {.}' | 'rm <>; ls <>' | $ rm {}; ls {.} | $ rm ${input}; ls ${input}"
    )]
    #[case("parallel -I X rm X ::: a", "rm X | rm <> | $ rm X | $ rm ${input}")]
    #[case("parallel --replace=X rm X ::: a", "rm X | rm <> | $ rm X | $ rm ${input}")]
    #[case("parallel -i rm x", "rm x | x | ? | $ rm | $ x | rm x | rm x <> | $ rm x | $ rm x ${input}")]
    #[case("parallel --jobs 4 --bar rm", "rm | rm <> | $ rm | $ rm ${input}")]
    #[case("parallel --rpl '{x} s/a/b/' rm", "? | rm | rm <> | $ rm | $ rm ${input}")]
    #[case("rush -j 4 'rm {}'", "'rm {}' | 'rm <>' | $ rm {} | $ rm ${input}")]
    #[case("rust-parallel -j4 rm", "rm | rm <> | $ rm | $ rm ${input}")]
    fn parallel_runs_a_template_for_each_input(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }

    #[rstest]
    #[case("parallel", "?")]
    #[case("parallel ::: 'rm a' 'ls b'", "$ rm a | $ ls b")]
    #[case("parallel -j 2 :::: list", "?")]
    #[case("parallel ::: rm ls ::: x", "$ rm | $ ls | $ x | ?")]
    #[case("parallel :::", "?")]
    #[case("parallel -i -m", "?")]
    #[case("rush --frob", "?")]
    #[case(r#"parallel ::: "$x""#, "?")]
    #[case("parallel --version", "-")]
    #[case("rust-parallel", "?")]
    #[case(
        "parallel -j 3 -- 'rm a' 'ls b'",
        "$ rm a | $ ls b | 'rm a' 'ls b' | 'rm a' 'ls b' <> | $ rm a ls b | $ rm a ls b ${input}"
    )]
    fn without_a_template_the_inputs_are_commands(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }
}
