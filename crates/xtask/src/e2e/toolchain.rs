//! Fetches Node and Pi from the npm registry into a cache directory.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::Failure;

/// The Node that runs Pi; Pi needs at least 22.19, whatever the machine has.
pub(super) const NODE: &str = "24.21.0";
/// The npm package of Pi.
const PI_PACKAGE: &str = "@earendil-works/pi-coding-agent";
/// The newest Pi the experiments are known to pass on.
pub(super) const PI_NEWEST: &str = "1.6.0";
/// The oldest Pi that is supported.
pub(super) const PI_OLDEST: &str = "0.79.1";
/// The last permission system on npm; it has no authorizer chain.
const PERMISSION_SYSTEM: &str = "@gotgenes/pi-permission-system@20.7.3";
/// The compiler that checks the extension against Pi's own types.
const TYPESCRIPT: &str = "typescript@5.9.3";
/// Node's own types, for the same check.
const NODE_TYPES: &str = "@types/node@24";

/// A cache directory with what was fetched into it.
pub(crate) struct Toolchain {
    cache: PathBuf,
    node: PathBuf,
}

/// One version of Pi, ready to run.
pub(super) struct Pi {
    /// Its version.
    pub(super) version: String,
    /// The script to run with Node.
    pub(super) cli: PathBuf,
    /// The `node_modules` directory it lies in.
    pub(super) modules: PathBuf,
}

impl Pi {
    /// The RPC record that ends a run; the old one may still be followed by a retry, which no experiment provokes.
    pub(super) fn end_of_run(&self) -> &'static str {
        if self.version.starts_with("0.7") { "agent_end" } else { "agent_settled" }
    }
}

impl Toolchain {
    /// Makes `cache` hold Node.
    pub(crate) fn fetch(cache: &Path) -> Result<Self, Failure> {
        let package = format!("node-{}-{}", node_os(), node_arch());
        let modules = install(cache, &format!("node-{NODE}"), &[&format!("{package}@{NODE}")])?;
        Ok(Self { cache: cache.to_owned(), node: modules.join(package).join("bin/node") })
    }

    /// The `node` executable.
    pub(crate) fn node(&self) -> &Path {
        &self.node
    }

    /// Makes the cache hold one version of Pi.
    pub(super) fn pi(&self, version: &str) -> Result<Pi, Failure> {
        let modules = install(&self.cache, &format!("pi-{version}"), &[&format!("{PI_PACKAGE}@{version}")])?;
        let package = modules.join(PI_PACKAGE);
        let manifest = read_json(&package.join("package.json"))?;
        let field = |pointer: &str| {
            let value = manifest.pointer(pointer).and_then(|value| value.as_str()).map(str::to_owned);
            value.ok_or_else(|| Failure::new(format!("Pi's package.json has no {pointer}")))
        };
        Ok(Pi { version: field("/version")?, cli: package.join(field("/bin/pi")?), modules })
    }

    /// Makes the cache hold the permission system from npm, and returns its directory.
    pub(crate) fn permission_system(&self) -> Result<PathBuf, Failure> {
        let modules = install(&self.cache, "permission-system-20.7.3", &[PERMISSION_SYSTEM])?;
        Ok(modules.join("@gotgenes/pi-permission-system"))
    }

    /// Makes the cache hold the TypeScript compiler, and returns the `node_modules` directory it lies in.
    pub(super) fn typescript(&self) -> Result<PathBuf, Failure> {
        install(&self.cache, "typescript", &[TYPESCRIPT, NODE_TYPES])
    }
}

/// Installs `packages` into `cache/name` unless that was done before, and returns its `node_modules`.
fn install(cache: &Path, name: &str, packages: &[&str]) -> Result<PathBuf, Failure> {
    let directory = cache.join(name);
    let modules = directory.join("node_modules");
    let stamp = directory.join(".complete");
    let wanted = packages.join(" ");
    if std::fs::read_to_string(&stamp).is_ok_and(|done| done == wanted) {
        return Ok(modules);
    }
    eprintln!("fetching {wanted}");
    std::fs::create_dir_all(&directory)?;
    std::fs::write(directory.join("package.json"), r#"{"private":true}"#)?;
    let output = Command::new("npm")
        .args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps", "--loglevel=error"])
        .arg("--prefix")
        .arg(&directory)
        .args(packages)
        .output()
        .map_err(|error| Failure::new(format!("npm is needed to fetch {wanted}: {error}")))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::new(format!("npm could not fetch {wanted} (is there a network?):\n{}", said.trim_end())));
    }
    std::fs::write(stamp, wanted)?;
    Ok(modules)
}

pub(super) fn read_json(path: &Path) -> Result<serde_json::Value, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
    serde_json::from_str(&text).map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}

fn node_os() -> &'static str {
    if cfg!(target_os = "macos") { "darwin" } else { "linux" }
}

fn node_arch() -> &'static str {
    if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" }
}
