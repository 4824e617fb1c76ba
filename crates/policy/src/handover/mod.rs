//! Programs that run something else when their arguments say so, or write files that no operand names.
//!
//! A rule that allows such a program was hardly meant to allow whatever it can be told to run. Interpreters are another matter:
//! running what they are given is all they do, and who allows `python3 *` means it.
//!
//! An argument that is known only at run time counts as the worst that it may be: an option that hands something over, unless
//! `--` stands before it or what is known of it says otherwise. What the text itself assigns to a variable is known.

mod argument;
mod awk;
mod git;
mod git_config;
mod options;
mod programs;
mod sed;

use innercmd_bash_units::{PathText, Word};

use argument::{Argument, HOLE};

/// How many combinations of the values that variables may have are looked at, times the number of arguments.
const MOST_WORK: usize = 4096;

/// The manual by which a command of these words hands something over to be run, or to be written unseen; none where it does not.
///
/// `spellings` tells what a word may be after expansion.
pub(crate) fn handover(words: &[Word], spellings: impl Fn(&Word) -> Vec<PathText>) -> Option<String> {
    let (name, words) = program(words)?;
    let reader = Reader::of(&name)?;
    let known: Option<Vec<Argument<'_>>> = words.iter().map(Argument::known_of).collect();
    if let Some(arguments) = known {
        return reader.hands_over(&arguments);
    }
    let choices: Vec<Vec<Argument<'_>>> = words.iter().map(|word| choices(word, &spellings)).collect();
    let combinations = choices.iter().map(Vec::len).try_fold(1_usize, |all, each| all.checked_mul(each));
    match combinations.filter(|all| *all == 1 || all.saturating_mul(words.len()) <= MOST_WORK) {
        Some(combinations) => (0..combinations).find_map(|number| reader.hands_over(&combination(&choices, number))),
        None => reader.hands_over(&choices.into_iter().map(only).collect::<Vec<_>>()),
    }
}

/// The arguments that a word may be.
fn choices<'w>(word: &'w Word, spellings: &impl Fn(&Word) -> Vec<PathText>) -> Vec<Argument<'w>> {
    match Argument::known_of(word) {
        Some(argument) => vec![argument],
        None => {
            let mut found: Vec<Argument<'w>> = vec![];
            for spelling in spellings(word) {
                let argument = Argument::of(word, &spelling);
                if !found.contains(&argument) {
                    found.push(argument);
                }
            }
            found
        }
    }
}

/// The only choice, where there is no other.
fn only(mut choices: Vec<Argument<'_>>) -> Argument<'_> {
    match (choices.pop(), choices.is_empty()) {
        (Some(only), true) => only,
        (Some(_) | None, _) => Argument::UNKNOWN,
    }
}

/// The combination of this number: one choice for each word.
fn combination<'w>(choices: &[Vec<Argument<'w>>], number: usize) -> Vec<Argument<'w>> {
    let mut left = number;
    let mut arguments = Vec::with_capacity(choices.len());
    for choices in choices {
        let count = choices.len().max(1);
        arguments.extend(choices.get(left % count).cloned());
        left /= count;
    }
    arguments
}

/// What reads the arguments of a program.
enum Reader {
    Git,
    Sed,
    Awk,
    Table(&'static programs::Program),
}

impl Reader {
    fn of(name: &str) -> Option<Self> {
        match name {
            "git" => Some(Self::Git),
            "sed" | "gsed" => Some(Self::Sed),
            "awk" | "gawk" | "mawk" | "nawk" | "original-awk" => Some(Self::Awk),
            name => programs::program(name).map(Self::Table),
        }
    }

    fn hands_over(&self, arguments: &[Argument<'_>]) -> Option<String> {
        match self {
            Self::Git => git::hands_over(arguments),
            Self::Sed => sed::hands_over(arguments),
            Self::Awk => awk::hands_over(arguments),
            Self::Table(program) => program.hands_over(arguments),
        }
    }
}

/// The base name of the program and its arguments, behind the builtins that only run another command.
fn program(words: &[Word]) -> Option<(String, &[Word])> {
    let mut rest = words;
    loop {
        let (program, arguments) = rest.split_first()?;
        let program = program.literal()?;
        let base = program.rsplit('/').next().unwrap_or_default();
        if !matches!(base, "command" | "builtin" | "exec") {
            return Some((base.to_owned(), arguments));
        }
        rest = arguments;
    }
}

/// Whether the first argument that `plain` does not pass over is one that `gives` a script or program, so that no operand does.
///
/// `plain` says how many arguments a harmless option is, with its value.
fn is_given_first(
    arguments: &[Argument<'_>],
    plain: impl Fn(&str) -> Option<usize>,
    gives: impl Fn(&str) -> bool,
) -> bool {
    let mut rest = arguments;
    loop {
        let Some(first) = rest.first().and_then(Argument::known) else { return false };
        match plain(first) {
            Some(length) => rest = rest.get(length.max(1)..).unwrap_or_default(),
            None => return gives(first),
        }
    }
}

/// Whether a file of code is not one of the files that a rule could name: the input, or a descriptor.
fn is_unseen_file(name: &str) -> bool {
    name == "-" || name.contains(HOLE) || name.starts_with("/dev/") || name.starts_with("/proc/")
}

#[cfg(test)]
mod tests;
