//! The texts that readings are compared on, fetched into the cache and cut at complete commands by bash itself.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use innercmd_bash_gen::{Generator, mutate};

use super::build::output;
use super::cell::LONGEST_TEXT;
use super::{Error, Oracle, Wanted, commands_of};

/// The adversarial lines, with the commands that bash executes for them on all paths.
pub(super) const ADVERSARIAL: &str = include_str!("../../../bash-units/tests/data/adversarial.jsonl");

/// Lines that readings of ours once got wrong, each with what bash does there.
const FOUND: &str = include_str!("../../corpora/found.jsonl");

/// Where scripts lie on a Debian machine: the directory, and what ends the name of a script that needs no `#!` line.
const SCRIPT_PLACES: [(&str, &[&str]); 8] = [
    ("/var/lib/dpkg/info", &["preinst", "postinst", "prerm", "postrm", "config"]),
    ("/etc/init.d", &[]),
    ("/etc/profile.d", &["sh"]),
    ("/usr/bin", &[]),
    ("/usr/sbin", &[]),
    ("/usr/lib", &["sh", "bash"]),
    ("/usr/share", &["sh", "bash"]),
    ("/usr/share/bash-completion/completions", &[""]),
];

/// Packages on the Python index that hold collections of commands as data.
const COMMAND_COLLECTIONS: [&str; 2] = ["icalfa", "cheat"];

/// What the name of a corpus of generated texts starts with.
const GENERATED: &str = "generated:";

/// How often the outer lines of a chunk are taken off, to reach what stands in its blocks.
const PEELS: usize = 4;

/// The texts of the corpus called `name`: one of ours, or a file of JSON lines.
///
/// # Errors
/// A file that cannot be read, a package that cannot be fetched, an oracle that cannot be asked.
pub(super) fn texts(oracle: &Oracle, cache: &Path, name: &str) -> Result<Vec<String>, Error> {
    match name {
        "adversarial" => commands_of(Path::new(name), ADVERSARIAL),
        "found" => commands_of(Path::new(name), FOUND),
        "bash-tests" => cut(oracle, bash_scripts(oracle.bash_source())?),
        "scripts" => cut(oracle, machine_scripts()?),
        "icalfa" => command_collections(cache),
        _ if name.starts_with(GENERATED) => generated(name),
        file => {
            let path = Path::new(file);
            commands_of(path, &fs::read_to_string(path).map_err(Error::io(path))?)
        }
    }
}

/// `generated:COUNT` or `generated:COUNT:FIRST_SEED`: the texts of so many seeds. Every fourth is changed afterwards, so that
/// it is only almost valid.
fn generated(name: &str) -> Result<Vec<String>, Error> {
    let mut numbers = name.split(':').skip(1).map(str::parse::<u64>);
    let (Some(Ok(count)), Ok(first)) = (numbers.next(), numbers.next().unwrap_or(Ok(0))) else {
        return Err(Error::Input { path: name.into(), reason: "is not `generated:COUNT[:FIRST_SEED]`".to_owned() });
    };
    let text = |seed: u64| {
        // Short ones: a long text has a gap somewhere, and then says nothing.
        let size = 2 + usize::try_from(seed % 12).unwrap_or_default();
        let text = Generator::new(seed, size).program().text;
        if seed % 4 == 3 { mutate(&text, seed) } else { text }
    };
    Ok((first..first.saturating_add(count)).map(text).filter(|text| text.len() <= LONGEST_TEXT).collect())
}

/// The tests, examples and scripts in the source of bash.
fn bash_scripts(source: &Path) -> Result<Vec<String>, Error> {
    let is_script = |path: &Path| {
        let name = path.to_string_lossy();
        let ending = path.extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| ["tests", "sub", "sh", "bash"].contains(&ending))
            || name.contains("/examples/")
            || path.file_name().is_some_and(|name| name == "configure")
    };
    Ok(files_below(source, 6)?.iter().filter(|path| is_script(path)).filter_map(|path| read_text(path)).collect())
}

