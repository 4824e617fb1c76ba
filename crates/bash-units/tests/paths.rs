//! Which paths a command names, and where they lead.

use std::collections::HashMap;

use innercmd_bash_units::{
    BashProgram, LexicalPaths, Limits, Outside, PathFacts, PathFactsError, PathPiece, PathRole, PathText, Place,
    ResolvedPath, Unknown,
};
use rstest::rstest;

const CWD: &str = "/work/project";
const HOME: &str = "/home/user";

fn sketch(text: &PathText) -> String {
    let piece = |piece: &PathPiece| match piece {
        PathPiece::Text(text) => text.clone(),
        PathPiece::Unknown { kind: Unknown::Anything, .. } => "$".to_owned(),
        PathPiece::Unknown { .. } => "@".to_owned(),
    };
    text.pieces().iter().map(piece).collect()
}

/// Each path that is more than a bare word, with a sign for those that lead, or may lead, outside.
fn paths(command: &str, facts: &dyn PathFacts) -> Vec<String> {
    let program = BashProgram::parse(command, &Limits::default());
    let tokens = program.path_tokens(&Place::new(CWD, Some(HOME), facts));
    let interesting = tokens.iter().filter(|token| token.role != PathRole::Bare);
    interesting
        .map(|token| match token.outside() {
            Outside::No => sketch(&token.text),
            Outside::Maybe => format!("? {}", sketch(&token.text)),
            Outside::Yes => format!("! {}", sketch(&token.text)),
        })
        .collect()
}

#[track_caller]
fn check(command: &str, expected: &[&str]) {
    assert_eq!(paths(command, &LexicalPaths), expected, "{command}");
}

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
#[case::its_name_and_more("cat $PWD.x", &["? $.x"])]
#[case::computed("cat $FILE", &["? $"])]
#[case::computed_inside("cat src/$FILE", &["? src/$"])]
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

#[rstest]
#[case::down("cd src && cat ../x", &["src", "../x"])]
#[case::down_and_out("cd src && cat ../../x", &["src", "! ../../x"])]
#[case::out("cd /etc && cat passwd", &["! /etc", "! passwd"])]
#[case::out_and_write("cd /etc; echo x > passwd", &["! /etc", "! passwd"])]
#[case::steps("cd a/b && x 2>&1 | tail -6; echo done; cd .. && cd .. && ls", &["a/b", "..", ".."])]
#[case::one_step_too_many("cd a && cd .. && cd .. && ls x", &["a", "..", "! ..", "! x"])]
#[case::subshell("(cd /etc && ls x); ls x", &["! /etc", "! x", "x"])]
#[case::group("{ cd /etc; }; ls x", &["! /etc", "! x"])]
#[case::pipeline("cd /etc | ls x; ls y", &["! /etc", "x", "y"])]
#[case::background("cd /etc & ls x", &["! /etc", "x"])]
#[case::substitution("echo $(cd /etc; ls x); ls x", &["! /etc", "! x", "x"])]
#[case::in_its_own_argument("cd $(ls x)", &["? $", "x"])]
#[case::where_it_fails("cd src || cat ../x", &["src", "! ../x"])]
#[case::then_leaves("cd src || exit 1; cat ../x", &["src", "../x"])]
#[case::computed("cd $D && ls x", &["? $", "? x"])]
#[case::computed_then_absolute("cd $D; cd /work/project; ls x", &["? $", "/work/project", "x"])]
#[case::home("cd; ls x", &["! x"])]
#[case::back("cd -; ls x", &["? x"])]
#[case::branch("if true; then cd /etc; fi; ls x", &["! /etc", "! x"])]
#[case::loops("for i in 1 2; do cd ..; done; ls x", &["? ..", "? x"])]
#[case::loop_in_a_subshell("for i in a b; do (cd $i; ls x); done", &["a", "b", "x"])]
#[case::stack("pushd src; ls ../x; popd; ls ../y", &["src", "../x", "! ../y"])]
#[case::rotated_stack("pushd a; pushd +1; ls x", &["a", "+1", "? x"])]
#[case::loop_with_braces("for i in 1 2; { cd ..; }; ls x", &["? ..", "? x"])]
#[case::function("f() { cd ..; }; f; ls x", &["? ..", "? x"])]
#[case::builtin("builtin cd /etc && ls x", &["! /etc", "! x"])]
#[case::quoted("'cd' /etc && ls x", &["! /etc", "! x"])]
#[case::own_directory("git -C .. add x/y", &["! ..", "! x/y"])]
#[case::own_computed_directory("git -C $D add x/y", &["? x/y"])]
fn directories_are_followed(#[case] command: &str, #[case] expected: &[&str]) {
    check(command, expected);
}

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

