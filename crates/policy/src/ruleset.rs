//! The rules of one surface, and which of them counts.

use aho_corasick::AhoCorasick;

use crate::{
    Effect,
    rule::CompiledRule,
    subject::{Fit, Subject},
};

/// The rules of one surface in order; the last that matches counts.
#[derive(Clone, Debug)]
pub(crate) struct Ruleset {
    rules: Vec<CompiledRule>,
    index: Index,
    /// The place of the last of the strictest rules that name something and do not allow.
    strictest: Option<usize>,
}

/// Which rules can match at all, found by the text that they need.
#[derive(Clone, Debug)]
struct Index {
    /// The prefixes that rules need, sorted, each with its rule.
    prefixes: Vec<(Vec<u8>, usize)>,
    /// The suffixes that the other rules need, backwards and sorted.
    suffixes: Vec<(Vec<u8>, usize)>,
    /// What the rest need somewhere, where there are many of them.
    inner: Option<(AhoCorasick, Vec<usize>)>,
    /// The rules that must always be tried.
    always: Vec<usize>,
}

/// Which rules a text can match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// All of them.
    All,
    /// Those that name something: not those that match every text.
    Naming,
}

/// The last rules that match a text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Last<'r> {
    /// Of all of them.
    pub(crate) any: Option<&'r CompiledRule>,
    /// Of those that name something.
    pub(crate) naming: Option<&'r CompiledRule>,
}

/// What the rules say about a text with holes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reach<'r> {
    /// The last rule that matches whatever the holes hold.
    pub(crate) definite: Option<&'r CompiledRule>,
    /// The strictest ask or deny rule behind it that may match.
    pub(crate) possible: Option<&'r CompiledRule>,
}

/// From how many rules on a search for all their pieces at once is worth building.
const MANY: usize = 16;

impl Ruleset {
    pub(crate) fn new(rules: Vec<CompiledRule>) -> Self {
        let index = Index::new(&rules);
        let strict = |(_, rule): &(usize, &CompiledRule)| Which::Naming.takes(rule) && rule.effect() > Effect::Allow;
        let strictest =
            rules.iter().enumerate().filter(strict).max_by_key(|(_, rule)| rule.effect()).map(|(place, _)| place);
        Self { rules, index, strictest }
    }

    /// A rule behind the one at `place` that matches whatever `subjects`, the texts that one matches, hold.
    pub(crate) fn covers(&self, place: usize, subjects: &[Subject]) -> Option<&CompiledRule> {
        let mut places = vec![];
        for subject in subjects {
            self.index.candidates_for_all(subject, |place| places.push(place));
        }
        places.sort_unstable();
        places.dedup();
        let later = places.into_iter().filter(|later| *later > place).filter_map(|later| self.rules.get(later));
        let mut later = later.filter(|rule| subjects.iter().all(|subject| rule.pattern.fit(subject) == Fit::Definite));
        later.next()
    }

    /// Whether `rule` stands behind `other`; every rule does where there is none.
    pub(crate) fn is_behind(&self, rule: &CompiledRule, other: Option<&CompiledRule>) -> bool {
        let place = |wanted: &CompiledRule| self.rules.iter().position(|rule| std::ptr::eq(rule, wanted));
        other.is_none_or(|other| place(rule) > place(other))
    }

    /// Whether a rule denies anything.
    pub(crate) fn can_deny(&self) -> bool {
        self.rules.iter().any(|rule| rule.effect() == Effect::Deny)
    }

    /// Whether a rule that names something, and does not allow, matches `text`.
    pub(crate) fn holds_back(&self, text: &str) -> bool {
        let mut held = false;
        self.index.candidates(text, |place| {
            let holds = |rule: &CompiledRule| {
                Which::Naming.takes(rule) && rule.effect() > Effect::Allow && rule.pattern.matches(text)
            };
            held = held || self.rules.get(place).is_some_and(holds);
        });
        held
    }

    /// The last rule that matches `text`.
    pub(crate) fn last(&self, text: &str, which: Which) -> Option<&CompiledRule> {
        self.last_of([text], which)
    }

