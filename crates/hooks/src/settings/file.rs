use std::fs::{File, create_dir_all, remove_file};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use similar::TextDiff;

use super::SettingsError;

/// A change of one settings file, not made yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    file: PathBuf,
    before: Option<String>,
    after: Option<String>,
    backup: Backup,
}

/// What becomes of the copy of the file as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Backup {
    Keep,
    Write,
    Remove,
}

impl Change {
    pub(super) fn new(file: &Path, before: Option<String>, after: Option<String>) -> Self {
        Self { file: file.to_owned(), before, after, backup: Backup::Keep }
    }

    /// The same, with a copy of the file as it is where `wanted`.
    pub(super) fn with_backup(self, wanted: bool) -> Self {
        Self { backup: if wanted { Backup::Write } else { Backup::Keep }, ..self }
    }

    pub(super) fn without_backup(self) -> Self {
        Self { backup: Backup::Remove, ..self }
    }

    /// The file.
    #[must_use]
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Whether the file stays as it is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.before == self.after
    }

    /// The change as a unified diff; `/dev/null` stands for no file.
    #[must_use]
    pub fn diff(&self) -> String {
        let name =
            |text: &Option<String>| text.as_ref().map_or("/dev/null".to_owned(), |_| self.file.display().to_string());
        let (before, after) = (self.before.as_deref().unwrap_or_default(), self.after.as_deref().unwrap_or_default());
        TextDiff::from_lines(before, after).unified_diff().header(&name(&self.before), &name(&self.after)).to_string()
    }

    /// Makes the change: the file is the old one or the new one at any time, and the old one is kept beside it.
    ///
    /// # Errors
    /// The file has changed in the meantime, or cannot be written; then it is as it was.
    pub fn apply(&self) -> Result<(), SettingsError> {
        if self.is_empty() {
            return Ok(());
        }
        if read(&self.file)? != self.before {
            return Err(SettingsError::Raced(self.file.clone()));
        }
        if let (Backup::Write, Some(before)) = (self.backup, &self.before) {
            write(&backup(&self.file), before, Some(&self.file))?;
        }
        match &self.after {
            Some(after) => write(&self.file, after, self.before.as_ref().map(|_| self.file.as_path()))?,
            None => remove(&self.file)?,
        }
        if self.backup == Backup::Remove { remove(&backup(&self.file)) } else { Ok(()) }
    }
}

/// Where the copy of `file` is kept.
pub(super) fn backup(file: &Path) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".innercmd-backup");
    file.with_file_name(name)
}

/// The text of `file`; none where there is no file.
pub(super) fn read(file: &Path) -> Result<Option<String>, SettingsError> {
    let mut text = String::new();
    match File::open(file).and_then(|mut open| open.read_to_string(&mut text)) {
        Ok(_) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(SettingsError::Io { file: file.to_owned(), source }),
    }
}

/// Writes `text` to `file` at once, or not at all, with the permissions of the file `like`.
fn write(file: &Path, text: &str, like: Option<&Path>) -> Result<(), SettingsError> {
    let written = || -> std::io::Result<()> {
        // What a link leads to is what is replaced.
        let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
        let directory = file.parent().unwrap_or(Path::new("."));
        create_dir_all(directory)?;
        let mut temporary = tempfile::Builder::new().prefix(".innercmd").tempfile_in(directory)?;
        temporary.write_all(text.as_bytes())?;
        if let Some(like) = like {
            temporary.as_file().set_permissions(like.metadata()?.permissions())?;
        }
        temporary.as_file().sync_all()?;
        temporary.persist(&file)?;
        Ok(())
    };
    written().map_err(|source| SettingsError::Io { file: file.to_owned(), source })
}

fn remove(file: &Path) -> Result<(), SettingsError> {
    remove_file(file).map_err(|source| SettingsError::Io { file: file.to_owned(), source })
}
