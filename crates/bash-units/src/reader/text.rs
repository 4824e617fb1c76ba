//! The bytes of the text and what each may mean.

/// Whether bash treats the byte as a blank (bash manual 2, "blank").
pub(super) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Whether an unquoted byte ends a word (bash manual 2, "metacharacter").
pub(super) const fn is_metacharacter(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>')
}

/// Whether the byte may start a name (bash manual 2, "name").
pub(super) const fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// Whether the byte may continue a name.
pub(super) const fn continues_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether the byte is a special parameter (bash manual 3.4.2).
pub(super) const fn is_special_parameter(byte: u8) -> bool {
    matches!(byte, b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!')
}

/// Whether people cannot see the character, or see it as something that bash does not read it as.
///
/// Controls but tab and newline, blanks other than bash's, format and bidirectional controls, fillers, tags and variation selectors
/// (Unicode general categories Cc, Cf, Zs, Zl, Zp and the default-ignorable code points).
pub(super) const fn is_deceptive(character: char) -> bool {
    matches!(character,
        '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{a0}' | '\u{ad}' | '\u{34f}' | '\u{61c}'
        | '\u{115f}'..='\u{1160}' | '\u{1680}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{2000}'..='\u{200f}' | '\u{2028}'..='\u{202f}' | '\u{205f}'..='\u{206f}' | '\u{3000}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether the byte stands for itself wherever an unquoted word can stand: no meaning to the reader, no pattern, no brace.
pub(super) const fn is_ordinary(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'/' | b'.' | b',' | b':' | b'=' | b'+' | b'@' | b'%' | b'^')
}
