//! `innercmd policy test`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use innercmd_bash_units::{BashProgram, Limits};
use innercmd_policy::{MatchedRule, Policy};
use serde::Serialize;

use super::examples::{Example, Expected, Unreadable, of_file, of_policy};
use crate::args::{Format, PolicyTest};
use crate::exit::{Exit, Failure};
use crate::human::{quoted, sentence, shown, style};
use crate::judging::Case;
use crate::policies::{Policies, User, read_text};
use crate::world::{variable, working_directory};
use crate::{terminal, wire};

/// Judges all examples.
///
/// # Errors
/// A file cannot be read, is not valid, or there are no examples at all.
pub(crate) fn run(arguments: &PolicyTest) -> Result<Exit, Failure> {
    let (cwd, home) = (working_directory(arguments.cwd.as_deref())?, variable("HOME"));
    let (policies, others): (Vec<&PathBuf>, Vec<&PathBuf>) = arguments.tested.iter().partition(|file| is_policy(file));
    let mut report = Report::default();
    for file in &policies {
        let text = read_text(file).map_err(Failure::Usage)?;
        let front_matter = file.extension().is_some_and(|extension| extension == "md");
        let examples = of_policy(&text, front_matter).map_err(|error| unreadable(file, &error))?;
        let given =
            if arguments.policy.files.is_empty() { vec![(*file).clone()] } else { arguments.policy.files.clone() };
        Tester { file, given: &given, cwd: &cwd, home: home.as_deref() }.test(&examples, &mut report)?;
        let beside = file.with_extension("examples");
        if beside.exists() && !others.contains(&&beside) {
            Tester { file: &beside, given: &given, cwd: &cwd, home: home.as_deref() }.test_file(&mut report)?;
        }
    }
    let given: Vec<PathBuf> = match (arguments.policy.files.as_slice(), policies.as_slice()) {
        ([], policies) => policies.iter().map(|file| (*file).clone()).collect(),
        (given, _) => given.to_vec(),
    };
    for file in others {
        Tester { file, given: &given, cwd: &cwd, home: home.as_deref() }.test_file(&mut report)?;
    }
    report.write(arguments.format)
}

fn is_policy(file: &Path) -> bool {
    file.extension().is_some_and(|extension| ["json", "jsonc", "md"].iter().any(|known| extension == *known))
}

fn unreadable(file: &Path, error: &Unreadable) -> Failure {
    Failure::Usage(format!("{}:{}: {}", file.display(), error.line, error.message))
}

/// Judges the examples of one file.
struct Tester<'t> {
    file: &'t Path,
    given: &'t [PathBuf],
    cwd: &'t str,
    home: Option<&'t str>,
}

