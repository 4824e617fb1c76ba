//! `innercmd check --batch`.

use std::borrow::Cow;
use std::io::{BufReader, BufWriter};

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::args::Judging;
use crate::exit::{Exit, Failure};
use crate::judging::Case;
use crate::lines::{Line, stream};
use crate::policies::{Policies, User};
use crate::wire::{self, BatchLine, Checked, Unanswered};
use crate::world::{variable, working_directory};

/// Answers every line of standard input.
///
/// # Errors
/// A policy file that was given cannot be read or is not valid, or reading or writing fails. What is wrong with a line is said in its
/// answer.
pub(crate) fn run(judging: &Judging) -> Result<Exit, Failure> {
    let batch = Batch {
        policies: Policies::new(&judging.policy.files)?,
        cwd: working_directory(judging.cwd.as_deref())?,
        home: variable("HOME"),
        agent: judging.agent.clone(),
        policy_only: judging.policy_only,
    };
    let (input, output) = (BufReader::new(std::io::stdin()), BufWriter::new(std::io::stdout()));
    stream(input, output, |line| Some(batch.answer(line))).map_err(Failure::io("the batch"))?;
    Ok(Exit::Allow)
}

/// What counts where a line does not say otherwise.
struct Batch {
    policies: Policies,
    cwd: String,
    home: Option<String>,
    agent: Option<String>,
    policy_only: bool,
}

impl Batch {
    fn answer(&self, line: Line) -> String {
        let line = match line {
            Ok(line) => line,
            Err(error) => return unanswered(None, &error.to_string()),
        };
        let parsed: BatchLine<'_> = match serde_json::from_slice(&line) {
            Ok(parsed) => parsed,
            Err(error) => return unanswered(None, &error.to_string()),
        };
        self.checked(&parsed).unwrap_or_else(|error| unanswered(parsed.id, &error))
    }

    fn checked(&self, line: &BatchLine<'_>) -> Result<String, String> {
        let command = text("command", line.command)?.ok_or("missing field `command`")?;
        let cwd = text("cwd", line.cwd)?.unwrap_or(Cow::Borrowed(&self.cwd));
        let home = text("home", line.home)?.or_else(|| self.home.as_deref().map(Cow::Borrowed));
        let agent = text("agent", line.agent)?.or_else(|| self.agent.as_deref().map(Cow::Borrowed));
        let policy = match line.policy {
            Some(permission) => self.policies.of_permission(permission.get()).map_err(|error| error.to_string())?,
            None => {
                let owned = |text: &Cow<'_, str>| text.clone().into_owned();
                let (agent, home) = (agent.as_ref().map(owned), home.as_ref().map(owned));
                self.policies.of(&User { agent, cwd: owned(&cwd), home }).map_err(|error| error.to_string())?
            }
        };
        let case = Case { command: &command, policy, cwd: &cwd, home: home.as_deref(), policy_only: self.policy_only };
        let (program, gated) = case.judge();
        wire::line(&Checked::new(line.id, &program, &gated)).map_err(|error| error.to_string())
    }
}

/// The text of a field; a text is read only here, so that a bad one costs its own line and not the id's.
fn text<'l>(name: &str, field: Option<&'l RawValue>) -> Result<Option<Cow<'l, str>>, String> {
    #[derive(Deserialize)]
    struct Text<'l>(#[serde(borrow)] Cow<'l, str>);
    let Some(field) = field else { return Ok(None) };
    let text: Text<'_> = serde_json::from_str(field.get()).map_err(|error| format!("field `{name}`: {error}"))?;
    Ok(Some(text.0))
}

fn unanswered(id: Option<&RawValue>, error: &str) -> String {
    wire::line(&Unanswered { id, error }).unwrap_or_else(|_| r#"{"error":"unknown"}"#.to_owned())
}
