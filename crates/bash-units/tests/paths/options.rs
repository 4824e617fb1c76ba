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

#[rstest]
#[case::glued("sort -uo/home/x f", &["! /home/x", "f"])]
#[case::glued_and_relative("sort -osrc/../../y f", &["! src/../../y", "f"])]
#[case::in_the_next_word("sort -uo ../y f", &["! ../y", "f"])]
#[case::of_a_text_option("sort -t/ -k2 f", &["f"])]
#[case::flags("ls -la1 f", &["f"])]
#[case::patterns_from_a_file("grep -rf.env x", &[".env", "x"])]
#[case::patterns_from_the_next_word("grep -vf .env x", &[".env", "x"])]
#[case::a_pattern_in_a_cluster("grep -rne.env x", &["x"])]
#[case::another_search("rg -vf.env x", &[".env", "x"])]
#[case::dates_of_a_file("date -uf .env", &[".env"])]
#[case::a_date("date -ud 2020/1/1 +%F", &[])]
#[case::an_archive("tar -xzf/x/y", &["! /x/y"])]
#[case::a_list_of_files("tar -cf x -T list", &["x", "list", "? $"])]
#[case::a_script_file("sed -nf.env x", &[".env", "x"])]
#[case::in_place("sed -i.bak -n 5p x", &["x"])]
#[case::an_abbreviated_file("sort --outp=../y f", &["! ../y", "f"])]
#[case::an_abbreviated_file_apart("sort --outp ../y f", &["! ../y", "f"])]
#[case::an_abbreviated_list("wc --files0=y", &["y", "? $"])]
#[case::standard_input_as_a_list("cat f | wc --files0-from=-", &["f", "? $"])]
#[case::find_by_a_list("find -files0-from -", &["? $"])]
#[case::checked_sums("sha256sum -c sums", &["? $", "sums"])]
#[case::sums("sha256sum x", &["x"])]
#[case::a_download("curl -so../y https://x", &["! ../y"])]
#[case::a_silent_download("curl -sSLO https://x/y", &[])]
#[case::form_data("curl -sF 'x=@../y;type=a/b' https://x", &["! ../y"])]
#[case::data_of_a_bare_name("curl -d@prod.env https://x", &["prod.env"])]
#[case::data_of_the_next_word("curl --data-binary @prod.env https://x", &["prod.env"])]
#[case::encoded_data("curl --data-urlencode x@prod.env https://x", &["prod.env"])]
#[case::data_with_an_address("curl -d x@prod.env https://x", &[])]
#[case::a_response_file("gcc @args x.c", &["? $", "args"])]
#[case::a_package("npm i @types/node", &[])]
#[case::an_include("gcc -include../x a.c -Wl,-z,now -o b", &["! ../x", "b"])]
#[case::a_computed_value_in_a_cluster("sort -uo\"$X\" f", &["? $", "f"])]
#[case::a_word_of_one_dash("terraform plan -var-file=../x", &["! ../x", "ar-file=../x"])]
#[case::an_unknown_cluster("mytool -xf/etc/x", &["f/etc/x", "! /etc/x"])]
#[case::an_unknown_hidden_value("mytool -f.env", &[".env"])]
#[case::an_unknown_number("mytool -n1.5 -j4", &[])]
#[case::an_unknown_directory("mytool -Isrc/x", &["src/x"])]
fn values_are_found_in_clusters(#[case] command: &str, #[case] expected: &[&str]) {
    check(command, expected);
}

#[rstest]
#[case::read("sed '/x/r ../y' f", &["! ../y", "f"])]
#[case::write_by_a_flag("sed 's/a/b/w ../y' f", &["! ../y", "f"])]
#[case::by_option("sed -ne p -e 'r ../y' f", &["! ../y", "f"])]
#[case::glued("sed -e'r ../y' f", &["! ../y", "f"])]
#[case::by_a_long_option("sed --expression='r ../y' f", &["! ../y", "f"])]
#[case::by_an_abbreviation("sed --expr='r ../y' f", &["! ../y", "f"])]
#[case::computed("sed \"r $X\" f", &["? $", "f"])]
#[case::computed_text("sed \"s/a/$X/\" f", &["f"])]
#[case::none("sed -n '/r x/p;s/w x/y/' f", &["f"])]
#[case::a_line_of_awk("awk '{ getline x < \"../y\"; print }' f", &["! ../y", "f"])]
#[case::a_comparison_of_awk("awk '$1 < 3 { getline; print }' f", &["f"])]
fn scripts_name_files(#[case] command: &str, #[case] expected: &[&str]) {
    check(command, expected);
}

#[rstest]
#[case::a_pattern("git diff -- '.en?'", &[".en?", ".en@"])]
#[case::a_star("git add '*'", &["@"])]
#[case::a_suffix("git ls-files '*.ts'", &["@.ts"])]
#[case::magic("git add ':(glob)x/*.env'", &[":(glob)x/*.env", "x/@.env"])]
#[case::a_revision("git show 'HEAD^{/fix.*}'", &[])]
#[case::branches("git branch --list 'feat*'", &[])]
#[case::a_searched_pattern("git grep 'a.*b' src/x", &["src/x"])]
#[case::a_message("git commit -m 'x*'", &[])]
fn pathspecs_may_be_patterns(#[case] command: &str, #[case] expected: &[&str]) {
    check(command, expected);
}
