//! `innercmd-pi`: the sidecar.
fn main() {}
