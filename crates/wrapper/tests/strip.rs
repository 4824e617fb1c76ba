//! `strip`, from text to text: the full command, the unit a host asked about, and what is left without the wrapper.

#![expect(clippy::panic, reason = "the checks state what they expect by failing")]

use innercmd_bash_units::{BashProgram, Limits};
use innercmd_wrapper::{Stripped, WrapperCode, WrapperRefusal, strip};
use proptest::prelude::*;
use rstest::rstest;

fn stripped(command: &str, unit: &str) -> Result<Stripped, WrapperRefusal> {
    let limits = Limits::default();
    strip(&BashProgram::parse(command, &limits), unit, &limits)
}

/// Checks that `unit` is stripped to `inner`, and the whole to `left`.
#[track_caller]
fn check(command: &str, unit: &str, left: &str, inner: &str) {
    let stripped = stripped(command, unit).unwrap_or_else(|refusal| panic!("{refusal} of {unit} in {command}"));
    assert_eq!(stripped.program().source(), left);
    assert_eq!(stripped.inner(), inner);
    assert!(stripped.program().complete().is_ok());
    let unit = stripped.program().commands().get(stripped.unit().0);
    assert_eq!(unit.map(|unit| unit.text.as_str()), Some(inner));
}

#[track_caller]
fn check_refused(command: &str, unit: &str, code: WrapperCode) {
    match stripped(command, unit) {
        Ok(stripped) => panic!("stripped {command} to {}", stripped.program().source()),
        Err(refusal) => assert_eq!(refusal.code, code, "of {unit} in {command}"),
    }
}

#[rstest]
#[case::alone("timeout 60 echo hi", "echo hi")]
#[case::blanks("timeout  60\techo  hi", "echo  hi")]
#[case::around("  timeout 5 echo hi  ", "  echo hi  ")]
#[case::lines("\n\ntimeout 5 echo hi\n", "\n\necho hi\n")]
#[case::and("timeout 5 echo hi && git push", "echo hi && git push")]
#[case::or("timeout 5 echo hi || echo no", "echo hi || echo no")]
#[case::list("timeout 5 echo hi; rm -rf x", "echo hi; rm -rf x")]
#[case::pipe("timeout 5 echo hi | echo b", "echo hi | echo b")]
#[case::pipe_both("timeout 5 echo hi |& echo b", "echo hi |& echo b")]
#[case::background("timeout 5 echo hi & wait", "echo hi & wait")]
#[case::newline("timeout 5 echo hi\necho two", "echo hi\necho two")]
#[case::negated("! timeout 5 echo hi", "! echo hi")]
#[case::timed("time timeout 5 echo hi", "time echo hi")]
#[case::second("git status && timeout 5 echo hi", "git status && echo hi")]
#[case::scaffold("cd x && timeout 5 echo hi 2>&1 | tail; echo EXIT=$?", "cd x && echo hi 2>&1 | tail; echo EXIT=$?")]
#[case::redirect("timeout 5 echo hi > out.log 2>&1; echo $?", "echo hi > out.log 2>&1; echo $?")]
#[case::redirect_before(">out timeout 5 echo hi", ">out echo hi")]
#[case::comment("timeout 5 echo hi # trailing", "echo hi # trailing")]
#[case::subshell("(timeout 5 echo hi)", "(echo hi)")]
#[case::group("{ timeout 5 echo hi; }", "{ echo hi; }")]
#[case::condition("if true; then timeout 5 echo hi; fi", "if true; then echo hi; fi")]
#[case::loops("for i in 1 2; do timeout 5 echo hi; done", "for i in 1 2; do echo hi; done")]
#[case::case("case x in x) timeout 5 echo hi;; esac", "case x in x) echo hi;; esac")]
#[case::function("f() { timeout 5 echo hi; }; f", "f() { echo hi; }; f")]
#[case::substitution("echo $(timeout 5 echo hi)", "echo $(echo hi)")]
#[case::backticks("echo `timeout 5 echo hi`", "echo `echo hi`")]
#[case::process("cat <(timeout 5 echo hi)", "cat <(echo hi)")]
#[case::assigned("x=$(timeout 5 echo hi)", "x=$(echo hi)")]
#[case::in_heredoc("cat <<E\n$(timeout 5 echo hi)\nE", "cat <<E\n$(echo hi)\nE")]
#[case::heredoc("timeout 5 echo hi <<'EOF'\nrm -rf x\nEOF", "echo hi <<'EOF'\nrm -rf x\nEOF")]
#[case::others_alike("timeout 5 echo hi; timeout 6 echo hi", "echo hi; timeout 6 echo hi")]
#[case::beyond_ascii("echo 世界; timeout 5 echo hi; echo 🚀", "echo 世界; echo hi; echo 🚀")]
fn the_wrapper_is_removed_where_it_stands(#[case] command: &str, #[case] left: &str) {
    let unit = if command.contains('\t') { "timeout  60\techo  hi" } else { "timeout 5 echo hi" };
    let unit = if command.starts_with("timeout 60 ") { "timeout 60 echo hi" } else { unit };
    check(command, unit, left, if command.contains('\t') { "echo  hi" } else { "echo hi" });
}

