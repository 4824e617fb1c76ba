//! The gates of paths: `path`, `external_directory`, and those of redirections.

use innercmd_bash_units::{
    GapCode, Location, Outside, PathPiece, PathRole, PathText, PathToken, Redirect, RedirectKind, Span, UnitId,
    Unknown, Word,
};

use crate::{
    Answer, Effect, PolicyCode,
    judge::{About, Judge, View},
    pattern::Pattern,
    rule::CompiledRule,
    ruleset::{Ruleset, Which},
    subject::{Hole, Subject},
    units::own_words,
};

/// Files that hold nothing and keep nothing, or are the descriptors of the program itself.
pub(crate) const DEVICES: [&str; 4] = ["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr"];

/// Where bash itself opens a connection (bash manual 3.6).
const NETWORK: [&str; 2] = ["/dev/tcp/", "/dev/udp/"];

/// The names of one path, by what they are good for.
struct Names {
    /// Names by which rules may allow: the path seen from the root, from the working directory, and as typed where that is
    /// the same place.
    sound: Vec<Subject>,
    /// As typed, where that may be another place: by it rules may only hold back.
    typed: Option<Subject>,
    /// The path with a slash behind it: a rule about everything in a directory is about the directory, too.
    inside: Vec<Subject>,
    /// Where symbolic links lead, if that is another name.
    canonical: Vec<Subject>,
}

