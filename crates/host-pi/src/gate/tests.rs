use rstest::rstest;
use serde_json::{Value, json};

use super::*;

/// Judges a command by its first word.
struct Scripted;

impl Judge for Scripted {
    fn open(&self, _files: &OpenGate) -> GateOpened {
        GateOpened { sources: Vec::new(), builtin: true }
    }

    fn judge(&self, call: &Call, _deadline: Instant) -> Judged {
        let (effect, reason) = match call.command.split(' ').next() {
            Some("allow") => (Effect::Allow, None),
            Some("deny") => (Effect::Deny, Some("no".to_owned())),
            _ => (Effect::Ask, None),
        };
        let units = vec![Unit { text: call.command.clone(), decision: effect.name(), rule: None }];
        Judged { effect, code: "test:judged", reason, units, inner: None, findings: Vec::new() }
    }
}

struct Bench {
    gate: Gate<Scripted>,
    directory: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let bench = Self { gate: Gate::new(Scripted), directory: tempfile::tempdir().unwrap() };
        bench.open(&bench.log());
        bench
    }

    fn log(&self) -> std::path::PathBuf {
        self.directory.path().join("audit.jsonl")
    }

    fn open(&self, audit: &std::path::Path) {
        self.gate.open(&OpenGate { sources: Vec::new(), agents: Vec::new(), audit: audit.to_owned(), home: None });
    }

    fn decide(&self, command: &str) -> Decided {
        self.input(json!({ "command": command }).to_string().as_str())
    }

    fn input(&self, input: &str) -> Decided {
        self.in_shell(input, None)
    }

    fn in_shell(&self, input: &str, shell: Option<&str>) -> Decided {
        let question = Decide {
            input: input.to_owned(),
            tool_call_id: "call".to_owned(),
            session_id: "session".to_owned(),
            cwd: "/work".to_owned(),
            agent: None,
            shell: shell.map(str::to_owned),
            deadline_ms: 1000,
        };
        self.gate.decide(question).unwrap()
    }

    fn settle(&self, ticket: &str, choice: Choice, reason: Option<&str>) -> Result<Settled, RpcError> {
        self.gate.settle(&Settle { ticket: ticket.to_owned(), choice, reason: reason.map(str::to_owned) })
    }

    #[expect(clippy::disallowed_methods, reason = "tests look at the file")]
    fn records(&self) -> Vec<Value> {
        let lines = std::fs::read_to_string(self.log()).unwrap_or_default();
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

#[rstest]
#[case::allowed("allow", "allow")]
#[case::denied("deny", "deny")]
fn a_decision_of_the_policy_is_on_record_once(#[case] command: &str, #[case] decision: &str) {
    let bench = Bench::new();
    let decided = bench.decide(command);
    assert_eq!(decided.decision, decision);
    let records = bench.records();
    assert_eq!(records.len(), 1);
    assert_eq!(records[0]["requestId"], decided.ticket);
    assert_eq!((&records[0]["decision"], &records[0]["units"][0]["text"]), (&json!(decision), &json!(command)));
    assert!(bench.settle(&decided.ticket, Choice::Once, None).is_err());
}

#[rstest]
#[case::once(Choice::Once, "allow", "host-pi:approved-once")]
#[case::session(Choice::Session, "allow", "host-pi:approved-for-session")]
#[case::deny(Choice::Deny, "deny", "host-pi:denied-by-user")]
#[case::unavailable(Choice::Unavailable, "deny", "host-pi:nobody-to-ask")]
#[case::aborted(Choice::Aborted, "deny", "host-pi:aborted")]
fn an_ask_ends_as_the_user_chose_and_once(#[case] choice: Choice, #[case] decision: &str, #[case] code: &str) {
    let bench = Bench::new();
    let asked = bench.decide("git push");
    assert_eq!((asked.decision, bench.records().len()), ("ask", 0));
    let settled = bench.settle(&asked.ticket, choice, None).unwrap();
    assert_eq!((settled.decision, settled.code), (decision, code));
    assert_eq!(settled.reason.is_some(), decision == "deny");
    let records = bench.records();
    assert_eq!(records.len(), 1);
    assert_eq!((&records[0]["code"], &records[0]["policy"]), (&json!(code), &json!("ask")));
    assert!(bench.settle(&asked.ticket, Choice::Once, None).is_err());
}

#[test]
fn an_approval_for_the_session_covers_the_same_command_alone() {
    let bench = Bench::new();
    let asked = bench.decide("git push");
    bench.settle(&asked.ticket, Choice::Session, None).unwrap();
    assert_eq!(bench.decide("git push").code, "host-pi:approved-before");
    assert_eq!(bench.decide("git push --force").decision, "ask");
    assert_eq!(bench.decide("git push && deny").decision, "ask");
}

#[test]
fn an_approval_once_is_none_for_the_next_time() {
    let bench = Bench::new();
    let asked = bench.decide("git push");
    bench.settle(&asked.ticket, Choice::Once, None).unwrap();
    assert_eq!(bench.decide("git push").decision, "ask");
}

#[test]
fn the_agent_is_told_what_the_user_says() {
    let bench = Bench::new();
    let asked = bench.decide("git push");
    let settled = bench.settle(&asked.ticket, Choice::Deny, Some(" open a pull request. ")).unwrap();
    assert_eq!(
        settled.reason.as_deref(),
        Some("[innercmd] The command was not run: the user denied it and says: open a pull request.")
    );
}

#[rstest]
#[case::a_lone_surrogate(r#"{"command":"\ud800"}"#)]
#[case::no_json("ls")]
#[case::no_command("{}")]
#[case::a_command_that_is_no_text(r#"{"command":["allow"]}"#)]
#[case::an_unknown_member(r#"{"command":"allow","workdir":"/etc"}"#)]
#[case::two_commands(r#"{"command":"allow","command":"deny"}"#)]
fn an_input_that_cannot_be_read_is_denied_and_on_record(#[case] input: &str) {
    let bench = Bench::new();
    let decided = bench.input(input);
    assert_eq!((decided.decision, decided.code), ("deny", "host-pi:unreadable-input"));
    assert_eq!(bench.records()[0]["command"], input);
}

#[rstest]
#[case::without_a_timeout(r#"{"command":"allow"}"#)]
#[case::with_a_timeout(r#"{"command":"allow","timeout":1.5}"#)]
fn the_input_of_the_bash_tool_is_read(#[case] input: &str) {
    assert_eq!(Bench::new().input(input).decision, "allow");
}

#[rstest]
#[case::bash("/opt/bin/bash", "allow", "allow")]
#[case::bash_on_windows(r"C:\git\bin\bash.exe", "allow", "allow")]
#[case::zsh("/bin/zsh", "allow", "ask")]
#[case::something_that_ends_so("/bin/notbash", "allow", "ask")]
#[case::a_deny("/bin/zsh", "deny", "deny")]
fn another_shell_than_bash_is_allowed_nothing(#[case] shell: &str, #[case] command: &str, #[case] decision: &str) {
    let input = json!({ "command": command }).to_string();
    assert_eq!(Bench::new().in_shell(&input, Some(shell)).decision, decision);
}

#[test]
fn what_cannot_be_recorded_is_not_allowed() {
    let bench = Bench::new();
    let asked = bench.decide("git push");
    bench.open(bench.directory.path());
    assert_eq!(bench.decide("allow").code, "host-pi:record-failed");
    let settled = bench.settle(&asked.ticket, Choice::Session, None).unwrap();
    assert_eq!((settled.decision, settled.code), ("deny", "host-pi:record-failed"));
    assert_eq!(bench.decide("deny").code, "test:judged");
    bench.open(&bench.log());
    assert_eq!(bench.decide("git push").decision, "ask");
}

#[test]
fn nothing_is_decided_before_the_gate_is_open() {
    let question =
        r#"{"input":"{\"command\":\"allow\"}","toolCallId":"","sessionId":"","cwd":"/","agent":null,"deadlineMs":1}"#;
    assert!(Gate::new(Scripted).decide(serde_json::from_str(question).unwrap()).is_err());
}
