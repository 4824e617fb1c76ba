//! What a harness says it is about to run.

use std::path::{Component, Path, PathBuf};

use serde_json::{Map, Value};

use crate::HookCode;

/// A command that a harness is about to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShellCall {
    /// The command, as the harness got it from the model.
    pub command: String,
    /// The directory that it would run in: an absolute path.
    pub cwd: String,
    /// The directory of the session, where the harness's own input tells it.
    pub project: Option<String>,
    /// Who would read the command.
    pub shell: CallShell,
}

/// The shell that a harness's tool runs commands with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallShell {
    /// Bash, whatever the user's own shell is.
    Bash,
    /// The user's own shell, as `SHELL` names it.
    Users,
    /// Another one.
    Other,
}

/// An object of a harness's input.
#[derive(Clone, Copy)]
pub(crate) struct Members<'v>(&'v Map<String, Value>);

impl<'v> Members<'v> {
    pub(crate) fn of(value: &'v Value) -> Result<Self, HookCode> {
        value.as_object().map(Self).ok_or(HookCode::UnknownShape)
    }

    pub(crate) fn object(self, key: &str) -> Result<Self, HookCode> {
        self.0.get(key).ok_or(HookCode::UnknownShape).and_then(Self::of)
    }

    pub(crate) fn text(self, key: &str) -> Result<&'v str, HookCode> {
        self.optional_text(key)?.ok_or(HookCode::UnknownShape)
    }

    /// The text at `key`, where it is there and not null.
    pub(crate) fn optional_text(self, key: &str) -> Result<Option<&'v str>, HookCode> {
        match self.0.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => value.as_str().map(Some).ok_or(HookCode::UnknownShape),
        }
    }

    /// The absolute path at `key`.
    pub(crate) fn directory(self, key: &str) -> Result<&'v str, HookCode> {
        self.text(key)
            .and_then(|path| if Path::new(path).is_absolute() { Ok(path) } else { Err(HookCode::UnknownShape) })
    }

    /// Says that nothing else than `known` is there.
    ///
    /// INVARIANT: what a tool is told beside the command may change what it does, so a member that is not known is asked about.
    pub(crate) fn only(self, known: &[&str]) -> Result<(), HookCode> {
        let all_known = self.0.keys().all(|key| known.contains(&key.as_str()));
        if all_known { Ok(()) } else { Err(HookCode::UnknownShape) }
    }
}

/// `path` seen from `base`, without `.` and `..`, as Node's `path.resolve` does it.
pub(crate) fn resolve(base: &str, path: &str) -> Result<String, HookCode> {
    let mut resolved = PathBuf::new();
    for component in Path::new(base).join(path).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => drop(resolved.pop()),
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => resolved.push(component),
        }
    }
    resolved.into_os_string().into_string().map_err(|_| HookCode::UnknownShape)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::below("sub", "/a/b/sub")]
    #[case::here(".", "/a/b")]
    #[case::beside("../c/./d", "/a/c/d")]
    #[case::absolute("/etc", "/etc")]
    #[case::beyond_the_root("../../../../x", "/x")]
    fn a_path_is_resolved_by_its_text(#[case] path: &str, #[case] resolved: &str) {
        assert_eq!(resolve("/a/b", path).as_deref(), Ok(resolved));
    }
}
