//! How long a decision takes, beside a bare parse of the same text in the same run; beside pi-permission-system's own code; and
//! at worst.

mod hostile;
mod peer;

use std::hint::black_box;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use innercmd_bash_units::{BashProgram, LexicalPaths, Limits};
use innercmd_policy::{Policy, Surroundings};

/// The options of `cargo xtask bench`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Times the decision code of pi-permission-system beside ours, in Node.
    #[arg(long)]
    peer: bool,
    /// Times hostile texts, and says what is answered.
    #[arg(long)]
    hostile: bool,
    /// Where Node and pi-permission-system are kept, relative to the workspace.
    #[arg(long, default_value = ".cache/e2e")]
    cache: PathBuf,
}

/// How many samples a median is taken of, and how long one sample lasts at least.
const SAMPLES: usize = 101;
const SAMPLE: Duration = Duration::from_millis(2);

/// Eleven units in about 200 bytes, as agents write them.
const COMPOUND: &str = "cd src && git status && git diff --stat | head -30 && ls -la | tail -5; echo done && npm run lint --fix | \
                        grep -v warn || echo failed; pnpm test --run a/b.test.ts && git log -5 | cat";

/// Eleven plain units in about 200 bytes.
const PLAIN: &str = "cd src && git status && git diff --stat | head -30 && ls -la | tail -5; echo done && git log --oneline --graph | \
                     grep -v warn || echo failed; pnpm test --run foo/bar.test.ts packages/core/src/index.test.ts";

/// Quoted words, lists and pipelines.
const QUOTED: &str = "git commit -m \"fix: it's done (really)\" && echo 'x y; z' | grep -E \"a|b\" && git log --format='%h %s' | head -5";

/// The same with redirections to files, and a pattern.
const REDIRECTED: &str =
    "grep -rn \"TODO (later)\" src/*.rs 2>/dev/null | sort -u > out.txt && echo 'done' >> \"log file.txt\"";

/// A here-document in a substitution, as coding agents write commits.
const SUBSTITUTION: &str =
    "git commit -m \"$(cat <<'EOF'\nfix: it's done (really)\nEOF\n)\" && echo 'x y' | grep -E \"a|b\" 2>/dev/null";

/// Prints the table that is asked for.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match arguments {
        Arguments { peer: true, cache, .. } => peer::run(cache),
        Arguments { hostile: true, .. } => hostile::run(),
        Arguments { .. } => medians(),
    }
}

/// Prints a table of medians.
fn medians() -> ExitCode {
    let long = [COMPOUND; 10].join("\n");
    let commands = [
        ("git status", "git status"),
        ("timeout 60s echo hi", "timeout 60s echo hi"),
        ("eleven plain units", PLAIN),
        ("compound", COMPOUND),
        ("ten compounds", &long),
        ("quoted", QUOTED),
        ("redirected", REDIRECTED),
        ("substitution", SUBSTITUTION),
        (
            "a thousand bytes",
            &[SUBSTITUTION, REDIRECTED, QUOTED, SUBSTITUTION, QUOTED, REDIRECTED, QUOTED, REDIRECTED].join("\n"),
        ),
    ];
    println!(
        "medians of {SAMPLES} samples, in microseconds; the ratio is that of deciding under 5 rules to a bare tree-sitter parse\n"
    );
    println!("| command | bytes | units | tree-sitter | parse | decide, 5 rules | 65 rules | 1,000 rules | ratio |");
    println!("|---|---|---|---|---|---|---|---|---|");
    let policies = [5, 65, 1000].map(policy);
    for (name, command) in commands {
        let mut parser = tree_sitter::Parser::new();
        if parser.set_language(&tree_sitter_bash::LANGUAGE.into()).is_err() {
            eprintln!("the grammar of tree-sitter-bash does not fit this tree-sitter");
            return ExitCode::FAILURE;
        }
        let bare = median(|| {
            black_box(parser.parse(black_box(command), None));
        });
        let parse = median(|| {
            black_box(BashProgram::parse(black_box(command), &Limits::default()));
        });
        let decide: Vec<f64> = policies.iter().map(|policy| median(|| decide(policy, command))).collect();
        let units = BashProgram::parse(command, &Limits::default()).commands().len();
        let [five, sixty_five, thousand] = decide.as_slice() else { return ExitCode::FAILURE };
        println!(
            "| {name} | {} | {units} | {bare:.2} | {parse:.2} | {five:.2} | {sixty_five:.2} | {thousand:.2} | {:.2} |",
            command.len(),
            five / bare
        );
    }
    ExitCode::SUCCESS
}

fn decide(policy: &Policy, command: &str) {
    let program = BashProgram::parse(black_box(command), &Limits::default());
    let around = Surroundings { cwd: "/work/project", home: Some("/home/user"), facts: &LexicalPaths };
    black_box(policy.judge(&program, &around).decision());
}

fn policy(rules: usize) -> Policy {
    Policy::from_permission(&permission(rules)).map_or_else(|_| Policy::embedded_default(), |loaded| loaded.policy)
}

/// A permission map with `rules` Bash rules, of which four allow what the commands run.
fn permission(rules: usize) -> String {
    let mut lines = vec![r#""*": "ask""#.to_owned()];
    lines.extend((5..rules).map(|number| format!(r#""program{number} --flag *": "deny""#)));
    lines.extend(["git *", "echo *", "pnpm test *", "ls *"].map(|pattern| format!(r#""{pattern}": "allow""#)));
    format!(r#"{{"*": "allow", "bash": {{{}}}}}"#, lines.join(", "))
}

/// The median time of one call, in microseconds.
fn median(mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    call();
    let once = start.elapsed().max(Duration::from_nanos(50));
    let calls = u32::try_from(SAMPLE.as_nanos() / once.as_nanos()).unwrap_or(1).max(1);
    let mut samples: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            let start = Instant::now();
            (0..calls).for_each(|_| call());
            start.elapsed().as_secs_f64() * 1e6 / f64::from(calls)
        })
        .collect();
    samples.sort_by(f64::total_cmp);
    samples.get(SAMPLES / 2).copied().unwrap_or_default()
}
