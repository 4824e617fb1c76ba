use std::time::Duration;

use async_trait::async_trait;
use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf, duplex, split};
use tokio::task::JoinHandle;

use super::*;
use crate::wire::Authorized;

/// Does what `details` says.
struct Scripted;

#[async_trait]
impl Engine for Scripted {
    async fn answer(&self, question: Question, host: PiHostSession) -> Result<Answer, RpcError> {
        let Question::Authorize(question) = question else { return Err(invalid("not in this test")) };
        let code = match question.details.as_str() {
            "allow" => "test:allow",
            "panic" => panic!("as told"),
            "hang" => std::future::pending().await,
            "check" => {
                let answer = host.check_permission("bash", "echo hi", None).await;
                if answer.is_ok_and(|answer| answer.state == "allow") { "test:allow" } else { "test:failed" }
            }
            _ => "test:defer",
        };
        let verdict = if code == "test:allow" { "allow" } else { "defer" };
        let findings = Vec::new();
        Ok(Answer::Authorize(Authorized { verdict, code, reason: None, inner: None, request_id: None, findings }))
    }
}

struct Client {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    input: WriteHalf<DuplexStream>,
    server: JoinHandle<std::io::Result<()>>,
}

impl Client {
    /// A client that has not said hello.
    fn connect() -> Self {
        let (near, far) = duplex(1 << 16);
        let (output, input) = split(far);
        let server = tokio::spawn(serve(output, input, Arc::new(Scripted)));
        let (lines, input) = split(near);
        Self { lines: BufReader::new(lines).lines(), input, server }
    }

    async fn greeted() -> Self {
        let mut client = Self::connect();
        client.say(json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": { "protocol": 1 } })).await;
        assert_eq!(client.hear().await["result"]["protocol"], 1);
        client
    }

    async fn say(&mut self, message: Value) {
        self.write(message.to_string().as_bytes()).await;
    }

    async fn write(&mut self, line: &[u8]) {
        self.input.write_all(line).await.unwrap();
        self.input.write_all(b"\n").await.unwrap();
    }

    async fn ask(&mut self, id: i64, details: &str) {
        self.say(question(id, details)).await;
    }

    async fn hear(&mut self) -> Value {
        let line = tokio::time::timeout(Duration::from_secs(5), self.lines.next_line()).await;
        serde_json::from_str(&line.expect("an answer in time").unwrap().expect("an answer")).unwrap()
    }
}

fn question(id: i64, details: &str) -> Value {
    let params =
        json!({ "details": details, "owner": "s", "sessionId": "s", "evidence": "payload", "deadlineMs": 1000 });
    json!({ "jsonrpc": "2.0", "id": id, "method": "link/authorize", "params": params })
}

#[rstest]
#[case::no_json(b"nonsense", -32700, Value::Null)]
#[case::half_an_object(br#"{"jsonrpc":"2.0","id":1,"method":"status""#, -32700, Value::Null)]
#[case::invalid_utf8(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xFF\"}", -32700, Value::Null)]
#[case::a_nul_byte(b"\0", -32700, Value::Null)]
#[case::no_object(b"[]", -32600, Value::Null)]
#[case::a_batch(br#"[{"jsonrpc":"2.0","id":1,"method":"status"}]"#, -32600, Value::Null)]
#[case::another_version(br#"{"jsonrpc":"1.0","id":1,"method":"status"}"#, -32600, json!(1))]
#[case::no_version(br#"{"id":"a","method":"status"}"#, -32600, json!("a"))]
#[case::two_methods(br#"{"jsonrpc":"2.0","id":1,"method":"status","method":"link/authorize"}"#, -32600, json!(1))]
#[case::an_id_that_is_none(br#"{"jsonrpc":"2.0","id":{},"method":"status"}"#, -32600, Value::Null)]
#[case::neither(br#"{"jsonrpc":"2.0"}"#, -32600, Value::Null)]
#[case::both(br#"{"jsonrpc":"2.0","id":7,"result":1,"error":{"code":1,"message":"m"}}"#, -32600, json!(7))]
#[case::no_such_method(br#"{"jsonrpc":"2.0","id":1,"method":"nope"}"#, -32601, json!(1))]
#[case::no_params(br#"{"jsonrpc":"2.0","id":1,"method":"link/authorize"}"#, -32602, json!(1))]
#[case::a_lone_surrogate(
    br#"{"jsonrpc":"2.0","id":1,"method":"link/authorize","params":{"details":"\ud800","owner":"s","sessionId":"s","evidence":"payload","deadlineMs":1}}"#,
    -32602,
    json!(1)
)]
#[case::a_negative_deadline(
    br#"{"jsonrpc":"2.0","id":1,"method":"link/authorize","params":{"details":"allow","owner":"s","sessionId":"s","evidence":"payload","deadlineMs":-1}}"#,
    -32602,
    json!(1)
)]
#[tokio::test]
async fn a_bad_line_is_answered_and_the_next_is_served(#[case] line: &[u8], #[case] code: i64, #[case] id: Value) {
    let mut client = Client::greeted().await;
    client.write(line).await;
    let answer = client.hear().await;
    assert_eq!((answer["error"]["code"].as_i64(), &answer["id"]), (Some(code), &id), "{answer}");
    client.ask(2, "allow").await;
    assert_eq!(client.hear().await["result"]["verdict"], "allow");
}

