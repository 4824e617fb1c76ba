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
mod hook;

use std::process::ExitCode;

use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::args::{Arguments, Command};
use crate::exit::{Exit, Failure};

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return misunderstood(&error),
    };
    // A bug that unwinds is an internal error, with the code for one; its message is written by then.
    match std::panic::catch_unwind(|| run(&arguments)) {
        Ok(Ok(exit)) => exit.into(),
        Ok(Err(failure)) => {
            // Who closes a pipe early has read enough.
            if !failure.is_broken_pipe() {
                anstream::eprintln!("innercmd: error: {failure}");
            }
            (&failure).into()
        }
        Err(_) => ExitCode::from(exit::INTERNAL),
    }
}

/// Says what is wrong with the arguments, or what was asked of them, such as their help.
fn misunderstood(error: &clap::Error) -> ExitCode {
    // Where the message cannot be written there is nobody to tell.
    let _written = error.print();
    let is_word = |value: &ContextValue| matches!(value, ContextValue::String(word) if !word.starts_with('-'));
    if error.kind() == ErrorKind::UnknownArgument && error.get(ContextKind::InvalidArg).is_some_and(is_word) {
        anstream::eprintln!("\n  tip: a command is one argument, with quotes around it: innercmd check 'git status'");
    }
    u8::try_from(error.exit_code()).map_or(ExitCode::from(exit::INTERNAL), ExitCode::from)
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
        Command::Hook(command) => hook::run(command),
        Command::Completions { shell } => setup::completions(*shell),
        Command::Man(arguments) => setup::manual(arguments),
    }
}
