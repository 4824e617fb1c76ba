//! What builtins (bash manual 4) and shells do with their arguments that runs code no one listed.

use std::borrow::Cow;

use super::arithmetic::Variables;
use crate::{BashCommand, Context, GapCode, HoleKind, Joined, Part, Word};

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
            let callback = Options::of(arguments, "dnOsuCc").has('C');
            callback.then_some(GapCode::EvaluatedText).or_else(|| assigning(arguments, "dnOsuCc", &[], true))
        }
        "compgen" | "complete" | "compopt" | "bind" | "fc" => (!arguments.is_empty()).then_some(GapCode::EvaluatedText),
        "jobs" => option(arguments, 'x').then_some(GapCode::EvaluatedText),
        "enable" | "hash" => redefines(&name, arguments).then_some(GapCode::CommandRedefined),
        "alias" => None,
        "shopt" => changes_parsing(arguments).then_some(GapCode::ParsingChanged),
        "set" => sets_parsing(arguments).then_some(GapCode::ParsingChanged),
        "let" => None,
        "read" => assigning(arguments, "adinNptu", &['a'], true),
        "getopts" => names(arguments.get(1..2).unwrap_or_default()),
        "unset" => assigning(arguments, "", &[], true),
        "printf" => assigning(arguments, "v", &['v'], false),
        "wait" => assigning(arguments, "p", &['p'], false),
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

/// The arguments of a builtin as `getopts` reads them: clusters of letters, of which those in `valued` take a value.
struct Options<'w> {
    /// Each option, with its value where it takes one: a word of its own, or the rest of the cluster.
    options: Vec<(char, Option<Cow<'w, str>>)>,
    operands: &'w [Word],
    /// Whether a computed word stands where an option may.
    computed: bool,
}

impl<'w> Options<'w> {
    fn of(arguments: &'w [Word], valued: &str) -> Self {
        let mut parsed = Self { options: Vec::new(), operands: arguments, computed: false };
        while let Some((word, rest)) = parsed.operands.split_first() {
            let Some(text) = word.literal() else {
                // A word that starts with known text other than a dash is an operand.
                let starts = word.parts.first().is_none_or(|part| match part {
                    Part::Literal { text, .. } => text.starts_with('-'),
                    Part::Hole { kind: HoleKind::Tilde(_), .. } => false,
                    Part::Hole { .. } => true,
                });
                parsed.computed = starts;
                return parsed;
            };
            if text.len() < 2 || !text.starts_with(['-', '+']) {
                return parsed;
            }
            parsed.operands = rest;
            if text == "--" {
                return parsed;
            }
            let mut letters = text.get(1..).unwrap_or_default().chars();
            while let Some(letter) = letters.next() {
                let value = valued.contains(letter).then(|| letters.as_str().to_owned());
                let Some(glued) = value else {
                    parsed.options.push((letter, None));
                    continue;
                };
                let value = if glued.is_empty() {
                    let value = parsed.operands.first().and_then(Word::literal);
                    parsed.computed |= value.is_none() && !parsed.operands.is_empty();
                    parsed.operands = parsed.operands.get(1..).unwrap_or_default();
                    value
                } else {
                    Some(Cow::Owned(glued))
                };
                parsed.options.push((letter, value));
                break;
            }
        }
        parsed
    }

    fn has(&self, letter: char) -> bool {
        self.computed || self.options.iter().any(|(option, _)| *option == letter)
    }

    fn values(&self, letter: char) -> impl Iterator<Item = &str> {
        self.options.iter().filter(move |(option, _)| *option == letter).filter_map(|(_, value)| value.as_deref())
    }
}

/// Whether a short option with this letter is among the arguments before the first operand.
fn option(arguments: &[Word], letter: char) -> bool {
    Options::of(arguments, "").has(letter)
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
    let Some(path) = program_name(word) else { return true };
    let mut parts = path.split('/').filter(|part| !matches!(*part, "" | "."));
    let special =
        |part: &str| matches!(part, "dev" | "proc" | "stdin" | "fd") || part.bytes().all(|byte| byte.is_ascii_digit());
    parts.any(special)
}

