//! Ends in time with an answer, whatever happens on the way to it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use crate::HookCode;

/// What `work` answers, or what `closed` does where it unwinds, cannot begin, or is not done after `limit`.
///
/// Work that is late is left behind: the caller's process is about to end, and takes it along.
#[must_use]
pub fn guarded(
    limit: Duration,
    closed: impl Fn(HookCode) -> String,
    work: impl FnOnce() -> String + Send + 'static,
) -> String {
    let (sender, receiver) = sync_channel(1);
    let spawned = thread::Builder::new().name("hook".to_owned()).spawn(move || {
        // Nobody listens any more where the answer is late.
        let _ = sender.send(catch_unwind(AssertUnwindSafe(work)));
    });
    if spawned.is_err() {
        return closed(HookCode::Failed);
    }
    match receiver.recv_timeout(limit) {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => closed(HookCode::Failed),
        Err(RecvTimeoutError::Timeout) => closed(HookCode::Late),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::in_time(60_000, || "done".to_owned(), "done")]
    #[case::unwinds(60_000, || panic!("by intent"), "hooks:failed")]
    #[case::hangs(200, || { thread::sleep(Duration::from_secs(60)); "late".to_owned() }, "hooks:late")]
    fn there_is_an_answer_in_time(#[case] limit: u64, #[case] work: fn() -> String, #[case] expected: &str) {
        assert_eq!(guarded(Duration::from_millis(limit), |code| code.code().to_owned(), work), expected);
    }
}
