//! Laws that hold for every input.

use crate::support::{ASK, LEGACY_ASK, edited, escaped, places, same_type};
use innercmd_evidence::{CommandEvidence, details_in, from_payload, from_session, parse_details, parse_json, salvage};
use innercmd_evidence::{js_trim, session_entries};
use proptest::prelude::*;
use serde_json::{Value, json};

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z =&;|'\"\\\\]{0,12}",
        "\\PC{0,8}",
        prop::sample::select(vec![
            "bash", "full command", "toolCall", "call_1", "tool_call", "\u{feff}", "\0", "timeout 5 ls"
        ])
        .prop_map(str::to_owned),
    ]
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9..1e9).prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let key = prop_oneof![text(), prop::sample::select(vec!["requestId", "details", "a"]).prop_map(str::to_owned)];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec((key, inner), 0..4).prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// What evidence stands for: all that a caller may judge by.
fn substance(evidence: &CommandEvidence) -> (String, String, Option<String>) {
    (evidence.full_command().to_owned(), evidence.triggering_unit().to_owned(), evidence.agent().map(str::to_owned))
}

/// Replaces the value at a place, or removes it where it is a field and there is no new one.
fn with(value: &Value, place: &str, new: Option<Value>) -> Value {
    let mut value = value.clone();
    match new {
        Some(new) => *value.pointer_mut(place).expect("the place is there") = new,
        None => {
            let (parent, key) = place.rsplit_once('/').expect("a place has a parent");
            if let Some(Value::Object(object)) = value.pointer_mut(parent) {
                object.retain(|field, _| escaped(field) != key);
            }
        }
    }
    value
}

fn an_ask(full: &str, unit: &str, alone: bool) -> Value {
    let mut ask = edited(ASK, "/agentName = \"rev\"\n/payload/request/requester/agentName = \"rev\"");
    ask["command"] = unit.into();
    ask["payload"]["request"]["value"] = unit.into();
    ask["payload"]["evidence"] =
        if alone { json!([]) } else { json!([{"label": "full command", "text": full, "detail": null}]) };
    ask
}

