use serde_json::Value;

/// Finds the text or number at a path of keys in a JSON text that a parser rejects.
///
/// It reads as far as the text's structure holds on that path, and never inside a string; what it finds is good for telling
/// whom to answer and for nothing else. Nothing is returned where the place is missing, cut off, unreadable or there twice.
///
/// ```
/// use innercmd_evidence::salvage;
///
/// let line = r#"{"id":7,"details":{"command":"\"requestId\":\"x\" \ud800","requestId":"perm-1"#;
/// assert_eq!(salvage(line, &["id"]), Some(7.into()));
/// assert_eq!(salvage(line, &["details", "requestId"]), None); // its end is missing
/// assert_eq!(salvage(&format!("{line}\""), &["details", "requestId"]), Some("perm-1".into()));
/// ```
#[must_use]
pub fn salvage(text: &str, path: &[&str]) -> Option<Value> {
    let mut search = Search { path, open: Vec::new(), matched: 0, expect: Expect::Value, on_path: false, found: None };
    for token in (Tokens { rest: text }) {
        match search.step(token) {
            Step::Go => {}
            Step::Stop => break,
            Step::Ambiguous => return None,
        }
    }
    search.found
}

/// A walk over the tokens that follows `path` and skips whatever is beside it.
///
/// INVARIANT: the *path object* is the innermost object whose ancestors are the first `matched` keys of `path`; it is at
/// depth `matched + 1` of `open`, and `expect` and `on_path` describe the place within it.
struct Search<'p> {
    path: &'p [&'p str],
    open: Vec<Container>,
    matched: usize,
    expect: Expect,
    on_path: bool,
    found: Option<Value>,
}

enum Step {
    Go,
    Stop,
    Ambiguous,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    Key,
    Colon,
    Value,
    Comma,
}

impl Search<'_> {
    fn step(&mut self, token: Token<'_>) -> Step {
        if self.open.is_empty() {
            return self.enter_root(token);
        }
        let in_path_object = self.open.len() == self.matched + 1;
        match token {
            Token::Open(container) => self.open(container, in_path_object),
            Token::Close(container) => self.close(container),
            _ if !in_path_object => Step::Go,
            Token::Colon => self.advance(Expect::Colon, Expect::Value),
            Token::Comma => self.advance(Expect::Comma, Expect::Key),
            Token::Scalar(raw) => self.scalar(raw),
        }
    }

    fn enter_root(&mut self, token: Token<'_>) -> Step {
        match token {
            Token::Open(Container::Object) if self.expect == Expect::Value => {
                self.open.push(Container::Object);
                self.expect = Expect::Key;
                Step::Go
            }
            Token::Open(_) | Token::Close(_) | Token::Colon | Token::Comma | Token::Scalar(_) => Step::Stop,
        }
    }

    fn open(&mut self, container: Container, in_path_object: bool) -> Step {
        self.open.push(container);
        if !in_path_object {
            return Step::Go;
        }
        if self.expect != Expect::Value {
            return Step::Stop;
        }
        if self.on_path && container == Container::Object {
            self.matched += 1;
            self.expect = Expect::Key;
        } else {
            self.expect = Expect::Comma;
        }
        Step::Go
    }

    fn close(&mut self, container: Container) -> Step {
        if self.open.pop() != Some(container) {
            return Step::Stop;
        }
        // That was the path object: what follows is beside it again, and there is nothing after the root.
        if self.open.len() == self.matched {
            self.matched = self.matched.saturating_sub(1);
            self.expect = Expect::Comma;
        }
        Step::Go
    }

    fn advance(&mut self, from: Expect, to: Expect) -> Step {
        if self.expect == from {
            self.expect = to;
            Step::Go
        } else {
            Step::Stop
        }
    }

    fn scalar(&mut self, raw: &str) -> Step {
        match self.expect {
            Expect::Key => {
                let key: Option<String> = serde_json::from_str(raw).ok();
                self.on_path = key.is_some() && key.as_deref() == self.path.get(self.matched).copied();
                self.advance(Expect::Key, Expect::Colon)
            }
            Expect::Value => {
                if self.on_path && self.matched + 1 == self.path.len() {
                    match (serde_json::from_str(raw).ok(), &self.found) {
                        (Some(value @ (Value::String(_) | Value::Number(_))), None) => self.found = Some(value),
                        _ => return Step::Ambiguous,
                    }
                }
                self.advance(Expect::Value, Expect::Comma)
            }
            Expect::Colon | Expect::Comma => Step::Stop,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Container {
    Object,
    Array,
}

enum Token<'a> {
    Open(Container),
    Close(Container),
    Colon,
    Comma,
    /// A string with its quotes, or a run of anything else.
    Scalar(&'a str),
}

/// The tokens of a text up to its end or to a scalar that is cut off there.
struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let text = self.rest.trim_start_matches(WHITE_SPACE);
        let first = text.chars().next()?;
        let length = match first {
            '{' | '}' | '[' | ']' | ':' | ',' => 1,
            '"' => string_length(text)?,
            _ => text.find(|c| STRUCTURAL.contains(&c) || WHITE_SPACE.contains(&c))?,
        };
        let (token, rest) = text.split_at_checked(length)?;
        self.rest = rest;
        Some(match first {
            '{' => Token::Open(Container::Object),
            '}' => Token::Close(Container::Object),
            '[' => Token::Open(Container::Array),
            ']' => Token::Close(Container::Array),
            ':' => Token::Colon,
            ',' => Token::Comma,
            _ => Token::Scalar(token),
        })
    }
}

