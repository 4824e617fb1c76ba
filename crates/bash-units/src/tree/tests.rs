//! What the tree attests, text in and text out.

use proptest::prelude::*;
use rstest::rstest;
use serde_json::Value;

use super::*;

fn read(source: &str) -> Attestation {
    attest(source, &[], &Limits::default())
}

/// The commands, words joined by blanks and commands by ` / `, or the codes of the gaps.
fn outcome(source: &str) -> String {
    let attestation = read(source);
    let mut codes: Vec<&str> = attestation.gaps.iter().map(|gap| gap.code.code()).collect();
    codes.dedup();
    if !codes.is_empty() {
        return codes.join(" / ");
    }
    let words = |words: &Vec<Span>| words.iter().map(|word| word.of(source)).collect::<Vec<_>>().join(" ");
    attestation.footprint.commands.iter().map(words).collect::<Vec<_>>().join(" / ")
}

#[track_caller]
fn check(source: &str, expected: &str) {
    assert_eq!(outcome(source), expected, "{source:?}");
}

#[rstest]
#[case("ls -l | wc", "ls -l / wc")]
#[case("cmd 2>/dev/null arg", "cmd arg")]
#[case("ok 2>f x y", "ok x y")]
#[case(">f A=1 cmd x", "cmd x")]
#[case(
    "git add -A && git commit -m \"$(cat <<'EOF'\nit's `x` $(y)\nEOF\n)\"",
    "git add -A / git commit -m \"$(cat <<'EOF'\nit's `x` $(y)\nEOF\n)\" / cat"
)]
#[case("cat <<'A' 2>&1 | tee <<\"B\"; rm x\n1\nA\n2\nB\nls", "cat / tee / rm x / ls")]
#[case("cat <<E &&\n$(one)\nE\ntwo", "cat / one / two")]
#[case("<<E evil\nx\nE", "evil")]
#[case("cat <<-E\n\t\"$(one \"a\")\"\n\tE\ntwo", "cat / one \"a\" / two")]
#[case("time -p cmd a", "cmd a")]
#[case("! time { a; b; }", "a / b")]
#[case("a | time b", "a / time b")]
#[case("coproc a; coproc N { b; }; coproc N c", "a / b / N c")]
#[case("{ { a; } }; if b; then (c) fi; for z do d; done", "a / b / c / d")]
#[case("case x in a|b) c;; (d) e;& *) f;;& esac; g", "c / e / f / g")]
#[case("[ -f x ] && y", "[ -f x ] / y")]
#[case("[ x || evil ]", "[ x / evil ]")]
#[case("[ \\( a = b \\) -o c ]", "[ \\( a = b \\) -o c ]")]
#[case("export A=1 B=(x y)", "export A=1 B=(x y)")]
#[case("a[i + 1]=2 b[3]+=x cmd", "cmd")]
#[case("for x in a $(b); do c; done", "b / c")]
#[case("while read -r l; do a \"$l\"; done <<<\"$(b)\"", "read -r l / a \"$l\" / b")]
#[case("case $(a) in b|\"$(c)\") d;; *) e; esac", "a / c / d / e")]
#[case("f() { a; } >g; function h { b; }", "a / b")]
#[case("if [[ $x =~ ^(a|b)$ && -n \"$(c)\" ]]; then d; elif ((1 < 2)); then e; else f; fi", "c / d / e / f")]
#[case("a # b; c\nd", "a / d")]
#[case("a=(1 # $(b)\n2) c", "c")]
#[case("ls\n\\evil x", "ls / \\evil x")]
#[case("cat - 2>&1", "cat -")]
#[case("a \\\n  b\\\n  c", "a b c")]
#[case("{log}>run.log git push", "git push")]
#[case("{log}<(a) b", "{log}<(a) b / a")]
#[case("cat a <> b c", "cat a c")]
#[case("echo $'x\\\\'; evil # '", "echo $'x\\\\' / evil")]
#[case("echo a$ b#c {d,e}; {f,g}", "echo a$ b#c {d,e} / {f,g}")]
#[case("`a \"b\"` x", "`a \"b\"` x / a \"b\"")]
#[case("ok ${x#a$(evil)}", "ok ${x#a$(evil)} / evil")]
#[case("ok \"${x%%$(a)}\" ${y/`b`/c}", "ok \"${x%%$(a)}\" ${y/`b`/c} / a / b")]
#[case("ok ${x#${y:-$(evil)}}", "ok ${x#${y:-$(evil)}} / evil")]
#[case("ok ${x#${y#${z#$(evil)}}}", "ok ${x#${y#${z#$(evil)}}} / evil")]
#[case("ok `a # b`; c", "ok `a # b` / a / c")]
#[case("[0x1]=2 a", "[0x1]=2 a")]
#[case("ok a\\\nb", "ok a\\\nb")]
#[case("ok $[1 + x] \"$[x[$(b)]]\"; a", "ok $[1 + x] \"$[x[$(b)]]\" / b / a")]
#[case("exec 0<&10 1>f; a", "exec / a")]
#[case("0<f evil", "evil")]
#[case("", "")]
fn what_is_there_is_found(#[case] source: &str, #[case] expected: &str) {
    check(source, expected);
}

