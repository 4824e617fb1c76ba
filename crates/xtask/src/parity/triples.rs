//! Policies, commands and working directories.

use innercmd_bash_gen::{Generator, mutate};
use serde_json::value::RawValue;

use super::{
    phrases::{Random, phrase},
    policies,
};
use crate::e2e::Failure;

/// The home directory that both sides believe in.
pub(super) const HOME: &str = "/home/user";
/// A directory that is nowhere: what the file system holds is no part of the comparison.
const CWD: &str = "/work/project";

const CASES: &str = include_str!("../../../policy/tests/data/cases.jsonl");
const UPSTREAM: &str = include_str!("../../../policy/tests/data/upstream-decisions.jsonl");

/// What is decided.
#[derive(Debug)]
pub(super) struct Triple {
    /// The permission map, as text: the order of its rules counts.
    pub(super) permission: String,
    pub(super) command: String,
    pub(super) cwd: String,
}

impl Triple {
    pub(super) fn permission(&self) -> &str {
        &self.permission
    }
}

#[derive(serde::Deserialize)]
struct Case {
    command: String,
    policy: Box<RawValue>,
    cwd: String,
}

#[derive(serde::Deserialize)]
struct Line {
    command: String,
}

/// The cases out of bug reports by their own policies, and their commands and those with recorded decisions by all of the
/// harness's.
pub(super) fn fixtures() -> Result<Vec<Triple>, Failure> {
    let case = |line: &str| serde_json::from_str::<Case>(line).map_err(|error| Failure::new(error.to_string()));
    let cases: Vec<Case> = CASES.lines().map(case).collect::<Result<_, _>>()?;
    let mut triples = under_every_policy(&commands(CASES)?);
    triples.extend(under_every_policy(&commands(UPSTREAM)?));
    triples.extend(cases.into_iter().map(|case| Triple {
        permission: case.policy.get().to_owned(),
        command: case.command,
        cwd: case.cwd,
    }));
    Ok(triples)
}

/// The commands of `text`, JSON lines.
pub(super) fn commands(text: &str) -> Result<Vec<String>, Failure> {
    let command = |line: &str| {
        let line: Line = serde_json::from_str(line).map_err(|error| Failure::new(format!("{error} in {line}")))?;
        Ok(line.command)
    };
    text.lines().map(command).collect()
}

/// Each of `commands` by each of the harness's own policies.
pub(super) fn under_every_policy(commands: &[String]) -> Vec<Triple> {
    let by = |policy: &str, command: &String| Triple {
        permission: policy.to_owned(),
        command: command.clone(),
        cwd: CWD.to_owned(),
    };
    policies::FIXED.iter().flat_map(|policy| commands.iter().map(|command| by(policy, command))).collect()
}

/// `count` policies and commands that `seed` makes.
pub(super) fn generated(seed: u64, count: usize) -> Vec<Triple> {
    let mut random = Random::new(seed);
    (0..count).map(|_| one(&mut random)).collect()
}

fn one(random: &mut Random) -> Triple {
    let command = match random.below(8) {
        0 | 1 => Generator::new(random.next(), 1 + random.below(12)).program().text,
        2 => mutate(&Generator::new(random.next(), 1 + random.below(6)).program().text, random.next()),
        3 => mutate(&phrase(random), random.next()),
        _ => phrase(random),
    };
    // Neither reaches bash, and JSON and the command line differ in what they make of it.
    let command = command.replace('\0', "");
    let permission =
        if random.below(2) == 0 { random.pick(&policies::FIXED).to_owned() } else { policies::random(random) };
    Triple { permission, command, cwd: CWD.to_owned() }
}
