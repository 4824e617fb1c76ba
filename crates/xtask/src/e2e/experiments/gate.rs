//! Gate mode: no permission system is loaded, and the engine enforces the same files.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use super::{Group, at, expect, expect_asked, expect_blocked, expect_ran, policy, policy_with};
use crate::e2e::{
    Failure,
    home::write_json,
    lab::{Beside, Lab, records},
    session::{Answer, Session, WOULD_RUN},
};

pub(super) const ALL: Group = &[
    ("gate: allow, deny and ask by the policy file", by_the_file),
    ("gate: once, this session, deny, deny with a reason", answers),
    ("gate: approvals for the session do not widen", approvals),
    ("gate: without a user interface an ask is a block", headless),
    ("gate: without a policy file reading is allowed and the rest asked", builtin),
    ("gate: a broken policy file is told and allows nothing", broken),
    ("gate: a changed policy file counts at once", changed),
    ("gate: every decision is on record, for the owner alone", audit),
    ("gate: what cannot be recorded does not run", no_record),
    ("gate: text that is not valid Unicode is not run", lone_surrogate),
    ("gate: a later extension cannot change what was judged", pinned),
    ("gate and link: for another shell than bash nothing is allowed", other_shell),
    ("gate: the question shows what would hide", hidden_text),
];

fn gate(lab: &Lab<'_>) -> Result<(super::super::lab::Place, Session), Failure> {
    let place = lab.place(Some(&policy()))?;
    let pi = lab.start(&place, Beside::Nothing)?;
    Ok((place, pi))
}

fn by_the_file(lab: &Lab<'_>) -> Result<String, Failure> {
    let (_place, mut pi) = gate(lab)?;
    for command in ["echo hi", "pnpm test", "timeout 60s pnpm test", "timeout 60s echo a && echo b"] {
        expect_ran(&pi.bash(command)?)?;
    }
    for command in ["rm -rf x", "timeout 60s rm -rf x", "echo a && rm x", "echo $(rm x)", "'rm' x"] {
        let seen = pi.bash(command)?;
        expect_blocked(&seen, "use trash instead")?;
    }
    for command in
        ["git push", "echo a && git push", "timeout 60s git push", "env A=1 echo hi", "echo hi > x; git status", "$X"]
    {
        expect_asked(&pi.bash(command)?).map_err(|failure| Failure::new(format!("{command}: {failure}")))?;
    }
    let seen = pi.play(&vec![vec![("read", json!({ "path": "x" }))]])?;
    expect(seen.all_ran(), "other tools to pass", seen)?;
    Ok("4 allowed, 5 denied, 6 asked".to_owned())
}

fn answers(lab: &Lab<'_>) -> Result<String, Failure> {
    let (_place, mut pi) = gate(lab)?;
    pi.answers(Answer::Choose("Yes, once"));
    for _ in 0..2 {
        let seen = pi.bash("git push")?;
        expect(seen.all_ran() && seen.questions.len() == 1, "a yes for once", seen)?;
    }
    pi.answers(Answer::Choose("Yes, and the same command again"));
    let seen = pi.bash("git push")?;
    expect(seen.all_ran() && seen.questions.len() == 1, "a yes for the session", seen)?;
    expect_ran(&pi.bash("git push")?)?;
    pi.answers(Answer::Choose("No"));
    let seen = pi.bash("git push --tags")?;
    expect_asked(&seen)?;
    expect(seen.results.concat().contains("the user denied it"), "the agent to be told", &seen)?;
    pi.answers(Answer::Cancel);
    expect_asked(&pi.bash("git push --tags")?)?;
    pi.answers(Answer::ChooseAndSay("No, and tell", "open a pull request"));
    let seen = pi.bash("git push --tags")?;
    expect(seen.results.concat().contains("open a pull request") && !seen.all_ran(), "the reason", &seen)?;
    Ok(seen.results.concat())
}