#[rstest]
#[case::argument_substitution("timeout 5 echo $(git push)", "echo $(git push)")]
#[case::argument_backticks("timeout 5 echo `echo hi`", "echo `echo hi`")]
#[case::quoted_itself("timeout 5 echo 'timeout 5 echo'", "echo 'timeout 5 echo'")]
#[case::quoted_program("timeout 5 'echo' hi", "'echo' hi")]
#[case::escaped_program("timeout 5 \\rm -rf x", "\\rm -rf x")]
#[case::path("timeout 5 /bin/rm -rf x", "/bin/rm -rf x")]
#[case::home("timeout 5 ~/bin/x y", "~/bin/x y")]
#[case::braces("timeout 5 echo {a,b}", "echo {a,b}")]
#[case::pattern("timeout 5 ls *.rs", "ls *.rs")]
#[case::parameter("timeout 5 ls $x \"$y\"", "ls $x \"$y\"")]
#[case::script("timeout 5 bash build.sh", "bash build.sh")]
#[case::emoji("timeout 5 echo 🚀", "echo 🚀")]
fn the_inner_command_is_left_as_it_is(#[case] command: &str, #[case] inner: &str) {
    check(command, command, inner, inner);
}

#[rstest]
#[case::here_string("timeout 5 echo <<< hi", "timeout 5 echo <<< hi", "echo <<< hi", "echo")]
#[case::here_string_uncovered("timeout 5 echo <<< hi", "timeout 5 echo", "echo <<< hi", "echo")]
#[case::redirect("timeout 5 echo hi >out; ls", "timeout 5 echo hi >out", "echo hi >out; ls", "echo hi")]
#[case::two_redirects("timeout 5 echo >a 2>&1", "timeout 5 echo >a 2>&1", "echo >a 2>&1", "echo")]
#[case::between("timeout 5 echo >a hi", "timeout 5 echo >a hi", "echo >a hi", "echo hi")]
#[case::heredoc("timeout 5 cat <<E\nhi\nE", "timeout 5 cat <<E", "cat <<E\nhi\nE", "cat")]
fn the_units_own_redirections_may_be_part_of_its_text(
    #[case] command: &str,
    #[case] unit: &str,
    #[case] left: &str,
    #[case] inner: &str,
) {
    check(command, unit, left, inner);
}

