use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{POLICY, User, json_lines};

fn details(id: &str, unit: &str, full: &str) -> Value {
    let evidence =
        if unit == full { json!([]) } else { json!([{ "label": "full command", "text": full, "detail": null }]) };
    json!({
        "requestId": id, "source": "tool_call", "agentName": null, "toolCallId": "call_1", "toolName": "bash", "command": unit,
        "payload": {
            "kind": "bash",
            "request": {
                "requester": { "agentName": null, "forwarded": false, "sessionId": null },
                "surface": "bash", "toolName": "bash", "invokedToolName": null, "value": unit, "commandContext": null,
            },
            "evidence": evidence, "annotations": [],
        },
    })
}

fn authorize(user: &User, input: &str) -> (i32, String) {
    let ran = user.run(&["authorize", "--details", "-", "--policy", "{}/policy.json"], input);
    assert_eq!(ran.err, "");
    (ran.code, ran.out)
}

#[rstest]
#[case::allow("timeout 5 git status", 0)]
#[case::defer("timeout 5 make", 3)]
#[case::deny("timeout 5 rm x", 4)]
fn the_verdict_of_one_request_is_the_exit_code(#[case] command: &str, #[case] exit: i32) {
    let line = details("perm-1", command, command).to_string();
    assert_eq!(authorize(&User::with_policy(), &line).0, exit);
}

#[test]
fn the_answers_have_the_keys_of_the_contract_in_order() {
    let lines = [
        details("perm-1", "timeout 5 git status", "timeout 5 git status && git log"),
        json!({ "id": 7, "details": details("perm-2", "timeout 5 rm x", "timeout 5 rm x"), "other": 1 }),
        json!({ "id": 8, "details": details("perm-3", "timeout 5 git log", "timeout 5 git log; make") }),
        json!({ "id": 9, "details": null }),
        json!({ "id": 10, "details": 5 }),
        json!({}),
    ];
    let mut input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    input += "\nnot json\n";
    let surrogate = details("perm-4", "timeout 5 git log", "timeout 5 git log x").to_string();
    input += &surrogate.replace("log x", r"log \ud800");
    let (code, out) = authorize(&User::with_policy(), &input);
    assert_eq!(code, 0);
    insta::assert_snapshot!(out);
}

#[test]
fn a_link_that_the_chain_does_not_list_defers() {
    let user = User::new();
    user.write("policy.json", &POLICY.replace("inner-cmd", "other"));
    let line = details("perm-1", "timeout 5 git status", "timeout 5 git status").to_string();
    let (code, out) = authorize(&user, &line);
    assert_eq!((code, json_lines(&out)[0]["code"].as_str().unwrap()), (3, "authorizer:not-registered"));
    let named = ["authorize", "--details", "-", "--link", "other", "--policy", "{}/policy.json"];
    assert_eq!(user.run(&named, &line).code, 0);
}

#[test]
fn a_recording_may_be_a_file() {
    let user = User::with_policy();
    user.write("recording.jsonl", &details("perm-1", "timeout 5 rm x", "timeout 5 rm x").to_string());
    let arguments = ["authorize", "--details", "{}/recording.jsonl", "--policy", "{}/policy.json"];
    assert_eq!(user.run(&arguments, "").code, 4);
    let missing = ["authorize", "--details", "{}/none.jsonl", "--policy", "{}/policy.json"];
    assert_eq!(user.run(&missing, "").code, 2);
}