fn sourced(arguments: &[Word]) -> Option<GapCode> {
    let file = arguments.iter().find(|word| word.literal().as_deref() != Some("--"));
    let computed = file.is_none_or(is_computed_file) || file.and_then(Word::literal).as_deref() == Some("-");
    computed.then_some(GapCode::ShellProgram)
}

/// Why a builtin that assigns to the variable named runs more than it says: a subscript is evaluated, and some names are special.
fn name(text: &str) -> Option<GapCode> {
    if text.contains('[') || super::INTEGER_VARIABLES.contains(&text) {
        return Some(GapCode::ValueExecuted);
    }
    super::name_gap(text)
}

/// The same for operands; a computed one may be any name.
fn names(words: &[Word]) -> Option<GapCode> {
    words.iter().find_map(|word| match word.literal() {
        Some(text) => name(&text),
        None => Some(GapCode::ValueExecuted),
    })
}

/// The same for a builtin that assigns to its operands and to the values of the options in `naming`.
fn assigning(arguments: &[Word], valued: &str, naming: &[char], operands: bool) -> Option<GapCode> {
    let options = Options::of(arguments, valued);
    if options.computed && (operands || arguments.len() > 1 || is_unquoted(arguments)) {
        return Some(GapCode::ValueExecuted);
    }
    let named = naming.iter().find_map(|letter| options.values(*letter).find_map(name));
    named.or_else(|| operands.then(|| names(options.operands)).flatten())
}

/// Whether one of the words may become several.
fn is_unquoted(words: &[Word]) -> bool {
    words.iter().flat_map(|word| &word.parts).any(|part| matches!(part, Part::Hole { quoted: false, .. }))
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
        // A value in parentheses is read once more, as an array, also where it is quoted.
        let list = text.split_once('=').is_some_and(|(_, value)| value.starts_with('('));
        if list && (*quoted || word.parts.len() < 2) {
            return Some(GapCode::ValueExecuted);
        }
        if assigns && super::INTEGER_VARIABLES.contains(&name) {
            return Some(GapCode::ValueExecuted);
        }
        if let Some(code) = super::name_gap(name) {
            return Some(code);
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
    let options = Options::of(arguments, "");
    let changes = |text: &str| PARSING.contains(&text) || text.starts_with("compat") || SET_OPTIONS.contains(&text);
    (options.has('s') || options.has('u'))
        && options.operands.iter().any(|word| word.literal().is_none_or(|text| changes(&text)))
}

/// Long names of `set` options that change how the rest of the text is read; `shopt -o` takes them too.
const SET_OPTIONS: [&str; 5] = ["posix", "keyword", "braceexpand", "histexpand", "restricted"];

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
        if text.contains('o') {
            match rest.next().map(Word::literal) {
                None => return false,
                Some(Some(name)) if !SET_OPTIONS.contains(&name.as_ref()) => {}
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
            let declares = matches!(name, "declare" | "typeset" | "local");
            let everywhere = unit.context == Context::TopLevel && unit.joined == Joined::Always && !unit.detached;
            let associative = declares && everywhere && option(arguments, 'A');
            Assigned::Words { words: arguments, associative }
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
        let special = |text: &str| Variables::assigned(text).find_map(super::name_gap).is_some();
        let plain = |text: Cow<'_, str>| !text.contains('[') && !special(&text);
        return arguments.iter().all(|word| word.literal().is_some_and(plain) && variables.decide(source, word.span));
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
    // A computed word may be `-v` as well, and one behind it may hold a subscript.
    let unary = |pair: &[Word]| match pair {
        [operator, operand] => {
            operator.literal().is_none_or(|text| matches!(text.as_ref(), "-v" | "-R"))
                && operand.literal().is_none_or(|text| text.contains('['))
        }
        _ => false,
    };
    !operands.iter().any(splits) && !operands.windows(2).any(unary)
}
