//! Everything that can go wrong with the sidecar: the user is asked in link mode, the call is blocked in gate mode.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use super::{Group, expect, expect_asked, expect_blocked, expect_ran, policy};
use crate::e2e::{
    Failure,
    lab::{Beside, Lab, Place, alive, children, within},
    session::{Answer, Seen, Session},
};

pub(super) const ALL: Group = &[
    ("faults: killed between questions", killed_between),
    ("faults: killed in the middle of a question", killed_mid_question),
    ("faults: frozen (SIGSTOP)", frozen),
    ("faults: slow", slow),
    ("faults: talking nonsense", nonsense),
    ("faults: missing, and not executable", missing),
    ("faults: failing again and again", crash_loop),
    ("faults: abort while a question is open", abort),
];

/// What a failure must come to.
type Fails = fn(&Seen) -> Result<(), Failure>;

/// Both modes, and what a failure must come to in each.
const MODES: [(Beside, Fails); 2] =
    [(Beside::Double, expect_asked), (Beside::Nothing, |seen| expect_blocked(seen, "could not be judged"))];
/// A command that is allowed where nothing fails.
const ALLOWED: &str = "timeout 60s echo hi";
/// The deadline the experiments set, in milliseconds.
const DEADLINE: u64 = 700;

fn killed_between(lab: &Lab<'_>) -> Result<String, Failure> {
    for (beside, _) in MODES {
        let place = lab.place(Some(&policy()))?;
        let mut pi = lab.start(&place, beside)?;
        expect_ran(&pi.bash(ALLOWED)?)?;
        let first = engine_of(&pi)?;
        signal(first, Signal::KILL)?;
        expect(within(Duration::from_secs(5), || !alive(first)), "the process to be gone", first)?;
        pi.idle(Duration::from_millis(50))?;
        // Nothing was asked when it died, so a new one answers.
        expect_ran(&pi.bash(ALLOWED)?)?;
        expect(engine_of(&pi)? != first, "another process", first)?;
    }
    Ok("both modes: a new process answers".to_owned())
}

fn killed_mid_question(lab: &Lab<'_>) -> Result<String, Failure> {
    for (beside, fails) in MODES {
        let place = lab.place(Some(&policy()))?;
        lab.stand_in(&place, "silence")?;
        let mut pi = lab.start(&place, beside)?;
        pi.begin(&vec![vec![("bash", json!({ "command": ALLOWED }))]])?;
        question_has_come(&place)?;
        signal(engine_of(&pi)?, Signal::KILL)?;
        let begin = Instant::now();
        fails(&pi.settle()?)?;
        expect(begin.elapsed() < Duration::from_secs(2), "an answer at once", begin.elapsed())?;
        recovers(lab, &place, &mut pi)?;
    }
    Ok("link asks, gate blocks, both at once; the next call is judged".to_owned())
}

fn frozen(lab: &Lab<'_>) -> Result<String, Failure> {
    let mut took = Vec::new();
    for (beside, fails) in MODES {
        let place = lab.place(Some(&policy()))?;
        let mut pi = impatient(lab, &place, beside)?;
        expect_ran(&pi.bash(ALLOWED)?)?;
        let first = engine_of(&pi)?;
        signal(first, Signal::STOP)?;
        let begin = Instant::now();
        fails(&pi.bash(ALLOWED)?)?;
        took.push(begin.elapsed().as_millis());
        expect(within(Duration::from_secs(2), || !alive(first)), "the frozen process to be killed", first)?;
        recovers(lab, &place, &mut pi)?;
    }
    Ok(format!("after {took:?} ms of a deadline of {DEADLINE}; the process is replaced"))
}

fn slow(lab: &Lab<'_>) -> Result<String, Failure> {
    for (beside, fails) in MODES {
        let place = lab.place(Some(&policy()))?;
        lab.stand_in(&place, "silence")?;
        let mut pi = impatient(lab, &place, beside)?;
        fails(&pi.bash(ALLOWED)?)?;
        recovers(lab, &place, &mut pi)?;
    }
    Ok("link asks, gate blocks; the process is replaced".to_owned())
}

fn nonsense(lab: &Lab<'_>) -> Result<String, Failure> {
    let kinds = [
        "some text",
        "an array",
        "null",
        "a bare allow",
        "a deny without a reason",
        "an allow for another request",
        "an allow that contradicts itself",
        "an unknown verdict",
        "an error",
        "an answer to nothing",
        "a line without an end",
        "an end",
        "an end at once",
        "another protocol",
    ];
    for (beside, fails) in MODES {
        let place = lab.place(Some(&policy()))?;
        let mut pi = impatient(lab, &place, beside)?;
        for kind in kinds {
            lab.stand_in(&place, kind)?;
            replace_engine(&mut pi)?;
            fails(&pi.bash(ALLOWED)?).map_err(|failure| Failure::new(format!("{beside:?}, {kind}: {failure}")))?;
            recovers(lab, &place, &mut pi)?;
        }
    }
    Ok(format!("{} kinds in both modes, none allowed", kinds.len()))
}

