//! The `innercmd` command, run as a process.

mod authorize;
mod batch;
mod check;
mod explain;
mod support;
