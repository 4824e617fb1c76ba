use crate::Span;

/// A path as a command names it, with the parts of it that only execution can tell.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PathText {
    pub(super) pieces: Vec<PathPiece>,
}

/// A part of a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PathPiece {
    /// Text that is known, after quote removal.
    Text(String),
    /// Text that only execution can tell.
    Unknown {
        /// What is known of it all the same.
        kind: Unknown,
        /// Where it was written, or the word that it is a part of.
        span: Span,
    },
}

/// What is known of a text that only execution can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::EnumIter)]
pub enum Unknown {
    /// Nothing: it may hold slashes, and so lead anywhere.
    Anything,
    /// It is a whole number.
    Number,
    /// It is the part of a file name that a pattern matches, and so has no slash.
    Pattern,
    /// The same, and no dot either.
    PatternWithoutDots,
    /// It is a part of a path that a program's own pattern matches: it may hold slashes, and leads further down.
    Below,
}

impl Unknown {
    /// Whether the text may hold a slash.
    #[must_use]
    pub fn may_hold_slash(self) -> bool {
        match self {
            Self::Anything | Self::Below => true,
            Self::Number | Self::Pattern | Self::PatternWithoutDots => false,
        }
    }

    /// Whether the text may lead out of the directory before it.
    #[must_use]
    pub fn may_climb(self) -> bool {
        match self {
            Self::Anything => true,
            Self::Number | Self::Pattern | Self::PatternWithoutDots | Self::Below => false,
        }
    }

    /// Whether a pattern matches it.
    pub(super) fn is_pattern(self) -> bool {
        match self {
            Self::Pattern | Self::PatternWithoutDots => true,
            Self::Anything | Self::Number | Self::Below => false,
        }
    }
}

impl PathPiece {
    /// Whether it may be any text.
    pub(super) fn is_anything(&self) -> bool {
        matches!(self, Self::Unknown { kind: Unknown::Anything, .. })
    }
}

impl PathText {
    /// The path that is all known.
    #[must_use]
    pub fn known(text: &str) -> Self {
        let mut path = Self::default();
        path.push_text(text);
        path
    }

    /// Its parts; no two adjacent ones are text.
    #[must_use]
    pub fn pieces(&self) -> &[PathPiece] {
        &self.pieces
    }

    /// The whole text, where all of it is known.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [] => Some(""),
            [PathPiece::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// The text before the first unknown part.
    #[must_use]
    pub fn leading(&self) -> &str {
        match self.pieces.first() {
            Some(PathPiece::Text(text)) => text,
            Some(PathPiece::Unknown { .. }) | None => "",
        }
    }

    pub(super) fn push_text(&mut self, text: &str) {
        match self.pieces.last_mut() {
            _ if text.is_empty() => {}
            Some(PathPiece::Text(known)) => known.push_str(text),
            _ => self.pieces.push(PathPiece::Text(text.to_owned())),
        }
    }

    pub(super) fn push(&mut self, piece: PathPiece) {
        match piece {
            PathPiece::Text(text) => self.push_text(&text),
            unknown @ PathPiece::Unknown { .. } => self.pieces.push(unknown),
        }
    }

    /// Adds what `other` holds.
    pub(super) fn extend(&mut self, other: &Self) {
        other.pieces.iter().cloned().for_each(|piece| self.push(piece));
    }

    /// The known parts, in order.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            PathPiece::Text(text) => Some(text.as_str()),
            PathPiece::Unknown { .. } => None,
        })
    }

    pub(super) fn contains(&self, pattern: &str) -> bool {
        self.texts().any(|text| text.contains(pattern))
    }

    /// The same without its first `bytes`, which are known.
    #[must_use]
    pub fn behind(&self, bytes: usize) -> Self {
        let mut rest = Self::default();
        for (index, piece) in self.pieces.iter().enumerate() {
            match piece {
                PathPiece::Text(text) if index == 0 => rest.push_text(text.get(bytes..).unwrap_or_default()),
                other @ (PathPiece::Text(_) | PathPiece::Unknown { .. }) => rest.push(other.clone()),
            }
        }
        rest
    }

    /// `text` and then this.
    pub(super) fn after(&self, text: &str) -> Self {
        let mut whole = Self::known(text);
        self.pieces.iter().cloned().for_each(|piece| whole.push(piece));
        whole
    }
}
