//! What the units and gaps of a text are, construct by construct.

use innercmd_bash_units::{BashProgram, Limits};
use rstest::rstest;

/// What the second reading adds where it cannot follow a construct; it costs an ask, and these tests are about the first reading.
const ATTESTATION: [&str; 3] = ["gap:tree-error", "gap:unaccounted-bytes", "gap:readings-disagree"];

/// Reads `command` and compares the texts of its units, and the codes of the reader's gaps, with what is expected.
#[track_caller]
fn check(command: &str, units: &[&str], gaps: &[&str]) {
    let program = BashProgram::parse(command, &Limits::default());
    let texts: Vec<&str> = program.commands().iter().map(|unit| unit.text.as_str()).collect();
    let codes = program.gaps().iter().map(|gap| gap.code.code());
    let mut codes: Vec<&str> = codes.filter(|code| !ATTESTATION.contains(code)).collect();
    codes.dedup();
    assert_eq!((texts.as_slice(), codes.as_slice()), (units, gaps), "{command:?}");
}

#[rstest]
#[case("", &[])]
#[case("  # nothing\n\n", &[])]
#[case("git status", &["git status"])]
#[case("a; b & c && d || e\nf", &["a", "b", "c", "d", "e", "f"])]
#[case("a | b |& c", &["a", "b", "c"])]
#[case("a &&\n\n b", &["a", "b"])]
#[case("! a; ! ! b; time c; time -p d; time -- e; ! time f", &["a", "b", "c", "d", "e", "f"])]
#[case("time -v a", &["-v a"])]
#[case("a | time b", &["a", "time b"])]
#[case("(a; (b)); { c; { d; }; }", &["a", "b", "c", "d"])]
#[case("{ a; } && ( b ) | { c; }", &["a", "b", "c"])]
#[case("if a; then b; elif c; then d; else e; fi; f", &["a", "b", "c", "d", "e", "f"])]
#[case("if a; then (b) fi; c", &["a", "b", "c"])]
#[case("while a; do b; done; until c; do d; done", &["a", "b", "c", "d"])]
#[case("for x in 1 2; do a; done; for y; do b; done; for z do c; done", &["a", "b", "c"])]
#[case("for x in 1\ndo a\ndone; for x in 1; { b; }", &["a", "b"])]
#[case("for ((i=0; i<2; i++)); do a; done; for ((;;)) { b; }", &["a", "b"])]
#[case("select x in 1; do a; done", &["a"])]
#[case("case x in a|b) c ;; (d) e ;& *) f ;;& esac; g", &["c", "e", "f", "g"])]
#[case("case x in esac; a", &["a"])]
#[case("case x in a) b; esac | c", &["b", "c"])]
#[case("f() { a; }; function g { b; }; function h() ( c ); k() if a; then b; fi", &["a", "b", "c", "a", "b"])]
#[case("f ()\n{ a; } >log", &["a"])]
#[case("coproc a; coproc { b; }; coproc NAME { c; }; coproc NAME d", &["a", "b", "c", "NAME d"])]
#[case("[[ -f a && b == c ]] && d; [[ x =~ (a|b)+ ]] && e; [[ ! ( a < b ) ]] || f", &["d", "e", "f"])]
#[case("[ x ] && [ a ] || b", &["[ x ]", "[ a ]", "b"])]
#[case("((1 + 2)) && a; (( (1) + (2) )); b", &["a", "b"])]
#[case("( (a) )", &["a"])]
fn every_position_of_a_command_is_read(#[case] command: &str, #[case] units: &[&str]) {
    check(command, units, &[]);
}

#[test]
fn two_parentheses_that_may_be_arithmetic_are_doubted() {
    check("((a); b)", &["a", "b"], &["gap:unsure-reading"]);
}

