//! The payload's checks, each with its accepted twin (ADR 0002).

use crate::support::{ASK, edited, rendered};
use innercmd_evidence::{EvidenceSource, from_payload};
use rstest::rstest;

const ACCEPTED: &str = "cd a && timeout 5 ls | timeout 5 ls | - | full-command-entry";
const ACCEPTED_ALONE: &str = "timeout 5 ls | timeout 5 ls | - | request-value";

#[track_caller]
fn check(edits: &str, expected: &str) {
    assert_eq!(rendered(&from_payload(&edited(ASK, edits))), expected, "{edits}");
}

#[test]
fn an_intact_payload_is_accepted() {
    check("", ACCEPTED);
    let evidence = from_payload(&edited(ASK, "")).expect("it is intact");
    assert_eq!((evidence.request_id(), evidence.tool_call_id()), ("perm-1", "call_1"));
}

#[rstest]
#[case::details_no_object("/payload = 1", "payload-malformed")]
#[case::request_id_missing("- /requestId", "request-id-malformed")]
#[case::request_id_typed("/requestId = 1", "request-id-malformed")]
#[case::request_id_blank(r#"/requestId = "\ufeff ""#, "request-id-malformed")]
#[case::source_missing("- /source", "source-malformed")]
#[case::source_typed("/source = 1", "source-malformed")]
#[case::source_other(r#"/source = "user_bash""#, "not-a-tool-call")]
#[case::tool_missing("- /toolName", "tool-name-malformed")]
#[case::tool_null("/toolName = null", "tool-name-malformed")]
#[case::tool_other(r#"/toolName = "read""#, "other-tool")]
#[case::tool_other_case(r#"/toolName = "Bash""#, "other-tool")]
#[case::call_id_missing("- /toolCallId", "tool-call-id-malformed")]
#[case::call_id_typed("/toolCallId = 1", "tool-call-id-malformed")]
#[case::call_id_blank(r#"/toolCallId = """#, "tool-call-id-malformed")]
#[case::agent_missing("- /agentName", "agent-name-malformed")]
#[case::agent_typed("/agentName = false", "agent-name-malformed")]
#[case::agent_blank(r#"/agentName = " ""#, "agent-name-malformed")]
fn a_request_that_is_not_a_tool_call_of_bash_is_refused(#[case] edits: &str, #[case] expected: &str) {
    check(edits, expected);
}

#[rstest]
#[case::in_details(r#"/forwarding = {"requesterAgentName": "child"}"#, "forwarded")]
#[case::in_details_false("/forwarding = false", "forwarded")]
#[case::in_details_null("/forwarding = null", ACCEPTED)]
#[case::by_requester("/payload/request/requester/forwarded = true", "forwarded")]
#[case::by_requester_missing("- /payload/request/requester/forwarded", "requester-forwarded-malformed")]
#[case::by_requester_null("/payload/request/requester/forwarded = null", "requester-forwarded-malformed")]
#[case::by_requester_text(r#"/payload/request/requester/forwarded = "false""#, "requester-forwarded-malformed")]
#[case::kind_and_requester("/payload/kind = \"forwarded\"\n/payload/request/requester/forwarded = true", "forwarded")]
#[case::kind_alone(r#"/payload/kind = "forwarded""#, "other-kind")]
fn a_forwarded_request_is_refused(#[case] edits: &str, #[case] expected: &str) {
    check(edits, expected);
}

#[rstest]
#[case::payload_missing("- /payload", "payload-missing")]
#[case::payload_null("/payload = null", "payload-missing")]
#[case::payload_list("/payload = []", "payload-malformed")]
#[case::kind_missing("- /payload/kind", "kind-malformed")]
#[case::kind_typed(r#"/payload/kind = ["bash"]"#, "kind-malformed")]
#[case::kind_other(r#"/payload/kind = "bash_external_directory""#, "other-kind")]
#[case::request_missing("- /payload/request", "request-malformed")]
#[case::request_typed("/payload/request = []", "request-malformed")]
#[case::surface_missing("- /payload/request/surface", "surface-malformed")]
#[case::surface_typed("/payload/request/surface = null", "surface-malformed")]
#[case::surface_other(r#"/payload/request/surface = "path""#, "other-surface")]
#[case::tool_missing("- /payload/request/toolName", "request-tool-malformed")]
#[case::tool_typed("/payload/request/toolName = null", "request-tool-malformed")]
#[case::tool_other(r#"/payload/request/toolName = "sh""#, "other-request-tool")]
#[case::invoked_missing("- /payload/request/invokedToolName", "invoked-tool-malformed")]
#[case::invoked_typed("/payload/request/invokedToolName = false", "invoked-tool-malformed")]
#[case::invoked_alias(r#"/payload/request/invokedToolName = "exec_command""#, "aliased")]
#[case::invoked_bash(r#"/payload/request/invokedToolName = "bash""#, "aliased")]
#[case::requester_missing("- /payload/request/requester", "requester-malformed")]
#[case::requester_typed("/payload/request/requester = null", "requester-malformed")]
#[case::session_missing("- /payload/request/requester/sessionId", "requester-session-malformed")]
#[case::session_typed("/payload/request/requester/sessionId = 1", "requester-session-malformed")]
#[case::session_text(r#"/payload/request/requester/sessionId = "s""#, ACCEPTED)]
fn a_payload_that_is_not_exactly_of_bash_is_refused(#[case] edits: &str, #[case] expected: &str) {
    check(edits, expected);
}

