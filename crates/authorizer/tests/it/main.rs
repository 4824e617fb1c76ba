//! What a link answers, with doubles for the host.

mod gate;
mod misbehaving_hosts;
mod recordings;
mod regressions;
mod support;
