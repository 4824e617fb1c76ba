//! Which words are paths.

use rstest::rstest;

use crate::check;

#[rstest]
#[case::operands("cat a.txt b.txt", &["a.txt", "b.txt"])]
#[case::options_are_none("ls -la src", &["src"])]
#[case::absolute("cat /etc/passwd", &["! /etc/passwd"])]
#[case::in_the_directory("cat /work/project/x", &["/work/project/x"])]
#[case::a_longer_name("cat /work/project2/x", &["! /work/project2/x"])]
#[case::the_directory_itself("ls /work/project", &["/work/project"])]
#[case::the_root("ls /", &["! /"])]
#[case::up_and_down("cat src/../../x", &["! src/../../x"])]
#[case::up_inside("cat src/../x", &["src/../x"])]
#[case::tilde("cat ~/.ssh/id", &["! /home/user/.ssh/id"])]
#[case::tilde_and_slashes("cat ~//.ssh/id", &["! /home/user//.ssh/id"])]
#[case::quoted_tilde("cat '~/x'", &["! ~/x"])]
#[case::another_user("cat ~root/x", &["? $/x"])]
#[case::home("touch \"$HOME/new\"", &["! /home/user/new"])]
#[case::home_in_braces("ls \"${HOME}/x\"", &["! /home/user/x"])]
#[case::home_changed("HOME=/work/project; cat $HOME/x", &["/work/project/x"])]
#[case::the_current_directory("cat $PWD/x \"$(pwd)/y\"", &["./x", "./y"])]
#[case::its_name_and_more("cat \"$PWD.x\"", &["? $.x"])]
#[case::computed("cat $FILE", &["? $"])]
#[case::computed_inside("cat \"src/$FILE\"", &["? src/$"])]
#[case::which_may_be_several_words("cat src/$FILE.ts", &["? src/$.ts", "? $"])]
#[case::a_pattern("cat src/*.ts", &["src/@.ts"])]
#[case::a_pattern_outside("cat /etc/[p]asswd", &["! /etc/@asswd"])]
#[case::a_pattern_that_may_be_the_parent("rm -rf .*", &["? .@"])]
#[case::a_pattern_that_cannot("pip install .[dev]", &[".@"])]
#[case::braces("rm -rf {/outside,build}", &["! /outside", "build"])]
#[case::default_value("cat ${FILE:-/outside/x}", &["? $"])]
#[case::looks("mytool src/x ./y .env z", &["src/x", "./y", ".env"])]
#[case::no_looks("git push origin main", &[])]
#[case::a_range("git diff main...HEAD", &["main...HEAD"])]
#[case::a_url("curl https://example.org/../x", &[])]
#[case::a_computed_url("curl http://localhost/$page", &[])]
#[case::a_computed_file_url("curl file://localhost/etc/$x", &["! /etc/$"])]
#[case::a_file_url("curl file:///etc/passwd", &["! /etc/passwd"])]
#[case::a_package("npm i @types/node", &[])]
#[case::data_of_a_file("curl -d @/etc/passwd https://x", &["! /etc/passwd"])]
#[case::data("curl -d /x/y https://x", &[])]
#[case::a_program("/tmp/tool x", &["! /tmp/tool"])]
#[case::a_program_inside("./setup.sh", &["./setup.sh"])]
#[case::dd("dd if=/dev/sda of=out", &["! /dev/sda", "out"])]
#[case::an_assignment("export P=\"/opt/bin:$P\" Q=/x", &[])]
#[case::a_pipe("diff <(ls a) b", &["a", "b"])]
fn words_are_told_from_paths(#[case] command: &str, #[case] expected: &[&str]) {
    check(command, expected);
}

#[rstest]
#[case::output("echo x > out.txt", &["out.txt"])]
#[case::outside("echo x > /etc/passwd", &["! /etc/passwd"])]
#[case::descriptors("make 2>&1 >&2 2>&-", &[])]
#[case::a_word_is_no_descriptor("git show >&2file", &["2file"])]
#[case::a_computed_descriptor("git show >&$X", &["? $"])]
#[case::read_and_write("cat <> /tmp/x", &["! /tmp/x"])]
#[case::computed("echo x > $(echo y)", &["? $"])]
#[case::here("cat <<E <<< /etc/passwd\n/etc/shadow\nE", &[])]
#[case::of_a_group("{ ls; } > /etc/x", &["! /etc/x"])]
#[case::alone("> .env", &[".env"])]
#[case::behind_it("cat <a b .env", &["a", "b", ".env"])]
fn redirections_name_files(#[case] command: &str, #[case] expected: &[&str]) {
    check(command, expected);
}
