//! Strict reading of JSON text: nothing that two readers could understand differently is accepted.

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::text::is_blank;
use crate::{EvidenceCode, Refusal, salvage};

/// Reads one JSON text, such as one line of a recording or of a protocol.
///
/// An object that names a key twice is refused at any depth: JavaScript's `JSON.stringify` cannot write one, and readers
/// differ in which of the two counts.
///
/// # Errors
/// A [`Refusal`] that carries the request id as far as it can be [salvaged](salvage()): the `requestId` of `details`, else
/// the one of the text's own object.
pub fn parse_json(text: &str) -> Result<Value, Refusal> {
    strict(text).map_err(|code| Refusal { code: cause(text, code), request_id: request_id_in(text) })
}

/// Reads one JSON text as the `details` of a request, either bare or held by an object under the key `details`.
///
/// # Errors
/// As [`parse_json`]; that the value is an object is for [`from_payload`](crate::from_payload) and
/// [`from_session`](crate::from_session) to establish.
pub fn parse_details(text: &str) -> Result<Value, Refusal> {
    Ok(match parse_json(text)? {
        Value::Object(mut object) => object.remove("details").unwrap_or(Value::Object(object)),
        other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_)) => other,
    })
}

/// Returns the value under the key `details` of a recorded line, or the line itself where it is bare.
#[must_use]
pub fn details_in(line: &Value) -> &Value {
    line.get("details").unwrap_or(line)
}

pub(crate) fn strict(text: &str) -> Result<Value, EvidenceCode> {
    match serde_json::from_str(text) {
        Ok(Strict(value)) => Ok(value),
        // The only error that `Strict` adds is of this category; syntax and end of input are of others.
        Err(error) if error.is_data() => Err(EvidenceCode::DuplicateKey),
        Err(_) => Err(EvidenceCode::MalformedJson),
    }
}

/// Names the cause of a rejection: where the text is sound once its lone surrogates are replaced, they are it. The mended
/// text is read for nothing else.
pub(crate) fn cause(text: &str, code: EvidenceCode) -> EvidenceCode {
    match without_lone_surrogates(text).map(|mended| strict(&mended)) {
        Some(Ok(_)) => EvidenceCode::LoneSurrogate,
        Some(Err(other)) => other,
        None => code,
    }
}

fn request_id_in(text: &str) -> Option<String> {
    let at = |path: &[&str]| match salvage(text, path) {
        Some(Value::String(id)) if !is_blank(&id) => Some(id),
        Some(_) | None => None,
    };
    at(&["details", "requestId"]).or_else(|| at(&["requestId"]))
}

/// Replaces each `\u` escape that is half of a surrogate pair by U+FFFD, or returns nothing where there is none.
fn without_lone_surrogates(text: &str) -> Option<String> {
    let (mut mended, mut lone, mut rest) = (String::with_capacity(text.len()), false, text);
    while let Some((before, after)) = rest.split_once('\\') {
        mended.push_str(before);
        mended.push('\\');
        if let Some((unit, tail)) = escaped_unit(after) {
            let low = tail.strip_prefix('\\').and_then(escaped_unit);
            match (unit, low) {
                (0xd800..=0xdbff, Some((low @ 0xdc00..=0xdfff, tail))) => {
                    mended.push_str(&format!("u{unit:04x}\\u{low:04x}"));
                    rest = tail;
                    continue;
                }
                (0xd800..=0xdfff, _) => {
                    mended.push_str("ufffd");
                    lone = true;
                }
                _ => mended.push_str(&format!("u{unit:04x}")),
            }
            rest = tail;
        } else {
            // The escaped character goes with its backslash, so that `\\u` is not taken for an escape.
            let mut chars = after.chars();
            mended.extend(chars.next());
            rest = chars.as_str();
        }
    }
    mended.push_str(rest);
    lone.then_some(mended)
}

/// Reads `uXXXX` at the start of `text`: the UTF-16 code unit and what follows it.
fn escaped_unit(text: &str) -> Option<(u16, &str)> {
    let (digits, tail) = text.strip_prefix('u')?.split_at_checked(4)?;
    if digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        Some((u16::from_str_radix(digits, 16).ok()?, tail))
    } else {
        None
    }
}

/// A JSON value none of whose objects names a key twice.
struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Self)
    }
}

