//! The policy files: which they are, whether they have changed, and what they say.

use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use innercmd_policy::{Loaded, Origin, Policy, PolicySource};

use crate::wire::{OpenGate, Source, SourceOrigin, SourceReport, SourceState};

/// The longest policy file that is read, in bytes.
const LONGEST: u64 = 4 << 20;

/// The files that speak for one agent, or for none.
#[derive(Debug)]
pub(crate) struct Files {
    sources: Vec<Source>,
}

/// What the files said when they were read.
#[derive(Debug)]
pub(crate) struct Opened {
    /// None where the user's own file means nothing; nothing is allowed then.
    pub(crate) policy: Option<Policy>,
    pub(crate) reports: Vec<SourceReport>,
    pub(crate) builtin: bool,
    pub(crate) stamps: Vec<Stamp>,
}

/// What tells one state of a file from another; none where there is no file.
pub(crate) type Stamp = Option<(u64, u64, i64, i64, u64)>;

impl Files {
    /// The files for `agent`, whose name is that of a file.
    pub(crate) fn of(open: &OpenGate, agent: Option<&str>) -> Self {
        let of_agent = open.agents.iter().filter_map(|Source { origin, path }| {
            Some(Source { origin: *origin, path: path.join(format!("{}.md", agent?)) })
        });
        Self { sources: open.sources.iter().cloned().chain(of_agent).collect() }
    }

    pub(crate) fn stamps(&self) -> Vec<Stamp> {
        self.sources.iter().map(|source| stamp(&source.path)).collect()
    }

    pub(crate) fn read(&self) -> Opened {
        // Taken before reading: a change in between is seen the next time.
        let stamps = self.stamps();
        let texts: Vec<(String, io::Result<String>)> =
            self.sources.iter().map(|source| (source.path.display().to_string(), read(&source.path))).collect();
        let absent = |text: &io::Result<String>| text.as_ref().is_err_and(|error| error.kind() == ErrorKind::NotFound);
        let sources: Vec<PolicySource<'_>> = self
            .sources
            .iter()
            .zip(&texts)
            .filter(|(_, (_, text))| !absent(text))
            // A file that is there and cannot be read is no valid policy, and neither is an empty text.
            .map(|(source, (name, text))| PolicySource {
                name,
                text: text.as_deref().unwrap_or_default(),
                origin: source.origin.into(),
            })
            .collect();
        let builtin = sources.is_empty();
        let (policy, problems) = match Policy::load(&sources) {
            _ if builtin => (Some(Policy::embedded_default()), Vec::new()),
            Ok(Loaded { policy, diagnostics, .. }) => {
                (Some(policy), diagnostics.iter().map(ToString::to_string).collect())
            }
            Err(error) => (None, error.problems.iter().map(ToString::to_string).collect::<Vec<_>>()),
        };
        let clamped = policy.as_ref().is_none_or(Policy::is_clamped);
        let reports = self
            .sources
            .iter()
            .zip(&texts)
            .map(|(source, (name, text))| report(source.origin, name, text, &problems, clamped));
        Opened { reports: reports.collect(), policy, builtin, stamps }
    }
}

fn report(
    origin: SourceOrigin,
    name: &str,
    text: &io::Result<String>,
    problems: &[String],
    clamped: bool,
) -> SourceReport {
    let mut mine: Vec<String> = problems.iter().filter(|problem| problem.contains(name)).cloned().collect();
    let state = match text {
        Err(error) if error.kind() == ErrorKind::NotFound => SourceState::Absent,
        Err(error) => {
            mine.push(error.to_string());
            SourceState::Invalid
        }
        Ok(_) if clamped && !mine.is_empty() => SourceState::Invalid,
        Ok(_) => SourceState::Loaded,
    };
    SourceReport { origin, path: name.to_owned(), state, problems: mine }
}

#[expect(clippy::disallowed_methods, reason = "the gate is the place that reads the user's policy files")]
fn read(path: &Path) -> io::Result<String> {
    // Told apart before it is opened, because opening a FIFO waits.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    let mut text = String::new();
    std::fs::File::open(path)?.take(LONGEST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LONGEST { Err(io::Error::other("it is too long")) } else { Ok(text) }
}

#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "the gate is the place that reads the user's policy files")]
fn stamp(path: &PathBuf) -> Stamp {
    use std::os::unix::fs::MetadataExt;

    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino(), metadata.ctime(), metadata.ctime_nsec(), metadata.len()))
}

#[cfg(not(unix))]
#[expect(clippy::disallowed_methods, reason = "the gate is the place that reads the user's policy files")]
fn stamp(path: &PathBuf) -> Stamp {
    let metadata = std::fs::metadata(path).ok()?;
    let changed = metadata.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some((0, 0, i64::try_from(changed.as_secs()).ok()?, i64::from(changed.subsec_nanos()), metadata.len()))
}

impl From<SourceOrigin> for Origin {
    fn from(origin: SourceOrigin) -> Self {
        match origin {
            SourceOrigin::Global => Self::Global,
            SourceOrigin::Project => Self::Project,
            SourceOrigin::Agent => Self::Agent,
            SourceOrigin::ProjectAgent => Self::ProjectAgent,
        }
    }
}
