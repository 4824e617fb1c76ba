//! Installs the hook into the settings of a harness, and takes it out again.

use std::path::{Path, PathBuf};

use crate::Host;

mod command;
mod file;
mod json;
mod plugin;

pub use command::HookCommand;
pub use file::Change;

/// Whose settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The user's own, for every project.
    User,
    /// Those of one project.
    Project,
}

/// Where settings lie on this machine.
pub struct Places<'p> {
    /// The home directory of the user.
    pub home: &'p Path,
    /// The directory of the project.
    pub project: &'p Path,
    /// Tells the value of an environment variable, where it is set.
    pub variable: &'p dyn Fn(&str) -> Option<String>,
}

/// Whether the hook is installed, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// It is not.
    Absent,
    /// It is, as this command.
    Installed(HookCommand),
}

/// Why settings are not changed.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// A file cannot be read or written.
    #[error("{}: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file is not what the harness reads.
    #[error("{}: {problem}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A file was changed by somebody else in the meantime.
    #[error("{}: the file has changed in the meantime", .0.display())]
    Raced(PathBuf),
    /// A word of the command cannot be written down for a shell.
    #[error("the command holds a NUL")]
    Unquotable,
}

impl Places<'_> {
    /// The file that holds the hook of `host`.
    #[must_use]
    pub fn file(&self, host: Host, scope: Scope) -> PathBuf {
        let (variable, own, name) = match host {
            Host::ClaudeCode => ("CLAUDE_CONFIG_DIR", ".claude", "settings.json"),
            Host::Codex => ("CODEX_HOME", ".codex", "hooks.json"),
            Host::Gemini => ("", ".gemini", "settings.json"),
            Host::Cursor => ("", ".cursor", "hooks.json"),
            Host::Opencode => ("OPENCODE_CONFIG_DIR", ".opencode", "plugin/innercmd.js"),
        };
        match scope {
            Scope::Project => self.project.join(own).join(name),
            Scope::User => match (self.variable)(variable).filter(|directory| !directory.is_empty()) {
                Some(directory) => Path::new(&directory).join(name),
                None if host == Host::Opencode => self.config().join("opencode").join(name),
                None => self.home.join(own).join(name),
            },
        }
    }

    /// The directory of the user's settings (XDG base directories).
    fn config(&self) -> PathBuf {
        let given = (self.variable)("XDG_CONFIG_HOME").map(PathBuf::from).filter(|directory| directory.is_absolute());
        given.unwrap_or_else(|| self.home.join(".config"))
    }
}

/// The change that installs `command` in `file`; none where it stands there already.
///
/// # Errors
/// The file cannot be read, or is not what the harness reads.
pub fn install(host: Host, file: &Path, command: &HookCommand) -> Result<Change, SettingsError> {
    let before = file::read(file)?;
    let after = match host {
        Host::Opencode => plugin::install(file, before.as_deref(), command)?,
        Host::ClaudeCode | Host::Codex | Host::Gemini | Host::Cursor => {
            json::install(host, file, before.as_deref().unwrap_or_default(), command)?
        }
    };
    let ours = before.as_deref().is_some_and(|before| matches!(found(host, file, before), Ok(Status::Installed(_))));
    Ok(Change::new(file, before, Some(after)).with_backup(!ours))
}

/// The change that takes the hook out of `file`; none where it is not in there.
///
/// Where nothing else has changed since the hook was installed, the file is what it was before, byte by byte.
///
/// # Errors
/// The file cannot be read, or is not what the harness reads.
pub fn uninstall(host: Host, file: &Path) -> Result<Change, SettingsError> {
    let before = file::read(file)?;
    let Some(text) = before.as_deref() else { return Ok(Change::new(file, None, None)) };
    let Status::Installed(command) = found(host, file, text)? else {
        return Ok(Change::new(file, before.clone(), before));
    };
    let backup = file::read(&file::backup(file))?;
    let after = match host {
        Host::Opencode => None,
        Host::ClaudeCode | Host::Codex | Host::Gemini | Host::Cursor => {
            let restores = |kept: &String| {
                matches!(found(host, file, kept), Ok(Status::Absent))
                    && json::install(host, file, kept, &command).is_ok_and(|again| again == text)
            };
            match backup.filter(restores) {
                Some(kept) => return Ok(Change::new(file, before, Some(kept)).without_backup()),
                None => json::uninstall(host, file, text)?,
            }
        }
    };
    Ok(Change::new(file, before, after))
}

/// Whether the hook is in `file`.
///
/// # Errors
/// The file cannot be read, or is not what the harness reads.
pub fn status(host: Host, file: &Path) -> Result<Status, SettingsError> {
    file::read(file)?.map_or(Ok(Status::Absent), |text| found(host, file, &text))
}

fn found(host: Host, file: &Path, text: &str) -> Result<Status, SettingsError> {
    match host {
        Host::Opencode => Ok(plugin::found(text)),
        Host::ClaudeCode | Host::Codex | Host::Gemini | Host::Cursor => json::found(host, file, text),
    }
}

#[cfg(test)]
mod tests;