#[tokio::test]
async fn a_line_that_is_too_long_is_discarded() {
    let mut client = Client::greeted().await;
    client.write(&vec![b' '; LONGEST_LINE + 10]).await;
    assert_eq!(client.hear().await["error"]["code"], -32700);
    client.ask(1, "allow").await;
    assert_eq!(client.hear().await["result"]["verdict"], "allow");
}

#[tokio::test]
async fn deep_json_is_refused_and_not_descended_into() {
    let mut client = Client::greeted().await;
    let deep = "[".repeat(1 << 20) + &"]".repeat(1 << 20);
    client.write(format!(r#"{{"jsonrpc":"2.0","id":1,"method":"link/authorize","params":{deep}}}"#).as_bytes()).await;
    assert_eq!(client.hear().await["error"]["code"], -32602);
}

#[tokio::test]
async fn nothing_is_answered_before_initialize_and_it_comes_once() {
    let mut client = Client::connect();
    client.ask(1, "allow").await;
    assert_eq!(client.hear().await["error"]["code"], -32002);
    for (protocol, answer) in [(2, json!({ "supported": [1] })), (1, Value::Null)] {
        client
            .say(json!({ "jsonrpc": "2.0", "id": 2, "method": "initialize", "params": { "protocol": protocol } }))
            .await;
        assert_eq!(client.hear().await["error"]["data"], answer);
    }
    client.say(json!({ "jsonrpc": "2.0", "id": 3, "method": "initialize", "params": { "protocol": 1 } })).await;
    assert_eq!(client.hear().await["error"]["code"], -32002);
}

#[tokio::test]
async fn questions_run_side_by_side_and_a_panic_costs_one() {
    let mut client = Client::greeted().await;
    client.ask(1, "hang").await;
    client.ask(2, "panic").await;
    assert_eq!(client.hear().await["error"]["code"], -32603);
    client.ask(3, "allow").await;
    assert_eq!(client.hear().await["id"], 3);
}

#[tokio::test]
async fn a_cancelled_question_is_answered_as_cancelled() {
    let mut client = Client::greeted().await;
    client.ask(1, "hang").await;
    for id in [9, 1] {
        client.say(json!({ "jsonrpc": "2.0", "method": "$/cancelRequest", "params": { "id": id } })).await;
    }
    let answer = client.hear().await;
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(1), &json!(-32800)));
}

#[tokio::test]
async fn an_id_that_is_open_cannot_be_used_again() {
    let mut client = Client::greeted().await;
    client.ask(1, "hang").await;
    client.ask(1, "allow").await;
    assert_eq!(client.hear().await["error"]["code"], -32600);
}

#[tokio::test]
async fn too_many_questions_are_refused() {
    let mut client = Client::greeted().await;
    for id in 0..=64 {
        client.ask(id, "hang").await;
    }
    assert_eq!(client.hear().await["error"]["code"], -32003);
}

