//! Lists the `bash` calls of a session file on standard input: `cargo run --example replay < session.jsonl`.

use std::io::{Write, read_to_string, stdin, stdout};

use innercmd_evidence::session_entries;

fn main() -> std::io::Result<()> {
    let log = session_entries(&read_to_string(stdin())?);
    let mut out = stdout().lock();
    writeln!(out, "session in {}", log.cwd().unwrap_or("an unknown directory"))?;
    for call in log.bash_calls() {
        match call {
            Ok(call) => writeln!(out, "line {}, {}: {:?}", call.line, call.id, call.command)?,
            Err(unusable) => writeln!(out, "{unusable}")?,
        }
    }
    Ok(())
}
