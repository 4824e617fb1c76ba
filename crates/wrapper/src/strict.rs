//! The strict grammar of ADR 0001: `timeout DURATION CMD…`.

use innercmd_bash_units::{Part, Word};

use crate::recognize::open;
use crate::shape::Shape;
use crate::{WrapperCode, registry};

/// The name of the only wrapper that the strict grammar licenses.
const NAME: &str = "timeout";

/// How many words stand before the inner command.
pub(crate) const OUTER_WORDS: usize = 2;

/// Why the words of a `timeout` do not follow the strict grammar, or none where they do.
///
/// The words do not show what stands between them: [`inner_offset`] reads that.
pub(crate) fn refusal(words: &[Word]) -> Option<WrapperCode> {
    let mut rest = words.iter();
    if rest.next().is_none_or(|name| plain(name) != Some(NAME)) {
        return Some(WrapperCode::NameNotPlain);
    }
    let Some(duration) = rest.next() else { return Some(WrapperCode::MissingCommand) };
    if Shape::of(duration).lead.starts_with('-') {
        return Some(WrapperCode::UnsupportedOption);
    }
    if !plain(duration).is_some_and(is_duration) {
        return Some(WrapperCode::UnsupportedDuration);
    }
    let Some(program) = rest.next() else { return Some(WrapperCode::MissingCommand) };
    inner_refusal(program, words.get(OUTER_WORDS..).unwrap_or_default())
}

/// The offset of the inner command in the text of a unit that has the form
/// `^timeout[ \t]+([1-9][0-9]*(?:\.[0-9]+)?[smhd]?)[ \t]+(.+)$` on one line (ADR 0001).
///
/// # Errors
/// The code of what it does not have.
pub(crate) fn inner_offset(text: &str) -> Result<usize, WrapperCode> {
    // The line terminators that `.` does not match where the reference link runs.
    if text.contains(['\n', '\r', '\u{2028}', '\u{2029}']) {
        return Err(WrapperCode::SeveralLines);
    }
    let behind_name = text.strip_prefix(NAME).ok_or(WrapperCode::NameNotPlain)?;
    let from_duration = skip_blanks(behind_name)?;
    let end = from_duration.find([' ', '\t']).ok_or(WrapperCode::UnsupportedSeparator)?;
    let (duration, behind_duration) = from_duration.split_at_checked(end).ok_or(WrapperCode::UnsupportedSeparator)?;
    if !is_duration(duration) {
        return Err(WrapperCode::UnsupportedDuration);
    }
    let inner = skip_blanks(behind_duration)?;
    if inner.is_empty() { Err(WrapperCode::MissingCommand) } else { Ok(text.len() - inner.len()) }
}

fn skip_blanks(text: &str) -> Result<&str, WrapperCode> {
    let rest = text.trim_start_matches([' ', '\t']);
    if rest.len() == text.len() { Err(WrapperCode::UnsupportedSeparator) } else { Ok(rest) }
}

/// The text of a word that was written exactly so: without quotes, continuations or expansions of any kind.
fn plain(word: &Word) -> Option<&str> {
    match word.parts.as_slice() {
        [Part::Literal { text, quoted: false }] if text.len() == word.span.len() => Some(text),
        _ => None,
    }
}

/// Whether the text is a positive number without leading zeros, with decimals perhaps, and a unit perhaps (GNU coreutils
/// manual, 23.5, without zero, leading zeros, exponents and `infinity`).
fn is_duration(text: &str) -> bool {
    let number = text.strip_suffix(['s', 'm', 'h', 'd']).unwrap_or(text);
    let (whole, decimals) = match number.split_once('.') {
        Some((whole, decimals)) => (whole, Some(decimals)),
        None => (number, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole) && !whole.starts_with('0') && decimals.is_none_or(digits)
}

fn inner_refusal(program: &Word, inner: &[Word]) -> Option<WrapperCode> {
    let shape = Shape::of(program);
    if is_assignment(&shape.lead) {
        return Some(WrapperCode::InnerAssignment);
    }
    if shape.lead.starts_with('-') {
        return Some(WrapperCode::InnerOption);
    }
    let Some(name) = shape.known() else { return Some(WrapperCode::InnerComputed) };
    if registry::named(program).is_some() && open(inner).is_some() {
        return Some(WrapperCode::NestedWrapper);
    }
    changes_meaning(name).then_some(WrapperCode::InnerBuiltin)
}

/// Whether a word that begins so would be an assignment at the place of a command (bash manual 3.4), perhaps without its quotes.
fn is_assignment(lead: &str) -> bool {
    let Some((target, _)) = lead.split_once('=') else { return false };
    let target = target.strip_suffix('+').unwrap_or(target);
    let name = target.split('[').next().unwrap_or(target);
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Whether the shell does something else for this name than start a program of this name.
///
/// These are the builtins (bash manual 4) and reserved words (3.2.1). A wrapper starts a program; unwrapped, `cd` would move the
/// shell, and what follows would be judged in another place. `echo` and its like are left out: as builtins they do what the programs
/// of their name do.
fn changes_meaning(name: &str) -> bool {
    const BUILTINS: &[&str] = &[
        ".",
        ":",
        "alias",
        "bg",
        "bind",
        "break",
        "builtin",
        "caller",
        "cd",
        "command",
        "compgen",
        "complete",
        "compopt",
        "continue",
        "declare",
        "dirs",
        "disown",
        "enable",
        "eval",
        "exec",
        "exit",
        "export",
        "fc",
        "fg",
        "getopts",
        "hash",
        "help",
        "history",
        "jobs",
        "let",
        "local",
        "logout",
        "mapfile",
        "popd",
        "pushd",
        "read",
        "readarray",
        "readonly",
        "return",
        "set",
        "shift",
        "shopt",
        "source",
        "suspend",
        "times",
        "trap",
        "type",
        "typeset",
        "ulimit",
        "umask",
        "unalias",
        "unset",
        "wait",
    ];
    const RESERVED: &[&str] = &[
        "!", "[[", "]]", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in",
        "select", "then", "time", "until", "while", "{", "}",
    ];
    // `%1` names a job (bash manual 7.1).
    BUILTINS.binary_search(&name).is_ok() || RESERVED.binary_search(&name).is_ok() || name.starts_with('%')
}
