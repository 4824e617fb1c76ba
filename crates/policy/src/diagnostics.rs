//! What is doubtful in a policy that is valid.

use crate::{
    Effect, PolicySource,
    config::{Config, Problem, SURFACES, Saying, Says, Surface, closest},
    merge::Merged,
    pattern::{Element, Pattern},
    printable::printable,
    rule::{CompiledRule, MatchedRule, Rule},
    ruleset::Ruleset,
    subject::{Hole, Subject},
};

/// What kind of doubt a diagnostic is about.
///
/// The wire form is `policy-file:` and the name in kebab case; the first line of each description explains it to people.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, strum::EnumIter, strum::EnumMessage, strum::IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case", prefix = "policy-file:")]
#[non_exhaustive]
pub enum DiagnosticCode {
    /// The file is not valid and was left out; until it is, nothing is allowed without a question.
    LeftOut,
    /// A later rule matches everything that this rule matches, so that it never counts.
    UnreachableRule,
    /// The pattern holds an operator between commands, and rules meet one command at a time.
    MatchesNoCommand,
    /// The rule allows a program that runs whatever it is given.
    AllowsAnything,
    /// Everything is allowed by default, and no rule says otherwise for Bash.
    PermissiveDefault,
    /// The surface is nearly the name of another one.
    NearlyASurface,
    /// The knob would allow what the policy asks about, and is not followed.
    KnobNotFollowed,
}

/// A doubt about a policy file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The kind of doubt.
    pub code: DiagnosticCode,
    /// The name of the file.
    pub file: String,
    /// The line, from 1 on.
    pub line: usize,
    /// The column in characters, from 1 on.
    pub column: usize,
    /// The doubt in particular: a lowercase fragment.
    pub message: String,
}

impl DiagnosticCode {
    /// The wire form, such as `policy-file:unreachable-rule`.
    #[must_use]
    pub fn code(self) -> &'static str {
        self.into()
    }

    /// What the code means, in one sentence for people.
    #[must_use]
    pub fn description(self) -> &'static str {
        strum::EnumMessage::get_documentation(&self).unwrap_or_default()
    }
}

impl std::fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

/// Programs that run whatever their arguments, or their input, say.
const RUNNERS: &[&str] = &[
    "bash", "sh", "dash", "zsh", "ksh", "fish", "eval", "exec", "command", "source", ".", "sudo", "doas", "su", "env",
    "xargs", "parallel", "ssh", "python", "python2", "python3", "perl", "ruby", "node", "deno", "bun", "php", "lua",
    "osascript", "busybox", "nohup", "nice", "timeout", "setsid", "stdbuf", "watch", "script", "flock", "docker exec",
    "docker run", "podman exec", "podman run", "kubectl exec", "npx", "npm exec", "pnpm dlx", "pnpm exec", "yarn dlx",
    "bunx", "uvx", "uv run", "pipx run", "pwsh", "tclsh", "Rscript", "julia", "expect", "env -S", "find * -exec",
    "unshare", "chroot",
];

/// What stands between commands.
const OPERATORS: [&str; 6] = ["&&", "||", ";", "\n", " | ", " & "];

pub(crate) fn left_out(problem: &Problem) -> Diagnostic {
    Diagnostic {
        code: DiagnosticCode::LeftOut,
        file: problem.file.clone(),
        line: problem.line,
        column: problem.column,
        message: problem.text(),
    }
}

