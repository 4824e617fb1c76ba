//! `innercmd authorize`.

use std::future::pending;
use std::io::{BufRead, BufReader, BufWriter};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::FutureExt;
use innercmd_authorizer::{Authorization, LocalHost, Request, authorize};
use innercmd_evidence::{EvidenceSource, parse_details};
use serde_json::Value;

use crate::args::Authorize;
use crate::exit::{Exit, Failure};
use crate::lines::{Line, stream};
use crate::policies::{Policies, User};
use crate::wire::{self, Authorized, RecordedLine, Unanswered};
use crate::world::{variable, working_directory};

/// Answers every recorded request.
///
/// # Errors
/// The recording or a policy file cannot be read, or writing fails. What is wrong with a request is said in its answer.
pub(crate) fn run(arguments: &Authorize) -> Result<Exit, Failure> {
    let link = RecordedLink {
        policies: Policies::new(&arguments.policy.files)?,
        cwd: working_directory(None)?,
        home: variable("HOME"),
        name: &arguments.link,
        requests: AtomicUsize::new(0),
        last: Mutex::new(Exit::Ask),
    };
    let input = open(&arguments.details)?;
    stream(input, BufWriter::new(std::io::stdout()), |line| link.answer(line)).map_err(Failure::io("the recording"))?;
    Ok(link.exit())
}

fn open(path: &Path) -> Result<Box<dyn BufRead + Send>, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(std::io::stdin())));
    }
    let file = std::fs::File::open(path).map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?;
    Ok(Box::new(BufReader::new(file)))
}

/// The link, asked with what was recorded.
struct RecordedLink<'a> {
    policies: Policies,
    cwd: String,
    home: Option<String>,
    name: &'a str,
    requests: AtomicUsize,
    last: Mutex<Exit>,
}

impl RecordedLink<'_> {
    /// The answer to a line; none where it records no request.
    fn answer(&self, line: Line) -> Option<String> {
        let line = match line.map(String::from_utf8) {
            Ok(Ok(line)) => line,
            Ok(Err(_)) => return Some(unanswered("the line is not UTF-8")),
            Err(error) => return Some(unanswered(&error.to_string())),
        };
        if line.trim().is_empty() {
            return None;
        }
        // A line that cannot be read even as far as this has no id; its request is refused below.
        let recorded: Option<RecordedLine<'_>> = serde_json::from_str(&line).ok();
        if recorded.as_ref().and_then(|recorded| recorded.details).is_some_and(|details| details.get() == "null") {
            return None;
        }
        self.requests.fetch_add(1, Ordering::Relaxed);
        let answer = match self.authorize(&line) {
            Ok(answer) => answer,
            Err(error) => return Some(unanswered(&error)),
        };
        self.note(Exit::of_link(&answer.verdict));
        let id = recorded.and_then(|recorded| recorded.id);
        Some(wire::line(&Authorized::new(id, &answer)).unwrap_or_else(|error| unanswered(&error.to_string())))
    }

    fn authorize(&self, line: &str) -> Result<Authorization, String> {
        let details = match parse_details(line) {
            Ok(details) => details,
            Err(refusal) => return Ok(Authorization::unreadable(refusal)),
        };
        let agent = details.get("agentName").and_then(Value::as_str).map(str::to_owned);
        let policy = self
            .policies
            .of(&User { agent, cwd: self.cwd.clone(), home: self.home.clone() })
            .map_err(|error| error.to_string())?;
        let (host, owner) = (LocalHost::new(&policy, self.home.as_deref()), LocalHost::session());
        // A link that the policy's chain does not list is not registered with anything.
        let owner = policy.link_enabled(self.name).then_some(&owner);
        let request = Request { details: &details, source: EvidenceSource::Payload, owner };
        authorize(&request, &host, pending()).now_or_never().ok_or_else(|| "the policy did not answer".to_owned())
    }

    fn note(&self, exit: Exit) {
        *self.last.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = exit;
    }

    /// The verdict where there was one request; where there were more, or none, the verdicts stand in the output.
    fn exit(&self) -> Exit {
        if self.requests.load(Ordering::Relaxed) == 1 {
            *self.last.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
        } else {
            Exit::Allow
        }
    }
}

fn unanswered(error: &str) -> String {
    wire::line(&Unanswered { id: None, error }).unwrap_or_else(|_| r#"{"error":"unknown"}"#.to_owned())
}
