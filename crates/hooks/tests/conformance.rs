//! The tables of `docs/hosts`: what each harness is answered, row by row.
// `cfg(test)` always holds here; it tells clippy that these are tests, helpers included.
#![cfg(test)]

use std::time::Duration;

use innercmd_authorizer::Link;
use innercmd_hooks::{Allowing, Asking, Bench, HookCode, Host, Manner, Ruling, ShellCall, guarded};
use innercmd_policy::Policy;
use rstest::rstest;
use serde_json::{Value, json};

/// Judges by a policy that allows `ls`, asks about `npm` and denies `rm`.
fn rule(call: &ShellCall) -> Result<Ruling, String> {
    let policy = r#"{ "*": "allow", "external_directory": "ask",
        "bash": { "*": "ask", "ls *": "allow", "rm *": { "action": "deny", "reason": "keep it" } } }"#;
    let policy = Policy::from_permission(policy).map_err(|error| error.to_string())?.policy;
    Ok(Bench { policy: &policy, home: None, project: Some("/no/such"), link: Link::On }.judge(call))
}

fn manner(host: Host) -> Manner {
    Manner::new(host).with_shell(Some("/usr/bin/bash".to_owned()))
}

/// The question that `host` asks about `command`, with all that it was seen to send.
fn question(host: Host, command: &str) -> Value {
    match host {
        Host::ClaudeCode => json!({
            "session_id": "s", "transcript_path": "/t.jsonl", "cwd": "/no/such", "prompt_id": "p", "permission_mode": "default",
            "effort": { "level": "medium" }, "hook_event_name": "PreToolUse", "tool_name": "Bash",
            "tool_input": { "command": command, "description": "x" }, "tool_use_id": "toolu_1",
        }),
        Host::Codex => json!({
            "session_id": "s", "turn_id": "t", "transcript_path": "/t.jsonl", "cwd": "/no/such", "hook_event_name": "PreToolUse",
            "model": "m", "permission_mode": "bypassPermissions", "tool_name": "Bash", "tool_input": { "command": command },
            "tool_use_id": "call_1",
        }),
        Host::Gemini => json!({
            "session_id": "s", "transcript_path": "/t.json", "cwd": "/no/such", "hook_event_name": "BeforeTool",
            "timestamp": "2026-11-30T21:54:06.788Z", "tool_name": "run_shell_command",
            "tool_input": { "command": command, "description": "x" },
        }),
        Host::Opencode => json!({
            "tool": "bash", "sessionID": "ses_1", "callID": "call_1", "directory": "/no/such", "worktree": "/no/such",
            "args": { "command": command, "description": "x" },
        }),
        Host::Cursor => json!({
            "hook_event_name": "beforeShellExecution", "conversation_id": "c", "generation_id": "g", "model": "m",
            "cursor_version": "3.9.16", "workspace_roots": ["/no/such"], "command": command, "cwd": "/no/such", "sandbox": false,
        }),
    }
}

/// What an answer means in the harness's own terms.
fn meaning(host: Host, reply: &str) -> (&'static str, String) {
    if reply.is_empty() {
        assert!(matches!(host, Host::ClaudeCode | Host::Codex), "{host} takes silence for a failure");
        return ("silence", String::new());
    }
    let reply: Value = serde_json::from_str(reply).unwrap();
    let keys: Vec<&String> = reply.as_object().unwrap().keys().collect();
    let (decision, reason) = match host {
        Host::ClaudeCode | Host::Codex => {
            assert_eq!(keys, ["hookSpecificOutput"]);
            let output = &reply["hookSpecificOutput"];
            assert_eq!(output["hookEventName"], "PreToolUse");
            assert_eq!(
                output.as_object().unwrap().len(),
                3,
                "Codex takes a member that it does not know for a failure"
            );
            (&output["permissionDecision"], &output["permissionDecisionReason"])
        }
        Host::Gemini if keys.is_empty() => return ("silence", String::new()),
        Host::Gemini if reply["decision"] == "ask" => (&reply["decision"], &reply["systemMessage"]),
        Host::Gemini | Host::Opencode => (&reply["decision"], &reply["reason"]),
        Host::Cursor => (&reply["permission"], &reply["user_message"]),
    };
    let reason = reason.as_str().unwrap_or_default().to_owned();
    let decision = match (host, decision.as_str().unwrap()) {
        (Host::Opencode, "pass") | (Host::Cursor, "allow") => "silence",
        (_, "allow") => "allow",
        (_, "ask") => "ask",
        (_, "deny") => "deny",
        (_, other) => panic!("{host} does not know `{other}`"),
    };
    (decision, reason)
}

