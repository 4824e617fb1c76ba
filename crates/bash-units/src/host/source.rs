//! The text that the offsets of a tree are of.

use tree_sitter::Node;

use crate::Span;

/// A text, and how offsets of a tree lead to it.
pub(super) struct Source<'s> {
    text: &'s str,
    /// Where it starts in the whole text.
    base: usize,
    /// The text in UTF-16, where the tree is of that.
    pub(super) units: Vec<u16>,
    /// How many bytes a code unit of the tree's text has.
    unit_bytes: usize,
    /// The offset in `text` of each code unit, and of the end; none where the two are the same.
    offsets: Option<Vec<usize>>,
}

impl<'s> Source<'s> {
    /// The text as it is.
    pub(super) fn as_it_is(text: &'s str) -> Self {
        Self { text, base: 0, units: vec![], unit_bytes: 1, offsets: None }
    }

    /// The text of `whole` as pi-permission-system hands it to the parser: without the blanks around it, and in UTF-16, since what
    /// the parser makes of an error depends on how many bytes it would skip.
    pub(super) fn as_javascript(whole: &'s str) -> Self {
        let without = whole.trim_start_matches(is_js_space);
        let base = whole.len().saturating_sub(without.len());
        let text = without.trim_end_matches(is_js_space);
        let units: Vec<u16> = text.encode_utf16().collect();
        let offsets = (units.len() != text.len()).then(|| {
            let of_each = text.char_indices().flat_map(|(at, c)| std::iter::repeat_n(at, c.len_utf16()));
            of_each.chain([text.len()]).collect()
        });
        Self { text, base, units, unit_bytes: 2, offsets }
    }

    /// Where `node` stands in the text.
    pub(super) fn span(&self, node: Node<'_>) -> Span {
        self.between(node, node)
    }

    /// From the start of `first` to the end of `last`.
    pub(super) fn between(&self, first: Node<'_>, last: Node<'_>) -> Span {
        Span::new(self.base + self.offset(first.start_byte()), self.base + self.offset(last.end_byte()))
    }

    pub(super) fn text(&self, node: Node<'_>) -> &'s str {
        let (start, end) = (self.offset(node.start_byte()), self.offset(node.end_byte()));
        self.text.get(start..end).unwrap_or_default()
    }

    /// The offset in the text of a byte of the code units.
    fn offset(&self, byte: usize) -> usize {
        let unit = byte / self.unit_bytes;
        match &self.offsets {
            Some(offsets) => offsets.get(unit).copied().unwrap_or(self.text.len()),
            None => unit,
        }
    }
}

/// Whether JavaScript would take nothing off `text`.
pub(super) fn is_trimmed(text: &str) -> bool {
    !text.starts_with(is_js_space) && !text.ends_with(is_js_space)
}

/// What JavaScript trims (ECMA-262, `String.prototype.trim`).
fn is_js_space(c: char) -> bool {
    (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}'
}
