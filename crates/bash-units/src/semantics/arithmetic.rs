//! Arithmetic (bash manual 6.5) evaluates the *value* of a name as an expression, and an expression can hold a command in a
//! subscript. It is known only where every name in it holds an integer that this text gave it.

use std::collections::HashMap;

use super::{Concern, builtins};
use crate::reader::Reading;
use crate::{AssignedValue, Assignment, HoleKind, Part, ScopeId, ScopeKind, Span, Word};

/// Parameters and variables that bash keeps as integers.
const INTEGERS: [&str; 14] = [
    "?", "#", "$", "!", "RANDOM", "SRANDOM", "SECONDS", "LINENO", "BASHPID", "PPID", "UID", "EUID", "EPOCHSECONDS",
    "BASH_SUBSHELL",
];

/// What this text assigns to each variable.
#[derive(Default)]
pub(super) struct Variables {
    names: HashMap<String, Variable>,
    /// Whether something may assign any variable: text that is evaluated or read from another file, or a computed name.
    anything: bool,
}

struct Variable {
    /// The start of the first assignment that holds for the text behind it: not one in a subshell.
    first: Option<usize>,
    /// Whether every assignment gives it an integer.
    integer: bool,
    /// Where it is declared to be associative, and never anything else.
    associative: Option<usize>,
}

impl Variables {
    pub(super) fn of(source: &str, reading: &Reading) -> Self {
        let mut variables = Self::default();
        let units = reading.commands.iter();
        for assignment in units.clone().flat_map(|unit| &unit.assignments).chain(&reading.loose_assignments) {
            let stays = !is_in_subshell(reading, assignment.scope);
            variables.note(&assignment.name, stays.then_some(assignment.span.start), is_integer_value(assignment));
        }
        for concern in &reading.concerns {
            match concern {
                Concern::Arithmetic(span) => variables.note_arithmetic(span.of(source), span.start),
                Concern::ArithmeticOperand(_)
                | Concern::Subscript { .. }
                | Concern::TestedVariable(_)
                | Concern::Indirection(_)
                | Concern::PromptExpansion(_)
                | Concern::Function(..) => {}
            }
        }
        for unit in units {
            match builtins::assigned_words(unit) {
                builtins::Assigned::Nothing => {}
                builtins::Assigned::Anything => variables.anything = true,
                builtins::Assigned::Words { words, associative } => {
                    words.iter().for_each(|word| variables.note_word(word, associative));
                }
            }
        }
        variables
    }

    /// Notes an assignment, which starts at `at` where it holds for the text behind it.
    fn note(&mut self, name: &str, at: Option<usize>, integer: bool) {
        let variable =
            self.names.entry(name.to_owned()).or_insert(Variable { first: None, integer, associative: None });
        variable.first = [variable.first, at].into_iter().flatten().min();
        variable.integer &= integer;
    }

    /// Notes the argument `NAME` or `NAME=VALUE` of a builtin that assigns.
    fn note_word(&mut self, word: &Word, associative: bool) {
        let Some(Part::Literal { text, .. }) = word.parts.first() else {
            self.anything = true;
            return;
        };
        let name: String =
            text.chars().take_while(|character| character.is_ascii_alphanumeric() || *character == '_').collect();
        let value = word.literal().and_then(|text| text.strip_prefix(&format!("{name}=")).map(str::to_owned));
        if name.is_empty() {
            self.anything |= word.literal().is_none();
            return;
        }
        if name.len() == text.len() && word.parts.len() > 1 {
            self.anything = true;
        }
        let declared_before = self.names.get(&name).and_then(|variable| variable.associative);
        self.note(&name, Some(word.span.start), value.is_some_and(|value| is_number(&value)));
        if let Some(variable) = self.names.get_mut(&name) {
            variable.associative = match (associative, declared_before) {
                (true, before) => Some(before.unwrap_or(word.span.start)),
                (false, _) => None,
            };
        }
    }

    /// The names that the expression `text` assigns.
    pub(super) fn assigned(text: &str) -> impl Iterator<Item = &str> {
        names(text).filter_map(|(at, name, rest)| {
            let before = text.get(..at).unwrap_or_default().trim_end();
            (assigns(rest.trim_start()) || before.ends_with("++") || before.ends_with("--")).then_some(name)
        })
    }

    /// Notes the names that an expression assigns; what an expression assigns is an integer.
    fn note_arithmetic(&mut self, text: &str, start: usize) {
        for (at, name, rest) in names(text) {
            let before = text.get(..at).unwrap_or_default().trim_end();
            if assigns(rest.trim_start()) || before.ends_with("++") || before.ends_with("--") {
                self.note(name, Some(start + at), true);
            }
        }
    }

    /// Whether the variable is declared to be associative before the offset `at`, whose keys are no expressions.
    pub(super) fn is_associative(&self, name: &str, at: usize) -> bool {
        self.names.get(name).and_then(|variable| variable.associative).is_some_and(|declared| declared < at)
    }

