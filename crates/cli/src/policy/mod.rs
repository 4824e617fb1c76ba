//! `innercmd policy`: the files that say what may run.

mod check;
mod examples;
mod init;
mod show;
mod test;

use crate::args::PolicyCommand;
use crate::exit::{Exit, Failure};

/// Runs a subcommand.
///
/// # Errors
/// A file cannot be read or written, or is not usable.
pub(crate) fn run(command: &PolicyCommand) -> Result<Exit, Failure> {
    match command {
        PolicyCommand::Check(arguments) => check::run(arguments),
        PolicyCommand::Show(arguments) => show::run(arguments),
        PolicyCommand::Test(arguments) => test::run(arguments),
        PolicyCommand::Init(arguments) => init::run(arguments),
    }
}
