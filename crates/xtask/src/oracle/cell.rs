//! A shell in its cell, and the pipe protocol with it (`c/shared.h`).

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::Error;
use super::build::Programs;
use super::reading::Ended;

/// The longest text that `bash -c` takes, in bytes.
pub(super) const LONGEST_TEXT: usize = (128 << 10) - 2;

/// How long a server may stay silent beyond the deadline it enforces itself.
const PATIENCE: Duration = Duration::from_secs(20);

/// Which shell a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shell {
    /// The walker.
    Walker,
    /// Unmodified bash.
    Builtins,
    /// Unmodified bash with its builtins off, so that they are looked for as programs.
    NoBuiltins,
}

/// Under which conditions a text runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditions {
    /// What every program exits with.
    pub(super) exit_code: u32,
    /// The wall-clock limit.
    pub(super) milliseconds: u32,
    /// How many processes may be started.
    pub(super) max_processes: u32,
}

/// The records of one text, and how its reading ended.
pub(super) struct Answer {
    pub(super) records: Vec<u8>,
    pub(super) ended: Ended,
}

/// A running server.
pub(super) struct Cell {
    child: Child,
    /// Taken when the cell is to end.
    requests: Option<ChildStdin>,
    answers: ChildStdout,
    /// Whether the server is waiting for a request, and so ends by itself when there will be none.
    idle: bool,
}

impl Cell {
    /// Starts `shell` and waits until it is ready to be asked.
    ///
    /// # Errors
    /// [`Error::NoSandbox`] where a wall of the cell could not be put up; nothing ran then.
    pub(super) fn start(programs: &Programs, shell: Shell) -> Result<Self, Error> {
        let (program, start) = match shell {
            Shell::Walker => ("/bin/walker", "/oracle/serve"),
            Shell::Builtins => ("/bin/bash", "/oracle/env-on"),
            Shell::NoBuiltins => ("/bin/bash", "/oracle/env-off"),
        };
        let mut child = Command::new(&programs.cell)
            .arg(&programs.root)
            .arg(program)
            .env_clear()
            .env("BASH_ENV", start)
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("HOME", "/w")
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|source| Error::Start { program: programs.cell.display().to_string(), source })?;
        let mut complaints = child.stderr.take();
        let (Some(requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Error::Lost);
        };
        let mut cell = Self { child, requests: Some(requests), answers, idle: false };
        let mut ready = [0; 6];
        if cell.read_exactly(&mut ready, PATIENCE).is_none() || &ready != b"ready\n" {
            let _ = cell.child.kill();
            let mut complaint = String::new();
            if let Some(stderr) = &mut complaints {
                let _ = stderr.read_to_string(&mut complaint);
            }
            return Err(Error::NoSandbox(complaint.trim().to_owned()));
        }
        cell.idle = true;
        Ok(cell)
    }

    /// Gives `text` to the shell and waits for its records; `None` where the server itself is lost.
    pub(super) fn ask(&mut self, text: &str, conditions: Conditions) -> Option<Answer> {
        if text.len() > LONGEST_TEXT || text.contains('\0') {
            return Some(Answer { records: vec![], ended: Ended::REFUSED });
        }
        let length = u32::try_from(text.len()).ok()?;
        let mut request = Vec::with_capacity(text.len() + 16);
        for number in [length, conditions.exit_code, conditions.milliseconds, conditions.max_processes] {
            request.extend(number.to_ne_bytes());
        }
        request.extend(text.as_bytes());
        self.idle = false;
        self.requests.as_mut()?.write_all(&request).ok()?;

        let patience = PATIENCE + Duration::from_millis(conditions.milliseconds.into());
        let mut head = [0; 12];
        self.read_exactly(&mut head, patience)?;
        let [length, flags, _status] = numbers(head);
        let mut records = vec![0; usize::try_from(length).ok()?];
        self.read_exactly(&mut records, patience)?;
        self.idle = true;
        Some(Answer { records, ended: Ended::from_flags(flags) })
    }

    /// Fills `buffer`, or gives up after `patience`.
    fn read_exactly(&mut self, mut buffer: &mut [u8], patience: Duration) -> Option<()> {
        let deadline = Instant::now() + patience;
        while !buffer.is_empty() {
            let left = deadline.checked_duration_since(Instant::now())?;
            let left = Timespec::try_from(left).ok()?;
            let mut fds = [PollFd::new(&self.answers, PollFlags::IN)];
            match poll(&mut fds, Some(&left)) {
                Ok(0) => return None,
                Err(rustix::io::Errno::INTR) => continue,
                Err(_) => return None,
                Ok(_) => {}
            }
            match self.answers.read(buffer) {
                Ok(0) | Err(_) => return None,
                Ok(got) => buffer = buffer.get_mut(got..)?,
            }
        }
        Some(())
    }
}

impl Drop for Cell {
    /// Closes the requests; a server that is not waiting for one is killed through its launcher, and the kernel ends
    /// every process of the cell with process 1.
    fn drop(&mut self) {
        drop(self.requests.take());
        if !self.idle {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

fn numbers(bytes: [u8; 12]) -> [u32; 3] {
    let [a, b, c, d, e, f, g, h, i, j, k, l] = bytes;
    [[a, b, c, d], [e, f, g, h], [i, j, k, l]].map(u32::from_ne_bytes)
}
