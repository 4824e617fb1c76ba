//! Text of which parts are known only at run time, and how patterns meet it.

use crate::pattern::{Element, Pattern};

/// A text with holes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Subject {
    pieces: Vec<Piece>,
}

/// A part of a subject.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Piece {
    /// Text that is known.
    Text(String),
    /// Text that is not.
    Hole(Hole),
    /// A blank and a hole, or nothing at all: an unquoted expansion that may leave no word.
    Gone(Hole),
}

/// Text that only execution can tell.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Hole {
    /// Whether the text may hold a slash.
    pub(crate) slash: bool,
    /// How it is written, where a pattern may write it the same way.
    pub(crate) typed: Option<String>,
}

/// Whether a pattern matches a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fit {
    /// For no value of the holes.
    No,
    /// For some value of the holes, or so it seems.
    Possible,
    /// Whatever the holes hold.
    Definite,
}

impl Hole {
    /// A hole of any text, written as nothing a pattern could name.
    pub(crate) const ANY: Self = Self { slash: true, typed: None };
}

impl Subject {
    /// The subject that is all known.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        let mut subject = Self::default();
        subject.push_text(&text.into());
        subject
    }

    pub(crate) fn push_text(&mut self, text: &str) {
        match self.pieces.last_mut() {
            _ if text.is_empty() => {}
            Some(Piece::Text(known)) => known.push_str(text),
            _ => self.pieces.push(Piece::Text(text.to_owned())),
        }
    }

    pub(crate) fn push_hole(&mut self, hole: Hole) {
        self.pieces.push(Piece::Hole(hole));
    }

    pub(crate) fn push_vanishing(&mut self, hole: Hole) {
        self.pieces.push(Piece::Gone(hole));
    }

    pub(crate) fn extend(&mut self, other: Self) {
        for piece in other.pieces {
            match piece {
                Piece::Text(text) => self.push_text(&text),
                hole @ (Piece::Hole(_) | Piece::Gone(_)) => self.pieces.push(hole),
            }
        }
    }

    /// The whole text, where all of it is known.
    pub(crate) fn known(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [] => Some(""),
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }

    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The parts that are known.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Text(text) => Some(text.as_str()),
            Piece::Hole(_) | Piece::Gone(_) => None,
        })
    }

    /// What the text certainly starts with.
    pub(crate) fn leading(&self) -> &str {
        match self.pieces.first() {
            Some(Piece::Text(text)) => text,
            Some(Piece::Hole(_) | Piece::Gone(_)) | None => "",
        }
    }

    /// Whether it begins with a part that may be any text.
    pub(crate) fn begins_unknown(&self) -> bool {
        matches!(self.pieces.first(), Some(Piece::Hole(hole) | Piece::Gone(hole)) if hole.slash)
    }

    /// What the text certainly ends with.
    pub(crate) fn trailing(&self) -> &str {
        match self.pieces.last() {
            Some(Piece::Text(text)) => text,
            Some(Piece::Hole(_) | Piece::Gone(_)) | None => "",
        }
    }
}

impl Pattern {
    /// Whether this pattern matches `subject`, for some or for all values of its holes.
    pub(crate) fn fit(&self, subject: &Subject) -> Fit {
        if let Some(text) = subject.known() {
            return if self.matches(text) { Fit::Definite } else { Fit::No };
        }
        if !self.may_match(subject) {
            Fit::No
        } else if self.must_match(subject) {
            Fit::Definite
        } else {
            Fit::Possible
        }
    }

    /// Whether what the pattern needs is in what is known of `subject`, or is written as a hole is typed.
    pub(crate) fn may_be_certain(&self, subject: &Subject) -> bool {
        let keys = self.keys();
        [&keys.prefix, &keys.suffix, &keys.inner].into_iter().all(|key| {
            key.is_empty() || key.contains(['$', '`', '~']) || subject.texts().any(|text| text.contains(key.as_str()))
        })
    }

    /// Whether some value of the holes makes the pattern match.
    fn may_match(&self, subject: &Subject) -> bool {
        let mut states = States::start(self);
        for piece in &subject.pieces {
            match piece {
                Piece::Text(text) => states.read(self, text),
                Piece::Hole(hole) => states.guess(self, hole),
                Piece::Gone(hole) => {
                    let without = states.clone();
                    states.read(self, " ");
                    states.guess(self, hole);
                    states.join(&without);
                }
            }
            if states.is_empty() {
                return false;
            }
        }
        states.accept(self)
    }