#[rstest]
#[case::reserved_word("A=1 time evil")]
#[case::reserved_word_behind_a_pipe("a | ! b")]
#[case::time_of_a_coprocess("coproc ! b")]
#[case::joined_word("ev\\\nil")]
#[case::joined_descriptor("ok 2\\\n>f")]
#[case::dash_behind_duplication(">&-evil")]
#[case::number_that_is_no_descriptor("ok 99999999999>f")]
#[case::option_of_time_in_the_next_line("time \\\n-p a")]
#[case::joined_process_substitution("ok ${x:->\\\n(evil)}")]
#[case::newline_in_a_subscript("declare a[\n1]=$(evil)")]
#[case::process_in_a_pattern("ok ${x#<(evil)}")]
#[case::backquotes_in_a_pattern_in_backquotes("`ok ${x#\\`evil\\`}`")]
#[case::brace_that_ends_nothing("ok ${x#{$(evil)}")]
#[case::joined_program("ev\\\nil")]
#[case::joined_assignment("a\\\nb=1 evil")]
#[case::joined_number("ok 2\\\n2>f")]
#[case::number_before_an_operator_without_a_descriptor("2&>f")]
#[case::comment_that_is_none_in_arithmetic("ok $((1 # $(evil)\n))")]
#[case::backslash_in_backquotes("`a \\`evil\\``")]
#[case::backquote_in_backquotes("`a``b`")]
#[case::dollar_and_continuation("\"$\\\n(evil)\"")]
#[case::arithmetic_or_subshell("ok \"$(\\\n( a ) )\"")]
#[case::single_quotes_in_double_quotes("\"${x:-'$(evil)'}\"")]
#[case::body_that_does_not_end("cat <<E\nx")]
#[case::body_behind_a_condition("cat <<E; [[ a\n]]\nE\n]]\n")]
#[case::condition_that_goes_on("[[ a ]]b ]]")]
fn what_the_bytes_do_not_prove_is_a_gap(#[case] source: &str) {
    let attestation = read(source);
    assert!(!attestation.gaps.is_empty(), "{source:?}: {:?}", attestation.footprint);
}

#[rstest]
#[case("echo a\u{a0}b", "gap:control-character")]
#[case("echo 'a\u{a0}b'", "echo 'a\u{a0}b'")]
#[case("echo a\r", "gap:control-character")]
#[case("echo \"a\r\"", "echo \"a\r\"")]
#[case("rm\u{200b} x", "gap:control-character")]
#[case("echo \\\u{b}x", "gap:control-character")]
#[case("echo ünïcödé", "echo ünïcödé")]
#[case("echo 'a\0b'", "gap:control-character")]
fn characters_that_deceive_are_a_gap_outside_quotes(#[case] source: &str, #[case] expected: &str) {
    check(source, expected);
}

#[rstest]
#[case("((a); b)", "gap:tree-error")]
#[case("a |", "gap:tree-error")]
// The missing number has no node of its own.
#[case("A=$[ ]p", "gap:tree-error")]
#[case("{ { a; }; }", "a")]
fn an_error_of_the_tree_is_a_gap(#[case] source: &str, #[case] expected: &str) {
    check(source, expected);
}

#[test]
fn assignments_redirections_and_bodies_are_found_where_they_are() {
    let source = "A=1 cmd >f 2>&1 <<X\n$B\nX\nfor i in a b; do C+=(d); done <<'Y'\ne\nY\n";
    let found = read(source);
    assert_eq!(found.gaps, []);
    let texts = |spans: &[Span]| spans.iter().map(|span| span.of(source)).collect::<Vec<_>>();
    assert_eq!(texts(&found.footprint.assignments), ["A=1", "for i in a b", "C+=(d)"]);
    assert_eq!(texts(&found.footprint.redirects), ["f", "1", "X", "'Y'"]);
    let bodies: Vec<_> = found.footprint.heredocs.iter().map(|(body, quoted)| (body.of(source), *quoted)).collect();
    assert_eq!(bodies, [("$B\n", false), ("e\n", true)]);
}

#[test]
fn embedded_texts_are_read_where_they_stand() {
    let source = "trap 'rm -f \"$(a)\"' EXIT";
    let body = Span::new(6, 18);
    let found = attest(source, &[body], &Limits::default());
    assert_eq!(found.gaps, []);
    let programs: Vec<_> = found.footprint.commands.iter().map(|words| words[0].of(source)).collect();
    assert_eq!(programs, ["trap", "rm", "a"]);
}

