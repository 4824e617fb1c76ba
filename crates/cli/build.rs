//! Tells the command what it was built from; what cannot be told is `unknown`.

use std::path::Path;
use std::process::Command;

const UNKNOWN: &str = "unknown";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[expect(clippy::disallowed_methods, reason = "cargo tells the build in the environment")]
    let target = std::env::var("TARGET").unwrap_or_default();
    println!("cargo:rustc-env=INNERCMD_TARGET={target}");
    #[expect(clippy::disallowed_methods, reason = "cargo tells the build in the environment")]
    let rustc = std::env::var("RUSTC").ok().and_then(|rustc| said(&rustc, &["--version"]));
    println!(
        "cargo:rustc-env=INNERCMD_RUSTC={}",
        rustc.as_deref().map_or(UNKNOWN, |rustc| rustc.trim_start_matches("rustc "))
    );
    println!("cargo:rustc-env=INNERCMD_COMMIT={}", commit().unwrap_or_else(|| UNKNOWN.to_owned()));
}

/// The commit that is checked out, where the sources are a checkout of their own repository and not a part of another one.
fn commit() -> Option<String> {
    let root = said("git", &["rev-parse", "--show-toplevel"])?;
    if !Path::new(&root).join("crates/cli/build.rs").exists() {
        return None;
    }
    // A commit moves the log of HEAD, also where HEAD names a branch.
    for file in ["HEAD", "logs/HEAD"] {
        let path = said("git", &["rev-parse", "--git-path", file])?;
        if Path::new(&path).exists() {
            println!("cargo:rerun-if-changed={path}");
        }
    }
    said("git", &["rev-parse", "--short=12", "HEAD"])
}

/// The first line that a program says, where it runs and ends well.
#[expect(clippy::disallowed_methods, reason = "the build asks the tools it is built with")]
fn said(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()?.lines().next().map(str::to_owned)
}
