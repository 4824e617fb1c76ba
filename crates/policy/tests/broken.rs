//! A broken policy file never loosens anything: it is an error, or it says what it said before.
#![expect(clippy::unwrap_used, clippy::string_slice, reason = "tests state what they expect by failing")]

use innercmd_bash_units::{BashProgram, Limits};
use innercmd_policy::{Effect, LexicalPaths, Origin, Policy, PolicySource, READ_MOSTLY, Surroundings};
use proptest::prelude::*;

/// Every shape that a file may have.
const FULL: &str = r#"// Comment.
{
  "$schema": "https://example.org/schema.json",
  "debugLog": false,
  "permissionReviewLog": true,
  "yoloMode": false,
  "doublePressToConfirm": true,
  "toolInputPreviewMaxLength": 100,
  "toolTextSummaryMaxLength": 80,
  "piInfrastructureReadPaths": ["/opt/pi"],
  "authorizerChain": ["inner-cmd", "other"],
  "shellTools": { "run": { "commandArgument": "cmd", "workdirArgument": "dir" } },
  "permission": {
    "*": "ask",
    "read": "allow",
    "external_directory": { "*": "deny", "/tmp/*": "allow" },
    "path": { "*": "allow", "*.env": { "action": "deny", "reason": "secrets" } }, /* more */
    "bash": { "*": "ask", "git *": "allow", "git push *": "deny", "rm *": { "action": "deny" }, "ls *": "allow" }
  }
}
"#;

const AGENT: &str = r#"---
name: reader
permission:
  "*": ask
  bash:
    "*": deny
    "git *": allow
    "git push *": deny
---
# Reader
"#;

const PROBES: [&str; 10] = [
    "git status", "git push", "rm x", "ls", "cat .env", "cat ~/.ssh/id", "cat /etc/passwd", "cat /tmp/x", "echo x > f",
    "mytool",
];

fn decisions(policy: &Policy) -> Vec<Effect> {
    let around = Surroundings { cwd: "/work/project", home: Some("/home/user"), facts: &LexicalPaths };
    let judge =
        |command: &&str| policy.judge(&BashProgram::parse(command, &Limits::default()), &around).decision().effect();
    PROBES.iter().map(judge).collect()
}

fn load(text: &str, origin: Origin) -> Option<Policy> {
    let below = PolicySource { name: "global", text: FULL, origin: Origin::Global };
    let source = PolicySource { name: "file", text, origin };
    let sources = if origin == Origin::Global { vec![source] } else { vec![below, source] };
    Policy::load(&sources).ok().map(|loaded| loaded.policy)
}

/// Checks that `broken`, which was `whole`, is an error, lets nothing pass unasked, or says the same.
#[track_caller]
fn check(whole: &str, broken: &str, origin: Origin) {
    let intact = decisions(&load(whole, origin).unwrap());
    let Some(policy) = load(broken, origin) else { return };
    let now = decisions(&policy);
    if policy.is_clamped() {
        let without = decisions(&load(FULL, Origin::Global).unwrap());
        let held = now.iter().zip(&without).all(|(now, without)| *now >= Effect::Ask && now >= without);
        assert!(held, "{now:?} after {without:?}: {broken}");
    } else {
        assert_eq!(now, intact, "{broken}");
    }
}

/// The tokens of JSON with comments: where each starts and ends.
fn tokens(text: &str) -> Vec<(usize, usize)> {
    let mut found = vec![];
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (length, token) = match first {
            _ if rest.starts_with("//") => (rest.find('\n').unwrap_or(rest.len()), false),
            _ if rest.starts_with("/*") => (rest.find("*/").map_or(rest.len(), |end| end + 2), false),
            '"' => (rest[1..].find('"').unwrap() + 2, true),
            '{' | '}' | '[' | ']' | ':' | ',' => (1, true),
            c if c.is_whitespace() => (c.len_utf8(), false),
            _ => (rest.find([',', '}', ']', '\n', ' ']).unwrap(), true),
        };
        if token {
            found.push((at, at + length));
        }
        at += length;
    }
    found
}

fn file() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![FULL, READ_MOSTLY])
}

fn origin() -> impl Strategy<Value = Origin> {
    prop::sample::select(vec![Origin::Global, Origin::Project, Origin::Agent, Origin::ProjectAgent])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_token_that_is_dropped(file in file(), origin in origin(), place in any::<prop::sample::Index>()) {
        let tokens = tokens(file);
        let (start, end) = *place.get(&tokens);
        check(file, &format!("{}{}", &file[..start], &file[end..]), origin);
    }

    #[test]
    fn tokens_that_change_places(file in file(), origin in origin(), place in any::<prop::sample::Index>()) {
        let tokens = tokens(file);
        let at = place.index(tokens.len() - 1);
        let ((a, b), (c, d)) = (tokens[at], tokens[at + 1]);
        let swapped = format!("{}{}{}{}{}", &file[..a], &file[c..d], &file[b..c], &file[a..b], &file[d..]);
        check(file, &swapped, origin);
    }

    #[test]
    fn a_value_of_another_type(
        file in file(), origin in origin(), place in any::<prop::sample::Index>(),
        other in prop::sample::select(vec!["null", "true", "7", "-1.5", "[]", "[\"allow\"]", "{}", "\"\"", "\"Allow\"", "\"allow \""])
    ) {
        let tokens = tokens(file);
        // What stands behind a colon, and opens nothing.
        let values: Vec<(usize, usize)> = tokens
            .windows(2)
            .filter(|pair| &file[pair[0].0..pair[0].1] == ":" && !file[pair[1].0..].starts_with(['{', '[']))
            .map(|pair| pair[1])
            .collect();
        let (start, end) = *place.get(&values);
        let was = &file[start..end];
        // A flag that stays a flag, a text that any text will do for, and an empty map of rules are no other type.
        let same = matches!((was, other), ("true" | "false", "true") | ("100" | "80", "7"));
        let free = was.starts_with("\"https") || matches!(was, "\"cmd\"" | "\"dir\"") || file[..start].ends_with("\"reason\": ");
        let surface = other == "{}" && ["\"*\"", "\"read\""].iter().any(|key| file[..start].ends_with(&format!("{key}: ")));
        let surface = surface || (other == "{}" && file == READ_MOSTLY);
        prop_assume!(!same && !free && !surface);
        check(file, &format!("{}{other}{}", &file[..start], &file[end..]), origin);
    }

    #[test]
    fn a_file_that_is_cut_off(file in file(), origin in origin(), at in any::<prop::sample::Index>()) {
        let at = at.index(file.len());
        prop_assume!(file.is_char_boundary(at));
        check(file, &file[..at], origin);
    }

    #[test]
    fn an_agent_s_file_that_is_cut_off(at in any::<prop::sample::Index>()) {
        check(AGENT, &AGENT[..at.index(AGENT.len())], Origin::Agent);
    }
}

#[test]
fn a_file_that_is_not_broken_says_something() {
    assert_eq!(decisions(&load(FULL, Origin::Global).unwrap())[..3], [Effect::Allow, Effect::Deny, Effect::Deny]);
    assert!(load(&FULL.replace("\"deny\",", "\"deny\""), Origin::Global).is_none());
    assert!(load(&FULL.replace("\"deny\",", "\"deny\""), Origin::Project).unwrap().is_clamped());
}
