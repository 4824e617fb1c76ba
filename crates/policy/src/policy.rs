use std::sync::OnceLock;

use crate::{
    Diagnostic, Effect, Knobs, LoadError, MatchedRule, Origin, PolicySource,
    config::Config,
    diagnostics,
    merge::{Merged, merge},
    pattern::Pattern,
    rule::CompiledRule,
    ruleset::{Ruleset, Which},
};

/// Rules and knobs, merged from all scopes and ready to judge.
#[derive(Debug)]
pub struct Policy {
    rules: Vec<MatchedRule>,
    universal: Option<MatchedRule>,
    knobs: Knobs,
    /// Whether a scope could not be read, so that nothing may pass unasked.
    clamped: bool,
    needs_home: bool,
    /// The rules compiled for the first home directory they were needed for, which as a rule is the only one.
    compiled: OnceLock<(Option<String>, Compiled)>,
}

/// A policy, and what its author may want to know about it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Loaded {
    /// The policy.
    pub policy: Policy,
    /// What is doubtful in it, in the order of the sources; problems of scopes that were left out are among it.
    pub diagnostics: Vec<Diagnostic>,
}

/// The rules, by surface.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    pub(crate) bash: Ruleset,
    pub(crate) path: Ruleset,
    pub(crate) external_directory: Ruleset,
    pub(crate) bash_redirect: Ruleset,
}

/// What a policy answers about one value of one surface.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// The effect.
    pub effect: Effect,
    /// The rule behind it; none where it is the engine's own default.
    pub rule: Option<MatchedRule>,
}

const EMBEDDED: &str = include_str!("default.jsonc");

/// A policy file for everyday work, with comments, to start from: it allows what reads, tests and checks in the project, asks for
/// the rest, and denies secrets and the recursive removal of files.
pub const READ_MOSTLY: &str = include_str!("read_mostly.jsonc");

