//! The patterns of rules, and how they match text that is known.

/// A pattern of a rule, ready to match.
///
/// `*` stands for any text, newlines included, `?` for one character (as the host counts them: one UTF-16 code unit),
/// and a blank and a star at the end may both be missing, so that `git *` matches `git`. Everything else is itself.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    /// As the file writes it.
    pub(crate) source: String,
    /// Its elements, the optional tail included.
    elements: Vec<Element>,
    /// How many of the elements are left when the optional tail is missing.
    bare: Option<usize>,
    /// The two readings as plain text between stars; none where the pattern holds a `?`.
    globs: Option<Vec<Glob>>,
    keys: Keys,
    catch_all: bool,
}

/// One element of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    /// This UTF-16 code unit.
    Unit(u16),
    /// Any one code unit: `?`.
    One,
    /// Any text: `*`.
    Many,
}

/// What a text must hold to match a pattern at all, so that most rules need not be tried.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keys {
    /// What the text starts with.
    pub(crate) prefix: String,
    /// What the text ends with.
    pub(crate) suffix: String,
    /// What stands somewhere in the text.
    pub(crate) inner: String,
}

/// Text between stars.
#[derive(Clone, Debug)]
struct Glob {
    first: String,
    middle: Vec<String>,
    /// None where there is no star, and the text is `first`.
    last: Option<String>,
}

impl Pattern {
    /// Compiles `source`; a home prefix in it (`~`, `$HOME`, alone or before a slash) stands for `home`.
    pub(crate) fn compile(source: &str, home: Option<&str>) -> Self {
        let home_path = home.zip(home_relative(source)).map(|(home, rest)| join_home(home, rest));
        match home_path {
            // A home directory is plain text, whatever characters it holds.
            Some((literal, wild)) => Self::from_parts(source, &literal, &wild),
            None => Self::from_parts(source, "", source),
        }
    }

    /// Whether what `source` matches depends on the home directory.
    pub(crate) fn needs_home(source: &str) -> bool {
        home_relative(source).is_some()
    }

    fn from_parts(source: &str, literal: &str, wild: &str) -> Self {
        let mut elements: Vec<Element> = literal.encode_utf16().map(Element::Unit).collect();
        let literal_len = elements.len();
        elements.extend(wild.encode_utf16().map(|unit| match unit {
            0x2a => Element::Many,
            0x3f => Element::One,
            other => Element::Unit(other),
        }));
        let optional = wild.ends_with(" *") || (wild == "*" && literal.ends_with(' '));
        let bare = optional.then(|| elements.len().saturating_sub(2));
        let bare_wild = if optional { wild.strip_suffix(" *").unwrap_or_default() } else { wild };
        let globs = (!wild.contains('?')).then(|| {
            let tailed = optional.then(|| Glob::new(literal, wild));
            std::iter::once(Glob::new(literal, bare_wild)).chain(tailed).collect()
        });
        let shortest = elements.get(..bare.unwrap_or(elements.len())).unwrap_or_default();
        let catch_all = literal_len == 0 && !shortest.is_empty() && shortest.iter().all(|e| *e == Element::Many);
        let keys = Keys::new(literal, bare_wild, optional);
        Self { source: source.to_owned(), elements, bare, globs, keys, catch_all }
    }

    /// Whether `text` matches.
    pub(crate) fn matches(&self, text: &str) -> bool {
        match &self.globs {
            Some(globs) => globs.iter().any(|glob| glob.matches(text)),
            None => {
                let units: Vec<u16> = text.encode_utf16().collect();
                self.readings().any(|elements| greedy(elements, &units))
            }
        }
    }

    /// The directory that the pattern names before its first wildcard, and the rest, where it names an absolute path.
    pub(crate) fn directory(&self) -> Option<(String, String)> {
        let wildcard = |element: &Element| !matches!(element, Element::Unit(_));
        let slash = Element::Unit(u16::from(b'/'));
        let known = self.elements.iter().position(wildcard).unwrap_or(self.elements.len());
        let last = self.elements.get(..known)?.iter().rposition(|element| *element == slash)?;
        if self.elements.first() != Some(&slash) {
            return None;
        }
        let written = |elements: &[Element]| {
            let units: Vec<u16> = elements
                .iter()
                .map(|element| match element {
                    Element::Unit(unit) => *unit,
                    Element::One => u16::from(b'?'),
                    Element::Many => u16::from(b'*'),
                })
                .collect();
            String::from_utf16(&units).ok()
        };
        Some((written(self.elements.get(..last)?)?, written(self.elements.get(last..)?.get(1..)?)?))
    }

