//! The report as a page of its own: what the template shows, laid out for it.

use askama::Template;

use super::report::{Against, Cause, Moved, Program, Report, grouped, percent};
use super::tally::Decisions;
use crate::exit::Failure;
use crate::explain::Words;
use crate::human::shown;

/// The page. The template escapes all that it is given.
#[derive(Template)]
#[template(path = "report.html")]
struct Page {
    policy: String,
    built_in: bool,
    inputs: String,
    lines: String,
    notes: Vec<String>,
    total: String,
    units: String,
    shares: Vec<Share>,
    ring: Vec<Arc>,
    allowed: String,
    programs: Vec<Row>,
    different_programs: String,
    causes: Vec<CauseRow>,
    different_causes: String,
    spare: Vec<SpareRow>,
    spared: String,
    asked: String,
    spared_share: String,
    after: Vec<Share>,
    not_suggested: Vec<(String, &'static str)>,
    against: Option<AgainstPage>,
}

/// A decision with its share.
struct Share {
    decision: &'static str,
    name: &'static str,
    count: String,
    percent: String,
    width: String,
}

/// A part of the ring: how long it is, and where it begins, in hundredths of the whole.
struct Arc {
    decision: &'static str,
    length: String,
    rest: String,
    offset: String,
}

struct Row {
    name: String,
    allow: String,
    ask: String,
    deny: String,
    shares: Vec<Share>,
    /// How long the bar is beside the longest, in percent.
    width: String,
}

struct CauseRow {
    decision: &'static str,
    name: String,
    /// The pattern, where the cause is a rule.
    pattern: String,
    code: &'static str,
    place: String,
    count: String,
    alone: String,
    width: String,
    alone_width: String,
    example: String,
}

struct SpareRow {
    pattern: String,
    count: String,
    width: String,
    example: String,
}

struct AgainstPage {
    policy: String,
    changed: String,
    total: String,
    shares: Vec<Share>,
    cells: Vec<Vec<Cell>>,
    lists: Vec<List>,
}

/// How many commands went from one decision to another.
struct Cell {
    count: String,
    /// `same`, `milder` or `stricter`.
    kind: &'static str,
    /// How strong its colour is, from 0 to 1.
    strength: String,
}

struct List {
    decision: &'static str,
    name: &'static str,
    moved: Vec<(String, &'static str, String)>,
}

/// The page as HTML.
///
/// # Errors
/// The template cannot be filled in, which is an internal error.
pub(crate) fn render(report: &Report, home: Option<&str>) -> Result<String, Failure> {
    let failed = |error| Failure::io("the page")(std::io::Error::other(error));
    Page::new(report, Words { home }, home).render().map_err(failed)
}

impl Page {
    fn new(report: &Report, words: Words<'_>, home: Option<&str>) -> Self {
        let files: Vec<String> = report.policy.iter().map(|file| words.path(file)).collect();
        let asked = report.commands.ask;
        let spared = report.spare.prompts;
        let after = Decisions {
            allow: report.commands.allow.saturating_add(spared),
            ask: asked.saturating_sub(spared),
            ..report.commands
        };
        let widest = report.programs.iter().map(|program| program.units.total()).max().unwrap_or(1);
        let most = report.causes.iter().map(|cause| cause.ask.saturating_add(cause.deny)).max().unwrap_or(1);
        let best = report.spare.rules.iter().map(|rule| rule.prompts).max().unwrap_or(1);
        Self {
            policy: files.join(", "),
            built_in: files.is_empty(),
            inputs: grouped(report.inputs as u64),
            lines: grouped(report.lines),
            notes: notes(report, words),
            total: grouped(report.commands.total()),
            units: grouped(report.units.total()),
            shares: shares(&report.commands),
            ring: ring(&report.commands),
            allowed: format!("{:.0}", percent(report.commands.allow, report.commands.total())),
            programs: report.programs.iter().map(|program| Row::new(program, widest)).collect(),
            different_programs: grouped(report.different_programs as u64),
            causes: report.causes.iter().map(|cause| CauseRow::new(cause, most, home)).collect(),
            different_causes: grouped(report.different_causes as u64),
            spare: report
                .spare
                .rules
                .iter()
                .map(|rule| SpareRow {
                    pattern: shown(&serde_json::to_string(&rule.pattern).unwrap_or_default()),
                    count: grouped(rule.prompts),
                    width: width(rule.prompts, best),
                    example: shown(&rule.example),
                })
                .collect(),
            spared: grouped(spared),
            asked: grouped(asked),
            spared_share: format!("{:.0}", percent(spared, asked)),
            after: shares(&after),
            not_suggested: report.spare.not_suggested.iter().map(|not| (grouped(not.prompts), not.reason)).collect(),
            against: report.against.as_ref().map(|against| AgainstPage::new(against, words)),
        }
    }
}

fn notes(report: &Report, words: Words<'_>) -> Vec<String> {
    let mut notes = vec![];
    if report.unreadable > 0 {
        let first = report.first_unreadable.as_deref().map(|first| format!(", the first at {}", words.path(first)));
        notes.push(format!("{} lines could not be read{}.", grouped(report.unreadable), first.unwrap_or_default()));
    }
    if report.dropped > 0 {
        notes.push("There was more of different things than is kept: counts of rare ones are too low.".to_owned());
    }
    notes
}

fn shares(decisions: &Decisions) -> Vec<Share> {
    let total = decisions.total();
    let share = |(decision, name, count): (&'static str, &'static str, u64)| Share {
        decision,
        name,
        count: grouped(count),
        percent: format!("{:.1}", percent(count, total)),
        width: width(count, total),
    };
    parts(decisions).into_iter().map(share).collect()
}

fn parts(decisions: &Decisions) -> [(&'static str, &'static str, u64); 3] {
    [("allow", "allowed", decisions.allow), ("ask", "asked about", decisions.ask), ("deny", "denied", decisions.deny)]
}

fn ring(decisions: &Decisions) -> Vec<Arc> {
    let mut begun = 0.0;
    let arc = |(decision, _, count): (&'static str, &'static str, u64)| {
        let length = percent(count, decisions.total());
        let arc = Arc {
            decision,
            length: format!("{length:.3}"),
            rest: format!("{:.3}", 100.0 - length),
            offset: format!("{:.3}", 100.0 - begun),
        };
        begun += length;
        arc
    };
    parts(decisions).into_iter().map(arc).collect()
}

fn width(part: u64, whole: u64) -> String {
    format!("{:.2}", percent(part, whole))
}

impl Row {
    fn new(program: &Program, widest: u64) -> Self {
        let units = &program.units;
        Self {
            name: shown(&program.program),
            allow: grouped(units.allow),
            ask: grouped(units.ask),
            deny: grouped(units.deny),
            shares: shares(units),
            width: width(units.total(), widest),
        }
    }
}

impl CauseRow {
    fn new(cause: &Cause, most: u64, home: Option<&str>) -> Self {
        let count = cause.ask.saturating_add(cause.deny);
        let name = match &cause.rule {
            Some(rule) => shown(&rule.surface),
            None => cause.description.to_owned(),
        };
        Self {
            decision: if cause.deny > cause.ask { "deny" } else { "ask" },
            name,
            pattern: cause.rule.as_ref().map(|rule| shown(&rule.pattern)).unwrap_or_default(),
            code: cause.code,
            place: cause.rule.as_ref().map(|rule| rule.place(home)).unwrap_or_default(),
            count: grouped(count),
            alone: grouped(cause.alone),
            width: width(count, most),
            alone_width: width(cause.alone, most),
            example: shown(&cause.example),
        }
    }
}

impl AgainstPage {
    fn new(against: &Against, words: Words<'_>) -> Self {
        let most = against.moved.iter().flatten().copied().max().unwrap_or(1);
        let cell = |from: usize, to: usize, count: u64| Cell {
            count: grouped(count),
            kind: match to.cmp(&from) {
                std::cmp::Ordering::Less => "milder",
                std::cmp::Ordering::Equal => "same",
                std::cmp::Ordering::Greater => "stricter",
            },
            strength: if count == 0 {
                "0".to_owned()
            } else {
                format!("{:.2}", 0.25 + 0.75 * (percent(count, most) / 100.0).sqrt())
            },
        };
        let row = |(from, row): (usize, &[u64; 3])| {
            row.iter().enumerate().map(|(to, count)| cell(from, to, *count)).collect()
        };
        let lists = [
            ("allow", "Newly allowed", &against.newly_allowed),
            ("ask", "Newly asked about", &against.newly_asked),
            ("deny", "Newly denied", &against.newly_denied),
        ];
        let moved = |moved: &Moved| (grouped(moved.times), moved.before, shown(&moved.command));
        Self {
            policy: words.path(&against.policy),
            changed: grouped(against.changed()),
            total: grouped(against.commands.total()),
            shares: shares(&against.commands),
            cells: against.moved.iter().enumerate().map(row).collect(),
            lists: lists
                .into_iter()
                .filter(|(_, _, list)| !list.is_empty())
                .map(|(decision, name, list)| List { decision, name, moved: list.iter().map(moved).collect() })
                .collect(),
        }
    }
}
