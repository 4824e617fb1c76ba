//! Requests recorded under pi-permission-system 25.4 and 26.3.

use std::collections::BTreeMap;

use crate::support::rendered;
use innercmd_evidence::{details_in, from_payload, js_trim, parse_details, parse_json};
use rstest::rstest;

/// One object a line: the version, the command as the agent issued it, and the `details` (less a few fields that only the
/// dialog uses).
const ASKS: &str = include_str!("../data/details-bash.jsonl");
/// The same for requests on other surfaces, with four of `bash` among them.
const OTHER_SURFACES: &str = include_str!("../data/details-other-surfaces.jsonl");

#[test]
fn every_recorded_request_gives_the_command_the_agent_issued() {
    let (mut accepted, mut refused) = (0, BTreeMap::new());
    for line in ASKS.lines() {
        match parse_details(line).and_then(|details| from_payload(&details)) {
            Ok(evidence) => {
                let recorded = parse_json(line).expect("the line was read");
                let command = recorded["command"].as_str().expect("the command is recorded");
                assert_eq!(evidence.full_command(), js_trim(command), "{line}");
                accepted += 1;
            }
            Err(refusal) => {
                assert!(refusal.request_id.is_some_and(|id| id.starts_with("perm-")), "{line}");
                *refused.entry(refusal.code.code()).or_insert(0) += 1;
            }
        }
    }
    // Per version: a blank command, one with U+0000, one with half of a surrogate pair.
    let expected = [("evidence:lone-surrogate", 2), ("evidence:nul-in-command", 2), ("evidence:unit-blank", 2)];
    assert_eq!(refused, BTreeMap::from(expected));
    assert_eq!(accepted, ASKS.lines().count() - 6);
    assert!(accepted > 200, "{accepted}");
}

#[test]
fn recorded_requests_on_other_surfaces_are_refused_by_their_kind() {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for line in OTHER_SURFACES.lines() {
        let line = parse_json(line).expect("the line is JSON");
        let kind = details_in(&line)["payload"]["kind"].as_str().expect("a kind").to_owned();
        let result = rendered(&from_payload(details_in(&line)));
        *seen.entry(format!("{kind}: {result}")).or_insert(0) += 1;
    }
    let expected = [
        ("bash: timeout 5 ls a | timeout 5 ls a | - | request-value", 2),
        ("bash: timeout 5 ls b | timeout 5 ls b | - | request-value", 2),
        ("bash_external_directory: other-kind", 4),
        ("external_directory: other-tool", 2),
        ("path: other-kind", 2),
        ("tool: other-tool", 2),
    ];
    assert_eq!(seen, expected.into_iter().map(|(result, count)| (result.to_owned(), count)).collect());
}

#[rstest]
#[case::cut_in_half(|line: &str| line.chars().take(line.chars().count() / 2).collect())]
#[case::with_a_lone_surrogate(|line: &str| line.replacen("\"source\":\"tool_call\"", "\"source\":\"\\udead\"", 1))]
fn a_damaged_line_still_says_whom_to_answer(#[case] damage: fn(&str) -> String) {
    for line in ASKS.lines() {
        let Ok(intact) = parse_details(line) else { continue };
        let refusal = parse_details(&damage(line)).expect_err("it is damaged");
        // The id is the first field of `details`; half a line ends before it only where the command before it is long.
        if let Some(id) = &refusal.request_id {
            assert_eq!(intact["requestId"], id.as_str());
        } else {
            assert!(!damage(line).contains("\"requestId\":\"perm-"), "{line}");
        }
    }
}
