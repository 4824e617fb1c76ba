//! `cargo xtask dist`: the npm packages, packed, listed and checked.
#![expect(clippy::disallowed_methods, reason = "packing reads and writes files and starts processes")]

use std::collections::BTreeSet;
use std::fmt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use serde_json::{Value, json};

/// Where the extension lies.
const EXTENSION: &str = "crates/host-pi/extension";
/// The name of the extension's package, and the beginning of the platform's.
const NAME: &str = "innercmd-pi";
/// What the extension's package holds beside its sources.
const BESIDE_SOURCES: [&str; 4] = ["README.md", "package.json", "LICENSE-APACHE", "LICENSE-MIT"];
/// The texts of the licences, which npm packs wherever they lie.
const LICENSES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// The options of `cargo xtask dist`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Where the tarballs go, relative to the workspace.
    #[arg(long, default_value = "dist")]
    out: PathBuf,
}

/// Why nothing was packed.
#[derive(Debug)]
pub(crate) struct Failure(String);

/// A packed npm package.
#[derive(Debug)]
pub(crate) struct Packed {
    /// Its `package.json`.
    pub(crate) manifest: Value,
    /// Its tarball.
    pub(crate) tarball: PathBuf,
    /// The hash npm checks.
    pub(crate) integrity: String,
    /// What it holds: paths, modes and sizes.
    pub(crate) files: Vec<(String, u32, u64)>,
}

