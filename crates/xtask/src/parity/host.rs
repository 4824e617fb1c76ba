//! The decision code of pi-permission-system, in a Node process.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use innercmd_policy::Effect;
use serde::{Deserialize, Deserializer, de::Error as _};
use serde_json::{json, value::RawValue};

use super::triples::{HOME, Triple};
use crate::e2e::Failure;

/// The version that is compared with.
pub(super) const VERSION: &str = "20.7.3";

/// Where everything lies.
pub(super) struct Host {
    pub(super) node: PathBuf,
    /// The package as npm unpacked it.
    pub(super) package: PathBuf,
    /// The script that asks it.
    pub(super) script: PathBuf,
}

/// What it says about one command.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Theirs {
    #[serde(deserialize_with = "effect")]
    pub(super) decision: Effect,
    /// Everything it matched against rules.
    pub(super) parts: Vec<Part>,
}

/// A text that it matched against rules.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Part {
    pub(super) surface: String,
    pub(super) text: String,
    #[serde(deserialize_with = "effect")]
    pub(super) state: Effect,
    /// The rule that decided; none where that is the default.
    pub(super) pattern: Option<String>,
    /// Whether it took the text for a command that runs another one.
    pub(super) wrapper: bool,
}

impl Host {
    /// Decides `triples` one after the other, in one process.
    pub(super) fn decide(&self, triples: &[Triple]) -> Result<Vec<Theirs>, Failure> {
        let mut process = Command::new(&self.node)
            .arg("--disable-warning=ExperimentalWarning")
            .arg(&self.script)
            .arg(&self.package)
            .env("HOME", HOME)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (Some(mut questions), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(Failure::new("Node has no pipes"));
        };
        std::thread::scope(|scope| {
            let asking = scope.spawn(move || -> Result<(), Failure> {
                for triple in triples {
                    writeln!(questions, "{}", question(triple)?)?;
                }
                Ok(())
            });
            let answered = BufReader::new(answers).lines().map(|line| answer(&line?)).collect::<Result<Vec<_>, _>>();
            let asked = asking.join().map_err(|_| Failure::new("the questions to Node were not written"))?;
            // What went wrong in an answer is why no more questions could be written.
            let answered = answered?;
            asked?;
            process.wait()?;
            if answered.len() == triples.len() {
                Ok(answered)
            } else {
                Err(Failure::new(format!("Node answered {} of {} questions", answered.len(), triples.len())))
            }
        })
    }
}

fn question(triple: &Triple) -> Result<String, Failure> {
    let raw = |text: &str| RawValue::from_string(text.to_owned()).map_err(|error| Failure::new(error.to_string()));
    // Node ends lines at these, too.
    let command = json!(triple.command).to_string().replace('\u{2028}', r"\u2028").replace('\u{2029}', r"\u2029");
    let cwd = json!(triple.cwd);
    // The order of the rules is part of the policy, so that its text is passed on as it is.
    Ok(format!(
        r#"{{"command":{command},"permission":{},"cwd":{cwd},"explain":true}}"#,
        raw(&triple.permission)?.get().replace('\n', " ")
    ))
}

fn answer(line: &str) -> Result<Theirs, Failure> {
    serde_json::from_str(line).map_err(|_| Failure::new(format!("Node answered {line}")))
}

fn effect<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Effect, D::Error> {
    let word = String::deserialize(deserializer)?;
    let known = [Effect::Allow, Effect::Ask, Effect::Deny].into_iter().find(|effect| effect.name() == word);
    known.ok_or_else(|| D::Error::custom("no effect"))
}
