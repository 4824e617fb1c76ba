//! The report for people, as text.

use anstyle::Style;
use unicode_width::UnicodeWidthStr as _;

use super::report::{Against, Cause, Moved, Report, grouped, percent};
use super::tally::Decisions;
use crate::explain::{Words, one_line};
use crate::human::{shown, style};
use crate::terminal::wrapped;

/// How wide a bar is that stands for everything.
const BAR: usize = 30;

/// The report in lines of at most `width` columns.
pub(crate) fn render(report: &Report, home: Option<&str>, width: usize) -> String {
    let page = Page { report, home, width };
    let mut parts = vec![page.head(), page.programs(), page.causes(), page.spare()];
    parts.extend(report.against.as_ref().map(|against| page.against(against)));
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

struct Page<'p> {
    report: &'p Report,
    home: Option<&'p str>,
    width: usize,
}

impl Page<'_> {
    fn head(&self) -> String {
        let report = self.report;
        let words = Words { home: self.home };
        let files: Vec<String> = report.policy.iter().map(|file| words.path(file)).collect();
        let policy = if files.is_empty() { "the built-in policy".to_owned() } else { files.join(", ") };
        let total = report.commands.total();
        let bold = Style::new().bold();
        let head = format!("{} commands of {} by {policy}", grouped(total), plural(report.inputs, "input"));
        let mut lines = vec![format!("{bold}{}{bold:#}", wrapped(&head, self.width, "", "  "))];
        lines.extend(decisions(&report.commands));
        if report.unreadable > 0 {
            let first = report.first_unreadable.as_deref().map(|first| format!(", the first at {}", words.path(first)));
            let text = format!("{} lines could not be read{}", grouped(report.unreadable), first.unwrap_or_default());
            lines.push(wrapped(&text, self.width, "  ", "    "));
        }
        if report.dropped > 0 {
            let text = "There was more of different things than is kept: counts of rare ones are too low.";
            lines.push(wrapped(text, self.width, "  ", "    "));
        }
        lines.join("\n")
    }

    fn programs(&self) -> String {
        let report = self.report;
        let mut lines = vec![title("By program", &format!("{} in all", grouped(report.different_programs as u64)))];
        let dim = Style::new().dimmed();
        lines.push(format!("  {dim}{:<20} {:>9} {:>9} {:>9}{dim:#}", "", "allowed", "asked", "denied"));
        for program in &report.programs {
            let name = padded(&one_line(&shown(&program.program), 20), 20);
            let Decisions { allow, ask, deny } = program.units;
            lines.push(format!("  {name} {} {} {}", number("allow", allow), number("ask", ask), number("deny", deny)));
        }
        lines.join("\n")
    }

    fn causes(&self) -> String {
        let report = self.report;
        if report.causes.is_empty() {
            return String::new();
        }
        let held = report.commands.ask.saturating_add(report.commands.deny);
        let mut lines =
            vec![title("Why commands were held back", "those it has a part in, and those it is the only cause of")];
        for cause in &report.causes {
            let count = cause.ask.saturating_add(cause.deny);
            let word = if cause.deny > cause.ask { "deny" } else { "ask" };
            let style = style(word);
            lines.push(format!(
                "  {style}{:>8}{style:#} {:>8}  {}",
                grouped(count),
                grouped(cause.alone),
                wrapped(&self.cause(cause), self.width.saturating_sub(21), "", "                     ").trim_start()
            ));
            let example = one_line(&shown(&cause.example), self.width.saturating_sub(25));
            let dim = Style::new().dimmed();
            lines.push(format!("                     {dim}{:>3.0} %  {dim:#}{example}", percent(count, held)));
        }
        lines.join("\n")
    }

    /// A cause in words: its rule, or what its code means.
    fn cause(&self, cause: &Cause) -> String {
        let Some(rule) = &cause.rule else {
            return format!("{} [{}]", cause.description.trim_end_matches('.'), cause.code);
        };
        let (surface, pattern) = (shown(&rule.surface), shown(&rule.pattern));
        format!("{surface} `{pattern}` ({}) [{}]", rule.place(self.home), cause.code)
    }

    fn spare(&self) -> String {
        let spare = &self.report.spare;
        let asked = self.report.commands.ask;
        if asked == 0 {
            return String::new();
        }
        let mut lines = vec![];
        if spare.rules.is_empty() {
            lines.push(title("Prompts to spare", "no rule for one command as it was typed would spare any"));
        } else {
            let share = percent(spare.prompts, asked);
            let aside = format!(
                "{} of {} prompts ({share:.0} %), with these rules last in `bash`",
                grouped(spare.prompts),
                grouped(asked)
            );
            lines.push(title("Prompts to spare", &aside));
            for rule in &spare.rules {
                let pattern = serde_json::to_string(&rule.pattern).unwrap_or_default();
                let style = style("allow");
                lines.push(format!("  {style}{:>8}{style:#}  {}: \"allow\",", grouped(rule.prompts), shown(&pattern)));
            }
        }
        for not in &spare.not_suggested {
            let text = format!("{} have no rule here: {}", grouped(not.prompts), not.reason);
            lines.push(wrapped(&text, self.width, "  ", "    "));
        }
        lines.join("\n")
    }

    fn against(&self, against: &Against) -> String {
        let other = Words { home: self.home }.path(&against.policy);
        let aside = format!(
            "{} of {} commands are decided otherwise",
            grouped(against.changed()),
            grouped(against.commands.total())
        );
        let mut lines = vec![title(&format!("By {other} instead"), &aside)];
        lines.extend(decisions(&against.commands));
        let lists = [
            ("Newly allowed", "allow", &against.newly_allowed),
            ("Newly asked about", "ask", &against.newly_asked),
            ("Newly denied", "deny", &against.newly_denied),
        ];
        for (name, word, moved) in lists {
            if !moved.is_empty() {
                lines.push(String::new());
                lines.push(title(name, ""));
                lines.extend(moved.iter().map(|moved| self.moved(word, moved)));
            }
        }
        lines.join("\n")
    }

    fn moved(&self, word: &str, moved: &Moved) -> String {
        let style = style(word);
        let command = one_line(&shown(&moved.command), self.width.saturating_sub(26));
        format!("  {style}{:>8}{style:#}  {:<11}  {command}", grouped(moved.times), format!("was {}", moved.before))
    }
}