/// The shell scripts of this machine.
fn machine_scripts() -> Result<Vec<String>, Error> {
    let mut scripts = Vec::new();
    for (place, endings) in SCRIPT_PLACES {
        let place = Path::new(place);
        if !place.is_dir() {
            continue;
        }
        for path in files_below(place, 8)? {
            let ending = path.extension().unwrap_or_default().to_string_lossy();
            if let Some(text) = read_text(&path).filter(|text| endings.contains(&&*ending) || is_shell(text)) {
                scripts.push(text);
            }
        }
    }
    Ok(scripts)
}

/// Whether the first line of `text` asks for a shell of the Bourne family.
fn is_shell(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    let mut names = first.strip_prefix("#!").unwrap_or_default().split(['/', ' ']);
    names.any(|name| ["sh", "bash", "dash"].contains(&name))
}

/// The commands in the collections, one text each.
fn command_collections(cache: &Path) -> Result<Vec<String>, Error> {
    let directory = cache.join("pypi");
    if !directory.join("done").exists() {
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).map_err(Error::io(&directory))?;
        for package in COMMAND_COLLECTIONS {
            fetch_package(&directory, package)?;
        }
        fs::write(directory.join("done"), "").map_err(Error::io(&directory))?;
    }
    let mut commands = Vec::new();
    for path in files_below(&directory, 8)? {
        let Some(text) = read_text(&path) else { continue };
        if path.extension().is_some_and(|ending| ending == "json") {
            commands.extend(serde_json::from_str(&text).map(|value| strings_of(&value)).unwrap_or_default());
        } else if path.parent().is_some_and(|parent| parent.ends_with("cheatsheets")) {
            commands.extend(text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned));
        }
    }
    Ok(unique(commands))
}

/// Downloads `package` and unpacks it; nothing of it is installed or run.
fn fetch_package(directory: &Path, package: &str) -> Result<(), Error> {
    let download = directory.join(format!("{package}.download"));
    output(Command::new("pip").args(["download", "--quiet", "--no-deps", "--dest"]).arg(&download).arg(package))?;
    let target = directory.join(package);
    fs::create_dir_all(&target).map_err(Error::io(&target))?;
    for archive in files_below(&download, 1)? {
        let zipped = archive.extension().is_some_and(|ending| ending == "whl" || ending == "zip");
        let mut unpack = if zipped { Command::new("unzip") } else { Command::new("tar") };
        let unpack = if zipped {
            unpack.arg("-q").arg(&archive).arg("-d").arg(&target)
        } else {
            unpack.arg("-xf").arg(&archive).arg("-C").arg(&target)
        };
        output(unpack)?;
    }
    Ok(())
}

/// Every string under a `gold` key, which is where the data sets keep their commands.
fn strings_of(value: &serde_json::Value) -> Vec<String> {
    let entries = value.as_array().map(Vec::as_slice).unwrap_or_default();
    entries
        .iter()
        .flat_map(|entry| [entry.get("gold"), entry.get("gold2")])
        .filter_map(|command| command.and_then(serde_json::Value::as_str))
        .map(str::to_owned)
        .collect()
}

/// Cuts scripts at complete commands; what stands in the blocks of long chunks is cut too.
fn cut(oracle: &Oracle, scripts: Vec<String>) -> Result<Vec<String>, Error> {
    let mut chunks = Vec::new();
    let mut pending = scripts;
    for round in 0..=PEELS {
        let mut pieces = Vec::new();
        while !pending.is_empty() {
            let (cut, rest) = cut_once(oracle, &pending, round > 0)?;
            pieces.extend(cut);
            pending = rest;
        }
        pieces = unique(pieces);
        pending = pieces.iter().filter_map(|piece| peel(piece)).collect();
        chunks.extend(pieces);
    }
    Ok(unique(chunks))
}

