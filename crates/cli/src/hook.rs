//! `innercmd hook`: answers the hooks of coding agents, and installs itself there.

mod settings;

use std::io::{Read, Write};
use std::time::Duration;

use innercmd_authorizer::Link;
use innercmd_hooks::{Allowing, Asking, Bench, HookCode, Host, Manner, Ruling, ShellCall, Unsupported, guarded};

use crate::args::{Answering, Ask, HookCommand};
use crate::exit::{Exit, Failure};
use crate::policies::{Policies, User};
use crate::world::{variable, working_directory};

/// The longest question that is read, in bytes; more than the longest command needs.
const LONGEST: u64 = 8 << 20;

/// Answers the harness.
///
/// # Errors
/// The arguments contradict each other, or the answer cannot be written. The exit code for both blocks the command in every harness.
pub(crate) fn run(command: &HookCommand) -> Result<Exit, Failure> {
    match command {
        HookCommand::ClaudeCode(answering) => answer(Host::ClaudeCode, answering),
        HookCommand::Codex(answering) => answer(Host::Codex, answering),
        HookCommand::Gemini(answering) => answer(Host::Gemini, answering),
        HookCommand::Opencode(answering) => answer(Host::Opencode, answering),
        HookCommand::Cursor(answering) => answer(Host::Cursor, answering),
        HookCommand::Install(arguments) => settings::install(arguments),
        HookCommand::Uninstall(arguments) => settings::uninstall(arguments),
        HookCommand::Status { project } => settings::status(project.as_deref()),
    }
}

fn answer(host: Host, answering: &Answering) -> Result<Exit, Failure> {
    let manner = manner(host, answering).map_err(|error| Failure::Usage(error.to_string()))?;
    let closed = {
        let manner = manner.clone();
        move |code| manner.closed(code)
    };
    let answering = answering.clone();
    let reply = guarded(Duration::from_millis(answering.deadline), closed, move || {
        let mut input = Vec::new();
        match std::io::stdin().lock().take(LONGEST + 1).read_to_end(&mut input) {
            Ok(read) if read as u64 <= LONGEST => manner.answer(&input, |call| judge(host, &answering, call)),
            Ok(_) | Err(_) => manner.closed(HookCode::UnreadableInput),
        }
    });
    let mut output = std::io::stdout().lock();
    // INVARIANT: an answer that the harness does not get ends in the exit code that blocks, not in the one for internal errors.
    let unwritten = |error| Failure::Usage(format!("the answer cannot be written: {error}"));
    output.write_all(reply.as_bytes()).and_then(|()| output.flush()).map_err(unwritten)?;
    Ok(Exit::Allow)
}

fn manner(host: Host, answering: &Answering) -> Result<Manner, Unsupported> {
    let allowing = if answering.allow { Allowing::Answered } else { Allowing::Silent };
    let manner = Manner::new(host).allowing(allowing)?;
    let manner = match answering.ask {
        Some(Ask::Prompt) => manner.asking(Asking::Prompt)?,
        Some(Ask::Block) => manner.asking(Asking::Block)?,
        Some(Ask::Leave) => manner.asking(Asking::Leave)?,
        None => manner,
    };
    let users = || host.shell_variables().iter().find_map(|name| variable(name));
    Ok(manner.with_shell(answering.shell.clone().or_else(users)))
}

fn judge(host: Host, answering: &Answering, call: &ShellCall) -> Result<Ruling, String> {
    let told = host.project_variable().and_then(variable).or_else(|| call.project.clone());
    let project = match told {
        Some(project) => project,
        None => working_directory(None).map_err(|error| error.to_string())?,
    };
    let home = variable("HOME");
    let user = User { agent: answering.agent.clone(), cwd: project.clone(), home: home.clone() };
    let policies = Policies::new(&answering.policy.files).map_err(|error| error.to_string())?;
    let policy = policies.of(&user).map_err(|error| error.to_string())?;
    let link = if answering.policy_only { Link::Off } else { Link::On };
    Ok(Bench { policy: &policy, home: home.as_deref(), project: Some(&project), link }.judge(call))
}
