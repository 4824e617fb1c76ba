/// What the caller knows of the file system, as values.
///
/// The analysis reads no files; it asks here. A failure is an answer too, and never counts in favour of a path.
pub trait PathFacts {
    /// Follows every symbolic link of the absolute `path`, component by component, as the kernel does; `..` in it leads to
    /// the parent of what stands before it. Components that do not exist are kept as they are.
    ///
    /// # Errors
    /// Why it could not be found out, such as a directory that may not be searched or a loop of links.
    fn resolve(&self, path: &str) -> Result<ResolvedPath, PathFactsError>;

    /// Whether there is a directory at the absolute `path`, links followed, that may be entered; none where that is not known.
    fn is_directory(&self, path: &str) -> Option<bool> {
        let _ = path;
        None
    }

    /// The names in the directory at the absolute `path`, without `.` and `..`, in any order; with them patterns such as `*.ts`
    /// are known to match what they match, and no more.
    ///
    /// # Errors
    /// Why it could not be found out; but for a directory that is not there, a pattern then may match anything.
    fn list(&self, path: &str) -> Result<Vec<String>, PathFactsError> {
        let _ = path;
        Err(PathFactsError::Other)
    }
}

/// Where a path leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedPath {
    /// The absolute path without links, `.` and `..`.
    pub path: String,
    /// Whether there is something at that path; none where that is not known.
    pub exists: Option<bool>,
}

/// Why it is not known where a path leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathFactsError {
    /// There is no such directory.
    Missing,
    /// A directory on the way may not be searched.
    Forbidden,
    /// The links lead in a circle, or there are too many of them.
    Loop,
    /// Anything else.
    Other,
}

/// No knowledge of the file system: each path leads where it says.
#[derive(Clone, Copy, Debug, Default)]
pub struct LexicalPaths;

impl PathFacts for LexicalPaths {
    fn resolve(&self, path: &str) -> Result<ResolvedPath, PathFactsError> {
        Ok(ResolvedPath { path: normalize(path), exists: None })
    }
}

/// The absolute `path` without empty components, `.` and `..`, by its text alone.
pub(super) fn normalize(path: &str) -> String {
    let mut parts: Vec<&str> = vec![];
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            other => parts.push(other),
        }
    }
    format!("/{}", parts.join("/"))
}

/// `path` seen from `directory`, not normalized.
pub(super) fn join(directory: &str, path: &str) -> String {
    if path.starts_with('/') { path.to_owned() } else { format!("{directory}/{path}") }
}

/// Whether the normalized `path` is `directory` or lies below it.
pub(super) fn is_within(path: &str, directory: &str) -> bool {
    directory == "/" || path.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_normalized_by_their_text() {
        for (path, expected) in
            [("/", "/"), ("//a//b/", "/a/b"), ("/a/./b/../c", "/a/c"), ("/../../x", "/x"), ("/a/..", "/")]
        {
            assert_eq!(normalize(path), expected, "{path}");
        }
    }

    #[test]
    fn a_name_that_continues_is_not_within() {
        assert!(is_within("/work/project/x", "/work/project") && is_within("/work/project", "/work/project"));
        assert!(!is_within("/work/project2", "/work/project") && is_within("/x", "/"));
    }
}