    /// Whether the pattern matches whatever the holes hold.
    ///
    /// INVARIANT: true only if it does. A hole is then taken in by a star, or written in the pattern as it is typed; and
    /// each way in which words may vanish ends in an accepting state of its own (`families`).
    fn must_match(&self, subject: &Subject) -> bool {
        let mut families = vec![States::start(self)];
        for piece in &subject.pieces {
            match piece {
                Piece::Text(text) => families.iter_mut().for_each(|states| states.read(self, text)),
                Piece::Hole(hole) => families.iter_mut().for_each(|states| states.absorb(self, hole)),
                Piece::Gone(hole) => {
                    let mut next: Vec<States> = vec![];
                    for without in families {
                        let mut with = without.clone();
                        with.read(self, " ");
                        let written = with.written(self, hole);
                        // Who writes the expansion into a pattern means it, whatever it holds.
                        let ways = if written.is_empty() {
                            with.absorb(self, hole);
                            vec![without, with]
                        } else {
                            vec![written]
                        };
                        for states in ways {
                            if !next.contains(&states) {
                                next.push(states);
                            }
                        }
                    }
                    families = next;
                }
            }
            if families.len() > MOST_FAMILIES || families.iter().any(States::is_empty) {
                return false;
            }
        }
        families.iter().all(|states| states.accept(self))
    }
}

/// How many combinations of vanished words are followed before a match counts as possible only.
const MOST_FAMILIES: usize = 64;

/// The places in a pattern that a match may have reached: a set of indexes into its elements.
#[derive(Clone, Debug, PartialEq, Eq)]
struct States {
    reached: Vec<bool>,
}

impl States {
    fn start(pattern: &Pattern) -> Self {
        let mut states = Self::none(pattern);
        states.add(pattern, 0);
        states
    }

    fn none(pattern: &Pattern) -> Self {
        Self { reached: vec![false; pattern.elements().len() + 1] }
    }

    /// Adds `place`, and those behind the stars that may be empty.
    fn add(&mut self, pattern: &Pattern, mut place: usize) {
        while let Some(slot) = self.reached.get_mut(place) {
            *slot = true;
            if pattern.elements().get(place) != Some(&Element::Many) {
                break;
            }
            place += 1;
        }
    }

    fn places(&self) -> impl Iterator<Item = usize> + '_ {
        self.reached.iter().enumerate().filter_map(|(place, reached)| reached.then_some(place))
    }

    fn is_empty(&self) -> bool {
        !self.reached.contains(&true)
    }

    fn accept(&self, pattern: &Pattern) -> bool {
        self.places().any(|place| pattern.accepts_at(place))
    }

    fn join(&mut self, other: &Self) {
        for (mine, theirs) in self.reached.iter_mut().zip(&other.reached) {
            *mine |= *theirs;
        }
    }

    fn read(&mut self, pattern: &Pattern, text: &str) {
        for unit in text.encode_utf16() {
            if !self.step(pattern.elements(), unit) {
                return;
            }
        }
    }

    /// Reads one code unit; whether any place is left.
    fn step(&mut self, elements: &[Element], unit: u16) -> bool {
        // From a place a match goes to the same place or to the next one, so one pass and one flag need no second set.
        let mut ahead = false;
        let mut any = false;
        for (place, slot) in self.reached.iter_mut().enumerate() {
            let here = *slot;
            let element = elements.get(place).copied();
            let stays = here && element == Some(Element::Many);
            *slot = ahead || stays;
            any |= *slot;
            ahead = here && (element == Some(Element::One) || element == Some(Element::Unit(unit)));
            // A star may hold nothing more from here on.
            if *slot && element == Some(Element::Many) {
                ahead = true;
            }
        }
        any
    }

    /// Moves over a hole that may hold whatever suits the pattern.
    fn guess(&mut self, pattern: &Pattern, hole: &Hole) {
        let mut open = false;
        for (place, slot) in self.reached.iter_mut().enumerate() {
            open |= *slot;
            *slot = open;
            let needs_slash = pattern.elements().get(place) == Some(&Element::Unit(u16::from(b'/')));
            open &= hole.slash || !needs_slash;
        }
    }

    /// Moves over a hole in the ways that hold for every text.
    fn absorb(&mut self, pattern: &Pattern, hole: &Hole) {
        let mut next = self.written(pattern, hole);
        for place in self.places() {
            if pattern.elements().get(place) == Some(&Element::Many) {
                next.add(pattern, place);
            }
        }
        *self = next;
    }

    /// The places behind the hole where the pattern writes it as it is typed.
    fn written(&self, pattern: &Pattern, hole: &Hole) -> Self {
        let mut next = Self::none(pattern);
        for place in self.places() {
            if let Some(behind) = hole.typed.as_deref().and_then(|typed| written(pattern, place, typed)) {
                next.add(pattern, behind);
            }
        }
        next
    }
}

