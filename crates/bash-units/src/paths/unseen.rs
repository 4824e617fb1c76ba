//! What may be assigned in other ways than by an assignment: by builtins, in expressions, by redirections.

use std::collections::HashSet;

use super::arguments::program;
use crate::{AssignedValue, BashProgram, HoleKind, Part, Word};

/// Builtins that assign to the variables their arguments name (bash manual 4).
const ASSIGNING: [&str; 8] = ["mapfile", "readarray", "declare", "typeset", "local", "export", "readonly", "unset"];

/// The options of `read` whose value is no variable.
const VALUES_OF_READ: [char; 7] = ['p', 't', 'd', 'n', 'N', 'i', 'u'];

/// Variables that hold what bash puts there, whatever is assigned to them (bash manual 5.2).
const SPECIAL: [&str; 28] = [
    "_", "IFS", "PWD", "OLDPWD", "REPLY", "MAPFILE", "OPTARG", "OPTIND", "OPTERR", "RANDOM", "SRANDOM", "SECONDS",
    "LINENO", "EPOCHSECONDS", "EPOCHREALTIME", "UID", "EUID", "PPID", "GROUPS", "DIRSTACK", "FUNCNAME", "PIPESTATUS",
    "COPROC", "COPROC_PID", "HISTCMD", "SHELLOPTS", "READLINE_LINE", "READLINE_POINT",
];

/// How many bytes an option may have in which a variable's name is looked for.
const LONGEST_OPTION: usize = 64;

/// The variables that may be assigned unseen.
#[derive(Debug, Default)]
pub(super) struct Unseen {
    names: HashSet<String>,
    /// Whether a name is computed, so that it may be any of them.
    any: bool,
    /// Whether text runs that is not seen, and may assign as it likes.
    text: bool,
}

/// Whether bash itself sets the variable.
pub(super) fn is_special(name: &str) -> bool {
    SPECIAL.contains(&name) || name.starts_with("BASH")
}

impl Unseen {
    pub(super) fn of(program: &BashProgram) -> Self {
        let mut unseen = Self { text: program.source().contains("coproc"), ..Self::default() };
        unseen.find_builtins(program);
        unseen.find_expressions(program);
        // `{NAME}>file`.
        for redirect in program.redirects() {
            let descriptor = redirect.descriptor.map(|span| span.of(program.source()).replace("\\\n", ""));
            if let Some(name) = descriptor.as_deref().and_then(|text| text.strip_prefix('{')) {
                unseen.name(name);
            }
        }
        for assignment in program.assignments() {
            match assignment.value {
                // `${!NAME:=word}` assigns to the variable that NAME holds the name of.
                AssignedValue::Default(_) => unseen.any |= assignment.span.of(program.source()).contains('!'),
                AssignedValue::Scalar(_) | AssignedValue::Array(_) | AssignedValue::Each(_) => {}
            }
        }
        unseen
    }

    /// Whether the variable may be assigned in a way that is in the text, though its name may be computed.
    pub(super) fn has(&self, name: &str) -> bool {
        self.any || self.names.contains(name)
    }

    /// Whether nothing is known of any variable.
    pub(super) fn is_everything(&self) -> bool {
        self.any || self.text
    }

    fn find_builtins(&mut self, program: &BashProgram) {
        for unit in program.commands() {
            let Some((name, arguments)) = self::program(&unit.words) else {
                self.text = true;
                continue;
            };
            match name.as_str() {
                "eval" | "source" | "." => self.text = true,
                "command" | "builtin" => self.text |= arguments.first().is_some_and(|word| word.literal().is_none()),
                "printf" => self.printf(arguments),
                "read" => self.read(arguments),
                "getopts" => self.words(arguments.get(..2).unwrap_or(arguments)),
                "wait" => {
                    let options = arguments.iter().any(|word| word.literal().is_some_and(|text| is_option(&text)));
                    self.text |= arguments.iter().any(|word| word.literal().is_none() && !is_last_job(word));
                    self.words(if options { arguments } else { &[] });
                }
                "let" => arguments.iter().for_each(|word| match word.literal() {
                    Some(text) => self.expression(&text),
                    None => self.any = true,
                }),
                name if ASSIGNING.contains(&name) => {
                    // A name reference assigns to the variable it refers to; with `export -n` there is none.
                    let mut options = arguments.iter().map_while(Word::literal).take_while(|text| is_option(text));
                    self.any |= name != "export" && options.any(|text| text.contains('n'));
                    self.words(arguments);
                }
                _ => {}
            }
        }
    }

