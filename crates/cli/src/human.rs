//! The short answer for people.

use anstyle::{AnsiColor, Style};
use innercmd_authorizer::{GateVerdict, Gated, ReasonCode};
use innercmd_bash_units::BashProgram;
use innercmd_policy::{Effect, Finding, MatchedRule};

use crate::wire::{self, Checked};

/// The answer in one line, and one line for each unit.
pub(crate) fn render(program: &BashProgram, gated: &Gated) -> String {
    let checked = Checked::new(None, program, gated);
    let style = style(checked.decision);
    let mut lines = vec![format!("{style}{}{style:#}: {}", checked.decision, sentence(gated))];
    for (unit, judged) in checked.units.iter().zip(&gated.judgement.units) {
        let style = self::style(unit.decision);
        let rule = judged.rule.as_ref().map_or_else(|| "no rule".to_owned(), rule);
        lines.push(format!("  {style}{:5}{style:#}  {}  {rule}", unit.decision, shown(unit.text)));
    }
    lines.join("\n")
}

/// Why the answer is what it is, with the code in brackets.
pub(crate) fn sentence(gated: &Gated) -> String {
    let code = wire::code(&gated.verdict);
    let reason = match &gated.verdict {
        GateVerdict::Deny(denial) => denial.reason.clone(),
        GateVerdict::Ask(_) => asking_rule(gated, code).unwrap_or_else(|| code.description().to_owned()),
        GateVerdict::Allow(_) => code.description().to_owned(),
    };
    format!("{} [{}]", shown(&reason), code.code())
}

/// What the rule says that asks, where the policy's own rule decides.
fn asking_rule(gated: &Gated, code: ReasonCode) -> Option<String> {
    let decides = |finding: &&Finding| finding.effect == Effect::Ask && ReasonCode::from(finding.cause) == code;
    gated.judgement.findings.iter().find(decides).map(Finding::reason)
}

/// A rule for people: its surface, pattern and origin.
pub(crate) fn rule(rule: &MatchedRule) -> String {
    format!("{} `{}` ({})", shown(&rule.surface), shown(&rule.pattern), rule.origin)
}

/// The colour of a decision.
pub(crate) fn style(decision: &str) -> Style {
    let colour = match decision {
        "allow" => AnsiColor::Green,
        "ask" => AnsiColor::Yellow,
        _ => AnsiColor::Red,
    };
    colour.on_default().bold()
}

/// User text on one line, with what a terminal would act on made visible.
pub(crate) fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_hidden(character) { shown.extend(character.escape_default()) } else { shown.push(character) }
    }
    shown
}

/// Control characters, and the format characters that hide or turn around what follows (Unicode Cf, and the separators of lines).
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
        )
}

/// `text` as one word of a shell.
pub(crate) fn quoted(text: &str) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || "/._-+=:,@%".contains(character);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}
