//! What the file system says about paths.

use innercmd_bash_units::{BashProgram, Limits, Outside, Place};
use rstest::rstest;

use crate::{CWD, HOME, file_system, paths, sketch};

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
#[case::cd_to_a_file("cd file; cat ../x", &["file", "! ../x"])]
#[case::cd_to_a_directory("cd src; cat ../x", &["src", "../x"])]
#[case::pushd_to_a_file("pushd file; cat ../x", &["file", "! ../x"])]
#[case::cd_back_from_nowhere("cd missing; cd -; cat x", &["missing", "? .", "? x"])]
fn links_are_followed(#[case] command: &str, #[case] expected: &[&str]) {
    assert_eq!(paths(command, &file_system()), expected, "{command}");
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
#[case::not_a_pattern_alone("ls \"$X\"/*", &["? $/@"])]
#[case::of_a_loop("for f in src/*.rs; do cat $f; done", &["src/c.rs"])]
fn patterns_are_looked_up(#[case] command: &str, #[case] expected: &[&str]) {
    check_matches(command, expected);
}
