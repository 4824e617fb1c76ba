//! Which words of a command are paths.

use super::{
    PathRole,
    location::Parents,
    movement::is_physical,
    programs::{WORKS_IN, reading},
    reading::{At, Operands, Reading},
    script::{HOLE, Named},
    text::{PathPiece, PathText, Unknown},
    values::Values,
};
use crate::{HoleKind, Part, ScopeId, Span, Word};

/// A word, or a part of one, that may be a path.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) span: Span,
    pub(super) role: PathRole,
    pub(super) text: PathText,
}

/// What one command names.
#[derive(Clone, Debug, Default)]
pub(super) struct Arguments {
    pub(super) candidates: Vec<Candidate>,
    /// The directories that the program itself changes to, such as that of `git -C`.
    pub(super) works_in: Vec<PathText>,
    /// How the program reads `..`.
    pub(super) parents: Parents,
}

/// The base name of the program of `words`, and its arguments, behind the builtins that only run another command.
pub(super) fn program(words: &[Word]) -> Option<(String, &[Word])> {
    let mut rest = words;
    loop {
        let (name, arguments) = rest.split_first()?;
        let name = name.literal()?;
        let base = name.rsplit('/').next().unwrap_or_default();
        match run_by(base, arguments) {
            Some(run) => rest = run,
            None => return Some((base.to_owned(), arguments)),
        }
    }
}

/// The command that a builtin only runs (bash manual 4.1 and 4.2).
fn run_by<'w>(builtin: &str, arguments: &'w [Word]) -> Option<&'w [Word]> {
    if !matches!(builtin, "command" | "builtin" | "exec") {
        return None;
    }
    let mut rest = arguments;
    while let Some((word, behind)) = rest.split_first() {
        match (builtin, word.literal()?.as_ref()) {
            (_, "--") => return Some(behind).filter(|command| !command.is_empty()),
            ("command", "-p") | ("exec", "-c" | "-l" | "-cl" | "-lc") => rest = behind,
            ("exec", "-a" | "-ca" | "-la") => rest = behind.get(1..)?,
            (_, option) if option.starts_with('-') => return None,
            _ => return Some(rest),
        }
    }
    None
}

/// The paths that a command of these words, in `scope`, may name.
pub(super) fn arguments(words: &[Word], scope: ScopeId, values: &Values<'_>) -> Arguments {
    let mut found = Arguments::default();
    let Some((program, rest)) = program(words) else {
        // The program is computed; its words are judged by their looks.
        let mut reader = Reader::new(reading("", None), scope, values, &mut found);
        words.iter().for_each(|word| reader.word(word));
        return found;
    };
    if let Some(first) = words.first() {
        found.program(first, scope, values);
    }
    if WORKS_IN.contains(&program.as_str()) {
        found.works_in = works_in(rest, scope, values);
    }
    if matches!(program.as_str(), "cd" | "pushd") && !is_physical(rest) {
        found.parents = Parents::Logical;
    }
    let mut reader = Reader::new(reading(&program, subcommand(rest).as_deref()), scope, values, &mut found);
    rest.iter().for_each(|word| reader.word(word));
    found
}

impl Arguments {
    /// A program given as a path is a file that is used, too.
    fn program(&mut self, word: &Word, scope: ScopeId, values: &Values<'_>) {
        for text in values.spellings(word, scope).into_iter().filter(|text| text.contains("/")) {
            self.candidates.push(Candidate { span: word.span, role: PathRole::Program, text });
        }
    }
}

/// The first word that is no option and no option's value, as far as it can be told for `git`.
fn subcommand(arguments: &[Word]) -> Option<String> {
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        let text = word.literal()?;
        match text.as_ref() {
            "-C" | "-c" | "--git-dir" | "--work-tree" | "--namespace" => drop(rest.next()),
            option if option.starts_with('-') => {}
            name => return Some(name.to_owned()),
        }
    }
    None
}