#[track_caller]
fn check(manner: &Manner, host: Host, input: &Value, expected: &str, code: &str) {
    check_text(manner, host, input.to_string().as_bytes(), expected, code);
}

#[track_caller]
fn check_text(manner: &Manner, host: Host, input: &[u8], expected: &str, code: &str) {
    let (decision, reason) = meaning(host, &manner.answer(input, rule));
    assert_eq!(decision, expected, "{reason}");
    assert!(reason.contains(code), "{reason}");
    if !matches!(expected, "silence" | "allow") {
        assert!(reason.starts_with("[innercmd] ") && reason.contains(&format!("[{code}]")), "{reason}");
    }
}

/// What an ask becomes where nothing is chosen, and what everything becomes that is no answer of the policy.
fn asked(host: Host) -> &'static str {
    if host == Host::ClaudeCode { "ask" } else { "deny" }
}

#[rstest]
fn an_allow_is_silence(
    #[values(Host::ClaudeCode, Host::Codex, Host::Gemini, Host::Opencode, Host::Cursor)] host: Host,
) {
    check(&manner(host), host, &question(host, "ls -l"), "silence", "");
    check(&manner(host), host, &question(host, "timeout 5 ls"), "silence", "");
}

#[rstest]
fn an_ask_is_a_prompt_where_it_holds_and_else_a_block(
    #[values(Host::ClaudeCode, Host::Codex, Host::Gemini, Host::Opencode, Host::Cursor)] host: Host,
) {
    check(&manner(host), host, &question(host, "ls && npm test"), asked(host), "policy:bash-rule");
}

#[rstest]
fn a_deny_is_always_answered(
    #[values(Host::ClaudeCode, Host::Codex, Host::Gemini, Host::Opencode, Host::Cursor)] host: Host,
    #[values(Asking::Prompt, Asking::Block, Asking::Leave)] asking: Asking,
) {
    let Ok(manner) = manner(host).asking(asking) else { return };
    check(&manner, host, &question(host, "ls; 'rm' -rf x"), "deny", "policy:bash-rule");
    assert!(manner.answer(question(host, "rm x").to_string().as_bytes(), rule).contains("keep it"));
}

#[rstest]
#[case::claude_code(Host::ClaudeCode, true)]
#[case::codex(Host::Codex, false)]
#[case::gemini(Host::Gemini, true)]
#[case::opencode(Host::Opencode, false)]
#[case::cursor(Host::Cursor, true)]
fn a_prompt_can_be_chosen_where_the_harness_knows_one(#[case] host: Host, #[case] known: bool) {
    let prompting = manner(host).asking(Asking::Prompt);
    assert_eq!(prompting.is_ok(), known);
    if let Ok(manner) = prompting {
        check(&manner, host, &question(host, "npm test"), "ask", "policy:bash-rule");
        check_text(&manner, host, b"{", "ask", "hooks:unreadable-input");
    }
}

#[rstest]
fn an_ask_can_be_left_to_the_harness_but_not_a_failure(
    #[values(Host::ClaudeCode, Host::Codex, Host::Gemini, Host::Opencode, Host::Cursor)] host: Host,
) {
    let manner = manner(host).asking(Asking::Leave).unwrap();
    check(&manner, host, &question(host, "npm test"), "silence", "");
    check_text(&manner, host, b"{", "deny", "hooks:unreadable-input");
    let reply = manner.answer(question(host, "ls").to_string().as_bytes(), |_| Err("line 3 is wrong.".to_owned()));
    assert_eq!(meaning(host, &reply).0, "deny");
}

#[rstest]
#[case::claude_code(Host::ClaudeCode, true)]
#[case::codex(Host::Codex, false)]
#[case::gemini(Host::Gemini, false)]
#[case::opencode(Host::Opencode, false)]
#[case::cursor(Host::Cursor, false)]
fn an_allow_is_answered_only_on_request_and_where_deny_rules_stay_in_force(#[case] host: Host, #[case] known: bool) {
    let allowing = manner(host).allowing(Allowing::Answered);
    assert_eq!(allowing.is_ok(), known);
    if let Ok(manner) = allowing {
        check(&manner, host, &question(host, "ls"), "allow", "");
        check(&manner, host, &question(host, "npm test"), "ask", "policy:bash-rule");
        check_text(&manner, host, b"{", "ask", "hooks:unreadable-input");
    }
}