const WHITE_SPACE: [char; 4] = [' ', '\t', '\n', '\r'];
const STRUCTURAL: [char; 7] = ['{', '}', '[', ']', ':', ',', '"'];

/// The length in bytes of the string at the start of `text`, both quotes included.
fn string_length(text: &str) -> Option<usize> {
    let mut quoted = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if quoted => quoted = false,
            b'\\' => quoted = true,
            b'"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[track_caller]
    fn check(text: &str, path: &str, expected: &str) {
        let path: Vec<&str> = path.split('.').collect();
        let got = salvage(text, &path).map_or("-".to_owned(), |value| value.to_string());
        assert_eq!(got, expected, "{text}");
    }

    #[rstest]
    #[case::after_anything(r#"{"a":[{"id":1},"]"],"b":{"id":"x"},"c":null, "id" : "p"}"#, r#""p""#)]
    #[case::number(r#"{"id":-7}"#, "-7")]
    #[case::escaped_key(r#"{"i\u0064":"p"}"#, r#""p""#)]
    #[case::escaped_value(r#"{"id":"\"p\"\\"}"#, r#""\"p\"\\""#)]
    #[case::cut_later(r#"{"id":"p","x":"#, r#""p""#)]
    #[case::garbage_later(r#"{"id":"p" oops ]"#, r#""p""#)]
    #[case::surrogate_beside_it(r#"{"\ud800":"\ud800","id":"p"}"#, r#""p""#)]
    #[case::root_closed(r#"{"id":"p"},{"id":"q"}"#, r#""p""#)]
    #[case::deeper(r#"{"a":{"id":"x"}}"#, "-")]
    #[case::in_a_list(r#"[{"id":"x"}]"#, "-")]
    #[case::in_a_string(r#"{"a":"\"id\":\"x\""}"#, "-")]
    #[case::as_a_value(r#"{"a":"id","b":"x"}"#, "-")]
    #[case::value_with_a_colon(r#"{"a":"id":"x"}"#, "-")]
    #[case::after_a_missing_comma(r#"{"a":1 "id":"x"}"#, "-")]
    #[case::after_a_missing_colon(r#"{"a" "b","id":"x"}"#, "-")]
    #[case::after_a_key_that_opens(r#"{{},"id":"x"}"#, "-")]
    #[case::after_a_wrong_end(r#"{"a":[},"id":"x"}"#, "-")]
    #[case::after_the_end(r#"{} "id":"x"}"#, "-")]
    #[case::after_a_second_root(r#"{"a":1}{"id":"x"}"#, "-")]
    #[case::twice(r#"{"id":"p","id":"p"}"#, "-")]
    #[case::truth(r#"{"id":true}"#, "-")]
    #[case::null(r#"{"id":null}"#, "-")]
    #[case::object(r#"{"id":{"id":"x"}}"#, "-")]
    #[case::surrogate_in_it(r#"{"id":"p\ud800"}"#, "-")]
    #[case::cut_text(r#"{"id":"p"#, "-")]
    #[case::cut_number(r#"{"id":12"#, "-")]
    #[case::bare_word(r#"{id:"x"}"#, "-")]
    #[case::nothing("", "-")]
    fn a_top_level_place_is_found_by_structure(#[case] text: &str, #[case] expected: &str) {
        check(text, "id", expected);
    }

    #[rstest]
    #[case::inside(r#"{"d":{"x":{"id":"x"},"id":"p"},"id":"q"}"#, r#""p""#)]
    #[case::later(r#"{"id":"q","e":{"id":"x"},"d":{"id":"p"}}"#, r#""p""#)]
    #[case::second_object_beside(r#"{"d":{},"e":{"id":"x"}}"#, "-")]
    #[case::missing_but_there_outside(r#"{"d":{},"id":"q"}"#, "-")]
    #[case::list(r#"{"d":[{"id":"x"}]}"#, "-")]
    #[case::deeper(r#"{"e":{"d":{"id":"x"}}}"#, "-")]
    #[case::text(r#"{"d":"x"}"#, "-")]
    #[case::two_holders(r#"{"d":{"id":"p"},"d":{"id":"q"}}"#, "-")]
    fn a_deeper_place_is_found_by_structure(#[case] text: &str, #[case] expected: &str) {
        check(text, "d.id", expected);
    }

    #[test]
    fn an_empty_path_leads_nowhere() {
        assert_eq!(salvage(r#"{"":"x"}"#, &[]), None);
        assert_eq!(salvage(r#"{"":"x"}"#, &[""]), Some("x".into()));
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = format!(r#"{{"a":{}{},"id":"p"}}"#, "[".repeat(1_000_000), "]".repeat(1_000_000));
        check(&deep, "id", r#""p""#);
    }
}