/// Packs, and prints what was packed.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let root = workspace();
    let packed = build(&root).and_then(|sidecar| pack(&root, &sidecar, &root.join(&arguments.out)));
    match packed {
        Ok(packages) => {
            for package in &packages {
                println!("{}", package.tarball.display());
                for (path, mode, size) in &package.files {
                    println!("  {mode:o} {size:>9} {path}");
                }
            }
            ExitCode::SUCCESS
        }
        Err(failure) => {
            eprintln!("dist: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// The directory of the workspace that cargo runs this task for.
pub(crate) fn workspace() -> PathBuf {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let root = manifest.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR"))).join("../..");
    root.canonicalize().unwrap_or(root)
}

/// Builds the sidecar for release, without the paths of this machine in it, and returns the executable.
pub(crate) fn build(root: &Path) -> Result<PathBuf, Failure> {
    let cargo_home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo_home = cargo_home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |directory| root.join(directory));
    let maps = [(Some(root), "/innercmd"), (cargo_home.as_deref(), "/cargo")];
    let maps = maps.map(|(from, to)| Some(format!("{}={to}", from?.display())));
    let flags = |flag: &str| -> Vec<String> { maps.iter().flatten().map(|map| format!("{flag}={map}")).collect() };
    let output = Command::new("cargo")
        .args(["build", "--release", "--package", "innercmd-host-pi", "--bin", NAME])
        .args(["--config", "profile.release.strip=true", "--message-format=json-render-diagnostics", "--target-dir"])
        // Beside the other builds, whose flags are others.
        .arg(target.join("dist"))
        .env("CARGO_ENCODED_RUSTFLAGS", flags("--remap-path-prefix").join("\x1f"))
        // The parser's C code names its files where it asserts something.
        .env("CFLAGS", flags("-ffile-prefix-map").join(" "))
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()?;
    let messages = String::from_utf8_lossy(&output.stdout).into_owned();
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut built = messages.filter_map(|message| message.get("executable")?.as_str().map(PathBuf::from));
    built.next_back().ok_or_else(|| Failure("the sidecar was not built".to_owned()))
}

/// Packs the extension and the package of this platform with `sidecar` in it, and checks both.
pub(crate) fn pack(root: &Path, sidecar: &Path, out: &Path) -> Result<[Packed; 2], Failure> {
    std::fs::create_dir_all(out)?;
    let stage = tempfile::tempdir()?;
    let (for_extension, for_platform) = (stage.path().join("extension"), stage.path().join("platform"));
    stage_extension(root, &for_extension)?;
    let extension = npm_pack(&for_extension, out)?;
    check_extension(root, &extension)?;
    stage_platform(root, &for_platform, sidecar, &extension.manifest)?;
    let platform = npm_pack(&for_platform, out)?;
    check_platform(&extension, &platform)?;
    check_texts(root, sidecar)?;
    Ok([extension, platform])
}

/// Lays out the extension's package.
fn stage_extension(root: &Path, stage: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(stage.join("src"))?;
    for entry in std::fs::read_dir(root.join(EXTENSION).join("src"))? {
        let entry = entry?;
        std::fs::copy(entry.path(), stage.join("src").join(entry.file_name()))?;
    }
    for name in ["README.md", "package.json"] {
        std::fs::copy(root.join(EXTENSION).join(name), stage.join(name))?;
    }
    copy_licenses(root, stage)
}

/// Lays out the package of this platform.
fn stage_platform(root: &Path, stage: &Path, sidecar: &Path, extension: &Value) -> Result<(), Failure> {
    let (os, cpu) = platform();
    let binary = stage.join("bin").join(NAME);
    std::fs::create_dir_all(stage.join("bin"))?;
    copy_licenses(root, stage)?;
    std::fs::copy(sidecar, &binary)?;
    std::fs::set_permissions(&binary, std::fs::Permissions::from_mode(0o755))?;
    let manifest = json!({
        "name": format!("{NAME}-{os}-{cpu}"),
        "version": text_at(extension, "/version"),
        "description": format!("The engine of {NAME} for {os}-{cpu}"),
        "license": text_at(extension, "/license"),
        "os": [os],
        "cpu": [cpu],
        "files": ["bin", "LICENSE-*"],
    });
    Ok(std::fs::write(stage.join("package.json"), format!("{manifest:#}\n"))?)
}

fn copy_licenses(root: &Path, stage: &Path) -> Result<(), Failure> {
    for name in LICENSES {
        std::fs::copy(root.join(name), stage.join(name))?;
    }
    Ok(())
}

/// Node's names for the platform this runs on.
fn platform() -> (&'static str, &'static str) {
    let os = if cfg!(target_os = "macos") { "darwin" } else { "linux" };
    let cpu = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    (os, cpu)
}

fn npm_pack(directory: &Path, out: &Path) -> Result<Packed, Failure> {
    let output = Command::new("npm")
        .args(["pack", "--json", "--ignore-scripts", "--loglevel=error", "--pack-destination"])
        .arg(out)
        .current_dir(directory)
        .output()?;
    if !output.status.success() {
        return Err(Failure(format!("npm pack: {}", String::from_utf8_lossy(&output.stderr))));
    }
    let report: Value = serde_json::from_slice(&output.stdout).map_err(|error| Failure(error.to_string()))?;
    // A list, or since npm 12 an object by package name.
    let package = report.get(0).or_else(|| report.as_object()?.values().next());
    let package = package.ok_or_else(|| Failure(format!("npm pack said {report}")))?;
    let text = |name: &str| package.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let files = package.get("files").and_then(Value::as_array).cloned().unwrap_or_default();
    let files = files.iter().map(|file| {
        let path = file.get("path").and_then(Value::as_str).unwrap_or_default().to_owned();
        let mode = file.get("mode").and_then(Value::as_u64).and_then(|mode| u32::try_from(mode).ok());
        (path, mode.unwrap_or_default(), file.get("size").and_then(Value::as_u64).unwrap_or_default())
    });
    let manifest = std::fs::read(directory.join("package.json"))?;
    Ok(Packed {
        manifest: serde_json::from_slice(&manifest).map_err(|error| Failure(error.to_string()))?,
        tarball: out.join(text("filename")),
        integrity: text("integrity"),
        files: files.collect(),
    })
}

/// Expects the sources and nothing else, and a manifest that Pi and npm take as it is meant.
fn check_extension(root: &Path, package: &Packed) -> Result<(), Failure> {
    let mut expected: BTreeSet<String> = BESIDE_SOURCES.iter().map(|name| (*name).to_owned()).collect();
    for entry in std::fs::read_dir(root.join(EXTENSION).join("src"))? {
        expected.insert(format!("src/{}", entry?.file_name().display()));
    }
    let found: BTreeSet<String> = package.files.iter().map(|(path, ..)| path.clone()).collect();
    ensure(found == expected, || format!("the extension holds {found:?}, not {expected:?}"))?;
    let manifest = &package.manifest;
    let version = env!("CARGO_PKG_VERSION");
    ensure(text_at(manifest, "/version") == version, || format!("the extension is not of version {version}"))?;
    ensure(manifest.get("dependencies").is_none(), || "the extension has dependencies".to_owned())?;
    ensure(manifest.get("scripts").is_none(), || "the extension has scripts".to_owned())?;
    let peers = manifest.get("peerDependencies").and_then(Value::as_object).cloned().unwrap_or_default();
    ensure(peers.values().all(|range| range == "*"), || "a host package is not a peer of any version".to_owned())?;
    let entries = manifest.pointer("/pi/extensions").and_then(Value::as_array).cloned().unwrap_or_default();
    let mut entries = entries.iter().filter_map(Value::as_str).map(|path| path.trim_start_matches("./"));
    ensure(entries.all(|path| found.contains(path)), || "an extension that Pi would load is not packed".to_owned())
}

/// Expects an executable and a manifest, and that the extension asks for exactly this package.
fn check_platform(extension: &Packed, package: &Packed) -> Result<(), Failure> {
    let found: Vec<(&str, u32)> = package.files.iter().map(|(path, mode, _)| (path.as_str(), *mode)).collect();
    let expected =
        [("LICENSE-APACHE", 0o644), ("LICENSE-MIT", 0o644), ("bin/innercmd-pi", 0o755), ("package.json", 0o644)];
    ensure(found == expected, || format!("the platform package holds {found:?}"))?;
    let wanted =
        text_at(&extension.manifest, &format!("/optionalDependencies/{}", text_at(&package.manifest, "/name")));
    let is_asked_for = wanted == text_at(&package.manifest, "/version");
    ensure(is_asked_for, || format!("the extension asks for version `{wanted}` of its engine"))
}

/// Expects that no packed file names a path of this machine.
fn check_texts(root: &Path, sidecar: &Path) -> Result<(), Failure> {
    let home = std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.components().count() > 1);
    let paths = home.iter().map(PathBuf::as_path).chain([root]).map(|path| path.display().to_string());
    let paths: Vec<String> = paths.collect();
    let sources = std::fs::read_dir(root.join(EXTENSION).join("src"))?.flatten().map(|entry| entry.path());
    for file in sources.chain([sidecar.to_owned()]) {
        let bytes = std::fs::read(&file)?;
        let named = paths.iter().find(|path| bytes.windows(path.len()).any(|window| window == path.as_bytes()));
        ensure(named.is_none(), || format!("{} names a path of this machine", file.display()))?;
    }
    Ok(())
}

fn text_at<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), Failure> {
    if holds { Ok(()) } else { Err(Failure(otherwise())) }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self(error.to_string())
    }
}
