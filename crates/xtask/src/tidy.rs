//! Checks that no tool makes for us: which crate may know which.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// The crates of the workspace, and the ones each may depend on. Development dependencies count too.
const PERMITTED_EDGES: [(&str, &[&str]); 11] = [
    ("innercmd-bash-gen", &[]),
    ("innercmd-bash-units", &["innercmd-bash-gen"]),
    ("innercmd-evidence", &[]),
    ("innercmd-wrapper", &["innercmd-bash-units"]),
    ("innercmd-policy", &["innercmd-bash-gen", "innercmd-bash-units", "innercmd-wrapper"]),
    ("innercmd-authorizer", CORE),
    ("innercmd-file-facts", &["innercmd-bash-units"]),
    ("innercmd-host-pi", ALL),
    ("innercmd-hooks", ALL),
    ("innercmd-cli", WITH_HOOKS),
    ("xtask", EVERYTHING),
];
const CORE: &[&str] = &["innercmd-bash-units", "innercmd-wrapper", "innercmd-policy", "innercmd-evidence"];
const ALL: &[&str] = &[
    "innercmd-bash-units", "innercmd-wrapper", "innercmd-policy", "innercmd-evidence", "innercmd-authorizer",
    "innercmd-file-facts",
];
const WITH_HOOKS: &[&str] = &[
    "innercmd-bash-units", "innercmd-wrapper", "innercmd-policy", "innercmd-evidence", "innercmd-authorizer",
    "innercmd-file-facts", "innercmd-hooks",
];
const EVERYTHING: &[&str] = &[
    "innercmd-bash-gen", "innercmd-host-pi", "innercmd-bash-units", "innercmd-wrapper", "innercmd-policy",
    "innercmd-evidence", "innercmd-authorizer", "innercmd-file-facts", "innercmd-hooks",
];

/// Says which dependencies between the workspace's crates are not permitted.
///
/// # Errors
/// A description, where cargo does not tell the dependencies.
pub(crate) fn forbidden_edges() -> Result<Vec<String>, String> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .output()
        .map_err(|error| format!("cargo metadata did not start: {error}"))?;
    let metadata: Value =
        serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata is not readable: {error}"))?;
    let edges = edges(&metadata);
    let permitted = BTreeMap::from(PERMITTED_EDGES);
    let mut forbidden = Vec::new();
    for (from, to) in &edges {
        match permitted.get(from.as_str()) {
            None => forbidden.push(format!("`{from}` is not in the table of crates")),
            Some(allowed) => {
                forbidden.extend(
                    to.iter()
                        .filter(|to| !allowed.contains(&to.as_str()))
                        .map(|to| format!("`{from}` may not know `{to}`")),
                );
            }
        }
    }
    Ok(forbidden)
}

/// The workspace's crates, each with those it depends on.
fn edges(metadata: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let packages = metadata.get("packages").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let names: BTreeSet<String> = packages.iter().filter_map(|package| text(package, "name")).collect();
    let dependencies = |package: &Value| -> BTreeSet<String> {
        let listed = package.get("dependencies").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        listed.iter().filter_map(|dependency| text(dependency, "name")).filter(|name| names.contains(name)).collect()
    };
    packages.iter().filter_map(|package| Some((text(package, "name")?, dependencies(package)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_know_only_what_the_table_permits() {
        assert_eq!(forbidden_edges().unwrap(), Vec::<String>::new());
    }

    #[test]
    fn an_edge_of_the_metadata_is_seen() {
        let metadata = serde_json::json!({"packages": [
            {"name": "a", "dependencies": [{"name": "b"}, {"name": "serde"}]},
            {"name": "b", "dependencies": []},
        ]});
        assert_eq!(edges(&metadata)["a"], BTreeSet::from(["b".to_owned()]));
    }
}