#[rstest]
#[case("a $(b $(c)) `d`", &["a $(b $(c)) `d`", "b $(c)", "c", "d"])]
#[case("a \"$(b \"$(c)\")\"", &["a \"$(b \"$(c)\")\"", "b \"$(c)\"", "c"])]
#[case("a <(b) >(c) d<(e)", &["a <(b) >(c) d<(e)", "b", "c", "e"])]
#[case("a \"<(b)\" '$(c)' \\$(d", &["a \"<(b)\" '$(c)' \\$", "d"])]
#[case("x=$(a) y=`b` c; z=$(d)", &["a", "b", "c", "d"])]
#[case("x=($(a) [1]=`b`); x+=(c)", &["a", "b"])]
#[case("a >$(b) 2>`c` <<<$(d)", &["a", "b", "c", "d"])]
#[case("a ${x#$(b)} ${x%%`c`} ${x/$(d)/e} ${x:-$(f)}", &["a ${x#$(b)} ${x%%`c`} ${x/$(d)/e} ${x:-$(f)}", "b", "c", "d", "f"])]
#[case("a \"${x:-'$(b)'}\" ${x:-<(c)}", &["a \"${x:-'$(b)'}\" ${x:-<(c)}", "b", "c"])]
#[case("a ${x:-'$(b)'}", &["a ${x:-'$(b)'}"])]
#[case("case $(a) in $(b)) c ;; esac", &["a", "b", "c"])]
#[case("for x in $(a) `b`; do c; done", &["a", "b", "c"])]
#[case("[[ $(a) == $(b)* ]] && [[ x =~ $(c) ]]", &["a", "b", "c"])]
#[case("a \"$\\\n(b)\"", &["a \"$\\\n(b)\"", "b"])]
#[case("$(a) b", &["$(a) b", "a"])]
#[case("a \"${ b; }\" ${ c; }", &["a \"${ b; }\" ${ c; }", "b", "c"])]
fn substitutions_are_read_in_every_position(#[case] command: &str, #[case] units: &[&str]) {
    let program = BashProgram::parse(command, &Limits::default());
    let texts: Vec<&str> = program.commands().iter().map(|unit| unit.text.as_str()).collect();
    assert_eq!(texts, units, "{command:?}");
}

#[rstest]
#[case("cat <<E\n$(a) `b` ${x:-$(c)} \\$(d)\nE\ne", &["cat", "a", "b", "c", "e"])]
#[case("cat <<'E'\n$(a) `b`\nE\nc", &["cat", "c"])]
#[case("cat <<\\E && a\n$(b)\nE\nc", &["cat", "a", "c"])]
#[case("cat <<A <<B; c\na\nA\n$(b)\nB\nd", &["cat", "c", "b", "d"])]
#[case("cat <<-E\n\ta\n\tE\nb", &["cat", "b"])]
#[case("<<E cat\na\nE", &["cat"])]
#[case("a=1 <<E b\nx\nE", &["b"])]
#[case("a \"$(cat <<'E'\nit's \"fine\" (really)\nE\n)\" && b", &["a \"$(cat <<'E'\nit's \"fine\" (really)\nE\n)\"", "cat", "b"])]
#[case("cat <<E | b\nx\nE\nc", &["cat", "b", "c"])]
#[case("cat <<E\na\\\nE\nE\nb", &["cat", "b"])]
#[case("while a; do cat <<E; done\nx\nE\nb", &["a", "cat", "b"])]
fn bodies_of_here_documents_are_found(#[case] command: &str, #[case] units: &[&str]) {
    check(command, units, &[]);
}

#[rstest]
#[case("ls\n\\evil x", &["ls", "\\evil x"])]
#[case("echo a\\ # c ; evil", &["echo a\\ # c", "evil"])]
#[case("echo hi\\\n# c ; evil", &["echo hi\\\n# c", "evil"])]
#[case("echo hi \\\n# c ; evil", &["echo hi"])]
#[case("echo a#b; evil", &["echo a#b", "evil"])]
#[case("i\\\nf ok; then ev\\\nil; fi", &["ok", "ev\\\nil"])]
#[case("ok >&-evil; ok >& -evil x", &["ok evil", "ok evil x"])]
#[case("ok >f evil 2>&1 x", &["ok evil x"])]
#[case("ok 2>f x y", &["ok x y"])]
#[case("_=1 evil; 2=3 evil", &["evil", "2=3 evil"])]
#[case("echo $'x\\\\'; evil # '", &["echo $'x\\\\'", "evil"])]
#[case("{fd}>f evil", &["evil"])]
#[case("99999999999>f evil", &["99999999999 evil"])]
#[case("a{ evil; b}", &["a{ evil", "b}"])]
fn tokens_end_where_bash_ends_them(#[case] command: &str, #[case] units: &[&str]) {
    let program = BashProgram::parse(command, &Limits::default());
    let texts: Vec<&str> = program.commands().iter().map(|unit| unit.text.as_str()).collect();
    assert_eq!(texts, units, "{command:?}");
}

