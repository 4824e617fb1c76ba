//! What the gates of paths say about commands: text in, text out.
#![expect(clippy::unwrap_used, reason = "tests state what they expect by failing")]

use innercmd_bash_units::{BashProgram, Limits};
use innercmd_policy::{Effect, LexicalPaths, Policy, Surroundings};
use rstest::rstest;

const POLICY: &str = r#"{
    "*": "allow",
    "path": { "*": "allow", "*.env": "deny", "src/private/*": "deny" },
    "external_directory": { "*": "ask", "/outside/*": "deny" }
}"#;

fn decide(command: &str) -> String {
    let policy = Policy::from_permission(POLICY).unwrap().policy;
    let program = BashProgram::parse(command, &Limits::default());
    let around = Surroundings { cwd: "/work/project", home: Some("/outside/home"), facts: &LexicalPaths };
    let decision = policy.judge(&program, &around).decision();
    match decision.effect() {
        Effect::Allow => "allow".to_owned(),
        effect @ (Effect::Ask | Effect::Deny) => format!("{effect} {}", decision.code()),
    }
}

#[track_caller]
fn check(command: &str, expected: &str) {
    assert_eq!(decide(command), expected, "{}", command.get(..100).unwrap_or(command));
}

#[rstest]
#[case::in_place("cd src && cat x", "allow")]
#[case::in_place_again("cd src; cat x; cd ..; cat x", "allow")]
#[case::two_operands("cd src x; cat ../x", "ask policy:external-directory")]
#[case::home("cd && ls -a", "deny policy:external-directory")]
#[case::the_one_before("cd -; ls", "ask policy:dynamic-path")]
#[case::a_search_path("CDPATH=/outside; cd src; ls", "ask policy:code-loading-variable")]
#[case::a_denied_directory("cd src/private && ls", "deny policy:path-rule")]
#[case::a_denied_file_there("cd src && cat private/x", "deny policy:path-rule")]
#[case::in_the_background("cd src && cat private/x &", "deny policy:path-rule")]
#[case::behind_exec("cd src && exec 3>&1; cat private/x", "deny policy:path-rule")]
fn a_command_is_judged_where_it_may_run(#[case] command: &str, #[case] expected: &str) {
    check(command, expected);
}

#[rstest]
#[case::plain("x=src; cat $x/f", "allow")]
#[case::denied("x=.env; cat $x", "deny policy:path-rule")]
#[case::a_pattern("x='.en?'; cat $x", "ask policy:dynamic-path")]
#[case::quoted("x='.en?'; cat \"$x\"", "allow")]
#[case::glued("x=f; read -ax <<< .env; cat $x", "ask policy:dynamic-path")]
#[case::several_words("cat src/$X.ts", "ask policy:dynamic-path")]
#[case::in_a_test("x=f; [ -f $x ] && cat $x", "allow")]
#[case::in_a_wrapper("S=src; find $S -name x", "allow")]
#[case::an_operator_of_it("S=-exec; find src $S ls {} +", "ask policy:wrapper")]
#[case::in_a_script("d=/work/project/src; sed -n '1,5p' $d/f", "allow")]
fn known_values_are_as_good_as_written(#[case] command: &str, #[case] expected: &str) {
    check(command, expected);
}

#[rstest]
#[case::cluster("grep -rf.env x", "deny policy:path-rule")]
#[case::flags("grep -rn x src", "allow")]
#[case::outside("sort -uo/outside/x f", "deny policy:external-directory")]
#[case::script("sed 'r .env' f", "deny policy:path-rule")]
#[case::no_file("sed 's/r .env/x/' f", "allow")]
#[case::list("wc --files0-from=-", "ask policy:dynamic-path")]
#[case::pathspec("git diff -- '.en?'", "ask policy:dynamic-path")]
#[case::narrow_pathspec("git diff -- 'docs/*.ts'", "allow")]
#[case::in_a_commit("git show HEAD:.env", "deny policy:path-rule")]
fn files_are_found_in_options_and_data(#[case] command: &str, #[case] expected: &str) {
    check(command, expected);
}

#[test]
fn too_many_paths_are_asked_about_and_keep_their_deny() {
    let many = "a ".repeat(30_000);
    check(&format!("cat {many}"), "ask gap:too-much-work");
    check(&format!("cat {many}.env"), "deny policy:path-rule");
    check(&format!("cd {}; {}", "a/".repeat(1500), "cat x;".repeat(5000)), "ask gap:too-much-work");
}
