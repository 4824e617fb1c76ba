//! `innercmd policy show`.

use std::io::Write;

use anstyle::Style;
use innercmd_policy::{MatchedRule, Policy};
use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

use crate::args::{Format, PolicyShow};
use crate::exit::{Exit, Failure};
use crate::explain::Words;
use crate::human::{shown, style};
use crate::policies::{Chosen, User, choose};
use crate::user_files::ScopeFile;
use crate::wire;
use crate::world::{variable, working_directory};

/// The widest column of patterns; what is wider moves the rest of its own line.
const WIDEST_PATTERN: usize = 44;

/// Shows the rules in effect.
///
/// # Errors
/// A policy file cannot be read, or is not valid.
pub(crate) fn run(arguments: &PolicyShow) -> Result<Exit, Failure> {
    let (cwd, home) = (working_directory(arguments.cwd.as_deref())?, variable("HOME"));
    let user = User { agent: arguments.agent.clone(), cwd, home };
    let chosen = choose(&arguments.policy.files, &user)?;
    let policy = chosen.load()?;
    let wanted = |rule: &MatchedRule| arguments.surface.as_ref().is_none_or(|surface| *surface == rule.surface);
    let rules: Vec<MatchedRule> = policy.rules().filter(wanted).collect();
    let text = match arguments.format {
        Format::Json => wire::line(&Shown::new(&chosen, &policy, &rules))?,
        Format::Human => page(&chosen, &policy, &rules, Words { home: user.home.as_deref() }),
    };
    writeln!(anstream::stdout(), "{text}").map_err(Failure::io("standard output"))?;
    Ok(Exit::Allow)
}

fn page(chosen: &Chosen, policy: &Policy, rules: &[MatchedRule], words: Words<'_>) -> String {
    let (bold, dim) = (Style::new().bold(), Style::new().dimmed());
    let mut lines = vec![format!("{bold}files{bold:#}, each over the one above it")];
    if chosen.files.is_empty() {
        lines.push("  builtin        the policy built into innercmd: there is no file".to_owned());
    }
    let file = |file: &ScopeFile| format!("  {:<14} {}", file.scope.origin().name(), words.path(&file.name()));
    lines.extend(chosen.files.iter().map(file));
    lines.extend(chosen.untrusted.iter().map(|left_out| format!("{} (left out: not trusted)", file(left_out))));
    if let Some(chain) = policy.authorizer_chain() {
        lines.push(format!("  authorizerChain: {}", shown(&chain.join(", "))));
    }
    let pattern = |rule: &MatchedRule| shown(&rule.pattern);
    let columns = rules.iter().map(|rule| pattern(rule).width()).filter(|width| *width <= WIDEST_PATTERN).max();
    let columns = columns.unwrap_or(0);
    let mut surface = None;
    for rule in rules {
        if surface != Some(&rule.surface) {
            surface = Some(&rule.surface);
            lines.push(format!("\n{bold}{}{bold:#}, {}", shown(&rule.surface), order(rule)));
        }
        let (style, pattern) = (style(rule.effect.name()), pattern(rule));
        let blanks = " ".repeat(columns.saturating_sub(pattern.width()));
        let reason = rule.reason.as_deref().map(|reason| format!("  \"{}\"", shown(reason))).unwrap_or_default();
        lines.push(format!(
            "  {style}{:<5}{style:#}  {pattern}{blanks}  {dim}{}{dim:#}{reason}",
            rule.effect.name(),
            words.place(rule)
        ));
    }
    lines.join("\n")
}

fn order(rule: &MatchedRule) -> &'static str {
    if rule.surface == "*" { "where no rule matches" } else { "the last that matches counts" }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown<'a> {
    files: Vec<File>,
    left_out: Vec<File>,
    clamped: bool,
    authorizer_chain: Option<&'a [String]>,
    /// In the order in which they count.
    rules: Vec<Rule<'a>>,
}

#[derive(Debug, Serialize)]
struct File {
    origin: &'static str,
    path: String,
}

#[derive(Debug, Serialize)]
struct Rule<'a> {
    surface: &'a str,
    pattern: &'a str,
    decision: &'static str,
    reason: Option<&'a str>,
    origin: &'static str,
    file: &'a str,
    line: usize,
}

impl<'a> Shown<'a> {
    fn new(chosen: &Chosen, policy: &'a Policy, rules: &'a [MatchedRule]) -> Self {
        let file = |file: &ScopeFile| File { origin: file.scope.origin().name(), path: file.name() };
        let rule = |rule: &'a MatchedRule| Rule {
            surface: &rule.surface,
            pattern: &rule.pattern,
            decision: rule.effect.name(),
            reason: rule.reason.as_deref(),
            origin: rule.origin.name(),
            file: &rule.file,
            line: rule.line,
        };
        Self {
            files: chosen.files.iter().map(file).collect(),
            left_out: chosen.untrusted.iter().map(file).collect(),
            clamped: policy.is_clamped(),
            authorizer_chain: policy.authorizer_chain(),
            rules: rules.iter().map(rule).collect(),
        }
    }
}
