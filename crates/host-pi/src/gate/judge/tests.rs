#![expect(clippy::disallowed_methods, reason = "the tests write the files that are read")]

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use rstest::rstest;

use super::*;
use crate::wire::{Source, SourceOrigin, SourceState};

/// A user's files, and a judge that has opened them.
struct User {
    directory: tempfile::TempDir,
    judge: PolicyJudge,
}

impl User {
    /// A user with `files`: paths below one directory, and what stands in them.
    fn new(files: &[(&str, &str)]) -> Self {
        let user = Self { directory: tempfile::tempdir().unwrap(), judge: PolicyJudge::default() };
        for (path, text) in files {
            user.write(path, text);
        }
        user
    }

    fn path(&self, path: &str) -> PathBuf {
        self.directory.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn open(&self) -> GateOpened {
        let source = |origin, path| Source { origin, path: self.path(path) };
        self.judge.open(&OpenGate {
            sources: vec![source(SourceOrigin::Global, "global.json"), source(SourceOrigin::Project, "project.json")],
            agents: vec![source(SourceOrigin::Agent, "agents")],
            audit: self.path("audit.jsonl"),
            home: None,
        })
    }

    /// The effect and the code for `command`, run by `agent`.
    fn judged(&self, command: &str, agent: Option<&str>) -> (Effect, &'static str) {
        let cwd = self.directory.path().to_str().unwrap().to_owned();
        let call = Call { command: command.to_owned(), cwd, agent: agent.map(str::to_owned) };
        let judged = self.judge.judge(&call, Instant::now() + Duration::from_secs(60));
        assert_eq!(judged.reason.is_none(), judged.effect == Effect::Allow, "{judged:?}");
        (judged.effect, judged.code)
    }

    fn effect(&self, command: &str) -> Effect {
        self.judged(command, None).0
    }
}

const GLOBAL: &str = r#"{ "permission": { "bash": { "echo *": "allow", "rm *": "deny" } } }"#;

#[test]
fn without_files_the_built_in_policy_lets_read_and_asks_for_the_rest() {
    let user = User::new(&[]);
    let opened = user.open();
    assert!(opened.builtin);
    assert!(opened.sources.iter().all(|source| source.state == SourceState::Absent));
    assert_eq!((user.effect("ls -la"), user.effect("git push")), (Effect::Allow, Effect::Ask));
}

#[test]
fn the_files_count_and_a_change_of_them_counts_at_once() {
    let user = User::new(&[("global.json", GLOBAL)]);
    assert!(!user.open().builtin);
    assert_eq!(
        (user.effect("echo hi"), user.effect("rm x"), user.effect("ls")),
        (Effect::Allow, Effect::Deny, Effect::Ask)
    );
    user.write("project.json", r#"{ "permission": { "bash": { "echo *": "deny" } } }"#);
    assert_eq!(user.effect("echo hi"), Effect::Deny);
    fs::remove_file(user.path("project.json")).unwrap();
    assert_eq!(user.effect("echo hi"), Effect::Allow);
    // The same length, in the same second.
    user.write("global.json", &GLOBAL.replace("\"allow\"", "\"deny\" "));
    assert_eq!(user.effect("echo hi"), Effect::Deny);
}

#[test]
fn a_file_of_the_user_that_means_nothing_allows_nothing() {
    let user = User::new(&[("global.json", r#"{ "permission": { "bash": { "echo *": "alow" } } }"#)]);
    let opened = user.open();
    assert_eq!(opened.sources[0].state, SourceState::Invalid);
    assert!(opened.sources[0].problems.concat().contains("alow"), "{opened:?}");
    assert_eq!(user.judged("echo hi", None), (Effect::Ask, "host-pi:no-policy"));
}

#[test]
fn a_file_of_the_project_that_means_nothing_turns_allow_into_ask() {
    let user = User::new(&[("global.json", GLOBAL), ("project.json", "{")]);
    let opened = user.open();
    assert_eq!((opened.sources[0].state, opened.sources[1].state), (SourceState::Loaded, SourceState::Invalid));
    assert_eq!((user.effect("echo hi"), user.effect("rm x")), (Effect::Ask, Effect::Deny));
}

#[rstest]
#[case::of_the_user("global.json")]
#[case::of_the_project("project.json")]
#[cfg(unix)]
fn what_is_no_regular_file_allows_nothing_and_is_not_waited_for(#[case] name: &str) {
    for make in [
        |path: &PathBuf| {
            rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap()
        },
        |path: &PathBuf| fs::create_dir(path).unwrap(),
        |path: &PathBuf| fs::write(path, [b'{', 0xff, b'}']).unwrap(),
        |path: &PathBuf| fs::write(path, vec![b' '; 5 << 20]).unwrap(),
    ] {
        let user = User::new(&[]);
        make(&user.path(name));
        let opened = user.open();
        assert!(opened.sources.iter().any(|source| source.state == SourceState::Invalid), "{opened:?}");
        assert_eq!(user.effect("echo hi"), Effect::Ask);
    }
}

#[test]
fn an_agents_rules_count_for_that_agent() {
    let agent = "---\nname: reviewer\npermission:\n  bash:\n    \"echo *\": deny\n---\nReview.\n";
    let user = User::new(&[("global.json", GLOBAL), ("agents/reviewer.md", agent), ("secret.md", agent)]);
    user.open();
    assert_eq!(user.judged("echo hi", Some("reviewer")).0, Effect::Deny);
    assert_eq!(user.judged("echo hi", Some("writer")).0, Effect::Allow);
    assert_eq!(user.judged("echo hi", None).0, Effect::Allow);
    for name in ["../secret", "", ".", "..", "a/b", "reviewer\0"] {
        assert_eq!(user.judged("echo hi", Some(name)), (Effect::Ask, "host-pi:no-policy"), "{name}");
    }
}

#[test]
fn an_allow_that_comes_too_late_is_an_ask_and_a_deny_is_none_the_less() {
    let user = User::new(&[("global.json", GLOBAL)]);
    user.open();
    let judge = |command: &str| {
        let call = Call { command: command.to_owned(), cwd: "/".to_owned(), agent: None };
        user.judge.judge(&call, Instant::now() - Duration::from_millis(1)).code
    };
    assert_eq!(judge("echo hi"), "host-pi:late");
    assert_eq!(judge("rm x"), "policy:bash-rule");
}

#[test]
fn a_command_that_the_link_lets_pass_is_told_with_what_it_runs() {
    let user = User::new(&[("global.json", GLOBAL)]);
    user.open();
    let call = Call { command: "timeout 60s echo hi".to_owned(), cwd: "/".to_owned(), agent: None };
    let judged = user.judge.judge(&call, Instant::now() + Duration::from_secs(60));
    assert_eq!((judged.effect, judged.code), (Effect::Allow, "authorizer:inner-allowed"));
    assert_eq!((judged.inner.as_deref(), judged.units[0].decision), (Some("echo hi"), "allow"));
    user.write("global.json", &GLOBAL.replacen('{', r#"{ "authorizerChain": [],"#, 1));
    assert_eq!(user.effect("timeout 60s echo hi"), Effect::Ask);
}

#[test]
fn a_deny_tells_the_agent_which_part_of_the_command_it_is_about() {
    let user = User::new(&[("global.json", GLOBAL)]);
    user.open();
    let call = Call { command: "echo hi && rm -rf x".to_owned(), cwd: "/".to_owned(), agent: None };
    let reason = user.judge.judge(&call, Instant::now() + Duration::from_secs(60)).reason.unwrap();
    assert!(reason.starts_with("[innercmd] The command was not run: `rm -rf x` is denied: "), "{reason}");
}