impl<'s> Judge<'_, 's> {
    pub(crate) fn paths(&mut self, view: &View<'_, 's>) {
        self.looked.paths |= view.is_whole();
        if !self.paths_matter() {
            return;
        }
        for (id, unit) in view.program.units() {
            let words = view.folded(unit);
            self.paths_of(view, own_words(&words), id);
        }
        self.each_path(view, view.paths.arrivals());
        self.each_path(view, view.paths.redirections().into_iter());
    }

    /// The paths that `words`, which the unit `id` runs, name.
    pub(crate) fn paths_of(&mut self, view: &View<'_, 's>, words: &[Word], id: UnitId) {
        if words.len() > self.paths_left {
            self.denied_names(view, words, id);
            return self.too_many_paths(view);
        }
        self.each_path(view, view.paths.tokens_of(words, id));
    }

    /// Looks for words that name a denied path just so, where there are too many to look at each as a path.
    fn denied_names(&mut self, view: &View<'_, 's>, words: &[Word], id: UnitId) {
        let rules = &self.compiled.path;
        for word in words {
            let Some(text) = word.literal() else { continue };
            let rule = rules.last(&text, Which::Naming).filter(|rule| rule.effect() == Effect::Deny);
            if let Some(rule) = rule {
                let about = About { span: word.span, unit: Some(id), code: PolicyCode::PathRule };
                return self.note_path_rule(view, about, rule, Effect::Deny, &text);
            }
        }
    }

    fn each_path(&mut self, view: &View<'_, 's>, tokens: impl Iterator<Item = PathToken>) {
        for token in tokens {
            let Some(left) = self.paths_left.checked_sub(1) else { return self.too_many_paths(view) };
            self.paths_left = left;
            self.path(view, &token);
        }
    }

    fn too_many_paths(&mut self, view: &View<'_, 's>) {
        self.paths_left = 0;
        let everything = Span::new(0, view.program.source().len());
        self.note(view, GapCode::TooMuchWork, Effect::Ask, everything, None, None);
    }

    /// Whether the gates of paths can say anything but allow: there is a rule for one of them, or the default holds back.
    pub(crate) fn paths_matter(&self) -> bool {
        let surfaces = [&self.compiled.path, &self.compiled.external_directory, &self.compiled.bash_redirect];
        !surfaces.iter().all(|rules| rules.is_empty()) || self.default_answer().effect > Effect::Allow
    }

    /// Looks at the redirections for what they are beside the files they name.
    pub(crate) fn redirects(&mut self, view: &View<'_, 's>) {
        for (id, unit) in view.program.units() {
            unit.redirects.iter().for_each(|redirect| self.redirect(view, redirect, Some(id)));
        }
        let of_units = view.program.commands().iter().map(|unit| unit.redirects.len()).sum();
        for redirect in view.program.redirects().skip(of_units) {
            self.redirect(view, redirect, None);
        }
    }

    fn redirect(&mut self, view: &View<'_, 's>, redirect: &Redirect, unit: Option<UnitId>) {
        self.looked.redirects += usize::from(view.is_whole());
        let opens = match redirect.kind {
            RedirectKind::HereDocument | RedirectKind::HereDocumentTabs | RedirectKind::HereString => false,
            RedirectKind::Input
            | RedirectKind::Output
            | RedirectKind::Append
            | RedirectKind::Clobber
            | RedirectKind::ReadWrite
            | RedirectKind::OutputAndError
            | RedirectKind::AppendAndError
            | RedirectKind::DuplicateInput
            | RedirectKind::DuplicateOutput => true,
        };
        if opens && view.paths.spellings(&redirect.target, redirect.scope).iter().any(may_be_network) {
            self.note(view, PolicyCode::NetworkRedirect, Effect::Ask, redirect.span, unit, None);
        }
    }

    /// The gates for one path.
    pub(crate) fn path(&mut self, view: &View<'_, 's>, token: &PathToken) {
        let device = token.text.text().is_some_and(|text| DEVICES.contains(&text));
        if view.is_whole() && !matches!(token.role, PathRole::Bare | PathRole::Program) {
            self.paths_seen.push(token.span);
        }
        for location in &token.locations {
            let names = Names::of(location, &view.paths.cwd());
            self.path_rules(view, token, location, &names, device);
            if !device && token.role != PathRole::Program {
                self.external_directory(view, token, location, &names);
            }
        }
        if matches!(token.role, PathRole::Write | PathRole::DescriptorOrFile) && !device {
            self.written(view, token);
        }
    }

    /// The surface `path`: rules alone, no default.
    fn path_rules(&mut self, view: &View<'_, 's>, token: &PathToken, location: &Location, names: &Names, device: bool) {
        // What may be a path as well as any other word meets only the rules that name it.
        let which = match token.role {
            PathRole::Bare | PathRole::Program => Which::Naming,
            PathRole::Operand
            | PathRole::Argument
            | PathRole::OptionValue
            | PathRole::Read
            | PathRole::Write
            | PathRole::DescriptorOrFile => {
                if device {
                    Which::Naming
                } else {
                    Which::All
                }
            }
        };
        let found = names.judge(token.role, &self.compiled.path, which, view);
        let about = About { span: token.span, unit: token.unit, code: PolicyCode::PathRule };
        let shown = shown(&location.text, view.program.source());
        for (rule, effect) in found.rules {
            let code = if effect < rule.effect() { PolicyCode::DynamicPath } else { PolicyCode::PathRule };
            self.note_path_rule(view, About { code, ..about }, rule, effect, &shown);
        }
    }

    /// The surface `external_directory`: rules, and else the default, for what is outside the working directory.
    fn external_directory(&mut self, view: &View<'_, 's>, token: &PathToken, location: &Location, names: &Names) {
        let certain = match location.outside {
            Outside::No => return,
            Outside::Maybe if token.role == PathRole::Bare => return,
            Outside::Maybe => false,
            Outside::Yes => true,
        };
        let found = names.judge(token.role, &self.compiled.external_directory, Which::All, view);
        let code = match location.canonical {
            Some(Err(_)) => PolicyCode::PathUnresolved,
            Some(Ok(_)) | None if certain => PolicyCode::ExternalDirectory,
            Some(Ok(_)) | None => PolicyCode::DynamicDirectory,
        };
        let about = About { span: token.span, unit: token.unit, code };
        // What only may be outside is not denied for being there.
        let cap = if certain { Effect::Deny } else { Effect::Ask };
        let shown = shown(&location.text, view.program.source());
        for (rule, effect) in found.rules {
            self.note_path_rule(view, about, rule, effect.min(cap), &shown);
        }
        if !found.settled {
            let Answer { effect, rule } = self.default_answer();
            if effect > Effect::Allow {
                self.note_default(view, about, effect.min(cap), rule, shown);
            }
        }
    }

    /// The surface `bash_redirect` of this engine: rules about files that redirections write.
    fn written(&mut self, view: &View<'_, 's>, token: &PathToken) {
        for location in &token.locations {
            let names = Names::of(location, &view.paths.cwd());
            let found = names.judge(token.role, &self.compiled.bash_redirect, Which::All, view);
            let about = About { span: token.span, unit: token.unit, code: PolicyCode::RedirectRule };
            let shown = shown(&location.text, view.program.source());
            for (rule, effect) in found.rules {
                self.note_path_rule(view, about, rule, effect, &shown);
            }
        }
    }
}

/// What the rules of a surface say about the names of a path.
struct Said<'r> {
    /// The rules that hold it back, and how much.
    rules: Vec<(&'r CompiledRule, Effect)>,
    /// Whether a rule decides it, so that no default is needed.
    settled: bool,
}