    /// The last rule that matches one of `texts`.
    pub(crate) fn last_of<'t>(&self, texts: impl IntoIterator<Item = &'t str>, which: Which) -> Option<&CompiledRule> {
        let last = self.lasts_of(texts);
        match which {
            Which::All => last.any,
            Which::Naming => last.naming,
        }
    }

    /// The last rules that match `text`.
    pub(crate) fn lasts(&self, text: &str) -> Last<'_> {
        self.lasts_of([text])
    }

    fn lasts_of<'t>(&self, texts: impl IntoIterator<Item = &'t str>) -> Last<'_> {
        let (mut any, mut naming) = (None, None);
        for text in texts {
            self.index.candidates(text, |place| {
                let Some(rule) = self.rules.get(place) else { return };
                let (more, names) = (any < Some(place), naming < Some(place) && Which::Naming.takes(rule));
                if (more || names) && rule.pattern.matches(text) {
                    any = any.max(Some(place));
                    naming = if names { Some(place) } else { naming };
                }
            });
        }
        let rule = |place: Option<usize>| place.and_then(|place| self.rules.get(place));
        Last { any: rule(any), naming: rule(naming) }
    }

    /// Whether there is no rule.
    pub(crate) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The rules that certainly or perhaps match `subject`.
    pub(crate) fn reach(&self, subject: &Subject, which: Which) -> Reach<'_> {
        self.reach_any(std::slice::from_ref(subject), which)
    }

    /// The rules that name something and match `command`, of which not even the beginning is known, whatever its holes hold; and
    /// the strictest of those that may, which is any rule at all.
    pub(crate) fn reach_unknown(&self, command: &Subject) -> Reach<'_> {
        let mut tried = vec![];
        self.index.candidates_for_all(command, |place| tried.push(place));
        let certain = tried.into_iter().filter_map(|place| self.rules.get(place).map(|rule| (place, rule)));
        let matches = |(_, rule): &(usize, &CompiledRule)| {
            Which::Naming.takes(rule) && rule.pattern.fit(command) == Fit::Definite
        };
        let mut definite: Option<(usize, &CompiledRule)> = None;
        for found in certain.filter(matches) {
            if definite.is_none_or(|(place, _)| place < found.0) {
                definite = Some(found);
            }
        }
        let possible = self.strictest.and_then(|place| self.rules.get(place));
        Reach { definite: definite.map(|(_, rule)| rule), possible }
    }

    /// The same where several subjects name one thing: a rule matches where it matches one of them.
    pub(crate) fn reach_any(&self, subjects: &[Subject], which: Which) -> Reach<'_> {
        if let [subject] = subjects
            && let Some(text) = subject.known()
        {
            return Reach { definite: self.last(text, which), possible: None };
        }
        let mut tried = vec![false; self.rules.len()];
        for subject in subjects {
            self.index.candidates_with_holes(subject, |place| {
                if let Some(slot) = tried.get_mut(place) {
                    *slot = true;
                }
            });
        }
        let mut reach = Reach::default();
        let candidates = self.rules.iter().zip(tried).rev().filter_map(|(rule, tried)| tried.then_some(rule));
        for rule in candidates.filter(|rule| which.takes(rule)) {
            // A rule that may match changes something only where it is stricter than another one that may.
            let strictest = reach.possible.map_or(Effect::Allow, CompiledRule::effect);
            if rule.effect() <= strictest && !subjects.iter().any(|subject| rule.pattern.may_be_certain(subject)) {
                continue;
            }
            let fit = subjects.iter().map(|subject| rule.pattern.fit(subject)).max().unwrap_or(Fit::No);
            match fit {
                Fit::No => {}
                Fit::Definite => {
                    reach.definite = Some(rule);
                    break;
                }
                Fit::Possible if rule.effect() > strictest => reach.possible = Some(rule),
                Fit::Possible => {}
            }
        }
        reach
    }
}

impl Which {
    fn takes(self, rule: &CompiledRule) -> bool {
        match self {
            Self::All => true,
            Self::Naming => !rule.pattern.is_catch_all(),
        }
    }
}

