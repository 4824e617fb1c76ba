/// The longest piece of user text in a sentence, in characters.
const LONGEST: usize = 400;

/// User text as it may stand between backticks in a sentence: on one line, without control characters, and not endless.
pub(crate) fn shown(text: &str) -> String {
    let mut shown = String::new();
    for (count, character) in text.chars().enumerate() {
        if count == LONGEST {
            shown.push('…');
            break;
        }
        if character.is_control() { shown.extend(character.escape_default()) } else { shown.push(character) }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_long_text_is_cut() {
        assert_eq!(shown("a\nb\u{1b}[0m é"), "a\\nb\\u{1b}[0m é");
        assert_eq!(shown(&"x".repeat(1_000)).chars().count(), LONGEST + 1);
    }
}
