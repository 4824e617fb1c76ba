//! `innercmd-pi`: the sidecar of one Pi session. It speaks the protocol of docs/protocol.md over its standard input and output.

use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use innercmd_host_pi::{Sidecar, serve};

/// Serves Bash authorization to one Pi session, over standard input and output.
#[derive(Parser)]
#[command(name = "innercmd-pi", version)]
struct Arguments {}

fn main() -> ExitCode {
    let Arguments {} = Arguments::parse();
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("innercmd-pi: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build()?;
    let end = runtime.block_on(serve(tokio::io::stdin(), tokio::io::stdout(), Arc::new(Sidecar::new())));
    // A thread may still wait in a read; the process does not wait for it.
    runtime.shutdown_background();
    end
}
