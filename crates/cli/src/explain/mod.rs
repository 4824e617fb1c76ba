//! `innercmd explain`: the command with everything in it underlined and numbered, and what is to be said about each number.

mod entries;
mod json;
mod page;
mod rows;
mod said;

pub(crate) use page::one_line;
pub(crate) use said::Words;

use std::io::Write;

use crate::args::Explain;
use crate::check;
use crate::exit::{Exit, Failure};
use crate::{args::Format, terminal, wire};

/// Explains the verdict on one command.
///
/// # Errors
/// The command, a directory or a policy file cannot be read, or the policy is not valid.
pub(crate) fn run(arguments: &Explain) -> Result<Exit, Failure> {
    let judged = check::judge(&arguments.command, &arguments.judging)?;
    let entries = entries::entries(&judged);
    let text = match arguments.format {
        Format::Json => wire::line(&json::Explained::new(&judged, &entries))?,
        Format::Human => page::render(&judged, &entries, terminal::width()),
    };
    writeln!(anstream::stdout(), "{text}").map_err(Failure::io("standard output"))?;
    Ok(Exit::of(&judged.gated.verdict))
}
