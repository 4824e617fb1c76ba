//! What people set up once: completions for their shell, manual pages, and what `--version` says.

use std::io::Write;

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::args::{Arguments, Manual};
use crate::exit::{Exit, Failure};

/// Writes the completions for `shell`.
///
/// # Errors
/// Writing fails.
pub(crate) fn completions(shell: Shell) -> Result<Exit, Failure> {
    let mut script = vec![];
    clap_complete::generate(shell, &mut Arguments::command(), NAME, &mut script);
    write(&script)
}

/// Writes the manual page, or all of them into a directory.
///
/// # Errors
/// Writing fails.
pub(crate) fn manual(arguments: &Manual) -> Result<Exit, Failure> {
    let command = Arguments::command();
    let Some(directory) = &arguments.directory else {
        let mut page = vec![];
        clap_mangen::Man::new(command).render(&mut page).map_err(Failure::io("the manual page"))?;
        return write(&page);
    };
    let failed = |error| Failure::io(directory.display().to_string())(error);
    std::fs::create_dir_all(directory).map_err(failed)?;
    clap_mangen::generate_to(command, directory).map_err(failed)?;
    Ok(Exit::Allow)
}

const NAME: &str = "innercmd";

/// The version with what the program was built from.
pub(crate) const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit: ",
    env!("INNERCMD_COMMIT"),
    "\ntarget: ",
    env!("INNERCMD_TARGET"),
    "\nrustc: ",
    env!("INNERCMD_RUSTC")
);

fn write(bytes: &[u8]) -> Result<Exit, Failure> {
    std::io::stdout().write_all(bytes).map_err(Failure::io("standard output"))?;
    Ok(Exit::Allow)
}
