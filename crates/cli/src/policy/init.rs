//! `innercmd policy init`.

use std::io::Write;
use std::path::{Path, PathBuf};

use innercmd_policy::READ_MOSTLY;
use tempfile::{NamedTempFile, PersistError};

use crate::args::PolicyInit;
use crate::exit::{Exit, Failure};
use crate::policies::places;
use crate::world::{variable, working_directory};

/// Writes the policy, as a whole or not at all.
///
/// # Errors
/// The place is taken, or cannot be written to.
pub(crate) fn run(arguments: &PolicyInit) -> Result<Exit, Failure> {
    let path = match &arguments.file {
        Some(file) => file.clone(),
        None => users_own()?,
    };
    write(&path, READ_MOSTLY, arguments.force)?;
    let shown = path.display();
    let next = format!(
        "wrote {shown}\n\nNext:\n  \
         innercmd policy show --policy {shown}                see the rules\n  \
         innercmd explain --policy {shown} 'git push'         see a decision and why\n  \
         innercmd replay --policy {shown} SESSION.jsonl       see what it would have done\n"
    );
    anstream::stdout().write_all(next.as_bytes()).map_err(Failure::io("standard output"))?;
    Ok(Exit::Allow)
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
