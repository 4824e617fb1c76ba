//! What has to hold before a change lands.

use std::process::{Command, ExitCode};

/// The steps, cheapest first.
const STEPS: [(&str, &[&str]); 4] = [
    ("format", &["fmt", "--all", "--", "--check"]),
    ("lints", &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]),
    ("tests", &["test", "--workspace", "--locked"]),
    ("documentation", &["doc", "--workspace", "--no-deps", "--locked"]),
];

/// Runs every step, and stops at the first that fails.
pub(crate) fn run() -> ExitCode {
    for (name, arguments) in STEPS {
        eprintln!("== {name}: cargo {}", arguments.join(" "));
        let status = Command::new(env!("CARGO")).args(arguments).env("RUSTDOCFLAGS", "-D warnings").status();
        match status {
            Ok(status) if status.success() => {}
            Ok(status) => {
                eprintln!("== {name} failed ({status})");
                return ExitCode::FAILURE;
            }
            Err(error) => {
                eprintln!("== {name} did not start: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    eprintln!("== all steps passed");
    ExitCode::SUCCESS
}
