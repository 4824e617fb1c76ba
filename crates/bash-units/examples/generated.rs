//! Reads generated texts and says where the reading is not what was meant:
//! `cargo run --release -p innercmd-bash-units --example generated -- [COUNT [FIRST_SEED]]`.
//!
//! Prints the smallest text of each difference, and for texts that compute nothing how many have a gap, and why.

use std::collections::BTreeMap;
use std::process::ExitCode;

use innercmd_bash_gen::{Generated, Generator};
use innercmd_bash_units::{BashProgram, Limits};

#[path = "../tests/checks/mod.rs"]
mod checks;

const MOST_SHOWN: usize = 20;
const MOST_CHOICES: u64 = 300;

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).map(|number| number.parse::<u64>().unwrap_or_default());
    let count = numbers.next().unwrap_or(10_000);
    let first = numbers.next().unwrap_or_default();
    let mut sums = Sums::default();
    for seed in first..first.saturating_add(count) {
        let choices = choices(seed);
        let generated = Generator::from_bytes(&choices).program();
        sums.add(&generated, &choices);
        if checks::difference(&generated).is_some() {
            sums.different += 1;
            if sums.different <= MOST_SHOWN {
                let small = shrink(choices, |generated| checks::difference(generated).is_some());
                let generated = Generator::from_bytes(&small).program();
                println!("{:?}\n{}", generated.text, checks::difference(&generated).unwrap_or_default());
            }
        }
    }
    sums.print();
    if sums.different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[derive(Default)]
struct Sums {
    texts: usize,
    bytes: usize,
    commands: usize,
    different: usize,
    /// Texts that compute nothing, those of them with a gap, and how many have each code.
    plain: usize,
    gapped: usize,
    /// Those whose gaps are all of the second reading.
    unattested: usize,
    /// For each code, how many texts have it, and the choices of the first.
    codes: BTreeMap<&'static str, (usize, Vec<u8>)>,
}

impl Sums {
    fn add(&mut self, generated: &Generated, choices: &[u8]) {
        self.texts += 1;
        self.bytes += generated.text.len();
        self.commands += generated.commands.len();
        if generated.computed {
            return;
        }
        self.plain += 1;
        let codes = codes(generated);
        self.gapped += usize::from(!codes.is_empty());
        let attests = |code: &&str| ["gap:tree-error", "gap:unaccounted-bytes", "gap:readings-disagree"].contains(code);
        self.unattested += usize::from(!codes.is_empty() && codes.iter().all(attests));
        for code in codes {
            self.codes.entry(code).or_insert_with(|| (0, choices.to_vec())).0 += 1;
        }
    }

    fn print(&self) {
        let Self { texts, bytes, commands, different, plain, gapped, unattested, codes: counts } = self;
        println!("{texts} texts, {bytes} bytes, {commands} commands; {different} are read differently without a gap");
        println!(
            "{gapped} of the {plain} texts that compute nothing have a gap, {unattested} only since the tree has an error:"
        );
        for (code, (count, choices)) in counts {
            let small = shrink(choices.clone(), |generated| !generated.computed && codes(generated).contains(code));
            println!("  {code:30} {count:8}  such as {:?}", Generator::from_bytes(&small).program().text);
        }
    }
}

/// The gap codes of a text, each once.
fn codes(generated: &Generated) -> Vec<&'static str> {
    let program = BashProgram::parse(&generated.text, &Limits::default());
    let mut codes: Vec<&'static str> = program.gaps().iter().map(|gap| gap.code.code()).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

fn choices(seed: u64) -> Vec<u8> {
    let mut state = seed;
    let length = next(&mut state) % MOST_CHOICES;
    (0..length).map(|_| next(&mut state).to_le_bytes()[0]).collect()
}

/// The next number of xorshift64*, with the state spread first.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed ^= mixed >> 12;
    mixed = mixed.wrapping_mul(0x2545_f491_4f6c_dd1d);
    mixed ^= mixed >> 27;
    mixed = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 31)
}

/// Choices that make a smaller text for which `keeps` still holds.
fn shrink(mut choices: Vec<u8>, keeps: impl Fn(&Generated) -> bool) -> Vec<u8> {
    let holds = |choices: &[u8]| keeps(&Generator::from_bytes(choices).program());
    let mut size = choices.len();
    while size > 0 {
        let mut changed = false;
        let mut at = 0;
        while at < choices.len() {
            let mut fewer = choices.clone();
            fewer.drain(at..(at + size).min(choices.len()));
            if holds(&fewer) {
                choices = fewer;
                changed = true;
            } else {
                at += size;
            }
        }
        if size > 1 {
            size = size.div_ceil(2);
            continue;
        }
        for at in 0..choices.len() {
            for divisor in [u8::MAX, 2] {
                let mut simpler = choices.clone();
                simpler.iter_mut().skip(at).take(1).for_each(|choice| *choice /= divisor);
                if simpler != choices && holds(&simpler) {
                    choices = simpler;
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    choices
}
