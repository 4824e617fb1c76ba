//! The session walk's checks, each with its accepted twin; the regression list of ADR 0001 among them.

use crate::support::{ASK, LEGACY_ASK, edited, rendered};
use innercmd_evidence::{EvidenceSource, from_session, session_entries};
use rstest::rstest;

const CALL: &str = r#"{"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"I run it."},{"type":"toolCall","id":"call_1","name":"bash","arguments":{"command":"cd a && timeout 5 ls","timeout":9}}]}}"#;
const EARLIER: &str = r#"{"type":"message","message":{"role":"assistant","content":[{"type":"toolCall","id":"call_1","name":"bash","arguments":{"command":"cd earlier && timeout 5 ls"}}]}}"#;
const OTHER_CALL: &str = r#"{"type":"message","message":{"role":"assistant","content":[{"type":"toolCall","id":"call_2","name":"read","arguments":{"path":"x"}}]}}"#;
const RESULT: &str = r#"{"type":"message","message":{"role":"toolResult","toolCallId":"call_1","content":[]}}"#;
const OTHER_RESULT: &str = r#"{"type":"message","message":{"role":"toolResult","toolCallId":"call_2","content":[]}}"#;
const USER: &str = r#"{"type":"message","message":{"role":"user","content":"call_1"}}"#;
const HEADER: &str = r#"{"type":"session","version":3,"id":"s","cwd":"/home/user/project"}"#;

const ACCEPTED: &str = "cd a && timeout 5 ls | timeout 5 ls | - | session-tool-call";

#[track_caller]
fn check(ask_edits: &str, session: &[&str], expected: &str) {
    let log = session_entries(&session.join("\n"));
    assert_eq!(rendered(&from_session(&edited(LEGACY_ASK, ask_edits), log.entries())), expected, "{session:#?}");
}

/// Checks a session whose newest assistant message is `CALL` with edits.
#[track_caller]
fn check_call(call_edits: &str, expected: &str) {
    check("", &[HEADER, EARLIER, RESULT, USER, &edited(CALL, call_edits).to_string()], expected);
}

#[rstest]
#[case::alone(&[CALL], ACCEPTED)]
#[case::reused_across_messages(&[HEADER, EARLIER, RESULT, CALL], ACCEPTED)]
#[case::reused_without_a_result(&[EARLIER, CALL], ACCEPTED)]
#[case::something_newer(&[HEADER, CALL, OTHER_RESULT, OTHER_CALL, USER], ACCEPTED)]
#[case::malformed_before_it(&["{", r#"{"type":"message"}"#, CALL], ACCEPTED)]
#[case::missing(&[HEADER, OTHER_CALL, USER], "tool-call-not-found")]
#[case::empty(&[], "tool-call-not-found")]
#[case::answered(&[HEADER, CALL, RESULT], "tool-call-answered")]
#[case::only_an_earlier_one(&[EARLIER, RESULT, USER, OTHER_CALL], "tool-call-answered")]
fn the_latest_message_with_the_call_counts(#[case] session: &[&str], #[case] expected: &str) {
    check("", session, expected);
}

#[rstest]
#[case::not_json("{")]
#[case::null("null")]
#[case::list("[]")]
#[case::no_type(r#"{"message":{"role":"user","content":""}}"#)]
#[case::type_not_text(r#"{"type":1,"message":{"role":"user","content":""}}"#)]
#[case::key_twice(r#"{"type":"x","type":"message"}"#)]
#[case::lone_surrogate(r#"{"type":"x","data":"\ud800"}"#)]
fn an_unreadable_entry_is_never_passed(#[case] entry: &str) {
    check("", &[EARLIER, CALL, entry], "session-entry-malformed");
}

