//! Typed reading of the fields of a JSON object: missing and wrongly typed are one cause, named by the caller's code.

use serde_json::{Map, Value};

use crate::EvidenceCode;
use crate::text::is_blank;

pub(crate) type Object = Map<String, Value>;

pub(crate) fn object<'a>(parent: &'a Object, key: &str, code: EvidenceCode) -> Result<&'a Object, EvidenceCode> {
    parent.get(key).and_then(Value::as_object).ok_or(code)
}

pub(crate) fn list<'a>(parent: &'a Object, key: &str, code: EvidenceCode) -> Result<&'a [Value], EvidenceCode> {
    parent.get(key).and_then(Value::as_array).map(Vec::as_slice).ok_or(code)
}

pub(crate) fn text<'a>(parent: &'a Object, key: &str, code: EvidenceCode) -> Result<&'a str, EvidenceCode> {
    parent.get(key).and_then(Value::as_str).ok_or(code)
}

/// Reads a text with something in it.
pub(crate) fn filled_text<'a>(parent: &'a Object, key: &str, code: EvidenceCode) -> Result<&'a str, EvidenceCode> {
    text(parent, key, code).and_then(|text| if is_blank(text) { Err(code) } else { Ok(text) })
}

/// Reads a field that must be there, as null or as a text.
pub(crate) fn nullable_text<'a>(
    parent: &'a Object,
    key: &str,
    code: EvidenceCode,
) -> Result<Option<&'a str>, EvidenceCode> {
    match parent.get(key) {
        Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) | None => Err(code),
    }
}

/// Reads the name of an agent: null, or a text with something in it.
pub(crate) fn agent<'a>(parent: &'a Object, key: &str, code: EvidenceCode) -> Result<Option<&'a str>, EvidenceCode> {
    match nullable_text(parent, key, code)? {
        Some(name) if is_blank(name) => Err(code),
        other => Ok(other),
    }
}

/// Reads a text that must be `expected`: another type is `malformed`, another text is `other`.
pub(crate) fn expect_text(
    parent: &Object,
    key: &str,
    expected: &str,
    malformed: EvidenceCode,
    other: EvidenceCode,
) -> Result<(), EvidenceCode> {
    if text(parent, key, malformed)? == expected { Ok(()) } else { Err(other) }
}
