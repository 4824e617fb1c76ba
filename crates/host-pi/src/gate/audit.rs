//! The record of decisions: a file that only grows, and that only its owner reads.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Serialize;

use crate::wire::Unit;

/// One decision.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Record<'r> {
    /// When, in UTC.
    pub(crate) time: String,
    /// The ticket of the decision.
    pub(crate) request_id: &'r str,
    pub(crate) session_id: &'r str,
    pub(crate) tool_call_id: &'r str,
    pub(crate) agent: Option<&'r str>,
    pub(crate) cwd: &'r str,
    /// The command, or the input of the tool call where no command could be read from it.
    pub(crate) command: &'r str,
    /// `allow` or `deny`.
    pub(crate) decision: &'static str,
    /// Why the decision is what it is.
    pub(crate) code: &'static str,
    /// What the policy made of the command.
    pub(crate) policy: &'static str,
    /// Why.
    pub(crate) policy_code: &'static str,
    pub(crate) units: &'r [Unit],
    /// The command inside a wrapper, where the link stripped one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) inner: Option<&'r str>,
    /// What the agent was told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<&'r str>,
}

/// The file.
#[derive(Debug)]
pub(crate) struct AuditLog {
    path: PathBuf,
}

impl AuditLog {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// Writes one line behind what is there.
    ///
    /// The file is opened anew each time, so that one which was moved away or replaced is noticed.
    pub(crate) fn append(&self, record: &Record<'_>) -> io::Result<()> {
        let mut file = open(&self.path)?;
        let mut line = Vec::new();
        // A line that broke off, here or in another process, must not swallow this one.
        if !ends_with_line(&mut file)? {
            line.push(b'\n');
        }
        serde_json::to_writer(&mut line, record)?;
        line.push(b'\n');
        // One write, so that lines of several processes do not mix.
        if file.write(&line)? == line.len() { Ok(()) } else { Err(io::Error::from(io::ErrorKind::WriteZero)) }
    }
}

/// The time for a record.
#[expect(clippy::disallowed_methods, reason = "a record says when; no verdict depends on it")]
pub(crate) fn now() -> String {
    humantime::format_rfc3339_millis(SystemTime::now()).to_string()
}

fn ends_with_line(file: &mut File) -> io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(true);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};

    use rustix::fs::OFlags;

    if let Some(parent) = path.parent() {
        DirBuilder::new().recursive(true).mode(0o700).create(parent)?;
    }
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
    let file = OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .mode(0o600)
        .custom_flags(i32::try_from(flags).map_err(io::Error::other)?)
        .open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("the record is no regular file"));
    }
    if metadata.uid() != rustix::process::geteuid().as_raw() {
        return Err(io::Error::other("the record belongs to another user"));
    }
    if metadata.mode() & 0o077 != 0 {
        file.set_permissions(std::fs::Permissions::from_mode(0o600))?;
    }
    Ok(file)
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    if let Some(parent) = path.parent() {
        DirBuilder::new().recursive(true).create(parent)?;
    }
    OpenOptions::new().read(true).append(true).create(true).open(path)
}

#[cfg(test)]
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "tests look at the files")]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn record(command: &str) -> Record<'_> {
        Record {
            time: now(),
            request_id: "r",
            session_id: "s",
            tool_call_id: "t",
            agent: None,
            cwd: "/",
            command,
            decision: "allow",
            code: "test:code",
            policy: "allow",
            policy_code: "test:code",
            units: &[],
            inner: None,
            reason: None,
        }
    }

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn commands(path: &Path) -> Vec<String> {
        let lines = std::fs::read_to_string(path).unwrap();
        let records = lines.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
        records.map(|record| record["command"].as_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn records_follow_each_other_in_a_file_of_the_owner_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("new/audit.jsonl");
        let log = AuditLog::new(path.clone());
        log.append(&record("one")).unwrap();
        log.append(&record("two\nlines")).unwrap();
        assert_eq!(commands(&path), ["one", "two\nlines"]);
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    }

    #[test]
    fn a_file_that_others_could_read_is_closed_to_them() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("audit.jsonl");
        std::fs::write(&path, "").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        AuditLog::new(path.clone()).append(&record("one")).unwrap();
        assert_eq!(mode(&path), 0o600);
    }

    #[test]
    fn a_line_that_broke_off_swallows_no_record() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("audit.jsonl");
        std::fs::write(&path, "{\"command\":\"brok").unwrap();
        AuditLog::new(path.clone()).append(&record("one")).unwrap();
        assert_eq!(commands(&path), ["one"]);
    }

    #[test]
    fn a_link_a_directory_a_fifo_and_a_device_are_no_record() {
        let directory = tempfile::tempdir().unwrap();
        let link = directory.path().join("link");
        symlink(directory.path().join("elsewhere"), &link).unwrap();
        let fifo = directory.path().join("fifo");
        rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        for path in [link, directory.path().to_owned(), fifo, PathBuf::from("/dev/null"), PathBuf::from("/dev/full")] {
            assert!(AuditLog::new(path.clone()).append(&record("one")).is_err(), "{}", path.display());
        }
        assert!(!directory.path().join("elsewhere").exists());
    }
}
