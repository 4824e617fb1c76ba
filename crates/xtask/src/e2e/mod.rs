//! `cargo xtask e2e`: the experiments on real Pi.
#![expect(clippy::disallowed_methods, reason = "the harness reads and writes files and starts processes")]

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

mod home;
mod model;
mod session;
mod toolchain;

use home::Home;
use model::Model;
use session::{Launch, Session};
use toolchain::Toolchain;

/// The options of `cargo xtask e2e`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Where Node and Pi are kept.
    #[arg(long, default_value = ".cache/e2e")]
    cache: PathBuf,
    /// A version of Pi to run on, instead of the newest and the oldest that are supported.
    #[arg(long)]
    pi: Vec<String>,
}

/// Why an experiment, or the harness itself, failed.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    fn new(what: impl Into<String>) -> Self {
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
    match smoke(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("e2e: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn smoke(arguments: &Arguments) -> Result<(), Failure> {
    std::fs::create_dir_all(&arguments.cache)?;
    let tools = Toolchain::fetch(&arguments.cache.canonicalize()?)?;
    for version in [toolchain::PI_NEWEST, toolchain::PI_OLDEST] {
        let pi = tools.pi(version)?;
        let model = Model::start()?;
        let home = Home::new(&model)?;
        let blocker = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/e2e/pi/blocker.ts");
        let launch =
            Launch { node: tools.node(), pi: &pi, home: &home, extensions: vec![blocker], environment: Vec::new() };
        let mut session = Session::start(&launch)?;
        let seen = session.bash("echo hi")?;
        println!("{version}: {seen:?}");
        println!("{:?}", session.quit()?);
    }
    Ok(())
}
