/// `text` with what cannot be seen in it made visible: control characters, invisible and bidirectional marks.
pub(crate) fn printable(text: &str) -> String {
    let visible = |c: char| matches!(c, '"' | '\'' | '\\');
    text.chars()
        .flat_map(|c| if visible(c) { c.to_string().chars().collect::<Vec<_>>() } else { c.escape_debug().collect() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn what_cannot_be_seen_is_escaped() {
        assert_eq!(printable("a \"b\"\n\u{202e}\u{200b}é"), "a \"b\"\\n\\u{202e}\\u{200b}é");
    }
}
