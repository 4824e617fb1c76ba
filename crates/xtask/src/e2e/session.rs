//! Drives one real Pi over its RPC mode: JSON records on stdin and stdout, split on LF alone.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Failure, home::Home, model::Script, toolchain::Pi};

/// How long anything may take before the experiment counts as hung.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);
/// What the blocker says of a command that survived every gate.
pub(super) const WOULD_RUN: &str = "E2E_WOULD_RUN";

/// What Pi is started with.
pub(super) struct Launch<'a> {
    pub(super) node: &'a Path,
    pub(super) pi: &'a Pi,
    pub(super) home: &'a Home,
    /// The extensions, in load order; the last is the blocker.
    pub(super) extensions: Vec<PathBuf>,
    pub(super) environment: Vec<(&'static str, String)>,
}

/// A running Pi.
pub(super) struct Session {
    child: Child,
    stdin: Option<ChildStdin>,
    records: Receiver<Value>,
    answer: Answer,
    end: &'static str,
    seen: Seen,
    sent: usize,
    tail: VecDeque<String>,
}

/// How the user answers a question.
#[derive(Clone, Copy, Debug)]
pub(super) enum Answer {
    /// The first option that starts so.
    Choose(&'static str),
    /// A question for a choice: the option; a question for a text: the text.
    ChooseAndSay(&'static str, &'static str),
    /// Dismissed.
    Cancel,
    /// Left open.
    Leave,
}

/// What happened since the last prompt.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// The tool results, in order of their end.
    pub(super) results: Vec<String>,
    /// The questions to the user: the title, and the options.
    pub(super) questions: Vec<(String, Vec<String>)>,
    /// What the user was told.
    pub(super) notices: Vec<String>,
    /// Whether the agent has settled.
    pub(super) settled: bool,
    /// The answers to commands, by their id.
    responses: Vec<Value>,
}

impl Session {
    /// Starts Pi in RPC mode.
    pub(super) fn start(launch: &Launch<'_>) -> Result<Self, Failure> {
        let mut command = pi_run(launch, &["--mode", "rpc"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let (sender, records) = channel();
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let errors = sender.clone();
        std::thread::spawn(move || {
            for line in stdout.into_iter().flat_map(|pipe| BufReader::new(pipe).split(b'\n')).map_while(Result::ok) {
                let text = String::from_utf8_lossy(&line).into_owned();
                let record = read(&text).unwrap_or_else(|_| json!({ "type": "noise", "text": text }));
                if sender.send(record).is_err() {
                    break;
                }
            }
        });
        std::thread::spawn(move || {
            for line in stderr.into_iter().flat_map(|pipe| BufReader::new(pipe).lines()).map_while(Result::ok) {
                if errors.send(json!({ "type": "stderr", "text": line })).is_err() {
                    break;
                }
            }
        });
        let mut session = Self {
            child,
            stdin,
            records,
            answer: Answer::Choose("No"),
            end: launch.pi.end_of_run(),
            seen: Seen::default(),
            sent: 0,
            tail: VecDeque::new(),
        };
        session.request(&json!({ "type": "get_state" }))?;
        Ok(session)
    }

    /// The process id of Pi.
    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sets how the user answers from now on.
    pub(super) fn answers(&mut self, answer: Answer) {
        self.answer = answer;
    }

    /// Plays a script of tool calls to its end, and returns what happened.
    pub(super) fn play(&mut self, script: &Script) -> Result<Seen, Failure> {
        self.begin(script)?;
        self.settle()
    }

    /// Plays one bash call to its end, and returns what happened.
    pub(super) fn bash(&mut self, command: &str) -> Result<Seen, Failure> {
        self.play(&vec![vec![("bash", json!({ "command": command }))]])
    }

    /// Starts a script without waiting for its end.
    pub(super) fn begin(&mut self, script: &Script) -> Result<(), Failure> {
        self.seen = Seen::default();
        let message = json!(script).to_string();
        self.request(&json!({ "type": "prompt", "message": message })).map(drop)
    }

    /// Waits until the agent has settled, and returns what happened since the script began.
    pub(super) fn settle(&mut self) -> Result<Seen, Failure> {
        self.wait("the agent to settle", |seen| seen.settled)?;
        Ok(self.seen.clone())
    }

    /// Sends a slash command, and returns what the user was told until it was handled.
    pub(super) fn command(&mut self, text: &str) -> Result<Vec<String>, Failure> {
        self.seen = Seen::default();
        self.request(&json!({ "type": "prompt", "message": text }))?;
        Ok(self.seen.notices.clone())
    }

    /// Sends an RPC command, and waits for its response.
    pub(super) fn request(&mut self, command: &Value) -> Result<Value, Failure> {
        self.sent += 1;
        let id = format!("e2e-{}", self.sent);
        let mut command = command.clone();
        if let Some(fields) = command.as_object_mut() {
            fields.insert("id".to_owned(), json!(id));
        }
        self.send(&command)?;
        let mine = |response: &&Value| response.get("id").and_then(Value::as_str) == Some(id.as_str());
        self.wait("a response", |seen| seen.responses.iter().any(|response| mine(&response)))?;
        let response = self.seen.responses.iter().find(mine).cloned().unwrap_or_default();
        match response.get("success").and_then(Value::as_bool) {
            Some(true) => Ok(response),
            Some(false) | None => Err(self.failure(&format!("Pi refused {command}: {response}"))),
        }
    }

    /// Waits until `done` holds of what happened.
    pub(super) fn wait(&mut self, what: &str, done: impl Fn(&Seen) -> bool) -> Result<(), Failure> {
        let deadline = Instant::now() + PATIENCE;
        while !done(&self.seen) {
            match self.records.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(record) => self.take(&record)?,
                Err(RecvTimeoutError::Timeout) => return Err(self.failure(&format!("waited in vain for {what}"))),
                Err(RecvTimeoutError::Disconnected) => return Err(self.failure(&format!("Pi ended before {what}"))),
            }
        }
        Ok(())
    }

    /// Lets `time` pass while Pi's records are read.
    pub(super) fn idle(&mut self, time: Duration) -> Result<(), Failure> {
        let deadline = Instant::now() + time;
        while let Ok(record) = self.records.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            self.take(&record)?;
        }
        Ok(())
    }

