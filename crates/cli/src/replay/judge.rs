//! Judges all lines on all cores, with bounded memory.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use crossbeam_channel::{Receiver, bounded};
use indicatif::{ProgressBar, ProgressStyle};
use innercmd_authorizer::{Link, gate};
use innercmd_bash_units::{BashProgram, Limits};
use innercmd_file_facts::facts;
use innercmd_policy::{Policy, Surroundings};

use super::inputs::{Batch, Input, Wants};
use super::session::{Asked, asked};
use super::tally::Tally;
use crate::exit::Failure;
use crate::judging::LINK;

/// What commands are judged by, and where they ran if they do not say so.
pub(crate) struct Court {
    pub(crate) policy: Arc<Policy>,
    pub(crate) against: Option<Arc<Policy>>,
    pub(crate) cwd: String,
    pub(crate) home: Option<String>,
    /// Whether the policies alone are asked.
    pub(crate) policy_only: bool,
}

/// Judges every command of `inputs`.
///
/// # Errors
/// An input cannot be read.
pub(crate) fn judge(inputs: &[Input], court: &Court, progress: &ProgressBar) -> Result<Tally, Failure> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    // A batch for each worker to work on, and one to go on with.
    let (sender, receiver) = bounded::<Batch>(workers);
    let total = Mutex::new(Tally::new());
    std::thread::scope(|scope| -> Result<(), Failure> {
        for _ in 0..workers {
            let receiver: Receiver<Batch> = receiver.clone();
            scope.spawn(|| {
                for batch in receiver {
                    let bytes = batch.bytes;
                    let tally = court.batch(batch);
                    total.lock().unwrap_or_else(PoisonError::into_inner).merge(tally);
                    progress.inc(bytes);
                }
            });
        }
        drop(receiver);
        for (number, input) in inputs.iter().enumerate() {
            let take = |batch| if sender.send(batch).is_ok() { Wants::More } else { Wants::NoMore };
            input.read(number, take).map_err(Failure::io(input.name()))?;
        }
        drop(sender);
        Ok(())
    })?;
    progress.finish_and_clear();
    Ok(total.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// A bar on a terminal, and nothing elsewhere.
pub(crate) fn bar(inputs: &[Input]) -> ProgressBar {
    let total: Option<u64> = inputs.iter().map(Input::bytes).sum();
    let (bar, template) = match total {
        Some(total) => (ProgressBar::new(total), "{bar:40} {percent:>3} %  {bytes} of {total_bytes}  {eta} left"),
        None => (ProgressBar::no_length(), "{spinner} {bytes}  {elapsed}"),
    };
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

impl Court {
    fn batch(&self, batch: Batch) -> Tally {
        let mut tally = Tally::new();
        for (offset, line) in batch.lines.into_iter().enumerate() {
            tally.lines = tally.lines.saturating_add(1);
            let asked = line.ok().and_then(|line| asked(&line).ok());
            let Some(asked) = asked else {
                let number = batch.first.saturating_add(offset as u64);
                tally.unreadable = tally.unreadable.saturating_add(1);
                tally.first_unreadable = tally.first_unreadable.or(Some((batch.input, number)));
                continue;
            };
            for asked in asked {
                let cwd = asked.cwd.as_deref().or(batch.cwd.as_deref()).unwrap_or(&self.cwd).to_owned();
                // A bug that unwinds costs the command it is about, and the rest is counted.
                let caught = catch_unwind(AssertUnwindSafe(|| self.command(&asked, &cwd, &mut tally)));
                tally.unreadable = tally.unreadable.saturating_add(u64::from(caught.is_err()));
            }
        }
        tally
    }

    fn command(&self, asked: &Asked, cwd: &str, tally: &mut Tally) {
        let program = BashProgram::parse(&asked.command, &Limits::default());
        let gated = self.gate(&self.policy, &program, cwd);
        tally.command(&program, &gated, cwd);
        if let Some(against) = &self.against {
            tally.against(&program, &gated.verdict, &self.gate(against, &program, cwd).verdict);
        }
    }

    /// The verdict of `policy`.
    pub(crate) fn gate(&self, policy: &Policy, program: &BashProgram, cwd: &str) -> innercmd_authorizer::Gated {
        let surroundings = Surroundings { home: self.home.as_deref(), facts: facts(cwd), ..Surroundings::new(cwd) };
        let link = if self.policy_only || !policy.link_enabled(LINK) { Link::Off } else { Link::On };
        gate(policy, program, &surroundings, link)
    }
}
