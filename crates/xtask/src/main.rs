//! The tasks around the workspace that no crate is for: `cargo xtask <task>`.
#![expect(clippy::disallowed_methods, reason = "tasks start programs and read files; the core crates do not")]

use std::process::ExitCode;

use clap::Parser;

mod ci;
mod dist;
mod e2e;
mod tidy;

/// Tasks around the workspace.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Runs everything that has to pass before a change lands: format, lints, tests, documentation.
    Ci,
    /// Packs the npm packages of the Pi extension.
    Dist(dist::Arguments),
    /// Runs the experiments on real Pi.
    E2e(e2e::Arguments),
    /// Checks which crate knows which.
    Tidy,
}

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Ci => ci::run(),
        Command::Dist(arguments) => dist::run(&arguments),
        Command::E2e(arguments) => e2e::run(&arguments),
        Command::Tidy => report(tidy::forbidden_edges()),
    }
}

fn report(found: Result<Vec<String>, String>) -> ExitCode {
    let problems = found.unwrap_or_else(|error| vec![error]);
    problems.iter().for_each(|problem| eprintln!("{problem}"));
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
