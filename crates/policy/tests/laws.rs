//! Laws of judging, on generated policies and commands, next to a slow and obvious model of it.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests state what they expect by failing")]

use innercmd_bash_units::{BashProgram, Limits};
use innercmd_policy::{Effect, LexicalPaths, Policy, Surroundings};
use proptest::prelude::*;

type Rules = Vec<(String, Effect)>;

fn permission(rules: &Rules) -> String {
    let mut seen = std::collections::BTreeSet::new();
    // A repeated pattern is an error; the last of them is kept here.
    let mut kept: Vec<String> = rules
        .iter()
        .rev()
        .filter(|(pattern, _)| seen.insert(pattern))
        .map(|(pattern, effect)| {
            format!("{}:{}", serde_json::to_string(pattern).unwrap(), serde_json::to_string(effect.name()).unwrap())
        })
        .collect();
    kept.reverse();
    format!(r#"{{ "*": "ask", "path": "allow", "external_directory": "allow", "bash": {{ {} }} }}"#, kept.join(","))
}

/// The rules that are left when of repeated patterns the last is kept.
fn distinct(rules: &Rules) -> Rules {
    let mut seen = std::collections::BTreeSet::new();
    let mut kept: Rules = rules.iter().rev().filter(|(pattern, _)| seen.insert(pattern.clone())).cloned().collect();
    kept.reverse();
    kept
}

fn judge(rules: &Rules, command: &str) -> Effect {
    let policy = Policy::from_permission(&permission(rules)).unwrap().policy;
    let program = BashProgram::parse(command, &Limits::default());
    assert!(program.gaps().is_empty(), "{command}: {:?}", program.gaps());
    let around = Surroundings { cwd: "/work/project", home: Some("/home/user"), facts: &LexicalPaths };
    policy.judge(&program, &around).decision().effect()
}

/// Whether `text` matches `pattern`, the obvious way.
fn matches(pattern: &[char], text: &[char]) -> bool {
    match (pattern, text) {
        ([], []) | ([' ', '*'], []) => true,
        (['*', rest @ ..], _) => (0..=text.len()).any(|taken| matches(rest, &text[taken..])),
        (['?', rest @ ..], [_, behind @ ..]) => matches(rest, behind),
        ([first, rest @ ..], [c, behind @ ..]) if first == c => matches(rest, behind),
        _ => false,
    }
}

fn last<'r>(rules: &'r Rules, text: &str, naming: bool) -> Option<&'r (String, Effect)> {
    let text: Vec<char> = text.chars().collect();
    let takes_all = |pattern: &str| pattern.chars().all(|c| c == '*') || pattern == "* *";
    rules
        .iter()
        .rev()
        .find(|(pattern, _)| !(naming && takes_all(pattern)) && matches(&pattern.chars().collect::<Vec<_>>(), &text))
}

/// A word: as typed, and as bash reads it.
type Typed = (&'static str, &'static str);

fn model(rules: &Rules, units: &[Vec<Typed>]) -> Effect {
    let rules = distinct(rules);
    let unit = |words: &Vec<Typed>| {
        let join = |words: Vec<&str>| words.join(" ");
        let typed = join(words.iter().map(|word| word.0).collect());
        let read = join(words.iter().map(|word| word.1).collect());
        let base = words[0].1.rsplit('/').next().unwrap();
        let base = join(std::iter::once(base).chain(words[1..].iter().map(|word| word.1)).collect());
        let held = |text: &str| last(&rules, text, true).map_or(Effect::Allow, |(_, effect)| *effect);
        last(&rules, &typed, false).map_or(Effect::Ask, |(_, effect)| *effect).max(held(&read)).max(held(&base))
    };
    units.iter().map(unit).max().unwrap()
}

fn effects() -> impl Strategy<Value = Effect> {
    prop_oneof![Just(Effect::Allow), Just(Effect::Ask), Just(Effect::Deny)]
}

fn rules() -> impl Strategy<Value = Rules> {
    let piece = prop::sample::select(vec!["aa", "bb", "-f", "x", " ", "*", "?", "/", "./", " *", "-", "aa bb"]);
    let pattern = prop::collection::vec(piece, 1..5).prop_map(|pieces| pieces.concat());
    prop::collection::vec((pattern, effects()), 0..8)
}

fn programs() -> impl Strategy<Value = Typed> {
    prop::sample::select(vec![
        ("aa", "aa"),
        ("bb", "bb"),
        ("'aa'", "aa"),
        ("\\aa", "aa"),
        ("a\"a\"", "aa"),
        ("/x/aa", "/x/aa"),
        ("./bb", "./bb"),
        ("\"/x/bb\"", "/x/bb"),
    ])
}

