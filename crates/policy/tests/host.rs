//! What pi-permission-system holds back is held back here, whatever it takes the text for.
#![expect(clippy::unwrap_used, reason = "tests state what they expect by failing")]

use innercmd_bash_units::{BashProgram, Limits};
use innercmd_policy::{Decision, LexicalPaths, Policy, Surroundings};
use rstest::rstest;

#[track_caller]
fn check(permission: &str, command: &str, expected: &str) {
    let policy = Policy::from_permission(permission).unwrap().policy;
    let program = BashProgram::parse(command, &Limits::default());
    let around = Surroundings { cwd: "/work/project", home: Some("/home/user"), facts: &LexicalPaths };
    let decision = policy.judge(&program, &around).decision();
    let shown = match &decision {
        Decision::Allow(_) => "allow".to_owned(),
        other @ (Decision::Ask(_) | Decision::Deny { .. }) => format!("{} {}", other.effect(), other.code()),
    };
    assert_eq!(shown, expected, "{command}");
}

const LOOP: &str = "for f in a; do ls $f; done";

#[rstest]
#[case::a_loop(r#"{ "*": "allow", "for *ls*": "deny" }"#, LOOP, "deny policy:host-text")]
#[case::a_loop_to_ask_about(r#"{ "*": "allow", "for *ls*": "ask" }"#, LOOP, "ask policy:host-text")]
#[case::another_loop(r#"{ "*": "allow", "for *rm*": "deny" }"#, LOOP, "allow")]
#[case::a_group(r#"{ "*": "allow", "{*": "deny" }"#, "{ ls; }", "deny policy:host-text")]
#[case::a_negation(r#"{ "*": "allow", "! *": "deny" }"#, "! ls", "deny policy:host-text")]
#[case::a_test(r#"{ "*": "allow", "[[*": "ask" }"#, "[[ a ]] && ls", "ask policy:host-text")]
#[case::arithmetic(r#"{ "*": "allow", "((*": "ask" }"#, "((1)); ls", "ask policy:host-text")]
#[case::a_redirection_inside(r#"{ "*": "allow", "ls": "ask" }"#, "ls >&2 -l", "ask policy:host-text")]
#[case::what_no_assignment_is(r#"{ "*": "allow", "evil *": "deny" }"#, "1a=b evil", "deny policy:host-text")]
#[case::without_comment_lines(r#"{ "*": "allow", "(\nls)": "deny" }"#, "(\n# c\nls)", "deny policy:host-text")]
fn a_rule_meets_the_texts_that_the_host_matches(#[case] bash: &str, #[case] command: &str, #[case] expected: &str) {
    check(&format!(r#"{{ "bash": {bash} }}"#), command, expected);
}

#[rstest]
#[case::a_loop(LOOP)]
#[case::a_subshell("(ls)")]
#[case::a_test("[[ a ]] && ls")]
#[case::an_assignment("A=1; ls")]
fn the_catch_all_asks_about_commands_and_denies_whatever_the_host_takes_for_one(#[case] command: &str) {
    check(r#"{ "bash": { "*": "ask", "ls *": "allow" } }"#, command, "allow");
    check(r#"{ "bash": { "ls *": "allow" } }"#, command, "allow");
    check(r#"{ "bash": { "*": "deny", "ls *": "allow" } }"#, command, "deny policy:host-text");
    check(r#"{ "*": "deny", "bash": { "ls *": "allow" } }"#, command, "deny policy:host-text");
}

#[rstest]
#[case::time("time ls")]
#[case::time_of_a_pipeline("time ls | cat")]
#[case::env("env")]
#[case::env_that_assigns("env A=1")]
#[case::nice("nice")]
fn what_the_host_floors_asks(#[case] command: &str) {
    check(r#"{ "bash": { "*": "allow" } }"#, command, "ask policy:wrapper");
}

#[rstest]
#[case::a_redirection("> f", "ask policy:no-command")]
#[case::a_comment("# c", "allow")]
#[case::nothing(" \n", "allow")]
fn what_holds_no_command_asks_where_it_does_something(#[case] command: &str, #[case] expected: &str) {
    check(r#"{ "bash": { "*": "allow" } }"#, command, expected);
}

#[rstest]
#[case::denied(r#"{ "external_directory": "deny" }"#, "deny policy:external-directory")]
#[case::named(r#"{ "external_directory": { "*": "allow", "/usr*": "ask" } }"#, "ask policy:external-directory")]
#[case::asked_about(r#"{ "external_directory": "ask" }"#, "allow")]
#[case::a_path_rule(r#"{ "path": { "*big": "deny" } }"#, "deny policy:host-path")]
#[case::the_catch_all_of_paths(r#"{ "path": { "*": "ask" } }"#, "allow")]
fn text_that_the_host_takes_for_a_path_meets_denies_and_what_names_it(#[case] paths: &str, #[case] expected: &str) {
    let rest = paths.strip_prefix('{').unwrap();
    check(&format!(r#"{{ "bash": "allow", {rest}"#), "echo '/usr is big'", expected);
}

#[rstest]
#[case::denied(r#"{ "*": "deny", "src/*": "allow" }"#, "deny policy:host-path")]
#[case::named(r#"{ "*": "allow", "/dev/*": "ask" }"#, "ask policy:path-rule")]
#[case::asked_about(r#"{ "*": "ask", "src/*": "allow" }"#, "allow")]
fn devices_meet_denies_and_what_names_them(#[case] path: &str, #[case] expected: &str) {
    check(&format!(r#"{{ "bash": "allow", "path": {path} }}"#), "cat src/a 2>/dev/null", expected);
}