fn works_in(arguments: &[Word], scope: ScopeId, values: &Values<'_>) -> Vec<PathText> {
    let mut found = vec![];
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        let directory = match word.literal().as_deref() {
            Some("-C" | "--directory" | "--dir") => rest.next().map(|word| values.spellings(word, scope)),
            Some(text) if text.starts_with("--directory=") || text.starts_with("--dir=") => {
                text.split_once('=').map(|(_, directory)| vec![PathText::known(directory)])
            }
            Some(text) if text.starts_with("-C") => {
                text.strip_prefix("-C").map(|directory| vec![PathText::known(directory)])
            }
            Some(_) => None,
            // `-C$DIR`.
            None => values
                .spellings(word, scope)
                .iter()
                .find(|text| text.leading().starts_with("-C"))
                .map(|text| vec![text.behind(2)]),
        };
        found.extend(directory.into_iter().flatten());
    }
    found
}

/// Reads the arguments of one program from left to right.
pub(super) struct Reader<'r, 'p> {
    pub(super) reading: Reading,
    pub(super) scope: ScopeId,
    pub(super) values: &'r Values<'p>,
    found: &'r mut Arguments,
    /// What the next words are.
    pub(super) next: Next,
    operands: usize,
    past_options: bool,
    pub(super) in_expression: bool,
    pub(super) no_patterns: bool,
}

/// What the next words are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Next {
    #[default]
    Anything,
    /// So many words of text.
    Text(usize),
    /// Text that may name a file behind any `@`.
    Encoded,
    Script,
    File,
    List,
}

impl<'r, 'p> Reader<'r, 'p> {
    fn new(reading: Reading, scope: ScopeId, values: &'r Values<'p>, found: &'r mut Arguments) -> Self {
        Self {
            reading,
            scope,
            values,
            found,
            next: Next::Anything,
            operands: 0,
            past_options: false,
            in_expression: false,
            no_patterns: false,
        }
    }

    fn word(&mut self, word: &Word) {
        // A process substitution on its own names a pipe.
        if matches!(word.parts.as_slice(), [Part::Hole { kind: HoleKind::ProcessSubstitution, .. }]) {
            return;
        }
        let literal = word.literal();
        match std::mem::take(&mut self.next) {
            Next::Anything => {}
            Next::Text(words) => {
                self.next = words.checked_sub(1).filter(|left| *left > 0).map_or(Next::Anything, Next::Text);
                return self.data(literal.as_deref().unwrap_or_default(), word.span, false);
            }
            Next::Encoded => return self.data(literal.as_deref().unwrap_or_default(), word.span, true),
            Next::Script => return self.script(&script_text(word, 0), word.span),
            Next::File => return self.operand_of(word, PathRole::Operand),
            Next::List => {
                self.operand_of(word, PathRole::Operand);
                return self.anything(word.span);
            }
        }
        match literal.as_deref() {
            Some("--") if !self.past_options => self.past_options = true,
            Some(option) if looks_like_option(option) && !self.past_options => self.option(option, word),
            // `--file=$X/y`, or an option in a computed word.
            None if !self.past_options && starts_with_dash(word) => self.computed_option(word),
            _ => self.operand(word),
        }
    }

    fn operand(&mut self, word: &Word) {
        let place = self.operands;
        self.operands += 1;
        match self.reading.operands {
            Operands::Files => self.operand_of(word, PathRole::Operand),
            Operands::PatternsThenFiles(patterns) if place < patterns && !self.no_patterns => {
                self.script(&script_text(word, 0), word.span);
            }
            Operands::PatternsThenFiles(_) => self.operand_of(word, PathRole::Operand),
            Operands::FileThenAny if place == 0 && !self.no_patterns => {
                self.past_options = true;
                self.operand_of(word, PathRole::Operand);
            }
            Operands::Places if !self.in_expression => match word.literal().as_deref() {
                Some("(" | "!" | ")") => self.in_expression = true,
                _ => self.operand_of(word, PathRole::Operand),
            },
            Operands::Text => {}
            Operands::Prose if says_more_than_a_word(word) => {}
            Operands::Assignments(names) => self.assignment(word, names),
            Operands::Pathspecs(others) if place >= others || self.no_patterns || self.past_options => {
                self.pathspec(word)
            }
            Operands::Any | Operands::FileThenAny | Operands::Places | Operands::Prose | Operands::Pathspecs(_) => {
                self.by_looks(word)
            }
        }
    }

