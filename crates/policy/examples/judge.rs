//! Judges the commands given by a small policy, and says why.
//!
//! `cargo run -p innercmd-policy --example judge -- 'git status && git push' "'git' push"`

use innercmd_bash_units::{BashProgram, Limits};
use innercmd_policy::{Decision, Policy, Surroundings};

const PERMISSION: &str = r#"{
    "bash": {
        "*": "ask",
        "ls *": "allow",
        "git *": "allow",
        "git push *": { "action": "deny", "reason": "people push" }
    },
    "path": { "*": "allow", "*.env": "deny" },
    "external_directory": "ask"
}"#;

fn main() -> Result<(), innercmd_policy::LoadError> {
    let policy = Policy::from_permission(PERMISSION)?.policy;
    let around = Surroundings { home: Some("/home/user"), ..Surroundings::new("/work/project") };
    for command in std::env::args().skip(1) {
        let program = BashProgram::parse(&command, &Limits::default());
        let judgement = policy.judge(&program, &around);
        match judgement.decision() {
            Decision::Allow(grant) => println!("allow: {}", grant.command()),
            Decision::Ask(cause) => println!("ask: {command} ({})", cause.code()),
            Decision::Deny { reason, .. } => println!("deny: {command} ({reason})"),
        }
        for finding in &judgement.findings {
            let about = finding.span.of(program.source());
            println!("  {} {} `{about}`: {}", finding.effect, finding.cause.code(), finding.reason());
        }
    }
    Ok(())
}
