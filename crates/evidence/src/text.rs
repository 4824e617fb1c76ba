/// Removes what JavaScript's `String.prototype.trim` removes.
///
/// The payload's builder is JavaScript, and its idea of white space is neither Rust's nor bash's: it includes U+FEFF, which
/// Rust's `trim` keeps, and excludes U+0085, which Rust's `trim` removes.
///
/// ```
/// assert_eq!(innercmd_evidence::js_trim("\u{feff}\u{a0} ls \n"), "ls");
/// assert_eq!(innercmd_evidence::js_trim("\u{85}ls"), "\u{85}ls");
/// ```
#[must_use]
pub fn js_trim(text: &str) -> &str {
    text.trim_matches(is_js_white_space)
}

/// Whether nothing is left of `text` after JavaScript's trim.
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars().all(is_js_white_space)
}

/// Whether `text` ends in a backslash that no backslash before it quotes.
pub(crate) fn ends_in_bare_backslash(text: &str) -> bool {
    text.bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 1
}

/// ECMAScript's WhiteSpace and LineTerminator (ECMA-262, "White Space" and "Line Terminators"): six characters by name, four
/// line terminators, and the general category Zs.
fn is_js_white_space(c: char) -> bool {
    matches!(
        c,
        '\t' | '\u{b}' | '\u{c}' | '\u{feff}'               // WhiteSpace by name; U+0020 and U+00A0 are also in Zs
        | '\n' | '\r' | '\u{2028}' | '\u{2029}'             // LineTerminator
        | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' // Zs
    )
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("\u{9}\u{a}\u{b}\u{c}\u{d}\u{20}\u{a0}\u{1680}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}")]
    #[case("\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}\u{2007}\u{2008}\u{2009}\u{200a}")]
    fn every_character_of_the_specification_is_trimmed(#[case] listed: &str) {
        for c in listed.chars() {
            assert_eq!(js_trim(&format!("{c}ls{c}")), "ls", "U+{:04X}", u32::from(c));
            assert!(is_blank(&c.to_string()), "U+{:04X}", u32::from(c));
        }
        assert!(is_blank(listed));
    }

    #[rstest]
    #[case('\u{0}')]
    #[case('\u{1c}')]
    #[case('\u{85}')]
    #[case('\u{180e}')]
    #[case('\u{200b}')]
    #[case('\u{2060}')]
    #[case('\u{fffe}')]
    #[case('x')]
    fn other_characters_are_kept(#[case] c: char) {
        assert_eq!(js_trim(&format!(" {c} ")), c.to_string());
        assert!(!is_blank(&format!(" {c} ")));
    }

    // Rust's idea comes from Unicode's property White_Space; the two differ in exactly two characters.
    #[test]
    fn it_differs_from_unicode_white_space_in_two_characters() {
        let differing: Vec<char> =
            ('\0'..=char::MAX).filter(|&c| is_js_white_space(c) != char::is_whitespace(c)).collect();
        assert_eq!(differing, ['\u{85}', '\u{feff}']);
    }

    #[rstest]
    #[case("", true)]
    #[case("\u{feff}\n", true)]
    #[case("\u{85}", false)]
    #[case(" a ", false)]
    fn blank_means_nothing_is_left(#[case] text: &str, #[case] blank: bool) {
        assert_eq!(is_blank(text), blank);
        assert_eq!(js_trim(text).is_empty(), blank);
    }

    #[rstest]
    #[case("ls \\", true)]
    #[case("ls \\\\", false)]
    #[case("ls \\\\\\", true)]
    #[case("\\", true)]
    #[case("ls \\ x", false)]
    #[case("", false)]
    fn a_bare_backslash_is_an_odd_one_at_the_end(#[case] text: &str, #[case] bare: bool) {
        assert_eq!(ends_in_bare_backslash(text), bare);
    }
}
