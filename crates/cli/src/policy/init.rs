//! `innercmd policy init`.

use std::io::Write;
use std::path::{Path, PathBuf};

use innercmd_policy::READ_MOSTLY;
use tempfile::{NamedTempFile, PersistError};

use crate::args::PolicyInit;
use crate::exit::{Exit, Failure};
use crate::human::quoted;
use crate::policies::places;
use crate::world::{variable, working_directory};

/// Examples for the policy, to begin with.
const EXAMPLES: &str = include_str!("../../templates/policy.examples");

/// Writes the policy, and beside it examples for it.
///
/// # Errors
/// A place is taken, or cannot be written to.
pub(crate) fn run(arguments: &PolicyInit) -> Result<Exit, Failure> {
    let path = match &arguments.file {
        Some(file) => file.clone(),
        None => users_own()?,
    };
    let examples = path.with_extension("examples");
    write(&path, READ_MOSTLY, arguments.force)?;
    // Examples that are there already are the user's own, and fit the next policy as well.
    if arguments.force || !examples.exists() {
        write(&examples, EXAMPLES, arguments.force)?;
    }
    let next = format!("wrote {} and {}\n\nNext:\n{}", path.display(), examples.display(), next(&path, arguments.user));
    anstream::stdout().write_all(next.as_bytes()).map_err(Failure::io("standard output"))?;
    Ok(Exit::Allow)
}

/// What to do with the policy at `path`.
fn next(path: &Path, is_users_own: bool) -> String {
    let file = quoted(&path.display().to_string());
    // What is the user's own needs no naming.
    let option = if is_users_own { String::new() } else { format!(" --policy {file}") };
    let steps = [
        (format!("policy show{option}"), "the rules"),
        (format!("policy test {file}"), "whether the examples hold"),
        (format!("explain{option} 'git push'"), "a decision, and why"),
        (format!("replay{option} SESSION.jsonl"), "what it would have done"),
    ];
    let widest = steps.iter().map(|(step, _)| step.chars().count()).max().unwrap_or(0);
    let step = |(step, what): &(String, &str)| format!("  innercmd {step:<widest$}  # {what}\n");
    steps.iter().map(step).collect()
}

fn users_own() -> Result<PathBuf, Failure> {
    let (cwd, home) = (working_directory(None)?, variable("HOME"));
    places(home.as_deref(), &cwd)
        .global()
        .ok_or_else(|| Failure::Usage("there is no home directory to write to: set HOME, or name a file".to_owned()))
}

fn write(path: &Path, text: &str, force: bool) -> Result<(), Failure> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let failed = |error| Failure::io(path.display().to_string())(error);
    std::fs::create_dir_all(directory).map_err(failed)?;
    let mut file = NamedTempFile::new_in(directory).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    let persisted = if force { file.persist(path) } else { file.persist_noclobber(path) };
    persisted.map(drop).map_err(|PersistError { error, .. }| {
        if error.kind() == std::io::ErrorKind::AlreadyExists {
            Failure::Usage(format!("{} exists: give --force to replace it, or name another file", path.display()))
        } else {
            failed(error)
        }
    })
}
