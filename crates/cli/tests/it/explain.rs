use crate::support::User;

fn explained(command: &str) -> (i32, String) {
    let ran = User::with_policy().run(&["explain", "--policy", "{}/policy.json", command], "");
    assert_eq!(ran.err, "");
    (ran.code, ran.out)
}

#[test]
fn every_unit_is_underlined_with_its_rule() {
    let (code, out) = explained("cd src && timeout 5 git log $(git push origin) > out.txt; rm x");
    assert_eq!(code, 4);
    insta::assert_snapshot!(out);
}

#[test]
fn a_command_that_the_link_lets_pass_shows_what_was_judged() {
    let (code, out) = explained("timeout 5 git status");
    assert_eq!(code, 0);
    insta::assert_snapshot!(out);
}

#[test]
fn a_gap_is_explained_in_a_sentence() {
    let (code, out) = explained("git status; $CMD --force \"");
    assert_eq!(code, 3);
    insta::assert_snapshot!(out);
}

#[test]
fn what_a_terminal_would_act_on_is_not_written() {
    let (_, out) = explained("git log \u{1b}]0;title\u{7} \u{202e}gpj.sh $'\\e' && make\r");
    assert!(!out.contains(['\u{1b}', '\u{7}', '\u{202e}', '\r']), "{out:?}");
}

#[test]
fn colours_are_for_terminals_alone() {
    let user = User::with_policy();
    for arguments in [["check", "rm x"], ["explain", "rm x"]] {
        let arguments = [&arguments[..1], &["--policy", "{}/policy.json"], &arguments[1..]].concat();
        assert!(!user.run(&arguments, "").out.contains('\u{1b}'), "{arguments:?}");
    }
}

#[test]
fn the_same_for_programs_is_json() {
    let user = User::with_policy();
    let explained = user.run(&["explain", "--policy", "{}/policy.json", "--format", "json", "rm x"], "");
    let checked = user.run(&["check", "--policy", "{}/policy.json", "--format", "json", "rm x"], "");
    assert_eq!(explained, checked);
}
