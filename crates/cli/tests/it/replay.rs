use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Ran, User, json_lines};

/// A session of Pi and a transcript of Claude Code in one directory.
fn with_sessions() -> User {
    let user = User::with_policy();
    let pi = |command: &str| {
        json!({ "type": "message", "message": { "role": "assistant", "content": [
            { "type": "text", "text": "a \"command\"" },
            { "type": "toolCall", "id": "1", "name": "bash", "arguments": { "command": command } },
        ] } })
    };
    let claude = |command: &str| {
        json!({ "type": "assistant", "cwd": "/work/project", "message": { "role": "assistant", "content": [
            { "type": "tool_use", "id": "1", "name": "Bash", "input": { "command": command, "description": "x" } },
            { "type": "tool_use", "id": "2", "name": "Read", "input": { "file_path": "/x" } },
        ] } })
    };
    let lines = |lines: Vec<Value>| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let session = json!({ "type": "session", "version": 3, "cwd": "/work/project" });
    user.write(
        "past/pi.jsonl",
        &lines(vec![session, pi("git status"), pi("npm test"), pi("git log && npm test"), pi("rm -rf x")]),
    );
    user.write(
        "past/deep/claude.jsonl",
        &lines(vec![claude("timeout 5 git status"), claude("make; $CMD"), claude("bash x.sh")]),
    );
    user.write("past/readme.txt", "no session");
    user
}

fn replay(user: &User, arguments: &[&str]) -> Ran {
    user.run(&[&["replay", "--policy", "{}/policy.json"], arguments].concat(), "")
}

fn report(user: &User, arguments: &[&str]) -> Value {
    let ran = replay(user, &[&["--format", "json"], arguments].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    json_lines(&ran.out).remove(0)
}

#[test]
fn the_report_says_what_would_have_happened_and_why() {
    let ran = replay(&with_sessions(), &["{}/past"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    insta::assert_snapshot!(ran.out);
}

#[test]
fn the_numbers_are_those_of_the_commands() {
    let report = report(&with_sessions(), &["{}/past"]);
    assert_eq!(report["commands"], json!({ "allow": 2, "ask": 4, "deny": 1 }));
    assert_eq!((&report["inputs"], &report["lines"]), (&json!(2), &json!(8)));
    let git = report["programs"].as_array().unwrap().iter().find(|row| row["program"] == "git").unwrap();
    assert_eq!(git, &json!({ "program": "git", "allow": 2, "ask": 0, "deny": 0 }));
    let rules = report["spare"]["rules"].as_array().unwrap();
    assert_eq!(rules.len(), 1);
    assert_eq!((&rules[0]["pattern"], &rules[0]["prompts"]), (&json!("npm test"), &json!(2)));
}

#[test]
fn a_rule_that_is_suggested_spares_what_it_says() {
    let user = with_sessions();
    let policy = crate::support::POLICY.replace(r#""*": "ask","#, r#""*": "ask", "npm test": "allow","#);
    user.write("policy.json", &policy);
    assert_eq!(report(&user, &["{}/past"])["commands"], json!({ "allow": 4, "ask": 2, "deny": 1 }));
}

#[test]
fn another_policy_is_compared() {
    let user = with_sessions();
    user.write("other.json", r#"{ "permission": { "bash": { "*": "ask", "npm *": "allow", "git log": "deny" } } }"#);
    let against = report(&user, &["--against", "{}/other.json", "{}/past"]);
    let against = &against["against"];
    assert_eq!(against["moved"], json!([[0, 2, 0], [1, 2, 1], [0, 1, 0]]));
    let newly = &against["newly_allowed"];
    assert_eq!(newly, &json!([{ "command": "npm test", "before": "ask", "times": 1 }]));
    let ran = replay(&user, &["--against", "{}/other.json", "{}/past"]);
    assert!(ran.out.contains("Newly allowed\n         1  was ask      npm test\n"), "{}", ran.out);
}

#[test]
fn plain_lines_come_from_standard_input_and_bad_ones_are_counted() {
    let input = "{\"command\":\"git status\"}\n\nno json\n{\"command\":\"make\",\"cwd\":\"/x\"}\n{\"command\":\"cut";
    let ran = User::with_policy().run(&["replay", "--policy", "{}/policy.json", "--format", "json", "-"], input);
    let report = json_lines(&ran.out).remove(0);
    assert_eq!(report["commands"], json!({ "allow": 1, "ask": 1, "deny": 0 }));
    assert_eq!((&report["unreadable"], &report["first_unreadable"]), (&json!(2), &json!("standard input:3")));
}

#[test]
fn many_lines_are_counted_as_one_by_one() {
    let user = User::with_policy();
    let lines: String =
        (0..3_000).map(|number| format!("{{\"command\":\"make target-{}\"}}\n", number % 1_000)).collect();
    user.write("many.jsonl", &lines);
    let report = report(&user, &["--top", "3", "{}/many.jsonl"]);
    assert_eq!(report["commands"]["ask"], 3_000);
    let rules: Vec<(&str, u64)> = report["spare"]["rules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| (rule["pattern"].as_str().unwrap(), rule["prompts"].as_u64().unwrap()))
        .collect();
    assert_eq!(rules, [("make target-0", 3), ("make target-1", 3), ("make target-10", 3)]);
}

#[test]
fn the_page_is_whole_and_what_it_shows_is_escaped() {
    let user = User::with_policy();
    let hostile = r#"echo "<script>alert(1)</script>" '</code>' & <img src=x onerror=y>"#;
    user.write("x.jsonl", &format!("{}\n{}\n", json!({ "command": hostile }), json!({ "command": "make \"<b>\"" })));
    let ran = replay(&user, &["--html", "{}/report.html", "--against", "{}/policy.json", "{}/x.jsonl"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let page = text(&user, "report.html");
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    assert!(page.contains("&#60;script&#62;"), "the command is shown");
    for active in ["<script", "<img", "\"<b>", "onerror=y>", "http:", "https:", "src=\"", "url(", "@import", "<link"] {
        assert!(!page.contains(active), "{active}");
    }
}

#[rstest]
#[case::no_command(&["{}/empty.jsonl"], "no command in {}/empty.jsonl: what is read are session files of Pi")]
#[case::no_file(&["{}/none.jsonl"], "{}/none.jsonl: No such file")]
#[case::no_session(&["{}/project"], "{}/project holds no `.jsonl` file: name the files of past sessions")]
#[case::bad_policy(&["--against", "{}/empty.jsonl", "{}/past"], "{}/empty.jsonl:2:1")]
fn what_cannot_be_replayed_says_what_to_do(#[case] arguments: &[&str], #[case] says: &str) {
    let user = with_sessions();
    user.write("empty.jsonl", "{\"type\":\"x\"}\n{}\n");
    let ran = replay(&user, arguments);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains(says), "{}", ran.err);
}

#[expect(clippy::disallowed_methods, reason = "the tests read the files the command wrote")]
fn text(user: &User, path: &str) -> String {
    std::fs::read_to_string(user.path(path)).unwrap()
}
