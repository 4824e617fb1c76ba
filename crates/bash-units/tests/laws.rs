//! Laws: what holds for every text, and for every text whose meaning is known.

use std::collections::BTreeSet;

use innercmd_bash_gen::{Generator, generated, near_valid};
use innercmd_bash_units::{BashProgram, GapCode, Limits};
use proptest::prelude::*;
use rstest::rstest;

mod checks;

/// Enough for a text of a few lines.
const CHOICES: usize = 200;

fn parse(text: &str) -> BashProgram {
    BashProgram::parse(text, &Limits::default())
}

fn texts(program: &BashProgram) -> Vec<&str> {
    program.commands().iter().map(|unit| unit.text.as_str()).collect()
}

fn codes(program: &BashProgram) -> BTreeSet<GapCode> {
    program.gaps().iter().map(|gap| gap.code).collect()
}

fn values(program: &BashProgram) -> Vec<Vec<String>> {
    let value = |word: &innercmd_bash_units::Word| word.literal().unwrap_or_else(|| "?".into()).into_owned();
    program.commands().iter().map(|unit| unit.words.iter().map(value).collect()).collect()
}

/// Text of the characters and words that mean something to a shell.
fn soup() -> impl Strategy<Value = String> {
    const PIECES: [&str; 56] = [
        "a", "ok", "x=", "1", "2", " ", " ", "\t", "\n", "\n", ";", "&", "|", "(", ")", "((", "))", "{", "}", "{ ",
        "; }", "[", "]", "[[ ", " ]]", "<", ">", "<<E\n", "\nE\n", "<<-", "<<<", "$", "$(", "${", "${x", "$((", "`",
        "'", "\"", "$'", "\\", "\\\n", "#", " #", "!", "*", "~", "=", "+=(", "if ", "then ", " fi", "case x in ", ";;",
        "\r", "é",
    ];
    prop::collection::vec(prop::sample::select(PIECES.as_slice()), 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_alike_each_time_with_exact_spans(text in any::<String>()) {
        checks::hold_for_any(&text);
    }

    #[test]
    fn any_mix_of_shell_syntax_is_read_alike_each_time_with_exact_spans(text in soup()) {
        checks::hold_for_any(&text);
    }

    #[test]
    fn almost_valid_text_is_read_alike_each_time_with_exact_spans(text in near_valid(CHOICES)) {
        checks::hold_for_any(&text);
    }

    #[test]
    fn what_was_meant_is_what_is_read(generated in generated(CHOICES)) {
        checks::hold_for_any(&generated.text);
        prop_assert_eq!(checks::difference(&generated), None, "{:?}", generated.text);
    }

    #[test]
    fn wrapping_keeps_units_and_gaps(generated in generated(CHOICES)) {
        let inner = parse(&generated.text);
        for (open, close, before, after) in WRAPPINGS {
            let text = format!("{open}{}{close}", generated.text);
            let outer = parse(&text);
            let added = if before.ends_with("$(\n") { format!("{before}{}\n)", generated.text) } else { before.to_owned() };
            let expected: Vec<&str> =
                [added.as_str()].into_iter().chain(texts(&inner)).chain([after]).filter(|unit| !unit.is_empty()).collect();
            if !codes(&inner).iter().any(|code| checks::is_doubt(*code)) {
                prop_assert_eq!(texts(&outer), expected, "{:?}", text);
            }
            // The second reading is asked only where the first has no doubt, so its codes may make way for another.
            let kept = codes(&inner).into_iter().filter(|code| !checks::is_attestation(*code)).all(|code| codes(&outer).contains(&code));
            let still = !outer.gaps().is_empty() || inner.gaps().is_empty();
            prop_assert!(kept && still, "{:?} has {:?}", text, outer.gaps());
        }
    }

    #[test]
    fn a_command_on_a_line_of_its_own_is_a_unit_or_under_a_gap(text in prop_oneof![soup(), near_valid(CHOICES), any::<String>()]) {
        prop_assume!(text.chars().rev().take_while(|last| *last == '\\').count() % 2 == 0);
        let program = parse(&format!("{text}\nrm -rf x"));
        let listed = values(&program).iter().any(|words| words == &["rm", "-rf", "x"]);
        prop_assert!(listed || program.complete().is_err(), "{:?}", text);
    }

    #[test]
    fn quoting_never_changes_a_literal_word(value in "[^\0]{0,12}", style in 0..5_usize, split in 0..12_usize) {
        let text = format!("a {} b; c", quoted(&value, style, split));
        let expected = vec![vec!["a".to_owned(), value, "b".to_owned()], vec!["c".to_owned()]];
        prop_assert_eq!(values(&parse(&text)), expected, "{:?}", text);
    }

    #[test]
    fn plain_text_is_split_where_anyone_would(text in "[abx01./ \t;&|\n-]{0,40}") {
        let program = parse(&text);
        if program.complete().is_ok() {
            prop_assert_eq!(values(&program), split(&text), "{:?}", text);
        }
    }

    #[test]
    fn valid_plain_text_has_no_gap(commands in prop::collection::vec(("[abx][abx/.-]{0,3}( +[abx01/.-]{1,4}){0,3}", 0..8_usize), 1..8)) {
        const SEPARATORS: [&str; 8] = [";", "; ", "&", " && ", "||", "|", " |&", "\n"];
        let mut text: String =
            commands.iter().map(|(command, separator)| format!("{command}{}", SEPARATORS[*separator])).collect();
        text.push('c');
        let program = parse(&text);
        prop_assert!(program.complete().is_ok(), "{:?} has {:?}", text, program.gaps());
        prop_assert_eq!(values(&program), split(&text), "{:?}", text);
    }

    #[test]
    fn the_bodies_of_the_fuzz_targets_hold(data in prop::collection::vec(any::<u8>(), 0..CHOICES)) {
        checks::parse(&data);
        checks::generated(&data);
    }
}

/// What stands around a text, and the units that adds before and behind it.
const WRAPPINGS: [(&str, &str, &str, &str); 8] = [
    ("( ", "\n)", "", ""),
    ("{ ", "\n}", "", ""),
    ("if true; then ", "\nfi", "true", ""),
    ("a $(\n", "\n)", "a $(\n", ""),
    ("true && ", "", "true", ""),
    ("while true\ndo\n", "\ndone", "true", ""),
    ("f() { ", "\n}; z", "", "z"),
    ("case x in y) ", "\n;; esac", "", ""),
];

/// The units of text that has words, blanks and separators only.
fn split(text: &str) -> Vec<Vec<String>> {
    text.split(['\n', ';', '&', '|'])
        .map(|command| command.split([' ', '\t']).filter(|word| !word.is_empty()).map(str::to_owned).collect())
        .filter(|words: &Vec<String>| !words.is_empty())
        .collect()
}

/// Ways to write `value`; the last takes two of the others for two halves.
fn quoted(value: &str, style: usize, split: usize) -> String {
    let escaped = |text: &str, special: &str| -> String {
        text.chars()
            .flat_map(|character| special.contains(character).then_some('\\').into_iter().chain([character]))
            .collect()
    };
    match style {
        0 => format!("'{}'", value.replace('\'', r"'\''")),
        1 => format!("\"{}\"", escaped(value, "\"\\$`")),
        2 => format!("$'{}'", escaped(value, "'\\")),
        3 if value.is_empty() => "''".to_owned(),
        3 => value.chars().map(|one| if one == '\n' { "'\n'".to_owned() } else { format!("\\{one}") }).collect(),
        _ => {
            let half = value.char_indices().nth(split).map_or(value.len(), |(at, _)| at);
            let (head, tail) = value.split_at(half);
            quoted(head, split % 4, 0) + &quoted(tail, (split + 1) % 4, 0)
        }
    }
}

#[rstest]
fn ten_thousand_openers_end_in_a_gap(
    #[values(
        "(", "{ ", "((", "$(", "a $(", "a \"$(", "<(", "a >(", "${x:-", "\"${x:-", "${x[", "$((", "$[", "x=(", "x=$(",
        "if ", "if a; then ", "while ", "until a; do ", "for x in a; do ", "for ((;;)) do ", "case x in a) ",
        "case $(", "[[ ( ", "[[ a == @(", "[[ a =~ (", "f() { ", "f() (", "function f { ", "coproc { ", "! { ",
        "time { ", "a >$(", "a <<<$(", "a <<E\n$(", "a <<E $(", "{a,", "trap 'a"
    )]
    opener: &str,
) {
    // An odd number of openers, so that quotes do not close each other.
    for inner in ["", "rm -rf x\n"] {
        assert!(parse(&format!("{}{inner}", opener.repeat(10_001))).complete().is_err());
    }
}

