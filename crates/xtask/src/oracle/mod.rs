//! `cargo xtask oracle`: what bash itself executes for a text, by two independent readings (`docs/oracle.md`).
//!
//! # Invariants
//! - No command of a text ever runs, and nothing of the machine is visible to it.
//! - Where the sandbox cannot be had, the task fails; it never goes on without.

mod agree;
mod build;
mod cell;
mod compare;
mod corpus;
mod edit;
mod effects;
mod error;
mod matching;
mod pool;
mod reading;
mod record;
mod walls;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub(crate) use error::Error;
pub(crate) use pool::{Oracle, Wanted};
pub(crate) use reading::Reading;

/// What bash executes for a text.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Option<Task>,
    /// Where programs are built and corpora are kept.
    #[arg(long, default_value = ".cache/oracle", global = true)]
    cache: PathBuf,
    /// Reads texts from a file of JSON lines with a `command` key.
    #[arg(long)]
    file: Option<PathBuf>,
    /// The texts, after `--`.
    texts: Vec<String>,
}

#[derive(clap::Subcommand)]
enum Task {
    /// Compares with the units of the workspace; fails where bash executed what is neither a unit nor under a gap.
    Compare {
        /// `adversarial`, `found`, `bash-tests`, `scripts`, `icalfa`, `generated:COUNT[:FIRST_SEED]`, or a file of JSON
        /// lines with a `command` key.
        #[arg(long, required = true)]
        corpus: Vec<String>,
        /// Writes each valid text that has a gap to a file of JSON lines: the text, and where its gaps are.
        #[arg(long)]
        gaps: Option<PathBuf>,
    },
    /// Tries the walls of the sandbox, and compares both readings with the answers recorded for the adversarial lines.
    Agree,
}

/// Runs the task.
pub(crate) fn run(args: &Args) -> ExitCode {
    match answer(args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("oracle: {error}");
            ExitCode::from(2)
        }
    }
}

fn answer(args: &Args) -> Result<bool, Error> {
    let oracle = Oracle::build(&args.cache)?;
    match &args.task {
        Some(Task::Compare { corpus, gaps }) => compare_all(&oracle, &args.cache, corpus, gaps.as_deref()),
        Some(Task::Agree) => Ok(walls::hold(&oracle, &args.cache)? & agree::agree(&oracle)?),
        None => {
            let texts = match &args.file {
                Some(file) => commands_of(file, &fs::read_to_string(file).map_err(Error::io(file))?)?,
                None => args.texts.clone(),
            };
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            for (text, reading) in texts.iter().zip(oracle.executes(&texts)?) {
                println!("{}", json(text, &reading));
            }
            Ok(true)
        }
    }
}

fn compare_all(oracle: &Oracle, cache: &Path, corpora: &[String], gaps: Option<&Path>) -> Result<bool, Error> {
    let mut clean = true;
    let mut listed = String::new();
    for name in corpora {
        let texts = corpus::texts(oracle, cache, name)?;
        let report = compare::compare(oracle, &texts)?;
        report.print(name);
        clean &= report.is_clean();
        listed.push_str(&report.listed);
    }
    if let Some(path) = gaps {
        fs::write(path, listed).map_err(Error::io(path))?;
    }
    Ok(clean)
}

/// The `command` of each line of JSON lines that came from `path`.
fn commands_of(path: &Path, lines: &str) -> Result<Vec<String>, Error> {
    let command = |(index, line): (usize, &str)| {
        let complaint =
            |reason: &str| Error::Input { path: path.to_owned(), reason: format!("line {}: {reason}", index + 1) };
        let value: serde_json::Value = serde_json::from_str(line).map_err(|error| complaint(&error.to_string()))?;
        let command = value.get("command").and_then(serde_json::Value::as_str);
        command.map(str::to_owned).ok_or_else(|| complaint("no `command`"))
    };
    lines.lines().enumerate().map(command).collect()
}

fn json(text: &str, reading: &Reading) -> serde_json::Value {
    let Reading { walk, runs } = reading;
    let commands: Vec<_> = walk
        .commands
        .iter()
        .map(|command| serde_json::json!({ "words": command.words, "assignments": command.assignments, "argv": command.argv }))
        .collect();
    let redirects: Vec<_> = walk
        .redirects
        .iter()
        .map(|redirect| serde_json::json!({ "operator": redirect.operator, "target": redirect.target, "body": redirect.body }))
        .collect();
    serde_json::json!({
        "command": text,
        "static": {
            "commands": commands,
            "assignments": walk.assignments,
            "redirects": redirects,
            "cuts": walk.cuts,
            "valid": walk.valid,
            "nested_errors": walk.nested_errors,
            "open_heredoc": walk.open_heredoc,
            "ended": walk.ended.reasons(),
        },
        "dynamic": { "execs": runs.execs, "ended": runs.ended.reasons() },
    })
}
