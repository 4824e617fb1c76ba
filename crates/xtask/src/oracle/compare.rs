//! Compares what bash executes with the units of `innercmd-bash-units`.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::catch_unwind;

use innercmd_bash_units::{BashProgram, Gap, GapCode, Limits};
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use serde_json::json;

use super::effects::{lists_assignment, lists_redirect};
use super::matching::Units;
use super::{Error, Oracle, Reading};

/// How many texts are read before the next progress line.
const BATCH: usize = 5000;

/// What came of one text.
enum Outcome {
    /// The units are everything that bash executed.
    Complete,
    /// Gaps are admitted.
    Gaps(Vec<Gap>),
    /// Bash rejects the text, and no gap says so; nothing is hidden.
    Unflagged,
    /// Without a gap, bash executed what is no unit.
    Hidden(Vec<Hidden>),
    /// The analysis panicked.
    Panicked,
}

/// A command that bash executed and that is no unit.
struct Hidden {
    words: Vec<String>,
    reading: &'static str,
}

/// The sums over a corpus.
#[derive(Default)]
pub(super) struct Report {
    texts: usize,
    /// The texts that bash parses.
    valid: usize,
    /// Of the valid ones, those without a gap.
    complete: usize,
    /// Texts that bash rejects and no gap mentions.
    unflagged: usize,
    /// Texts whose reading hit a limit, by reason.
    limited: BTreeMap<&'static str, usize>,
    /// Of the valid ones, those that were read to their end: what their gaps name is known only at run time.
    read: usize,
    /// Valid texts by gap code; a text counts once for each of its codes.
    gaps: BTreeMap<GapCode, usize>,
    /// JSON lines: the valid texts with gaps.
    pub(super) listed: String,
    /// The texts with something hidden.
    hidden: usize,
    /// Panics of the analysis.
    panics: usize,
}

impl Report {
    /// Whether nothing is hidden.
    pub(super) fn is_clean(&self) -> bool {
        self.hidden == 0 && self.panics == 0
    }

    fn add(&mut self, text: &str, reading: &Reading, outcome: &Outcome) {
        let valid = reading.walk.valid;
        self.texts += 1;
        self.valid += usize::from(valid);
        for reason in reading.walk.ended.and(reading.runs.ended).reasons() {
            *self.limited.entry(reason).or_default() += 1;
        }
        match outcome {
            Outcome::Complete => self.complete += usize::from(valid),
            Outcome::Gaps(gaps) if valid => {
                let codes: BTreeSet<GapCode> = gaps.iter().map(|gap| gap.code).collect();
                self.read += usize::from(codes.iter().all(|code| is_dynamic(*code)));
                for code in codes {
                    *self.gaps.entry(code).or_default() += 1;
                }
                let places: Vec<_> =
                    gaps.iter().map(|gap| json!({ "code": gap.code.code(), "text": gap.span.of(text) })).collect();
                self.listed.push_str(&format!("{}\n", json!({ "command": text, "gaps": places })));
            }
            Outcome::Gaps(_) => {}
            Outcome::Unflagged => {
                self.unflagged += 1;
                println!("{}", json!({ "unflagged": text }));
            }
            Outcome::Hidden(commands) => {
                self.hidden += 1;
                let commands: Vec<_> =
                    commands.iter().map(|hidden| json!({ "words": hidden.words, "reading": hidden.reading })).collect();
                println!("{}", json!({ "HIDDEN": text, "commands": commands }));
            }
            Outcome::Panicked => {
                self.panics += 1;
                println!("{}", json!({ "PANIC": text }));
            }
        }
    }

    /// Prints the sums.
    pub(super) fn print(&self, corpus: &str) {
        let Self { texts, valid, complete, unflagged, hidden, panics, .. } = self;
        println!("corpus {corpus}: {texts} texts, {valid} of them valid");
        println!("  without a gap  {complete} of the valid texts ({})", percent(*complete, *valid));
        println!("  with gaps that only execution can close {} ({})", self.read, percent(self.read, *valid));
        let unread = valid.saturating_sub(complete + self.read);
        println!("  with another gap, in what could not be read {unread} ({})", percent(unread, *valid));
        for (code, count) in &self.gaps {
            println!("  {:30} {count:6}  {}", code.code(), percent(*count, *valid));
        }
        for (reason, count) in &self.limited {
            println!("  reading cut short: {reason:11} {count:6}");
        }
        println!("  rejected by bash without a gap {unflagged}");
        println!("  HIDDEN {hidden}, panics {panics}");
    }
}

/// Whether a gap is about a value and not about the text: what runs there is known only at run time.
fn is_dynamic(code: GapCode) -> bool {
    use GapCode::{
        CommandRedefined, DynamicArithmetic, DynamicCommand, EvaluatedText, ParsingChanged, ShellProgram, ValueExecuted,
    };
    [DynamicCommand, EvaluatedText, ShellProgram, ValueExecuted, DynamicArithmetic, CommandRedefined, ParsingChanged]
        .contains(&code)
}

fn percent(part: usize, whole: usize) -> String {
    let thousandths = part * 1000 / whole.max(1);
    format!("{}.{} %", thousandths / 10, thousandths % 10)
}

/// Compares every text; prints each hidden command.
///
/// # Errors
/// An oracle that cannot be asked.
pub(super) fn compare(oracle: &Oracle, texts: &[String]) -> Result<Report, Error> {
    let mut report = Report::default();
    for batch in texts.chunks(BATCH) {
        let batch: Vec<&str> = batch.iter().map(String::as_str).collect();
        let readings = oracle.executes(&batch)?;
        let outcomes: Vec<Outcome> =
            batch.par_iter().zip(&readings).map(|(text, reading)| outcome(text, reading)).collect();
        for ((text, reading), outcome) in batch.iter().zip(&readings).zip(&outcomes) {
            report.add(text, reading, outcome);
        }
        if texts.len() > BATCH {
            eprintln!("oracle: {} of {} texts", report.texts, texts.len());
        }
    }
    Ok(report)
}

fn outcome(text: &str, reading: &Reading) -> Outcome {
    let Ok(program) = catch_unwind(|| BashProgram::parse(text, &Limits::default())) else { return Outcome::Panicked };
    if !program.gaps().is_empty() {
        return Outcome::Gaps(program.gaps().to_vec());
    }
    let units = Units::of(&program);
    let walked = reading.walk.commands.iter().filter(|command| !units.list_walked(command));
    let started = reading.runs.execs.iter().filter(|argv| !units.lists(argv));
    let hidden: Vec<Hidden> = walked
        .map(|command| Hidden { words: command.words.clone(), reading: "static" })
        .chain(started.map(|argv| Hidden { words: argv.clone(), reading: "dynamic" }))
        .chain(hidden_effects(&program, reading))
        .collect();
    if !hidden.is_empty() {
        Outcome::Hidden(hidden)
    } else if reading.walk.valid {
        Outcome::Complete
    } else {
        Outcome::Unflagged
    }
}

/// The assignments and redirections that bash executed and the program does not list.
fn hidden_effects(program: &BashProgram, reading: &Reading) -> Vec<Hidden> {
    let assignments = reading.walk.assignments.iter().filter(|word| !lists_assignment(program, word));
    let redirects = reading.walk.redirects.iter().filter(|redirect| !lists_redirect(program, redirect));
    assignments
        .map(|word| Hidden { words: vec![word.clone()], reading: "assignment" })
        .chain(redirects.map(|redirect| Hidden {
            words: [&redirect.operator, &redirect.target].into_iter().chain(&redirect.body).cloned().collect(),
            reading: "redirection",
        }))
        .collect()
}