impl Index {
    fn new(rules: &[CompiledRule]) -> Self {
        let (mut prefixes, mut suffixes, mut inner, mut always) = (vec![], vec![], vec![], vec![]);
        for (place, rule) in rules.iter().enumerate() {
            let keys = rule.pattern.keys();
            if !keys.prefix.is_empty() {
                prefixes.push((keys.prefix.clone().into_bytes(), place));
            } else if !keys.suffix.is_empty() {
                suffixes.push((keys.suffix.bytes().rev().collect(), place));
            } else if !keys.inner.is_empty() {
                inner.push((keys.inner.clone(), place));
            } else {
                always.push(place);
            }
        }
        prefixes.sort();
        suffixes.sort();
        let (pieces, places): (Vec<String>, Vec<usize>) = inner.into_iter().unzip();
        let search = (places.len() >= MANY).then(|| AhoCorasick::new(&pieces).ok()).flatten();
        let inner = match search {
            Some(search) => Some((search, places)),
            None => {
                always.extend(places);
                None
            }
        };
        Self { prefixes, suffixes, inner, always }
    }

    /// Calls `found` for each rule that may match `text`.
    fn candidates(&self, text: &str, mut found: impl FnMut(usize)) {
        walk(&self.prefixes, text.bytes(), Rest::TooLong, &mut found);
        walk(&self.suffixes, text.bytes().rev(), Rest::TooLong, &mut found);
        self.always.iter().copied().for_each(&mut found);
        if let Some((search, places)) = &self.inner {
            let mut seen = vec![false; places.len()];
            for hit in search.find_overlapping_iter(text) {
                let id = hit.pattern().as_usize();
                if let Some(seen) = seen.get_mut(id).filter(|seen| !**seen) {
                    *seen = true;
                    places.get(id).copied().into_iter().for_each(&mut found);
                }
            }
        }
    }

    /// Calls `found` for each rule that may match `subject` whatever its holes hold.
    fn candidates_for_all(&self, subject: &Subject, mut found: impl FnMut(usize)) {
        walk(&self.prefixes, subject.leading().bytes(), Rest::TooLong, &mut found);
        walk(&self.suffixes, subject.trailing().bytes().rev(), Rest::TooLong, &mut found);
        self.always.iter().copied().for_each(&mut found);
        if let Some((search, places)) = &self.inner {
            for text in subject.texts() {
                for hit in search.find_overlapping_iter(text) {
                    places.get(hit.pattern().as_usize()).copied().into_iter().for_each(&mut found);
                }
            }
        }
    }

    /// Calls `found` for each rule that matches `subject` for some value of its holes, or may do so.
    fn candidates_with_holes(&self, subject: &Subject, mut found: impl FnMut(usize)) {
        if let Some(text) = subject.known() {
            return self.candidates(text, found);
        }
        walk(&self.prefixes, subject.leading().bytes(), Rest::MayFollow, &mut found);
        walk(&self.suffixes, subject.trailing().bytes().rev(), Rest::MayFollow, &mut found);
        self.always.iter().copied().for_each(&mut found);
        if let Some((_, places)) = &self.inner {
            places.iter().copied().for_each(&mut found);
        }
    }
}

/// Whether a key longer than the text is of interest.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    TooLong,
    MayFollow,
}

