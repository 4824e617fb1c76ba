//! `cargo xtask oracle`: what bash itself executes for a text, by two independent readings (`docs/oracle.md`).
//!
//! # Invariants
//! - No command of a text ever runs, and nothing of the machine is visible to it.
//! - Where the sandbox cannot be had, the task fails; it never goes on without.

#![expect(clippy::disallowed_methods, reason = "the oracle builds programs, starts them and reads files")]

mod build;
mod cell;
mod edit;
mod error;
mod pool;
mod reading;
mod record;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub(crate) use error::Error;
pub(crate) use pool::{Oracle, Wanted};
pub(crate) use reading::{Reading, Walk};

/// What bash executes for a text.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Where programs are built and corpora are kept.
    #[arg(long, default_value = ".cache/oracle", global = true)]
    cache: PathBuf,
    /// Reads texts from a file of JSON lines with a `command` key.
    #[arg(long)]
    file: Option<PathBuf>,
    /// The texts.
    texts: Vec<String>,
}

/// Runs the task.
pub(crate) fn run(args: &Args) -> ExitCode {
    match answer(args) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("oracle: {error}");
            ExitCode::from(2)
        }
    }
}

fn answer(args: &Args) -> Result<ExitCode, Error> {
    let oracle = Oracle::build(&args.cache)?;
    let texts = match &args.file {
        Some(file) => commands_of(file)?,
        None => args.texts.clone(),
    };
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    for (text, reading) in texts.iter().zip(oracle.executes(&texts)?) {
        println!("{}", json(text, &reading));
    }
    Ok(ExitCode::SUCCESS)
}

/// The `command` of each line of a file of JSON lines.
fn commands_of(file: &Path) -> Result<Vec<String>, Error> {
    let text = fs::read_to_string(file).map_err(Error::io(file))?;
    text.lines()
        .enumerate()
        .map(|(index, line)| {
            let value: serde_json::Value = serde_json::from_str(line)
                .map_err(|error| Error::Input { path: file.to_owned(), reason: format!("line {}: {error}", index + 1) })?;
            value.get("command").and_then(|command| command.as_str()).map(str::to_owned).ok_or_else(|| Error::Input {
                path: file.to_owned(),
                reason: format!("line {} has no `command`", index + 1),
            })
        })
        .collect()
}

fn json(text: &str, reading: &Reading) -> serde_json::Value {
    let Reading { walk, runs } = reading;
    let commands: Vec<_> = walk
        .commands
        .iter()
        .map(|command| serde_json::json!({ "words": command.words, "assignments": command.assignments, "argv": command.argv }))
        .collect();
    serde_json::json!({
        "command": text,
        "static": {
            "commands": commands,
            "cuts": walk.cuts,
            "valid": walk.valid,
            "nested_errors": walk.nested_errors,
            "open_heredoc": walk.open_heredoc,
            "ended": walk.ended.reasons(),
        },
        "dynamic": { "execs": runs.execs, "ended": runs.ended.reasons() },
    })
}
