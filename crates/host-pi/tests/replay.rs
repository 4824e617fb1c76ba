//! The recorded asks, replayed through the sidecar's process, get the library's verdicts, byte for byte.
// `cfg(test)` always holds here; it tells clippy that these are tests, helpers included.
#![cfg(test)]
#![expect(clippy::disallowed_methods, reason = "the test starts the sidecar and reads the recordings")]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use futures_util::FutureExt;
use innercmd_authorizer::{
    Authorization, HostSession, LocalHost, PolicyAnswer, PolicyQuery, PolicyState, Request, authorize,
};
use innercmd_evidence::{EvidenceSource, parse_details};
use innercmd_host_pi::wire::Authorized;
use innercmd_policy::Policy;
use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};

/// The permissions the recordings were made under.
const PERMISSION: &str = r#"{
    "*": "allow",
    "bash": { "*": "ask", "pnpm test*": "allow", "echo *": "allow", "git push*": "ask", "rm *": "deny" }
}"#;

/// The sidecar's process, which is asked one question after the other.
struct Sidecar {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    asked: i64,
}

#[derive(Deserialize)]
struct Message<'l> {
    id: Option<i64>,
    method: Option<String>,
    params: Option<Value>,
    #[serde(borrow)]
    result: Option<&'l RawValue>,
}

impl Sidecar {
    fn start() -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_innercmd-pi"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the sidecar starts");
        let (input, output) = (process.stdin.take().unwrap(), BufReader::new(process.stdout.take().unwrap()));
        let mut sidecar = Self { process, input, output, asked: 0 };
        sidecar.ask("initialize", &json!({ "protocol": 1 }), None);
        sidecar
    }

    /// Asks, answers callbacks by `host`, and returns the result as it was written.
    fn ask(&mut self, method: &str, params: &Value, host: Option<&LocalHost<'_>>) -> String {
        self.asked += 1;
        let id = self.asked;
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).unwrap();
            let message: Message<'_> = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line}"));
            match message.method.as_deref() {
                Some("host/log") => {}
                Some(method) => {
                    let params = message.params.unwrap_or_default();
                    assert_eq!(params["ask"], id);
                    let result = call(method, &params, host.expect("a host"));
                    self.say(&json!({ "jsonrpc": "2.0", "id": message.id, "result": result }));
                }
                None => {
                    assert_eq!(message.id, Some(id), "{line}");
                    return message.result.unwrap_or_else(|| panic!("{line}")).get().to_owned();
                }
            }
        }
    }

    fn say(&mut self, message: &Value) {
        writeln!(self.input, "{message}").unwrap();
    }

    /// Closes the sidecar's input, and expects it to end well.
    fn end(mut self) {
        drop(self.input);
        assert!(self.process.wait().unwrap().success());
    }
}

/// Answers a callback as the extension would, were `host` the permission system.
fn call(method: &str, params: &Value, host: &LocalHost<'_>) -> Value {
    match method {
        "host/sessionId" => json!(LocalHost::session().as_str()),
        "host/checkPermission" => {
            assert_eq!(params["surface"], "bash");
            let value = params["value"].as_str().unwrap().to_owned();
            let query = PolicyQuery { surface: "bash", value, agent: params["agent"].as_str().map(str::to_owned) };
            render(&host.check_permission(&query).now_or_never().unwrap().unwrap())
        }
        _ => panic!("no such callback: {method}"),
    }
}

fn render(answer: &PolicyAnswer) -> Value {
    let state = match answer.state {
        PolicyState::Allow => "allow",
        PolicyState::Ask => "ask",
        PolicyState::Deny => "deny",
        PolicyState::Unknown(_) => panic!("a state that means nothing"),
    };
    let (reason, pattern, origin) = (&answer.reason, &answer.matched_pattern, &answer.origin);
    json!({ "state": state, "reason": reason, "matchedPattern": pattern, "source": "bash", "origin": origin })
}

fn by_library(details: &str, host: &LocalHost<'_>) -> Authorized {
    let answer = match parse_details(details) {
        Err(refusal) => Authorization::unreadable(refusal),
        Ok(details) => {
            let owner = LocalHost::session();
            let request = Request { details: &details, source: EvidenceSource::Payload, owner: Some(&owner) };
            authorize(&request, host, std::future::pending()).now_or_never().expect("a local host answers at once")
        }
    };
    Authorized::from(answer)
}

/// The recorded `details`, as they were written.
fn recorded(name: &str) -> Vec<String> {
    #[derive(Deserialize)]
    struct Line<'l> {
        #[serde(borrow)]
        details: Option<&'l RawValue>,
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../evidence/tests/data").join(name);
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Line<'_>>(line).unwrap());
    lines.filter_map(|line| line.details.map(|details| details.get().to_owned())).collect()
}

#[test]
fn recorded_asks_get_the_same_verdict_from_the_sidecar_as_from_the_library() {
    let policy = Policy::from_permission(PERMISSION).unwrap().policy;
    let host = LocalHost::new(&policy, None);
    let mut sidecar = Sidecar::start();
    let mut verdicts = BTreeMap::new();
    for details in [recorded("details-bash.jsonl"), recorded("details-other-surfaces.jsonl")].concat() {
        let expected = by_library(&details, &host);
        let session = LocalHost::session();
        let params = json!({ "details": details, "owner": session.as_str(), "sessionId": session.as_str(),
            "evidence": "payload", "deadlineMs": 10_000 });
        let answer = sidecar.ask("link/authorize", &params, Some(&host));
        assert_eq!(answer, serde_json::to_string(&expected).unwrap(), "{details}");
        *verdicts.entry(expected.verdict).or_insert(0) += 1;
    }
    sidecar.end();
    for verdict in ["allow", "deny", "defer"] {
        assert!(verdicts.get(verdict).is_some_and(|count| *count > 0), "no {verdict} among {verdicts:?}");
    }
    println!("{verdicts:?}");
}
