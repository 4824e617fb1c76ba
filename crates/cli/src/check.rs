//! `innercmd check` of one command.

use std::io::{Read, Write};
use std::sync::Arc;

use innercmd_authorizer::Gated;
use innercmd_bash_units::BashProgram;
use innercmd_policy::Policy;

use crate::args::{Format, Judging};
use crate::exit::{Exit, Failure};
use crate::human;
use crate::judging::Case;
use crate::policies::{Policies, User};
use crate::wire::{self, Checked};
use crate::world::{variable, working_directory};

/// A command that was read and judged.
pub(crate) struct Judged {
    pub(crate) program: BashProgram,
    pub(crate) gated: Gated,
    pub(crate) policy: Arc<Policy>,
    pub(crate) home: Option<String>,
}

/// Judges `command` and writes the answer.
///
/// # Errors
/// The command, a directory or a policy file cannot be read, or the policy is not valid.
pub(crate) fn run(command: &str, judging: &Judging, format: Format) -> Result<Exit, Failure> {
    let Judged { program, gated, .. } = judge(command, judging)?;
    let text = match format {
        Format::Json => wire::line(&Checked::new(None, &program, &gated))?,
        Format::Human => human::render(&program, &gated),
    };
    writeln!(anstream::stdout(), "{text}").map_err(Failure::io("standard output"))?;
    Ok(Exit::of(&gated.verdict))
}

/// Judges `command`, or what standard input holds for `-`.
///
/// # Errors
/// The command, a directory or a policy file cannot be read, or the policy is not valid.
pub(crate) fn judge(command: &str, judging: &Judging) -> Result<Judged, Failure> {
    let command = if command == "-" { command_from_input()? } else { command.to_owned() };
    let (cwd, home) = (working_directory(judging.cwd.as_deref())?, variable("HOME"));
    let user = User { agent: judging.agent.clone(), cwd: cwd.clone(), home: home.clone() };
    let policy = Policies::new(&judging.policy.files)?.of(&user)?;
    let case = Case {
        command: &command,
        policy: Arc::clone(&policy),
        cwd: &cwd,
        home: home.as_deref(),
        policy_only: judging.policy_only,
    };
    let (program, gated) = case.judge();
    Ok(Judged { program, gated, policy, home })
}

fn command_from_input() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes).map_err(Failure::io("standard input"))?;
    String::from_utf8(bytes).map_err(|_| Failure::Usage("the command is not UTF-8".to_owned()))
}
