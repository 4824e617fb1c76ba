//! Environment variables that make programs load or run other code, or find other files.

mod table;

use innercmd_bash_units::{AssignedValue, Assignment, BashCommand, Part, Span, Word};

use table::{
    HARMLESS_COMMANDS,
    Kind::{Code, Command, Installed, Options},
    VARIABLES,
};

/// The manual that says why setting `name` to `value` changes what runs; none where it does not.
///
/// A value of none is not known.
pub(crate) fn loads_code(name: &str, value: Option<&str>) -> Option<&'static str> {
    let entry = VARIABLES.iter().rfind(|entry| entry.name.fits(name))?;
    let harmless = match (entry.kind, value) {
        (Code, _) | (_, None) => false,
        (Command, Some(value)) => HARMLESS_COMMANDS.contains(&value),
        (Installed, Some(value)) => !value.contains('/'),
        (Options(known), Some(value)) => value.split_whitespace().all(|option| is_harmless(option, known)),
    };
    (!harmless).then_some(entry.manual)
}

/// The same for an assignment.
pub(crate) fn assignment_loads_code(assignment: &Assignment) -> Option<&'static str> {
    match &assignment.value {
        AssignedValue::Scalar(word) => {
            let value = word.literal().filter(|_| !assignment.append && assignment.subscript.is_none());
            loads_code(&assignment.name, value.as_deref())
        }
        AssignedValue::Array(_) | AssignedValue::Each(_) | AssignedValue::Default(_) => {
            loads_code(&assignment.name, None)
        }
    }
}

/// The same for an assignment before the program of `unit`.
pub(crate) fn assigned_for(unit: &BashCommand, assignment: &Assignment) -> Option<&'static str> {
    let program = unit.words.first().and_then(Word::literal);
    // There the variable is for that builtin alone, and it runs nothing.
    let splits_input = matches!(program.as_deref(), Some("read" | "mapfile" | "readarray")) && assignment.name == "IFS";
    assignment_loads_code(assignment).filter(|_| !splits_input)
}

/// Builtins and programs whose arguments set variables, for the shell or for what they run.
const SETTING: [&str; 10] =
    ["export", "declare", "typeset", "readonly", "local", "env", "sudo", "doas", "unset", "setenv"];
/// Builtins whose arguments name variables that they assign.
const READING: [&str; 5] = ["read", "mapfile", "readarray", "getopts", "printf"];

/// The places in the arguments of a command that set variables which load code, each with the manual that says so.
pub(crate) fn set_by(words: &[Word]) -> Vec<(Span, &'static str)> {
    let Some((program, arguments)) = unprefixed(words) else { return vec![] };
    if SETTING.contains(&program.as_str()) {
        return arguments
            .iter()
            .filter_map(|word| word_loads_code(word, &program).map(|manual| (word.span, manual)))
            .collect();
    }
    if !READING.contains(&program.as_str()) {
        return vec![];
    }
    let names = if program == "printf" { printed_into(arguments) } else { arguments };
    let named = |word: &Word| Some((word.span, loads_code(plain_name(&word.literal()?), None)?));
    names.iter().filter_map(named).collect()
}

/// The arguments of `printf` up to the variable it prints into.
fn printed_into(arguments: &[Word]) -> &[Word] {
    let into = arguments.first().and_then(Word::literal).is_some_and(|option| option == "-v");
    if into { arguments.get(1..2).unwrap_or_default() } else { &[] }
}

/// The base name of the program and its arguments, behind `command` and `builtin`.
fn unprefixed(words: &[Word]) -> Option<(String, &[Word])> {
    let mut rest = words;
    loop {
        let (program, arguments) = rest.split_first()?;
        let program = program.literal()?;
        let base = program.rsplit('/').next().unwrap_or_default();
        if !matches!(base, "command" | "builtin") {
            return Some((base.to_owned(), arguments));
        }
        rest = arguments;
    }
}