/// Calls `found` for each of the sorted `keys` that `bytes` starts with, and, on demand, for those that start with `bytes`.
fn walk(keys: &[(Vec<u8>, usize)], bytes: impl Iterator<Item = u8>, rest: Rest, found: &mut impl FnMut(usize)) {
    let mut range = keys;
    let mut depth = 0;
    let mut take_whole = |range: &mut &[(Vec<u8>, usize)], depth: usize| {
        // The keys that end here come first.
        while let Some(((key, place), behind)) = range.split_first()
            && key.len() == depth
        {
            found(*place);
            *range = behind;
        }
    };
    for byte in bytes {
        take_whole(&mut range, depth);
        let start = range.partition_point(|(key, _)| key.get(depth).is_some_and(|at| *at < byte));
        let end = range.partition_point(|(key, _)| key.get(depth).is_some_and(|at| *at <= byte));
        range = range.get(start..end).unwrap_or_default();
        if range.is_empty() {
            return;
        }
        depth += 1;
    }
    take_whole(&mut range, depth);
    if rest == Rest::MayFollow {
        range.iter().for_each(|(_, place)| found(*place));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rule::{MatchedRule, Origin, Rule};

    fn ruleset(rules: &[(&str, Effect)]) -> Ruleset {
        let compile = |(pattern, effect): &(&str, Effect)| {
            let rule = Rule {
                surface: "bash".to_owned(),
                pattern: (*pattern).to_owned(),
                effect: *effect,
                reason: None,
                origin: Origin::Global,
                file: "".into(),
                line: 1,
            };
            CompiledRule::compile(&MatchedRule::new(rule), None)
        };
        Ruleset::new(rules.iter().map(compile).collect())
    }

    #[test]
    fn the_last_match_counts() {
        let rules = ruleset(&[("*", Effect::Ask), ("git *", Effect::Allow), ("git push *", Effect::Deny)]);
        let last = |text| rules.last(text, Which::All).map(|rule| rule.rule.pattern.as_str());
        assert_eq!(last("git push x"), Some("git push *"));
        assert_eq!(last("git status"), Some("git *"));
        assert_eq!(last("ls"), Some("*"));
        assert!(rules.last("ls", Which::Naming).is_none());
    }

    #[test]
    fn a_possible_deny_behind_a_definite_allow_is_reported() {
        let rules = ruleset(&[("rm *", Effect::Deny), ("git *", Effect::Allow), ("git push*--force*", Effect::Deny)]);
        let mut subject = Subject::text("git push ");
        subject.push_hole(crate::subject::Hole::ANY);
        let reach = rules.reach(&subject, Which::Naming);
        assert_eq!(reach.definite.map(|rule| rule.rule.pattern.as_str()), Some("git *"));
        assert_eq!(reach.possible.map(|rule| rule.rule.pattern.as_str()), Some("git push*--force*"));
    }

    /// How many rules are tried for a text.
    fn tried(rules: &Ruleset, text: &str) -> usize {
        let mut count = 0;
        rules.index.candidates(text, |_| count += 1);
        count
    }

    #[test]
    fn a_thousand_rules_cost_what_ten_do() {
        let patterns: Vec<String> = (0..1000)
            .map(|number| match number % 4 {
                0 => format!("tool{number} *"),
                1 => format!("git sub{number}*--x{number}*"),
                2 => format!("*danger{number}*"),
                _ => format!("*.secret{number}"),
            })
            .collect();
        let rules: Vec<(&str, Effect)> = patterns.iter().map(|pattern| (pattern.as_str(), Effect::Deny)).collect();
        let rules = ruleset(&rules);
        for text in ["git status", "git sub1 --x1", "tool4 x", "cat a.secret3", "echo danger2 danger6", "zzz"] {
            let matching = rules.rules.iter().filter(|rule| rule.pattern.matches(text)).count();
            assert!(tried(&rules, text) <= matching + 1, "{text}");
        }
    }

    fn texts() -> impl Strategy<Value = String> {
        "[ab /*?é]{0,6}"
    }

    proptest! {
        /// The index never hides a rule: trying every rule from the last on finds the same one.
        #[test]
        fn the_index_finds_what_trying_all_finds(patterns in prop::collection::vec(texts(), 0..40), text in texts()) {
            let rules: Vec<(&str, Effect)> = patterns.iter().map(|pattern| (pattern.as_str(), Effect::Ask)).collect();
            let rules = ruleset(&rules);
            let slow = rules.rules.iter().rposition(|rule| rule.pattern.matches(&text));
            let fast = rules.last(&text, Which::All).map(|rule| rule.rule.pattern.clone());
            prop_assert_eq!(fast, slow.map(|place| patterns[place].clone()));
        }

        #[test]
        fn nor_does_it_with_holes(patterns in prop::collection::vec(texts(), 0..40), before in texts(), after in texts()) {
            let rules: Vec<(&str, Effect)> = patterns.iter().map(|pattern| (pattern.as_str(), Effect::Deny)).collect();
            let rules = ruleset(&rules);
            let mut subject = Subject::text(before);
            subject.push_hole(crate::subject::Hole::ANY);
            subject.push_text(&after);
            let slow = |wanted| rules.rules.iter().rev().find(|rule| rule.pattern.fit(&subject) == wanted);
            let reach = rules.reach(&subject, Which::All);
            prop_assert_eq!(
                reach.definite.map(|rule| &rule.rule.pattern), slow(Fit::Definite).map(|rule| &rule.rule.pattern)
            );
        }
    }
}
