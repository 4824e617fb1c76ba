use rstest::rstest;

use crate::support::{POLICY, User, json_lines};

/// The answer to `command` by the policy: exit code, decision and code.
fn checked(arguments: &[&str], command: &str) -> (i32, String, String) {
    let arguments =
        [&["check", "--policy", "{}/policy.json", "--format", "json"], arguments, &["--", command]].concat();
    let ran = User::with_policy().run(&arguments, "");
    let answer = json_lines(&ran.out).remove(0);
    let text = |key: &str| answer[key].as_str().unwrap().to_owned();
    (ran.code, text("decision"), text("code"))
}

#[rstest]
#[case::allow("git status", 0, "allow", "policy:bash-rule")]
#[case::ask("make", 3, "ask", "policy:bash-rule")]
#[case::deny("git status && rm x", 4, "deny", "policy:bash-rule")]
#[case::wrapped("timeout 5 git status", 0, "allow", "authorizer:inner-allowed")]
#[case::gap("git status '", 3, "ask", "gap:syntax-error")]
#[case::dash("-x", 3, "ask", "policy:bash-rule")]
fn the_exit_code_is_the_decision(#[case] command: &str, #[case] exit: i32, #[case] decision: &str, #[case] code: &str) {
    assert_eq!(checked(&[], command), (exit, decision.to_owned(), code.to_owned()));
}

#[test]
fn policy_only_leaves_the_link_out() {
    assert_eq!(checked(&["--policy-only"], "timeout 5 git status").1, "ask");
}

#[test]
fn a_chain_without_the_link_leaves_it_out() {
    let user = User::new();
    user.write("policy.json", &POLICY.replace("inner-cmd", "other"));
    assert_eq!(user.run(&["check", "--policy", "{}/policy.json", "timeout 5 git status"], "").code, 3);
}

#[test]
fn the_json_answer_has_the_keys_of_the_contract_in_order() {
    let arguments =
        ["check", "--policy", "{}/policy.json", "--format", "json", "timeout 5 git status > /dev/null; 'rm' x"];
    insta::assert_snapshot!(User::with_policy().run(&arguments, "").out);
}

#[test]
fn the_human_answer_has_a_line_for_each_unit() {
    let arguments = ["check", "--policy", "{}/policy.json", "git status\ttwo && echo $(git push origin) && rm x"];
    insta::assert_snapshot!(User::with_policy().run(&arguments, "").out);
}

#[test]
fn a_dash_reads_the_command_from_standard_input() {
    let user = User::with_policy();
    let arguments = ["check", "--policy", "{}/policy.json", "-"];
    assert_eq!(user.run(&arguments, "git log\ngit status\n").code, 0);
    assert_eq!(user.run(&arguments, "git log\nrm x").code, 4);
}

#[rstest]
#[case::no_command(&["check"], 2)]
#[case::two_commands(&["check", "git", "status"], 2)]
#[case::both(&["check", "--batch", "git status"], 2)]
#[case::no_such_file(&["check", "--policy", "{}/none.json", "git status"], 2)]
#[case::five_scopes(&["check", "--policy", "a", "--policy", "b", "--policy", "c", "--policy", "d", "--policy", "e", "x"], 2)]
fn a_usage_error_is_no_verdict(#[case] arguments: &[&str], #[case] code: i32) {
    let ran = User::new().run(arguments, "");
    assert_eq!((ran.code, ran.out.as_str()), (code, ""), "{}", ran.err);
    assert!(!ran.err.is_empty());
}

#[test]
fn a_command_in_several_words_is_no_command_and_the_error_says_what_to_do() {
    for arguments in [&["check", "git", "status"][..], &["check", "--", "git", "status"], &["explain", "git", "status"]]
    {
        let ran = User::new().run(arguments, "");
        assert_eq!((ran.code, ran.out.as_str()), (2, ""));
        assert!(ran.err.contains("tip: a command is one argument, with quotes around it"), "{}", ran.err);
    }
    assert!(!User::new().run(&["check", "--no-such-option", "ls"], "").err.contains("one argument, with quotes"));
}

#[test]
fn a_policy_that_is_not_valid_names_the_place_and_ends_with_two() {
    let user = User::new();
    user.write("policy.json", "{\n  \"permision\": {}\n}");
    let ran = user.run(&["check", "--policy", "{}/policy.json", "git status"], "");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert_eq!(
        ran.err,
        "innercmd: error: {}/policy.json:2:3: unknown key `\"permision\"` (did you mean `permission`?)\n  see it underlined: innercmd policy check {}/policy.json\n"
    );
}

#[test]
fn several_files_are_the_scopes_in_order() {
    let user = User::with_policy();
    user.write("project.json", r#"{ "permission": { "bash": { "make": "allow", "git status": "deny" } } }"#);
    let both = ["check", "--policy", "{}/policy.json", "--policy", "{}/project.json"];
    assert_eq!(user.run(&[&both[..], &["make"]].concat(), "").code, 0);
    assert_eq!(user.run(&[&both[..], &["git status"]].concat(), "").code, 4);
}

#[test]
fn without_a_file_the_built_in_policy_asks_for_what_it_does_not_know() {
    assert_eq!(User::new().run(&["check", "some-program"], "").code, 3);
}

#[test]
fn without_a_file_given_the_users_own_count() {
    let user = User::new();
    let global = ".pi/agent/extensions/pi-permission-system/config.json";
    user.write(global, r#"{ "permission": { "bash": { "make": "allow" } } }"#);
    assert_eq!(user.run(&["check", "make"], "").code, 0);
    user.write(
        ".pi/agent/agents/reviewer.md",
        "---\nname: reviewer\npermission:\n  bash:\n    make: deny\n---\nText\n",
    );
    assert_eq!(user.run(&["check", "--agent", "reviewer", "make"], "").code, 4);
    assert_eq!(user.run(&["check", "make"], "").code, 0);
    user.write(global, r#"{ "permission": { "bash": 5 } }"#);
    assert_eq!(user.run(&["check", "make"], "").code, 2);
}

#[test]
fn the_projects_own_count_where_it_is_trusted() {
    let user = User::new();
    user.write(
        ".pi/agent/extensions/pi-permission-system/config.json",
        r#"{ "permission": { "bash": { "make": "deny" } } }"#,
    );
    user.write("project/.pi/extensions/pi-permission-system/config.json", r#"{ "permission": { "bash": "allow" } }"#);
    let ran = user.run(&["check", "make"], "");
    assert_eq!(ran.code, 4);
    assert!(ran.err.contains("the project is not trusted"), "{}", ran.err);
    user.write(".pi/agent/trust.json", &format!("{{ {:?}: true }}", user.path("project").to_str().unwrap()));
    assert_eq!(user.run(&["check", "make"], "").code, 0);
    assert_eq!(user.run(&["check", "--cwd", "..", "make"], "").code, 4);
}

#[cfg(unix)]
#[test]
fn a_link_to_a_denied_file_is_that_file() {
    let user = User::with_policy();
    user.write("policy.json", &POLICY.replace(r#""git *": "allow","#, r#""git *": "allow", "cat *": "allow","#));
    user.write("project/.env", "");
    std::os::unix::fs::symlink(".env", user.path("project/notes")).unwrap();
    assert_eq!(user.run(&["check", "--policy", "{}/policy.json", "cat notes"], "").code, 4);
    assert_eq!(user.run(&["check", "--policy", "{}/policy.json", "cat README.md"], "").code, 0);
    assert_eq!(user.run(&["check", "--policy", "{}/policy.json", "--cwd", "/no/such/place", "cat notes"], "").code, 0);
}
