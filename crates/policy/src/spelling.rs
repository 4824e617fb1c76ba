//! The spellings in which a command is judged.

use innercmd_bash_units::{HoleKind, Part, Span, Word};

use crate::subject::{Hole, Piece, Subject};

/// What is known of the place a command runs in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known<'k> {
    /// The command text that the words' spans point into.
    pub(crate) source: &'k str,
    /// The home directory, where the command does not change it.
    pub(crate) home: Option<&'k str>,
}

/// Whether `~` and `$HOME` are what is typed, or the directory they stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    Typed,
    Resolved,
}

/// The words of a command after quote removal, in the spellings that a rule which names a program should meet; each with `~`
/// as typed and as the directory it stands for.
#[derive(Clone, Debug)]
pub(crate) struct Spellings {
    /// All words.
    pub(crate) whole: Vec<Subject>,
    /// The same with the base name of a program that is given as a path.
    pub(crate) by_base_name: Vec<Subject>,
}

impl Spellings {
    pub(crate) fn of(words: &[Word], known: Known<'_>) -> Self {
        let mut spellings = Self { whole: vec![], by_base_name: vec![] };
        let add = |found: &mut Vec<Subject>, spelling| {
            if !found.contains(&spelling) {
                found.push(spelling);
            }
        };
        let in_home = known.home.is_some() && words.iter().any(holds_home);
        for home in [Home::Typed, Home::Resolved].into_iter().take(if in_home { 2 } else { 1 }) {
            add(&mut spellings.whole, joined(words, known, home, None));
            if let Some(base) = base_name(words, known, home) {
                add(&mut spellings.by_base_name, joined(words, known, home, Some(base)));
            }
        }
        spellings
    }

