//! Here-documents, found from the bytes (bash manual 3.6.6).

use super::chars;
use crate::Span;

/// A here-document whose delimiter is of a plain form and whose end was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HereDocument {
    /// The offset of the first `<`.
    pub(super) operator: usize,
    /// The delimiter word as typed.
    pub(super) delimiter: Span,
    /// Whether it is quoted.
    pub(super) quoted: bool,
    /// Whether the operator is `<<-`.
    pub(super) tabs: bool,
    /// From behind the newline that starts the body to the first byte of the delimiter's line.
    pub(super) body: Span,
    /// The end of the delimiter's line, without its newline.
    pub(super) end: usize,
}

impl HereDocument {
    /// Reads the operator at `operator` and the delimiter behind it; the body is still to be found.
    ///
    /// None where there is no such operator, or the delimiter is of another form than `E`, `\E`, `'E'` or `"E"`, `E`
    /// without quotes, expansions and blanks.
    pub(super) fn open(source: &str, operator: usize) -> Option<Self> {
        let bytes = source.as_bytes();
        let rest = bytes.get(operator..)?.strip_prefix(b"<<")?;
        let tabs = rest.first() == Some(&b'-');
        let behind = operator + 2 + usize::from(tabs);
        let blanks = bytes.get(behind..)?.iter().take_while(|&&byte| chars::is_blank(byte)).count();
        let start = behind + blanks;
        let word = bytes.get(start..)?;
        let (quoted, length) = match *word.first()? {
            quote @ (b'\'' | b'"') => {
                let inside = plain(word.get(1..)?);
                (*word.get(1 + inside)? == quote).then_some((true, inside + 2))?
            }
            b'\\' => (true, plain(word.get(1..)?) + 1),
            _ => (false, plain(word)),
        };
        let end = start + length;
        let complete = bytes.get(end).is_none_or(|&byte| chars::is_delimiter(byte));
        let document =
            Self { operator, delimiter: Span::new(start, end), quoted, tabs, body: Span::new(end, end), end };
        (complete && !document.value(source).is_empty()).then_some(document)
    }

    /// Finds the body, which starts at `start`; none where no line is the delimiter.
    pub(super) fn close(mut self, source: &str, start: usize) -> Option<Self> {
        let delimiter = self.value(source);
        let mut at = start;
        // The physical lines that escaped newlines join to one, as far as they can be the delimiter.
        let mut joined = String::new();
        loop {
            let line = source.get(at..)?.split('\n').next()?;
            let end = at + line.len();
            let continues = !self.quoted && line.bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 1;
            let line = if self.tabs && joined.is_empty() { line.trim_start_matches('\t') } else { line };
            let candidate = if continues { line.strip_suffix('\\').unwrap_or(line) } else { line };
            if joined.is_empty() && !continues && candidate == delimiter {
                self.body = Span::new(start, at);
                self.end = end;
                return Some(self);
            }
            joined.extend(candidate.chars().take(delimiter.len() + 1));
            if !continues {
                // A delimiter in pieces is one that people do not see.
                if joined == delimiter {
                    return None;
                }
                joined.clear();
            } else if joined.is_empty() {
                // Nothing was joined yet, but what follows is no line of its own.
                return None;
            }
            at = end + 1;
        }
    }

    /// The delimiter without its quotes.
    fn value<'s>(&self, source: &'s str) -> &'s str {
        self.delimiter.of(source).trim_start_matches('\\').trim_matches(['\'', '"'])
    }
}

/// How many bytes of `text` may stand in a delimiter of a plain form.
fn plain(text: &[u8]) -> usize {
    text.iter()
        .take_while(|&&byte| byte > b' ' && byte < 0x7f && !chars::is_delimiter(byte) && !b"'\"\\$`".contains(&byte))
        .count()
}