/// A session in which every other reading of one call would be another command.
const SESSION: &str = r#"[
    {"type":"message","message":{"role":"assistant","content":[
        {"type":"toolCall","id":"call_1","name":"bash","arguments":{"command":"timeout 5 ls; earlier"}}]}},
    {"type":"message","message":{"role":"toolResult","toolCallId":"call_1","content":[]}},
    {"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"x"},
        {"type":"toolCall","id":"call_1","name":"bash","arguments":{"command":"timeout 5 ls; latest"}}]}},
    {"type":"message","message":{"role":"toolResult","toolCallId":"call_2","content":[]}}
]"#;

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_payload_with_a_field_dropped_or_retyped_never_gives_another_command(
        before in "[a-z;& ]{0,6}", unit in "[a-z ]{1,8}", alone: bool, at: prop::sample::Index,
        new in prop::option::of(json_value()),
    ) {
        let ask = an_ask(&format!("{before}{unit}"), &unit, alone);
        let places = places(&ask);
        let place = at.get(&places);
        prop_assume!(new.as_ref().is_none_or(|new| !same_type(new, ask.pointer(place).unwrap())));
        let changed = with(&ask, place, new);
        if let Ok(evidence) = from_payload(&changed) {
            let intact = from_payload(&ask).expect("whatever the change, the intact one is accepted as well");
            prop_assert_eq!(substance(&evidence), substance(&intact), "{} in {}", place, changed);
        }
    }

    #[test]
    fn a_session_with_a_field_dropped_or_retyped_never_gives_another_command(
        at: prop::sample::Index, new in prop::option::of(json_value()),
    ) {
        let (ask, session) = (edited(LEGACY_ASK, ""), edited(SESSION, ""));
        let both = json!({"ask": ask, "session": session});
        let places = places(&both);
        let place = at.get(&places);
        prop_assume!(new.as_ref().is_none_or(|new| !same_type(new, both.pointer(place).unwrap())));
        let changed = with(&both, place, new);
        let Some(entries) = changed["session"].as_array() else { return Ok(()) };
        if let Ok(evidence) = from_session(&changed["ask"], entries) {
            prop_assert_eq!(evidence.full_command(), "timeout 5 ls; latest", "{} in {}", place, changed);
            prop_assert_eq!(evidence.triggering_unit(), "timeout 5 ls");
        }
    }

    #[test]
    fn evidence_always_holds_its_unit_and_can_be_run(
        unit in text(), before in text(), apart: bool, alone: bool,
        changes in prop::collection::vec((any::<prop::sample::Index>(), json_value()), 0..3),
    ) {
        let full = if apart { before } else { format!("{before}{unit}") };
        let mut ask = an_ask(&full, &unit, alone);
        for (at, new) in changes {
            let places = places(&ask);
            if !places.is_empty() {
                ask = with(&ask, at.get::<String>(&places), Some(new));
            }
        }
        if let Ok(evidence) = from_payload(&ask) {
            prop_assert!(evidence.full_command().contains(evidence.triggering_unit()));
            prop_assert!(!js_trim(evidence.triggering_unit()).is_empty());
            prop_assert!(!evidence.full_command().contains('\0'));
        }
    }

    #[test]
    fn reading_never_panics(text in "\\PC{0,40}", bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        for text in [text, String::from_utf8_lossy(&bytes).into_owned()] {
            if let Ok(value) = parse_details(&text) {
                let _ = (from_payload(&value), from_session(&value, std::slice::from_ref(&value)));
            }
            let _ = salvage(&text, &["details", "requestId"]);
            let log = session_entries(&text);
            let lines = text.trim_start_matches('\u{feff}').split('\n').filter(|line| !js_trim(line).is_empty());
            prop_assert_eq!(log.entries().len(), lines.count());
            prop_assert!(log.bash_calls().all(|call| call.is_err()), "{} holds no call", text);
        }
    }

    #[test]
    fn reading_damaged_requests_never_panics(cut: prop::sample::Index, junk in "[{}\\[\\]\",:\\\\u0-9d ]{0,6}") {
        let at = cut.index(ASK.len());
        let (head, tail) = ASK.split_at(at);
        let damaged = format!("{head}{junk}{tail}");
        if let Ok(value) = parse_details(&damaged) {
            let _ = from_payload(&value);
        }
        let _ = parse_json(head);
        let _ = session_entries(&damaged).bash_calls().count();
    }

    #[test]
    fn strict_reading_changes_no_value(value in json_value()) {
        let text = value.to_string();
        // Numbers are compared as they read back: a float may print shorter than it was made.
        let plain: Value = serde_json::from_str(&text).unwrap();
        let strict = parse_json(&text).unwrap();
        prop_assert_eq!(details_in(&strict), &parse_details(&text).unwrap());
        prop_assert_eq!(strict, plain);
    }

    #[test]
    fn salvage_agrees_with_the_parser_on_sound_text(value in json_value(), cut: prop::sample::Index) {
        let value = json!({"a": value.clone(), "requestId": "outer", "details": value});
        let text = value.to_string();
        let plain: Value = serde_json::from_str(&text).unwrap();
        for path in [&["details", "requestId"][..], &["a", "details", "requestId"], &["requestId"]] {
            let pointer = format!("/{}", path.join("/"));
            let expected = plain.pointer(&pointer).filter(|it| it.is_string() || it.is_number());
            let expected = expected.filter(|_| plain.pointer(&pointer.replace("/requestId", "")).is_some_and(Value::is_object));
            let found = salvage(&text, path);
            prop_assert_eq!(found.as_ref(), expected, "{}", text);
            // Of a text that is cut off it finds the same or nothing.
            let cut: String = text.chars().take(cut.index(text.chars().count())).collect();
            if let Some(found) = salvage(&cut, path) {
                prop_assert_eq!(Some(&found), expected, "{}", cut);
            }
        }
    }
}