/// The three decisions with a bar each.
fn decisions(decisions: &Decisions) -> Vec<String> {
    let total = decisions.total();
    let rows =
        [("allow", "allowed", decisions.allow), ("ask", "asked", decisions.ask), ("deny", "denied", decisions.deny)];
    let row = |(word, name, count): (&str, &str, u64)| {
        let style = style(word);
        let share = percent(count, total);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a short bar")]
        let length = (share / 100.0 * BAR as f64).round() as usize;
        // What is there at all is seen.
        let length = length.max(usize::from(count > 0)).min(BAR);
        let (bar, rest) = ("█".repeat(length), "░".repeat(BAR.saturating_sub(length)));
        format!("  {name:<8} {style}{bar}{style:#}{rest} {:>11}  {share:>5.1} %", grouped(count))
    };
    rows.into_iter().map(row).collect()
}

fn title(text: &str, aside: &str) -> String {
    let (bold, dim) = (Style::new().bold(), Style::new().dimmed());
    let aside = if aside.is_empty() { String::new() } else { format!("  {dim}{aside}{dim:#}") };
    format!("{bold}{text}{bold:#}{aside}")
}

/// A count in the colour of its decision, and without where it is none.
fn number(word: &str, count: u64) -> String {
    let style = if count == 0 { Style::new().dimmed() } else { style(word) };
    format!("{style}{:>9}{style:#}", grouped(count))
}

fn padded(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(text.width())))
}

fn plural(count: usize, what: &str) -> String {
    format!("{} {what}{}", grouped(count as u64), if count == 1 { "" } else { "s" })
}
