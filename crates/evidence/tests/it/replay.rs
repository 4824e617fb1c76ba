//! Reading session files, so that past sessions can be replayed.

use crate::support::{LEGACY_ASK, edited, rendered};
use innercmd_evidence::{SessionLog, from_session, session_entries};
use rstest::rstest;

/// Renders every call as `line id command` and everything unusable as `line code`.
fn calls(log: &SessionLog) -> Vec<String> {
    log.bash_calls()
        .map(|call| match call {
            Ok(call) => format!("{} {} {}", call.line, call.id, call.command),
            Err(unusable) => format!("{} {}", unusable.line, unusable.code.code()),
        })
        .collect()
}

#[rstest]
#[case::pi_0_79_1(include_str!("../data/session-pi-0.79.1.jsonl"), [5, 9, 13, 17, 21])]
#[case::pi_1_6_0(include_str!("../data/session-pi-1.6.0.jsonl"), [5, 9, 13, 17, 21])]
fn a_recorded_session_gives_its_calls(#[case] text: &str, #[case] lines: [usize; 5]) {
    let log = session_entries(text);
    let commands = ["timeout 60s echo hi", "timeout 60s echo hi && git push", "timeout 5 rm -rf x", "echo plain", "ls"];
    let expected: Vec<String> = (0..5).map(|i| format!("{} call_{}_0 {}", lines[i], 2 * i + 1, commands[i])).collect();
    assert_eq!(calls(&log), expected);
    assert_eq!(log.cwd(), Some("/home/user/project"));
}

#[rstest]
#[case::pi_0_79_1(include_str!("../data/session-pi-0.79.1.jsonl"))]
#[case::pi_1_6_0(include_str!("../data/session-pi-1.6.0.jsonl"))]
fn a_recorded_call_is_found_as_it_stood_when_it_was_made(#[case] text: &str) {
    let log = session_entries(text);
    for call in log.bash_calls() {
        let call = call.expect("recorded calls are usable");
        let mut ask = edited(LEGACY_ASK, "");
        ask["toolCallId"] = call.id.into();
        ask["command"] = call.command.into();
        let expected = format!("{0} | {0} | - | session-tool-call", call.command);
        assert_eq!(rendered(&from_session(&ask, log.until(&call))), expected);
        assert_eq!(rendered(&from_session(&ask, log.entries())), "tool-call-answered");
    }
}

const HEADER: &str = r#"{"type":"session","cwd":"/a"}"#;
const CALL: &str = r#"{"type":"message","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"bash","arguments":{"command":"ls"}}]}}"#;

fn cut(line: &str) -> &str {
    line.split_at(line.len() / 2).0
}

#[rstest]
#[case::blank_lines_count(format!("\u{feff}{HEADER}\n\n \n{CALL}\n\n"), &["4 c ls"])]
#[case::carriage_returns(format!("{HEADER}\r\n{CALL}\r\n"), &["2 c ls"])]
#[case::separators_inside_strings(format!("{}\n{CALL}", HEADER.replace("/a", "\u{2028}\u{85}")), &["2 c ls"])]
#[case::last_line_cut(format!("{CALL}\n{}", cut(CALL)), &["1 c ls", "2 evidence:malformed-json"])]
#[case::line_in_between_cut(format!("{}\n{CALL}", cut(CALL)), &["1 evidence:malformed-json", "2 c ls"])]
#[case::lone_surrogate(format!("{}\n{CALL}", CALL.replace("\"ls\"", "\"ls \\ud800\"")),
    &["1 evidence:lone-surrogate", "2 c ls"])]
#[case::key_twice(CALL.replace("\"c\",", "\"c\",\"id\":\"c\","), &["1 evidence:duplicate-key"])]
#[case::no_object("7".to_owned(), &["1 evidence:session-entry-malformed"])]
#[case::no_message(r#"{"type":"message"}"#.to_owned(), &["1 evidence:session-message-malformed"])]
#[case::broken_block(CALL.replace("[{", "[7,{"), &["1 evidence:session-block-malformed", "1 c ls"])]
#[case::no_command(CALL.replace("command", "path"), &["1 evidence:arguments-malformed"])]
#[case::blank_command(CALL.replace("\"ls\"", "\" \""), &["1 evidence:full-command-blank"])]
#[case::nul(CALL.replace("\"ls\"", "\"ls\\u0000\""), &["1 evidence:nul-in-command"])]
#[case::two_calls(CALL.replace("]}}", r#",{"type":"toolCall","id":"d","name":"bash","arguments":{"command":"pwd"}}]}}"#),
    &["1 c ls", "1 d pwd"])]
#[case::other_tool(CALL.replace("\"bash\"", "\"read\""), &[])]
#[case::other_role(CALL.replace("\"assistant\"", "\"user\""), &[])]
#[case::nothing(String::new(), &[])]
fn nothing_that_may_be_a_call_goes_unsaid(#[case] text: String, #[case] expected: &[&str]) {
    assert_eq!(calls(&session_entries(&text)), expected);
}

#[test]
fn every_line_keeps_its_place() {
    let log = session_entries(&format!("{HEADER}\n{{\n{CALL}\n"));
    assert_eq!(log.entries().len(), 3);
    assert!(log.entries()[1].is_null());
    let indices: Vec<usize> = log.bash_calls().map(|call| call.map_or_else(|it| it.entry, |call| call.entry)).collect();
    assert_eq!(indices, [1, 2]);
}

#[rstest]
#[case(HEADER, Some("/a"))]
#[case(r#"{"type":"message","cwd":"/a"}"#, None)]
#[case(r#"{"type":"session"}"#, None)]
#[case(r#"{"type":"session","cwd":1}"#, None)]
#[case("", None)]
fn the_header_says_where_the_session_ran(#[case] text: &str, #[case] expected: Option<&str>) {
    assert_eq!(session_entries(text).cwd(), expected);
}

#[test]
fn an_unusable_entry_says_where_and_why() {
    let log = session_entries(&format!("{HEADER}\n7"));
    let said: Vec<String> = log.bash_calls().filter_map(Result::err).map(|unusable| unusable.to_string()).collect();
    assert_eq!(said.len(), 1);
    assert!(said[0].starts_with("line 2 (evidence:session-entry-malformed): An entry"), "{said:?}");
}
