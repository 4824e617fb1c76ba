//! The policy files a user of pi-permission-system has, where there are any.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use innercmd_policy::Origin;
use serde_json::Value;

/// Where this user's files live.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// Pi's directory for the user.
    agent_dir: Option<PathBuf>,
    /// The project that a command runs in.
    project: PathBuf,
}

/// A policy file that exists, and the scope it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScopeFile {
    pub(crate) scope: Scope,
    pub(crate) path: PathBuf,
}

impl ScopeFile {
    /// What it is called in messages.
    pub(crate) fn name(&self) -> String {
        self.path.display().to_string()
    }
}

/// The scopes, from the one that others override to the one that overrides all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    Global,
    Project,
    Agent,
    ProjectAgent,
}

impl Scope {
    pub(crate) const ALL: [Self; 4] = [Self::Global, Self::Project, Self::Agent, Self::ProjectAgent];

    /// The origin of its rules.
    pub(crate) fn origin(self) -> Origin {
        match self {
            Self::Global => Origin::Global,
            Self::Project => Origin::Project,
            Self::Agent => Origin::Agent,
            Self::ProjectAgent => Origin::ProjectAgent,
        }
    }
}

impl Places {
    /// The places for a user with this home, and this value of `PI_CODING_AGENT_DIR`.
    pub(crate) fn new(agent_dir: Option<OsString>, home: Option<&Path>, project: &Path) -> Self {
        let agent_dir = match agent_dir.filter(|dir| !dir.is_empty()) {
            Some(dir) => Some(under_home(Path::new(&dir), home)),
            None => home.map(|home| home.join(".pi").join("agent")),
        };
        Self { agent_dir, project: project.to_owned() }
    }

    /// The user's own file, whether it exists or not.
    pub(crate) fn global(&self) -> Option<PathBuf> {
        self.agent_dir.as_ref().map(|dir| dir.join(CONFIG))
    }

    /// The files that exist for `agent`; those of the project only where Pi's user trusts it.
    pub(crate) fn files(&self, agent: Option<&str>) -> Found {
        let agent = agent.filter(|name| is_file_name(name));
        let trusted = self.is_project_trusted();
        let candidates = Scope::ALL.into_iter().filter_map(|scope| {
            let path = match scope {
                Scope::Global => self.global()?,
                Scope::Project => self.project.join(".pi").join(CONFIG),
                Scope::Agent => self.agent_dir.as_ref()?.join("agents").join(format!("{}.md", agent?)),
                Scope::ProjectAgent => self.project.join(".pi").join("agents").join(format!("{}.md", agent?)),
            };
            // A file of which it cannot be told whether it exists is there, and reading it says what is wrong.
            path.try_exists().unwrap_or(true).then_some(ScopeFile { scope, path })
        });
        let (files, untrusted) =
            candidates.partition(|file| trusted || !matches!(file.scope, Scope::Project | Scope::ProjectAgent));
        Found { files, untrusted }
    }

    /// What Pi has noted about the project or, where it has noted nothing, about the nearest directory above it.
    fn is_project_trusted(&self) -> bool {
        let Some(trust) = self.agent_dir.as_ref().and_then(|dir| read_json(&dir.join("trust.json"))) else {
            return false;
        };
        let Ok(project) = self.project.canonicalize() else { return false };
        project.ancestors().filter_map(|directory| trust.get(directory.to_str()?)?.as_bool()).next().unwrap_or(false)
    }
}

/// The policy files that were found.
#[derive(Debug)]
pub(crate) struct Found {
    /// Those that count, in the order of their scopes.
    pub(crate) files: Vec<ScopeFile>,
    /// Those that do not, because their project is not trusted.
    pub(crate) untrusted: Vec<ScopeFile>,
}

const CONFIG: &str = "extensions/pi-permission-system/config.json";

/// Whether `name` stays in the directory it is looked up in.
fn is_file_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(['/', '\\', '\0']) && name != "." && name != ".."
}

