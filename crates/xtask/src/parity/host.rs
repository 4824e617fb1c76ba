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
pub(crate) const VERSION: &str = "20.7.3";

/// Where everything lies.
pub(crate) struct Host {
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

/// How long it takes.
#[derive(serde::Deserialize)]
struct Timed {
    micros: f64,
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
        self.ask(triples, r#""explain":true"#)?.iter().map(|line| answer(line)).collect()
    }

    /// The median time of a decision of `command` under `permission`, in microseconds.
    pub(crate) fn time(&self, permission: &str, command: &str, cwd: &str, samples: usize) -> Result<f64, Failure> {
        let triple = Triple { permission: permission.to_owned(), command: command.to_owned(), cwd: cwd.to_owned() };
        let lines = self.ask(&[triple], &format!(r#""samples":{samples}"#))?;
        let answers = lines.iter().map(|line| answer::<Timed>(line)).collect::<Result<Vec<_>, _>>()?;
        answers.first().map(|timed| timed.micros).ok_or_else(|| Failure::new("Node did not answer"))
    }

    /// Asks about `triples` in one process, and returns the lines of its answers.
    fn ask(&self, triples: &[Triple], wanted: &str) -> Result<Vec<String>, Failure> {
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
                    writeln!(questions, "{}", question(triple, wanted)?)?;
                }
                Ok(())
            });
            let answered = BufReader::new(answers).lines().collect::<Result<Vec<_>, _>>();
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

fn question(triple: &Triple, wanted: &str) -> Result<String, Failure> {
    let raw = |text: &str| RawValue::from_string(text.to_owned()).map_err(|error| Failure::new(error.to_string()));
    // Node ends lines at these, too.
    let command = json!(triple.command).to_string().replace('\u{2028}', r"\u2028").replace('\u{2029}', r"\u2029");
    let cwd = json!(triple.cwd);
    // The order of the rules is part of the policy, so that its text is passed on as it is.
    Ok(format!(
        r#"{{"command":{command},"permission":{},"cwd":{cwd},{wanted}}}"#,
        raw(&triple.permission)?.get().replace('\n', " ")
    ))
}

fn answer<T: serde::de::DeserializeOwned>(line: &str) -> Result<T, Failure> {
    serde_json::from_str(line).map_err(|_| Failure::new(format!("Node answered {line}")))
}

fn effect<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Effect, D::Error> {
    let word = String::deserialize(deserializer)?;
    let known = [Effect::Allow, Effect::Ask, Effect::Deny].into_iter().find(|effect| effect.name() == word);
    known.ok_or_else(|| D::Error::custom("no effect"))
}