    /// What happened since the last prompt, so far.
    pub(super) fn seen(&self) -> &Seen {
        &self.seen
    }

    /// Closes Pi's stdin, and waits for it to exit.
    pub(super) fn quit(mut self) -> Result<Duration, Failure> {
        let begin = Instant::now();
        self.stdin = None;
        while begin.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait()? {
                return if status.success() {
                    Ok(begin.elapsed())
                } else {
                    Err(self.failure(&format!("Pi ended with {status}")))
                };
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Err(self.failure("Pi did not quit"))
    }

    fn send(&mut self, record: &Value) -> Result<(), Failure> {
        let Some(stdin) = &mut self.stdin else { return Err(Failure::new("Pi's stdin is closed")) };
        writeln!(stdin, "{record}")?;
        Ok(stdin.flush()?)
    }

    fn take(&mut self, record: &Value) -> Result<(), Failure> {
        let text = |pointer: &str| record.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
        if text("/type") != "message_update" {
            self.tail.push_back(record.to_string().chars().take(600).collect());
            if self.tail.len() > 30 {
                self.tail.pop_front();
            }
        }
        match text("/type").as_str() {
            "response" => self.seen.responses.push(record.clone()),
            end if end == self.end => self.seen.settled = true,
            "tool_execution_end" => self.seen.results.push(text("/result/content/0/text")),
            "extension_ui_request" => return self.ask(record),
            _ => {}
        }
        Ok(())
    }

    fn ask(&mut self, record: &Value) -> Result<(), Failure> {
        let text = |pointer: &str| record.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
        let method = text("/method");
        if method == "notify" {
            self.seen.notices.push(text("/message"));
        }
        if method != "select" && method != "input" && method != "confirm" {
            return Ok(());
        }
        let options = record.pointer("/options").and_then(Value::as_array).cloned().unwrap_or_default();
        let options: Vec<String> = options.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        self.seen.questions.push((text("/title"), options.clone()));
        let chosen = |start: &str| options.iter().find(|option| option.starts_with(start)).cloned();
        let value = match self.answer {
            Answer::Leave => return Ok(()),
            Answer::Cancel => None,
            Answer::Choose(start) => chosen(start),
            Answer::ChooseAndSay(_, say) if method == "input" => Some(say.to_owned()),
            Answer::ChooseAndSay(start, _) => chosen(start),
        };
        let id = text("/id");
        self.send(&match value {
            Some(value) => json!({ "type": "extension_ui_response", "id": id, "value": value }),
            None => json!({ "type": "extension_ui_response", "id": id, "cancelled": true }),
        })
    }

    fn failure(&mut self, what: &str) -> Failure {
        while let Ok(record) = self.records.try_recv() {
            self.tail.push_back(record.to_string().chars().take(600).collect());
        }
        let tail: Vec<&str> = self.tail.iter().map(String::as_str).collect();
        Failure::new(format!("{what}; Pi's last records:\n  {}", tail.join("\n  ")))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Seen {
    /// Whether every tool call survived every gate.
    pub(super) fn all_ran(&self) -> bool {
        !self.results.is_empty() && self.results.iter().all(|text| text.starts_with(WOULD_RUN))
    }
}

/// Reads a record; the lone surrogate of one experiment is taken for the replacement character.
fn read(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str(text).or_else(|_| serde_json::from_str(&text.replace("\\ud800", "\\ufffd")))
}

/// Pi's command line for a run with the launch's extensions.
pub(super) fn pi_run(launch: &Launch<'_>, arguments: &[&str]) -> Command {
    let mut command = pi_command(launch, arguments);
    command.args(["--offline", "-nc", "--no-skills"]);
    for extension in &launch.extensions {
        command.arg("-e").arg(extension);
    }
    command
}

/// Pi's command line, in a clean environment.
pub(super) fn pi_command(launch: &Launch<'_>, arguments: &[&str]) -> Command {
    let mut command = Command::new(launch.node);
    command.arg(&launch.pi.cli).args(arguments).current_dir(launch.home.project()).env_clear();
    command.env("PI_CODING_AGENT_DIR", launch.home.agent()).env("HOME", launch.home.user());
    let node = launch.node.parent().map(Path::to_path_buf).unwrap_or_default();
    command.env("PATH", format!("{}:/usr/local/bin:/usr/bin:/bin", node.display()));
    command.envs(launch.environment.iter().map(|(name, value)| (*name, value.as_str())));
    command
}