#[rstest]
#[case::absent("timeout 5 echo hi", "timeout 6 echo hi", WrapperCode::UnitNotFound)]
#[case::empty("timeout 5 echo hi", "", WrapperCode::UnitNotFound)]
#[case::respelled("timeout 5  echo hi", "timeout 5 echo hi", WrapperCode::UnitNotFound)]
#[case::twice("timeout 5 echo hi && timeout 5 echo hi", "timeout 5 echo hi", WrapperCode::UnitAmbiguous)]
#[case::prefix_of_another(
    "timeout 5 echo hi && timeout 5 echo hi there",
    "timeout 5 echo hi",
    WrapperCode::UnitAmbiguous
)]
#[case::quoted_too("echo 'timeout 5 echo hi' && timeout 5 echo hi", "timeout 5 echo hi", WrapperCode::UnitAmbiguous)]
#[case::commented_too("# timeout 5 echo hi\ntimeout 5 echo hi", "timeout 5 echo hi", WrapperCode::UnitAmbiguous)]
#[case::its_own_argument("timeout 5 a 'timeout 5 a'", "timeout 5 a", WrapperCode::UnitAmbiguous)]
#[case::only_quoted("echo 'timeout 5 echo hi'", "timeout 5 echo hi", WrapperCode::UnitMisaligned)]
#[case::only_commented("ls # timeout 5 echo hi", "timeout 5 echo hi", WrapperCode::UnitMisaligned)]
#[case::an_argument("echo timeout 5 echo hi", "timeout 5 echo hi", WrapperCode::UnitMisaligned)]
#[case::too_short("timeout 5 echo hi", "timeout 5 echo", WrapperCode::UnitMisaligned)]
#[case::cut_word("timeout 5 echo hi", "timeout 5 echo h", WrapperCode::UnitMisaligned)]
#[case::begins_early("x=1 timeout 5 echo hi", "=1 timeout 5 echo hi", WrapperCode::UnitMisaligned)]
#[case::trailing_blank("timeout 5 echo hi ;", "timeout 5 echo hi ", WrapperCode::UnitMisaligned)]
#[case::trailing_operator("timeout 5 echo hi; ls", "timeout 5 echo hi;", WrapperCode::UnitMisaligned)]
#[case::two_units("timeout 5 echo hi; ls", "timeout 5 echo hi; ls", WrapperCode::UnitMisaligned)]
#[case::half_a_redirect("timeout 5 echo hi >out", "timeout 5 echo hi >", WrapperCode::UnitMisaligned)]
#[case::descriptor("timeout 5 echo hi 2>&1", "timeout 5 echo hi 2", WrapperCode::UnitMisaligned)]
#[case::of_another_command("{ timeout 5 echo hi; } >out", "timeout 5 echo hi; } >out", WrapperCode::UnitMisaligned)]
#[case::heredoc_body("timeout 5 cat <<E\nhi\nE", "timeout 5 cat <<E\nhi\nE", WrapperCode::UnitMisaligned)]
#[case::no_wrapper("git push", "git push", WrapperCode::NotAWrapper)]
#[case::no_wrapper_here("find . -name x", "find . -name x", WrapperCode::NotAWrapper)]
#[case::unclosed("timeout 5 echo 'hi", "timeout 5 echo", WrapperCode::IncompleteProgram)]
#[case::dangling("timeout 5 echo hi &&", "timeout 5 echo hi", WrapperCode::IncompleteProgram)]
#[case::stray("timeout 5 echo hi )", "timeout 5 echo hi", WrapperCode::IncompleteProgram)]
#[case::beside_a_gap("timeout 5 echo hi; $x", "timeout 5 echo hi", WrapperCode::IncompleteProgram)]
#[case::beside_a_search_path(
    "PATH=/evil:$PATH; timeout 5 echo hi",
    "timeout 5 echo hi",
    WrapperCode::IncompleteProgram
)]
#[case::assignment("FOO=1 timeout 5 echo hi", "timeout 5 echo hi", WrapperCode::LeadingAssignment)]
#[case::computed_assignment("X=$(ls) timeout 5 echo hi", "timeout 5 echo hi", WrapperCode::LeadingAssignment)]
#[case::two_lines("timeout 5 echo 'a\nb'", "timeout 5 echo 'a\nb'", WrapperCode::SeveralLines)]
#[case::continued("timeout 5 \\\n echo hi", "timeout 5 \\\n echo hi", WrapperCode::SeveralLines)]
#[case::redirect_inside("timeout 5 >out echo hi", "timeout 5 >out echo hi", WrapperCode::UnsupportedSeparator)]
#[case::redirect_first("timeout >out 5 echo hi", "timeout >out 5 echo hi", WrapperCode::UnsupportedDuration)]
#[case::option("timeout -k 5 60 echo hi", "timeout -k 5 60 echo hi", WrapperCode::UnsupportedOption)]
#[case::nested("timeout 5 timeout 6 echo hi", "timeout 5 timeout 6 echo hi", WrapperCode::NestedWrapper)]
#[case::inside_another("env timeout 5 echo hi", "timeout 5 echo hi", WrapperCode::UnitMisaligned)]
#[case::not_transparent("env FOO=1 echo hi", "env FOO=1 echo hi", WrapperCode::NonTransparent)]
#[case::inner_gap("timeout 5 test -v 'a[$(x)]'", "timeout 5 test -v 'a[$(x)]'", WrapperCode::IncompleteResult)]
#[case::inner_variable(
    "timeout 5 printf -v 'a[$(x)]' y",
    "timeout 5 printf -v 'a[$(x)]' y",
    WrapperCode::IncompleteResult
)]
fn everything_else_is_refused(#[case] command: &str, #[case] unit: &str, #[case] code: WrapperCode) {
    check_refused(command, unit, code);
}

proptest! {
    /// Whatever is stripped, nothing else changes: the bytes are the old ones without the wrapper's.
    #[test]
    fn stripping_deletes_the_wrapper_and_nothing_else(
        before in "(cd x && |\\( ?|ls; |echo \\$\\(|x=1 |)",
        separator in "[ \\t]{1,2}",
        inner in "(echo|rm -rf|git push|'ls'|env|A=1|cd|-x|\\{)( [a-z*$'\"{}()]{0,4}){0,2}",
        after in "( \\| tail|; ls|\\)| >out| && rm x|)",
    ) {
        let outer = format!("timeout{separator}5{separator}");
        let unit = format!("{outer}{inner}");
        let command = format!("{before}{unit}{after}");
        if let Ok(stripped) = stripped(&command, &unit) {
            prop_assert_eq!(stripped.program().source(), format!("{before}{inner}{after}"));
            prop_assert!(stripped.program().complete().is_ok());
            let limits = Limits::default();
            let whole = BashProgram::parse(&command, &limits);
            prop_assert_eq!(whole.commands().len(), stripped.program().commands().len());
        }
    }

    #[test]
    fn stripping_never_panics(command in "\\PC{0,40}", unit in "\\PC{0,10}") {
        let _ = stripped(&command, &unit);
        let _ = stripped(&format!("timeout 5 {command}"), &format!("timeout 5 {unit}"));
        let _ = stripped(&format!("{command} timeout 5 {unit}"), &format!("timeout 5 {unit}"));
    }
}
