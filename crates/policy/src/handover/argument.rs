use std::borrow::Cow;

use innercmd_bash_units::{HoleKind, Part, PathPiece, PathText, Unknown, Word};

/// Stands for a part of an argument that is not known.
///
/// A command that writes this character itself is taken for one with a hole there, and asked about.
pub(super) const HOLE: char = '\u{fffc}';

/// Stands for a number that is not known: some digits.
const NUMBER: &str = "1";

/// One argument of a program, as far as it is known before anything runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Argument<'w> {
    text: Cow<'w, str>,
    /// Whether it may become no argument, or several of any kind (bash manual 3.5.7).
    splits: bool,
    /// Whether it may become several arguments that all begin alike (bash manual 3.5.8).
    several: bool,
}

impl<'w> Argument<'w> {
    /// An argument, or several, of which nothing is known.
    pub(super) const UNKNOWN: Self = Self { text: Cow::Borrowed("\u{fffc}"), splits: true, several: false };

    /// The argument that a word without holes is; none for one with holes.
    pub(super) fn known_of(word: &'w Word) -> Option<Self> {
        word.literal().map(|text| Self { text, splits: false, several: false })
    }

    /// The argument that a word is where its expansion is `spelling`.
    pub(super) fn of(word: &Word, spelling: &PathText) -> Self {
        let mut argument = Self { text: Cow::Borrowed(""), splits: false, several: false };
        for piece in spelling.pieces() {
            match piece {
                PathPiece::Text(text) => argument.text.to_mut().push_str(text),
                PathPiece::Unknown { kind: Unknown::Number, .. } => argument.text.to_mut().push_str(NUMBER),
                PathPiece::Unknown { kind, span } => {
                    let hole = word.parts.iter().find(|part| matches!(part, Part::Hole { span: at, .. } if at == span));
                    argument.hole(*kind, hole);
                }
            }
        }
        // A value that is empty leaves no argument at all.
        let quoted = |part: &Part| matches!(part, Part::Literal { .. } | Part::Hole { quoted: true, .. });
        if argument.text.is_empty() && !word.parts.iter().any(quoted) && !word.parts.is_empty() {
            argument.text.to_mut().push(HOLE);
            argument.splits = true;
        }
        argument
    }

    fn hole(&mut self, kind: Unknown, part: Option<&Part>) {
        let hole = match part {
            Some(Part::Hole { kind, quoted, .. }) => Some((kind, *quoted)),
            Some(Part::Literal { .. }) | None => None,
        };
        match hole {
            // These are paths, whatever they are.
            Some((HoleKind::ProcessSubstitution, _)) => self.text.to_mut().push_str("/dev/fd/"),
            Some((HoleKind::Tilde(_), _)) => self.text.to_mut().push('~'),
            Some((HoleKind::Parameter(name), true)) if name != "@" => {}
            Some((HoleKind::CommandSubstitution, true)) => {}
            _ if kind != Unknown::Anything => self.several = true,
            // `"${list[@]}"` is several words, and an expansion does not tell whether it is one.
            _ => self.splits = true,
        }
        self.text.to_mut().push(HOLE);
    }

    /// The text, with [`HOLE`] for what is not known.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The text where all of it is known.
    pub(super) fn known(&self) -> Option<&str> {
        (!self.has_hole()).then_some(&self.text)
    }

    /// What it certainly begins with.
    pub(super) fn lead(&self) -> &str {
        self.text.split(HOLE).next().unwrap_or_default()
    }

    pub(super) fn has_hole(&self) -> bool {
        self.text.contains(HOLE)
    }

    /// Whether arguments of any kind may hide in it, beside the one that begins like it.
    pub(super) fn hides_more(&self) -> bool {
        self.splits || self.several && (self.lead().is_empty() || self.lead().starts_with('-'))
    }

    /// Whether nothing at all is known of it.
    pub(super) fn is_unknown(&self) -> bool {
        self.splits || self.has_hole() && self.lead().is_empty()
    }
}
