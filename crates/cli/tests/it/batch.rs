use serde_json::{Value, json};

use crate::support::{User, json_lines};

fn answers(user: &User, lines: &[String]) -> Vec<Value> {
    let ran = user.run(&["check", "--batch", "--policy", "{}/policy.json"], &(lines.join("\n") + "\n"));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    json_lines(&ran.out)
}

#[test]
fn every_line_is_answered_in_order_and_a_bad_one_does_not_stop_the_rest() {
    let lines = [
        json!({ "id": 1, "command": "git status" }).to_string(),
        json!({ "id": { "any": ["json", null] }, "command": "rm x" }).to_string(),
        "not json".to_owned(),
        json!({ "id": "no command" }).to_string(),
        json!({ "id": "wrong type", "command": 5 }).to_string(),
        r#"{"id": "surrogate", "command": "echo \ud800"}"#.to_owned(),
        r#"{"id": "twice", "command": "ls", "command": "rm x"}"#.to_owned(),
        json!({ "id": "bad policy", "command": "ls", "policy": { "bash": "maybe" } }).to_string(),
        json!({ "command": "make" }).to_string(),
    ];
    let answers = answers(&User::with_policy(), &lines);
    let shown: Vec<Value> = answers
        .iter()
        .map(|answer| json!([answer.get("id"), answer.get("decision"), answer.get("error").is_some()]))
        .collect();
    assert_eq!(
        shown,
        [
            json!([1, "allow", false]),
            json!([{ "any": ["json", null] }, "deny", false]),
            json!([null, null, true]),
            json!(["no command", null, true]),
            json!(["wrong type", null, true]),
            json!(["surrogate", null, true]),
            json!([null, null, true]),
            json!(["bad policy", null, true]),
            json!([null, "ask", false]),
        ]
    );
}

#[test]
fn a_line_may_bring_its_policy_and_its_surroundings() {
    let cases = [
        (r#"{"command":"make","policy":{"bash":{"make":"allow"}}}"#, "allow"),
        (r#"{"command":"make","policy":{"bash":{"make":"allow","m*":"deny"}}}"#, "deny"),
        (r#"{"command":"make","policy":{"bash":{"m*":"deny","make":"allow"}}}"#, "allow"),
        (r#"{"command":"timeout 5 make","policy":{"bash":{"make":"allow"}}}"#, "allow"),
        (r#"{"command":"cat ~/x","policy":{"bash":{"cat *":"allow"}},"cwd":"/home/u/p","home":"/home/u"}"#, "ask"),
        (r#"{"command":"cat ~/x","policy":{"bash":{"cat *":"allow"}},"cwd":"/home/u","home":"/home/u"}"#, "allow"),
        (r#"{"command":"make","policy":null}"#, "ask"),
    ];
    let answers = answers(&User::with_policy(), &cases.map(|(line, _)| line.to_owned()));
    let decisions: Vec<&str> = answers.iter().map(|answer| answer["decision"].as_str().unwrap()).collect();
    assert_eq!(decisions, cases.map(|(_, decision)| decision));
}

#[test]
fn answers_are_one_line_each_whatever_the_reader_takes_for_a_lines_end() {
    let line = json!({ "command": "echo \u{85}\u{2028}\u{2029}\r\n" }).to_string();
    let ran = User::with_policy().run(&["check", "--batch", "--policy", "{}/policy.json"], &line);
    assert!(!ran.out.trim_end().contains(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']), "{:?}", ran.out);
    assert_eq!(json_lines(&ran.out)[0]["command"], "echo \u{85}\u{2028}\u{2029}\r\n");
}

#[test]
fn no_lines_have_no_answers() {
    assert_eq!(User::with_policy().run(&["check", "--batch"], "").out, "");
}