fn arguments() -> impl Strategy<Value = Typed> {
    prop::sample::select(vec![
        ("x", "x"),
        ("-f", "-f"),
        ("'-f'", "-f"),
        ("\"x bb\"", "x bb"),
        ("aa", "aa"),
        ("-\\f", "-f"),
        ("$'x'", "x"),
        ("''", ""),
    ])
}

fn units() -> impl Strategy<Value = Vec<Vec<Typed>>> {
    let unit = (programs(), prop::collection::vec(arguments(), 0..4))
        .prop_map(|(program, rest)| std::iter::once(program).chain(rest).collect());
    prop::collection::vec(unit, 1..4)
}

fn typed(units: &[Vec<Typed>], separator: &str) -> String {
    let unit = |words: &Vec<Typed>| words.iter().map(|word| word.0).collect::<Vec<_>>().join(" ");
    units.iter().map(unit).collect::<Vec<_>>().join(separator)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_model_agrees(
        rules in rules(), units in units(), separator in prop::sample::select(vec![" && ", "; ", " | ", "\n", " || ", " & "])
    ) {
        prop_assert_eq!(judge(&rules, &typed(&units, separator)), model(&rules, &units));
    }

    #[test]
    fn one_more_command_never_weakens(rules in rules(), units in units(), more in units()) {
        let alone = judge(&rules, &typed(&units, "; "));
        let together = [units, more].concat();
        prop_assert!(judge(&rules, &typed(&together, "; ")) >= alone);
    }

    #[test]
    fn one_more_deny_never_weakens(rules in rules(), units in units(), extra in rules()) {
        let command = typed(&units, "; ");
        let pattern = extra.first().map_or("aa *", |(pattern, _)| pattern.as_str());
        let fresh = !rules.iter().any(|(known, _)| known == pattern);
        let stricter = [rules.clone(), vec![(pattern.to_owned(), Effect::Deny)]].concat();
        prop_assert!(!fresh || judge(&stricter, &command) >= judge(&rules, &command));
    }

    #[test]
    fn wrapping_never_weakens_a_deny(rules in rules(), units in units(), wrapper in prop::sample::select(vec!["timeout 5", "sudo", "nice", "env A=1", "xargs", "command"])) {
        let named = |(pattern, _): &(String, Effect)| pattern.chars().any(|c| c != '*');
        let rules: Rules = rules.into_iter().filter(named).collect();
        for unit in &units {
            let plain = typed(std::slice::from_ref(unit), "; ");
            let wrapped = judge(&rules, &format!("{wrapper} {plain}"));
            prop_assert!(wrapped >= Effect::Ask);
            // As bash reads it, whatever is typed.
            let read = typed(&[unit.iter().map(|word| (word.1, word.1)).filter(|word| !word.0.is_empty() && !word.0.contains(' ')).collect()], "; ");
            if judge(&rules, &read) == Effect::Deny && read == plain {
                prop_assert_eq!(wrapped, Effect::Deny, "{} {}", wrapper, plain);
            }
        }
    }

    #[test]
    fn quoting_a_word_never_loosens(
        rules in rules(), program in prop::sample::select(vec!["aa", "bb", "/x/aa"]), argument in arguments()
    ) {
        // A pattern that begins with a wildcard, or has one for a single character, may be about the quotes.
        let plain = |(pattern, _): &(String, Effect)| {
            pattern == "*" || !(pattern.starts_with(['*', ' ']) || pattern.contains('?'))
        };
        let rules: Rules = rules.into_iter().filter(plain).collect();
        let typed = judge(&rules, &format!("{} {}", program, argument.0));
        let quoted = judge(&rules, &format!("'{}' {}", program, argument.0));
        prop_assert!(quoted >= typed);
    }

    #[test]
    fn an_unknown_word_is_no_looser_than_any_value(rules in rules(), value in prop::sample::select(vec!["x", "-f", "aa", "bb x", ""])) {
        let known = judge(&rules, &format!("aa \"{value}\" x"));
        let spelled = last(&distinct(&rules), &format!("aa {value} x"), false).map_or(Effect::Ask, |(_, effect)| *effect);
        let unknown = judge(&rules, "aa \"$V\" x");
        if known > Effect::Allow && spelled > Effect::Allow {
            prop_assert!(unknown > Effect::Allow, "{value}");
        }
    }

    #[test]
    fn judging_is_a_function_of_its_input(rules in rules(), units in units()) {
        let command = typed(&units, "; ");
        prop_assert_eq!(judge(&rules, &command), judge(&rules, &command));
    }
}