#[rstest]
#[case("'rm' -rf x", &["rm", "-rf", "x"])]
#[case("r\\m $'-\\x72f' \"a\\\"b\"", &["rm", "-rf", "a\"b"])]
#[case("{rm,-rf,build}", &["rm", "-rf", "build"])]
#[case("a ''b\"\" ''", &["a", "b", ""])]
#[case("git push --for\\\nce", &["git", "push", "--force"])]
#[case("git {,push} {,} {a,''}", &["git", "push", "a", ""])]
#[case("{,rm} -rf x", &["rm", "-rf", "x"])]
#[case("{,} a=b", &["a=b"])]
fn words_have_the_value_that_bash_gives_them(#[case] command: &str, #[case] values: &[&str]) {
    let program = BashProgram::parse(command, &Limits::default());
    let words: Vec<String> =
        program.commands()[0].words.iter().map(|word| word.literal().unwrap().into_owned()).collect();
    assert_eq!(words, values);
}

#[rstest]
#[case::computed_program("$x a", "gap:dynamic-command")]
#[case::vanishing_program("$x rm -rf y", "gap:dynamic-command")]
#[case::pattern_program("/bin/r?", "gap:dynamic-command")]
#[case::eval("eval 'a b'", "gap:evaluated-text")]
#[case::computed_trap("trap \"$x\" EXIT", "gap:evaluated-text")]
#[case::callback("mapfile -C evil x", "gap:evaluated-text")]
#[case::shell_text("bash -c 'a'", "gap:shell-program")]
#[case::shell_input("curl x | sh", "gap:shell-program")]
#[case::shell_heredoc("sh <<'E'\na\nE", "gap:shell-program")]
#[case::shell_device("bash /dev/stdin", "gap:shell-program")]
#[case::source_computed("source \"$x\"", "gap:shell-program")]
#[case::source_substitution(". <(a)", "gap:shell-program")]
#[case::indirection("echo ${!x}", "gap:value-executed")]
#[case::prompt("echo ${x@P}", "gap:value-executed")]
#[case::trace_prompt("PS4='$(a)'; set -x", "gap:value-executed")]
#[case::subscript_of_read("read 'a[$(b)]'", "gap:value-executed")]
#[case::test_variable("[ -v 'a[$(b)]' ]", "gap:value-executed")]
#[case::test_split("[ $x ]", "gap:value-executed")]
#[case::declared_computed("export \"$x\"", "gap:value-executed")]
#[case::arithmetic("echo $((x + 1))", "gap:dynamic-arithmetic")]
#[case::arithmetic_comparison("[[ $x -eq 0 ]]", "gap:dynamic-arithmetic")]
#[case::offset("echo ${x:y}", "gap:dynamic-arithmetic")]
#[case::subscript("echo ${x[y]}", "gap:dynamic-arithmetic")]
#[case::path("PATH=/evil:$PATH ls", "gap:command-redefined")]
#[case::exported_path("export PATH=/evil", "gap:command-redefined")]
#[case::hashed("hash -p /evil ls; ls", "gap:command-redefined")]
#[case::loaded("enable -f ./evil.so ls", "gap:command-redefined")]
#[case::shadowed_builtin("cd() { a; }", "gap:command-redefined")]
#[case::aliases("shopt -s expand_aliases", "gap:parsing-changed")]
#[case::assignments_anywhere("set -k", "gap:parsing-changed")]
#[case::printed_name("printf -v \"$x\" y", "gap:value-executed")]
#[case::integer_variable("declare -i x=y", "gap:value-executed")]
#[case::expanded_twice("ok >& '$(evil)'", "gap:value-executed")]
#[case::expanded_twice_computed("ok 1>&\"$x\"", "gap:value-executed")]
#[case::integer_special("RANDOM='a[$(evil)]'", "gap:dynamic-arithmetic")]
#[case::integer_special_read("read SECONDS", "gap:value-executed")]
#[case::quoted_element("x=(['$(evil)']=1)", "gap:dynamic-arithmetic")]
#[case::printed_again("echo \"$(>f ! evil)\"", "gap:unsure-reading")]
#[case::printed_coprocess("echo $(coproc evil)", "gap:unsure-reading")]
#[case::continuation_in_backticks("a `'r\\\nm' x`", "gap:unsure-reading")]
#[case::arithmetic_or_subshells("((a); b)", "gap:unsure-reading")]
#[case::element_descriptor("{a[0]}<f evil", "gap:unsure-reading")]
#[case::nul("echo 'a\0b'", "gap:control-character")]
#[case::path_of_a_loop("for PATH in /evil; do a; done", "gap:command-redefined")]
#[case::control("echo a\r", "gap:control-character")]
#[case::invisible("rm\u{200b} x", "gap:control-character")]
#[case::foreign_blank("ls\u{a0}-la", "gap:control-character")]
#[case::unterminated("cat <<E\na", "gap:unterminated-heredoc")]
#[case::unclosed_quote("echo 'a", "gap:syntax-error")]
#[case::unclosed_substitution("echo $(a", "gap:syntax-error")]
#[case::stray_parenthesis("a; b)", "gap:syntax-error")]
#[case::stray_word("fi", "gap:syntax-error")]
#[case::extended_pattern("echo @(a|b)", "gap:syntax-error")]
#[case::backtick_in_backticks("a `b \\`c\\``", "gap:unsure-reading")]
#[case::escape_in_an_array_in_a_substitution("a $(x=( \\\" ) ) b \" ) ) ; evil ; c \" '\"' \\'", "gap:unsure-reading")]
#[case::quote_in_an_array_in_a_substitution("a $(x=( $'it\\'s' ))", "gap:unsure-reading")]
#[case::coprocess_in_a_substitution("a $(coproc b)", "gap:unsure-reading")]
#[case::pattern_esac_in_a_substitution("\"$(case x in (esac) a '$(evil)';; esac)\"", "gap:unsure-reading")]
#[case::bang_behind_a_redirection_in_a_substitution("a $(>f ! evil)", "gap:unsure-reading")]
#[case::brace_behind_a_redirection_in_a_substitution("a <(>f { a; >g })", "gap:unsure-reading")]
#[case::time_dashes_in_a_substitution("a $(b; time -- -- c)", "gap:unsure-reading")]
#[case::ampersand_in_a_substitution("a $(while b \\&; do c; done)", "gap:unsure-reading")]
#[case::semicolon_behind_a_body_in_a_substitution("a $(b <<E\nE\nc; d)", "gap:unsure-reading")]
#[case::semicolon_behind_a_body_in_a_group("a $(b <<E && { c; d; }\nE\n)", "gap:unsure-reading")]
#[case::body_in_a_condition_in_a_substitution(
    "$(a; if b <<'    c'; then c; d; fi\nevil\n    c\n)",
    "gap:unsure-reading"
)]
#[case::lines_of_a_substitution_before_a_body("a <<E $(b\nc)\nE", "gap:unsure-reading")]
fn what_cannot_be_seen_is_a_gap(#[case] command: &str, #[case] code: &str) {
    let program = BashProgram::parse(command, &Limits::default());
    let codes: Vec<&str> = program.gaps().iter().map(|gap| gap.code.code()).collect();
    assert!(codes.contains(&code), "{command:?} has {codes:?}");
    assert!(program.complete().is_err());
}

