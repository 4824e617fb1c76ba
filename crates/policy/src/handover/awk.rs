//! What awk programs run and write (POSIX awk; GNU awk manual: system, pipes, redirection, indirect calls).

use super::argument::{Argument, HOLE};
use super::options::{Found, Options, Style};
use super::programs::describe;
use super::{is_given_first, is_unseen_file};

const MANUAL: &str = "GNU awk manual: system, pipes and redirection of output";

/// The options that take a value, and those that load code, run what a file holds, or write one (gawk(1), mawk(1)).
const OPTIONS: Options = Options {
    style: Style::Clusters,
    table: "F|field-separator: v|assign: W: e|source:? f|file:? E|exec:? i|include:! l|load:! d|dump-variables::! D|debug::! \
        o|pretty-print::! p|profile::!",
    judge: |name, value| match name {
        "e" => program_runs(value),
        _ => is_unseen_file(value),
    },
};

pub(super) fn hands_over(arguments: &[Argument<'_>]) -> Option<String> {
    // The options end at the first operand: the program, unless an option has given it.
    match OPTIONS.find(arguments, |_| true)? {
        Found::Operand(operand) => (!is_given(arguments) && program_runs(operand.text())).then(|| MANUAL.to_owned()),
        Found::Option("e") => Some(MANUAL.to_owned()),
        found @ (Found::Option(_) | Found::Doubt) => Some(describe("GNU awk manual", found)),
    }
}

/// Whether an option certainly gives the program.
fn is_given(arguments: &[Argument<'_>]) -> bool {
    let plain = |text: &str| match text {
        "-F" | "-v" => Some(2),
        _ => (text.starts_with("-F") || text.starts_with("-v")).then_some(1),
    };
    let gives = |text: &str| {
        let name = text.split('=').next().unwrap_or_default();
        text.starts_with("-f")
            || text.starts_with("-E")
            || text.starts_with("-e")
            || name.len() > 3 && ["--file", "--exec", "--source"].iter().any(|option| option.starts_with(name))
    };
    is_given_first(arguments, plain, gives)
}

/// Whether a program calls `system`, pipes, writes files, or calls by computed name.
///
/// A part that is not known may be any of these.
fn program_runs(text: &str) -> bool {
    if text.contains(HOLE) {
        return true;
    }
    // In case a division is mistaken for a regular expression, which would hide the call.
    if text.match_indices("system").any(|(at, name)| {
        text.get(at.saturating_add(name.len())..).is_some_and(|behind| behind.trim_start().starts_with('('))
    }) && !only_in_strings(text)
    {
        return true;
    }
    let mut chars = text.chars().peekable();
    // Whether a slash would divide, and not begin a regular expression.
    let mut divides = false;
    let mut printing = false;
    let mut depth = 0_usize;
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                skip_quoted(&mut chars, '"');
                divides = true;
            }
            '/' if !divides => {
                skip_quoted(&mut chars, '/');
                divides = true;
            }
            '#' => while chars.next_if(|c| *c != '\n').is_some() {},
            '@' => return true,
            '|' if chars.next_if_eq(&'|').is_some() => divides = false,
            '|' => return true,
            '>' if printing && depth == 0 => return true,
            '(' | '[' => {
                depth = depth.saturating_add(1);
                divides = false;
            }
            ')' | ']' => {
                depth = depth.saturating_sub(1);
                divides = true;
            }
            ';' | '\n' | '}' | '{' => {
                (printing, divides, depth) = (false, false, 0);
            }
            c if c.is_ascii_alphabetic() || c == '_' => {
                let mut name = String::from(c);
                while let Some(c) = chars.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
                    name.push(c);
                }
                match name.as_str() {
                    "system" => return true,
                    "print" | "printf" => (printing, divides) = (true, false),
                    "in" | "return" | "else" | "do" | "case" => divides = false,
                    _ => divides = true,
                }
            }
            c if c.is_whitespace() => {}
            c => divides = c.is_ascii_digit() || matches!(c, '$' | '.') && divides,
        }
    }
    false
}

/// Whether `system` is named in strings only.
fn only_in_strings(text: &str) -> bool {
    let mut outside = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => skip_quoted(&mut chars, '"'),
            '\\' => drop(chars.next()),
            c => outside.push(c),
        }
    }
    !outside.contains("system")
}

/// Moves behind the next `quote` that is not escaped.
fn skip_quoted(chars: &mut impl Iterator<Item = char>, quote: char) {
    while let Some(c) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            _ if c == quote => return,
            _ => {}
        }
    }
}
