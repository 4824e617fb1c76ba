//! A slow and obvious model of how rules, spellings and gaps combine, next to the compiled judge, on generated Bash.
//!
//! The model takes from the crates below what bash runs; from the tables of this crate that an argument or a variable asks. The
//! rest it does itself, rule by rule. Where a word is known only at run time, or a wrapper runs something, it knows what a
//! decision must not be weaker than; everywhere else it knows the decision.
//!
//! `INNERCMD_MODEL_CASES` sets how many policies and commands are tried.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests state what they expect by failing")]
#![expect(clippy::disallowed_methods, reason = "how many cases are tried is for whoever runs the test to say")]

use innercmd_bash_gen::{Generator, mutate, plain};
use innercmd_bash_units::{BashCommand, BashProgram, HostCommandKind, LexicalPaths, Limits, Part, Word};
use innercmd_policy::{Effect, Judgement, Policy, Surroundings};
use innercmd_wrapper::recognize;

/// How many cases are tried unless told otherwise.
const CASES: u64 = 1500;

#[derive(Debug)]
struct Rules {
    universal: Option<Effect>,
    bash: Vec<(String, Effect)>,
}

/// What the model knows of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Expected {
    at_least: Effect,
    exact: bool,
}

impl Rules {
    fn permission(&self) -> String {
        let rules: Vec<String> = self.bash.iter().map(|(pattern, effect)| format!("{pattern:?}: {effect:?}")).collect();
        let universal = self.universal.map(|effect| format!("\"*\": {effect:?}, ")).unwrap_or_default();
        let text = format!(
            "{{ {universal}\"path\": Allow, \"external_directory\": Allow, \"bash\": {{ {} }} }}",
            rules.join(", ")
        );
        [("Allow", "\"allow\""), ("Ask", "\"ask\""), ("Deny", "\"deny\"")]
            .iter()
            .fold(text, |text, (effect, word)| text.replace(&format!(": {effect}"), &format!(": {word}")))
    }

    /// The last rule that matches `text`, and whether it names something.
    fn last(&self, text: &str) -> Option<(Effect, bool)> {
        let found = self.bash.iter().rev().find(|(pattern, _)| matches(pattern, text))?;
        Some((found.1, names(&found.0)))
    }

    fn by_all(&self, text: &str) -> Effect {
        self.last(text).map_or(self.default_effect(), |(effect, _)| effect)
    }

    /// What the rules that name something say.
    fn by_naming(&self, text: &str) -> Effect {
        let found = self.bash.iter().rev().find(|(pattern, _)| names(pattern) && matches(pattern, text));
        found.map_or(Effect::Allow, |(_, effect)| *effect)
    }

    fn default_effect(&self) -> Effect {
        self.universal.unwrap_or(Effect::Ask)
    }
}

/// Whether a pattern leaves anything out.
fn names(pattern: &str) -> bool {
    let shortest = pattern.strip_suffix(" *").unwrap_or(pattern);
    shortest.is_empty() || shortest.chars().any(|c| c != '*')
}

/// Whether `text` matches `pattern`: for each place in the pattern, all places in the text that a match may have reached.
fn matches(pattern: &str, text: &str) -> bool {
    let text: Vec<u16> = text.encode_utf16().collect();
    let whole = |pattern: &str| {
        let mut reached = vec![false; text.len() + 1];
        reached[0] = true;
        for unit in pattern.encode_utf16() {
            let mut next = vec![false; text.len() + 1];
            for at in (0..=text.len()).filter(|at| reached[*at]) {
                match unit {
                    0x2a => (at..=text.len()).for_each(|behind| next[behind] = true),
                    0x3f if at < text.len() => next[at + 1] = true,
                    other if text.get(at) == Some(&other) => next[at + 1] = true,
                    _ => {}
                }
            }
            reached = next;
        }
        reached[text.len()]
    };
    whole(pattern) || pattern.strip_suffix(" *").is_some_and(whole)
}

fn expected(rules: &Rules, program: &BashProgram, judgement: &Judgement) -> Expected {
    let mut known = Expected { at_least: Effect::Allow, exact: true };
    if program.commands().is_empty() {
        known.raise(rules.by_all(program.source()));
    }
    if !program.gaps().is_empty() {
        known.raise(Effect::Ask);
    }
    for unit in program.commands() {
        known.unit(rules, unit);
    }
    let of_units: usize = program.commands().iter().map(|unit| unit.assignments.len()).sum();
    for assignment in program.assignments().skip(of_units) {
        known.raise(rules.by_naming(assignment.span.of(program.source())));
    }
    known.host(rules, program);
    // What the tables say is not for the model to know.
    let tables = ["policy:argument-executes", "policy:code-loading-variable", "policy:network-redirect"];
    if judgement.findings.iter().any(|finding| tables.contains(&finding.cause.code())) {
        known.raise(Effect::Ask);
    }
    known
}

impl Expected {
    fn raise(&mut self, effect: Effect) {
        self.at_least = self.at_least.max(effect);
    }

