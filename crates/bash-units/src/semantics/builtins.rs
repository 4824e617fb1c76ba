//! What builtins (bash manual 4) and shells do with their arguments that runs code no one listed.

use std::borrow::Cow;

use super::arithmetic::Variables;
use crate::{BashCommand, GapCode, HoleKind, Part, Word};

/// Shells, by base name.
const SHELLS: [&str; 12] = ["bash", "sh", "dash", "zsh", "ksh", "mksh", "ash", "fish", "rbash", "csh", "tcsh", "yash"];
/// Builtins that assign to the variables their arguments name.
const ASSIGNING: [&str; 13] = [
    "read", "mapfile", "readarray", "printf", "declare", "typeset", "local", "export", "readonly", "getopts", "let",
    "unset", "wait",
];
/// Builtins that this analysis, or a policy's, relies on meaning what bash means by them.
const RELIED_ON: [&str; 30] = [
    "cd", "pushd", "popd", "eval", "source", ".", "trap", "exec", "command", "builtin", "export", "declare", "typeset",
    "local", "readonly", "read", "mapfile", "readarray", "printf", "test", "[", "let", "set", "shopt", "alias",
    "unset", "getopts", "hash", "enable", "wait",
];

/// Whether a function of this name would change what the analysis reads.
pub(super) fn matters(name: &str) -> bool {
    RELIED_ON.contains(&name)
}

/// Why the unit may run more than its words say.
pub(super) fn gap(unit: &BashCommand) -> Option<GapCode> {
    let (program, arguments) = unit.words.split_first()?;
    let Some(name) = program_name(program) else { return Some(GapCode::DynamicCommand) };
    let base = name.rsplit('/').next().unwrap_or(&name);
    if SHELLS.contains(&base) {
        return reads_program(arguments).then_some(GapCode::ShellProgram);
    }
    match name.as_ref() {
        "eval" => Some(GapCode::EvaluatedText),
        "source" | "." => sourced(arguments),
        "mapfile" | "readarray" => {
            option(arguments, 'C').then_some(GapCode::EvaluatedText).or_else(|| names(operands(arguments, "dnOsuCc")))
        }
        "compgen" | "complete" | "compopt" | "bind" | "fc" => (!arguments.is_empty()).then_some(GapCode::EvaluatedText),
        "jobs" => option(arguments, 'x').then_some(GapCode::EvaluatedText),
        "enable" | "hash" => redefines(&name, arguments).then_some(GapCode::CommandRedefined),
        "alias" => None,
        "shopt" => changes_parsing(arguments).then_some(GapCode::ParsingChanged),
        "set" => sets_parsing(arguments).then_some(GapCode::ParsingChanged),
        "let" => None,
        "read" => names(operands(arguments, "dinNptu")),
        "getopts" => names(arguments.iter().skip(1).take(1)),
        "unset" => names(operands(arguments, "")),
        "printf" => names(option_value(arguments, "-v")),
        "wait" => names(option_value(arguments, "-p")),
        "declare" | "typeset" | "local" => declared(arguments, &['i', 'n']),
        "export" | "readonly" => declared(arguments, &[]),
        _ => None,
    }
}

/// The program of a word without holes but a tilde-prefix.
fn program_name(word: &Word) -> Option<Cow<'_, str>> {
    match word.parts.split_first() {
        Some((Part::Hole { kind: HoleKind::Tilde(_), .. }, rest)) => {
            let rest: Option<String> = rest
                .iter()
                .map(|part| match part {
                    Part::Literal { text, .. } => Some(text.as_str()),
                    Part::Hole { .. } => None,
                })
                .collect();
            Some(Cow::Owned(format!("~{}", rest?)))
        }
        _ => word.literal(),
    }
}

/// Whether a short option with this letter is among the arguments before the first operand.
fn option(arguments: &[Word], letter: char) -> bool {
    arguments
        .iter()
        .map(|word| word.literal())
        .take_while(|text| text.as_ref().is_none_or(|text| text.starts_with('-') && text != "--"))
        .any(|text| text.is_none_or(|text| !text.starts_with("--") && text.contains(letter)))
}

