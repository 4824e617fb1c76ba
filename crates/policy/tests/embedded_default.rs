//! The policy for those who have none.

use innercmd_bash_units::{BashProgram, Limits};
use innercmd_policy::{Effect, LexicalPaths, Origin, Policy, PolicySource, Surroundings};
use rstest::rstest;

#[track_caller]
fn check(command: &str, expected: Effect) {
    let program = BashProgram::parse(command, &Limits::default());
    let around = Surroundings { cwd: "/work/project", home: Some("/home/user"), facts: &LexicalPaths };
    let decision = Policy::embedded_default().judge(&program, &around).decision();
    assert_eq!(decision.effect(), expected, "{command}: {}", decision.code());
}

#[rstest]
#[case("ls -la src")]
#[case("cat README.md | head -20")]
#[case("cd src && grep -rn TODO . 2>/dev/null | wc -l")]
#[case("git status && git diff --stat && git log --oneline -5")]
#[case("find . -name '*.rs' -type f")]
#[case("rg -n foo src || true")]
#[case("[ -f x ] && echo yes")]
#[case("command -v git")]
#[case("for f in a b; do echo \"$f\"; done")]
fn reading_in_the_directory_is_allowed(#[case] command: &str) {
    check(command, Effect::Allow);
}

#[rstest]
#[case("rm -rf x")]
#[case("echo x > y")]
#[case("cat a >> b")]
#[case("find . -delete")]
#[case("find . -fprint x")]
#[case("find . -exec rm {} \\;")]
#[case("cat /etc/passwd")]
#[case("cat ~/.ssh/id_rsa")]
#[case("cat .env")]
#[case("cat .env.local")]
#[case("cd .. && ls")]
#[case("git push")]
#[case("git branch -D x")]
#[case("git diff --output=x")]
#[case("git log --ext-diff --output x")]
#[case("git -c core.pager=x log")]
#[case("PATH=. ls")]
#[case("sed -i s/a/b/ f")]
#[case("python3 -c ''")]
#[case("curl https://example.org")]
#[case("bash -c ls")]
#[case("timeout 5 ls")]
#[case("ls $(rm x)")]
#[case("$X")]
fn everything_else_is_asked_about(#[case] command: &str) {
    check(command, Effect::Ask);
}

#[test]
fn its_rules_are_the_engine_s_own() {
    let rule = Policy::embedded_default().answer("bash", "ls", None).rule;
    assert_eq!(rule.map(|rule| rule.origin), Some(Origin::Builtin));
}

#[test]
fn nothing_in_it_is_doubtful() {
    let text = include_str!("../src/default.jsonc");
    let loaded = Policy::load(&[PolicySource { name: "default.jsonc", text, origin: Origin::Builtin }]).unwrap();
    assert_eq!(loaded.diagnostics, []);
}
