//! Writes generated texts as JSON lines: `cargo run -p innercmd-bash-gen --example texts -- COUNT [FIRST_SEED [SIZE]] [plain]`.
//!
//! `command` is the text and `executes` what it was meant to hold; a word that only execution can tell is null.

use std::io::{BufWriter, Write};

use innercmd_bash_gen::{Generator, plain};

fn main() -> std::io::Result<()> {
    let (words, numbers): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument == "plain");
    let mut numbers = numbers.iter().map(|number| number.parse::<u64>().unwrap_or_default());
    let count = numbers.next().unwrap_or(10);
    let first = numbers.next().unwrap_or_default();
    let size = numbers.next().and_then(|size| usize::try_from(size).ok()).unwrap_or(12);
    let mut out = BufWriter::new(std::io::stdout().lock());
    for seed in first..first.saturating_add(count) {
        let generated = if words.is_empty() { Generator::new(seed, size).program() } else { plain(seed, size) };
        let line = serde_json::json!({ "seed": seed, "command": generated.text, "executes": generated.commands });
        writeln!(out, "{line}")?;
    }
    out.flush()
}
