//! Serves the engine to the Pi coding agent.
//!
//! The sidecar `innercmd-pi` is one process per Pi session. It speaks JSON-RPC 2.0, one object a line, over its standard input and
//! output; docs/protocol.md has the whole of it. [`serve`] is that process without its start and end.
//!
//! ```
//! use std::sync::Arc;
//!
//! use innercmd_host_pi::{Sidecar, serve};
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
//! # runtime.block_on(async {
//! let input: &[u8] = br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1}}"#;
//! let (output, mut written) = tokio::io::duplex(1024);
//! serve(input, output, Arc::new(Sidecar::new())).await?;
//!
//! let mut answer = String::new();
//! tokio::io::AsyncReadExt::read_to_string(&mut written, &mut answer).await?;
//! assert!(answer.starts_with(r#"{"jsonrpc":"2.0","id":1,"result":{"protocol":1,"#));
//! # std::io::Result::Ok(())
//! # })?;
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Invariants
//! - A line that cannot be read is answered and costs nothing else; it is never taken for a question, and no question that was not
//!   read to its end is answered with allow.
//! - A question that panics, is cancelled or is late costs that question alone.
//! - Wire types live in [`wire`] and nowhere else.

mod code;
mod engine;
mod frame;
mod gate;
mod host;
mod link;
mod peer;
mod server;
mod sidecar;
pub mod wire;

pub use code::PiCode;
pub use engine::Engine;
pub use host::PiHostSession;
pub use server::serve;
pub use sidecar::Sidecar;
