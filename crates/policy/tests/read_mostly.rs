//! The policy to start from.
#![expect(clippy::unwrap_used, reason = "tests state what they expect by failing")]

use innercmd_bash_units::{BashProgram, Limits};
use innercmd_policy::{Effect, LexicalPaths, Origin, Policy, PolicySource, READ_MOSTLY, Surroundings};
use rstest::rstest;

fn source() -> PolicySource<'static> {
    PolicySource { name: "read_mostly.jsonc", text: READ_MOSTLY, origin: Origin::Global }
}

#[track_caller]
fn check(command: &str, expected: Effect) {
    let program = BashProgram::parse(command, &Limits::default());
    let around = Surroundings { cwd: "/work/project", home: Some("/home/user"), facts: &LexicalPaths };
    let policy = Policy::load(&[source()]).unwrap().policy;
    let decision = policy.judge(&program, &around).decision();
    assert_eq!(decision.effect(), expected, "{command}: {}", decision.code());
}

#[test]
fn nothing_in_it_is_doubtful() {
    let doubts: Vec<String> = Policy::load(&[source()]).unwrap().diagnostics.iter().map(ToString::to_string).collect();
    assert_eq!(doubts, Vec::<String>::new());
}

#[rstest]
#[case("cd src && grep -rn 'a/b' . | sort | uniq -c | head -20")]
#[case("sed -n '10,40p' src/main.rs; awk '{print $1}' a.txt")]
#[case("git status -sb && git log --oneline -5 && git diff main...HEAD -- src/a.rs")]
#[case("cargo test -p x 2>&1 | tail -30")]
#[case("go test ./... > /tmp/out.txt 2>&1; tail -5 /tmp/out.txt")]
#[case("for f in a.ts b.ts; do echo \"== $f\"; head -3 \"src/$f\"; done")]
#[case("cat a.txt | sort -u | uniq -c")]
#[case("if [ -f package.json ]; then npm test; fi")]
#[case("echo '=== the /health endpoint ==='")]
#[case("cat .env.example")]
#[case("grep -n x pkg/*.go src/**/*.ts")]
fn reading_testing_and_moving_about_is_allowed(#[case] command: &str) {
    check(command, Effect::Allow);
}

#[rstest]
#[case("git push")]
#[case("rm x")]
#[case("echo x > src/a.ts")]
#[case("sed -i s/a/b/ f")]
#[case("sed -n 'w out' f")]
#[case("awk 'BEGIN { system(\"x\") }'")]
#[case("sort -o f f")]
#[case("find . -name x -delete")]
#[case("fd -x rm")]
#[case("cat /etc/passwd")]
#[case("cd .. && ls")]
#[case("npm install")]
#[case("curl https://example.org")]
#[case("python3 -c ''")]
#[case("git -c core.pager=x log")]
fn the_rest_is_asked_about(#[case] command: &str) {
    check(command, Effect::Ask);
}

#[rstest]
#[case("cat .env")]
#[case("grep KEY config/.env.production")]
#[case("cat ~/.ssh/id_ed25519")]
#[case("head -1 $HOME/.aws/credentials")]
#[case("cp x ~/.ssh/authorized_keys")]
#[case("rm -rf build")]
#[case("rm -r -f build")]
#[case("cd x && 'rm' -fr .")]
#[case("sudo rm --recursive x")]
#[case("find . -exec rm -rf {} +")]
fn secrets_and_recursive_removal_are_denied(#[case] command: &str) {
    check(command, Effect::Deny);
}