#[rstest]
#[case::tilde("~/bin/tool x")]
#[case::escaped("\\grep x")]
#[case::literal_trap("trap 'rm -f x' EXIT")]
#[case::reset_trap("trap - EXIT")]
#[case::script("bash build.sh --fast")]
#[case::shell_version("bash --version")]
#[case::sourced("source .venv/bin/activate && . ./env.sh")]
#[case::read("read -r line < f")]
#[case::test("[ -f \"$x\" ] && [ \"$a\" = b ] && [ $? -eq 0 ]")]
#[case::local_value("f() { local x=\"$1\"; export Y=$x; }")]
#[case::integers("i=0; while [ $i -lt 3 ]; do i=$((i+1)); done; echo $((i * 2)) $(( $# + 1 ))")]
#[case::counted_loop("for i in 1 2 3; do echo $((i*2)); done; for j in {1..9}; do echo $((j)); done")]
#[case::arithmetic_loop("for ((i=0; i<3; i++)); do :; done")]
#[case::literal_arithmetic("echo $((1 + 2)) $((16#ff)) ${x:1:2} ${a[0]} ${a[@]} ${#x}")]
#[case::elements("declare -A m=([k]=1 ['l']=2); x=([0]=a [1]=b)")]
#[case::duplicated("ok 2>&1 >&2 2>&\"$fd\"")]
#[case::key("declare -A m; m[k]=1; echo ${m[k]}")]
#[case::values_of_options("read -r -p \"$prompt\" x; printf -v y '%s' \"$z\"; getopts ab o \"$@\"; export -n x")]
#[case::options("set -euo pipefail; shopt -s nullglob globstar")]
#[case::names("echo ${!x@} ${!x*} \"${!x[@]}\"")]
#[case::escape_in_an_array("x=(a\\ b \\\" c); y=$(x=('\\' \"\\\"\"))")]
#[case::quotes_in_an_operand("echo ${x#$'\\'}'}")]
#[case::body_in_a_substitution("a \"$(cat <<'E' | b\nit's; $(x)\nE\n)\" $(c <<E\nE\nd\nif e; then f; fi)")]
#[case::body_in_backticks("a `b <<E; c; d\nE\n`")]
#[case::coprocess("coproc a; >f ! b; case x in (esac) c;; esac; d \\&; e `coproc f`")]
#[case::lines_in_quotes_before_a_body("a <<E \"$(b \\\n'c\nd')\" `e\nf`\ng\nE")]
#[case::carriage_return_in_quotes("printf 'a\r\n' # \r")]
#[case::function_of_another_name("build() { make; }; build")]
fn what_can_be_seen_is_no_gap(#[case] command: &str) {
    let program = BashProgram::parse(command, &Limits::default());
    assert!(program.complete().is_ok(), "{command:?} has {:?}", program.gaps());
}

