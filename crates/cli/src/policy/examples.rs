//! The examples that people write for their policies: in files of their own, and in the comments of a policy file.

use innercmd_policy::Effect;
use serde::Deserialize;

/// An example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Example {
    /// The line it stands on, from 1 on.
    pub(crate) line: usize,
    pub(crate) command: String,
    pub(crate) expected: Expected,
    /// Where the command would run, if the example says so.
    pub(crate) cwd: Option<String>,
    pub(crate) agent: Option<String>,
}

/// What an example expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// The decision on the whole command.
    Decision(Effect),
    /// Whether the rule on this line, or else the next one below it, is the one that counts for a unit of the command.
    Rule { counts: bool },
}

/// What no example can be read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unreadable {
    pub(crate) line: usize,
    pub(crate) message: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonExample {
    command: String,
    expect: String,
    cwd: Option<String>,
    agent: Option<String>,
}

/// The examples of a file of their own: a decision and a command on each line, or a JSON object.
pub(crate) fn of_file(text: &str) -> Result<Vec<Example>, Unreadable> {
    let numbered = text.lines().enumerate().map(|(number, line)| (number.saturating_add(1), line.trim()));
    let said = numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    said.map(|(number, line)| example(number, line).map_err(|message| Unreadable { line: number, message })).collect()
}

fn example(line: usize, text: &str) -> Result<Example, String> {
    if text.starts_with('{') {
        let json: JsonExample = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let expected = effect(&json.expect)?;
        return Ok(Example { line, command: json.command, expected, cwd: json.cwd, agent: json.agent });
    }
    let (word, command) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    Ok(Example { line, command: command_of(command)?, expected: effect(word)?, cwd: None, agent: None })
}

fn effect(word: &str) -> Result<Expected, String> {
    let unknown = || format!("expected `allow`, `ask` or `deny` and a command, found `{}`", crate::human::shown(word));
    Effect::parse(word).map(Expected::Decision).ok_or_else(unknown)
}

fn command_of(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() { Err("an example without a command".to_owned()) } else { Ok(text.to_owned()) }
}

/// The examples in the comments of a policy file.
pub(crate) fn of_policy(text: &str, front_matter: bool) -> Result<Vec<Example>, Unreadable> {
    let comments = if front_matter { hash_comments(text) } else { slash_comments(text) };
    let example = |(line, comment): (usize, &str)| {
        in_comment(line, comment).map_err(|message| Unreadable { line, message }).transpose()
    };
    comments.into_iter().filter_map(example).collect()
}

fn in_comment(line: usize, comment: &str) -> Result<Option<Example>, String> {
    let Some((head, command)) = comment.trim().split_once(':') else { return Ok(None) };
    let expected = match head.split_whitespace().collect::<Vec<_>>().as_slice() {
        ["match"] => Expected::Rule { counts: true },
        ["not-match"] => Expected::Rule { counts: false },
        ["expect", word] => effect(word)?,
        _ => return Ok(None),
    };
    Ok(Some(Example { line, command: command_of(command)?, expected, cwd: None, agent: None }))
}

/// The comments `// …` of JSON, each with its line.
fn slash_comments(text: &str) -> Vec<(usize, &str)> {
    let mut comments = vec![];
    let mut block = false;
    for (number, line) in text.lines().enumerate() {
        if let Some(at) = comment_start(line, &mut block) {
            comments.push((number.saturating_add(1), line.get(at.saturating_add(2)..).unwrap_or_default()));
        }
    }
    comments
}

/// Where `//` begins a comment, outside of strings and of comments `/* … */`; a string ends with its line.
fn comment_start(line: &str, block: &mut bool) -> Option<usize> {
    let bytes = line.as_bytes();
    let (mut at, mut string) = (0, false);
    while let Some(byte) = bytes.get(at) {
        let pair = (*byte, bytes.get(at.saturating_add(1)).copied().unwrap_or_default());
        let taken = match pair {
            (b'*', b'/') if *block => {
                *block = false;
                2
            }
            _ if *block => 1,
            (b'\\', _) if string => 2,
            (b'"', _) => {
                string = !string;
                1
            }
            _ if string => 1,
            (b'/', b'/') => return Some(at),
            (b'/', b'*') => {
                *block = true;
                2
            }
            _ => 1,
        };
        at = at.saturating_add(taken);
    }
    None
}

/// The comment lines of front matter, each with its line.
fn hash_comments(text: &str) -> Vec<(usize, &str)> {
    let lines = text.lines().enumerate().skip(1).take_while(|(_, line)| !line.starts_with("---"));
    lines.filter_map(|(number, line)| Some((number.saturating_add(1), line.trim_start().strip_prefix('#')?))).collect()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[track_caller]
    fn check(examples: Result<Vec<Example>, Unreadable>, expected: &[(usize, &str, &str)]) {
        let name = |expected| match expected {
            Expected::Decision(effect) => effect.name(),
            Expected::Rule { counts: true } => "match",
            Expected::Rule { counts: false } => "not-match",
        };
        let examples = examples.unwrap();
        let found: Vec<_> =
            examples.iter().map(|example| (example.line, name(example.expected), example.command.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_line_of_a_file_is_a_decision_and_a_command() {
        let text = "# reading\nallow  git status\n\n ask git push  # not a comment\n{\"command\":\"rm\\nx\",\"expect\":\"deny\"}\n";
        let expected = [(2, "allow", "git status"), (4, "ask", "git push  # not a comment"), (5, "deny", "rm\nx")];
        check(of_file(text), &expected);
    }

    #[rstest]
    #[case::word("allow x\nmaybe git", 2, "expected `allow`, `ask` or `deny` and a command, found `maybe`")]
    #[case::no_command("deny ", 1, "an example without a command")]
    #[case::key(r#"{"command":"x","expect":"ask","shell":"sh"}"#, 1, "unknown field `shell`")]
    fn what_is_no_example_is_pointed_out(#[case] text: &str, #[case] line: usize, #[case] message: &str) {
        let error = of_file(text).unwrap_err();
        assert_eq!(error.line, line);
        assert!(error.message.contains(message), "{}", error.message);
    }

    #[test]
    fn comments_of_a_policy_file_are_examples_where_they_say_so() {
        let text = "{ // match: a\n \"x // match: no\": \"ask\", // not-match: b -- c: d\n/* match: no\n // match: no */\n // ask: prose\n // expect deny: e\n}";
        check(of_policy(text, false), &[(1, "match", "a"), (2, "not-match", "b -- c: d"), (6, "deny", "e")]);
        assert!(of_policy("// expect maybe: x", false).is_err());
    }

    #[test]
    fn so_are_those_of_front_matter() {
        let text = "---\npermission:\n  # match: a\n  bash:\n    x: ask\n---\n# match: prose\n";
        check(of_policy(text, true), &[(3, "match", "a")]);
    }
}
