//! The programs that pi-permission-system knows.

/// Programs that always run another one.
const RUNNERS: [&str; 15] = [
    "doas", "env", "flock", "nice", "nohup", "parallel", "rush", "rust-parallel", "setsid", "stdbuf", "sudo", "time",
    "timeout", "watch", "xargs",
];

const SHELLS: [&str; 5] = ["bash", "dash", "ksh", "sh", "zsh"];

/// Whether the program `name` with `arguments`, as they are typed, is known to run another one.
pub(super) fn runs_another<'a>(name: &str, mut arguments: impl Iterator<Item = &'a str>) -> bool {
    match name {
        "eval" => true,
        "find" => arguments.any(|argument| matches!(argument, "-exec" | "-execdir" | "-ok" | "-okdir")),
        "fd" => arguments.any(|argument| matches!(argument, "-x" | "--exec" | "-X" | "--exec-batch")),
        shell if SHELLS.contains(&shell) => arguments
            .take_while(|argument| *argument != "--")
            .any(|argument| argument.starts_with('-') && !argument.starts_with("--") && argument.contains('c')),
        other => RUNNERS.contains(&other),
    }
}

/// A program whose first arguments are patterns or scripts, and no paths.
#[derive(Clone, Copy)]
pub(super) struct PatternFirst {
    /// Options whose value is no path.
    pub(super) with_value: &'static [&'static str],
    /// Options whose value is a path.
    pub(super) with_file: &'static [&'static str],
    /// How many arguments are patterns or scripts.
    pub(super) patterns: usize,
}

/// What is known of the program `name`, if its first arguments are no paths.
pub(super) fn pattern_first(name: &str) -> Option<PatternFirst> {
    let (with_value, with_file, patterns): (&'static [&'static str], &'static [&'static str], usize) = match name {
        "sed" => (&["-e", "-i"], &["-f"], 1),
        "awk" | "gawk" | "nawk" => (&["-e", "-F", "-v"], &["-f"], 1),
        "grep" | "egrep" | "fgrep" => (&["-e", "-A", "-B", "-C", "-m"], &["-f"], 1),
        "rg" => (&["-e", "-A", "-B", "-C", "-m", "-g", "-t", "-T", "-j", "-M", "-r", "-E"], &["-f"], 1),
        "sd" => (&["-n", "-f"], &[], 2),
        _ => return None,
    };
    Some(PatternFirst { with_value, with_file, patterns })
}