    /// A word that names a file whatever it looks like.
    pub(super) fn operand_of(&mut self, word: &Word, role: PathRole) {
        for text in self.values.words(word, self.scope) {
            match file_of_url(&text) {
                _ if text.text() == Some("-") => {}
                Url::File(path) => self.push(word.span, role, path),
                Url::Elsewhere => {}
                Url::None => self.push(word.span, role, text),
            }
        }
    }

    fn by_looks(&mut self, word: &Word) {
        let default_in_text = word.parts.iter().any(|part| match part {
            Part::Hole { kind: HoleKind::Expansion, span, .. } => {
                let typed = span.of(self.values.source());
                typed.contains(":-/") || typed.contains("-/") || typed.contains("..") || typed.contains(":-~")
            }
            Part::Hole { .. } | Part::Literal { .. } => false,
        });
        for text in self.values.words(word, self.scope) {
            let role = if default_in_text || looks_like_path(&text) { PathRole::Argument } else { PathRole::Bare };
            let text = match file_of_url(&text) {
                Url::Elsewhere => continue,
                Url::File(path) => path,
                Url::None => match text.text() {
                    Some(whole) => match self.file_in_data(whole) {
                        Some(path) => {
                            let path = PathText::known(path);
                            if self.reading.at == At::Arguments {
                                self.anything(word.span);
                            }
                            if self.reading.at != At::Text {
                                self.push(word.span, PathRole::Operand, path);
                                continue;
                            }
                            path
                        }
                        None if is_assignment(whole) || whole.starts_with('@') && !whole.starts_with("@/") => continue,
                        None => text,
                    },
                    None => text,
                },
            };
            if text.text().is_none() && is_assignment(text.leading()) {
                continue;
            }
            // A word of which nothing is known is anything, and as a rule no path.
            if role == PathRole::Bare && text.text().is_none() && text.texts().next().is_none() {
                continue;
            }
            self.push(word.span, role, text);
        }
    }

    fn assignment(&mut self, word: &Word, names: &[&str]) {
        for text in self.values.words(word, self.scope) {
            let leading = text.leading();
            let Some(equals) = leading.find('=') else { continue };
            let name = leading.get(..equals).unwrap_or_default();
            if names.contains(&name) {
                self.push(word.span, PathRole::Operand, text.behind(equals.saturating_add(1)));
            }
        }
    }

    /// A commit, or a path or a pattern for paths (gitglossary(7), pathspec).
    fn pathspec(&mut self, word: &Word) {
        self.by_looks(word);
        let Some(text) = word.literal() else { return };
        // The path in a commit or in the index: `HEAD:x`, `:0:x`.
        if let Some((_, path)) = text.rsplit_once(':').filter(|(_, path)| !path.is_empty()) {
            self.push(word.span, PathRole::Bare, PathText::known(path));
        }
        let pattern = match text.strip_prefix(':') {
            // It leaves out what it matches.
            Some(magic) if magic.starts_with(['!', '^']) => return,
            Some(magic) if magic.starts_with('(') => magic.split_once(')').map_or("", |(_, pattern)| pattern),
            Some(magic) => magic.trim_start_matches('/'),
            None => &text,
        };
        let is_pattern = pattern.contains(['*', '?', '[']) && !["^{", "@{"].iter().any(|sign| pattern.contains(sign));
        if is_pattern || pattern.len() < text.len() {
            let role = if is_pattern { PathRole::Argument } else { PathRole::Bare };
            let path = if is_pattern { matched(pattern, word.span) } else { PathText::known(pattern) };
            self.push(word.span, role, path);
        }
    }

    /// A script, and the files that it names.
    pub(super) fn script(&mut self, text: &str, span: Span) {
        for named in self.reading.script.map(|files| files(text)).unwrap_or_default() {
            match named {
                Named::File(path) => self.push(span, PathRole::Operand, PathText::known(&path)),
                Named::Unknown => self.anything(span),
            }
        }
    }

    /// Text that may name a file all the same; in encoded text behind any `@`.
    pub(super) fn data(&mut self, text: &str, span: Span, encoded: bool) {
        let encoded = text.split_once('@').map(|(_, path)| path).filter(|_| encoded);
        if let Some(path) = encoded.or_else(|| self.file_in_data(text)).filter(|path| *path != "-") {
            // What follows a semicolon says what the data is.
            let path = path.split(';').next().unwrap_or(path);
            self.push(span, PathRole::OptionValue, PathText::known(path));
        }
    }

