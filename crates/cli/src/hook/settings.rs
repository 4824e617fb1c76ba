//! `innercmd hook install`, `uninstall` and `status`.

use std::io::Write;
use std::path::{Path, PathBuf};

use innercmd_hooks::{Change, Host, Places, Scope, SettingsError, Status};

use super::manner;
use crate::args::{Answering, Ask, DEADLINE, Harness, Install, Settings};
use crate::exit::{Exit, Failure};
use crate::world::{variable, working_directory};

/// Puts the hook into the settings.
///
/// # Errors
/// The arguments contradict each other, or the settings cannot be read or written.
pub(super) fn install(install: &Install) -> Result<Exit, Failure> {
    let (settings, host) = (&install.settings, Host::from(install.settings.host));
    manner(host, &install.answering).map_err(|error| Failure::Usage(error.to_string()))?;
    let command = innercmd_hooks::HookCommand::new(&program(install)?, host, &passed_on(&install.answering)?);
    let change = innercmd_hooks::install(host, &file(settings)?, &command).map_err(usage)?;
    if make(settings, &change, "is installed")? && !settings.dry_run {
        say(note(host))?;
        let shell = install.answering.shell.clone();
        let shell = shell.or_else(|| host.shell_variables().iter().find_map(|name| variable(name)));
        if host != Host::Gemini && shell.as_deref().and_then(|shell| shell.rsplit('/').next()) != Some("bash") {
            say(SHELL_NOTE)?;
        }
    }
    Ok(Exit::Allow)
}

/// Takes the hook out of the settings.
///
/// # Errors
/// The settings cannot be read or written.
pub(super) fn uninstall(settings: &Settings) -> Result<Exit, Failure> {
    let change = innercmd_hooks::uninstall(settings.host.into(), &file(settings)?).map_err(usage)?;
    make(settings, &change, "is not installed")?;
    Ok(Exit::Allow)
}

/// Says where the hook is installed.
///
/// # Errors
/// Writing failed. Settings that cannot be read are said to be so.
pub(super) fn status(project: Option<&Path>) -> Result<Exit, Failure> {
    let project = working_directory(project)?;
    for harness in [Harness::ClaudeCode, Harness::Codex, Harness::Gemini, Harness::Opencode, Harness::Cursor] {
        for scope in [Scope::User, Scope::Project] {
            let (host, file) = (Host::from(harness), place(harness.into(), scope, &project)?);
            let found = match innercmd_hooks::status(host, &file) {
                Ok(Status::Absent) => "not installed".to_owned(),
                Ok(Status::Installed(command)) => {
                    let there =
                        if command.program().is_file() { "" } else { ", WHICH IS NOT THERE: every command is blocked" };
                    format!("installed: starts {}{there}", command.program().display())
                }
                Err(error) => format!("unknown: {error}"),
            };
            say(&format!("{host:12} {}: {found}", file.display()))?;
        }
    }
    Ok(Exit::Allow)
}

/// What is left to the user where their shell is not bash.
const SHELL_NOTE: &str = "The shell of the user is not bash, so nothing is allowed; where the harness runs bash all the same, add `--shell bash`.";

/// What the user has to do or to know.
fn note(host: Host) -> &'static str {
    match host {
        Host::ClaudeCode => "A hook that fails blocks from Claude Code 2.1.295 on.",
        Host::Codex => "Codex starts it only once you have trusted it: open Codex, type /hooks, and review it.",
        Host::Gemini => "Gemini CLI starts it in the next session.",
        Host::Opencode => "opencode starts it in the next session.",
        Host::Cursor => "Cursor may have to be restarted.",
    }
}

/// Shows or makes the change; whether there is one.
fn make(settings: &Settings, change: &Change, done: &str) -> Result<bool, Failure> {
    if change.is_empty() {
        say(&format!("{} stays as it is: the hook {done}", change.file().display()))?;
        return Ok(false);
    }
    if settings.dry_run {
        say(change.diff().trim_end())?;
    } else {
        change.apply().map_err(usage)?;
        say(&format!("{} is changed: the hook {done}", change.file().display()))?;
    }
    Ok(true)
}

/// The program that the harness starts: an absolute path, since nobody knows where the harness would look.
fn program(install: &Install) -> Result<String, Failure> {
    let program = match &install.program {
        Some(program) => PathBuf::from(working_directory(Some(program))?),
        None => std::env::current_exe().map_err(Failure::io("the path of this program"))?,
    };
    utf8(program)
}

/// The arguments that the hook gets each time.
fn passed_on(answering: &Answering) -> Result<Vec<String>, Failure> {
    let mut arguments = Vec::new();
    for file in &answering.policy.files {
        arguments.extend(["--policy".to_owned(), working_directory(Some(file))?]);
    }
    let mut option = |name: &str, value: Option<String>| {
        arguments.extend(value.map(|value| format!("--{name}={value}")));
    };
    option("agent", answering.agent.clone());
    option("shell", answering.shell.clone());
    option("deadline", (answering.deadline != DEADLINE).then(|| answering.deadline.to_string()));
    let ask = answering.ask.map(|ask| match ask {
        Ask::Prompt => "prompt",
        Ask::Block => "block",
        Ask::Leave => "leave",
    });
    option("ask", ask.map(str::to_owned));
    arguments.extend(answering.policy_only.then(|| "--policy-only".to_owned()));
    arguments.extend(answering.allow.then(|| "--allow".to_owned()));
    Ok(arguments)
}

fn file(settings: &Settings) -> Result<PathBuf, Failure> {
    let scope = if settings.project { Scope::Project } else { Scope::User };
    place(settings.host.into(), scope, &working_directory(None)?)
}

fn place(host: Host, scope: Scope, project: &str) -> Result<PathBuf, Failure> {
    let home = variable("HOME").ok_or_else(|| Failure::Usage("HOME is not set".to_owned()))?;
    let places = Places { home: Path::new(&home), project: Path::new(project), variable: &|name| variable(name) };
    Ok(places.file(host, scope))
}

fn utf8(path: PathBuf) -> Result<String, Failure> {
    let not_utf8 = |path: std::ffi::OsString| Failure::Usage(format!("the path `{}` is not UTF-8", path.display()));
    path.into_os_string().into_string().map_err(not_utf8)
}

fn usage(error: SettingsError) -> Failure {
    Failure::Usage(error.to_string())
}

fn say(text: &str) -> Result<(), Failure> {
    writeln!(anstream::stdout(), "{text}").map_err(Failure::io("standard output"))
}

impl From<Harness> for Host {
    fn from(harness: Harness) -> Self {
        match harness {
            Harness::ClaudeCode => Self::ClaudeCode,
            Harness::Codex => Self::Codex,
            Harness::Gemini => Self::Gemini,
            Harness::Opencode => Self::Opencode,
            Harness::Cursor => Self::Cursor,
        }
    }
}
