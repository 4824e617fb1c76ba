//! `innercmd check` and `innercmd explain` of one command.

use std::io::{Read, Write};

use crate::args::{Format, Judging};
use crate::exit::{Exit, Failure};
use crate::judging::Case;
use crate::policies::{Policies, User};
use crate::wire::{self, Checked};
use crate::world::{variable, working_directory};
use crate::{explain, human};

/// How much is shown to people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// The answer, and one line for each unit.
    Answer,
    /// Everything.
    Explanation,
}

/// Judges `command` and writes the answer.
///
/// # Errors
/// The command, a directory or a policy file cannot be read, or the policy is not valid.
pub(crate) fn run(command: &str, judging: &Judging, format: Format, detail: Detail) -> Result<Exit, Failure> {
    let command = if command == "-" { command_from_input()? } else { command.to_owned() };
    let (cwd, home) = (working_directory(judging.cwd.as_deref())?, variable("HOME"));
    let user = User { agent: judging.agent.clone(), cwd: cwd.clone(), home: home.clone() };
    let policy = Policies::new(&judging.policy.files)?.of(&user).map_err(Failure::Usage)?;
    let policy_only = judging.policy_only;
    let case = Case { command: &command, policy, cwd: &cwd, home: home.as_deref(), policy_only };
    let (program, gated) = case.judge();

    let text = match (format, detail) {
        (Format::Json, _) => wire::line(&Checked::new(None, &program, &gated))?,
        (Format::Human, Detail::Answer) => human::render(&program, &gated),
        (Format::Human, Detail::Explanation) => explain::render(&program, &gated),
    };
    writeln!(anstream::stdout(), "{text}").map_err(Failure::io("standard output"))?;
    Ok(Exit::of(&gated.verdict))
}

fn command_from_input() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes).map_err(Failure::io("standard input"))?;
    String::from_utf8(bytes).map_err(|_| Failure::Usage("the command is not UTF-8".to_owned()))
}