    /// The file that data names: `@FILE`, `NAME=@FILE`, `NAME=<FILE`.
    fn file_in_data<'t>(&self, text: &'t str) -> Option<&'t str> {
        let path = text
            .strip_prefix('@')
            .or_else(|| text.split_once("=@").map(|(_, path)| path))
            .or_else(|| text.split_once("=<").map(|(_, path)| path))?;
        let sure = self.reading.at != At::Text && !path.is_empty();
        (sure || path.starts_with(['/', '~', '.'])).then_some(path)
    }

    /// Any file at all.
    pub(super) fn anything(&mut self, span: Span) {
        let mut text = PathText::default();
        text.push(PathPiece::Unknown { kind: Unknown::Anything, span });
        self.push(span, PathRole::Operand, text);
    }

    pub(super) fn push(&mut self, span: Span, role: PathRole, text: PathText) {
        if text.text() != Some("") {
            self.found.candidates.push(Candidate { span, role, text });
        }
    }
}

/// Whether a word is an option by its looks: what else begins with a dash is for the program to complain about.
fn looks_like_option(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-'))
}

fn starts_with_dash(word: &Word) -> bool {
    matches!(word.parts.first(), Some(Part::Literal { text, .. }) if text.starts_with('-'))
}

fn says_more_than_a_word(word: &Word) -> bool {
    word.parts.iter().any(|part| matches!(part, Part::Literal { text, .. } if text.contains([' ', '\n', '\t'])))
}

/// Whether a word is told for a path by its looks: absolute, in a home, with a dot at its start, or with a slash in it.
pub(super) fn looks_like_path(text: &PathText) -> bool {
    let leading = text.leading();
    let rooted = leading.starts_with(['/', '~']) || leading.starts_with("./") || leading.starts_with("../");
    rooted || ((leading.starts_with('.') || text.contains("/") || text.contains("..")) && !looks_like_pattern(text))
}

/// Whether a word holds what regular expressions hold, and paths as a rule do not.
fn looks_like_pattern(text: &PathText) -> bool {
    [".*", ".+", "\\|", "\\(", "\\)", "^/"].iter().any(|sign| text.contains(sign))
        || text.texts().any(|text| text.split_once('[').is_some_and(|(_, behind)| behind.contains(']')))
}

/// Whether `text` is `NAME=VALUE`, where the sign stands before any slash.
fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| !name.contains('/'))
}

enum Url {
    None,
    File(PathText),
    Elsewhere,
}

fn file_of_url(text: &PathText) -> Url {
    let Some((scheme, rest)) = text.leading().split_once("://") else { return Url::None };
    let plain = |c: char| c.is_ascii_alphanumeric() || "+.-".contains(c);
    if !scheme.starts_with(|c: char| c.is_ascii_alphabetic()) || !scheme.chars().all(plain) {
        return Url::None;
    }
    if !scheme.eq_ignore_ascii_case("file") {
        return Url::Elsewhere;
    }
    let host = rest.find('/').unwrap_or(0);
    Url::File(text.behind(scheme.len().saturating_add("://".len()).saturating_add(host)))
}

/// The text of a script behind its first bytes, with a sign for what is not known of it.
pub(super) fn script_text(word: &Word, skip: usize) -> String {
    let part = |part: &Part| match part {
        Part::Literal { text, .. } => text.clone(),
        Part::Hole { .. } => HOLE.to_string(),
    };
    let whole: String = word.parts.iter().map(part).collect();
    whole.get(skip..).unwrap_or_default().to_owned()
}

/// What a pattern of `git` matches: its stars match slashes, too.
fn matched(pattern: &str, span: Span) -> PathText {
    let mut path = PathText::default();
    let mut rest = pattern;
    while let Some(at) = rest.find(['*', '?', '[', '\\']) {
        let (before, behind) = rest.split_at_checked(at).unwrap_or((rest, ""));
        path.push_text(before);
        let kind = if behind.starts_with('?') { Unknown::Pattern } else { Unknown::Below };
        path.push(PathPiece::Unknown { kind, span });
        let end = if behind.starts_with('[') { behind.find(']') } else { None };
        rest = behind.get(end.unwrap_or(0).saturating_add(1)..).unwrap_or_default();
    }
    path.push_text(rest);
    path
}