fn approvals(lab: &Lab<'_>) -> Result<String, Failure> {
    let (place, mut pi) = gate(lab)?;
    pi.answers(Answer::Choose("Yes, and the same command again"));
    pi.bash("git push *")?;
    pi.answers(Answer::Choose("No"));
    expect_ran(&pi.bash("git push *")?)?;
    for command in ["git push --force", "git push * && git status", "git push  *", "timeout 60s git push *"] {
        expect_asked(&pi.bash(command)?).map_err(|failure| Failure::new(format!("{command}: {failure}")))?;
    }
    // A deny that comes later outranks it.
    write_json(&place.home.policy_file(), &policy_with("/permission/bash/git push*", json!("deny")))?;
    expect_blocked(&pi.bash("git push *")?, "git push")?;
    write_json(&place.home.policy_file(), &policy())?;
    expect_ran(&pi.bash("git push *")?)?;
    pi.request(&json!({ "type": "new_session" }))?;
    expect_asked(&pi.bash("git push *")?)?;
    Ok("other commands are asked, a later deny wins, a new session starts empty".to_owned())
}

fn headless(lab: &Lab<'_>) -> Result<String, Failure> {
    let place = lab.place(Some(&policy()))?;
    let call = |command: &str| json!([["bash", { "command": command }]]);
    let script = json!([call("timeout 60s echo hi"), call("git push"), call("rm x")]);
    let results = lab.run_headless(&place, Beside::Nothing, &script)?;
    let [allowed, asked, denied] = results.as_slice() else { return Err(Failure::new(format!("{results:?}"))) };
    expect(allowed.starts_with(WOULD_RUN), "an allow", allowed)?;
    expect(asked.contains("needs the user's approval for `git push`"), "a block that says why", asked)?;
    expect(denied.contains("use trash instead"), "a deny", denied)?;
    Ok(asked.clone())
}

fn builtin(lab: &Lab<'_>) -> Result<String, Failure> {
    let place = lab.place(None)?;
    let mut pi = lab.start(&place, Beside::Nothing)?;
    expect_ran(&pi.bash("ls -la")?)?;
    expect_asked(&pi.bash("git push")?)?;
    expect_asked(&pi.bash("rm x")?)?;
    let said = pi.command("/innercmd")?.concat();
    expect(said.contains("gate: bash is judged here"), "the mode", &said)?;
    Ok("ls runs, git push and rm are asked".to_owned())
}

fn broken(lab: &Lab<'_>) -> Result<String, Failure> {
    let place = lab.place(None)?;
    write_json(&place.home.policy_file(), &json!(null))?;
    std::fs::write(place.home.policy_file(), "{ \"permission\": { \"bash\": { \"echo *\": \"alow\" } } }")?;
    let mut pi = lab.start(&place, Beside::Nothing)?;
    let seen = pi.bash("echo hi")?;
    expect(!seen.all_ran(), "nothing to be allowed", &seen)?;
    let told = seen.notices.iter().find(|notice| notice.contains("is not in force")).cloned();
    told.ok_or_else(|| Failure::new(format!("no notice about the file: {seen:?}")))
}

fn changed(lab: &Lab<'_>) -> Result<String, Failure> {
    let (place, mut pi) = gate(lab)?;
    expect_ran(&pi.bash("echo hi")?)?;
    write_json(&place.home.policy_file(), &policy_with("/permission/bash/echo *", json!("deny")))?;
    expect_blocked(&pi.bash("echo hi")?, "echo")?;
    Ok("the next call meets the new rule".to_owned())
}

