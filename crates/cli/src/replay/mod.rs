//! `innercmd replay`: what a policy would have done with the commands of past sessions.

mod counts;
mod html;
mod inputs;
mod judge;
mod page;
mod report;
mod session;
mod spare;
mod tally;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use tempfile::NamedTempFile;

use crate::args::{Format, Replay};
use crate::exit::{Exit, Failure};
use crate::policies::{Policies, User, choose};
use crate::terminal;
use crate::wire;
use crate::world::{variable, working_directory};
use inputs::Input;
use judge::Court;
use report::{About, Report};

/// Judges the commands and writes the report.
///
/// # Errors
/// A file cannot be read, a policy is not valid, or the sessions hold no command.
pub(crate) fn run(arguments: &Replay) -> Result<Exit, Failure> {
    let (cwd, home) = (working_directory(arguments.cwd.as_deref())?, variable("HOME"));
    let user = User { agent: arguments.agent.clone(), cwd: cwd.clone(), home: home.clone() };
    let inputs = Input::all(&arguments.sessions)?;
    let policy = Policies::new(&arguments.policy.files)?.of(&user)?;
    let against = arguments.against.as_ref().map(|file| other_policy(file, &user)).transpose()?;
    let court = Court { policy, against, cwd, home, policy_only: arguments.policy_only };
    let tally = judge::judge(&inputs, &court, &judge::bar(&inputs))?;
    if tally.commands.total() == 0 {
        return Err(Failure::Usage(nothing(&inputs)));
    }
    let chosen = choose(&arguments.policy.files, &user)?;
    let files = chosen.files.iter().map(|file| file.name()).collect();
    let against = arguments.against.as_ref().map(|file| file.display().to_string());
    let report = Report::new(tally, &court, About { files, against, inputs: &inputs, top: arguments.top });
    if let Some(file) = &arguments.html {
        write(file, &html::render(&report, court.home.as_deref())?)?;
    }
    let text = match arguments.format {
        Format::Json => wire::line(&report)?,
        Format::Human => page::render(&report, court.home.as_deref(), terminal::width()),
    };
    writeln!(anstream::stdout(), "{text}").map_err(Failure::io("standard output"))?;
    Ok(Exit::Allow)
}

fn other_policy(file: &Path, user: &User) -> Result<Arc<innercmd_policy::Policy>, Failure> {
    Ok(Policies::new(&[file.to_owned()])?.of(user)?)
}

fn nothing(inputs: &[Input]) -> String {
    let names: Vec<String> = inputs.iter().take(3).map(Input::name).collect();
    format!(
        "no command in {}: what is read are session files of Pi, transcripts of Claude Code, and lines such as \
         {{\"command\":\"git status\"}}",
        names.join(", ")
    )
}

/// Writes the page, as a whole or not at all.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let failed = |error| Failure::io(path.display().to_string())(error);
    let mut file = NamedTempFile::new_in(directory).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}
