//! Compares both readings with the answers that other builds of such readings gave for the adversarial lines.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use super::corpus::ADVERSARIAL;
use super::{Error, Oracle, Reading, commands_of};

/// What runs of unmodified bash started for each of these lines.
const RUNS: &str = include_str!("../../corpora/adversarial-runs.jsonl");

/// The lines on which a reading is known to differ, each with its reason.
const EXCEPTIONS: &str = include_str!("../../corpora/adversarial-exceptions.jsonl");

/// Prints the agreement and every difference that is not known; whether there is none, and none that is known in vain.
///
/// # Errors
/// An oracle that cannot be asked.
pub(super) fn agree(oracle: &Oracle) -> Result<bool, Error> {
    let commands = commands_of("adversarial".as_ref(), ADVERSARIAL)?;
    let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
    let readings = oracle.executes(&commands)?;
    let mut known: HashMap<(String, String), String> = values(EXCEPTIONS)
        .map(|value| ((string(&value, "command"), string(&value, "reading")), string(&value, "reason")))
        .collect();
    let runs: HashMap<String, Value> = values(RUNS).map(|value| (string(&value, "command"), value)).collect();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let mut unknown = 0;
    for ((command, recorded), reading) in commands.iter().zip(values(ADVERSARIAL)).zip(&readings) {
        for name in differences(&recorded, runs.get(*command).unwrap_or(&Value::Null), reading) {
            match known.remove(&((*command).to_owned(), name.to_owned())) {
                Some(reason) => *reasons.entry(format!("{name}: {reason}")).or_default() += 1,
                None => {
                    unknown += 1;
                    println!(
                        "{}",
                        serde_json::json!({ "differs": name, "recorded": recorded, "runs": runs.get(*command), "now": super::json(command, reading) })
                    );
                }
            }
        }
    }
    for (reason, count) in &reasons {
        println!("{count:4} known differences, {reason}");
    }
    for (command, reading) in known.keys() {
        println!("{}", serde_json::json!({ "no longer differs": reading, "command": command }));
    }
    println!("{} lines, {unknown} unknown differences, {} known in vain", commands.len(), known.len());
    Ok(unknown == 0 && known.is_empty())
}

/// The readings that are not as recorded.
fn differences(recorded: &Value, runs: &Value, reading: &Reading) -> Vec<&'static str> {
    let executes = lists(recorded, "executes") == reading.walk.words();
    let (mut before, mut now) = (lists(runs, "execs"), reading.runs.execs.clone());
    before.sort();
    now.sort();
    let valid = recorded.get("valid").and_then(Value::as_bool) == Some(reading.walk.valid);
    [("static", executes), ("dynamic", before == now), ("valid", valid)]
        .into_iter()
        .filter(|(_, agrees)| !agrees)
        .map(|(name, _)| name)
        .collect()
}

fn values(lines: &str) -> impl Iterator<Item = Value> {
    lines.lines().filter_map(|line| serde_json::from_str(line).ok())
}

fn string(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn lists(value: &Value, key: &str) -> Vec<Vec<String>> {
    value.get(key).and_then(|lists| serde_json::from_value(lists.clone()).ok()).unwrap_or_default()
}