#[test]
fn a_unit_has_its_span_context_assignments_and_redirects() {
    let command = "if a; then X=1 Y+=2 b c >out 2>&1 <in; fi";
    let program = BashProgram::parse(command, &Limits::default());
    let unit = &program.commands()[1];
    assert_eq!(unit.text, "b c");
    assert_eq!(unit.span.of(command), "b c");
    let names: Vec<&str> = unit.assignments.iter().map(|assignment| assignment.name.as_str()).collect();
    assert_eq!(names, ["X", "Y"]);
    let redirects: Vec<&str> = unit.redirects.iter().map(|redirect| redirect.span.of(command)).collect();
    assert_eq!(redirects, [">out", "2>&1", "<in"]);
    assert_eq!(unit.context, innercmd_bash_units::Context::ControlFlow);
}

#[test]
fn redirections_and_assignments_without_a_program_are_listed() {
    let program = BashProgram::parse("> .env; x=1; { a; } > log; for PATH in /evil; do b; done", &Limits::default());
    let targets: Vec<_> = program.redirects().map(|redirect| redirect.target.literal().unwrap().into_owned()).collect();
    assert_eq!(targets, [".env", "log"]);
    let names: Vec<_> = program.assignments().map(|assignment| assignment.name.as_str()).collect();
    assert_eq!(names, ["x", "PATH"]);
}

#[rstest]
#[case("rm -rf x\n)", "rm")]
#[case("a 'b\nrm -rf x", "rm")]
#[case("if a; then\nrm -rf x", "rm")]
fn a_program_in_text_that_is_no_bash_is_still_listed(#[case] command: &str, #[case] name: &str) {
    let program = BashProgram::parse(command, &Limits::default());
    assert!(program.complete().is_err());
    assert!(
        program.commands().iter().any(|unit| unit.words[0].literal().as_deref() == Some(name)),
        "{:?}",
        program.commands()
    );
}

#[rstest]
#[case::bytes(Limits { bytes: 8, ..Limits::default() }, "gap:input-too-long")]
#[case::depth(Limits { depth: 4, ..Limits::default() }, "gap:nesting-too-deep")]
#[case::units(Limits { units: 2, ..Limits::default() }, "gap:too-many-units")]
fn beyond_a_limit_programs_are_still_listed(#[case] limits: Limits, #[case] code: &str) {
    let program = BashProgram::parse("a $(b $(c $(d)))\ne; f; g\nrm -rf x", &limits);
    assert_eq!(program.gaps()[0].code.code(), code);
    assert!(program.commands().iter().any(|unit| unit.text == "rm -rf x"));
}