#[rstest]
#[case::both(
    "/agentName = \"rev\"\n/payload/request/requester/agentName = \"rev\"",
    "cd a && timeout 5 ls | timeout 5 ls | rev | full-command-entry"
)]
#[case::details_alone(r#"/agentName = "rev""#, "agent-inconsistent")]
#[case::requester_alone(r#"/payload/request/requester/agentName = "rev""#, "agent-inconsistent")]
#[case::two("/agentName = \"rev\"\n/payload/request/requester/agentName = \"Rev\"", "agent-inconsistent")]
#[case::missing("- /payload/request/requester/agentName", "requester-agent-malformed")]
#[case::typed("/payload/request/requester/agentName = 1", "requester-agent-malformed")]
#[case::blank(r#"/payload/request/requester/agentName = """#, "requester-agent-malformed")]
fn the_request_and_its_payload_name_one_agent(#[case] edits: &str, #[case] expected: &str) {
    check(edits, expected);
}

#[rstest]
#[case::value_missing("- /payload/request/value", "value-malformed")]
#[case::value_typed("/payload/request/value = null", "value-malformed")]
#[case::value_blank("/payload/request/value = \"\\u00a0\"\n/command = \"\\u00a0\"", "unit-blank")]
#[case::value_next_line(
    "/payload/request/value = \"\\u0085\"\n/command = \"\\u0085\"\n- /payload/evidence/0",
    "\u{85} | \u{85} | - | request-value"
)]
#[case::command_differs(r#"/command = "timeout 5 ls ""#, "command-inconsistent")]
#[case::command_null("/command = null", "command-malformed")]
#[case::command_typed(r#"/command = ["timeout 5 ls"]"#, "command-malformed")]
#[case::command_absent("- /command", ACCEPTED)]
fn the_unit_is_one_text_wherever_it_is_given(#[case] edits: &str, #[case] expected: &str) {
    check(edits, expected);
}

#[rstest]
#[case::none("- /payload/evidence/0", ACCEPTED_ALONE)]
#[case::equal(r#"/payload/evidence/0/text = "timeout 5 ls""#, "timeout 5 ls | timeout 5 ls | - | full-command-entry")]
#[case::duplicate(
    r#"/payload/evidence/- = {"label": "full command", "text": "cd a && timeout 5 ls", "detail": null}"#,
    "full-command-duplicate"
)]
#[case::other_label(r#"/payload/evidence/- = {"label": "working directory", "text": "/a", "detail": null}"#, ACCEPTED)]
#[case::other_label_alone(
    r#"/payload/evidence/0 = {"label": "working directory", "text": "/a", "detail": null}"#,
    ACCEPTED_ALONE
)]
#[case::other_spelling(r#"/payload/evidence/0/label = "Full Command ""#, "full-command-mislabelled")]
#[case::other_spelling_beside(
    r#"/payload/evidence/- = {"label": "full-command", "text": "x", "detail": null}"#,
    "full-command-mislabelled"
)]
#[case::blank(r#"/payload/evidence/0/text = " \n\ufeff""#, "full-command-blank")]
#[case::empty(r#"/payload/evidence/0/text = """#, "full-command-blank")]
#[case::text_missing("- /payload/evidence/0/text", "evidence-entry-malformed")]
#[case::text_null("/payload/evidence/0/text = null", "evidence-entry-malformed")]
#[case::label_missing("- /payload/evidence/0/label", "evidence-entry-malformed")]
#[case::label_typed("/payload/evidence/0/label = 1", "evidence-entry-malformed")]
#[case::entry_text(r#"/payload/evidence/0 = "full command""#, "evidence-entry-malformed")]
#[case::other_entry_malformed(r#"/payload/evidence/- = {"label": "input"}"#, "evidence-entry-malformed")]
#[case::detail_ignored("/payload/evidence/0/detail = 7", ACCEPTED)]
#[case::list_missing("- /payload/evidence", "evidence-malformed")]
#[case::list_typed("/payload/evidence = {}", "evidence-malformed")]
fn exactly_one_full_command_entry_or_none(#[case] edits: &str, #[case] expected: &str) {
    check(edits, expected);
}

