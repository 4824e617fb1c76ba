//! Serves one session: reads lines, runs questions side by side, writes answers.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::{FutureExt, StreamExt};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio_util::codec::FramedRead;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::{
    Engine, PiHostSession,
    frame::{Frame, Lines},
    peer::Peer,
    wire::{
        Answer, Answered, Cancel, Envelope, ErrorCode, Id, Initialize, Initialized, LONGEST_LINE, Outcome, PROTOCOL,
        Program, Question, RpcError, Status,
    },
};

/// How many questions may be open at once.
const MOST_QUESTIONS: usize = 64;
/// How long the end waits for each of what is left.
const AT_THE_END: Duration = Duration::from_millis(200);
/// The version of this sidecar.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Serves `engine` to the peer behind `input` and `output` until `input` ends or `output` breaks.
///
/// # Errors
/// Reading failed. Whatever the peer writes is no error.
pub async fn serve<E: Engine>(
    input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Unpin + Send + 'static,
    engine: Arc<E>,
) -> std::io::Result<()> {
    let (peer, lines) = Peer::new();
    let mut writer = tokio::spawn(write(lines, output));
    let mut server =
        Server { engine, peer, desk: Arc::new(Desk::new()), tasks: TaskTracker::new(), initialized: false };
    let mut frames = FramedRead::new(input, Lines::new(LONGEST_LINE));
    let end = loop {
        tokio::select! {
            frame = frames.next() => match frame {
                Some(Ok(frame)) => server.take(frame).await,
                Some(Err(error)) => break Err(error),
                None => break Ok(()),
            },
            _ = &mut writer => break Ok(()),
        }
    };
    server.close().await;
    // What was answered is written, if the peer still reads.
    if !writer.is_finished() {
        drop(tokio::time::timeout(AT_THE_END, writer).await);
    }
    end
}

/// Writes `lines` until there are no more or the peer is gone.
async fn write(mut lines: mpsc::Receiver<String>, mut output: impl AsyncWrite + Unpin) {
    let mut batch = Vec::new();
    while lines.recv_many(&mut batch, 64).await > 0 {
        let mut bytes = Vec::new();
        for line in batch.drain(..) {
            bytes.extend_from_slice(line.as_bytes());
            bytes.push(b'\n');
        }
        if output.write_all(&bytes).await.is_err() || output.flush().await.is_err() {
            return;
        }
    }
}

struct Server<E> {
    engine: Arc<E>,
    peer: Peer,
    desk: Arc<Desk>,
    tasks: TaskTracker,
    initialized: bool,
}

/// What a line asks for, once it is read.
enum Request {
    Initialize(Initialize),
    Status,
    Question(Question),
}

/// The id of a line that is nothing else.
#[derive(serde::Deserialize)]
struct Identified {
    id: Id,
}

impl<E: Engine> Server<E> {
    async fn take(&mut self, frame: Frame) {
        let line = match &frame {
            Frame::Line(line) if line.trim_ascii().is_empty() => return,
            Frame::Line(line) => std::str::from_utf8(line).ok(),
            Frame::TooLong => None,
        };
        // Valid JSON that is no envelope is told apart from what is no JSON at all.
        let json = line.and_then(|line| serde_json::from_str::<&RawValue>(line).ok());
        let Some(json) = json else {
            return self.refuse(None, RpcError::new(ErrorCode::Parse, "the line is no JSON text")).await;
        };
        match serde_json::from_str::<Envelope<'_>>(json.get()) {
            Ok(envelope) => self.open(&envelope).await,
            Err(error) => {
                let id = serde_json::from_str::<Identified>(json.get()).ok().map(|line| line.id);
                self.refuse(id, invalid(&error.to_string())).await;
            }
        }
    }

    async fn open(&mut self, envelope: &Envelope<'_>) {
        let id = envelope.id.filter(|id| id.get() != "null");
        match (&envelope.method, id) {
            (Some(method), None) => self.notice(method, envelope.params),
            (Some(method), Some(id)) => match read::<Id>(Some(id)) {
                Ok(id) => self.request(id, method, envelope.params).await,
                Err(_) => self.refuse(None, invalid("an id is an integer or a text")).await,
            },
            (None, Some(id)) => self.response(id, envelope).await,
            (None, None) => self.refuse(None, invalid("neither a request nor a response")).await,
        }
    }

    async fn response(&mut self, id: &RawValue, envelope: &Envelope<'_>) {
        let reply = match (envelope.result, envelope.error) {
            (Some(result), None) => Ok(result.to_owned()),
            (None, Some(error)) => Err(read::<RpcError>(Some(error)).unwrap_or_else(|error| error)),
            (Some(_), Some(_)) | (None, None) => {
                let id = read::<Id>(Some(id)).ok();
                return self.refuse(id, invalid("a response has either a result or an error")).await;
            }
        };
        // The sidecar numbers its own calls, so an id that is no number answers nothing.
        if let Ok(id) = read::<u64>(Some(id)) {
            self.peer.take(id, reply);
        }
    }

    fn notice(&mut self, method: &str, params: Option<&RawValue>) {
        if method == "$/cancelRequest"
            && let Ok(cancel) = read::<Cancel>(params)
        {
            self.desk.cancel(&cancel.id);
        }
    }

    async fn request(&mut self, id: Id, method: &str, params: Option<&RawValue>) {
        let request = match parse(method, params) {
            Ok(Request::Initialize(_)) if self.initialized => Err(uninitialized("`initialize` comes once")),
            Ok(Request::Status | Request::Question(_)) if !self.initialized => {
                Err(uninitialized("`initialize` comes first"))
            }
            request => request,
        };
        match request {
            Err(error) => self.refuse(Some(id), error).await,
            Ok(Request::Initialize(hello)) => {
                let outcome = self.initialize(&hello);
                self.peer.respond(Some(id), outcome).await;
            }
            Ok(Request::Status) => self.peer.respond(Some(id), Outcome::Result(self.desk.status())).await,
            Ok(Request::Question(question)) => match self.desk.open(&id) {
                Ok(cancelled) => self.answer(id, question, cancelled),
                Err(error) => self.refuse(Some(id), error).await,
            },
        }
    }

    fn initialize(&mut self, hello: &Initialize) -> Outcome<Initialized> {
        if hello.protocol != PROTOCOL {
            let data = Some(serde_json::json!({ "supported": [PROTOCOL] }));
            let error = RpcError::new(ErrorCode::Unsupported, format!("protocol {} is not supported", hello.protocol));
            return Outcome::Error(RpcError { data, ..error });
        }
        self.initialized = true;
        Outcome::Result(Initialized { protocol: PROTOCOL, engine: Program { name: "innercmd-pi", version: VERSION } })
    }

    /// Answers `question` in a task of its own.
    fn answer(&self, id: Id, question: Question, cancelled: CancellationToken) {
        let (engine, peer, desk) = (Arc::clone(&self.engine), self.peer.clone(), Arc::clone(&self.desk));
        self.tasks.spawn(async move {
            let host = PiHostSession::new(peer.clone(), id.clone());
            // A panic costs one question, not the session.
            let answer = AssertUnwindSafe(engine.answer(question, host)).catch_unwind();
            let outcome = tokio::select! {
                biased;
                () = cancelled.cancelled() => Err(RpcError::new(ErrorCode::Cancelled, "the request was cancelled")),
                answer = answer => answer.unwrap_or_else(|_| Err(RpcError::new(ErrorCode::Internal, "the engine failed"))),
            };
            desk.close(&id, outcome.as_ref().ok());
            let outcome = match outcome {
                Ok(answer) => Outcome::Result(answer),
                Err(error) => Outcome::Error(error),
            };
            peer.respond(Some(id), outcome).await;
        });
    }

    async fn refuse(&self, id: Option<Id>, error: RpcError) {
        self.desk.refused();
        self.peer.respond::<()>(id, Outcome::Error(error)).await;
    }

    async fn close(self) {
        self.desk.cancel_all();
        self.peer.hang_up();
        self.tasks.close();
        drop(self.peer);
        // The questions are cancelled; one that computes and cannot be interrupted must not keep the process.
        drop(tokio::time::timeout(AT_THE_END, self.tasks.wait()).await);
    }
}