#[rstest]
#[case::nothing(b"".as_slice())]
#[case::no_json(b"ls")]
#[case::cut(b"{\"hook_event_name\":\"PreToolUse\"")]
#[case::no_utf8(b"\"\xff\"")]
#[case::half_a_surrogate_pair(br#"{"command":"\ud800"}"#)]
fn malformed_input_is_held_back(
    #[values(Host::ClaudeCode, Host::Codex, Host::Gemini, Host::Opencode, Host::Cursor)] host: Host,
    #[case] input: &[u8],
) {
    check_text(&manner(host), host, input, asked(host), "hooks:unreadable-input");
}

#[rstest]
#[case::a_list("[]")]
#[case::nothing_in_it("{}")]
#[case::a_text("\"ls\"")]
fn json_that_is_no_question_is_held_back(
    #[values(Host::ClaudeCode, Host::Codex, Host::Gemini, Host::Opencode, Host::Cursor)] host: Host,
    #[case] input: &str,
) {
    check_text(&manner(host), host, input.as_bytes(), asked(host), "hooks:unknown-shape");
}

/// The object of a question that the tool itself is told.
fn tool(host: Host, question: &mut Value) -> &mut serde_json::Map<String, Value> {
    let key = match host {
        Host::ClaudeCode | Host::Codex | Host::Gemini => "tool_input",
        Host::Opencode => "args",
        Host::Cursor => return question.as_object_mut().unwrap(),
    };
    question[key].as_object_mut().unwrap()
}

#[rstest]
fn a_command_that_is_no_text_is_held_back(
    #[values(Host::ClaudeCode, Host::Codex, Host::Gemini, Host::Opencode, Host::Cursor)] host: Host,
    #[values(json!(["ls"]), json!(null), json!(1), json!({}))] command: Value,
) {
    let mut question = question(host, "ls");
    tool(host, &mut question).insert("command".to_owned(), command);
    check(&manner(host), host, &question, asked(host), "hooks:unknown-shape");
}

#[rstest]
fn a_new_field_beside_the_tool_is_ignored(
    #[values(Host::ClaudeCode, Host::Codex, Host::Gemini, Host::Opencode, Host::Cursor)] host: Host,
) {
    let mut question = question(host, "ls");
    question["new"] = json!({ "command": "rm x" });
    check(&manner(host), host, &question, "silence", "");
}

#[rstest]
fn a_new_field_of_the_tool_is_held_back(
    #[values(Host::ClaudeCode, Host::Codex, Host::Gemini, Host::Opencode)] host: Host,
) {
    let mut question = question(host, "ls");
    tool(host, &mut question).insert("interpreter".to_owned(), json!("python3"));
    check(&manner(host), host, &question, asked(host), "hooks:unknown-shape");
}

#[rstest]
#[case::claude_code(Host::ClaudeCode, "tool_name", json!("Write"))]
#[case::codex(Host::Codex, "tool_name", json!("apply_patch"))]
#[case::gemini(Host::Gemini, "tool_name", json!("write_file"))]
#[case::opencode(Host::Opencode, "tool", json!("edit"))]
#[case::claude_code_event(Host::ClaudeCode, "hook_event_name", json!("PostToolUse"))]
#[case::codex_event(Host::Codex, "hook_event_name", json!("PostToolUse"))]
#[case::gemini_event(Host::Gemini, "hook_event_name", json!("AfterTool"))]
#[case::cursor_event(Host::Cursor, "hook_event_name", json!("beforeReadFile"))]
fn other_tools_and_events_pass(#[case] host: Host, #[case] key: &str, #[case] value: Value) {
    let mut question = question(host, "rm -rf x");
    question[key] = value;
    check(&manner(host), host, &question, "silence", "");
}

#[rstest]
#[case::claude_code(Host::ClaudeCode, "cwd")]
#[case::codex(Host::Codex, "cwd")]
#[case::gemini(Host::Gemini, "cwd")]
#[case::opencode(Host::Opencode, "directory")]
#[case::cursor(Host::Cursor, "cwd")]
fn without_a_directory_nothing_is_allowed(#[case] host: Host, #[case] key: &str) {
    for cwd in [json!(null), json!(""), json!("sub"), json!(7)] {
        let mut question = question(host, "ls");
        question[key] = cwd;
        check(&manner(host), host, &question, asked(host), "hooks:unknown-shape");
    }
}