impl Tester<'_> {
    fn test_file(&self, report: &mut Report) -> Result<(), Failure> {
        let text = read_text(self.file).map_err(Failure::Usage)?;
        self.test(&of_file(&text).map_err(|error| unreadable(self.file, &error))?, report)
    }

    fn test(&self, examples: &[Example], report: &mut Report) -> Result<(), Failure> {
        let policies = Policies::new(self.given)?;
        for example in examples {
            let cwd = example.cwd.as_deref().unwrap_or(self.cwd);
            let user = User { agent: example.agent.clone(), cwd: cwd.to_owned(), home: self.home.map(str::to_owned) };
            let policy = policies.of(&user)?;
            report.examples = report.examples.saturating_add(1);
            let failed = match example.expected {
                Expected::Decision(_) => self.decision(example, policy, cwd),
                Expected::Rule { counts } => self.rule(example, &policy, counts)?,
            };
            report.failed.extend(failed);
        }
        Ok(())
    }

    fn decision(&self, example: &Example, policy: Arc<Policy>, cwd: &str) -> Option<Failed> {
        let case = Case { command: &example.command, policy, cwd, home: self.home, policy_only: false };
        let (_, gated) = case.judge();
        let decision = wire::decision(&gated.verdict);
        let Expected::Decision(expected) = example.expected else { return None };
        (decision != expected.name()).then(|| {
            let again = format!("innercmd explain {}{}", self.options(), quoted(&example.command));
            Failed::new(self.file, example, expected.name().to_owned(), decision.to_owned(), sentence(&gated), again)
        })
    }

    /// Whether the rule beside the example counts for a unit of its command, or for its text on another surface.
    fn rule(&self, example: &Example, policy: &Policy, counts: bool) -> Result<Option<Failed>, Failure> {
        let beside = beside(self.file, example, policy).ok_or_else(|| {
            let message = "there is no rule on this line, nor below it, that the example could be about".to_owned();
            unreadable(self.file, &Unreadable { line: example.line, message })
        })?;
        let answer = |text: &str| policy.answer(&beside.surface, text, self.home).rule;
        let counting: Vec<Option<MatchedRule>> = if beside.surface == "bash" {
            let program = BashProgram::parse(&example.command, &Limits::default());
            program.commands().iter().map(|unit| answer(&unit.text)).collect()
        } else {
            vec![answer(&example.command)]
        };
        let named = |rule: &MatchedRule| format!("`{}`", shown(&rule.pattern));
        if counting.iter().flatten().any(|rule| *rule == beside) == counts {
            return Ok(None);
        }
        let others: Vec<String> = counting.iter().flatten().map(named).collect();
        let found = if others.is_empty() { "no rule".to_owned() } else { others.join(", ") };
        let expected = if counts { named(&beside) } else { format!("not {}", named(&beside)) };
        let reason = format!("rules of `{}` that count: {found}", shown(&beside.surface));
        let again = format!("innercmd explain {}{}", self.options(), quoted(&example.command));
        Ok(Some(Failed::new(self.file, example, expected, found, reason, again)))
    }

    fn options(&self) -> String {
        self.given.iter().map(|file| format!("--policy {} ", quoted(&file.display().to_string()))).collect()
    }
}

/// The rule that stands before the example on its line, or else the next one below it.
fn beside(file: &Path, example: &Example, policy: &Policy) -> Option<MatchedRule> {
    let name = file.display().to_string();
    let rules: Vec<MatchedRule> = policy.rules().filter(|rule| *rule.file == *name).collect();
    let on_line = rules.iter().rfind(|rule| rule.line == example.line);
    let below = || rules.iter().filter(|rule| rule.line > example.line).min_by_key(|rule| rule.line);
    on_line.or_else(below).cloned()
}

#[derive(Debug, Default, Serialize)]
struct Report {
    examples: usize,
    failed: Vec<Failed>,
}

/// An example that does not hold.
#[derive(Debug, Serialize)]
struct Failed {
    file: String,
    line: usize,
    command: String,
    expected: String,
    found: String,
    /// Why it is what it is.
    reason: String,
    /// What shows more.
    again: String,
}

impl Failed {
    fn new(file: &Path, example: &Example, expected: String, found: String, reason: String, again: String) -> Self {
        let (line, command) = (example.line, example.command.clone());
        Self { file: file.display().to_string(), line, command, expected, found, reason, again }
    }

    fn page(&self) -> String {
        let (bad, width) = (style("deny"), terminal::width());
        let head = format!("{}:{}", shown(&self.file), self.line);
        let command = terminal::wrapped(&shown(&self.command), width, "  ", "  ");
        let reason = terminal::wrapped(&shown(&self.reason), width, "  ", "    ");
        let expected = format!("expected {}, found {}", self.expected, self.found);
        format!("{head}: {bad}{expected}{bad:#}\n{command}\n{reason}\n  see: {}\n", shown(&self.again))
    }
}

impl Report {
    fn write(&self, format: Format) -> Result<Exit, Failure> {
        if self.examples == 0 {
            let hint = "there are no examples: write lines such as `allow git status` into a file, or a comment \
                        `// match: git status` behind a rule of a policy file";
            return Err(Failure::Usage(hint.to_owned()));
        }
        let text = match format {
            Format::Json => wire::line(self)?,
            Format::Human => {
                let mut parts: Vec<String> = self.failed.iter().map(Failed::page).collect();
                let style = style(if self.failed.is_empty() { "allow" } else { "deny" });
                let hold = self.examples.saturating_sub(self.failed.len());
                parts.push(format!("{style}{hold} of {} examples hold{style:#}", self.examples));
                parts.join("\n")
            }
        };
        writeln!(anstream::stdout(), "{text}").map_err(Failure::io("standard output"))?;
        Ok(if self.failed.is_empty() { Exit::Allow } else { Exit::Failed })
    }
}
