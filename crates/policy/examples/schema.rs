//! Prints the JSON Schema of policy files.
//!
//! `cargo run -p innercmd-policy --features schema --example schema > docs/schema/policy.schema.json`

fn main() -> Result<(), serde_json::Error> {
    println!("{}", serde_json::to_string_pretty(&innercmd_policy::schema())?);
    Ok(())
}