impl Names {
    fn of(location: &Location, cwd: &str) -> Self {
        let mut sound = vec![subject(&location.lexical)];
        sound.extend(relative(&location.lexical, cwd).map(|relative| subject(&relative)));
        let raw = subject(&location.text);
        let same_place = location.from_start && !climbs(&location.text);
        let mut typed = None;
        if same_place || location.text.leading().starts_with('/') && !climbs(&location.text) {
            if !sound.contains(&raw) {
                sound.push(raw);
            }
        } else if !sound.contains(&raw) {
            typed = Some(raw);
        }
        let canonical = match &location.canonical {
            Some(Ok(path)) if location.lexical.text() != Some(path) => vec![Subject::text(path.as_str())],
            Some(Ok(_) | Err(_)) | None => vec![],
        };
        let inside = sound.iter().cloned().map(|mut name| {
            name.push_text("/");
            name
        });
        Self { inside: inside.collect(), sound, typed, canonical }
    }

    fn judge<'r>(&self, role: PathRole, rules: &'r Ruleset, which: Which, view: &View<'_, '_>) -> Said<'r> {
        let reach = rules.reach_any(&self.sound, which);
        let mut said = Said { rules: vec![], settled: reach.definite.is_some() };
        let mut hold = |rule: Option<&'r CompiledRule>, cap: Effect| {
            let Some(rule) = rule.filter(|rule| rule.effect() > Effect::Allow) else { return };
            said.rules.push((rule, rule.effect().min(cap)));
        };
        hold(reach.definite, Effect::Deny);
        // What may be any other text as well is held back by what is known of it alone.
        let guesses = role != PathRole::Bare;
        hold(reach.possible.filter(|_| guesses), Effect::Ask);
        if let Some(typed) = &self.typed {
            let reach = rules.reach(typed, Which::Naming);
            hold(reach.definite, Effect::Deny);
            hold(reach.possible.filter(|_| guesses), Effect::Ask);
        }
        if role != PathRole::Bare {
            let inside = rules.reach_any(&self.inside, Which::Naming).definite;
            hold(inside.filter(|rule| rules.is_behind(rule, reach.definite)), Effect::Deny);
        }
        for canonical in &self.canonical {
            let names = [canonical.clone()]
                .into_iter()
                .chain(view.paths.within_root(canonical.known().unwrap_or_default()).map(Subject::text));
            let target = rules.reach_any(&names.collect::<Vec<_>>(), which).definite;
            // `/tmp/*` opens `/private/tmp`, where `/tmp` is a link to it.
            let opened = reach.definite.is_some_and(|rule| {
                rule.effect() == Effect::Allow
                    && rules.is_behind(rule, target)
                    && leads_to(&rule.pattern, canonical.known().unwrap_or_default(), view)
            });
            if !opened {
                hold(target, Effect::Deny);
            }
        }
        said
    }
}

/// Whether the directory that `pattern` names, with its links followed, makes it match `path`.
fn leads_to(pattern: &Pattern, path: &str, view: &View<'_, '_>) -> bool {
    let Some((directory, rest)) = pattern.directory() else { return false };
    let directory = if directory.is_empty() { "/" } else { &directory };
    view.paths.resolved(directory).is_some_and(|directory| {
        Pattern::compile(&format!("{}/{rest}", directory.trim_end_matches('/')), None).matches(path)
    })
}

fn subject(text: &PathText) -> Subject {
    let mut subject = Subject::default();
    for piece in text.pieces() {
        match piece {
            PathPiece::Text(text) => subject.push_text(text),
            PathPiece::Unknown { kind, .. } => subject.push_hole(Hole { slash: kind.may_hold_slash(), typed: None }),
        }
    }
    subject
}

/// The path seen from `cwd`, where it is below it.
fn relative(path: &PathText, cwd: &str) -> Option<PathText> {
    let start = format!("{}/", cwd.trim_end_matches('/'));
    path.leading().starts_with(&start).then(|| path.behind(start.len()))
}

/// Whether the path as typed leaves a directory again.
fn climbs(path: &PathText) -> bool {
    path.pieces().iter().any(|piece| match piece {
        PathPiece::Text(text) => text.split('/').any(|part| part == ".."),
        PathPiece::Unknown { kind, .. } => kind.may_climb(),
    })
}

fn may_be_network(path: &PathText) -> bool {
    let leading = path.leading();
    let unknown_behind = path.text().is_none() && leading.len() > 1;
    NETWORK.iter().any(|network| leading.starts_with(network) || (unknown_behind && network.starts_with(leading)))
}

/// The path for people: unknown parts as they are written.
fn shown(path: &PathText, source: &str) -> String {
    let piece = |piece: &PathPiece| match piece {
        PathPiece::Text(text) => text.clone(),
        PathPiece::Unknown { kind: Unknown::Anything, span } => span.of(source).to_owned(),
        PathPiece::Unknown { kind: Unknown::Number, .. } => "N".to_owned(),
        PathPiece::Unknown { kind: Unknown::Pattern | Unknown::PatternWithoutDots | Unknown::Below, .. } => {
            "*".to_owned()
        }
    };
    path.pieces().iter().map(piece).collect()
}