    fn printf(&mut self, arguments: &[Word]) {
        let Some((first, rest)) = arguments.split_first() else { return };
        match first.literal().as_deref() {
            Some("-v") => self.words(rest.get(..1).unwrap_or_default()),
            Some(text) if text.starts_with("-v") => self.word(first),
            Some(_) => {}
            None => {
                let text: String = first.parts.iter().map_while(literal).collect();
                self.any |= text.is_empty() || is_option(&text);
            }
        }
    }

    fn read(&mut self, arguments: &[Word]) {
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            self.word(word);
            let text = word.literal();
            if text.is_some_and(|text| is_option(&text) && text.ends_with(VALUES_OF_READ)) {
                words.next();
            }
        }
    }

    fn words(&mut self, words: &[Word]) {
        words.iter().for_each(|word| self.word(word));
    }

    fn word(&mut self, word: &Word) {
        let Some(Part::Literal { .. }) = word.parts.first() else {
            self.any |= !word.parts.is_empty();
            return;
        };
        let text: String = word.parts.iter().map_while(literal).collect();
        if is_option(&text) && text.len() <= LONGEST_OPTION {
            // The name may be glued to a letter: `read -ax`, `printf -vx`.
            text.char_indices().for_each(|(at, _)| self.name(text.get(at..).unwrap_or_default()));
        }
        let (name, behind) = split_name(&text);
        self.any |= behind.is_empty() && word.parts.iter().any(|part| literal(part).is_none());
        self.any |= is_option(&text) && (text.len() > LONGEST_OPTION || word.literal().is_none());
        self.name(name);
    }

    fn name(&mut self, text: &str) {
        let (name, _) = split_name(text);
        if !name.is_empty() && !self.names.contains(name) {
            self.names.insert(name.to_owned());
        }
    }

    fn find_expressions(&mut self, program: &BashProgram) {
        // Expressions may hold one another; what is looked at stays in proportion to the text.
        let mut left = program.source().len().saturating_mul(4);
        for span in program.expressions() {
            match left.checked_sub(span.len()) {
                Some(rest) => left = rest,
                None => return self.any = true,
            }
            self.expression(&span.of(program.source()).replace("\\\n", ""));
        }
    }

    /// Looks for the assignment operators of bash manual 6.5.
    fn expression(&mut self, text: &str) {
        for (at, sign) in text.match_indices("++").chain(text.match_indices("--")) {
            let behind = text.get(at.saturating_add(sign.len())..).unwrap_or_default().trim_start();
            self.variable_before(text.get(..at).unwrap_or_default());
            self.any |= behind.starts_with('$');
            self.name(behind);
        }
        for (at, _) in text.match_indices('=') {
            let before = text.get(..at).unwrap_or_default();
            let compares = before.ends_with(['=', '!'])
                || text.get(at.saturating_add(1)..).is_some_and(|rest| rest.starts_with('='));
            let less = before.ends_with(['<', '>']) && !before.ends_with("<<") && !before.ends_with(">>");
            if !compares && !less {
                self.variable_before(before.trim_end_matches(['+', '-', '*', '/', '%', '&', '|', '^', '<', '>']));
            }
        }
    }

    fn variable_before(&mut self, text: &str) {
        let text = text.trim_end();
        let start = text.rfind(|c: char| !continues_name(c)).map_or(0, |at| at.saturating_add(1));
        // The bytes before a name end at a character boundary, or it starts the text.
        let (before, name) = text.split_at_checked(start).unwrap_or((text, ""));
        self.any |= name.is_empty() && before.ends_with([']', '}', ')', '`', '"', '\''])
            || before.ends_with(['$', '{', '"', '\'']);
        self.name(name);
    }
}

/// The text of a part that is known.
fn literal(part: &Part) -> Option<&str> {
    match part {
        Part::Literal { text, .. } => Some(text),
        Part::Hole { .. } => None,
    }
}

/// Whether the word is `$!`.
fn is_last_job(word: &Word) -> bool {
    matches!(word.parts.as_slice(), [Part::Hole { kind: HoleKind::Parameter(name), .. }] if name == "!")
}

fn is_option(text: &str) -> bool {
    text.starts_with(['-', '+'])
}

fn continues_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The variable name at the start of `text`, and what follows it.
fn split_name(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !continues_name(c)).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or_default()
}