/// The complete commands of each script, and what is left of scripts that are longer than one text can be.
fn cut_once(oracle: &Oracle, scripts: &[String], only_valid: bool) -> Result<(Vec<String>, Vec<String>), Error> {
    let heads: Vec<&str> = scripts.iter().map(|script| head(script)).collect();
    let readings = oracle.read(&heads, Wanted::Cuts)?;
    let (mut pieces, mut rests) = (Vec::new(), Vec::new());
    for ((script, head), reading) in scripts.iter().zip(heads).zip(&readings) {
        let cuts = &reading.walk.cuts;
        if head.len() < script.len() {
            if let Some(rest) = cuts.last().filter(|last| **last > 0).and_then(|last| script.get(*last..)) {
                rests.push(rest.to_owned());
            }
        } else if only_valid && !reading.walk.valid {
            continue;
        }
        let starts = std::iter::once(&0).chain(cuts);
        let between = starts.zip(cuts).filter_map(|(start, end)| script.get(*start..*end));
        pieces.extend(between.filter(|piece| has_command(piece)).map(str::to_owned));
    }
    Ok((pieces, rests))
}

/// As many whole lines of `script` as one text can hold.
fn head(script: &str) -> &str {
    if script.len() <= LONGEST_TEXT {
        return script;
    }
    let end = script.char_indices().take_while(|(at, _)| *at <= LONGEST_TEXT).filter(|(_, char)| *char == '\n').last();
    end.and_then(|(at, _)| script.get(..at)).unwrap_or_default()
}

fn has_command(piece: &str) -> bool {
    piece.lines().any(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
}

/// `piece` without its first and last line, where something is between them.
fn peel(piece: &str) -> Option<String> {
    let (_, rest) = piece.trim().split_once('\n')?;
    let (inner, _) = rest.rsplit_once('\n')?;
    has_command(inner).then(|| inner.to_owned())
}

fn unique(texts: Vec<String>) -> Vec<String> {
    let mut seen = HashSet::new();
    texts.into_iter().filter(|text| seen.insert(text.clone())).collect()
}

/// The text of a file, or nothing where it is no text.
fn read_text(path: &Path) -> Option<String> {
    let is_small = fs::metadata(path).is_ok_and(|data| data.len() < 4 << 20);
    is_small.then(|| fs::read_to_string(path).ok()).flatten().filter(|text| !text.contains('\0'))
}

/// The regular files below `directory`, in order, down to `depth`.
fn files_below(directory: &Path, depth: usize) -> Result<Vec<PathBuf>, Error> {
    let (mut files, mut level) = (Vec::new(), vec![directory.to_owned()]);
    for _ in 0..depth {
        let mut next = Vec::new();
        for directory in &level {
            // A directory that vanishes or is closed to us holds no script.
            for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => next.push(entry.path()),
                    Ok(kind) if kind.is_file() => files.push(entry.path()),
                    _ => {}
                }
            }
        }
        level = next;
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::bash("#!/bin/bash -e\n", true)]
    #[case::env("#!/usr/bin/env bash\n", true)]
    #[case::sh("#! /bin/sh\n", true)]
    #[case::python("#!/usr/bin/python3\n", false)]
    #[case::fish("#!/usr/bin/fish\n", false)]
    #[case::none("echo sh\n", false)]
    fn a_script_is_known_by_its_first_line(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(is_shell(text), expected);
    }

    #[rstest]
    #[case::function("f() {\n  a\n  b\n}\n", Some("  a\n  b"))]
    #[case::comment_alone("f() {\n# a\n}\n", None)]
    #[case::two_lines("if a\nthen b; fi", None)]
    #[case::one_line("a; b", None)]
    fn peeling_leaves_what_stands_between_the_outer_lines(#[case] piece: &str, #[case] expected: Option<&str>) {
        assert_eq!(peel(piece).as_deref(), expected);
    }

    #[test]
    fn a_long_script_is_read_up_to_a_whole_line() {
        let line = "é".repeat(50) + "\n";
        let script = line.repeat(2000);
        let head = head(&script);
        assert!(head.len() <= LONGEST_TEXT && head.len() > LONGEST_TEXT - 2 * line.len());
        assert!(script.strip_prefix(head).unwrap().starts_with('\n'));
        assert_eq!(super::head("short"), "short");
    }

    #[test]
    fn the_commands_of_a_data_set_are_its_gold_strings() {
        let value = serde_json::json!([{ "query": "list", "gold": "ls", "gold2": "ls -l" }, { "gold": 1 }]);
        assert_eq!(strings_of(&value), ["ls", "ls -l"]);
    }
}