impl Policy {
    /// Reads, merges and compiles `sources`, whatever their order.
    ///
    /// ```
    /// use innercmd_policy::{Effect, Origin, Policy, PolicySource};
    ///
    /// let text = r#"{ "permission": { "bash": { "git *": "allow", "git push *": "deny" } } }"#;
    /// let source = PolicySource { name: "config.json", text, origin: Origin::Global };
    /// let loaded = Policy::load(&[source]).unwrap();
    /// assert_eq!(loaded.policy.answer("bash", "git push origin", None).effect, Effect::Deny);
    ///
    /// let typo = PolicySource { name: "config.json", text: r#"{ "permision": {} }"#, origin: Origin::Global };
    /// let error = Policy::load(&[typo]).unwrap_err();
    /// assert_eq!(error.to_string(), "config.json:1:3: unknown key `\"permision\"` (did you mean `permission`?)");
    /// ```
    ///
    /// # Errors
    /// Where a source of the user's own, [`Origin::Global`] or [`Origin::Builtin`], is not valid. Any other source that is not
    /// valid is left out, its problems become diagnostics, and every allow becomes an ask, since it may have forbidden it.
    pub fn load(sources: &[PolicySource<'_>]) -> Result<Loaded, LoadError> {
        let mut sorted: Vec<&PolicySource<'_>> = sources.iter().collect();
        sorted.sort_by_key(|source| source.origin);
        let (mut scopes, mut diagnostics, mut clamped) = (vec![], vec![], false);
        for source in sorted {
            match Config::parse(source) {
                Ok(config) => scopes.push((source, config)),
                Err(problems) if source.origin <= Origin::Global => return Err(LoadError { problems }),
                Err(problems) => {
                    clamped = true;
                    diagnostics.extend(problems.iter().map(diagnostics::left_out));
                }
            }
        }
        Ok(Self::assemble(&scopes, clamped, diagnostics))
    }

    /// Reads `text` as a permission map on its own: what stands under `permission` in a policy file.
    ///
    /// # Errors
    /// Where it is not valid.
    pub fn from_permission(text: &str) -> Result<Loaded, LoadError> {
        let source = PolicySource { name: "permission", text, origin: Origin::Global };
        let config = Config::parse_permission(&source).map_err(|problems| LoadError { problems })?;
        Ok(Self::assemble(&[(&source, config)], false, vec![]))
    }

    /// The policy for those who have none: it allows what reads in the working directory, and asks for the rest.
    #[must_use]
    pub fn embedded_default() -> Self {
        let source = PolicySource { name: "embedded default", text: EMBEDDED, origin: Origin::Builtin };
        let scopes: Vec<(&PolicySource<'_>, Config)> =
            Config::parse(&source).into_iter().map(|config| (&source, config)).collect();
        // Without its rules the policy asks for everything; a test sees to it that they are valid.
        // What is doubtful in it a test has to find, and not each start of a program.
        Self::of_merged(merge(&origins(&scopes)), &scopes, false)
    }

    fn assemble(scopes: &[(&PolicySource<'_>, Config)], clamped: bool, mut diagnostics: Vec<Diagnostic>) -> Loaded {
        let merged = merge(&origins(scopes));
        diagnostics.extend(diagnostics::of(scopes, &merged));
        Loaded { policy: Self::of_merged(merged, scopes, clamped), diagnostics }
    }

    fn of_merged(merged: Merged, scopes: &[(&PolicySource<'_>, Config)], clamped: bool) -> Self {
        let mut knobs = Knobs::default();
        scopes.iter().for_each(|(_, config)| knobs.merge(&config.knobs));
        let needs_home = merged.rules.iter().any(|rule| Pattern::needs_home(&rule.pattern));
        let rules = merged.rules.into_iter().map(MatchedRule::new).collect();
        let universal = merged.universal.map(MatchedRule::new);
        Self { rules, universal, knobs, clamped, needs_home, compiled: OnceLock::new() }
    }

    /// The same policy with the rules of `text`, a policy file, laid last: what was approved in this session.
    ///
    /// # Errors
    /// Where `text` is not valid.
    pub fn with_session(&self, text: &str) -> Result<Self, LoadError> {
        self.with_rules(&PolicySource { name: "session", text, origin: Origin::Session })
    }

    /// The same policy with the rules of `source` laid last, whatever their origin: what it would be if they were in it.
    ///
    /// # Errors
    /// Where `source` is not valid.
    pub fn with_rules(&self, source: &PolicySource<'_>) -> Result<Self, LoadError> {
        let config = Config::parse(source).map_err(|problems| LoadError { problems })?;
        let mut rules = self.rules.clone();
        rules.extend(merge(&[(source.origin, &config)]).rules.into_iter().map(MatchedRule::new));
        let needs_home = rules.iter().any(|rule| Pattern::needs_home(&rule.pattern));
        let (universal, knobs) = (self.universal.clone(), self.knobs.clone());
        Ok(Self { rules, universal, knobs, clamped: self.clamped, needs_home, compiled: OnceLock::new() })
    }

    /// The last rule of `surface` that matches `value`, or the default: for a value that is not Bash to be read, such as the
    /// name of a tool, or for a text that is taken as it is.
    #[must_use]
    pub fn answer(&self, surface: &str, value: &str, home: Option<&str>) -> Answer {
        let ruleset = self.surface(surface, home);
        match ruleset.last(value, Which::All) {
            Some(rule) => self.clamp(Answer { effect: rule.effect(), rule: Some(rule.matched()) }),
            None => self.clamp(self.default_answer()),
        }
    }

    /// All rules in the order in which they count, the later over the earlier: first the universal default, where a file gives
    /// one, then the rules of each surface.
    pub fn rules(&self) -> impl Iterator<Item = MatchedRule> + '_ {
        self.universal.iter().chain(&self.rules).cloned()
    }

    /// The rules of `surface` that match `value`, in the order in which they count: the last is the one that
    /// [`Policy::answer`] gives.
    #[must_use]
    pub fn matching(&self, surface: &str, value: &str, home: Option<&str>) -> Vec<MatchedRule> {
        let of_surface =
            |rule: &&MatchedRule| rule.surface == surface || Pattern::compile(&rule.surface, home).matches(surface);
        let matches = |rule: &&MatchedRule| Pattern::compile(&rule.pattern, home).matches(value);
        self.rules.iter().filter(of_surface).filter(matches).cloned().collect()
    }

    /// What counts where no rule does.
    pub(crate) fn default_answer(&self) -> Answer {
        match &self.universal {
            Some(rule) => Answer { effect: rule.effect, rule: Some(rule.clone()) },
            None => Answer { effect: Effect::Ask, rule: None },
        }
    }

    fn clamp(&self, answer: Answer) -> Answer {
        let effect = if self.clamped { answer.effect.max(Effect::Ask) } else { answer.effect };
        Answer { effect, ..answer }
    }

    /// Whether a scope could not be read, so that nothing passes unasked.
    #[must_use]
    pub fn is_clamped(&self) -> bool {
        self.clamped
    }

    /// The runtime knobs.
    #[must_use]
    pub fn knobs(&self) -> &Knobs {
        &self.knobs
    }

    /// The names of the links that the operator wants asked, where a file says so.
    #[must_use]
    pub fn authorizer_chain(&self) -> Option<&[String]> {
        self.knobs.authorizer_chain.as_deref()
    }

    /// Whether the link `name` may answer: unless a chain is given that leaves it out.
    #[must_use]
    pub fn link_enabled(&self, name: &str) -> bool {
        self.authorizer_chain().is_none_or(|chain| chain.iter().any(|link| link == name))
    }

    /// The rules compiled for `home`.
    pub(crate) fn with_compiled<T>(&self, home: Option<&str>, judge: impl FnOnce(&Compiled) -> T) -> T {
        let compile = || (home.map(str::to_owned), self.compile(home));
        let (compiled_for, compiled) = self.compiled.get_or_init(compile);
        if !self.needs_home || compiled_for.as_deref() == home { judge(compiled) } else { judge(&self.compile(home)) }
    }

    fn compile(&self, home: Option<&str>) -> Compiled {
        let surface = |name| self.surface(name, home);
        Compiled {
            bash: surface("bash"),
            path: surface("path"),
            external_directory: surface("external_directory"),
            bash_redirect: surface("bash_redirect"),
        }
    }

    /// The rules of the surfaces whose names, which may hold wildcards, match `name`.
    fn surface(&self, name: &str, home: Option<&str>) -> Ruleset {
        let mut compiled = vec![];
        let mut known: Option<(&str, bool)> = None;
        for rule in &self.rules {
            // The rules of one surface stand together.
            let matches = match known {
                Some((surface, matches)) if surface == rule.surface => matches,
                _ => rule.surface == name || Pattern::compile(&rule.surface, home).matches(name),
            };
            known = Some((&rule.surface, matches));
            if matches {
                compiled.push(CompiledRule::compile(rule, home));
            }
        }
        Ruleset::new(compiled)
    }
}

fn origins<'c>(scopes: &'c [(&PolicySource<'_>, Config)]) -> Vec<(Origin, &'c Config)> {
    scopes.iter().map(|(source, config)| (source.origin, config)).collect()
}