pub(crate) fn of(scopes: &[(&PolicySource<'_>, Config)], merged: &Merged) -> Vec<Diagnostic> {
    let mut found = vec![];
    for (source, config) in scopes {
        let mut file = File { source, found: &mut found };
        for surface in &config.permission.surfaces {
            file.surface(surface);
        }
        if config.knobs.yolo_mode == Some(true) {
            let at = source.text.find("\"yoloMode\"").unwrap_or(0);
            file.note(
                DiagnosticCode::KnobNotFollowed,
                at,
                "`yoloMode` is not followed: an ask stays an ask".to_owned(),
            );
        }
    }
    let open = merged.universal.as_ref().is_some_and(|rule| rule.effect == Effect::Allow);
    let bash = merged.rules.iter().any(|rule| rule.surface == "bash" && rule.pattern == "*");
    if let Some((source, _)) = scopes.last().filter(|_| open && !bash) {
        let mut file = File { source, found: &mut found };
        let message =
            "`*` allows everything and `bash` has no `*` of its own: every command that no rule names is allowed";
        file.note(DiagnosticCode::PermissiveDefault, source.text.find("\"*\"").unwrap_or(0), message.to_owned());
    }
    found
}

struct File<'f> {
    source: &'f PolicySource<'f>,
    found: &'f mut Vec<Diagnostic>,
}

impl File<'_> {
    fn note(&mut self, code: DiagnosticCode, offset: usize, message: String) {
        let before = self.source.text.get(..offset).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |at| at.saturating_add(1));
        self.found.push(Diagnostic {
            code,
            file: self.source.name.to_owned(),
            line: before.matches('\n').count().saturating_add(1),
            column: before.get(line_start..).unwrap_or_default().chars().count().saturating_add(1),
            message,
        });
    }

    fn surface(&mut self, surface: &Surface) {
        let known = SURFACES.contains(&surface.name.as_str()) || surface.name.contains(['*', '?']);
        if let Some(near) = closest(&surface.name, SURFACES).filter(|near| !known && *near != "*" && near.len() > 4) {
            let message = format!("`{}` is taken for a tool; did you mean `{near}`?", surface.name);
            self.note(DiagnosticCode::NearlyASurface, surface.at.0, message);
        }
        let Says::Rules(rules) = &surface.says else { return };
        if surface.name == "bash" {
            for rule in rules {
                self.bash_rule(&rule.pattern, rule.effect, rule.at.0);
            }
        }
        let file: std::sync::Arc<str> = self.source.name.into();
        let compile = |saying: &Saying| {
            let (pattern, effect, reason) = (saying.pattern.clone(), saying.effect, saying.reason.clone());
            let (surface, origin, line) = (surface.name.clone(), self.source.origin, saying.line);
            let rule = Rule { surface, pattern, effect, reason, origin, file: file.clone(), line };
            CompiledRule::compile(&MatchedRule::new(rule), None)
        };
        let ruleset = Ruleset::new(rules.iter().map(compile).collect());
        for (place, rule) in rules.iter().enumerate() {
            let texts = Pattern::compile(&rule.pattern, None).as_subjects();
            if let Some(cover) = ruleset.covers(place, &texts) {
                let cover = &cover.pattern.source;
                let message = format!("`{}` never counts: `{cover}` below matches all that it matches", rule.pattern);
                self.note(DiagnosticCode::UnreachableRule, rule.at.0, message);
            }
        }
    }

    fn bash_rule(&mut self, pattern: &str, effect: Effect, offset: usize) {
        // An escaped semicolon is an argument, such as the last one of `find -exec`.
        let plain = pattern.replace("\\;", "");
        if let Some(operator) = OPERATORS.iter().find(|operator| plain.contains(**operator)) {
            let message =
                format!("`{}` matches no single command: it holds `{}`", printable(pattern), printable(operator));
            self.note(DiagnosticCode::MatchesNoCommand, offset, message);
        }
        if pattern.trim() != pattern && !pattern.ends_with(" *") {
            let message = format!("`{}` begins or ends with a blank, and commands do not", printable(pattern));
            self.note(DiagnosticCode::MatchesNoCommand, offset, message);
        }
        let name = pattern.trim_end_matches('*').trim_end();
        let plain = name.strip_suffix(" -c").or_else(|| name.strip_suffix(" -e")).unwrap_or(name);
        if effect == Effect::Allow && pattern.ends_with('*') && RUNNERS.contains(&plain) {
            let message = format!("`{pattern}` allows whatever `{plain}` is told to run");
            self.note(DiagnosticCode::AllowsAnything, offset, message);
        }
    }
}

impl Pattern {
    /// The texts that match, with a hole for each star; none of them may be missed.
    fn as_subjects(&self) -> Vec<Subject> {
        let mut whole = Subject::default();
        let mut subjects = vec![];
        for (place, element) in self.elements().iter().enumerate() {
            if self.accepts_at(place) {
                subjects.push(whole.clone());
            }
            match element {
                Element::Unit(unit) => {
                    whole.push_text(
                        &char::from_u32(u32::from(*unit)).unwrap_or(char::REPLACEMENT_CHARACTER).to_string(),
                    );
                }
                // One character is some text, too; that it is short proves nothing more.
                Element::One | Element::Many => whole.push_hole(Hole::ANY),
            }
        }
        subjects.push(whole);
        subjects
    }
}