fn under_home(path: &Path, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        (Ok(_) | Err(_), _) => path.to_owned(),
    }
}

#[expect(clippy::disallowed_methods, reason = "the command line is the place that reads the user's files")]
fn read_json(path: &Path) -> Option<Value> {
    let text = std::fs::read_to_string(path).ok()?;
    serde_json::from_str(text.strip_prefix('\u{feff}').unwrap_or(&text)).ok()
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the tests make the files they look for")]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    /// A home and a project in it, with the files `paths`.
    fn user(paths: &[&str]) -> (TempDir, Places) {
        let root = tempfile::tempdir().unwrap();
        for path in paths {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "{}").unwrap();
        }
        fs::create_dir_all(root.path().join("work/app")).unwrap();
        let places = Places::new(None, Some(root.path()), &root.path().join("work/app"));
        (root, places)
    }

    fn trust(root: &TempDir, directory: &str, decision: &str) {
        let directory = root.path().canonicalize().unwrap().join(directory);
        let text = format!("{{{:?}: {decision}}}", directory.to_str().unwrap());
        fs::write(root.path().join(".pi/agent/trust.json"), text).unwrap();
    }

    fn scopes(files: &[ScopeFile]) -> Vec<Scope> {
        files.iter().map(|file| file.scope).collect()
    }

    const GLOBAL: &str = ".pi/agent/extensions/pi-permission-system/config.json";
    const PROJECT: &str = "work/app/.pi/extensions/pi-permission-system/config.json";
    const AGENT: &str = ".pi/agent/agents/reviewer.md";
    const PROJECT_AGENT: &str = "work/app/.pi/agents/reviewer.md";

    #[test]
    fn only_files_that_exist_are_found() {
        assert_eq!(scopes(&user(&[]).1.files(Some("reviewer")).files), []);
        assert_eq!(scopes(&user(&[GLOBAL]).1.files(Some("reviewer")).files), [Scope::Global]);
        assert_eq!(scopes(&user(&[GLOBAL, AGENT]).1.files(Some("reviewer")).files), [Scope::Global, Scope::Agent]);
        assert_eq!(scopes(&user(&[GLOBAL, AGENT]).1.files(None).files), [Scope::Global]);
    }

    #[test]
    fn a_project_counts_where_it_or_a_directory_above_it_is_trusted() {
        let (root, places) = user(&[GLOBAL, PROJECT, PROJECT_AGENT]);
        let all = [Scope::Global, Scope::Project, Scope::ProjectAgent];
        let found = || places.files(Some("reviewer"));
        assert_eq!(scopes(&found().files), [Scope::Global]);
        assert_eq!(scopes(&found().untrusted), [Scope::Project, Scope::ProjectAgent]);
        trust(&root, "work/app", "true");
        assert_eq!(scopes(&found().files), all);
        trust(&root, "work", "true");
        assert_eq!(scopes(&found().files), all);
        for (directory, decision) in [("work/app", "false"), ("work/app", "null"), ("other", "true")] {
            trust(&root, directory, decision);
            assert_eq!(scopes(&found().files), [Scope::Global], "{directory} {decision}");
        }
    }

    #[test]
    fn the_name_of_an_agent_leads_nowhere_else() {
        let (_root, places) = user(&[".pi/agent/secret.md", AGENT]);
        assert_eq!(scopes(&places.files(Some("../secret")).files), []);
        assert_eq!(scopes(&places.files(Some("reviewer")).files), [Scope::Agent]);
    }

    #[test]
    fn the_agent_directory_may_lie_elsewhere() {
        let (root, _) = user(&["pi/extensions/pi-permission-system/config.json"]);
        let places = |dir: &str| Places::new(Some(dir.into()), Some(root.path()), Path::new("/"));
        assert_eq!(scopes(&places("~/pi").files(None).files), [Scope::Global]);
        assert_eq!(scopes(&places("").files(None).files), []);
    }
}
