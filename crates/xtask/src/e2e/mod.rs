//! `cargo xtask e2e`: the experiments on real Pi.
#![expect(clippy::disallowed_methods, reason = "the harness reads and writes files and starts processes")]

use std::fmt;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

mod experiments;
mod home;
mod lab;
mod model;
mod registry;
mod session;
mod toolchain;

use crate::dist;
use experiments::Experiment;
use lab::Lab;
use model::Model;
pub(crate) use toolchain::Toolchain;
use toolchain::{PI_NEWEST, PI_OLDEST};

/// The options of `cargo xtask e2e`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Where Node and Pi are kept, relative to the workspace.
    #[arg(long, default_value = ".cache/e2e")]
    cache: PathBuf,
    /// A version of Pi to run on, instead of the newest and the oldest that are supported.
    #[arg(long)]
    pi: Vec<String>,
    /// Runs the experiments whose name contains this text.
    #[arg(long)]
    only: Option<String>,
    /// The sidecar to use, instead of one that is built for release.
    #[arg(long)]
    sidecar: Option<PathBuf>,
}

/// Why an experiment, or the harness itself, failed.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self(error.to_string())
    }
}

/// Runs the experiments and prints their table.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match experiments(arguments) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(failure) => {
            eprintln!("e2e: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Runs what `arguments` ask for, and returns how many experiments failed.
fn experiments(arguments: &Arguments) -> Result<usize, Failure> {
    let root = dist::workspace();
    let cache = root.join(&arguments.cache);
    std::fs::create_dir_all(&cache)?;
    let tools = Toolchain::fetch(&cache)?;
    let sidecar = match &arguments.sidecar {
        Some(path) => path.canonicalize()?,
        None => dist::build(&root).map_err(|failure| Failure::new(failure.to_string()))?,
    };
    let newest_and_oldest = || vec![PI_NEWEST.to_owned(), PI_OLDEST.to_owned()];
    let versions = if arguments.pi.is_empty() { newest_and_oldest() } else { arguments.pi.clone() };
    let model = Model::start()?;
    let (mut passed, mut failed) = (0, 0);
    for version in &versions {
        let pi = tools.pi(version)?;
        let lab = Lab { tools: &tools, pi: &pi, model: &model, sidecar: &sidecar, root: &root };
        println!("\nPi {}, Node {}", pi.version, toolchain::NODE);
        for experiment in experiments::all() {
            if arguments.only.as_ref().is_some_and(|only| !experiment.name.contains(only)) {
                continue;
            }
            if show(&experiment, &lab) { passed += 1 } else { failed += 1 }
        }
    }
    println!("\n{passed} passed, {failed} failed");
    Ok(failed)
}

/// Runs one experiment, prints its line of the table, and returns whether it passed.
fn show(experiment: &Experiment, lab: &Lab<'_>) -> bool {
    let begin = Instant::now();
    let outcome = (experiment.run)(lab);
    let (mark, note) = match &outcome {
        Ok(note) => ("ok", note.clone()),
        Err(failure) => ("FAILED", failure.to_string()),
    };
    let time = begin.elapsed().as_secs_f32();
    println!("{mark:<6} {:<84} {time:>5.1} s  {}", experiment.name, note.replace('\n', "\n         "));
    outcome.is_ok()
}