/// Builds a [`Strict`]; its depth is bounded by `serde_json`, which follows 128 levels.
struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = fields.next_key::<String>()? {
            let Strict(value) = fields.next_value()?;
            if object.insert(key, value).is_some() {
                return Err(A::Error::custom("a key occurs twice"));
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let got = match parse_details(text) {
            Ok(value) => value.to_string(),
            Err(refusal) => {
                format!("{} {}", refusal.code.code(), refusal.request_id.as_deref().unwrap_or("-"))
            }
        };
        assert_eq!(got, expected, "{text}");
    }

    #[rstest]
    #[case::bare(r#"{"requestId":"p"}"#, r#"{"requestId":"p"}"#)]
    #[case::held(r#"{"command":"ls","details":{"requestId":"p"}}"#, r#"{"requestId":"p"}"#)]
    #[case::held_null(r#"{"command":"ls","details":null}"#, "null")]
    #[case::no_object("[1,-2,0.5,true,null]", "[1,-2,0.5,true,null]")]
    #[case::white_space(" {} \n", "{}")]
    #[case::byte_order_mark("\u{feff}{}", "evidence:malformed-json -")]
    #[case::two_values("{} {}", "evidence:malformed-json -")]
    #[case::nothing("", "evidence:malformed-json -")]
    #[case::cut(r#"{"requestId":"p","payload":{"#, "evidence:malformed-json p")]
    fn one_json_text_is_read(#[case] text: &str, #[case] expected: &str) {
        check(text, expected);
    }

    #[rstest]
    #[case::top(r#"{"requestId":"p","toolName":"bash","toolName":"bash"}"#)]
    #[case::deep(r#"{"requestId":"p","payload":{"evidence":[{"label":"a","label":"a"}]}}"#)]
    #[case::escaped(r#"{"requestId":"p","toolName":"bash","tool\u004eame":"bash"}"#)]
    #[case::unknown_field(r#"{"requestId":"p","later":{"a":1,"a":1}}"#)]
    fn a_key_that_occurs_twice_is_refused(#[case] text: &str) {
        check(text, "evidence:duplicate-key p");
    }

    #[test]
    fn a_key_may_occur_in_two_objects() {
        check(r#"{"a":{"a":1},"b":[{"a":1},{"a":1}]}"#, r#"{"a":{"a":1},"b":[{"a":1},{"a":1}]}"#);
    }

    #[rstest]
    #[case::high(r#"{"requestId":"p","command":"echo \ud800x"}"#, "evidence:lone-surrogate p")]
    #[case::high_at_the_end(r#"{"requestId":"p","command":"\uD83D"}"#, "evidence:lone-surrogate p")]
    #[case::low(r#"{"requestId":"p","command":"\udc00"}"#, "evidence:lone-surrogate p")]
    #[case::reversed(r#"{"requestId":"p","command":"\udc00\ud800"}"#, "evidence:lone-surrogate p")]
    #[case::high_before_a_pair(r#"{"requestId":"p","command":"\ud800\ud83d\ude00"}"#, "evidence:lone-surrogate p")]
    #[case::high_before_another_escape(r#"{"requestId":"p","command":"\ud800\u0041"}"#, "evidence:lone-surrogate p")]
    #[case::in_the_id(r#"{"requestId":"\ud800","command":"ls"}"#, "evidence:lone-surrogate -")]
    #[case::not_the_only_fault(r#"{"requestId":"p","command":"\ud800""#, "evidence:malformed-json p")]
    #[case::and_a_key_twice(r#"{"requestId":"p","a":"\ud800","a":1}"#, "evidence:duplicate-key p")]
    #[case::pair(r#"{"command":"\ud83d\ude00\u0041"}"#, r#"{"command":"😀A"}"#)]
    #[case::quoted_backslash(r#"{"command":"\\ud800"}"#, r#"{"command":"\\ud800"}"#)]
    #[case::quoted_backslash_in_a_bad_text(r#"{"requestId":"p","command":"\\ud800""#, "evidence:malformed-json p")]
    #[case::no_hexadecimal_digits(r#"{"requestId":"p","command":"\u+d80"}"#, "evidence:malformed-json p")]
    fn half_of_a_surrogate_pair_is_its_own_cause(#[case] text: &str, #[case] expected: &str) {
        check(text, expected);
    }

    #[test]
    fn mending_keeps_everything_but_the_lone_halves() {
        let mended = without_lone_surrogates(r#"a\n\\u\ud800b\ud83d\ude00\u00e9\"é"#);
        assert_eq!(mended.as_deref(), Some(r#"a\n\\u\ufffdb\ud83d\ude00\u00e9\"é"#));
        assert_eq!(without_lone_surrogates(r"a\n\ud83d\ude00\u00e9"), None);
    }

    #[test]
    fn the_id_in_details_comes_before_the_one_around_it() {
        check(r#"{"requestId":"outer","details":{"requestId":"inner","x":"\ud800"}}"#, "evidence:lone-surrogate inner");
        check(r#"{"requestId":"outer","details":{"requestId":7,"x":"\ud800"}}"#, "evidence:lone-surrogate outer");
        check(r#"{"requestId":" ","x":"\ud800"}"#, "evidence:lone-surrogate -");
    }

    #[test]
    fn nesting_has_a_bound() {
        check(&format!("{}{}", "[".repeat(127), "]".repeat(127)), &format!("{}{}", "[".repeat(127), "]".repeat(127)));
        check(&"[".repeat(1_000_000), "evidence:malformed-json -");
    }

    #[test]
    fn a_recorded_line_and_its_details_are_told_apart() {
        let line = serde_json::json!({"command": "ls", "details": {"requestId": "p"}});
        assert_eq!(details_in(&line), &serde_json::json!({"requestId": "p"}));
        assert_eq!(details_in(details_in(&line)), &serde_json::json!({"requestId": "p"}));
    }
}
