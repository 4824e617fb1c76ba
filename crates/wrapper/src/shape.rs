use std::borrow::Cow;

use innercmd_bash_units::{HoleKind, Part, Word};

/// What is known of a word before anything runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape<'w> {
    /// The text in front of the first hole; the whole text where there is none.
    pub(crate) lead: Cow<'w, str>,
    /// How many words it becomes.
    pub(crate) count: Count,
}

/// How many words bash makes of one (bash manual 3.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    /// One, whose text is known.
    Known,
    /// One, whose text is known only as far as its first hole.
    One,
    /// Several, or one, which all begin alike: file names for a pattern.
    Alike,
    /// None, one, or several of any kind.
    Any,
}

impl<'w> Shape<'w> {
    pub(crate) fn of(word: &'w Word) -> Self {
        Self { lead: lead(word), count: count(word) }
    }

    /// The text where it is known.
    pub(crate) fn known(&self) -> Option<&str> {
        (self.count == Count::Known).then_some(self.lead.as_ref())
    }

    /// Whether every word it becomes is certainly no option: it begins with something else than a dash.
    pub(crate) fn is_operand(&self) -> bool {
        match self.count {
            Count::Known => !self.lead.starts_with('-') || self.lead == "-",
            Count::One | Count::Alike => !self.lead.is_empty() && !self.lead.starts_with('-'),
            Count::Any => false,
        }
    }
}

/// The name or path of the program that a word names, where only a tilde-prefix in it is computed, if anything.
pub(crate) fn program_name(word: &Word) -> Option<Cow<'_, str>> {
    let Some((Part::Hole { kind: HoleKind::Tilde(_), .. }, path)) = word.parts.split_first() else {
        return word.literal();
    };
    let path = path.iter().map(|part| match part {
        Part::Literal { text, .. } => Some(text.as_str()),
        Part::Hole { .. } => None,
    });
    path.collect::<Option<String>>().filter(|path| path.starts_with('/')).map(|path| Cow::Owned(format!("~{path}")))
}

/// Whether `word` has the form `NAME=…` of an operand that sets a variable; a computed one counts once its `=` is known.
pub(crate) fn assigns(word: &Word) -> Option<String> {
    let shape = Shape::of(word);
    if shape.count == Count::Any {
        return None;
    }
    shape.lead.split_once('=').map(|(name, _)| name.to_owned())
}

/// The word that is left when the first `bytes` bytes of its literal beginning are taken away.
pub(crate) fn suffix(word: &Word, bytes: usize) -> Word {
    let mut left = bytes;
    let mut parts = Vec::with_capacity(word.parts.len());
    for part in &word.parts {
        match part {
            Part::Literal { text, quoted } if left > 0 => {
                let cut = left.min(text.len());
                left -= cut;
                if let Some(rest) = text.get(cut..).filter(|rest| !rest.is_empty()) {
                    parts.push(Part::Literal { text: rest.to_owned(), quoted: *quoted });
                }
            }
            Part::Literal { .. } | Part::Hole { .. } => parts.push(part.clone()),
        }
    }
    Word { span: word.span, parts }
}

/// A word of known text that stands where `like` does.
pub(crate) fn literal(text: &str, like: &Word) -> Word {
    let parts = if text.is_empty() { vec![] } else { vec![Part::Literal { text: text.to_owned(), quoted: true }] };
    Word { span: like.span, parts }
}

fn lead(word: &Word) -> Cow<'_, str> {
    let mut literals = word.parts.iter().map_while(|part| match part {
        Part::Literal { text, .. } => Some(text.as_str()),
        Part::Hole { .. } => None,
    });
    let Some(first) = literals.next() else {
        return Cow::Borrowed(hole_lead(word));
    };
    literals.fold(Cow::Borrowed(first), |whole, next| whole + next)
}

/// How a word begins that begins with a hole: a tilde-prefix and a process substitution become paths.
fn hole_lead(word: &Word) -> &'static str {
    match word.parts.first() {
        Some(Part::Hole { kind: HoleKind::Tilde(_) | HoleKind::ProcessSubstitution, .. }) => "/",
        Some(_) | None => "",
    }
}

fn count(word: &Word) -> Count {
    word.parts.iter().fold(Count::Known, |count, part| match part {
        Part::Literal { .. } => count,
        Part::Hole { kind, quoted, .. } => wider(count, hole_count(kind, *quoted)),
    })
}

fn hole_count(kind: &HoleKind, quoted: bool) -> Count {
    match kind {
        HoleKind::Glob => Count::Alike,
        HoleKind::Brace => Count::Any,
        HoleKind::Tilde(_) | HoleKind::ProcessSubstitution | HoleKind::Arithmetic => Count::One,
        // `"$@"` is as many words as there are positional parameters (bash manual 3.4.2).
        HoleKind::Parameter(name) if quoted && name != "@" => Count::One,
        HoleKind::CommandSubstitution if quoted => Count::One,
        // `"${a[@]}"` and `"${@:2}"` are several words, and an expansion does not tell which it is.
        HoleKind::Parameter(_) | HoleKind::CommandSubstitution | HoleKind::Expansion => Count::Any,
    }
}

fn wider(one: Count, other: Count) -> Count {
    let rank = |count| match count {
        Count::Known => 0,
        Count::One => 1,
        Count::Alike => 2,
        Count::Any => 3,
    };
    if rank(one) >= rank(other) { one } else { other }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::testing::{render, words};

    #[rstest]
    #[case::plain("ls", "ls", Count::Known)]
    #[case::quoted("l's'", "ls", Count::Known)]
    #[case::empty("''", "", Count::Known)]
    #[case::quoted_parameter(r#"a"$b"c"#, "a", Count::One)]
    #[case::parameter("a$b", "a", Count::Any)]
    #[case::positional(r#""$@""#, "", Count::Any)]
    #[case::pattern("src/*", "src/", Count::Alike)]
    #[case::home("~/x", "/", Count::One)]
    fn a_word_is_known_as_far_as_its_first_hole(#[case] text: &str, #[case] lead: &str, #[case] count: Count) {
        let words = words(text);
        assert_eq!(Shape::of(&words[0]), Shape { lead: Cow::Borrowed(lead), count });
    }

    #[rstest]
    #[case::attached("-Ifoo", 2, "foo")]
    #[case::across_parts("--sp'lit='\"a b\"", 8, "'a b'")]
    #[case::hole("-I$x", 2, "<x>")]
    #[case::nothing("-I", 2, "''")]
    fn a_suffix_keeps_what_follows(#[case] text: &str, #[case] bytes: usize, #[case] rest: &str) {
        assert_eq!(render(&[suffix(&words(text)[0], bytes)]), rest);
    }
}
