//! Every command that bash executes for the adversarial lines is listed, or the line has a gap.

use innercmd_bash_units::{BashCommand, BashProgram, Limits, Part, Word};
use serde_json::Value;

/// Whether the words of `unit` can become `argv`.
fn may_become(unit: &BashCommand, argv: &[&str]) -> bool {
    // The recorded words are as typed: assignments stand before the program, and quotes around what they quote.
    let assignments = argv.len().saturating_sub(unit.words.len()).min(unit.assignments.len());
    // Braces are as typed there too.
    unquoted(&unit.text) == unquoted(&argv.join(" "))
        || (0..=assignments).any(|skipped| may_expand(&unit.words, argv.get(skipped..).unwrap_or_default()))
}

fn unquoted(text: &str) -> String {
    text.chars().filter(|character| !matches!(character, '\'' | '"' | '\\')).collect()
}

fn may_expand(words: &[Word], argv: &[&str]) -> bool {
    let Some((word, rest)) = words.split_first() else { return argv.is_empty() };
    match word.literal() {
        Some(text) => argv
            .split_first()
            .is_some_and(|(first, others)| unquoted(first) == unquoted(&text) && may_expand(rest, others)),
        None if splits(word) => (0..=argv.len()).any(|taken| may_expand(rest, argv.get(taken..).unwrap_or_default())),
        None => argv.split_first().is_some_and(|(_, others)| may_expand(rest, others)),
    }
}

fn splits(word: &Word) -> bool {
    word.parts.iter().any(|part| matches!(part, Part::Hole { .. }))
}

#[test]
fn no_executed_command_is_hidden_without_a_gap() {
    let text = include_str!("data/adversarial.jsonl");
    let (mut hidden, mut needless, mut valid) = (Vec::new(), 0, 0);
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let command = case["command"].as_str().unwrap();
        let program = BashProgram::parse(command, &Limits::default());
        let missing: Vec<Vec<&str>> = case["executes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|argv| argv.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect::<Vec<_>>())
            .filter(|argv| !program.commands().iter().any(|unit| may_become(unit, argv)))
            .collect();
        if case["valid"] == true {
            valid += 1;
            needless += usize::from(missing.is_empty() && !program.gaps().is_empty());
        }
        if !missing.is_empty() && program.gaps().is_empty() {
            hidden.push(format!("{command:?} hides {missing:?}"));
        }
    }
    println!("{needless} of {valid} valid lines have a gap and hide nothing");
    assert!(hidden.is_empty(), "{} lines:\n{}", hidden.len(), hidden.join("\n"));
}