fn audit(lab: &Lab<'_>) -> Result<String, Failure> {
    let (place, mut pi) = gate(lab)?;
    pi.bash("echo hi && pnpm test")?;
    pi.bash("git push")?;
    pi.bash("rm x")?;
    let lines = records(&place.audit());
    let decisions: Vec<&Value> = lines.iter().map(|line| at(line, "/decision")).collect();
    expect(decisions == ["allow", "deny", "deny"], "three records", &lines)?;
    let unit = lines.first().map_or(&Value::Null, |line| at(line, "/units/1"));
    let rule = (at(unit, "/rule/pattern"), at(unit, "/rule/origin"));
    expect(at(unit, "/text") == "pnpm test" && rule.0 == "pnpm test*" && rule.1 == "global", "the unit's rule", unit)?;
    for line in &lines {
        let complete = ["time", "requestId", "sessionId", "toolCallId", "cwd", "command", "code", "policyCode"]
            .iter()
            .all(|field| line.get(field).and_then(Value::as_str).is_some_and(|text| !text.is_empty()));
        expect(complete, "a complete record", line)?;
    }
    let mode = std::fs::metadata(place.audit())?.permissions().mode() & 0o777;
    expect(mode == 0o600, "mode 600", format!("{mode:o}"))?;
    Ok("one record each, mode 600".to_owned())
}

fn no_record(lab: &Lab<'_>) -> Result<String, Failure> {
    let place = lab.place(Some(&policy()))?;
    std::fs::create_dir_all(place.audit())?;
    let mut pi = lab.start(&place, Beside::Nothing)?;
    expect_blocked(&pi.bash("echo hi")?, "could not be recorded")?;
    pi.answers(Answer::Choose("Yes"));
    let seen = pi.bash("git push")?;
    expect(!seen.all_ran() && seen.results.concat().contains("could not be recorded"), "a block", &seen)?;
    Ok("blocked, also after the user's yes".to_owned())
}

fn lone_surrogate(lab: &Lab<'_>) -> Result<String, Failure> {
    let (_place, mut pi) = gate(lab)?;
    let seen = pi.play(&vec![vec![("bash", json!({ "command": "echo E2E_LONE" }))]])?;
    expect_blocked(&seen, "not valid Unicode")?;
    expect_ran(&pi.bash("echo hi")?)?;
    Ok("blocked, and the engine lives on".to_owned())
}

fn pinned(lab: &Lab<'_>) -> Result<String, Failure> {
    let place = lab.place(Some(&policy()))?;
    let mut pi = lab.start_with(&place, Beside::Nothing, &[("E2E_CHANGE_COMMAND", "rm -rf x".to_owned())])?;
    let seen = pi.bash("echo hi")?;
    let changed = seen.results.iter().any(|text| text.starts_with(WOULD_RUN) && text.contains("rm -rf"));
    expect(!changed, "the judged command or none", &seen)?;
    Ok(seen.results.concat())
}

fn other_shell(lab: &Lab<'_>) -> Result<String, Failure> {
    for beside in [Beside::Double, Beside::Nothing] {
        let place = lab.place(Some(&policy()))?;
        let settings = json!({ "defaultProvider": "scripted", "defaultModel": "scripted", "shellPath": "/bin/zsh" });
        write_json(&place.home.agent().join("settings.json"), &settings)?;
        let mut pi = lab.start(&place, beside)?;
        expect_asked(&pi.bash("timeout 60s echo hi")?)?;
        let said = pi.command("/innercmd")?.concat();
        expect(said.contains("/bin/zsh is not bash"), "the reason", said)?;
    }
    Ok("asked".to_owned())
}

fn hidden_text(lab: &Lab<'_>) -> Result<String, Failure> {
    let (_place, mut pi) = gate(lab)?;
    let seen = pi.bash("git push \u{202e}lla\u{1b}[2K")?;
    let title = seen.questions.iter().map(|(title, _)| title.as_str()).collect::<String>();
    expect(title.contains("\\u{202e}") && title.contains("\\u{1b}"), "escapes", &title)?;
    expect(!title.contains('\u{202e}') && !title.contains('\u{1b}'), "nothing hidden", &title)?;
    Ok("escaped".to_owned())
}
