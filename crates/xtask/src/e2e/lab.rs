//! What the experiments share: where everything lies, how Pi is started for each arrangement, and how processes are looked at.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{
    Failure,
    home::Home,
    model::Model,
    session::{Launch, Session, pi_run},
    toolchain::{Pi, Toolchain},
};

/// Everything an experiment needs.
pub(super) struct Lab<'l> {
    pub(super) tools: &'l Toolchain,
    pub(super) pi: &'l Pi,
    pub(super) model: &'l Model,
    /// The sidecar's executable.
    pub(super) sidecar: &'l Path,
    /// The workspace.
    pub(super) root: &'l Path,
}

/// Which permission system is loaded beside the extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    /// The double of pi-permission-system 25.3 and later, before the extension.
    Double,
    /// The same, behind the extension.
    DoubleBehind,
    /// None.
    Nothing,
    /// Version 20.7.3 from npm.
    Old,
}

/// A home with the executable the extension starts, which an experiment may exchange.
pub(super) struct Place {
    pub(super) home: Home,
}

impl Lab<'_> {
    /// A home with `policy` as the permission system's configuration, and the real sidecar.
    pub(super) fn place(&self, policy: Option<&Value>) -> Result<Place, Failure> {
        let home = Home::new(self.model)?;
        let home = if let Some(policy) = policy { home.with_policy(policy)? } else { home };
        let place = Place { home };
        place.engine(&format!("exec {}", quoted(self.sidecar)))?;
        Ok(place)
    }

    /// Pi with the extension in `place`.
    pub(super) fn start(&self, place: &Place, beside: Beside) -> Result<Session, Failure> {
        self.start_with(place, beside, &[])
    }

    /// The same, with more in Pi's environment.
    pub(super) fn start_with(
        &self,
        place: &Place,
        beside: Beside,
        environment: &[(&'static str, String)],
    ) -> Result<Session, Failure> {
        Session::start(&self.launch(place, beside, environment)?)
    }

    /// Pi without a user interface, given one script; returns the text of its tool results.
    pub(super) fn run_headless(&self, place: &Place, beside: Beside, script: &Value) -> Result<Vec<String>, Failure> {
        let launch = self.launch(place, beside, &[])?;
        let output = pi_run(&launch, &["--mode", "json", &script.to_string()]).output()?;
        let records = String::from_utf8_lossy(&output.stdout).into_owned();
        let records = records.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let ends = records.filter(|record| record["type"] == "tool_execution_end");
        let text = |record: Value| record.pointer("/result/content/0/text").and_then(Value::as_str).map(str::to_owned);
        Ok(ends.filter_map(text).collect())
    }

    fn launch<'p>(
        &'p self,
        place: &'p Place,
        beside: Beside,
        environment: &[(&'static str, String)],
    ) -> Result<Launch<'p>, Failure> {
        let own = self.root.join("crates/host-pi/extension");
        let double = self.part("permission-double.ts");
        let mut extensions = match beside {
            Beside::Double => vec![double, own],
            Beside::DoubleBehind => vec![own, double],
            Beside::Nothing => vec![own],
            Beside::Old => vec![self.tools.permission_system()?, own],
        };
        extensions.push(self.part("blocker.ts"));
        let mut environment = environment.to_vec();
        environment.push(("INNERCMD_PI_BINARY", place.engine_path().display().to_string()));
        Ok(Launch { node: self.tools.node(), pi: self.pi, home: &place.home, extensions, environment })
    }

    /// A file of the harness that Pi or Node loads.
    pub(super) fn part(&self, name: &str) -> PathBuf {
        self.root.join("crates/xtask/src/e2e/pi").join(name)
    }

    /// Makes the executable in `place` a stand-in that behaves as `how` says.
    pub(super) fn stand_in(&self, place: &Place, how: &str) -> Result<(), Failure> {
        let words = [self.tools.node(), &self.part("stand-in.mjs"), Path::new(how), self.sidecar, &place.marker()];
        let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        drop(std::fs::remove_file(place.marker()));
        place.engine(&format!("exec {}", words.join(" ")))
    }
}

impl Place {
    /// The executable that the extension starts.
    pub(super) fn engine_path(&self) -> PathBuf {
        self.home.agent().join("engine")
    }

    /// The file that a stand-in makes when a question has come.
    pub(super) fn marker(&self) -> PathBuf {
        self.home.agent().join("question-has-come")
    }

    /// Makes the executable run `line`.
    pub(super) fn engine(&self, line: &str) -> Result<(), Failure> {
        // Written aside and moved, because the kernel does not replace a file that runs.
        let aside = self.home.agent().join("engine.new");
        std::fs::write(&aside, format!("#!/bin/sh\n{line}\n"))?;
        std::fs::set_permissions(&aside, std::fs::Permissions::from_mode(0o755))?;
        Ok(std::fs::rename(aside, self.engine_path())?)
    }

    /// What the double wrote down.
    pub(super) fn notes(&self) -> Vec<Value> {
        records(&self.home.agent().join("double.jsonl"))
    }

    /// The record of gate mode.
    pub(super) fn audit(&self) -> PathBuf {
        self.home.agent().join("innercmd/audit.jsonl")
    }
}

/// The JSON lines of a file; none where there is no file.
pub(super) fn records(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| json!(line))).collect()
}

/// The child processes of `parent`: their ids.
pub(super) fn children(parent: u32) -> Vec<u32> {
    let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
    let ids = processes.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    ids.filter(|id| parent_of(*id) == Some(parent) && alive(*id)).collect()
}

/// Whether the process `id` exists, and is no zombie.
pub(super) fn alive(id: u32) -> bool {
    stat(id).is_some_and(|fields| fields.first().is_some_and(|state| state != "Z" && state != "X"))
}

/// How many files the process `id` holds open.
pub(super) fn handles(id: u32) -> usize {
    std::fs::read_dir(format!("/proc/{id}/fd")).map(Iterator::count).unwrap_or_default()
}

/// The resident memory of the process `id`, in KiB.
pub(super) fn memory(id: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}

/// Waits until `done` holds; `false` where it does not in `patience`.
pub(super) fn within(patience: Duration, done: impl Fn() -> bool) -> bool {
    let deadline = Instant::now() + patience;
    while !done() {
        if Instant::now() > deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    true
}

fn parent_of(id: u32) -> Option<u32> {
    stat(id)?.get(1)?.parse().ok()
}

/// The fields of `/proc/ID/stat` behind the name, which may hold anything.
fn stat(id: u32) -> Option<Vec<String>> {
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let (_, fields) = text.rsplit_once(')')?;
    Some(fields.split_whitespace().map(str::to_owned).collect())
}

fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}
