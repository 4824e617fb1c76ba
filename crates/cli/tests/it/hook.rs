use assert_cmd::Command;
use rstest::rstest;
use serde_json::{Value, json};

/// A hook of a user without policy files, whose shell is bash.
fn hook(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("innercmd").unwrap();
    command.env_clear().env("HOME", "/no/home").env("SHELL", "/bin/bash").current_dir("/").arg("hook").args(arguments);
    command
}

fn claude_code(command: &str) -> String {
    let tool = json!({ "command": command });
    json!({ "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": tool, "cwd": "/" }).to_string()
}

#[track_caller]
fn check(arguments: &[&str], input: &str, decision: Value) {
    let output = hook(arguments).write_stdin(input).assert().code(0).get_output().stdout.clone();
    let reply: Value = if output.is_empty() { Value::Null } else { serde_json::from_slice(&output).unwrap() };
    assert_eq!(reply["hookSpecificOutput"]["permissionDecision"], decision, "{reply}");
}

#[test]
fn a_hook_answers_by_the_policy_files_of_the_user() {
    check(&["claude-code"], &claude_code("echo hi"), Value::Null);
    check(&["claude-code", "--allow"], &claude_code("echo hi"), json!("allow"));
    check(&["claude-code"], &claude_code("npm publish"), json!("ask"));
    check(&["claude-code", "--ask", "block"], &claude_code("npm publish"), json!("deny"));
    check(&["claude-code"], "no json", json!("ask"));
}

#[test]
fn a_policy_file_that_is_not_there_holds_everything_back() {
    check(&["claude-code", "--policy", "/no/policy.jsonc"], &claude_code("echo hi"), json!("ask"));
}

#[test]
fn a_shell_that_is_not_bash_is_allowed_nothing_unless_the_harness_has_another() {
    let run = |arguments: &[&str]| {
        let mut hook = hook(arguments);
        hook.env("SHELL", "/bin/zsh");
        hook.write_stdin(claude_code("echo hi")).assert().code(0).get_output().stdout.clone()
    };
    assert!(String::from_utf8(run(&["claude-code"])).unwrap().contains("hooks:other-shell"));
    assert!(run(&["claude-code", "--shell", "bash"]).is_empty());
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the question is held back by hand")]
fn a_question_that_does_not_come_is_answered_in_time() {
    let mut hook = std::process::Command::new(assert_cmd::cargo::cargo_bin("innercmd"));
    hook.args(["hook", "claude-code", "--deadline", "200"]).env("SHELL", "/bin/bash");
    hook.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = hook.spawn().unwrap();
    let stdin = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    assert!(output.status.success());
    assert!(String::from_utf8(output.stdout).unwrap().contains("hooks:late"));
}

#[rstest]
#[case::an_unknown_option(&["claude-code", "--alow"])]
#[case::an_allow_that_codex_does_not_know(&["codex", "--allow"])]
#[case::a_prompt_that_codex_does_not_know(&["codex", "--ask", "prompt"])]
#[case::no_such_harness(&["emacs"])]
fn arguments_that_are_wrong_end_in_the_exit_code_that_blocks_with_a_reason(#[case] arguments: &[&str]) {
    let output = hook(arguments).write_stdin(claude_code("echo hi")).assert().code(2).get_output().clone();
    assert!(output.stdout.is_empty() && !output.stderr.is_empty());
}

#[test]
fn a_hook_is_installed_found_and_taken_out_again() {
    let home = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let mut hook = hook(arguments);
        hook.env("HOME", home.path()).current_dir(home.path());
        String::from_utf8(hook.assert().code(0).get_output().stdout.clone()).unwrap()
    };
    let settings = home.path().join(".claude/settings.json");
    let shown = run(&["install", "claude-code", "--dry-run", "--ask", "block", "--policy", "p.jsonc"]);
    assert!(shown.contains("--ask=block") && shown.contains("/p.jsonc") && !settings.exists(), "{shown}");
    run(&["install", "claude-code"]);
    assert!(settings.exists());
    assert!(run(&["install", "claude-code"]).contains("stays as it is"));
    let status = run(&["status"]);
    assert!(status.contains("settings.json: installed: starts /") && !status.contains("NOT THERE"), "{status}");
    assert!(status.contains("not installed"), "{status}");
    run(&["install", "claude-code", "--program", "gone/innercmd"]);
    assert!(run(&["status"]).contains("gone/innercmd, WHICH IS NOT THERE"));
    run(&["uninstall", "claude-code"]);
    assert!(!settings.exists());
}

#[test]
fn what_is_installed_answers_as_it_was_told() {
    let home = tempfile::tempdir().unwrap();
    let mut install = hook(&["install", "claude-code", "--ask", "block"]);
    install.env("HOME", home.path()).assert().code(0);
    let mut text = String::new();
    let mut file = std::fs::File::open(home.path().join(".claude/settings.json")).unwrap();
    std::io::Read::read_to_string(&mut file, &mut text).unwrap();
    let settings: Value = serde_json::from_str(&text).unwrap();
    let line = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"].as_str().unwrap();
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", line]).env_clear().env("SHELL", "/bin/bash").env("HOME", "/no/home").current_dir("/");
    let output = shell.write_stdin(claude_code("npm publish")).assert().code(0).get_output().stdout.clone();
    assert!(String::from_utf8(output).unwrap().contains(r#""permissionDecision":"deny""#));
}
