/// A half-open range of byte offsets into a UTF-8 command text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The offset of the first byte.
    pub start: usize,
    /// The offset behind the last byte.
    pub end: usize,
}

impl Span {
    /// The span from `start` up to, and without, `end`.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The bytes of `source` in this span, or an empty string where it does not lie on character boundaries of `source`.
    #[must_use]
    pub fn of(self, source: &str) -> &str {
        source.get(self.start..self.end).unwrap_or_default()
    }

    /// How many bytes the span holds.
    #[must_use]
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Whether the span holds no byte.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// Whether every byte of `other` lies in this span.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}