    /// Whether the variable holds an integer at the offset `at`.
    fn is_integer(&self, name: &str, at: usize) -> bool {
        match self.names.get(name) {
            Some(variable) => variable.integer && !self.anything && variable.first.is_some_and(|first| first <= at),
            None => INTEGERS.contains(&name),
        }
    }

    /// Whether the expression at `span` evaluates nothing but integers.
    pub(super) fn decide(&self, source: &str, span: Span) -> bool {
        let text = span.of(source);
        if text.contains(['`', '\'']) {
            return false;
        }
        self.dollars_are_integers(text, span.start)
            && names(text).all(|(at, name, rest)| {
                let rest = rest.trim_start();
                let before = text.get(..at).unwrap_or_default();
                // `$NAME` and `${NAME…}` were judged with the dollars.
                before.ends_with('$')
                    || before.ends_with("${")
                    || before.ends_with("${#")
                    || (!rest.starts_with('[')
                        && ((rest.starts_with('=') && !rest.starts_with("=="))
                            || self.is_integer(name, span.start + at)))
            })
    }

    /// Whether each `$…` in the expression is the value of an integer, or an inner expression.
    fn dollars_are_integers(&self, text: &str, start: usize) -> bool {
        text.match_indices('$').all(|(at, _)| {
            let rest = text.get(at + 1..).unwrap_or_default();
            if rest.starts_with("((") || rest.starts_with('[') {
                return true;
            }
            if let Some(inside) = rest.strip_prefix('{') {
                let Some((inside, _)) = inside.split_once('}') else { return false };
                return inside.strip_prefix('#').is_some_and(|name| !name.contains('$'))
                    || self.is_integer(inside, start + at);
            }
            let name: String =
                rest.chars().take_while(|character| character.is_ascii_alphanumeric() || *character == '_').collect();
            let special = rest.chars().next().map(String::from).unwrap_or_default();
            self.is_integer(if name.is_empty() { &special } else { &name }, start + at)
        })
    }
}

/// The names in an expression, with their offset and what follows them; numbers, also with a base, are none.
fn names(text: &str) -> impl Iterator<Item = (usize, &str, &str)> {
    let continues = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'#' | b'@');
    let mut at = 0;
    std::iter::from_fn(move || {
        let bytes = text.as_bytes();
        loop {
            let byte = *bytes.get(at)?;
            let start = at;
            if !byte.is_ascii_alphanumeric() && byte != b'_' {
                at += 1;
                continue;
            }
            let number = byte.is_ascii_digit();
            while bytes.get(at).is_some_and(|byte| {
                if number { continues(*byte) } else { byte.is_ascii_alphanumeric() || *byte == b'_' }
            }) {
                at += 1;
            }
            if !number {
                return Some((start, text.get(start..at)?, text.get(at..)?));
            }
        }
    })
}

/// Whether what follows a name assigns to it.
fn assigns(rest: &str) -> bool {
    let compound = ["+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"];
    (rest.starts_with('=') && !rest.starts_with("==")) || compound.iter().any(|operator| rest.starts_with(operator))
}

/// Whether what happens in `scope` does not outlive it.
fn is_in_subshell(reading: &Reading, scope: ScopeId) -> bool {
    let mut next = Some(scope);
    let mut steps = 0;
    while let Some(scope) = next.and_then(|scope| reading.scopes.get(scope.0)) {
        let leaves = match scope.kind {
            ScopeKind::Subshell
            | ScopeKind::CommandSubstitution
            | ScopeKind::ProcessSubstitution
            | ScopeKind::Coprocess => true,
            ScopeKind::Program | ScopeKind::Group | ScopeKind::ControlFlow | ScopeKind::Function | ScopeKind::Trap => {
                false
            }
        };
        steps += 1;
        // Deeper than anyone writes: the answer that asks.
        if leaves || scope.detached || steps > 64 {
            return true;
        }
        next = scope.parent;
    }
    false
}

/// Whether the assignment gives a plain variable nothing but integers.
pub(super) fn is_integer_value(assignment: &Assignment) -> bool {
    assignment.subscript.is_none()
        && match &assignment.value {
            AssignedValue::Scalar(word) => is_integer(word),
            AssignedValue::Each(words) => !words.is_empty() && words.iter().all(is_integer),
            AssignedValue::Array(_) | AssignedValue::Default(_) => false,
        }
}

fn is_integer(word: &Word) -> bool {
    match word.parts.as_slice() {
        [Part::Literal { text, .. }] => is_number(text),
        [Part::Hole { kind: HoleKind::Arithmetic, .. }] => true,
        [Part::Hole { kind: HoleKind::Parameter(name), .. }] => matches!(name.as_str(), "?" | "#" | "$" | "!"),
        _ => false,
    }
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}