/// Whether a shell with these arguments runs a program that is no file named here.
fn reads_program(arguments: &[Word]) -> bool {
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        let Some(text) = word.literal() else { return true };
        match text.as_ref() {
            "--version" | "--help" => return false,
            "--rcfile" | "--init-file" => return true,
            "-o" | "+o" | "-O" | "+O" => {
                rest.next();
            }
            "--" => return rest.next().is_none_or(is_computed_file),
            "-" => return true,
            _ if text.starts_with("--") => {}
            _ if text.starts_with(['-', '+']) => {
                if text.contains(['c', 's', 'i']) {
                    return true;
                }
            }
            _ => return is_computed_file(word),
        }
    }
    true
}

/// Whether the file a shell reads its program from is not known, or is no file of its own.
fn is_computed_file(word: &Word) -> bool {
    match program_name(word) {
        Some(path) => path.starts_with("/dev/") || path.starts_with("/proc/"),
        None => true,
    }
}

fn sourced(arguments: &[Word]) -> Option<GapCode> {
    let file = arguments.iter().find(|word| word.literal().as_deref() != Some("--"));
    let computed = file.is_none_or(is_computed_file) || file.and_then(Word::literal).as_deref() == Some("-");
    computed.then_some(GapCode::ShellProgram)
}

/// Variable names a builtin assigns: a subscript in one is evaluated, and a computed one may hold a subscript.
fn names<'w>(mut words: impl Iterator<Item = &'w Word>) -> Option<GapCode> {
    words
        .any(|word| {
            word.literal().is_none_or(|text| text.contains('[') || super::INTEGER_VARIABLES.contains(&text.as_ref()))
        })
        .then_some(GapCode::ValueExecuted)
}

/// The arguments that are no options and no values of the options in `valued`; what is computed counts as an operand.
fn operands<'w>(arguments: &'w [Word], valued: &'static str) -> impl Iterator<Item = &'w Word> {
    let mut options = true;
    let mut value = false;
    arguments.iter().filter(move |word| {
        if std::mem::take(&mut value) {
            return false;
        }
        let literal = word.literal();
        let option = literal.as_deref().filter(|text| options && text.len() > 1 && text.starts_with('-'));
        options &= option.is_some_and(|text| text != "--");
        value = option.is_some_and(|text| text.ends_with(|letter| valued.contains(letter)));
        option.is_none()
    })
}

/// The value of the first option, where it is `flag` and stands apart or glued to it; a computed option counts.
fn option_value<'w>(arguments: &'w [Word], flag: &'static str) -> impl Iterator<Item = &'w Word> {
    let mut words = arguments.iter();
    let first = words.next();
    let value = match first.and_then(Word::literal) {
        Some(text) if text == flag => words.next(),
        Some(text) if text.starts_with(flag) => first,
        Some(_) => None,
        None => first.filter(|word| matches!(word.parts.first(), Some(Part::Hole { .. })) && arguments.len() > 1),
    };
    value.into_iter()
}

/// Declarations: of the `evaluating` options `-i` evaluates what is assigned and `-n` names another variable; a computed
/// word may name any.
fn declared(arguments: &[Word], evaluating: &[char]) -> Option<GapCode> {
    for word in arguments {
        let Some(Part::Literal { text, quoted }) = word.parts.first() else { return Some(GapCode::ValueExecuted) };
        if text.starts_with(['-', '+']) {
            if text.contains(evaluating) || (word.parts.len() > 1 && !quoted) {
                return Some(GapCode::ValueExecuted);
            }
            continue;
        }
        let (name, assigns) = text.split_once('=').map_or((text.as_str(), false), |(name, _)| (name, true));
        let name = name.strip_suffix('+').unwrap_or(name);
        if name.contains('[') || (!assigns && word.parts.len() > 1) {
            return Some(GapCode::ValueExecuted);
        }
        if assigns && (super::EXECUTED_VARIABLES.contains(&name) || super::INTEGER_VARIABLES.contains(&name)) {
            return Some(GapCode::ValueExecuted);
        }
        if super::NAMING_VARIABLES.contains(&name) {
            return Some(GapCode::CommandRedefined);
        }
    }
    None
}