    fn unit(&mut self, rules: &Rules, unit: &BashCommand) {
        self.raise(rules.by_all(&unit.text));
        let literal = unit.words.iter().all(|word| word.literal().is_some());
        for value in ["x", "-n", "evil", "a b"] {
            let read = spelled(&unit.words, value);
            let base = read[0].rsplit('/').next().unwrap().to_owned();
            let by_base: Vec<String> = std::iter::once(base).chain(read[1..].iter().cloned()).collect();
            let said = rules.by_naming(&read.join(" ")).max(rules.by_naming(&by_base.join(" ")));
            // Of a value that is possible and no more, an ask is all that follows.
            self.raise(if literal { said } else { said.min(Effect::Ask) });
        }
        self.exact &= literal;
        if let Some(wrapper) = recognize(&unit.words) {
            // The text of a trap is a unit like any other, and the trap itself runs nothing.
            self.raise(if wrapper.name == "trap" { Effect::Allow } else { Effect::Ask });
            self.exact = false;
        }
    }

    fn host(&mut self, rules: &Rules, program: &BashProgram) {
        let lines = |text: &str| text.split('\n').map(str::trim).map(str::to_owned).collect::<Vec<_>>();
        let reading = program.host_reading().unwrap();
        let trivial = lines(program.source()).iter().all(|line| line.is_empty() || line.starts_with('#'));
        if reading.commands.is_empty() && !trivial {
            self.raise(Effect::Ask);
        }
        for command in reading.commands {
            let text = command.span.of(program.source());
            let kept: Vec<&str> = text.split('\n').filter(|line| !line.trim_start().starts_with('#')).collect();
            let kept = kept.join("\n");
            let matched = if kept.trim().is_empty() { text } else { kept.trim() };
            let (effect, naming) = rules.last(matched).unwrap_or((rules.default_effect(), false));
            let wrapper = command.kind == HostCommandKind::Wrapper;
            match effect {
                Effect::Deny => self.raise(Effect::Deny),
                Effect::Ask if naming || wrapper => self.raise(Effect::Ask),
                Effect::Allow if wrapper => self.raise(Effect::Ask),
                Effect::Ask | Effect::Allow => {}
            }
        }
    }
}

/// The words after quote removal, with `value` for what only execution can tell.
fn spelled(words: &[Word], value: &str) -> Vec<String> {
    let part = |part: &Part| match part {
        Part::Literal { text, .. } => text.clone(),
        Part::Hole { .. } => value.to_owned(),
    };
    words.iter().map(|word| word.parts.iter().map(part).collect()).collect()
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[usize::try_from(self.below(choices.len() as u64)).unwrap()]
    }
}

const PIECES: [&str; 30] = [
    "*", "*", "ok", "evil", "ok *", "evil *", " *", "?", " ", "a", "b", "-n", "x1", "ok.sh", "'", "\"", "[", "!", "(",
    "{ ", "for ", "=", "y=", "/", "$", "| ", "./", "%1", "é", "time ",
];
const EFFECTS: [Effect; 4] = [Effect::Allow, Effect::Allow, Effect::Ask, Effect::Deny];

fn rules(random: &mut Random) -> Rules {
    let universal = (random.below(2) == 0).then(|| random.pick(&EFFECTS));
    let mut bash: Vec<(String, Effect)> = vec![];
    for _ in 0..random.below(7) {
        let pieces = 1 + random.below(3);
        let pattern: String = (0..pieces).map(|_| random.pick(&PIECES)).collect();
        if !bash.iter().any(|(known, _)| *known == pattern) {
            bash.push((pattern, random.pick(&EFFECTS)));
        }
    }
    Rules { universal, bash }
}

fn command(random: &mut Random) -> String {
    let size = usize::try_from(1 + random.below(8)).unwrap();
    match random.below(4) {
        0 => plain(random.next(), size).text,
        1 => mutate(&Generator::new(random.next(), size).program().text, random.next()),
        _ => Generator::new(random.next(), size).program().text,
    }
}

#[test]
fn the_model_agrees_with_the_compiled_judge() {
    let cases = std::env::var("INNERCMD_MODEL_CASES").map_or(CASES, |cases| cases.parse().unwrap());
    let mut random = Random(7);
    let mut exact = 0;
    for _ in 0..cases {
        let (rules, command) = (rules(&mut random), command(&mut random));
        let permission = rules.permission();
        let policy = Policy::from_permission(&permission).unwrap().policy;
        let program = BashProgram::parse(&command, &Limits::default());
        let judgement =
            policy.judge(&program, &Surroundings { cwd: "/work/project", home: None, facts: &LexicalPaths });
        let decision = judgement.decision().effect();
        let expected = expected(&rules, &program, &judgement);
        exact += u64::from(expected.exact);
        let agrees = if expected.exact { decision == expected.at_least } else { decision >= expected.at_least };
        assert!(agrees, "{decision:?} instead of {expected:?}: {command:?} under {permission}");
    }
    // A model that rarely knows the answer would prove little.
    assert!(exact * 4 >= cases, "{exact} of {cases} are known exactly");
}