#[rstest]
#[case("( ", ")")]
#[case("{ ", ";}")]
#[case("a $(", ")")]
#[case("a \"$(", ")\"")]
#[case("a <(", ")")]
#[case("if ", "; then b; fi")]
#[case("if a; then ", "; fi")]
#[case("case x in a) ", ";; esac")]
#[case("f() { ", "; }")]
fn deep_nesting_hides_no_command(#[case] open: &str, #[case] close: &str) {
    let program = parse(&format!("{}rm -rf x{}", open.repeat(4000), close.repeat(4000)));
    let listed = values(&program).iter().any(|words| words == &["rm", "-rf", "x"]);
    assert!(listed, "{:?}", program.gaps());
}

#[rstest]
#[case::on_one_line(" <<E", "\n", "E\n")]
#[case::tabs_on_one_line(" <<-'E'", "\n", "\tE\n")]
#[case::on_their_own_lines("\na <<E\n$(b)\nE", "", "")]
fn a_hundred_thousand_here_documents_are_read(#[case] each: &str, #[case] behind: &str, #[case] body: &str) {
    let text = format!("a{}{behind}{}c", each.repeat(100_000), body.repeat(100_000));
    let program = parse(&text);
    assert!(texts(&program).contains(&"c") || program.complete().is_err());
}

#[rstest]
#[case::letters("a")]
#[case::quotes("''")]
#[case::double_quotes("\"a\"")]
#[case::backslashes("\\a")]
#[case::dollars("$x")]
#[case::braces("{a,b}")]
#[case::open_braces("{a")]
#[case::brackets("[")]
#[case::tildes("~")]
#[case::continuations("\\\n")]
#[case::digits("1")]
#[case::equals("a=")]
#[case::names("é")]
fn a_word_of_a_megabyte_is_one_word_or_a_gap(#[case] piece: &str) {
    let word = piece.repeat((1 << 20) / piece.len() - 8);
    let program = parse(&format!("a {word};c"));
    assert!(program.complete().is_err() || texts(&program).last() == Some(&"c"), "{piece:?}");
}

#[test]
fn a_megabyte_of_random_bytes_is_read() {
    let choices: Vec<u8> = (0..1_u64 << 20).map(|at| (at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect();
    let mut text = String::from_utf8_lossy(&choices).into_owned();
    text.truncate((0..=1 << 20).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default());
    assert!(parse(&text).complete().is_err());
}

#[test]
fn a_megabyte_of_generated_text_is_read() {
    let mut text = String::new();
    for seed in 0.. {
        let generated = Generator::new(seed, 30).program();
        if text.len() + generated.text.len() > 1 << 20 {
            break;
        }
        text.push_str(&generated.text);
        text.push('\n');
    }
    assert!(!parse(&text).commands().is_empty());
}