    /// Whether every text matches.
    pub(crate) fn is_catch_all(&self) -> bool {
        self.catch_all
    }

    pub(crate) fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The elements, the optional tail included.
    pub(crate) fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// Whether a text may end where the first `consumed` elements are used up.
    pub(crate) fn accepts_at(&self, consumed: usize) -> bool {
        consumed == self.elements.len() || Some(consumed) == self.bare
    }

    fn readings(&self) -> impl Iterator<Item = &[Element]> {
        let bare = self.bare.and_then(|length| self.elements.get(..length));
        bare.into_iter().chain(std::iter::once(self.elements.as_slice()))
    }
}

impl Keys {
    fn new(literal: &str, bare_wild: &str, optional_tail: bool) -> Self {
        let wildcard = |c: char| c == '*' || c == '?';
        let mut pieces = bare_wild.split(wildcard);
        let first = pieces.next().unwrap_or_default();
        let rest: Vec<&str> = pieces.collect();
        let suffix = if optional_tail { "" } else { rest.last().copied().unwrap_or_default() };
        let inner = rest.iter().max_by_key(|piece| piece.len()).copied().unwrap_or_default();
        Self { prefix: format!("{literal}{first}"), suffix: suffix.to_owned(), inner: inner.to_owned() }
    }
}

impl Glob {
    fn new(literal: &str, wild: &str) -> Self {
        let mut pieces = wild.split('*');
        let first = format!("{literal}{}", pieces.next().unwrap_or_default());
        let mut middle: Vec<String> = pieces.map(str::to_owned).collect();
        let last = middle.pop();
        middle.retain(|piece| !piece.is_empty());
        Self { first, middle, last }
    }

    fn matches(&self, text: &str) -> bool {
        let Some(last) = &self.last else { return text == self.first };
        let Some(rest) = text.strip_prefix(self.first.as_str()) else { return false };
        let Some(mut rest) = rest.strip_suffix(last.as_str()) else { return false };
        // The leftmost place for each piece leaves the most room for the next ones.
        for piece in &self.middle {
            let Some((_, behind)) = rest.split_once(piece.as_str()) else { return false };
            rest = behind;
        }
        true
    }
}

/// What stands behind the home prefix of `source`, if it has one: `~`, `$HOME`, alone or before a slash.
fn home_relative(source: &str) -> Option<&str> {
    let rest = source.strip_prefix('~').or_else(|| source.strip_prefix("$HOME"))?;
    (rest.is_empty() || rest.starts_with('/')).then_some(rest)
}

/// `home` and `rest` as one path without `.`, `..` and doubled slashes, as the host joins them: the part of it that comes
/// from `home`, and the part that comes from `rest`.
fn join_home(home: &str, rest: &str) -> (String, String) {
    let mut base: Vec<&str> = home.split('/').filter(|part| !part.is_empty()).collect();
    let mut tail: Vec<&str> = vec![];
    for part in rest.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(tail.pop().or_else(|| base.pop())),
            other => tail.push(other),
        }
    }
    let joined = |parts: &[&str]| parts.iter().map(|part| format!("/{part}")).collect::<String>();
    let slash = if rest.ends_with('/') || (base.is_empty() && tail.is_empty()) { "/" } else { "" };
    (joined(&base), format!("{}{slash}", joined(&tail)))
}

