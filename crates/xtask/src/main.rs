//! The tasks around the workspace that no crate is for: `cargo xtask <task>`.
#![expect(clippy::disallowed_methods, reason = "tasks start programs and read files; the core crates do not")]

use std::process::ExitCode;

use clap::Parser;

mod bench;
mod ci;
mod dist;
mod e2e;
mod oracle;
mod parity;
mod reasons;
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
    /// Times decisions beside a bare parse of the same text; run it with `cargo xtask bench`, which builds for speed.
    Bench(bench::Arguments),
    /// Packs the npm packages of the Pi extension.
    Dist(dist::Arguments),
    /// Runs the experiments on real Pi.
    E2e(e2e::Arguments),
    /// Compares decisions with those of pi-permission-system's own code, fetched from npm.
    Parity(parity::Arguments),
    /// Writes `docs/reasons.md` from the reason codes of the crates.
    Reasons,
    /// Checks which crate knows which.
    Tidy,
    /// Tells what bash executes for a text, and compares it with the units that the workspace finds.
    Oracle(oracle::Args),
}

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Ci => ci::run(),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Dist(arguments) => dist::run(&arguments),
        Command::E2e(arguments) => e2e::run(&arguments),
        Command::Parity(arguments) => parity::run(&arguments),
        Command::Reasons => reasons::write(),
        Command::Tidy => report(tidy::forbidden_edges()),
        Command::Oracle(args) => oracle::run(&args),
    }
}

fn report(found: Result<Vec<String>, String>) -> ExitCode {
    let problems = found.unwrap_or_else(|error| vec![error]);
    problems.iter().for_each(|problem| eprintln!("{problem}"));
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