#[rstest]
#[case::gemini(Host::Gemini, "dir_path")]
#[case::opencode(Host::Opencode, "workdir")]
fn the_directory_that_the_model_chooses_is_judged(#[case] host: Host, #[case] key: &str) {
    for (directory, expected, code) in [
        ("sub", "silence", ""),
        ("./sub/..", "silence", ""),
        ("/etc", "deny", "policy:external-directory"),
        ("../other", "deny", "policy:external-directory"),
    ] {
        let mut question = question(host, "ls");
        tool(host, &mut question).insert(key.to_owned(), json!(directory));
        check(&manner(host), host, &question, expected, code);
    }
}

#[rstest]
#[case::claude_code(Host::ClaudeCode)]
#[case::codex(Host::Codex)]
#[case::opencode(Host::Opencode)]
#[case::cursor(Host::Cursor)]
fn another_shell_is_allowed_nothing(#[case] host: Host) {
    for shell in [None, Some("/bin/zsh"), Some("/usr/bin/fish"), Some("notbash"), Some("")] {
        let manner = Manner::new(host).with_shell(shell.map(str::to_owned));
        check(&manner, host, &question(host, "ls"), asked(host), "hooks:other-shell");
        check(&manner, host, &question(host, "rm x"), "deny", "policy:bash-rule");
    }
    for shell in ["bash", "/bin/bash", "/opt/homebrew/bin/bash"] {
        let manner = Manner::new(host).with_shell(Some(shell.to_owned()));
        check(&manner, host, &question(host, "ls"), "silence", "");
    }
}

#[test]
fn gemini_runs_bash_whatever_the_shell_of_the_user() {
    let manner = Manner::new(Host::Gemini).with_shell(Some("/bin/zsh".to_owned()));
    check(&manner, Host::Gemini, &question(Host::Gemini, "ls"), "silence", "");
}

#[rstest]
#[case::monitor("Monitor", "silence", "")]
#[case::power_shell("PowerShell", "ask", "hooks:other-shell")]
fn the_other_tools_of_claude_code_that_run_commands_are_judged(
    #[case] tool: &str,
    #[case] expected: &str,
    #[case] code: &str,
) {
    let mut question = question(Host::ClaudeCode, "ls");
    question["tool_name"] = json!(tool);
    check(&manner(Host::ClaudeCode), Host::ClaudeCode, &question, expected, code);
}

#[test]
fn the_general_event_of_cursor_is_held_back_for_its_shell() {
    let input = json!({ "hook_event_name": "preToolUse", "tool_name": "Shell", "tool_input": { "command": "ls" }, "cwd": "/x" });
    check(&manner(Host::Cursor), Host::Cursor, &input, "deny", "hooks:unknown-shape");
}

#[rstest]
fn a_byte_order_mark_before_the_question_is_no_reason_to_fail(
    #[values(Host::ClaudeCode, Host::Codex, Host::Gemini, Host::Opencode, Host::Cursor)] host: Host,
) {
    let input = format!("\u{feff}{}", question(host, "ls"));
    check_text(&manner(host), host, input.as_bytes(), "silence", "");
}

#[rstest]
fn a_policy_that_cannot_be_used_holds_everything_back(
    #[values(Host::ClaudeCode, Host::Codex, Host::Gemini, Host::Opencode, Host::Cursor)] host: Host,
) {
    let input = question(host, "ls").to_string();
    let reply = manner(host).answer(input.as_bytes(), |_| Err("policy.jsonc:3: unknown key".to_owned()));
    let (decision, reason) = meaning(host, &reply);
    assert_eq!(decision, asked(host));
    assert!(reason.contains("policy.jsonc:3") && reason.contains("[hooks:no-policy]"), "{reason}");
}

#[rstest]
fn a_crash_and_a_late_judgement_hold_the_command_back(
    #[values(Host::ClaudeCode, Host::Codex, Host::Gemini, Host::Opencode, Host::Cursor)] host: Host,
) {
    let run = |limit, work: fn(&ShellCall) -> Result<Ruling, String>| {
        let (manner, closed) = (manner(host), manner(host));
        let input = question(host, "ls").to_string();
        let answer = move || manner.answer(input.as_bytes(), work);
        meaning(host, &guarded(Duration::from_millis(limit), |code| closed.closed(code), answer))
    };
    let crashed = run(60_000, |_| panic!("by intent"));
    assert_eq!(crashed.0, asked(host));
    assert!(crashed.1.contains(HookCode::Failed.code()), "{}", crashed.1);
    let late = run(200, |call| {
        std::thread::sleep(Duration::from_secs(30));
        rule(call)
    });
    assert_eq!(late.0, asked(host));
    assert!(late.1.contains(HookCode::Late.code()), "{}", late.1);
}
