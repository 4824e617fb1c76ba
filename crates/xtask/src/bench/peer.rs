//! Our decisions beside those of pi-permission-system's own code, under Node, in the same run.

use std::path::Path;
use std::process::ExitCode;

use super::{COMPOUND, PLAIN, QUOTED, REDIRECTED, SUBSTITUTION, decide, median, permission, policy};
use crate::dist;
use crate::e2e::Failure;
use crate::parity::{Host, VERSION};

/// How many samples Node takes its median of, once its code is compiled.
const SAMPLES: usize = 101;

const COMMANDS: [(&str, &str); 6] = [
    ("plain: `git status`", "git status"),
    ("plain: eleven units", PLAIN),
    ("plain: compound", COMPOUND),
    ("quoted: compound", QUOTED),
    ("quoted: redirected", REDIRECTED),
    ("quoted: substitution", SUBSTITUTION),
];

/// Prints a table of medians and their ratios.
pub(super) fn run(cache: &Path) -> ExitCode {
    let root = dist::workspace();
    let host = Host::fetch(&root, &root.join(cache));
    match host.and_then(|host| table(&host)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("bench: nothing was compared: {failure}");
            eprintln!(
                "bench: `--peer` fetches Node and pi-permission-system by npm, once; run it where npm reaches its registry,"
            );
            eprintln!("bench: or bring the directory {} from such a machine", cache.display());
            ExitCode::FAILURE
        }
    }
}

fn table(host: &Host) -> Result<(), Failure> {
    println!(
        "medians in microseconds of one decision, ours and that of pi-permission-system {VERSION} under Node, side by side\n"
    );
    println!("| command | bytes | rules | here | there | ratio |");
    println!("|---|---|---|---|---|---|");
    for (name, command) in COMMANDS {
        for rules in [5, 65, 1000] {
            let ours = policy(rules);
            // Ours before and after theirs, so that a busy moment shows on both sides.
            let before = median(|| decide(&ours, command));
            let theirs = host.time(&permission(rules), command, "/work/project", SAMPLES)?;
            let here = f64::midpoint(before, median(|| decide(&ours, command)));
            println!("| {name} | {} | {rules} | {here:.2} | {theirs:.0} | {:.0} |", command.len(), theirs / here);
        }
    }
    Ok(())
}