fn parse(method: &str, params: Option<&RawValue>) -> Result<Request, RpcError> {
    let question = match method {
        "initialize" => return read(params).map(Request::Initialize),
        "status" => return Ok(Request::Status),
        "link/authorize" => Question::Authorize(read(params)?),
        "gate/open" => Question::OpenGate(read(params)?),
        "gate/decide" => Question::Decide(read(params)?),
        "gate/settle" => Question::Settle(read(params)?),
        _ => return Err(RpcError::new(ErrorCode::MethodNotFound, format!("no method `{}`", method.escape_debug()))),
    };
    Ok(Request::Question(question))
}

fn read<T: DeserializeOwned>(value: Option<&RawValue>) -> Result<T, RpcError> {
    serde_json::from_str(value.map_or("null", RawValue::get))
        .map_err(|error| RpcError::new(ErrorCode::InvalidParams, error.to_string()))
}

fn invalid(message: &str) -> RpcError {
    RpcError::new(ErrorCode::InvalidRequest, message)
}

fn uninitialized(message: &str) -> RpcError {
    RpcError::new(ErrorCode::NotInitialized, message)
}

/// The open questions, and the tally.
struct Desk {
    begin: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    open: HashMap<Id, CancellationToken>,
    answered: Answered,
    malformed: u64,
}

impl Desk {
    fn new() -> Self {
        Self { begin: Instant::now(), state: Mutex::default() }
    }

    fn open(&self, id: &Id) -> Result<CancellationToken, RpcError> {
        let mut state = self.state();
        if state.open.contains_key(id) {
            return Err(invalid("a question with this id is open"));
        }
        if state.open.len() >= MOST_QUESTIONS {
            return Err(RpcError::new(ErrorCode::Busy, "too many questions are open"));
        }
        let token = CancellationToken::new();
        state.open.insert(id.clone(), token.clone());
        Ok(token)
    }

    fn close(&self, id: &Id, answer: Option<&Answer>) {
        let mut state = self.state();
        state.open.remove(id);
        match answer.and_then(Answer::effect) {
            Some("allow") => state.answered.allow += 1,
            Some("ask") => state.answered.ask += 1,
            Some("deny") => state.answered.deny += 1,
            Some("defer") => state.answered.defer += 1,
            Some(_) | None => {}
        }
    }

    fn cancel(&self, id: &Id) {
        if let Some(token) = self.state().open.get(id) {
            token.cancel();
        }
    }

    fn cancel_all(&self) {
        self.state().open.values().for_each(CancellationToken::cancel);
    }

    fn refused(&self) {
        self.state().malformed += 1;
    }

    fn status(&self) -> Status {
        let state = self.state();
        Status {
            protocol: PROTOCOL,
            version: VERSION,
            uptime_ms: self.begin.elapsed().as_millis(),
            open: state.open.len(),
            answered: state.answered,
            malformed: state.malformed,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