fn missing(lab: &Lab<'_>) -> Result<String, Failure> {
    for (beside, fails) in MODES {
        let place = lab.place(Some(&policy()))?;
        std::fs::remove_file(place.engine_path())?;
        let mut pi = lab.start(&place, beside)?;
        let told = pi.seen().notices.iter().any(|notice| notice.contains("the engine is missing"));
        expect(told, "a notice that the engine is missing", pi.seen())?;
        fails(&pi.bash(ALLOWED)?)?;
        std::fs::write(place.engine_path(), "not a program")?;
        fails(&pi.bash(ALLOWED)?)?;
        recovers(lab, &place, &mut pi)?;
    }
    Ok("one notice at the start; link asks, gate blocks".to_owned())
}

fn crash_loop(lab: &Lab<'_>) -> Result<String, Failure> {
    for (beside, fails) in MODES {
        let place = lab.place(Some(&policy()))?;
        lab.stand_in(&place, "an end")?;
        let mut pi = lab.start(&place, beside)?;
        for _ in 0..7 {
            fails(&pi.bash(ALLOWED)?)?;
        }
        let said = pi.command("/innercmd")?.concat();
        expect(said.contains("failed 5 times"), "five tries and no more", &said)?;
        expect(children(pi.pid()).is_empty(), "no process", children(pi.pid()))?;
    }
    Ok("5 starts, then it is left alone".to_owned())
}

fn abort(lab: &Lab<'_>) -> Result<String, Failure> {
    let mut took = Vec::new();
    for (beside, _) in MODES {
        // While the engine thinks.
        let place = lab.place(Some(&policy()))?;
        lab.stand_in(&place, "silence")?;
        let mut pi = lab.start(&place, beside)?;
        pi.answers(Answer::Leave);
        pi.begin(&vec![vec![("bash", json!({ "command": ALLOWED }))]])?;
        question_has_come(&place)?;
        took.push(aborts(&mut pi)?);
        // While the user thinks.
        let place = lab.place(Some(&policy()))?;
        let mut pi = lab.start(&place, beside)?;
        pi.answers(Answer::Leave);
        pi.begin(&vec![vec![("bash", json!({ "command": "timeout 60s git push" }))]])?;
        pi.wait("a question", |seen| seen.questions.len() == 1)?;
        took.push(aborts(&mut pi)?);
        pi.answers(Answer::Choose("No"));
        expect_ran(&pi.bash(ALLOWED)?)?;
    }
    Ok(format!("settled after {took:?} ms"))
}

/// Aborts the turn, and returns the milliseconds until Pi settles with nothing run.
fn aborts(pi: &mut Session) -> Result<u128, Failure> {
    let begin = Instant::now();
    pi.request(&json!({ "type": "abort" }))?;
    let seen = pi.settle()?;
    expect(!seen.results.iter().any(|text| text.contains("E2E_WOULD_RUN")), "nothing to run", &seen)?;
    Ok(begin.elapsed().as_millis())
}

/// Expects that with the real sidecar back in its place the next call is judged again.
fn recovers(lab: &Lab<'_>, place: &Place, pi: &mut Session) -> Result<(), Failure> {
    place.engine(&format!("exec '{}'", lab.sidecar.display()))?;
    replace_engine(pi)?;
    expect_ran(&pi.bash(ALLOWED)?)
}

/// Kills the running process, so that the next question starts what is in its place now.
fn replace_engine(pi: &mut Session) -> Result<(), Failure> {
    for id in children(pi.pid()) {
        signal(id, Signal::KILL)?;
        expect(within(Duration::from_secs(5), || !alive(id)), "the process to be gone", id)?;
    }
    // The kernel knows it before Node does.
    pi.idle(Duration::from_millis(150))
}

fn impatient(lab: &Lab<'_>, place: &Place, beside: Beside) -> Result<Session, Failure> {
    lab.start_with(place, beside, &[("INNERCMD_DEADLINE_MS", DEADLINE.to_string())])
}

fn question_has_come(place: &Place) -> Result<(), Failure> {
    let came = within(Duration::from_secs(10), || place.marker().exists());
    expect(came, "a question to reach the engine", place.marker())
}

/// The one process that Pi runs.
pub(super) fn engine_of(pi: &Session) -> Result<u32, Failure> {
    let found = children(pi.pid());
    let [engine] = found.as_slice() else {
        let named = found.iter().map(|id| (id, std::fs::read_to_string(format!("/proc/{id}/cmdline"))));
        return Err(Failure::new(format!("expected one process, saw {:?}", named.collect::<Vec<_>>())));
    };
    Ok(*engine)
}

pub(super) fn signal(id: u32, signal: Signal) -> Result<(), Failure> {
    let id = i32::try_from(id).ok().and_then(Pid::from_raw).ok_or_else(|| Failure::new("no such process"))?;
    kill_process(id, signal).map_err(|error| Failure::new(format!("kill: {error}")))
}
