//! Classes of bytes and characters (bash manual 2, POSIX Shell Command Language 2.2, 2.10.2).

/// Whether `byte` separates words: a space or a tab, whatever the locale.
pub(super) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Whether `byte` begins or continues an operator where it is not quoted.
pub(super) const fn is_operator(byte: u8) -> bool {
    matches!(byte, b'|' | b'&' | b';' | b'(' | b')' | b'<' | b'>')
}

/// Whether a word ends before `byte`.
pub(super) const fn is_delimiter(byte: u8) -> bool {
    is_blank(byte) || is_operator(byte) || byte == b'\n'
}

/// Whether a name may begin with `byte`.
pub(super) const fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// Whether `byte` may be part of a name.
pub(super) const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// How many bytes of `text` are a name.
pub(super) fn name_length(text: &[u8]) -> usize {
    match text.first() {
        Some(&byte) if is_name_start(byte) => text.iter().take_while(|&&byte| is_name(byte)).count(),
        _ => 0,
    }
}

/// Whether people may see something else than bash reads where `character` stands outside quotes: a control, a blank
/// that bash takes for a letter, or a character without a shape or against the direction of the text.
pub(super) fn is_deceptive(character: char) -> bool {
    character.is_control()
        || (!character.is_ascii() && character.is_whitespace())
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// The words that are no programs where a command may begin (bash manual 3.2.1).
pub(super) fn is_reserved(word: &str) -> bool {
    matches!(
        word,
        "if" | "then"
            | "else"
            | "elif"
            | "fi"
            | "do"
            | "done"
            | "case"
            | "esac"
            | "while"
            | "until"
            | "for"
            | "select"
            | "function"
            | "time"
            | "coproc"
            | "{"
            | "}"
            | "!"
            | "[["
    )
}
