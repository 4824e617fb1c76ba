//! How long a question takes, measured inside Pi.

use serde_json::Value;

use super::{Group, at, expect, policy};
use crate::e2e::{
    Failure,
    lab::{Beside, Lab},
};

pub(super) const ALL: Group =
    &[("speed: question to verdict over 1,000 asks, and process start to first answer", speed)];

fn speed(lab: &Lab<'_>) -> Result<String, Failure> {
    let place = lab.place(Some(&policy()))?;
    let mut pi = lab.start(&place, Beside::Double)?;
    let mut measure = |rounds: u32| -> Result<Value, Failure> {
        let said = pi.command(&format!("/double-measure {rounds}"))?.concat();
        let json = said.strip_prefix("measured: ").and_then(|json| serde_json::from_str(json).ok());
        json.ok_or_else(|| Failure::new(format!("no measurement: {said}")))
    };
    let first = measure(1)?;
    let rest = measure(1000)?;
    expect(*at(&rest, "/kinds") == serde_json::json!(["allow"]), "allows", &rest)?;
    Ok(format!(
        "median {} µs, p99 {} µs, max {} µs; from no process to the first verdict {} µs",
        at(&rest, "/median"),
        at(&rest, "/p99"),
        at(&rest, "/max"),
        at(&first, "/first")
    ))
}
