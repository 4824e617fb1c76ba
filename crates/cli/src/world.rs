//! The machine the command line runs on, as values.

use std::path::Path;

use crate::exit::Failure;

/// The directory that a command would run in: `given`, seen from the current one, or the current one.
///
/// # Errors
/// There is no current directory, or the result is not UTF-8.
pub(crate) fn working_directory(given: Option<&Path>) -> Result<String, Failure> {
    let directory = match given {
        Some(given) if given.is_absolute() => given.to_owned(),
        Some(_) | None => {
            #[expect(clippy::disallowed_methods, reason = "the command line is the place that reads the world")]
            let current = std::env::current_dir().map_err(Failure::io("the current directory"))?;
            given.map_or_else(|| current.clone(), |given| current.join(given))
        }
    };
    directory
        .into_os_string()
        .into_string()
        .map_err(|path| Failure::Usage(format!("the directory `{}` is not UTF-8", path.display())))
}

/// The value of an environment variable, where it is set and UTF-8.
pub(crate) fn variable(name: &str) -> Option<String> {
    #[expect(clippy::disallowed_methods, reason = "the command line is the place that reads the world")]
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
