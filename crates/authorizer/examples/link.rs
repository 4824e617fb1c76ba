//! Answers one recorded ask as a link does: `cargo run --example link < details.json`, by a policy that allows `pnpm` and `git status`.

use std::future::pending;
use std::io::Read;

use futures_executor::block_on;
use innercmd_authorizer::{Authorization, LocalHost, Request, authorize};
use innercmd_evidence::{EvidenceSource, parse_details};
use innercmd_policy::Policy;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let policy =
        Policy::from_permission(r#"{ "bash": { "*": "ask", "pnpm *": "allow", "git status": "allow" } }"#)?.policy;

    let answer = match parse_details(&text) {
        Ok(details) => {
            let owner = LocalHost::session();
            let request = Request { details: &details, source: EvidenceSource::Payload, owner: Some(&owner) };
            // A host that can hang needs a timer here.
            block_on(authorize(&request, &LocalHost::new(&policy, None), pending()))
        }
        Err(refusal) => Authorization::unreadable(refusal),
    };
    println!("{} ({})", answer.verdict.kind(), answer.verdict.code().description());
    Ok(())
}
