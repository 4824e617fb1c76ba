//! What patterns in paths match (bash manual 3.5.8), where the file system is known.

use super::{
    PathFactsError, Place,
    facts::join,
    text::{PathPiece, PathText},
};

/// How many paths one pattern may match before it counts as unknown.
const MOST_MATCHES: usize = 256;

/// Settings that change what patterns match.
pub(super) const SETTINGS: [&str; 7] =
    ["dotglob", "globstar", "extglob", "nocaseglob", "GLOBIGNORE", "globasciiranges", "failglob"];

/// A component of a path: pieces of text with anything between them.
type Component = Vec<String>;

/// The paths that `text`, seen from `directory`, matches, or itself with its patterns as text where there are none.
///
/// None where it holds no pattern, or something else that is not known, or where the file system does not tell. Each pattern
/// character counts as any text here, so that rather too much is found than too little.
pub(super) fn expand(directory: &str, text: &PathText, place: &Place<'_>) -> Option<Vec<PathText>> {
    let is_pattern = |piece: &PathPiece| matches!(piece, PathPiece::Unknown { kind, .. } if kind.is_pattern());
    let is_known = |piece: &PathPiece| matches!(piece, PathPiece::Text(_)) || is_pattern(piece);
    if !place.knows_patterns() || !text.pieces().iter().any(is_pattern) || !text.pieces().iter().all(is_known) {
        return None;
    }
    let mut found = vec![if text.leading().starts_with('/') { "/".to_owned() } else { String::new() }];
    for component in components(text) {
        let mut next = vec![];
        for before in &found {
            match component.as_slice() {
                [] => {}
                [known] => next.push(below(before, known)),
                pieces => {
                    let listed = place.facts().list(&join(directory, if before.is_empty() { "." } else { before }));
                    let bytes = listed.iter().flatten().map(String::len).sum::<usize>();
                    place.work.spend(bytes)?;
                    let names = match listed {
                        Ok(names) => names,
                        Err(PathFactsError::Missing) => vec![],
                        Err(PathFactsError::Forbidden | PathFactsError::Loop | PathFactsError::Other) => return None,
                    };
                    next.extend(names.iter().filter(|name| matches(pieces, name)).map(|name| below(before, name)));
                }
            }
            if next.len() > MOST_MATCHES {
                return None;
            }
        }
        found = next;
    }
    if found.is_empty() {
        found.push(components(text).iter().map(|pieces| pieces.join("*")).collect::<Vec<_>>().join("/"));
    }
    Some(found.iter().map(|path| PathText::known(path)).collect())
}

fn below(before: &str, name: &str) -> String {
    if before.is_empty() || before.ends_with('/') { format!("{before}{name}") } else { format!("{before}/{name}") }
}

fn components(text: &PathText) -> Vec<Component> {
    let mut components = vec![vec![String::new()]];
    for piece in text.pieces() {
        match piece {
            PathPiece::Text(text) => {
                let mut parts = text.split('/');
                let first = parts.next().unwrap_or_default();
                if let Some(last) = components.last_mut().and_then(|pieces| pieces.last_mut()) {
                    last.push_str(first);
                }
                components.extend(parts.map(|part| vec![part.to_owned()]));
            }
            PathPiece::Unknown { .. } => {
                if let Some(component) = components.last_mut() {
                    component.push(String::new());
                }
            }
        }
    }
    components.retain(|pieces| pieces.iter().any(|piece| !piece.is_empty()) || pieces.len() > 1);
    components
}

/// Whether `name` is made of `pieces` with any text between them; a name with a dot at its start needs that dot written.
fn matches(pieces: &[String], name: &str) -> bool {
    let Some(((first, last), middle)) =
        pieces.split_first().and_then(|(first, rest)| rest.split_last().map(|(last, middle)| ((first, last), middle)))
    else {
        return false;
    };
    if name.starts_with('.') && !first.starts_with('.') {
        return false;
    }
    let Some(mut rest) = name.strip_prefix(first.as_str()).and_then(|rest| rest.strip_suffix(last.as_str())) else {
        return false;
    };
    for piece in middle {
        let Some((_, behind)) = rest.split_once(piece.as_str()) else { return false };
        rest = behind;
    }
    true
}
