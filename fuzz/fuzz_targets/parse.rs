//! Any bytes are read, each time alike and with exact spans: `cargo +nightly fuzz run parse`.
#![no_main]

#[path = "../../crates/bash-units/tests/checks/mod.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| checks::parse(data));
