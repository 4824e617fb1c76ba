//! What a link answers, with doubles for the host.
// `cfg(test)` always holds here; it tells clippy that these are tests, helpers included.
#![cfg(test)]

mod gate;
mod misbehaving_hosts;
mod recordings;
mod regressions;
mod support;
