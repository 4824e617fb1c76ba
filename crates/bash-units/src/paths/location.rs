//! Where paths lead.

use super::{
    PathFactsError, Place,
    directories::Directories,
    facts::{is_within, join, normalize},
    patterns::expand,
    text::{PathPiece, PathText, Unknown},
};
use crate::Span;

/// Where a path may lead, seen from one directory.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// The path as it is typed, and where a pattern in it was looked up, as one of the paths that it matches.
    pub text: PathText,
    /// The absolute path by its text, without `.` and `..`; it starts with an unknown part where the directory is not known.
    pub lexical: PathText,
    /// The path without symbolic links, where all of it is known; or why they could not be followed.
    pub canonical: Option<Result<String, PathFactsError>>,
    /// Whether it is outside the working directory.
    pub outside: Outside,
    /// Whether it is seen from the working directory itself.
    pub from_start: bool,
}

/// Whether a path leads out of the working directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outside {
    /// It does not.
    No,
    /// It may, as far as is known.
    Maybe,
    /// It does.
    Yes,
}

/// Whether `..` leads to the parent of the path so far, as the kernel and most programs see it, or takes a part of the text
/// away, as `cd` does (bash manual 4.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Parents {
    #[default]
    Physical,
    Logical,
}

/// The locations that `text` may name from one of `directories`.
pub(super) fn locate(text: &PathText, directories: &Directories, parents: Parents, place: &Place<'_>) -> Vec<Location> {
    let text = &expanded(text, place);
    let bytes = text.texts().map(str::len).sum::<usize>().saturating_add(text.pieces().len());
    let all = directories.paths().map(|directory| directory.len().saturating_add(bytes)).sum::<usize>();
    if place.work.spend(all.saturating_add(bytes)).is_none() {
        return vec![unlocated(text)];
    }
    let from = |directory: &str, text: &PathText, from_start: bool| -> Vec<Location> {
        if let (Some(known), Parents::Logical) = (text.text(), parents) {
            let whole = PathText::known(&normalize(&join(directory, known)));
            return vec![Location { text: text.clone(), ..from("/", &whole, place, from_start) }];
        }
        match expand(directory, text, place) {
            Some(paths) => paths.iter().map(|path| from(directory, path, place, from_start)).collect(),
            None => vec![from(directory, text, place, from_start)],
        }
    };
    if text.leading().starts_with('/') {
        return from("/", text, false);
    }
    let start = normalize(place.cwd());
    let mut found: Vec<Location> =
        directories.paths().flat_map(|directory| from(directory, text, directory == start)).collect();
    if directories.is_unknown() || found.is_empty() {
        found.push(unlocated(text));
    }
    found
}

/// Somewhere, by what the text says and no more.
fn unlocated(text: &PathText) -> Location {
    let lexical = match text.text() {
        Some(known) if known.starts_with('/') => PathText::known(&normalize(known)),
        Some(_) | None => somewhere(text.after("/")),
    };
    Location { text: text.clone(), lexical, canonical: None, outside: Outside::Maybe, from_start: false }
}

/// A quoted tilde is a character to bash, but programs expand it, too.
fn expanded(text: &PathText, place: &Place<'_>) -> PathText {
    match place.home() {
        Some(home) if text.text() == Some("~") => PathText::known(home),
        Some(home) if text.leading().starts_with("~/") => text.behind(1).after(home),
        _ => text.clone(),
    }
}

fn from(directory: &str, text: &PathText, place: &Place<'_>, from_start: bool) -> Location {
    let Some(known) = text.text() else { return with_unknowns(directory, text, place, from_start) };
    let whole = join(directory, known);
    let canonical = place.resolve(&whole).map(|resolved| resolved.path);
    let outside = canonical.as_ref().map_or(Outside::Maybe, |path| outside(path, place));
    Location {
        text: text.clone(),
        lexical: PathText::known(&normalize(&whole)),
        canonical: Some(canonical),
        outside,
        from_start,
    }
}

fn with_unknowns(directory: &str, text: &PathText, place: &Place<'_>, from_start: bool) -> Location {
    // The directory that is certain, and the beginning of the component in which the first unknown part stands.
    let (certain, begun) = text.leading().rsplit_once('/').unwrap_or(("", text.leading()));
    let base = if text.leading().starts_with('/') { format!("{certain}/") } else { join(directory, certain) };
    let known = place.resolve(&base);
    let climbs = |(index, piece): (usize, &PathPiece)| match piece {
        // A pattern such as `.*` may match `..`.
        PathPiece::Unknown { kind: Unknown::Pattern, .. } => index <= 1 && begun == ".",
        PathPiece::Unknown { kind, .. } => kind.may_climb(),
        PathPiece::Text(later) => index > 0 && (later.contains("/..") || later.ends_with("/.")),
    };
    let may_climb = text.pieces().iter().enumerate().any(climbs);
    let outside = match &known {
        Ok(resolved) => match outside(&resolved.path, place) {
            Outside::No if may_climb => Outside::Maybe,
            told @ (Outside::No | Outside::Maybe | Outside::Yes) => told,
        },
        Err(_) => Outside::Maybe,
    };
    let lexical = if may_climb {
        somewhere(text.clone())
    } else {
        let tail = text.behind(text.leading().len().saturating_sub(begun.len()));
        tail.after(&format!("{}/", normalize(&base).trim_end_matches('/')))
    };
    Location { text: text.clone(), lexical, canonical: known.err().map(Err), outside, from_start }
}

/// Any path that ends as `text` ends behind its last part that may hold slashes.
fn somewhere(text: PathText) -> PathText {
    let slashes = |piece: &PathPiece| matches!(piece, PathPiece::Unknown { kind: Unknown::Anything, .. });
    let last = text.pieces().iter().rposition(slashes).map_or(0, |place| place.saturating_add(1));
    let mut path = PathText { pieces: vec![PathPiece::Unknown { kind: Unknown::Anything, span: Span::new(0, 0) }] };
    let tail: Vec<PathPiece> = text.pieces.into_iter().skip(last).collect();
    // Behind `..`, or a pattern that may match it, not even the end of the text is the end of the path.
    let certain =
        |piece: &PathPiece| matches!(piece, PathPiece::Text(text) if !text.contains("..") && !text.ends_with("/."));
    if tail.iter().all(|piece| certain(piece) || !matches!(piece, PathPiece::Text(_))) {
        tail.into_iter().for_each(|piece| path.push(piece));
    }
    path
}

fn outside(canonical: &str, place: &Place<'_>) -> Outside {
    if is_within(canonical, place.root()) { Outside::No } else { Outside::Yes }
}
