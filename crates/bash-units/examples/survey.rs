//! Counts the gaps of commands read as JSON lines (`{"command": …}`) from standard input, by code.
use innercmd_bash_units::{BashProgram, Limits};
use std::collections::BTreeMap;
fn main() {
    let (mut lines, mut with_gap, mut counts) = (0, 0, BTreeMap::<&str, usize>::new());
    let show = std::env::args().nth(1);
    for line in std::io::stdin().lines() {
        let value: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
        let Some(command) = value["command"].as_str() else { continue };
        let program = BashProgram::parse(command, &Limits::default());
        lines += 1;
        with_gap += usize::from(!program.gaps().is_empty());
        let mut codes: Vec<_> = program.gaps().iter().map(|gap| gap.code.code()).collect();
        for gap in program.gaps() {
            if show.as_deref() == Some(gap.code.code()) {
                println!("{} | {command:?}", gap.span.of(command));
            }
        }
        codes.sort_unstable();
        codes.dedup();
        codes.into_iter().for_each(|code| *counts.entry(code).or_default() += 1);
    }
    println!("{with_gap} of {lines} lines have a gap: {counts:#?}");
}
