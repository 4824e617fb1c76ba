//! What variables hold.

use rstest::rstest;

use crate::check;

#[rstest]
#[case::assigned("F=src/x; cat $F", &["src/x"])]
#[case::assigned_outside("F=/etc/passwd; cat $F", &["! /etc/passwd"])]
#[case::two_values("F=a; F=/etc/x; cat $F", &["a", "! /etc/x"])]
#[case::a_loop("for f in a b/*.ts; do head $f; done", &["a", "b/@.ts"])]
#[case::a_loop_over_anything("for f in $(ls); do head $f; done", &["? $"])]
#[case::read("F=a; read F; cat $F", &["? $"])]
#[case::later("cat $F; F=a", &["? $"])]
#[case::for_one_command("F=a cat $F", &["? $"])]
#[case::appended("F=a; F+=/../../x; cat $F", &["? $"])]
#[case::sourced("F=a; . ./x; cat $F", &["./x", "? $"])]
#[case::default("cat ${F:=/etc/x}; F=a; cat $F", &["? $", "? $"])]
#[case::in_a_subshell("(F=a); cat $F", &["? $"])]
#[case::inside_the_subshell("(F=a; cat $F)", &["a"])]
#[case::words_in_it("F='a /etc/x'; cat $F \"$F\"", &["? $", "a /etc/x"])]
#[case::a_pattern_in_it("F='.e*'; cat $F \"$F\"", &["? $", ".e*"])]
#[case::printf_assigns_nothing("F=a; printf '%s' \"$F\" x; cat $F", &["a"])]
#[case::part("D=/etc; cat $D/x", &["! /etc/x"])]
fn variables_hold_what_the_text_gave_them(#[case] command: &str, #[case] expected: &[&str]) {
    check(command, expected);
}

#[rstest]
#[case::a_list("true && F=a && cat $F", &["a"])]
#[case::behind_the_list("true && F=a; cat $F/x", &["? $/x", "? $"])]
#[case::where_it_failed("false || F=a; cat \"$F/x\"", &["? $/x"])]
#[case::a_branch("if true; then F=a; fi; cat \"$F/x\"", &["? $/x"])]
#[case::the_same_branch("if true; then F=a; cat $F/x; fi", &["a/x"])]
#[case::a_group("{ F=a; }; cat $F/x", &["a/x"])]
#[case::a_group_that_may_not_run("false && { F=a; }; cat \"$F/x\"", &["? $/x"])]
#[case::a_function("f() { F=a; }; cat \"$F/x\"", &["? $/x"])]
#[case::a_function_that_adds_a_value("F=a; f() { F=/etc; }; cat $F/x", &["a/x", "! /etc/x"])]
#[case::a_function_that_reads_it("F=a; f() { cat $F; }; f", &["a"])]
#[case::background("F=a & cat \"$F/x\"", &["? $/x"])]
#[case::a_pipeline("F=a | cat \"$F/x\"", &["? $/x"])]
#[case::a_loop_over_words("for f in a b; do :; done; cat $f/x", &["a/x", "b/x"])]
#[case::a_loop_that_may_not_run("for f in $Y; do :; done; cat \"$f/x\"", &["? $/x"])]
#[case::a_loop_in_a_list("true && for f in a b; do cat $f; done", &["a", "b"])]
#[case::values_of_values("A=/etc; B=$A/x; cat $B", &["! /etc/x"])]
#[case::of_itself("A=$A; cat $A", &["? $"])]
#[case::split_elsewhere("IFS=:; F=a:/etc; cat $F \"$F\"", &["? $", "a:/etc"])]
#[case::a_pattern_of_a_loop("for f in '.e*'; do cat $f \"$f\"; done", &["? $", ".e*"])]
#[case::an_extended_pattern("F='@(a)'; cat $F", &["? $"])]
#[case::the_last_argument("_=a; cat $_/x", &["? $/x", "? $"])]
fn a_value_counts_where_it_is_certain(#[case] command: &str, #[case] expected: &[&str]) {
    check(command, expected);
}