/// The same for a word of the form `NAME=value` or `NAME` in the arguments of a program that sets variables.
fn word_loads_code(word: &Word, program: &str) -> Option<&'static str> {
    // Other programs take `NAME=value` only; a bare word is their program.
    let builtin = !matches!(program, "env" | "sudo" | "doas");
    match word.literal() {
        Some(text) => match text.split_once('=') {
            Some((name, value)) => loads_code(plain_name(name), Some(value).filter(|_| !name.ends_with('+'))),
            // Without a value the name is only marked; what it holds was assigned elsewhere.
            None => None,
        },
        None => {
            let known: String = word.parts.iter().map_while(known_text).collect();
            match known.split_once('=') {
                Some((name, _)) => loads_code(plain_name(name), None),
                None if builtin => Some("bash manual 4.2: the name is computed"),
                None => None,
            }
        }
    }
}

fn known_text(part: &Part) -> Option<&str> {
    match part {
        Part::Literal { text, .. } => Some(text.as_str()),
        Part::Hole { .. } => None,
    }
}

/// The name without `+` and a subscript.
fn plain_name(name: &str) -> &str {
    name.split(['[', '+']).next().unwrap_or_default()
}

/// Whether `option` is one of `known`: the same, or, for one that ends in `=`, or a short one before digits, with a value.
fn is_harmless(option: &str, known: &[&str]) -> bool {
    known.iter().any(|known| match option.strip_prefix(known) {
        Some("") => true,
        Some(value) => {
            known.ends_with('=') && value.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
                || *known == "-j" && value.chars().all(|c| c.is_ascii_digit())
        }
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[track_caller]
    fn check(assignment: &str, expected: bool) {
        let (name, value) = assignment.split_once('=').unwrap();
        assert_eq!(loads_code(name, Some(value)).is_some(), expected, "{assignment}");
    }

    #[rstest]
    #[case("PATH=/tmp:/bin", true)]
    #[case("LD_PRELOAD=x.so", true)]
    #[case("LD_ANYTHING=x", true)]
    #[case("PAGER=touch x", true)]
    #[case("PAGER=cat", false)]
    #[case("GIT_PAGER=", false)]
    #[case("GIT_EDITOR=true", false)]
    #[case("GIT_EDITOR=true; x", true)]
    #[case("NODE_OPTIONS=--max-old-space-size=4096", false)]
    #[case("NODE_OPTIONS=--max-old-space-size=4096 --require ./x.js", true)]
    #[case("NODE_OPTIONS=--max-old-space-size=4096,-r=x/y", true)]
    #[case("RUSTFLAGS=-D warnings", false)]
    #[case("RUSTFLAGS=-C linker=x", true)]
    #[case("MAKEFLAGS=-j8", false)]
    #[case("MAKEFLAGS=--eval=x", true)]
    #[case("RUSTUP_TOOLCHAIN=nightly", false)]
    #[case("RUSTUP_TOOLCHAIN=./x", true)]
    #[case("CC=clang", false)]
    #[case("CC=./x", true)]
    #[case("CARGO_TERM_COLOR=always", false)]
    #[case("CARGO_TARGET_DIR=/tmp/t", false)]
    #[case("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER=x", true)]
    #[case("GIT_CONFIG_COUNT=1", true)]
    #[case("GIT_TERMINAL_PROMPT=0", false)]
    #[case("CI=1", false)]
    #[case("NODE_ENV=test", false)]
    #[case("AWS_PROFILE=dev", false)]
    #[case("GH_TOKEN=x", false)]
    #[case("CGO_ENABLED=0", false)]
    #[case("MYPATH=x", false)]
    fn a_variable_is_ordinary_or_it_changes_what_runs(#[case] assignment: &str, #[case] expected: bool) {
        check(assignment, expected);
    }

    #[test]
    fn an_unknown_value_is_never_harmless() {
        assert!(loads_code("PAGER", None).is_some());
        assert!(loads_code("NODE_ENV", None).is_none());
    }

    #[test]
    fn every_entry_names_its_manual() {
        assert!(VARIABLES.iter().all(|entry| !entry.manual.is_empty()));
    }
}
