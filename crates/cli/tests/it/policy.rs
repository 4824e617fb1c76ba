use std::path::Path;

use rstest::rstest;

use crate::support::{Ran, User, json_lines};

fn run(user: &User, arguments: &[&str]) -> Ran {
    user.run(&[&["policy"], arguments].concat(), "")
}

const DOUBTFUL: &str = r#"{
  "permission": {
    "bash": {
      "git status": "allow",
      "git *": "ask",
      "bash *": "allow"
    }
  }
}
"#;

#[test]
fn all_that_is_wrong_is_underlined_with_the_likely_intention() {
    let user = User::new();
    user.write(
        "bad.jsonc",
        "{\n  // The rules\n  \"permission\": {\n    \"bahs\": { \"git *\": \"alow\" },\n    \"path\": [1]\n  }\n}\n",
    );
    let ran = run(&user, &["check", "{}/bad.jsonc"]);
    assert_eq!((ran.code, ran.err.as_str()), (2, ""));
    insta::assert_snapshot!(ran.out);
}

#[test]
fn doubts_are_pointed_out_and_fail_where_that_is_wanted() {
    let user = User::new();
    user.write("policy.json", DOUBTFUL);
    let ran = run(&user, &["check", "{}/policy.json"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    insta::assert_snapshot!(ran.out);
    assert_eq!(run(&user, &["check", "--strict", "{}/policy.json"]).code, 2);
    let json = json_lines(&run(&user, &["check", "--format", "json", "{}/policy.json"]).out).remove(0);
    assert_eq!(json[0]["notes"][0]["line"], 4);
    assert_eq!(json[0]["notes"][1]["code"], "policy-file:allows-anything");
}

#[rstest]
#[case::valid("{}", 0, "valid, 0 rules, 0 warnings")]
#[case::empty("", 2, "the file is empty")]
#[case::no_json("{ \"permission\": { }", 2, "not valid, 1 error")]
fn a_file_is_valid_or_not(#[case] text: &str, #[case] code: i32, #[case] says: &str) {
    let user = User::new();
    user.write("policy.json", text);
    let ran = run(&user, &["check", "{}/policy.json"]);
    assert_eq!(ran.code, code);
    assert!(ran.out.contains(says), "{}", ran.out);
}

#[test]
fn an_agents_file_is_checked_as_one() {
    let user = User::new();
    user.write("agent.md", "---\npermission:\n  bash:\n    git *: alow\n---\n");
    let ran = run(&user, &["check", "{}/agent.md"]);
    assert_eq!(ran.code, 2);
    assert!(ran.out.contains("{}/agent.md:4:"), "{}", ran.out);
}

#[test]
fn the_rules_in_effect_are_shown_with_their_origin_and_in_their_order() {
    let user = User::with_policy();
    user.write("project.jsonc", "{ \"permission\": {\n \"bash\": {\n \"rm *\": \"ask\",\n \"make *\": \"allow\" } } }");
    let ran = run(&user, &["show", "--policy", "{}/policy.json", "--policy", "{}/project.jsonc"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    insta::assert_snapshot!(ran.out);
    let only = ["show", "--format", "json", "--surface", "path", "--policy", "{}/policy.json"];
    let json = json_lines(&run(&user, &only).out).remove(0);
    assert_eq!(json["rules"].as_array().unwrap().len(), 2);
    assert_eq!(json["rules"][1]["line"], 11);
}

#[test]
fn without_a_file_the_built_in_policy_is_shown() {
    let ran = run(&User::new(), &["show", "--surface", "*"]);
    assert_eq!(ran.code, 0);
    insta::assert_snapshot!(ran.out);
}

const WITH_EXAMPLES: &str = r#"{
  "permission": {
    "bash": {
      "*": "ask",                   // expect ask: make install
      // match: git status
      // match: git log && 'git' diff
      "git *": "allow",             // not-match: git push origin
      "git push *": "deny"          // match: git push --force
    },
    "path": {
      "*": "allow",
      "*.env": "deny"               // match: src/.env
    }
  }
}
"#;

#[test]
fn examples_that_hold_pass() {
    let user = User::new();
    user.write("policy.jsonc", WITH_EXAMPLES);
    user.write("policy.examples", "# beside\nallow git status\nask   make\n");
    user.write("more.examples", "{\"command\":\"git push\\ngit log\",\"expect\":\"deny\"}\n");
    let ran = run(&user, &["test", "{}/policy.jsonc"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, "8 of 8 examples hold\n"));
    let ran = run(&user, &["test", "{}/policy.jsonc", "{}/more.examples"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, "9 of 9 examples hold\n"));
    let ran = run(&user, &["test", "--policy", "{}/policy.jsonc", "{}/more.examples"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, "1 of 1 examples hold\n"));
}

#[test]
fn examples_that_do_not_hold_are_told_with_the_reason() {
    let user = User::new();
    user.write(
        "policy.jsonc",
        &WITH_EXAMPLES.replace("match: git status", "match: make").replace("expect ask", "expect allow"),
    );
    user.write("policy.examples", "allow git push 'origin'\n");
    let ran = run(&user, &["test", "{}/policy.jsonc"]);
    assert_eq!((ran.code, ran.err.as_str()), (5, ""));
    insta::assert_snapshot!(ran.out);
    let json = json_lines(&run(&user, &["test", "--format", "json", "{}/policy.jsonc"]).out).remove(0);
    assert_eq!(json["failed"].as_array().unwrap().len(), 3);
}

#[rstest]
#[case::none_at_all("policy.json", "{}", "there are no examples: write lines such as `allow git status`")]
#[case::no_decision("x.examples", "git status\n", "x.examples:1: expected `allow`, `ask` or `deny` and a command")]
#[case::no_rule("policy.jsonc", "{} // match: git", "policy.jsonc:1: there is no rule on this line, nor below it")]
#[case::no_file("missing.json", "", "missing.json: No such file")]
fn what_cannot_be_tested_says_what_to_do(#[case] name: &str, #[case] text: &str, #[case] says: &str) {
    let user = User::new();
    if !name.starts_with("missing") {
        user.write(name, text);
    }
    let ran = run(&user, &["test", &format!("{{}}/{name}")]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains(says), "{}", ran.err);
}

#[test]
fn a_policy_to_begin_with_is_written_and_never_over_another() {
    let user = User::new();
    let ran = run(&user, &["init", "{}/new/policy.jsonc"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    insta::assert_snapshot!(ran.out);
    assert_eq!(run(&user, &["check", "--strict", "{}/new/policy.jsonc"]).code, 0);
    let tested = run(&user, &["test", "{}/new/policy.jsonc"]);
    assert_eq!((tested.code, tested.out.as_str()), (0, "10 of 10 examples hold\n"));
    std::fs::remove_file(user.path("new/policy.examples")).unwrap();
    user.write("new/policy.jsonc", "mine");
    let ran = run(&user, &["init", "{}/new/policy.jsonc"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("{}/new/policy.jsonc exists: give --force to replace it"), "{}", ran.err);
    assert_eq!(text(&user.path("new/policy.jsonc")), "mine");
    assert_eq!(user.path("new").read_dir().unwrap().count(), 1, "nothing is left behind");
    assert_eq!(run(&user, &["init", "--force", "{}/new/policy.jsonc"]).code, 0);
    assert!(text(&user.path("new/policy.jsonc")).contains("permission"));
    let files = user.path("new").read_dir().unwrap().count();
    assert_eq!(files, 2, "the policy, and its examples");
}

#[test]
fn the_users_own_policy_is_written_where_it_is_read() {
    let user = User::new();
    assert_eq!(user.run(&["check", "git status"], "").code, 0);
    assert_eq!(run(&user, &["init", "--user"]).code, 0);
    let file = user.path(".pi/agent/extensions/pi-permission-system/config.json");
    assert!(text(&file).contains("permission"));
    assert_eq!(user.run(&["check", "git status"], "").code, 0);
    assert_eq!(run(&user, &["init"]).code, 2);
}

#[expect(clippy::disallowed_methods, reason = "the tests read the files the command wrote")]
fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}