/// A file system of links and directories.
struct Links(HashMap<&'static str, &'static str>, HashMap<&'static str, &'static [&'static str]>);

impl PathFacts for Links {
    fn resolve(&self, path: &str) -> Result<ResolvedPath, PathFactsError> {
        let mut resolved = String::new();
        for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
            match part {
                ".." => resolved.truncate(resolved.rfind('/').unwrap_or(0)),
                part => resolved = format!("{resolved}/{part}"),
            }
            if resolved.ends_with("/forbidden") {
                return Err(PathFactsError::Forbidden);
            }
            if let Some(target) = self.0.get(resolved.as_str()) {
                resolved = (*target).to_owned();
            }
        }
        let exists = Some(!resolved.contains("missing"));
        Ok(ResolvedPath { path: if resolved.is_empty() { "/".to_owned() } else { resolved }, exists })
    }

    fn list(&self, path: &str) -> Result<Vec<String>, PathFactsError> {
        let directory = self.resolve(path)?.path;
        if directory.ends_with(".env") {
            return Err(PathFactsError::Missing);
        }
        let names = self.1.get(directory.as_str()).ok_or(PathFactsError::Other)?;
        Ok(names.iter().map(|name| (*name).to_owned()).collect())
    }
}

#[rstest]
#[case::a_link_out("cat out/x", &["! out/x"])]
#[case::a_link_in("cat /in/x", &["/in/x"])]
#[case::up_from_a_link("cat out/../x", &["! out/../x"])]
#[case::cd_is_logical("cd out && cd .. && cat x", &["! out", "..", "x"])]
#[case::but_paths_are_not("cd inner && cat ../x", &["inner", "../x"])]
#[case::a_pattern_behind_a_link("cat out/*", &["! out/@"])]
#[case::unknown("cat forbidden/x", &["? forbidden/x"])]
#[case::cd_may_fail("cd missing; cat ../x", &["missing", "! ../x"])]
#[case::cd_that_must_succeed("cd missing && cat ../x", &["missing", "../x"])]
fn links_are_followed(#[case] command: &str, #[case] expected: &[&str]) {
    assert_eq!(paths(command, &file_system()), expected, "{command}");
}

fn file_system() -> Links {
    let links = [
        ("/work/project/out", "/secret"),
        ("/in", "/work/project/src"),
        ("/work/project/inner", "/work/project/deep/er"),
        ("/work/project/src/link.ts", "/etc/passwd"),
    ];
    let directories: [(&str, &[&str]); 3] = [
        ("/work/project", &["src", "docs", "prod.env", ".env"]),
        ("/work/project/src", &["a.ts", "b.ts", "link.ts", ".hidden.ts", "c.rs"]),
        ("/work/project/docs", &["a.md"]),
    ];
    Links(HashMap::from(links), HashMap::from(directories))
}

/// Where each path that a pattern matches leads.
#[track_caller]
fn check_matches(command: &str, expected: &[&str]) {
    let program = BashProgram::parse(command, &Limits::default());
    let facts = file_system();
    let tokens = program.path_tokens(&Place::new(CWD, Some(HOME), &facts));
    let locations = tokens.iter().flat_map(|token| &token.locations);
    let found: Vec<String> = locations
        .map(|location| match location.outside {
            Outside::No => sketch(&location.text),
            Outside::Maybe => format!("? {}", sketch(&location.text)),
            Outside::Yes => format!("! {}", sketch(&location.text)),
        })
        .collect();
    assert_eq!(found, expected, "{command}");
}

#[rstest]
#[case::names("ls src/*.ts", &["src/a.ts", "src/b.ts", "! src/link.ts"])]
#[case::hidden_names("ls src/.*", &["src/.hidden.ts"])]
#[case::directories("ls */a*", &["src/a.ts", "docs/a.md"])]
#[case::dots_are_written("ls *env", &["prod.env"])]
#[case::none("ls src/*.zz", &["src/*.zz"])]
#[case::not_to_be_listed("ls deep/*", &["deep/@"])]
#[case::another_meaning("shopt -s dotglob; ls *", &["dotglob", "@"])]
#[case::not_a_pattern_alone("ls $X/*", &["? $/@"])]
#[case::of_a_loop("for f in src/*.rs; do cat $f; done", &["src/c.rs"])]
fn patterns_are_looked_up(#[case] command: &str, #[case] expected: &[&str]) {
    check_matches(command, expected);
}
