//! What was approved for a session lets through what was approved, and nothing in, beside or around it.
#![expect(clippy::unwrap_used, reason = "tests state what they expect by failing")]

use innercmd_bash_units::{BashProgram, Limits};
use innercmd_policy::{LexicalPaths, Policy, Surroundings};
use rstest::rstest;

const OWN: &str = r#"{ "*": "ask", "path": "allow", "bash": { "*": "ask", "ls *": "allow", "rm *": "deny" } }"#;

/// Checks what `command` gets once `pattern` is approved on `surface`.
#[track_caller]
fn check_on(surface: &str, pattern: &str, command: &str, expected: &str) {
    let approved = format!(r#"{{ "permission": {{ "{surface}": {{ {pattern:?}: "allow" }} }} }}"#);
    let policy = Policy::from_permission(OWN).unwrap().policy.with_session(&approved).unwrap();
    let program = BashProgram::parse(command, &Limits::default());
    let around = Surroundings { cwd: "/work/project", home: Some("/home/user"), facts: &LexicalPaths };
    assert_eq!(policy.judge(&program, &around).decision().effect().name(), expected, "{command}");
}

#[track_caller]
fn check(pattern: &str, command: &str, expected: &str) {
    check_on("bash", pattern, command, expected);
}

#[rstest]
#[case::itself("mytool *", "mytool x")]
#[case::with_an_ordinary_variable("mytool *", "FOO=1 mytool x")]
#[case::beside_what_is_allowed("mytool *", "ls && mytool x | mytool y")]
#[case::in_a_loop("mytool *", "for f in a; do mytool $f; done")]
fn what_was_approved_passes(#[case] pattern: &str, #[case] command: &str) {
    check(pattern, command, "allow");
}

#[rstest]
#[case::of_a_timeout("timeout *", "timeout 5 other", "timeout 5 rm x")]
#[case::of_one_timeout("timeout 5 mytool", "timeout 5 mytool", "timeout 5 mytool; rm x")]
#[case::of_sudo("sudo *", "sudo other", "sudo rm x")]
#[case::of_env("env *", "env A=1 other", "env A=1 rm x")]
#[case::of_xargs("xargs *", "ls | xargs other", "ls | xargs rm")]
#[case::of_find("find *", "find . -exec other {} \\;", "find . -exec rm {} \\;")]
#[case::of_a_shell("bash -c *", "bash -c 'other'", "bash -c 'ls; rm x'")]
#[case::of_eval("eval *", "eval other", "eval 'rm x'")]
#[case::of_an_approved_name("mytool *", "nohup mytool x", "nohup rm x")]
fn another_inner_command_does_not_pass(#[case] pattern: &str, #[case] asked: &str, #[case] denied: &str) {
    check(pattern, asked, "ask");
    check(pattern, denied, "deny");
}

#[rstest]
#[case::after_and("mytool x && ", "")]
#[case::after_or("mytool x || ", "")]
#[case::after_a_semicolon("mytool x; ", "")]
#[case::after_a_newline("mytool x\n", "")]
#[case::after_a_pipe("mytool x | ", "")]
#[case::in_the_background("mytool x & ", "")]
#[case::before("", " && mytool x")]
#[case::in_a_substitution("mytool $(", ")")]
#[case::in_backquotes("mytool \"`", "`\"")]
#[case::in_a_process_substitution("mytool <(", ")")]
#[case::in_an_expansion("mytool ${x:-$(", ")}")]
#[case::in_a_here_document("mytool <<E\n$(", ")\nE\n")]
fn a_sibling_does_not_pass(#[case] before: &str, #[case] behind: &str) {
    for pattern in ["mytool *", "mytool*", "* mytool *", "*&&*", "*;*"] {
        check(pattern, &format!("{before}other{behind}"), "ask");
        check(pattern, &format!("{before}rm x{behind}"), "deny");
    }
}

#[rstest]
#[case::of_a_for("for *", "for f in a; do ", "; done")]
#[case::of_a_while("while *", "while ls; do ", "; done")]
#[case::of_an_if("if *", "if ls; then ", "; fi")]
#[case::of_a_condition("if *", "if ", "; then ls; fi")]
#[case::of_a_case("case *", "case a in a) ", ";; esac")]
#[case::of_a_group("{ *", "{ ", "; }")]
#[case::of_a_subshell("(*", "(", ")")]
#[case::of_a_function("f*", "f() { ", "; }; ls")]
#[case::of_a_negation("! *", "! ", "")]
fn the_body_of_a_compound_command_does_not_pass(#[case] pattern: &str, #[case] before: &str, #[case] behind: &str) {
    check(pattern, &format!("{before}other{behind}"), "ask");
    check(pattern, &format!("{before}rm x{behind}"), "deny");
}

#[rstest]
#[case::another_program_of_that_name("mytool *", "./mytool x")]
#[case::another_place_to_look("mytool *", "PATH=. mytool x")]
#[case::code_to_load("mytool *", "LD_PRELOAD=x mytool x")]
#[case::another_spelling("mytool *", "'mytool' x")]
#[case::a_longer_name("mytool *", "mytools x")]
#[case::a_computed_name("mytool *", "$mytool x")]
fn what_only_looks_like_it_does_not_pass(#[case] pattern: &str, #[case] command: &str) {
    check(pattern, command, "ask");
}

#[rstest]
#[case::itself("ls /opt/a/x", "allow")]
#[case::a_sibling("ls /opt/b", "ask")]
#[case::a_longer_name("ls /opt/ab", "ask")]
#[case::by_a_detour("ls /opt/a/../b", "ask")]
#[case::another_beside_it("ls /opt/a/x /opt/b", "ask")]
#[case::a_computed_one("ls /opt/a/$x", "ask")]
fn an_approved_directory_opens_no_other(#[case] command: &str, #[case] expected: &str) {
    check_on("external_directory", "/opt/a/*", command, expected);
}
