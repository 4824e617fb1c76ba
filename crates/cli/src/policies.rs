//! Which policy judges: the files that were given, the user's own, or the built-in one.

use std::collections::HashMap;
use std::hash::Hash;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use innercmd_policy::{LoadError, Loaded, Origin, Policy, PolicySource};

use crate::exit::Failure;
use crate::user_files::{Places, Scope, ScopeFile};
use crate::world::variable;

/// How many policies are kept compiled.
const MOST_KEPT: usize = 1_024;

/// The policies of one run.
pub(crate) struct Policies {
    source: Source,
    permissions: Kept<String>,
}

enum Source {
    /// The files that were given, for everyone.
    Given(Arc<Policy>),
    /// The user's own files, which differ by project, home and agent.
    User(Kept<User>),
}

/// Whose files count.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct User {
    pub(crate) agent: Option<String>,
    pub(crate) cwd: String,
    pub(crate) home: Option<String>,
}

impl Policies {
    /// The policies by the `files` that were given, or by the user's own where none were.
    ///
    /// # Errors
    /// A file that was given cannot be read, or is not valid.
    pub(crate) fn new(files: &[PathBuf]) -> Result<Self, Failure> {
        let source = if files.is_empty() {
            Source::User(Kept::default())
        } else {
            Source::Given(Arc::new(load(&given(files)?)?))
        };
        Ok(Self { source, permissions: Kept::default() })
    }

    /// The policy for `user`.
    ///
    /// # Errors
    /// A file of the user's cannot be read, or is not valid.
    pub(crate) fn of(&self, user: &User) -> Result<Arc<Policy>, Unusable> {
        match &self.source {
            Source::Given(policy) => Ok(Arc::clone(policy)),
            Source::User(kept) => kept.get(user, load_users),
        }
    }

    /// The policy that is the `permission` object `text`.
    ///
    /// # Errors
    /// It is not valid.
    pub(crate) fn of_permission(&self, text: &str) -> Result<Arc<Policy>, Unusable> {
        self.permissions.get(&text.to_owned(), |text| {
            Policy::from_permission(text)
                .map(|loaded| loaded.policy)
                .map_err(|error| Unusable::Unreadable(error.to_string()))
        })
    }
}

/// Why there is no policy.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum Unusable {
    /// A file cannot be read, or a permission object is not valid.
    #[error("{0}")]
    Unreadable(String),
    /// A file is not valid.
    #[error(transparent)]
    Invalid(LoadError),
}

impl From<Unusable> for Failure {
    fn from(unusable: Unusable) -> Self {
        let next = match &unusable {
            Unusable::Unreadable(_) => None,
            Unusable::Invalid(error) => error.problems.first(),
        };
        let next = next.map(|problem| format!("\n  see it underlined: innercmd policy check {}", problem.file));
        Self::Usage(format!("{unusable}{}", next.unwrap_or_default()))
    }
}

/// The files that count, and those that do not.
pub(crate) struct Chosen {
    /// In the order of their scopes; none where the built-in policy counts.
    pub(crate) files: Vec<ScopeFile>,
    /// Those of a project that is not trusted.
    pub(crate) untrusted: Vec<ScopeFile>,
}

/// Chooses the `files` that were given, or the user's own where none were.
///
/// # Errors
/// There are more files than scopes.
pub(crate) fn choose(files: &[PathBuf], user: &User) -> Result<Chosen, Failure> {
    if !files.is_empty() {
        return Ok(Chosen { files: given(files)?, untrusted: vec![] });
    }
    let found = places(user.home.as_deref(), &user.cwd).files(user.agent.as_deref());
    Ok(Chosen { files: found.files, untrusted: found.untrusted })
}

impl Chosen {
    /// The policy of these files.
    ///
    /// # Errors
    /// A file cannot be read, or is not valid.
    pub(crate) fn load(&self) -> Result<Policy, Unusable> {
        if self.files.is_empty() { Ok(Policy::embedded_default()) } else { load(&self.files) }
    }
}

/// Where the files of a user with this home and project live.
pub(crate) fn places(home: Option<&str>, project: &str) -> Places {
    let agent_dir = variable("PI_CODING_AGENT_DIR").map(Into::into);
    Places::new(agent_dir, home.map(Path::new), Path::new(project))
}

fn load_users(user: &User) -> Result<Policy, Unusable> {
    let chosen = choose(&[], user).map_err(|failure| Unusable::Unreadable(failure.to_string()))?;
    for file in &chosen.untrusted {
        anstream::eprintln!("innercmd: note: `{}` is left out: the project is not trusted", file.name());
    }
    chosen.load()
}

fn given(files: &[PathBuf]) -> Result<Vec<ScopeFile>, Failure> {
    if files.len() > Scope::ALL.len() {
        return Err(Failure::Usage("there are four scopes at most, and so four policy files".to_owned()));
    }
    let scopes = Scope::ALL.into_iter().zip(files);
    Ok(scopes.map(|(scope, path)| ScopeFile { scope, path: path.clone() }).collect())
}

fn load(files: &[ScopeFile]) -> Result<Policy, Unusable> {
    let texts: Vec<(String, String, Origin)> =
        files.iter().map(read).collect::<Result<_, _>>().map_err(Unusable::Unreadable)?;
    let sources: Vec<PolicySource<'_>> =
        texts.iter().map(|(name, text, origin)| PolicySource { name, text, origin: *origin }).collect();
    let Loaded { policy, diagnostics, .. } = Policy::load(&sources).map_err(Unusable::Invalid)?;
    for diagnostic in diagnostics {
        anstream::eprintln!("innercmd: warning: {diagnostic}");
    }
    Ok(policy)
}

fn read(file: &ScopeFile) -> Result<(String, String, Origin), String> {
    Ok((file.name(), read_text(&file.path)?, file.scope.origin()))
}

/// The text of a file that the caller named.
///
/// # Errors
/// It cannot be read; the message names it.
pub(crate) fn read_text(path: &Path) -> Result<String, String> {
    #[expect(clippy::disallowed_methods, reason = "the command line is the place that reads the policy files")]
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Policies by what they were made of, each made once.
struct Kept<K>(Mutex<HashMap<K, Result<Arc<Policy>, Unusable>>>);

impl<K> Default for Kept<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Clone + Eq + Hash> Kept<K> {
    fn get(&self, key: &K, make: impl FnOnce(&K) -> Result<Policy, Unusable>) -> Result<Arc<Policy>, Unusable> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = lock().get(key) {
            return kept.clone();
        }
        let made = make(key).map(Arc::new);
        let mut kept = lock();
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        kept.insert(key.clone(), made.clone());
        made
    }
}
