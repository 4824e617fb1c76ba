//! `cargo xtask parity`: the same policies and commands, decided by pi-permission-system and by this workspace.
#![expect(clippy::disallowed_methods, reason = "the harness reads files and starts a process")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

mod host;
mod kinds;
mod ours;
mod phrases;
mod policies;
mod triples;

use crate::dist;
use crate::e2e::{Failure, Toolchain};
use host::Theirs;
pub(crate) use host::{Host, VERSION};
use kinds::{Difference, Kind};
use ours::Ours;
use strum::IntoEnumIterator as _;
use triples::Triple;

/// The options of `cargo xtask parity`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Where Node and pi-permission-system are kept, relative to the workspace.
    #[arg(long, default_value = ".cache/e2e")]
    cache: PathBuf,
    /// How many policies and commands are generated.
    #[arg(long, default_value_t = 24_000)]
    count: usize,
    /// What they are generated from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// JSON lines with a `command` each, to be decided under every policy of the harness; may be given more than once.
    #[arg(long)]
    commands: Vec<PathBuf>,
    /// How many decisions of each kind are shown.
    #[arg(long, default_value_t = 0)]
    show: usize,
    /// Succeeds where nothing can be compared, since pi-permission-system cannot be fetched.
    #[arg(long)]
    offline_ok: bool,
}

/// About how many texts a new process is asked at most.
const MOST_ASKED_AGAIN: usize = 200;

/// Compares, prints what was found by kind, and fails where a decision is looser in no named kind.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let root = dist::workspace();
    let host = match Host::fetch(&root, &root.join(&arguments.cache)) {
        Ok(host) => host,
        Err(failure) => {
            eprintln!("parity: SKIPPED, nothing was compared: {failure}");
            return if arguments.offline_ok { ExitCode::SUCCESS } else { ExitCode::FAILURE };
        }
    };
    match compare(arguments, host) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(failure) => {
            eprintln!("parity: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Compares all decisions, and returns how many are looser, or different in no named kind.
fn compare(arguments: &Arguments, host: Host) -> Result<usize, Failure> {
    let triples = all_triples(arguments)?;
    let begin = Instant::now();
    let mut theirs = host.decide(&triples)?;
    let theirs_took = begin.elapsed();
    let begin = Instant::now();
    let ours = ours::decide(&triples)?;
    let ours_took = begin.elapsed();
    ask_again(&host, &triples, &mut theirs, &ours)?;

    let differences = triples.iter().zip(&theirs).zip(&ours).filter_map(|((triple, theirs), ours)| {
        kinds::difference(theirs, ours).map(|difference| (triple, theirs, ours, difference))
    });
    let (mut counts, mut looser) = (BTreeMap::<Kind, usize>::new(), 0);
    for (triple, theirs, ours, difference) in differences {
        let (heading, shown) = match difference {
            Difference::Named(kind) => {
                let count = counts.entry(kind).or_default();
                *count += 1;
                (<&str>::from(kind), *count <= arguments.show)
            }
            Difference::Unnamed => {
                looser += 1;
                ("IN NO KIND", true)
            }
        };
        if shown {
            println!("{heading}: {:?} there, {:?} here ({})", theirs.decision, ours.effect, ours.code);
            println!("    {:?} in {} under {}", triple.command, triple.cwd, triple.permission);
        }
    }
    report(triples.len(), &counts, looser);
    println!("{:.1} s there, {:.1} s here", theirs_took.as_secs_f32(), ours_took.as_secs_f32());
    Ok(looser)
}

/// Asks a new process about each decision that differs in no kind: the parser of pi-permission-system keeps state from one text
/// to the next, and what it says about a text depends on those before it.
fn ask_again(host: &Host, triples: &[Triple], theirs: &mut [Theirs], ours: &[Ours]) -> Result<(), Failure> {
    let decisions = triples.iter().zip(theirs).zip(ours);
    let unnamed = |((_, theirs), ours): &((&Triple, &mut Theirs), &Ours)| {
        kinds::difference(theirs, ours) == Some(Difference::Unnamed)
    };
    for ((triple, theirs), _) in decisions.filter(unnamed).take(MOST_ASKED_AGAIN) {
        if let [again] = host.decide(std::slice::from_ref(triple))?.as_mut_slice() {
            std::mem::swap(again, theirs);
        }
    }
    Ok(())
}

fn report(compared: usize, counts: &BTreeMap<Kind, usize>, looser: usize) {
    println!("{compared} decisions compared with pi-permission-system {VERSION}");
    let different: usize = counts.values().sum();
    println!("{:>7} equal", compared.saturating_sub(different).saturating_sub(looser));
    for kind in Kind::iter() {
        let what = if kind.is_looser() { "asked about there alone" } else { "stricter here" };
        println!("{:>7} {what}: {}", counts.get(&kind).copied().unwrap_or_default(), <&str>::from(kind));
    }
    println!("{looser:>7} in no kind");
}

fn all_triples(arguments: &Arguments) -> Result<Vec<Triple>, Failure> {
    let mut triples = triples::fixtures()?;
    for file in &arguments.commands {
        triples.extend(triples::under_every_policy(&triples::commands(&read(file)?)?));
    }
    triples.extend(triples::generated(arguments.seed, arguments.count));
    Ok(triples)
}

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}

impl Host {
    /// Makes `cache` hold pi-permission-system and the Node that runs it.
    pub(crate) fn fetch(root: &Path, cache: &Path) -> Result<Self, Failure> {
        std::fs::create_dir_all(cache)?;
        let tools = Toolchain::fetch(cache)?;
        let package = tools.permission_system()?;
        Ok(Self {
            node: tools.node().to_owned(),
            package,
            script: root.join("crates/xtask/src/parity/node/decide.mjs"),
        })
    }
}