#[rstest]
#[case::nothing(":", "F", true)]
#[case::read("read F", "F", false)]
#[case::read_another("read -p F G", "F", true)]
#[case::read_behind_a_prompt("read -p \"$P\" F", "F", false)]
#[case::read_into_an_array("read -ra F", "F", false)]
#[case::glued("read -raF", "F", false)]
#[case::quoted("read \"F\"", "F", false)]
#[case::computed("read $X", "F", false)]
#[case::in_part_computed("read F$X", "F", false)]
#[case::printf("printf -vF x", "F", false)]
#[case::printf_apart("printf -v F x", "F", false)]
#[case::printf_of_it("printf %s F \"$X\"", "F", true)]
#[case::an_element_by_default(": ${F[0]:=x}", "F", false)]
#[case::an_element("F[0]=x", "F", false)]
#[case::by_reference("declare -n G=F; G=x", "F", false)]
#[case::with_an_attribute("declare -u F", "F", false)]
#[case::an_expression("((F=1))", "F", false)]
#[case::an_expansion(": $((F+=1))", "F", false)]
#[case::a_count(": $((F++))", "F", false)]
#[case::compared("((F==1))", "F", true)]
#[case::another_variable("((i=1))", "F", true)]
#[case::an_array_by_it("((F[0]=1))", "F", false)]
#[case::a_subscript(": ${a[F=1]}", "F", false)]
#[case::let_it("let F=1", "F", false)]
#[case::waited_for("wait -p F", "F", false)]
#[case::waited("wait $!", "F", true)]
#[case::options("getopts ab F", "F", false)]
#[case::a_coprocess("coproc F { :; }", "F", false)]
#[case::a_descriptor("exec {F}<x", "F", false)]
#[case::a_map("mapfile F <x", "F", false)]
#[case::evaluated("eval x", "F", false)]
#[case::looked_up("command -v jq", "F", true)]
#[case::by_command("command read F", "F", false)]
fn whatever_may_assign_is_known(#[case] assigning: &str, #[case] name: &str, #[case] kept: bool) {
    let command = format!("{name}=a; {assigning}; cat -- ${name}");
    let found = crate::paths(&command, &innercmd_bash_units::LexicalPaths);
    assert_eq!(found.last().map(String::as_str), Some(if kept { "a" } else { "? $" }), "{command}");
}

#[rstest]
#[case::kept("cat ~/x", &["! /home/user/x"])]
#[case::assigned("printf -vHOME x; cat ~/x", &["? $/x"])]
#[case::by_reference("declare -n H=HOME; H=x; cat ~/x", &["? $/x"])]
#[case::current("cat $PWD/x", &["./x"])]
#[case::no_longer_current("printf -v PWD x; cat \"$PWD/x\"", &["? $/x"])]
fn so_are_the_variables_of_directories(#[case] command: &str, #[case] expected: &[&str]) {
    check(command, expected);
}

#[rstest]
#[case::known("x=f; [ -f $x ]", true)]
#[case::in_quotes("x=f; [ -f \"$x\" ] && cat $x", true)]
#[case::of_the_environment("[ -f $x ]", false)]
#[case::of_a_branch("if a; then x=f; fi; [ -f $x ]", false)]
#[case::of_two_values("x=f; y() { x=-v; }; [ -f $x ]", false)]
#[case::an_operator("x=-v; [ $x a ]", false)]
#[case::a_subscript("x='a[0]'; [ -n $x ]", false)]
fn a_test_of_known_words_executes_nothing(#[case] command: &str, #[case] known: bool) {
    let program = innercmd_bash_units::BashProgram::parse(command, &innercmd_bash_units::Limits::default());
    assert_eq!(program.complete().is_ok(), known, "{command}: {:?}", program.gaps());
}