#[rstest]
#[case::without_unit(r#"/payload/evidence/0/text = "cd a && git push""#, "unit-not-in-full-command")]
#[case::other_blanks(r#"/payload/evidence/0/text = "cd a && timeout  5 ls""#, "unit-not-in-full-command")]
#[case::nul_beside_the_unit(r#"/payload/evidence/0/text = "timeout 5 ls\u0000 && ls""#, "nul-in-command")]
#[case::nul_in_the_unit(
    "/command = \"a\\u0000b\"\n/payload/request/value = \"a\\u0000b\"\n- /payload/evidence/0",
    "nul-in-command"
)]
#[case::nul_in_the_unit_alone("/command = \"a\\u0000b\"\n/payload/request/value = \"a\\u0000b\"", "nul-in-command")]
#[case::backslash(r#"/payload/evidence/0/text = "timeout 5 ls && cat a\\""#, "trailing-backslash")]
#[case::two_backslashes(
    r#"/payload/evidence/0/text = "timeout 5 ls \\\\""#,
    "timeout 5 ls \\\\ | timeout 5 ls | - | full-command-entry"
)]
#[case::backslash_alone(
    "/command = \"cat a\\\\\"\n/payload/request/value = \"cat a\\\\\"\n- /payload/evidence/0",
    "trailing-backslash"
)]
fn the_full_command_can_be_what_runs_and_holds_the_unit(#[case] edits: &str, #[case] expected: &str) {
    check(edits, expected);
}

#[rstest]
#[case::with_entry(r#"/payload/request/commandContext = "subshell""#, ACCEPTED)]
#[case::without_entry("/payload/request/commandContext = \"subshell\"\n- /payload/evidence/0", "full-command-missing")]
#[case::typed("/payload/request/commandContext = 1\n- /payload/evidence/0", "context-malformed")]
#[case::absent("- /payload/request/commandContext\n- /payload/evidence/0", ACCEPTED_ALONE)]
fn a_nested_unit_is_never_the_whole(#[case] edits: &str, #[case] expected: &str) {
    check(edits, expected);
}

#[rstest]
#[case::in_details(r#"/later = {"payload": {"kind": "path"}}"#)]
#[case::in_payload(r#"/payload/later = [1]"#)]
#[case::in_request(r#"/payload/request/fullCommand = "rm -rf /""#)]
#[case::in_requester("/payload/request/requester/later = true")]
#[case::in_entry(r#"/payload/evidence/0/later = "full command""#)]
#[case::annotations(r#"/payload/annotations = [{"label": "full command", "text": "rm"}]"#)]
fn unknown_fields_are_ignored(#[case] edits: &str) {
    check(edits, ACCEPTED);
}

#[rstest]
#[case("null", "details-missing")]
#[case("[]", "details-missing")]
#[case("\"details\"", "details-missing")]
fn details_that_are_no_object_are_refused(#[case] details: &str, #[case] expected: &str) {
    assert_eq!(rendered(&from_payload(&edited(details, ""))), expected);
}

#[rstest]
#[case(r#"/toolName = "read""#, Some("perm-1"))]
#[case("/requestId = 7", None)]
#[case(r#"/requestId = " ""#, None)]
fn a_refusal_names_its_request_where_it_can(#[case] edits: &str, #[case] expected: Option<&str>) {
    let refusal = from_payload(&edited(ASK, edits)).expect_err("it is not intact");
    assert_eq!(refusal.request_id.as_deref(), expected);
}

#[test]
fn the_declared_payload_is_read_without_the_session() {
    let entries = [serde_json::Value::Null];
    assert_eq!(rendered(&EvidenceSource::Payload.read(&edited(ASK, ""), &entries)), ACCEPTED);
}
