//! The keys and values of a permission map, in the order in which they are written.

use jsonc_parser::ast;

/// A map: its entries in source order.
pub(super) type Section = Vec<Entry>;

/// A key with its value.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) at: Place,
    pub(super) value: Value,
    pub(super) value_at: Place,
}

/// The bytes of a file, from the first to behind the last.
pub(super) type Place = (usize, usize);

/// A value, as far as permission maps know values.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Text(String),
    Map(Section),
    /// Anything else, by the name of its type.
    Other(&'static str),
}

/// How deep permission maps nest: surfaces, patterns, and the parts of a deny with a reason.
const DEPTH: usize = 3;

pub(super) fn section(object: &ast::Object<'_>) -> Section {
    section_to(object, DEPTH)
}

/// The entries of `object`; maps deeper than `depth` have none, and are errors for whoever reads them.
fn section_to(object: &ast::Object<'_>, depth: usize) -> Section {
    let value = |value: &ast::Value<'_>| match value {
        ast::Value::StringLit(text) => Value::Text(text.value.to_string()),
        ast::Value::Object(inner) if depth > 1 => Value::Map(section_to(inner, depth.saturating_sub(1))),
        ast::Value::Object(_) => Value::Other("an object"),
        ast::Value::Array(_) => Value::Other("an array"),
        ast::Value::NumberLit(_) => Value::Other("a number"),
        ast::Value::BooleanLit(_) => Value::Other("a boolean"),
        ast::Value::NullKeyword(_) => Value::Other("null"),
    };
    let entry = |property: &ast::ObjectProp<'_>| Entry {
        key: property.name.as_str().to_owned(),
        at: place(&property.name),
        value: value(&property.value),
        value_at: place(&property.value),
    };
    object.properties.iter().map(entry).collect()
}

pub(super) fn place(node: &impl jsonc_parser::common::Ranged) -> Place {
    let range = node.range();
    (range.start, range.end)
}