#[rstest]
#[case::no_message(r#"{"type":"message"}"#)]
#[case::message_text(r#"{"type":"message","message":"x"}"#)]
#[case::no_role(r#"{"type":"message","message":{"content":[]}}"#)]
#[case::role_not_text(r#"{"type":"message","message":{"role":["assistant"],"content":[]}}"#)]
#[case::no_content(r#"{"type":"message","message":{"role":"assistant"}}"#)]
#[case::content_text(r#"{"type":"message","message":{"role":"assistant","content":"x"}}"#)]
#[case::result_without_id(r#"{"type":"message","message":{"role":"toolResult","content":[]}}"#)]
#[case::result_id_not_text(r#"{"type":"message","message":{"role":"toolResult","toolCallId":1,"content":[]}}"#)]
fn an_unreadable_message_is_never_passed(#[case] entry: &str) {
    check("", &[EARLIER, CALL, entry], "session-message-malformed");
}

#[rstest]
#[case::other_type(r#"{"type":"custom","customType":"x","data":{"role":"assistant"}}"#)]
#[case::other_type_without_anything(r#"{"type":"model_change"}"#)]
#[case::other_role(r#"{"type":"message","message":{"role":"bashExecution","command":"ls"}}"#)]
#[case::no_blocks(r#"{"type":"message","message":{"role":"assistant","content":[]}}"#)]
#[case::a_call_by_the_user(
    r#"{"type":"message","message":{"role":"user","content":[{"type":"toolCall","id":"call_1","name":"bash","arguments":{"command":"timeout 5 ls"}}]}}"#
)]
fn what_holds_no_tool_call_is_passed(#[case] entry: &str) {
    check("", &[EARLIER, CALL, entry], ACCEPTED);
}

#[rstest]
#[case::duplicate(
    r#"/message/content/- = {"type":"toolCall","id":"call_1","name":"bash","arguments":{"command":"timeout 5 ls"}}"#,
    "tool-call-duplicate"
)]
#[case::duplicate_of_another_tool(
    r#"/message/content/- = {"type":"toolCall","id":"call_1","name":"read","arguments":{}}"#,
    "tool-call-duplicate"
)]
#[case::beside_another_call(
    r#"/message/content/- = {"type":"toolCall","id":"call_2","name":"bash","arguments":{"command":"timeout 5 ls"}}"#,
    ACCEPTED
)]
#[case::beside_another_broken_call(r#"/message/content/- = {"type":"toolCall","id":"call_2","name":"bash"}"#, ACCEPTED)]
#[case::id_missing("- /message/content/1/id", "session-block-malformed")]
#[case::id_not_text("/message/content/1/id = 1", "session-block-malformed")]
#[case::name_missing("- /message/content/1/name", "session-block-malformed")]
#[case::name_not_text("/message/content/1/name = null", "session-block-malformed")]
#[case::type_missing("- /message/content/1/type", "session-block-malformed")]
#[case::type_not_text("/message/content/1/type = 1", "session-block-malformed")]
#[case::type_other_with_the_id(r#"/message/content/1/type = "tool_use""#, "session-block-malformed")]
#[case::type_other_with_another_id(r#"/message/content/0/id = "call_2""#, ACCEPTED)]
#[case::block_text(r#"/message/content/- = "toolCall""#, "session-block-malformed")]
#[case::broken_block_behind_it(r#"/message/content/- = {"type":"toolCall"}"#, "session-block-malformed")]
#[case::broken_block_before_it(r#"/message/content/0 = {"type":"toolCall"}"#, "session-block-malformed")]
fn a_message_holds_exactly_one_readable_call(#[case] call_edits: &str, #[case] expected: &str) {
    check_call(call_edits, expected);
}

