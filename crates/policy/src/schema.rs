//! The JSON Schema of policy files.
//!
//! The types here are never filled: they say in the schema's terms what `config` reads, and a test compares the two.

#![expect(dead_code, reason = "the types are there for their schemas")]

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, generate::SchemaSettings, transform::RecursiveTransform};

/// A policy file: runtime knobs of pi-permission-system, and the permission map.
#[derive(JsonSchema)]
#[schemars(title = "innercmd policy", deny_unknown_fields, rename_all = "camelCase")]
struct PolicyFile {
    /// The address of this schema, for editors.
    #[schemars(rename = "$schema")]
    schema: Option<String>,
    /// Whether the host writes a log of its own doings. Kept for the host.
    debug_log: Option<bool>,
    /// Whether the host writes a log of its decisions. Kept for the host.
    permission_review_log: Option<bool>,
    /// Whether the host allows what the policy asks about. Read, and not followed: an ask stays an ask.
    yolo_mode: Option<bool>,
    /// Whether the host's dialog wants a key pressed twice. Kept for the host.
    double_press_to_confirm: Option<bool>,
    /// The longest preview of a tool's input in the host's dialog, in characters. Kept for the host.
    #[schemars(range(min = 1))]
    tool_input_preview_max_length: Option<u64>,
    /// The longest summary of a pattern or path in the host's dialog, in characters. Kept for the host.
    #[schemars(range(min = 1))]
    tool_text_summary_max_length: Option<u64>,
    /// More directories that the host's reading tools may read. Kept for the host.
    pi_infrastructure_read_paths: Option<Vec<String>>,
    /// The links that may answer an ask, in their order. Where it is given without `inner-cmd`, no wrapper is seen through.
    authorizer_chain: Option<Vec<String>>,
    /// The tools that carry shell commands, and the arguments that hold them.
    shell_tools: Option<BTreeMap<String, ShellTool>>,
    /// The permission map: each key is a surface, such as `bash`, `path`, `external_directory` or the name of a tool; `*` is the
    /// universal default, `ask` where it is missing.
    permission: Option<BTreeMap<String, Surface>>,
}

/// A tool that carries shell commands.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, rename_all = "camelCase")]
struct ShellTool {
    /// The argument that holds the command.
    command_argument: String,
    /// The argument that holds the working directory.
    workdir_argument: Option<String>,
}

/// One effect for all of a surface, or rules.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum Surface {
    /// One effect for everything.
    All(Effect),
    /// Patterns and their effects, in order: the last that matches counts. `*` stands for any text, `?` for one character; a
    /// blank and a star at the end may both be missing; `~` and `$HOME` at the start stand for the home directory.
    Rules(BTreeMap<String, Saying>),
}

/// What a rule says.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum Saying {
    /// An effect.
    Effect(Effect),
    /// A deny with a reason.
    Deny(Deny),
}

/// A deny with a reason for whoever is denied.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Deny {
    /// The effect.
    action: OnlyDeny,
    /// The reason.
    #[schemars(length(max = 500))]
    reason: Option<String>,
}

/// What a rule does.
#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum Effect {
    /// It may run without a question.
    Allow,
    /// A person decides.
    Ask,
    /// It may not run.
    Deny,
}

/// The one effect that takes a reason.
#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum OnlyDeny {
    /// It may not run.
    Deny,
}

/// The JSON Schema (2020-12) of policy files.
#[must_use]
#[cfg_attr(
    not(feature = "schema"),
    expect(unreachable_pub, reason = "the tests of a crate without it look at it, too")
)]
pub fn schema() -> Schema {
    let generator = SchemaSettings::draft2020_12().with_transform(RecursiveTransform(without_null)).into_generator();
    generator.into_root_schema_for::<PolicyFile>()
}

/// A key may be missing, but `null` is no value.
fn without_null(schema: &mut Schema) {
    let Some(types) = schema.get("type").and_then(|types| types.as_array()) else { return };
    let mut left = types.iter().filter(|name| name.as_str() != Some("null"));
    if let (Some(only), None) = (left.next().cloned(), left.next()) {
        schema.insert("type".to_owned(), only);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::schema;
    use crate::config::KEYS;

    #[test]
    fn the_schema_knows_the_keys_that_are_read() {
        let schema = schema();
        let properties = schema.get("properties").and_then(|properties| properties.as_object()).unwrap();
        let described: BTreeSet<&str> = properties.keys().map(String::as_str).collect();
        assert_eq!(described, BTreeSet::from(KEYS));
    }

    #[test]
    fn the_published_schema_is_this_one() {
        let published = include_str!("../../../docs/schema/policy.schema.json");
        let current = serde_json::to_string_pretty(&schema()).unwrap();
        assert!(published.trim_end() == current, "write it again with the example `schema`");
    }
}