#[rstest]
#[case::longer_than_the_limit("x".repeat((1 << 20) + 1), GapCode::InputTooLong)]
#[case::long_pipeline("a | ".repeat(2_000) + "a", GapCode::TooMuchWork)]
#[case::many_open_heredocs("a <<$E ".repeat(2_000), GapCode::TooMuchWork)]
#[case::nested_arrays("a=(".repeat(40_000), GapCode::TooMuchWork)]
#[case::nested_operands("${x:-${y#".repeat(20_000), GapCode::TooMuchWork)]
#[case::deep_but_wrong("( ".repeat(40_000), GapCode::TreeError)]
fn hostile_texts_end_in_a_gap(#[case] source: String, #[case] expected: GapCode) {
    let codes: Vec<GapCode> = read(&source).gaps.iter().map(|gap| gap.code).collect();
    assert!(codes.contains(&expected), "{codes:?}");
}

#[test]
fn depth_alone_is_no_gap() {
    let source = "( ".repeat(20_000) + "a" + &" )".repeat(20_000);
    check(&source, "a");
}

/// Lines whose commands only the value of a variable makes, which no reading of the text sees.
const VALUES: [&str; 9] = [
    "x='$(evil)'; ok \"${x@P}\"",
    "y='a[$(evil)]'; ok ${!y}",
    "y='a[$(evil)]'; ok $((y))",
    "y='a[$(evil)]'; (( y ))",
    "y='a[$(evil)]'; [[ $y -eq 1 ]]",
    "[[ 'a[$(evil)]' -eq 1 ]]",
    "y='a[$(evil)]'; ok ${z:y}",
    "y='a[$(evil)]'; z[y]=1",
    "y='a[$(evil)]'; ok ${z[y]}",
];

#[test]
fn the_tree_alone_hides_no_command_of_the_adversarial_lines() {
    let mut hidden = Vec::new();
    for line in include_str!("../../tests/data/adversarial.jsonl").lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let source = case["command"].as_str().unwrap();
        let found = read(source);
        if !found.gaps.is_empty() {
            continue;
        }
        let programs: Vec<String> = found.footprint.commands.iter().map(|words| bare(words[0].of(source))).collect();
        let argvs = case["executes"].as_array().unwrap().iter();
        let missing = argvs.filter_map(program).filter(|name| !programs.contains(name)).count();
        if (missing > 0) != VALUES.contains(&source) {
            hidden.push(source.to_owned());
        }
    }
    assert_eq!(hidden, [] as [String; 0]);
}

/// The program of a recorded command, in which assignments stand before it.
fn program(argv: &Value) -> Option<String> {
    let words = argv.as_array().unwrap().iter().map(|word| word.as_str().unwrap());
    words.map(bare).find(|word| {
        let behind = &word.as_bytes()[chars::name_length(word.as_bytes())..];
        behind.len() == word.len() || !["=", "+=", "[1]="].iter().any(|sign| behind.starts_with(sign.as_bytes()))
    })
}

/// The word without what is recorded differently: blanks, comments and the dollar sign of quotes.
fn bare(word: &str) -> String {
    let kept = word.split_once("(#c\n").map_or(word.to_owned(), |(before, behind)| format!("{before}({behind}"));
    kept.replace("# c", "").chars().filter(|character| !matches!(character, ' ' | '\n' | '$' | '\\')).collect()
}

/// Pieces that texts are made of.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a", "b ", " ", "\n", ";", "&", "&&", "|", "(", ")", "{ ", "; }", "$(", "`", "\"", "'", "\\", "\\\n", "#",
        " # ", "$", "${x", "}", "[", "[[ ", " ]]", "((", "))", "$((", "<(", ">", "2>&1", "<<E", "\nE\n", "<<<", "=",
        "x=", "=(", "if ", "then ", "fi", "do ", "done", "case x in ", "esac", ";;", "time ", "! ", "é", "\u{a0}",
        "$'", "*", "-",
    ]);
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn every_span_is_text_of_the_source(source in pieces()) {
        let found = read(&source);
        let footprint = &found.footprint;
        let spans = footprint.commands.iter().flatten().chain(&footprint.assignments).chain(&footprint.redirects);
        for span in spans {
            prop_assert!(source.get(span.start..span.end).is_some_and(|text| !text.is_empty()), "{span:?}");
        }
        prop_assert!(footprint.commands.is_sorted());
    }

    #[test]
    fn reading_twice_reads_the_same(source in pieces()) {
        let (one, other) = (read(&source), read(&source));
        prop_assert_eq!(one.footprint, other.footprint);
        prop_assert_eq!(one.gaps, other.gaps);
    }

    #[test]
    fn what_stands_before_changes_nothing_behind(source in pieces()) {
        let alone = read(&source);
        let behind = read(&format!("x; {source}"));
        if alone.gaps.is_empty() && behind.gaps.is_empty() {
            let moved: Vec<Vec<Span>> = alone.footprint.commands.iter()
                .map(|words| words.iter().map(|&word| shifted(word, 3)).collect())
                .collect();
            prop_assert_eq!(&behind.footprint.commands[1..], moved);
        }
    }
}
