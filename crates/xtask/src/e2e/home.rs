//! A throwaway home for one run of Pi: its configuration, a project directory, nothing of the user's.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Failure, model::Model};

/// A directory with `agent` (Pi's own), `project` (the working directory) and `home`.
pub(super) struct Home {
    directory: TempDir,
}

impl Home {
    /// Makes a home whose only model is `model`.
    pub(super) fn new(model: &Model) -> Result<Self, Failure> {
        let home = Self { directory: TempDir::with_prefix("innercmd-e2e-")? };
        for part in [home.agent(), home.project(), home.user()] {
            std::fs::create_dir_all(part)?;
        }
        let provider = json!({ "api": "openai-completions", "baseUrl": model.base_url(), "apiKey": "none",
            "models": [{ "id": "scripted" }] });
        write_json(&home.agent().join("models.json"), &json!({ "providers": { "scripted": provider } }))?;
        let settings = json!({ "defaultProvider": "scripted", "defaultModel": "scripted" });
        write_json(&home.agent().join("settings.json"), &settings)?;
        Ok(home)
    }

    /// Writes the permission system's configuration file.
    pub(super) fn with_policy(self, policy: &Value) -> Result<Self, Failure> {
        write_json(&self.policy_file(), policy)?;
        Ok(self)
    }

    /// Where the permission system's global configuration lies.
    pub(super) fn policy_file(&self) -> PathBuf {
        self.agent().join("extensions/pi-permission-system/config.json")
    }

    /// Pi's own directory, `PI_CODING_AGENT_DIR`.
    pub(super) fn agent(&self) -> PathBuf {
        self.directory.path().join("agent")
    }

    /// The working directory.
    pub(super) fn project(&self) -> PathBuf {
        self.directory.path().join("project")
    }

    /// The user's home directory.
    pub(super) fn user(&self) -> PathBuf {
        self.directory.path().join("home")
    }
}

/// Writes `value` to `path`, with the directories it needs.
pub(super) fn write_json(path: &Path, value: &Value) -> Result<(), Failure> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    Ok(std::fs::write(path, value.to_string())?)
}
