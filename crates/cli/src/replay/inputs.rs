//! The files of past sessions, and their lines in batches.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::session::session_directory;
use crate::exit::Failure;
use crate::lines::{Line, read_line};

/// How many lines, and how many bytes, are handed over at once.
const BATCH_LINES: usize = 512;
const BATCH_BYTES: usize = 1 << 20;
/// How much is read from a file at once.
const BUFFER: usize = 1 << 18;

/// A place that lines are read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    Standard,
    File { path: PathBuf, bytes: u64 },
}

/// Lines of one input.
pub(crate) struct Batch {
    /// The number of the input, and of the first line in it.
    pub(crate) input: usize,
    pub(crate) first: u64,
    /// The directory of the session they belong to, where it has told one.
    pub(crate) cwd: Option<Arc<str>>,
    pub(crate) lines: Vec<Line>,
    pub(crate) bytes: u64,
}

impl Input {
    /// The inputs that `paths` name; directories stand for the `.jsonl` files in them.
    ///
    /// # Errors
    /// One of them is not there, or a directory holds nothing to read.
    pub(crate) fn all(paths: &[PathBuf]) -> Result<Vec<Self>, Failure> {
        let mut inputs = vec![];
        for path in paths {
            if path == Path::new("-") {
                inputs.push(Self::Standard);
                continue;
            }
            let failed = |error| Failure::Usage(format!("{}: {error}", path.display()));
            if !path.is_dir() {
                inputs.push(Self::File { path: path.clone(), bytes: path.metadata().map_err(failed)?.len() });
                continue;
            }
            let found = files_below(path).map_err(failed)?;
            if found.is_empty() {
                let hint = "holds no `.jsonl` file: name the files of past sessions";
                return Err(Failure::Usage(format!("{} {hint}", path.display())));
            }
            inputs.extend(found);
        }
        Ok(inputs)
    }

    /// What it is called in messages.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Standard => "standard input".to_owned(),
            Self::File { path, .. } => path.display().to_string(),
        }
    }

    /// How long it is, where that is known.
    pub(crate) fn bytes(&self) -> Option<u64> {
        match self {
            Self::Standard => None,
            Self::File { bytes, .. } => Some(*bytes),
        }
    }

    /// Reads it, and hands over batch after batch as long as `take` wants them.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn read(&self, number: usize, take: impl FnMut(Batch) -> Wants) -> io::Result<()> {
        match self {
            Self::Standard => batches(&mut BufReader::with_capacity(BUFFER, io::stdin()), number, take),
            Self::File { path, .. } => batches(&mut BufReader::with_capacity(BUFFER, File::open(path)?), number, take),
        }
    }
}

/// Whether a taker of batches wants another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wants {
    More,
    NoMore,
}

fn batches(reader: &mut impl BufRead, input: usize, mut take: impl FnMut(Batch) -> Wants) -> io::Result<()> {
    let empty = |first, cwd| Batch { input, first, cwd, lines: vec![], bytes: 0 };
    let mut batch = empty(1, None);
    while let Some(line) = read_line(reader)? {
        let begun = line.as_ref().ok().and_then(|line| session_directory(line));
        let full = batch.lines.len() >= BATCH_LINES || batch.bytes >= BATCH_BYTES as u64;
        if full || begun.is_some() && !batch.lines.is_empty() {
            let first = batch.first.saturating_add(batch.lines.len() as u64);
            let next = empty(first, batch.cwd.clone());
            if take(std::mem::replace(&mut batch, next)) == Wants::NoMore {
                return Ok(());
            }
        }
        if let Some(cwd) = begun {
            batch.cwd = Some(cwd.into());
        }
        batch.bytes = batch.bytes.saturating_add(line.as_ref().map_or(0, Vec::len) as u64 + 1);
        batch.lines.push(line);
    }
    take(batch);
    Ok(())
}

/// The `.jsonl` files below `directory`, sorted; links are not followed.
fn files_below(directory: &Path) -> io::Result<Vec<Input>> {
    let (mut found, mut left) = (vec![], vec![directory.to_owned()]);
    while let Some(directory) = left.pop() {
        for entry in std::fs::read_dir(directory)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            let path = entry.path();
            if kind.is_dir() {
                left.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "jsonl") {
                found.push(Input::File { bytes: entry.metadata()?.len(), path });
            }
        }
    }
    found.sort_by_key(Input::name);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_gives_its_lines_their_directory_and_numbers_go_on() {
        let text = "{\"command\":\"a\"}\n{\"type\":\"session\",\"cwd\":\"/x\"}\n{\"command\":\"b\"}\n".to_owned()
            + &"{}\n".repeat(BATCH_LINES);
        let mut seen = vec![];
        batches(&mut text.as_bytes(), 7, |batch| {
            seen.push((batch.input, batch.first, batch.cwd.map(|cwd| cwd.to_string()), batch.lines.len()));
            Wants::More
        })
        .unwrap();
        let x = Some("/x".to_owned());
        assert_eq!(seen, [(7, 1, None, 1), (7, 2, x.clone(), BATCH_LINES), (7, 2 + BATCH_LINES as u64, x, 2)]);
    }

    #[test]
    fn reading_ends_when_no_more_is_wanted() {
        let mut taken = 0;
        batches(&mut "{}\n".repeat(BATCH_LINES * 3).as_bytes(), 0, |_| {
            taken += 1;
            Wants::NoMore
        })
        .unwrap();
        assert_eq!(taken, 1);
    }
}
