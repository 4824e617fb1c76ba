//! Text in, text out: a request is a base and edits, a result is one line.

use innercmd_evidence::{CommandEvidence, Refusal};
use serde_json::Value;

/// An intact request with a payload.
pub(crate) const ASK: &str = r#"{
    "requestId": "perm-1", "source": "tool_call", "agentName": null, "toolCallId": "call_1", "toolName": "bash",
    "command": "timeout 5 ls", "origin": "global",
    "payload": {
        "kind": "bash",
        "request": {
            "requester": {"agentName": null, "forwarded": false, "sessionId": null},
            "surface": "bash", "toolName": "bash", "invokedToolName": null, "value": "timeout 5 ls",
            "matchedPattern": "*", "commandContext": null, "executedUnit": "ls"
        },
        "evidence": [{"label": "full command", "text": "cd a && timeout 5 ls", "detail": null}],
        "annotations": []
    }
}"#;

/// An intact request of a permission system without payloads.
pub(crate) const LEGACY_ASK: &str = r#"{
    "requestId": "perm-1", "source": "tool_call", "agentName": null, "toolCallId": "call_1", "toolName": "bash",
    "message": "Current agent requested bash command 'timeout 5 ls'.", "command": "timeout 5 ls"
}"#;

/// Applies edits to a JSON text, one a line: `/pointer = JSON` sets a field, `- /pointer` removes one.
#[track_caller]
pub(crate) fn edited(base: &str, edits: &str) -> Value {
    let mut value: Value = serde_json::from_str(base).expect("the base is JSON");
    for edit in edits.lines().map(str::trim).filter(|edit| !edit.is_empty()) {
        let (pointer, new) = match edit.strip_prefix("- ") {
            Some(pointer) => (pointer, None),
            None => {
                let (pointer, new) = edit.split_once(" = ").expect("an edit sets or removes");
                (pointer, Some(serde_json::from_str(new).expect("an edit sets JSON")))
            }
        };
        let (parent, key) = pointer.rsplit_once('/').expect("an edit names a place");
        match (value.pointer_mut(parent).expect("the place has a parent"), new) {
            (Value::Object(object), Some(new)) => drop(object.insert(key.to_owned(), new)),
            (Value::Object(object), None) => drop(object.remove(key).expect("the field is there")),
            (Value::Array(list), Some(new)) => match key {
                "-" => list.push(new),
                index => list[index.parse::<usize>().expect("an index")] = new,
            },
            (Value::Array(list), None) => drop(list.remove(key.parse().expect("an index"))),
            (other, _) => panic!("{other} has no fields"),
        }
    }
    value
}

/// Renders a result as `full | unit | agent | provenance`, or as the code of the refusal.
pub(crate) fn rendered(result: &Result<CommandEvidence, Refusal>) -> String {
    match result {
        Ok(evidence) => {
            let provenance: &str = evidence.provenance().into();
            let agent = evidence.agent().unwrap_or("-");
            format!("{} | {} | {agent} | {provenance}", evidence.full_command(), evidence.triggering_unit())
        }
        Err(refusal) => refusal.code.code().trim_start_matches("evidence:").to_owned(),
    }
}

/// Every place of a JSON value that is a field of an object or an item of a list, as a pointer.
pub(crate) fn places(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), value)];
    while let Some((at, value)) = open.pop() {
        let children: Vec<(String, &Value)> = match value {
            Value::Object(object) => {
                object.iter().map(|(key, child)| (format!("{at}/{}", escaped(key)), child)).collect()
            }
            Value::Array(list) => list.iter().enumerate().map(|(i, child)| (format!("{at}/{i}"), child)).collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
        };
        found.extend(children.iter().map(|(pointer, _)| pointer.clone()));
        open.extend(children);
    }
    found
}

/// A key as JSON Pointer (RFC 6901) writes it.
pub(crate) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// Whether two values are of one JSON type.
pub(crate) fn same_type(a: &Value, b: &Value) -> bool {
    std::mem::discriminant(a) == std::mem::discriminant(b)
}
