//! How well-known programs read their options.

use rstest::rstest;

use crate::check;

#[rstest]
#[case::long_option("grep --file=/outside/patterns x", &["! /outside/patterns", "x"])]
#[case::glued("gcc -I/usr/include x.c", &["! /usr/include"])]
#[case::a_separator("awk -F/ '{print $1}' x", &["x"])]
#[case::computed_value("tool --count=$X", &[])]
#[case::computed_path("tool --out=$X/y", &["? $/y"])]
#[case::message("git commit -m \"/health endpoint added\"", &[])]
#[case::message_in_a_cluster("git commit -am '/health'", &[])]
#[case::no_message("git diff -m /etc/passwd", &["! /etc/passwd"])]
#[case::a_filter("gh run list -q '.[] | .x + (.y // \"-\")'", &[])]
#[case::a_regular_expression("grep -A 2 \"^/// Phase $p:\" c.cpp", &["c.cpp"])]
#[case::given_by_option("grep -e foo /etc/passwd", &["! /etc/passwd"])]
#[case::given_by_glued_option("grep -efoo /etc/passwd", &["! /etc/passwd"])]
#[case::given_in_a_cluster("grep -rne foo /etc/passwd", &["! /etc/passwd"])]
#[case::an_optional_value_is_no_word("grep --color foo /etc/passwd", &["! /etc/passwd"])]
#[case::patterns_from_a_file("grep -f /x/pat /etc/passwd", &["! /x/pat", "! /etc/passwd"])]
#[case::a_pattern_with_a_dash("rg -n '- [x]' /etc/passwd", &["! /etc/passwd"])]
#[case::sed("sed -n '/a/,/b/p' /etc/passwd", &["! /etc/passwd"])]
#[case::sed_in_place("sed -i s/a/b/ ../x", &["! ../x"])]
#[case::awk_with_a_value("awk -v p=$p '/Phase '\"$p\"'/{s=1} s' f", &["f"])]
#[case::no_pattern("rg --files /etc", &["! /etc"])]
#[case::find_places("find /etc -name '/x' -newer /y", &["! /etc", "! /y"])]
#[case::print("echo 'use 2>/etc/x' \"/a b\" /etc/x", &["! /etc/x"])]
#[case::translate("tr / _", &[])]
#[case::cut("cut -d / -f 1 x", &["x"])]
#[case::mode("chmod -x /etc/passwd", &["! /etc/passwd"])]
#[case::script("python3 -c 'open(\"/x\")' ../y", &["! ../y"])]
#[case::behind_builtins("command cat x", &["x"])]
fn options_are_read_as_their_programs_do(#[case] command: &str, #[case] expected: &[&str]) {
    check(command, expected);
}
