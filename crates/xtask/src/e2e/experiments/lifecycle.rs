//! Sessions come and go: one registration, one process, nothing left behind.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};

use super::{
    Group, expect, expect_ran,
    faults::{engine_of, signal},
    policy,
};
use crate::e2e::{
    Failure,
    lab::{Beside, Lab, Place, alive, children, handles, memory, within},
    session::Session,
};

pub(super) const ALL: Group = &[
    ("lifecycle: /new, resume and /reload keep one registration and one process", sessions),
    ("lifecycle: quitting leaves no process behind", quitting),
    ("lifecycle: Pi killed, or frozen sidecar at the end, leaves no process behind", hard_ends),
    ("lifecycle: 200 asks in a row leak nothing", many),
];

const ALLOWED: &str = "timeout 60s echo hi";

fn sessions(lab: &Lab<'_>) -> Result<String, Failure> {
    for beside in [Beside::Double, Beside::DoubleBehind, Beside::Nothing] {
        let place = lab.place(Some(&policy()))?;
        let mut pi = lab.start(&place, beside)?;
        expect_ran(&pi.bash(ALLOWED)?)?;
        let state = pi.request(&json!({ "type": "get_state" }))?;
        let file = state.pointer("/data/sessionFile").and_then(Value::as_str).unwrap_or_default().to_owned();
        let steps = [
            json!({ "type": "new_session" }),
            json!({ "type": "prompt", "message": "/e2e-reload" }),
            json!({ "type": "switch_session", "sessionPath": file }),
            json!({ "type": "prompt", "message": "/e2e-reload" }),
            json!({ "type": "new_session" }),
        ];
        let mut before = engine_of(&pi)?;
        for step in steps {
            pi.request(&step)?;
            pi.idle(Duration::from_millis(200))?;
            expect_ran(&pi.bash(ALLOWED)?).map_err(|failure| Failure::new(format!("after {step}: {failure}")))?;
            let engine = engine_of(&pi).map_err(|failure| Failure::new(format!("after {step}: {failure}")))?;
            expect(engine != before && !alive(before), "the old process to be gone", (before, engine))?;
            before = engine;
        }
        if beside != Beside::Nothing {
            one_registration(&place)?;
            let links = pi.command("/double-links")?.concat();
            expect(links == r#"links: ["inner-cmd"]"#, "one link", links)?;
        }
    }
    Ok("5 changes of session in 3 arrangements".to_owned())
}

/// Expects that registering and disposing take turns, one registration for each session.
fn one_registration(place: &Place) -> Result<(), Failure> {
    let notes = place.notes();
    let kinds = notes.iter().filter_map(|note| match (note.get("registered"), note.get("disposed")) {
        (Some(_), _) => Some('+'),
        (_, Some(_)) => Some('-'),
        (None, None) => None,
    });
    let kinds: String = kinds.collect();
    let in_turn = !kinds.contains("++") && !kinds.contains("--") && kinds.starts_with('+') && kinds.ends_with('+');
    expect(in_turn, "registrations and disposals in turn", kinds)
}

fn quitting(lab: &Lab<'_>) -> Result<String, Failure> {
    let mut took = Vec::new();
    for beside in [Beside::Double, Beside::Nothing] {
        let place = lab.place(Some(&policy()))?;
        let mut pi = lab.start(&place, beside)?;
        expect_ran(&pi.bash(ALLOWED)?)?;
        let engine = engine_of(&pi)?;
        took.push(pi.quit()?.as_millis());
        expect(!alive(engine), "no process", engine)?;
    }
    Ok(format!("gone with Pi, which took {took:?} ms"))
}

fn hard_ends(lab: &Lab<'_>) -> Result<String, Failure> {
    let start = |beside| -> Result<(Place, Session, u32), Failure> {
        let place = lab.place(Some(&policy()))?;
        let mut pi = lab.start(&place, beside)?;
        expect_ran(&pi.bash(ALLOWED)?)?;
        let engine = engine_of(&pi)?;
        Ok((place, pi, engine))
    };
    let (_place, pi, engine) = start(Beside::Double)?;
    signal(pi.pid(), Signal::KILL)?;
    expect(within(Duration::from_secs(2), || !alive(engine)), "no process after Pi was killed", engine)?;
    let (_place, pi, engine) = start(Beside::Double)?;
    signal(engine, Signal::STOP)?;
    let took = pi.quit()?;
    expect(!alive(engine), "no frozen process", engine)?;
    Ok(format!("gone; quitting with a frozen sidecar took {} ms", took.as_millis()))
}

fn many(lab: &Lab<'_>) -> Result<String, Failure> {
    let place = lab.place(Some(&policy()))?;
    let mut pi = lab.start(&place, Beside::Double)?;
    let round = |pi: &mut Session, count: usize| -> Result<(), Failure> {
        let script = (0..count).map(|number| {
            let command = if number % 4 == 0 { "timeout 60s git push" } else { ALLOWED };
            vec![("bash", json!({ "command": command }))]
        });
        let seen = pi.play(&script.collect())?;
        let ran = seen.results.iter().filter(|text| text.starts_with("E2E_WOULD_RUN")).count();
        expect(ran == count - count / 4 && seen.questions.len() == count / 4, "three in four to run", (ran, count))
    };
    round(&mut pi, 40)?;
    let engine = engine_of(&pi)?;
    let before = (handles(pi.pid()), handles(engine), memory(engine));
    round(&mut pi, 200)?;
    pi.idle(Duration::from_millis(300))?;
    let after = (handles(pi.pid()), handles(engine), memory(engine));
    expect(children(pi.pid()) == [engine], "the same one process", children(pi.pid()))?;
    // Pi itself may open a connection more to the model; a leak would be some 200.
    expect(after.0 <= before.0 + 10 && after.1 == before.1, "as many handles", (before, after))?;
    expect(after.2 <= before.2 + 2048, "as much memory, within 2 MiB", (before, after))?;
    Ok(format!("same process; its memory {} -> {} KiB; handles {} -> {}", before.2, after.2, before.1, after.1))
}
