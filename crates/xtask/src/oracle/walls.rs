//! Tries the walls of the sandbox: texts that would leave a mark, look around or never end.

use std::fs;
use std::path::Path;

use super::{Error, Oracle};

/// Texts that a limit has to end.
const ENDLESS: [&str; 6] = [
    ":(){ :|:& };:",
    "while :; do :; done",
    "x=aaaa; while :; do x=$x$x; done",
    "trap '' TERM KILL PROF; set -m; (while :; do :; done) &",
    "kill -STOP $$",
    "f() { f; }; f",
];

/// Texts that try to take the oracle's own means away, each before a command that must still be seen.
const MEDDLING: [&str; 7] = [
    "exec 100>&- 101>&- <&- >&- 2>&-; seen",
    "kill -9 1 -1; seen",
    "ulimit -n 4; ulimit -u 1; seen",
    "enable -f /lib/interpose.so x; seen",
    "unset PATH LD_PRELOAD; hash -r; seen",
    "exec 3<>/dev/tcp/127.0.0.1/1; seen",
    "echo {1..1000000000}; seen",
];

/// Whether every wall holds; prints what does not.
///
/// # Errors
/// An oracle that cannot be asked, or a file that cannot be written.
pub(super) fn hold(oracle: &Oracle, cache: &Path) -> Result<bool, Error> {
    let mut broken = nothing_is_touched(oracle, cache)?;
    broken.extend(nothing_is_seen(oracle)?);
    broken.extend(everything_ends(oracle)?);
    broken.iter().for_each(|wall| println!("BROKEN: {wall}"));
    println!("walls: {} broken", broken.len());
    Ok(broken.is_empty())
}

/// A file of ours stays as it is whatever a text does to it, and is not read either.
fn nothing_is_touched(oracle: &Oracle, cache: &Path) -> Result<Vec<String>, Error> {
    const CONTENT: &str = "canary";
    let file = std::path::absolute(cache.join("canary")).map_err(Error::io(cache))?;
    fs::write(&file, CONTENT).map_err(Error::io(&file))?;
    let (path, made) = (file.display(), file.with_extension("made"));
    let texts = [
        format!("rm -rf {path}; rm -rf $(dirname {path}); evil {path}"),
        format!(": > {path}; echo x >> {path}; printf x 1<> {path}; exec 3> {path}; echo x >&3"),
        format!("cd $(dirname {path}); cd {}; : > canary; echo x > {}", cache.display(), made.display()),
        format!("read -r x < {path}; $x; x=$(< {path}); $x; mapfile -t x < {path}; $x; . {path}; exec < {path}"),
        format!("exec /bin/sh -c ': > {path}'"),
    ];
    let readings = oracle.executes(&texts.each_ref().map(String::as_str))?;
    let read = readings.iter().flat_map(|reading| {
        reading.runs.execs.iter().chain(reading.walk.commands.iter().filter_map(|command| command.argv.as_ref()))
    });
    let mut broken: Vec<String> = read
        .filter(|argv| argv.first().is_some_and(|name| name == CONTENT))
        .map(|_| "a file was read".to_owned())
        .collect();
    if fs::read_to_string(&file).ok().as_deref() != Some(CONTENT) || made.exists() {
        broken.push("a file was written".to_owned());
    }
    Ok(broken)
}

/// The root of a cell holds nothing of the machine.
fn nothing_is_seen(oracle: &Oracle) -> Result<Vec<String>, Error> {
    const OURS: [&str; 7] = ["/bin", "/dev", "/lib", "/lib64", "/oracle", "/w", "/*"];
    let readings = oracle.executes(&["seen /*"])?;
    let names = readings.iter().flat_map(|reading| &reading.runs.execs).flat_map(|argv| argv.iter().skip(1));
    Ok(names.filter(|name| !OURS.contains(&name.as_str())).map(|name| format!("`{name}` is visible")).collect())
}

/// What never ends is ended, and the oracle answers the next text as before.
fn everything_ends(oracle: &Oracle) -> Result<Vec<String>, Error> {
    let mut broken = Vec::new();
    for (text, reading) in ENDLESS.iter().zip(oracle.executes(&ENDLESS)?) {
        if reading.runs.ended.reasons().is_empty() || reading.walk.ended.reasons().contains(&"lost") {
            broken.push(format!("no limit ended `{text}`"));
        }
    }
    let seen = vec!["seen".to_owned()];
    for (text, reading) in MEDDLING.iter().zip(oracle.executes(&MEDDLING)?) {
        let walked = reading.walk.commands.iter().any(|command| command.words == seen);
        if !walked || !reading.runs.execs.contains(&seen) {
            broken.push(format!("`{text}` hides what follows"));
        }
    }
    Ok(broken)
}
