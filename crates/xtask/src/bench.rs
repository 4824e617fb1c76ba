//! How long a decision takes, beside a bare parse of the same text in the same run.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use innercmd_bash_units::{BashProgram, LexicalPaths, Limits};
use innercmd_policy::{Policy, Surroundings};

/// How many samples a median is taken of, and how long one sample lasts at least.
const SAMPLES: usize = 101;
const SAMPLE: Duration = Duration::from_millis(2);

/// Eleven units in about 200 bytes, as agents write them.
const COMPOUND: &str = "cd src && git status && git diff --stat | head -30 && ls -la | tail -5; echo done && npm run lint --fix | \
                        grep -v warn || echo failed; pnpm test --run a/b.test.ts && git log -5 | cat";

/// Prints a table of medians.
pub(crate) fn run() -> ExitCode {
    let long = vec![COMPOUND; 10].join("\n");
    let commands = [
        ("git status", "git status"),
        ("timeout 60s echo hi", "timeout 60s echo hi"),
        (
            "quoted",
            "git commit -m \"$(cat <<'EOF'\nfix: it's done (really)\nEOF\n)\" && echo 'x y' | grep -E \"a|b\" 2>/dev/null",
        ),
        ("compound", COMPOUND),
        ("ten compounds", &long),
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

/// A policy with `rules` Bash rules, of which four allow what the commands run.
fn policy(rules: usize) -> Policy {
    let mut lines = vec![r#""*": "ask""#.to_owned()];
    lines.extend((5..rules).map(|number| format!(r#""program{number} --flag *": "deny""#)));
    lines.extend(["git *", "echo *", "pnpm test *", "ls *"].map(|pattern| format!(r#""{pattern}": "allow""#)));
    let text = format!(r#"{{"*": "allow", "bash": {{{}}}}}"#, lines.join(", "));
    Policy::from_permission(&text).map_or_else(|_| Policy::embedded_default(), |loaded| loaded.policy)
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
