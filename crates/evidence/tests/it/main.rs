//! The crate's boundary: requests and session texts in, evidence or a code out.
// `cfg(test)` always holds here; it tells clippy that these are tests, helpers included.
#![cfg(test)]

mod laws;
mod payload;
mod recordings;
mod replay;
mod session;
mod support;
