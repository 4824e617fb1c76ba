//! The report, as it is written for programs and laid out for people.

use std::cmp::Reverse;

use innercmd_policy::{Effect, Origin};
use serde::Serialize;

use super::inputs::Input;
use super::judge::Court;
use super::spare::{Spared, spare};
use super::tally::{CauseCount, CauseKey, Decisions, Tally};

/// What a policy would have done.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// The policy's files; none where it is the built-in one.
    pub(crate) policy: Vec<String>,
    pub(crate) inputs: usize,
    pub(crate) lines: u64,
    pub(crate) unreadable: u64,
    /// Where the first line stands that could not be read.
    pub(crate) first_unreadable: Option<String>,
    pub(crate) commands: Decisions,
    pub(crate) units: Decisions,
    /// How many programs there are; the table has the most frequent.
    pub(crate) different_programs: usize,
    pub(crate) programs: Vec<Program>,
    /// How many causes there are; the table has the most frequent.
    pub(crate) different_causes: usize,
    pub(crate) causes: Vec<Cause>,
    pub(crate) spare: Spared,
    pub(crate) against: Option<Against>,
    /// How many entries had to be dropped from full tables; where it is not 0 the counts of rare things are too low.
    pub(crate) dropped: u64,
}

#[derive(Debug, Serialize)]
pub(crate) struct Program {
    pub(crate) program: String,
    #[serde(flatten)]
    pub(crate) units: Decisions,
}

/// Why commands are held back.
#[derive(Debug, Serialize)]
pub(crate) struct Cause {
    pub(crate) code: &'static str,
    pub(crate) description: &'static str,
    pub(crate) rule: Option<Rule>,
    /// The commands that it has a part in.
    pub(crate) ask: u64,
    pub(crate) deny: u64,
    /// Those in which it is the only cause.
    pub(crate) alone: u64,
    /// The shortest of them.
    pub(crate) example: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct Rule {
    pub(crate) surface: String,
    pub(crate) pattern: String,
    pub(crate) decision: &'static str,
    pub(crate) origin: &'static str,
    pub(crate) file: String,
    pub(crate) line: usize,
}

/// What another policy would have done otherwise.
#[derive(Debug, Serialize)]
pub(crate) struct Against {
    pub(crate) policy: String,
    pub(crate) commands: Decisions,
    /// By what the first policy says, and then what the other says: allow, ask, deny.
    pub(crate) moved: [[u64; 3]; 3],
    pub(crate) newly_allowed: Vec<Moved>,
    pub(crate) newly_asked: Vec<Moved>,
    pub(crate) newly_denied: Vec<Moved>,
}

/// A command that is decided otherwise.
#[derive(Debug, Serialize)]
pub(crate) struct Moved {
    pub(crate) command: String,
    pub(crate) before: &'static str,
    pub(crate) times: u64,
}

/// What a report is about.
pub(crate) struct About<'a> {
    pub(crate) files: Vec<String>,
    pub(crate) against: Option<String>,
    pub(crate) inputs: &'a [Input],
    /// How long its tables are.
    pub(crate) top: usize,
}

impl Report {
    pub(crate) fn new(tally: Tally, court: &Court, about: About<'_>) -> Self {
        let dropped =
            [tally.programs.dropped(), tally.causes.dropped(), tally.wanted.dropped(), tally.changes.dropped()];
        let against = about.against.map(|policy| Against::new(policy, &tally, about.top));
        let first_unreadable = tally
            .first_unreadable
            .and_then(|(input, line)| about.inputs.get(input).map(|input| format!("{}:{line}", input.name())));
        let program = |(program, units)| Program { program, units };
        Self {
            policy: about.files,
            inputs: about.inputs.len(),
            lines: tally.lines,
            unreadable: tally.unreadable,
            first_unreadable,
            commands: tally.commands,
            units: tally.units,
            different_programs: tally.programs.len(),
            programs: tally.programs.into_sorted().into_iter().take(about.top).map(program).collect(),
            different_causes: tally.causes.len(),
            causes: tally.causes.into_sorted().into_iter().take(about.top).map(Cause::new).collect(),
            spare: spare(tally.wanted.into_sorted(), court, about.top),
            against,
            dropped: dropped.into_iter().sum(),
        }
    }
}

impl Cause {
    fn new((key, count): (CauseKey, CauseCount)) -> Self {
        Self {
            code: key.code,
            description: count.description,
            rule: key.rule.map(|rule| Rule {
                surface: rule.surface,
                pattern: rule.pattern,
                decision: rule.effect.name(),
                origin: rule.origin,
                file: rule.file.to_string(),
                line: rule.line,
            }),
            ask: count.commands.ask,
            deny: count.commands.deny,
            alone: count.alone,
            example: count.example.command,
        }
    }
}

impl Rule {
    /// Whose rule it is, and where it is written.
    pub(crate) fn place(&self, home: Option<&str>) -> String {
        if self.origin == Origin::Builtin.name() {
            return format!("built-in policy, line {}", self.line);
        }
        format!("{}, {}:{}", self.origin, crate::explain::Words { home }.path(&self.file), self.line)
    }
}

impl Against {
    fn new(policy: String, tally: &Tally, top: usize) -> Self {
        let mut changes = tally.changes.clone().into_sorted();
        // Of those that are equally frequent the short ones say most.
        changes.sort_by_key(|(change, times)| (Reverse(*times), change.command.len()));
        let to = |effect: Effect| {
            let changes = changes.iter().filter(move |(change, _)| change.to == effect).take(top);
            changes.map(|(change, times)| Moved::new(&change.command, change.from, *times)).collect::<Vec<_>>()
        };
        let column = |place: usize| tally.moved.iter().filter_map(|row| row.get(place)).sum();
        Self {
            policy,
            commands: Decisions { allow: column(0), ask: column(1), deny: column(2) },
            moved: tally.moved,
            newly_allowed: to(Effect::Allow),
            newly_asked: to(Effect::Ask),
            newly_denied: to(Effect::Deny),
        }
    }

    /// How many commands are decided otherwise.
    pub(crate) fn changed(&self) -> u64 {
        let rows = self.moved.iter().enumerate();
        let others = rows.flat_map(|(from, row)| row.iter().enumerate().filter(move |(to, _)| *to != from));
        others.map(|(_, count)| count).sum()
    }
}

impl Moved {
    fn new(command: &str, before: Effect, times: u64) -> Self {
        Self { command: command.to_owned(), before: before.name(), times }
    }
}

/// `part` of `whole` in percent.
pub(crate) fn percent(part: u64, whole: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "for people")]
    let ratio = part as f64 / whole.max(1) as f64;
    ratio * 100.0
}

/// A number with its thousands apart.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len().saturating_mul(2));
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len().saturating_sub(place)).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }
}
