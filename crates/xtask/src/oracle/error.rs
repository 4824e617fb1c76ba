//! What can keep the oracle from answering.

use std::io;
use std::path::{Path, PathBuf};

/// Why the oracle could not be built or asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// A file could not be read or written.
    #[error("`{path}`: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A tool could not be started.
    #[error("cannot start `{program}`: {source}")]
    Start {
        /// The tool.
        program: String,
        /// Why.
        source: io::Error,
    },
    /// A tool failed.
    #[error("`{program}` failed ({status}):\n{tail}")]
    Failed {
        /// The tool.
        program: String,
        /// How it ended.
        status: String,
        /// The last lines of its error output.
        tail: String,
    },
    /// An edit does not fit the source of bash.
    #[error("`{original}` occurs {found} times in `{file}`, not once: the edits do not fit this bash")]
    Edit {
        /// The file of the source.
        file: String,
        /// What should occur once.
        original: String,
        /// How often it occurs.
        found: usize,
    },
    /// The sandbox could not be built, so nothing ran.
    #[error("no shell was started: {0}")]
    NoSandbox(String),
    /// A shell ended or hung while it was asked, more often than a text can be to blame for.
    #[error("the shells of the oracle keep dying")]
    Lost,
    /// An input file is not what it should be.
    #[error("`{path}`: {reason}")]
    Input {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

impl Error {
    /// Wraps an I/O error with the path it concerns.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }
}
