//! Any choices of the generator make a text that is read as it was meant: `cargo +nightly fuzz run generated`.
#![no_main]

#[path = "../../crates/bash-units/tests/checks/mod.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| checks::generated(data));