    /// Whether the only spelling of a command is its text as typed: without quotes, holes, and a path before the program.
    pub(crate) fn is_as_typed(text: &str, words: &[Word]) -> bool {
        let mut rest = Some(text);
        for (index, word) in words.iter().enumerate() {
            let [Part::Literal { text, .. }] = word.parts.as_slice() else { return false };
            if index == 0 && text.contains('/') {
                return false;
            }
            rest = rest.and_then(|rest| if index == 0 { Some(rest) } else { rest.strip_prefix(' ') });
            rest = rest.and_then(|rest| rest.strip_prefix(text.as_str()));
        }
        rest == Some("")
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Subject> {
        self.whole.iter().chain(&self.by_base_name)
    }

    /// Whether a part of the command is not known.
    pub(crate) fn have_holes(&self) -> bool {
        self.whole.iter().any(|name| name.known().is_none())
    }
}

/// The words joined by one blank each, the first of them replaced by `program` where that is given.
fn joined(words: &[Word], known: Known<'_>, home: Home, program: Option<Subject>) -> Subject {
    let mut subject = Subject::default();
    let mut rest = words.iter();
    match (program, rest.next()) {
        (Some(program), Some(_)) => subject = program,
        (_, Some(first)) => subject.extend(spelled(first, known, home)),
        (_, None) => return subject,
    }
    for word in rest {
        match vanishing(word, known) {
            Some(hole) => subject.push_vanishing(hole),
            None => {
                subject.push_text(" ");
                subject.extend(spelled(word, known, home));
            }
        }
    }
    subject
}

/// The value of `word` after quote removal.
pub(crate) fn spelled(word: &Word, known: Known<'_>, home: Home) -> Subject {
    let mut subject = Subject::default();
    for part in &word.parts {
        match part {
            Part::Literal { text, .. } => subject.push_text(text),
            Part::Hole { kind, span, .. } => match known.home.filter(|_| names_home(kind)) {
                Some(directory) if home == Home::Resolved => subject.push_text(directory),
                Some(_) => subject.push_text(span.of(known.source)),
                None => subject.push_hole(hole(kind, span.of(known.source))),
            },
        }
    }
    subject
}

/// The base name of the program, where it is given as a path.
fn base_name(words: &[Word], known: Known<'_>, home: Home) -> Option<Subject> {
    let mut base: Option<Subject> = None;
    for piece in spelled(words.first()?, known, home).pieces() {
        match piece {
            Piece::Text(text) => match text.rsplit_once('/') {
                Some((_, name)) => base = Some(Subject::text(name)),
                None => {
                    if let Some(base) = &mut base {
                        base.push_text(text);
                    }
                }
            },
            Piece::Hole(hole) | Piece::Gone(hole) => {
                if let Some(base) = &mut base {
                    // A value with a slash in it makes everything before it part of the directory.
                    if hole.slash {
                        *base = Subject::default();
                    }
                    base.push_hole(hole.clone());
                }
            }
        }
    }
    base
}

/// The text of a command as typed, with its holes; none where the words cannot be found in it again.
///
/// `text` is the command as typed: the words in order, and between them nothing but blanks.
pub(crate) fn typed(text: &str, words: &[Word], known: Known<'_>) -> Option<Subject> {
    let mut subject = Subject::default();
    let mut rest = text;
    // The words of one brace expansion share the place they were written in.
    for written in words.chunk_by(|a, b| a.span == b.span) {
        let Some(word) = written.first() else { continue };
        let (between, behind) = rest.split_once(word.span.of(known.source))?;
        if !between.chars().all(|c| matches!(c, ' ' | '\t' | '\\' | '\n')) {
            return None;
        }
        match vanishing(word, known).filter(|_| between == " " && written.len() == 1) {
            Some(hole) => subject.push_vanishing(hole),
            None => {
                subject.push_text(between);
                subject.extend(as_typed(written, word.span, known)?);
            }
        }
        rest = behind;
    }
    subject.push_text(rest);
    Some(subject)
}

/// What stands in `place`, with the holes of all the words that were written there.
fn as_typed(words: &[Word], place: Span, known: Known<'_>) -> Option<Subject> {
    let mut holes: Vec<(Span, Hole)> = vec![];
    for part in words.iter().flat_map(|word| &word.parts) {
        if let Part::Hole { kind, span, .. } = part {
            holes.push((*span, hole(kind, span.of(known.source))));
        }
    }
    holes.sort_by_key(|(span, _)| *span);
    holes.dedup_by_key(|(span, _)| *span);
    let mut subject = Subject::default();
    let mut at = place.start;
    for (span, hole) in holes {
        subject.push_text(known.source.get(at..span.start)?);
        subject.push_hole(hole);
        at = span.end;
    }
    subject.push_text(known.source.get(at..place.end)?);
    Some(subject)
}

fn hole(kind: &HoleKind, typed: &str) -> Hole {
    let slash = match kind {
        HoleKind::Glob | HoleKind::Arithmetic => false,
        HoleKind::Parameter(name) => !matches!(name.as_str(), "#" | "?" | "$" | "!"),
        HoleKind::Expansion
        | HoleKind::CommandSubstitution
        | HoleKind::ProcessSubstitution
        | HoleKind::Tilde(_)
        | HoleKind::Brace => true,
    };
    Hole { slash, typed: Some(typed.to_owned()) }
}

/// The hole that a word is, where it may leave no word at all (bash manual 3.5.7).
fn vanishing(word: &Word, known: Known<'_>) -> Option<Hole> {
    let mut found = None;
    for part in &word.parts {
        let Part::Hole { kind, span, quoted } = part else { return None };
        if !may_vanish(kind, *quoted) || (names_home(kind) && known.home.is_some()) {
            return None;
        }
        found = Some(match found {
            None => hole(kind, span.of(known.source)),
            Some(_) => Hole::ANY,
        });
    }
    found
}

fn may_vanish(kind: &HoleKind, quoted: bool) -> bool {
    match kind {
        HoleKind::Parameter(name) => !quoted || name == "@",
        // It may be `${list[@]}`.
        HoleKind::Expansion => true,
        HoleKind::CommandSubstitution => !quoted,
        HoleKind::ProcessSubstitution
        | HoleKind::Arithmetic
        | HoleKind::Glob
        | HoleKind::Tilde(_)
        | HoleKind::Brace => false,
    }
}

/// Whether a part of the word stands for the user's home directory.
fn holds_home(word: &Word) -> bool {
    word.parts.iter().any(|part| matches!(part, Part::Hole { kind, .. } if names_home(kind)))
}

/// Whether the hole stands for the user's home directory.
pub(crate) fn names_home(kind: &HoleKind) -> bool {
    match kind {
        HoleKind::Tilde(user) => user.is_empty(),
        HoleKind::Parameter(name) => name == "HOME",
        HoleKind::Expansion
        | HoleKind::CommandSubstitution
        | HoleKind::ProcessSubstitution
        | HoleKind::Arithmetic
        | HoleKind::Glob
        | HoleKind::Brace => false,
    }
}
