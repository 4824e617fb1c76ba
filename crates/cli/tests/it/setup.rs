use rstest::rstest;

use crate::support::User;

#[rstest]
#[case::bash("bash", "complete -F _innercmd")]
#[case::zsh("zsh", "#compdef innercmd")]
#[case::fish("fish", "complete -c innercmd")]
fn completions_are_for_the_shell(#[case] shell: &str, #[case] says: &str) {
    let ran = User::new().run(&["completions", shell], "");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains(says) && ran.out.contains("replay"), "{}", ran.out);
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let user = User::new();
    let ran = user.run(&["man"], "");
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains(".TH innercmd 1") && ran.out.contains("Exit codes: 0 allow"), "{}", ran.out);
    assert_eq!(user.run(&["man", "--directory", "{}/man"], "").code, 0);
    for page in ["innercmd.1", "innercmd-replay.1", "innercmd-policy-test.1"] {
        assert!(user.path("man").join(page).exists(), "{page}");
    }
}

#[test]
fn the_version_says_what_it_was_built_from() {
    let ran = User::new().run(&["--version"], "");
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], format!("innercmd {}", env!("CARGO_PKG_VERSION")));
    assert!(lines.iter().any(|line| line.starts_with("target: ")), "{}", ran.out);
    assert!(lines.iter().any(|line| line.starts_with("rustc: 1.")), "{}", ran.out);
    assert_eq!(User::new().run(&["-V"], "").out, format!("{}\n", lines[0]));
}
