//! The `innercmd` command, run as a process.
// `cfg(test)` always holds here; it tells clippy that these are tests, helpers included.
#![cfg(test)]

mod authorize;
mod batch;
mod check;
mod explain;
mod hook;
mod policy;
mod replay;
mod setup;
mod support;