#[rstest]
#[case::allow(json!({ "result": { "state": "allow" } }), "allow")]
#[case::an_error(json!({ "error": { "code": -32800, "message": "gone" } }), "defer")]
#[case::an_error_of_the_wrong_shape(json!({ "error": 1 }), "defer")]
#[case::no_object(json!({ "result": "allow" }), "defer")]
#[case::no_state(json!({ "result": { "matchedPattern": "*" } }), "defer")]
#[case::null(json!({ "result": null }), "defer")]
#[tokio::test]
async fn a_callback_is_asked_and_its_answer_counts(#[case] reply: Value, #[case] verdict: &str) {
    let mut client = Client::greeted().await;
    client.ask(5, "check").await;
    let call = client.hear().await;
    assert_eq!((&call["method"], &call["params"]["ask"]), (&json!("host/checkPermission"), &json!(5)));
    // Answers to nothing are ignored.
    client.say(json!({ "jsonrpc": "2.0", "id": 99, "result": { "state": "allow" } })).await;
    client.say(json!({ "jsonrpc": "2.0", "id": "x", "result": { "state": "allow" } })).await;
    let mut answer = reply;
    answer["jsonrpc"] = json!("2.0");
    answer["id"] = call["id"].clone();
    client.say(answer).await;
    assert_eq!(client.hear().await["result"]["verdict"], verdict);
}

#[tokio::test]
async fn the_end_of_input_ends_the_server_with_questions_open() {
    let mut client = Client::greeted().await;
    client.ask(1, "hang").await;
    client.ask(2, "check").await;
    client.hear().await;
    client.input.shutdown().await.unwrap();
    let end = tokio::time::timeout(Duration::from_secs(2), client.server).await;
    end.expect("an end in time").unwrap().unwrap();
}

#[tokio::test]
async fn status_counts_what_was_answered() {
    let mut client = Client::greeted().await;
    client.ask(1, "allow").await;
    client.hear().await;
    client.write(b"nonsense").await;
    client.hear().await;
    client.say(json!({ "jsonrpc": "2.0", "id": 2, "method": "status" })).await;
    let status = client.hear().await["result"].clone();
    assert_eq!(
        (&status["answered"]["allow"], &status["malformed"], &status["open"]),
        (&json!(1), &json!(1), &json!(0))
    );
}

/// A line that is a question, or was one before something happened to it.
fn broken_line() -> impl Strategy<Value = Vec<u8>> {
    let whole = question(7, "allow").to_string().into_bytes();
    let cut = (any::<prop::sample::Index>(), any::<prop::sample::Index>()).prop_map({
        let whole = whole.clone();
        move |(from, to)| {
            let (from, to) = (from.index(whole.len()), to.index(whole.len()));
            whole[from.min(to)..from.max(to)].to_vec()
        }
    });
    let changed = (any::<prop::sample::Index>(), any::<u8>()).prop_map(move |(at, byte)| {
        let mut line = whole.clone();
        line[at.index(whole.len())] = byte;
        line
    });
    let noise = proptest::collection::vec(any::<u8>(), 0..200);
    prop_oneof![cut, changed, noise].prop_map(|mut line| {
        line.retain(|byte| *byte != b'\n');
        line
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn whatever_stands_in_the_lines_the_next_question_is_answered(lines in proptest::collection::vec(broken_line(), 1..8)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let mut client = Client::greeted().await;
            for line in &lines {
                client.write(line).await;
            }
            client.ask(1_000_000, "allow").await;
            loop {
                let answer = client.hear().await;
                if answer["id"] == 1_000_000 {
                    assert_eq!(answer["result"]["verdict"], "allow");
                    break;
                }
                // Only a line that is still a whole question with these details is answered so.
                if answer["result"]["verdict"] == "allow" {
                    let read = |line: &Vec<u8>| serde_json::from_slice::<Value>(line).ok();
                    assert!(lines.iter().filter_map(read).any(|line| line["params"]["details"] == "allow"));
                }
            }
        });
    }
}
