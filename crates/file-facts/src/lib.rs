//! Tells where paths lead on the file system of this machine.
//!
//! The core crates look up no files: what they need to know of them comes in by [`PathFacts`]. This crate holds the one
//! implementation that looks, for the programs that run where the command would.
//!
//! # Invariants
//! - Nothing is read but links and whether something, and whether a directory, is there.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use innercmd_bash_units::{LexicalPaths, PathFacts, PathFactsError, ResolvedPath};

/// How many links one path may lead through, as on Linux (path_resolution(7)).
const MOST_LINKS: usize = 40;

/// What is known of the files around the directory `cwd`: the file system's own word where the directory is on it, else nothing.
#[must_use]
pub fn facts(cwd: &str) -> &'static dyn PathFacts {
    if Path::new(cwd).is_dir() { &FileSystem } else { &LexicalPaths }
}

/// The file system of this machine.
#[derive(Clone, Copy, Debug)]
struct FileSystem;

impl PathFacts for FileSystem {
    fn resolve(&self, path: &str) -> Result<ResolvedPath, PathFactsError> {
        let (path, exists) = follow(Path::new(path))?;
        let path = path.into_os_string().into_string().map_err(|_| PathFactsError::Other)?;
        Ok(ResolvedPath { path, exists: Some(exists) })
    }

    fn is_directory(&self, path: &str) -> Option<bool> {
        // Behind the slash the directory itself has to let itself be searched.
        match Path::new(path).join(".").metadata() {
            Ok(metadata) => Some(metadata.is_dir()),
            Err(error) => {
                let refused = [ErrorKind::NotFound, ErrorKind::NotADirectory, ErrorKind::PermissionDenied];
                refused.contains(&error.kind()).then_some(false)
            }
        }
    }
}

/// Follows `path` component by component; components that do not exist are kept.
fn follow(path: &Path) -> Result<(PathBuf, bool), PathFactsError> {
    let mut left: VecDeque<PathBuf> = components(path).collect();
    let (mut at, mut exists, mut links) = (PathBuf::from("/"), true, 0);
    // How many components stand behind the first that does not exist; nothing needs to be looked up there.
    let mut beyond = 0_usize;
    while let Some(component) = left.pop_front() {
        if component == Path::new("..") {
            beyond = beyond.saturating_sub(1);
            at.pop();
            continue;
        }
        if beyond > 0 {
            beyond = beyond.saturating_add(1);
            at.push(&component);
            continue;
        }
        let next = at.join(&component);
        match std::fs::symlink_metadata(&next) {
            Ok(metadata) if metadata.is_symlink() => {
                links += 1;
                if links > MOST_LINKS {
                    return Err(PathFactsError::Loop);
                }
                let target = std::fs::read_link(&next).map_err(|_| PathFactsError::Other)?;
                if target.is_absolute() {
                    at = PathBuf::from("/");
                }
                components(&target).rev().for_each(|component| left.push_front(component));
            }
            Ok(_) => at = next,
            // `x/..` of an `x` that is no directory leads nowhere either.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                exists = false;
                beyond = 1;
                at = next;
            }
            Err(error) if error.kind() == ErrorKind::PermissionDenied => return Err(PathFactsError::Forbidden),
            Err(_) => return Err(PathFactsError::Other),
        }
    }
    Ok((at, exists))
}

fn components(path: &Path) -> impl DoubleEndedIterator<Item = PathBuf> {
    path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(PathBuf::from(name)),
        Component::ParentDir => Some(PathBuf::from(OsStr::new(".."))),
        Component::CurDir | Component::RootDir | Component::Prefix(_) => None,
    })
}

#[cfg(test)]
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "the tests make the files they look for")]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    /// Where `path`, below a directory with some links in it, leads below that directory.
    fn resolved(path: &str) -> Result<(String, bool), PathFactsError> {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("work/app")).unwrap();
        fs::create_dir_all(root.join("secret/deep")).unwrap();
        fs::write(root.join("secret/key"), "").unwrap();
        symlink("../../secret/key", root.join("work/app/link")).unwrap();
        symlink(root.join("secret/deep"), root.join("work/app/deep")).unwrap();
        symlink("loop", root.join("work/app/loop")).unwrap();
        let resolved = FileSystem.resolve(root.join(path).to_str().unwrap())?;
        let below = Path::new(&resolved.path).strip_prefix(&root).unwrap_or(Path::new(&resolved.path));
        Ok((below.to_str().unwrap().to_owned(), resolved.exists.unwrap()))
    }

    #[test]
    fn links_are_followed_as_the_kernel_does() {
        assert_eq!(resolved("work/app/link"), Ok(("secret/key".into(), true)));
        assert_eq!(resolved("work/app/../app/./link"), Ok(("secret/key".into(), true)));
        // The parent of a link's target, and not of the link.
        assert_eq!(resolved("work/app/deep/../key"), Ok(("secret/key".into(), true)));
        assert_eq!(resolved("work/app/deep/new/file"), Ok(("secret/deep/new/file".into(), false)));
        assert_eq!(resolved("work/app/none"), Ok(("work/app/none".into(), false)));
        assert_eq!(resolved("work/app/link/x"), Ok(("secret/key/x".into(), false)));
        assert_eq!(resolved("work/app/loop"), Err(PathFactsError::Loop));
    }

    #[test]
    fn a_directory_that_is_not_there_has_no_facts() {
        let exists = |cwd: &str| facts(cwd).resolve("/").unwrap().exists;
        assert_eq!(exists("/"), Some(true));
        assert_eq!(exists("/no/such/directory"), None);
    }
}
