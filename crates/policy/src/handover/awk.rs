//! What awk programs run and write (POSIX awk; GNU awk manual: system, pipes, redirection, indirect calls).

use innercmd_bash_units::Word;

use super::{is_long, known, script};

const MANUAL: &str = "GNU awk manual: system, pipes and redirection of output";

pub(super) fn hands_over(arguments: &[Word]) -> Option<&'static str> {
    let (mut from_file, mut given) = (false, false);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = known(word);
        let option = text.as_ref();
        let glued = option.get(2..).unwrap_or_default();
        match option {
            "--" if from_file || given => return None,
            "--" => return words.next().is_some_and(word_runs).then_some(MANUAL),
            _ if option.starts_with("-i")
                || option.starts_with("-l")
                || is_long(option, "--load", 4)
                || is_long(option, "--include", 4) =>
            {
                return Some("GNU awk manual: -i and -l load code");
            }
            _ if option.starts_with("-e") || is_long(option, "--source", 4) => {
                given = true;
                let glued = option.split_once('=').map_or(glued, |(_, source)| source);
                let runs = if glued.is_empty() { words.next().is_some_and(word_runs) } else { program_runs(glued) };
                if runs {
                    return Some(MANUAL);
                }
            }
            _ if option.starts_with("-f")
                || option.starts_with("-E")
                || is_long(option, "--file", 4)
                || is_long(option, "--exec", 4) =>
            {
                from_file = true;
                if glued.is_empty() || option.starts_with("--") && !option.contains('=') {
                    words.next();
                }
            }
            "-F" | "-v" | "--field-separator" | "--assign" => drop(words.next()),
            _ if option.starts_with('-') && option.len() > 1 => {}
            _ if from_file || given => return None,
            _ => return word_runs(word).then_some(MANUAL),
        }
    }
    None
}

fn word_runs(word: &Word) -> bool {
    script(word).is_none_or(|text| program_runs(&text))
}

/// Whether a program calls `system`, pipes, writes files, or calls by computed name.
fn program_runs(text: &str) -> bool {
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