#[rstest]
#[case::other_tool(r#"/message/content/1/name = "Bash""#, "session-other-tool")]
#[case::arguments_missing("- /message/content/1/arguments", "arguments-malformed")]
#[case::arguments_text(r#"/message/content/1/arguments = "cd a && timeout 5 ls""#, "arguments-malformed")]
#[case::command_missing("- /message/content/1/arguments/command", "arguments-malformed")]
#[case::command_not_text(r#"/message/content/1/arguments/command = ["timeout 5 ls"]"#, "arguments-malformed")]
#[case::command_blank(r#"/message/content/1/arguments/command = "\u2028 ""#, "full-command-blank")]
#[case::command_with_nul(r#"/message/content/1/arguments/command = "timeout 5 ls\u0000""#, "nul-in-command")]
#[case::command_without_unit(r#"/message/content/1/arguments/command = "ls""#, "unit-not-in-full-command")]
#[case::command_untrimmed(
    r#"/message/content/1/arguments/command = " timeout 5 ls ""#,
    " timeout 5 ls  | timeout 5 ls | - | session-tool-call"
)]
fn the_call_is_of_bash_with_a_command_that_holds_the_unit(#[case] call_edits: &str, #[case] expected: &str) {
    check_call(call_edits, expected);
}

#[rstest]
#[case::forwarded(r#"/forwarding = {"requesterAgentName": "child"}"#, "forwarded")]
#[case::forwarding_null("/forwarding = null", ACCEPTED)]
#[case::other_tool(r#"/toolName = "read""#, "other-tool")]
#[case::source_other(r#"/source = "skill_input""#, "not-a-tool-call")]
#[case::call_id_missing("- /toolCallId", "tool-call-id-malformed")]
#[case::call_id_other(r#"/toolCallId = "call_9""#, "tool-call-not-found")]
#[case::command_missing("- /command", "command-malformed")]
#[case::command_not_text("/command = 1", "command-malformed")]
#[case::command_blank(r#"/command = " ""#, "unit-blank")]
#[case::agent_missing("- /agentName", "agent-name-malformed")]
#[case::agent(r#"/agentName = "rev""#, "cd a && timeout 5 ls | timeout 5 ls | rev | session-tool-call")]
#[case::payload(r#"/payload = {"kind": "bash"}"#, "payload-unexpected")]
#[case::payload_null("/payload = null", "payload-unexpected")]
#[case::unknown_field(r#"/payloads = 1"#, ACCEPTED)]
fn the_request_itself_is_checked(#[case] ask_edits: &str, #[case] expected: &str) {
    check(ask_edits, &[HEADER, CALL], expected);
}

#[rstest]
#[case::surface(r#"/surface = "external_directory""#, "other-surface")]
#[case::surface_bash(r#"/surface = "bash""#, ACCEPTED)]
#[case::surface_null("/surface = null", ACCEPTED)]
#[case::surface_typed("/surface = 1", "surface-malformed")]
#[case::intent(r#"/accessIntent = {"surface": "path"}"#, "other-surface")]
#[case::intent_bash(r#"/accessIntent = {"surface": "bash"}"#, ACCEPTED)]
#[case::intent_typed("/accessIntent = []", "surface-malformed")]
#[case::intent_without("/accessIntent = {}", "surface-malformed")]
#[case::approval(r#"/sessionApproval = {"surface": "external_directory", "patterns": []}"#, "other-surface")]
#[case::approval_bash(r#"/sessionApproval = {"surface": "bash", "patterns": []}"#, ACCEPTED)]
#[case::approval_null("/sessionApproval = null", ACCEPTED)]
fn a_named_surface_is_bash(#[case] ask_edits: &str, #[case] expected: &str) {
    check(ask_edits, &[HEADER, CALL], expected);
}

#[test]
fn a_bad_payload_never_leads_to_the_session() {
    let entries = session_entries(CALL).entries().to_vec();
    let bad = edited(ASK, "/payload/evidence = null");
    assert_eq!(rendered(&EvidenceSource::Payload.read(&bad, &entries)), "evidence-malformed");
    assert_eq!(rendered(&EvidenceSource::SessionWalk.read(&bad, &entries)), "payload-unexpected");
    let none = edited(ASK, "- /payload");
    assert_eq!(rendered(&EvidenceSource::Payload.read(&none, &entries)), "payload-missing");
    assert_eq!(rendered(&EvidenceSource::SessionWalk.read(&none, &entries)), ACCEPTED);
}
