//! A scripted model: an OpenAI-compatible streaming server on 127.0.0.1 that says what the prompt tells it to say.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;

use serde_json::{Value, json};
use tiny_http::{Header, Request, Response, Server};

use super::Failure;

/// A running model server; it stops when dropped.
pub(super) struct Model {
    server: Arc<Server>,
    port: u16,
    thread: Option<JoinHandle<()>>,
}

/// What the model answers to a prompt: for each turn, the tool calls of one assistant message.
///
/// The prompt is this script as JSON: `[[["bash", {"command": "ls"}]]]`. When every turn is played the answer is a text.
pub(super) type Script = Vec<Vec<(&'static str, Value)>>;

impl Model {
    /// Starts a server on a free port.
    pub(super) fn start() -> Result<Self, Failure> {
        let server = Server::http("127.0.0.1:0").map_err(|error| Failure::new(format!("model server: {error}")))?;
        let server = Arc::new(server);
        let port = server.server_addr().to_ip().map(|address| address.port()).unwrap_or_default();
        let listener = Arc::clone(&server);
        let thread = std::thread::spawn(move || {
            let calls = AtomicUsize::new(0);
            for request in listener.incoming_requests() {
                // A client that hung up is none of the model's business.
                drop(answer(request, &calls));
            }
        });
        Ok(Self { server, port, thread: Some(thread) })
    }

    /// The base URL for Pi's `models.json`.
    pub(super) fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.server.unblock();
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

fn answer(mut request: Request, calls: &AtomicUsize) -> std::io::Result<()> {
    let body: Value = serde_json::from_reader(request.as_reader()).unwrap_or_default();
    let messages = body.pointer("/messages").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let stream = render(&next_turn(messages), calls);
    let mut response = Response::from_string(stream);
    if let Ok(kind) = Header::from_bytes("content-type", "text/event-stream") {
        response.add_header(kind);
    }
    request.respond(response)
}

/// The tool calls due after `messages`: none where the script is played to its end or there is none.
fn next_turn(messages: &[Value]) -> Vec<Value> {
    let role = |message: &Value| message.pointer("/role").and_then(Value::as_str).unwrap_or_default().to_owned();
    let Some(prompt) = messages.iter().rposition(|message| role(message) == "user") else { return Vec::new() };
    let played = messages.iter().skip(prompt).filter(|message| role(message) == "assistant").count();
    let text = messages.get(prompt).map(text_of).unwrap_or_default();
    let script: Value = serde_json::from_str(&text).unwrap_or_default();
    script.get(played).and_then(Value::as_array).cloned().unwrap_or_default()
}

fn text_of(message: &Value) -> String {
    match message.pointer("/content") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            parts.iter().filter_map(|part| part.pointer("/text").and_then(Value::as_str)).collect()
        }
        _ => String::new(),
    }
}

fn render(turn: &[Value], calls: &AtomicUsize) -> String {
    let mut stream = String::new();
    let mut chunk = |delta: Value, finish: Option<&str>| {
        let choice = json!({ "index": 0, "delta": delta, "finish_reason": finish });
        let event = json!({ "id": "scripted", "object": "chat.completion.chunk", "created": 0, "model": "scripted",
            "choices": [choice], "usage": { "prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2 } });
        stream.push_str(&format!("data: {event}\n\n"));
    };
    chunk(json!({ "role": "assistant", "content": "" }), None);
    for (index, call) in turn.iter().enumerate() {
        let id = format!("call_{}_{index}", calls.fetch_add(1, Ordering::Relaxed));
        // A lone surrogate can be written in JSON text, but not be a Rust string.
        let arguments = call.get(1).cloned().unwrap_or_default().to_string().replace("E2E_LONE", "\\ud800");
        let function = json!({ "name": call.get(0), "arguments": arguments });
        let part = json!({ "index": index, "id": id, "type": "function", "function": function });
        chunk(json!({ "tool_calls": [part] }), None);
    }
    if turn.is_empty() {
        chunk(json!({ "content": "done" }), None);
    }
    chunk(json!({}), Some(if turn.is_empty() { "stop" } else { "tool_calls" }));
    stream.push_str("data: [DONE]\n\n");
    stream
}