fn redefines(builtin: &str, arguments: &[Word]) -> bool {
    match builtin {
        "hash" => option(arguments, 'p'),
        _ => arguments.iter().any(|word| !matches!(word.literal().as_deref(), Some("-a" | "-p" | "-s"))),
    }
}

/// `shopt` options (bash manual 4.3.2) that change how the rest of the text is read.
fn changes_parsing(arguments: &[Word]) -> bool {
    const PARSING: [&str; 8] = [
        "expand_aliases", "extglob", "extquote", "interactive_comments", "force_fignore", "compat31", "sourcepath",
        "array_expand_once",
    ];
    let sets = option(arguments, 's') || option(arguments, 'u');
    sets && arguments
        .iter()
        .any(|word| word.literal().is_none_or(|text| PARSING.contains(&text.as_ref()) || text.starts_with("compat")))
}

/// `set` options (bash manual 4.3.1) that change how the rest of the text is read.
fn sets_parsing(arguments: &[Word]) -> bool {
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        let Some(text) = word.literal() else { return true };
        if text == "--" || text == "-" || !text.starts_with(['-', '+']) {
            return false;
        }
        if text.contains(['k', 'B', 'H', 'r']) {
            return true;
        }
        if text.ends_with('o') {
            let option = rest.next().map(Word::literal);
            match option {
                None => return false,
                Some(Some(name))
                    if !matches!(name.as_ref(), "posix" | "keyword" | "braceexpand" | "histexpand" | "restricted") => {}
                Some(_) => return true,
            }
        }
    }
    false
}

/// What a unit assigns through its arguments.
pub(super) enum Assigned<'u> {
    Nothing,
    Anything,
    Words { words: &'u [Word], associative: bool },
}

pub(super) fn assigned_words(unit: &BashCommand) -> Assigned<'_> {
    let Some((program, arguments)) = unit.words.split_first() else { return Assigned::Nothing };
    match program.literal().as_deref() {
        Some("eval" | "source" | ".") | None => Assigned::Anything,
        Some(name) if ASSIGNING.contains(&name) => {
            Assigned::Words { words: arguments, associative: option(arguments, 'A') }
        }
        Some(_) => Assigned::Nothing,
    }
}

/// Whether the unit evaluates its arguments as conditions or expressions.
pub(super) fn tests_variables(unit: &BashCommand) -> bool {
    matches!(unit.words.first().and_then(Word::literal).as_deref(), Some("[" | "test" | "let"))
}

/// Whether no word of the conditions can become `-v` with a subscript, and every expression is known.
pub(super) fn test_is_plain(source: &str, unit: &BashCommand, variables: &Variables) -> bool {
    let Some((program, arguments)) = unit.words.split_first() else { return true };
    if program.literal().as_deref() == Some("let") {
        return arguments
            .iter()
            .all(|word| word.literal().is_some_and(|text| !text.contains('[')) && variables.decide(source, word.span));
    }
    let operands = match arguments.split_last() {
        Some((last, operands)) if last.literal().as_deref() == Some("]") => operands,
        _ => arguments,
    };
    let splits = |word: &Word| {
        let hole = |part: &Part| match part {
            Part::Hole { kind: HoleKind::Glob | HoleKind::Tilde(_) | HoleKind::Arithmetic, .. }
            | Part::Literal { .. } => false,
            Part::Hole { quoted, .. } => !quoted,
        };
        word.parts.iter().any(hole) && !variables.decide(source, word.span)
    };
    let unary = |pair: &[Word]| match pair {
        [operator, operand] => {
            matches!(operator.literal().as_deref(), Some("-v" | "-R"))
                && operand.literal().is_none_or(|text| text.contains('['))
        }
        _ => false,
    };
    let computed_unary = operands.len() == 2 && operands.first().is_some_and(|word| word.literal().is_none());
    !operands.iter().any(splits) && !operands.windows(2).any(unary) && !computed_unary
}
