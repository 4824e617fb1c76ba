use crate::support::{User, json_lines};

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
fn for_programs_it_is_the_answer_of_check_with_the_places_and_the_rules_that_lost() {
    let user = User::with_policy();
    let command = "timeout 5 rm x; git push $X > .env";
    let run = |verb| user.run(&[verb, "--policy", "{}/policy.json", "--format", "json", command], "").out;
    let (text, checked) = (run("explain"), json_lines(&run("check")).remove(0));
    let explained = json_lines(&text).remove(0);
    for (key, value) in checked.as_object().unwrap() {
        assert_eq!(&explained[key], value, "{key}");
    }
    // As text: in which order a parsed object keeps its keys depends on who else is built.
    let places = text.split_once("\"places\":").unwrap().1;
    insta::assert_snapshot!(places.replace(",{\"", ",\n{\""));
}

#[test]
fn a_unit_that_only_its_redirection_holds_back_says_so() {
    let (code, out) = explained("git log > .env");
    assert_eq!(code, 4);
    assert!(
        out.contains(
            "  1 deny  git log\n          bash `git *` allows (global, ~/policy.json:7)\n          but see 2\n"
        ),
        "{out}"
    );
}

#[test]
fn a_long_command_is_broken_into_rows() {
    let (code, out) = explained(
        "for file in $(git ls-files '*.ts'); do git diff --stat \"$file\" | tee -a report.txt; done && \
         cat <<EOF | git commit -F - && rm -rf build/the-output-of-the-last-build/and-of-the-one-before\nText\nEOF\ngit log",
    );
    assert_eq!(code, 4);
    insta::assert_snapshot!(out);
}

#[test]
fn colours_are_for_those_who_want_them() {
    let run = |name: &str| {
        let user = User::with_policy();
        user.run_with(&[(name, "1")], &["explain", "--policy", "{}/policy.json", "rm x"], "").out.contains('\u{1b}')
    };
    assert!(run("CLICOLOR_FORCE"));
    assert!(!run("NO_COLOR"));
}