/// The classic match with one point to come back to: the last star.
fn greedy(elements: &[Element], text: &[u16]) -> bool {
    let (mut at, mut read) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while let Some(unit) = text.get(read) {
        match elements.get(at) {
            Some(Element::Many) => {
                star = Some((at, read));
                at += 1;
            }
            Some(Element::Unit(expected)) if expected == unit => (at, read) = (at + 1, read + 1),
            Some(Element::One) => (at, read) = (at + 1, read + 1),
            Some(Element::Unit(_)) | None => {
                let Some((star_at, star_read)) = star else { return false };
                star = Some((star_at, star_read + 1));
                (at, read) = (star_at + 1, star_read + 1);
            }
        }
    }
    elements.get(at..).is_some_and(|rest| rest.iter().all(|element| *element == Element::Many))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[track_caller]
    fn check(pattern: &str, text: &str, expected: bool) {
        let pattern = Pattern::compile(pattern, Some("/home/user"));
        assert_eq!(pattern.matches(text), expected, "`{}` against {text:?}", pattern.source);
        // The slow way over UTF-16 says the same.
        let units: Vec<u16> = text.encode_utf16().collect();
        assert_eq!(pattern.readings().any(|elements| greedy(elements, &units)), expected);
    }

    #[rstest]
    #[case::itself("git status", "git status", true)]
    #[case::not_more("git status", "git status -s", false)]
    #[case::not_less("git status", "git statu", false)]
    #[case::star("git*", "gitk", true)]
    #[case::star_is_empty("git*", "git", true)]
    #[case::tail("git *", "git status", true)]
    #[case::tail_missing("git *", "git", true)]
    #[case::tail_needs_its_blank("git *", "gitk", false)]
    #[case::tail_after_blank("git *", "git ", true)]
    #[case::two_stars_are_no_tail("git **", "git", false)]
    #[case::two_stars("git **", "git x", true)]
    #[case::star_crosses_newlines("echo *", "echo a\nb", true)]
    #[case::star_crosses_slashes("src/*", "src/a/b", true)]
    #[case::middle("git * push *", "git -C x push y", true)]
    #[case::middle_tail_missing("git * push *", "git -C x push", true)]
    #[case::middle_not_there("git * push *", "git -C x pull", false)]
    #[case::pieces_do_not_overlap("a*a", "a", false)]
    #[case::pieces_in_order("*b*a*", "ab", false)]
    #[case::suffix("*.env", "prod.env", true)]
    #[case::suffix_only_at_end("*.env", ".env.local", false)]
    #[case::one("l?", "ls", true)]
    #[case::one_is_not_none("l?", "l", false)]
    #[case::one_is_not_two("l?", "lsx", false)]
    #[case::one_is_a_newline("a?b", "a\nb", true)]
    #[case::one_in_the_middle("a*b?c*", "axbbcc", true)]
    #[case::one_counts_utf16("?", "\u{1f600}", false)]
    #[case::two_count_utf16("??", "\u{1f600}", true)]
    #[case::regex_characters("a.c (x) [y] +$^|\\", "a.c (x) [y] +$^|\\", true)]
    #[case::a_dot_is_a_dot("a.c", "abc", false)]
    #[case::empty("", "", true)]
    #[case::empty_is_not_all("", "x", false)]
    #[case::only_tail(" *", "", true)]
    #[case::case_counts("Git *", "git x", false)]
    fn patterns_match_as_the_host_matches(#[case] pattern: &str, #[case] text: &str, #[case] expected: bool) {
        check(pattern, text, expected);
    }

    #[rstest]
    #[case::tilde("~", "/home/user", true)]
    #[case::tilde_is_no_text("~", "~", false)]
    #[case::below("~/.ssh/*", "/home/user/.ssh/id", true)]
    #[case::variable("$HOME/.ssh/*", "/home/user/.ssh/id", true)]
    #[case::doubled_slash("~//x", "/home/user/x", true)]
    #[case::dots("~/../*", "/home/other", true)]
    #[case::out_of_the_root("~/../../../x", "/x", true)]
    #[case::trailing_slash("~/x/", "/home/user/x/", true)]
    #[case::another_user("~root/x", "~root/x", true)]
    #[case::not_in_the_middle("rm ~/x", "rm ~/x", true)]
    #[case::not_a_longer_name("$HOMES/x", "$HOMES/x", true)]
    fn a_home_prefix_stands_for_the_home(#[case] pattern: &str, #[case] text: &str, #[case] expected: bool) {
        check(pattern, text, expected);
    }

    #[test]
    fn a_home_with_a_star_is_text() {
        let pattern = Pattern::compile("~/*", Some("/home/a*b"));
        assert!(pattern.matches("/home/a*b/x"));
        assert!(!pattern.matches("/home/axb/x"));
    }

    #[rstest]
    #[case("*", true)]
    #[case("**", true)]
    #[case("* *", true)]
    #[case("?*", false)]
    #[case(" *", false)]
    #[case("a*", false)]
    #[case("", false)]
    fn a_catch_all_matches_everything(#[case] pattern: &str, #[case] expected: bool) {
        let pattern = Pattern::compile(pattern, None);
        assert_eq!(pattern.is_catch_all(), expected);
        if expected {
            assert!(pattern.matches("") && pattern.matches("x y"));
        }
    }
}