/// The place behind `typed` where the pattern writes just that from `place` on.
fn written(pattern: &Pattern, place: usize, typed: &str) -> Option<usize> {
    let mut at = place;
    for unit in typed.encode_utf16() {
        if pattern.elements().get(at) != Some(&Element::Unit(unit)) {
            return None;
        }
        at += 1;
    }
    (at > place).then_some(at)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    /// Reads `$` as a hole, `@` as a hole without slashes, `%` as a blank and a hole that may both vanish.
    fn subject(sketch: &str) -> Subject {
        let mut subject = Subject::default();
        for c in sketch.chars() {
            match c {
                '$' => subject.push_hole(Hole { slash: true, typed: Some("$X".to_owned()) }),
                '@' => subject.push_hole(Hole { slash: false, typed: None }),
                '%' => subject.push_vanishing(Hole { slash: true, typed: Some("$X".to_owned()) }),
                other => subject.push_text(&other.to_string()),
            }
        }
        subject
    }

    #[track_caller]
    fn check(pattern: &str, sketch: &str, expected: Fit) {
        let fit = Pattern::compile(pattern, None).fit(&subject(sketch));
        assert_eq!(fit, expected, "`{pattern}` against `{sketch}`");
    }

    #[rstest]
    #[case::a_star_takes_any_value("ls *", "ls $", Fit::Definite)]
    #[case::a_vanished_word_leaves_the_bare_form("ls *", "ls%", Fit::Definite)]
    #[case::two_vanished_words("ls *", "ls%%", Fit::Definite)]
    #[case::without_the_optional_tail("ls -*", "ls%", Fit::Possible)]
    #[case::a_prefix_star("ls*", "ls%", Fit::Definite)]
    #[case::an_option_may_hide("git push*--force*", "git push $", Fit::Possible)]
    #[case::no_option_can_hide_behind_text("git branch -D *", "git branch backup-$", Fit::No)]
    #[case::a_hole_may_split("git branch * -D *", "git branch backup-$", Fit::Possible)]
    #[case::a_question_mark_takes_no_hole("ls ?", "ls $", Fit::Possible)]
    #[case::two_question_marks_neither("ls ??", "ls $", Fit::Possible)]
    #[case::text_takes_no_hole("ls x", "ls $", Fit::Possible)]
    #[case::the_pattern_writes_the_variable("ls $X", "ls $", Fit::Definite)]
    #[case::even_where_it_may_vanish("ls $X", "ls%", Fit::Definite)]
    #[case::and_more("ls $X/*", "ls $/a", Fit::Definite)]
    #[case::the_name_must_be_the_same("ls $Y", "ls $", Fit::Possible)]
    #[case::another_program("rm *", "ls $", Fit::No)]
    #[case::the_program_is_a_hole("rm *", "$ -rf x", Fit::Possible)]
    #[case::the_program_has_a_hole("rm *", "r$m -rf x", Fit::Possible)]
    #[case::the_program_has_a_hole_elsewhere("rm *", "l$ -rf x", Fit::No)]
    #[case::catch_all("*", "$", Fit::Definite)]
    #[case::in_the_middle("* -rf *", "$ -rf x", Fit::Definite)]
    #[case::suffix("*.env", "$.env", Fit::Definite)]
    #[case::suffix_in_the_hole("*.env", "src/$", Fit::Possible)]
    #[case::suffix_excluded("*.env", "src/$.ts", Fit::No)]
    #[case::a_file_name_has_no_slash("src/secret/*", "src/@", Fit::No)]
    #[case::a_value_may("src/secret/*", "src/$", Fit::Possible)]
    #[case::a_pattern_char("*.secret/*", ".secre@/key", Fit::Possible)]
    #[case::vanishing_changes_the_words("git -C * status", "git -C% status", Fit::Possible)]
    #[case::but_not_behind_a_star("git *", "git -C% status", Fit::Definite)]
    #[case::empty("", "$", Fit::Possible)]
    fn holes_are_matched_by_what_they_may_hold(#[case] pattern: &str, #[case] sketch: &str, #[case] expected: Fit) {
        check(pattern, sketch, expected);
    }

    #[test]
    fn many_vanishing_words_are_bounded_work() {
        check("a * b * c * d * e * f *", &format!("a{}", "%".repeat(2000)), Fit::Possible);
        check("a *", &format!("a{}", "%".repeat(2000)), Fit::Definite);
    }
}
