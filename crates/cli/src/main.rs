//! The `innercmd` command: whether a Bash command may run, and why.

mod args;
mod exit;
mod wire;
mod world;
mod terminal;
mod user_files;
mod policies;
mod judging;
mod human;
mod check;
mod explain;
mod policy;
mod lines;
mod replay;
mod batch;
mod authorize;
mod setup;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Arguments, Command};
use crate::exit::{Exit, Failure};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // A bug that unwinds is an internal error, with the code for one; its message is written by then.
    match std::panic::catch_unwind(|| run(&arguments)) {
        Ok(Ok(exit)) => exit.into(),
        Ok(Err(failure)) => {
            anstream::eprintln!("innercmd: error: {failure}");
            (&failure).into()
        }
        Err(_) => ExitCode::from(exit::INTERNAL),
    }
}

fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    match &arguments.command {
        Command::Check(check) => match &check.command {
            Some(command) => check::run(command, &check.judging, check.format),
            None => batch::run(&check.judging),
        },
        Command::Authorize(authorize) => authorize::run(authorize),
        Command::Explain(explain) => explain::run(explain),
        Command::Replay(arguments) => replay::run(arguments),
        Command::Policy(command) => policy::run(command),
        Command::Completions { shell } => setup::completions(*shell),
        Command::Man(arguments) => setup::manual(arguments),
    }
}
