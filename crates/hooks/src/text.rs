//! Texts that people and agents are shown.

/// How many characters of a command are shown.
const MOST_SHOWN: usize = 400;

/// User text on one line, with what a terminal would act on made visible, and cut where it is long.
pub(crate) fn shown(text: &str) -> String {
    let escaped = |c: char| if matches!(c, '"' | '\'' | '\\') { c.to_string() } else { c.escape_debug().to_string() };
    let mut shown: String = text.chars().take(MOST_SHOWN).map(escaped).collect();
    if text.chars().nth(MOST_SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_escaped_and_what_is_long_is_cut() {
        assert_eq!(shown("a 'b'\n\u{202e}é"), "a 'b'\\n\\u{202e}é");
        assert_eq!(shown(&"x".repeat(MOST_SHOWN)).chars().count(), MOST_SHOWN);
        assert!(shown(&"x".repeat(MOST_SHOWN + 1)).ends_with("x…"));
    }
}
