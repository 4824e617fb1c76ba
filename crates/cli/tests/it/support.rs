use std::path::{Path, PathBuf};

use assert_cmd::Command;
use tempfile::TempDir;

/// A policy file for most tests.
pub(crate) const POLICY: &str = r#"{
    "authorizerChain": ["inner-cmd"],
    "permission": {
        "*": "allow",
        "bash": {
            "*": "ask",
            "git *": "allow",
            "git push *": "ask",
            "rm *": { "action": "deny", "reason": "Move it to the trash instead" }
        },
        "path": { "*": "allow", "*.env": "deny" },
        "external_directory": "ask"
    }
}"#;

/// A user with a home, a project in it, and nothing else.
pub(crate) struct User {
    root: TempDir,
}

/// What a run came to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl User {
    pub(crate) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(root.path().join("project")).unwrap();
        Self { root }
    }

    /// A user whose home holds `policy.json` with [`POLICY`].
    pub(crate) fn with_policy() -> Self {
        let user = Self::new();
        user.write("policy.json", POLICY);
        user
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root.path().canonicalize().unwrap().join(path)
    }

    #[expect(clippy::disallowed_methods, reason = "the tests make the files the command reads")]
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new("/"))).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Runs the command in the project; `{}` in an argument stands for the user's home.
    pub(crate) fn run(&self, arguments: &[&str], input: &str) -> Ran {
        self.run_with(&[], arguments, input)
    }

    /// The same with these environment variables.
    pub(crate) fn run_with(&self, variables: &[(&str, &str)], arguments: &[&str], input: &str) -> Ran {
        let home = self.path("");
        let home = home.to_str().unwrap().trim_end_matches('/');
        let mut command = Command::new(env!("CARGO_BIN_EXE_innercmd"));
        command.env_clear().envs(variables.iter().copied()).env("HOME", home).current_dir(self.path("project"));
        let arguments = arguments.iter().map(|argument| argument.replace("{}", home));
        let output = command.args(arguments).write_stdin(input).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace(home, "{}");
        Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
    }
}

/// The lines of some output as JSON.
pub(crate) fn json_lines(text: &str) -> Vec<serde_json::Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
