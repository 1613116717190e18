//! Finds `"expected": [...]` in objects that stand anywhere in a text. One pass: prose around the objects,
//! objects that never close and quotes that do not pair cost nothing but themselves.

use std::ops::Range;

/// Deeper nesting is not a prediction.
const DEEPEST: usize = 64;

/// The list of one object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ExpectedList<'a> {
    /// The object that directly holds the list.
    pub(super) object: &'a str,
    /// From the list's bracket to its own, both included.
    pub(super) list: &'a str,
    /// Byte position of the list in the object.
    pub(super) list_at: usize,
    /// The list's strings in order; what is no string is left out.
    pub(super) items: Vec<String>,
}

/// The list of the object that closed last, so an outer object beats those inside it.
pub(super) fn last_expected(text: &str) -> Option<ExpectedList<'_>> {
    let (object, list) = Scan { bytes: text.as_bytes(), open: Vec::new(), found: None }.run()?;
    let strings = list.strings.iter().filter_map(|span| text.get(span.clone()));
    Some(ExpectedList {
        object: text.get(object.clone())?,
        list: text.get(list.span.clone())?,
        list_at: list.span.start - object.start,
        items: strings.map(decoded).collect(),
    })
}

/// What a quoted string says; one that is not quite JSON is taken by its letters.
fn decoded(quoted: &str) -> String {
    serde_json::from_str(quoted).unwrap_or_else(|_| quoted.trim_matches('"').to_string())
}

struct Scan<'a> {
    bytes: &'a [u8],
    open: Vec<Container>,
    found: Option<(Range<usize>, List)>,
}

struct Container {
    start: usize,
    is_object: bool,
    next: Next,
    /// Object: the member that is being read is `expected`. List: it is the value of such a member.
    is_expected: bool,
    /// Object: its `expected`.
    list: Option<List>,
    /// List: its strings, if it is the value of `expected`.
    strings: Vec<Range<usize>>,
}

struct List {
    span: Range<usize>,
    strings: Vec<Range<usize>>,
}

#[derive(Clone, Copy, PartialEq)]
enum Next {
    /// A key or the end: brains like a comma before the end.
    Key,
    Colon,
    Value,
    Comma,
}

impl Scan<'_> {
    fn run(mut self) -> Option<(Range<usize>, List)> {
        let mut at = 0;
        // A string before a place that makes no sense was perhaps none: its first quote closed another one.
        let mut string_before: Option<usize> = None;
        while at < self.bytes.len() {
            if self.open.is_empty() {
                let rest = self.bytes.get(at..).unwrap_or_default();
                let Some(brace) = rest.iter().position(|byte| *byte == b'{') else { break };
                at += brace;
                self.push(at);
                at += 1;
                string_before = None;
                continue;
            }
            if self.bytes[at].is_ascii_whitespace() {
                at += 1;
                continue;
            }
            match self.token(at) {
                Some(end) => {
                    string_before = (self.bytes[at] == b'"').then_some(at);
                    at = end;
                }
                None => {
                    self.open.clear();
                    at = string_before.take().map_or(at, |quote| quote + 1);
                }
            }
        }
        self.found
    }

    /// Takes the token that starts here; its end, or nothing where it cannot stand.
    fn token(&mut self, at: usize) -> Option<usize> {
        let container = self.open.last_mut()?;
        match (self.bytes[at], container.next, container.is_object) {
            (b'}', Next::Key | Next::Comma, true) => self.close(at),
            (b']', Next::Value | Next::Comma, false) => self.close(at),
            (b',', Next::Comma, is_object) => {
                container.next = if is_object { Next::Key } else { Next::Value };
                Some(at + 1)
            }
            (b':', Next::Colon, _) => {
                container.next = Next::Value;
                Some(at + 1)
            }
            (b'"', Next::Key, _) => {
                let end = string_end(self.bytes, at)?;
                container.is_expected = self.bytes.get(at..end) == Some(b"\"expected\"");
                container.next = Next::Colon;
                Some(end)
            }
            (b'"', Next::Value, is_object) => {
                let end = string_end(self.bytes, at)?;
                if !is_object && container.is_expected {
                    container.strings.push(at..end);
                }
                container.next = Next::Comma;
                Some(end)
            }
            (b'{' | b'[', Next::Value, _) => {
                container.next = Next::Comma;
                if self.open.len() >= DEEPEST {
                    return None;
                }
                self.push(at);
                Some(at + 1)
            }
            (byte, Next::Value, _) if is_scalar(byte) => {
                container.next = Next::Comma;
                let rest = self.bytes.get(at..).unwrap_or_default();
                Some(at + rest.iter().take_while(|byte| is_scalar(**byte)).count())
            }
            _ => None,
        }
    }

    fn push(&mut self, at: usize) {
        let is_object = self.bytes[at] == b'{';
        let is_expected = !is_object && self.open.last().is_some_and(|outer| outer.is_object && outer.is_expected);
        let next = if is_object { Next::Key } else { Next::Value };
        self.open.push(Container { start: at, is_object, next, is_expected, list: None, strings: Vec::new() });
    }

    fn close(&mut self, at: usize) -> Option<usize> {
        let closed = self.open.pop()?;
        let span = closed.start..at + 1;
        if closed.is_object {
            self.found = closed.list.map(|list| (span, list)).or(self.found.take());
        } else if closed.is_expected
            && let Some(object) = self.open.last_mut()
        {
            object.list = Some(List { span, strings: closed.strings });
        }
        Some(at + 1)
    }
}

fn is_scalar(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

/// Behind the quote that closes the string which starts here.
fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match bytes.get(at)? {
            b'\\' => at += 2,
            b'"' => return Some(at + 1),
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(text: &str) -> Option<Vec<String>> {
        last_expected(text).map(|found| found.items)
    }

    #[track_caller]
    fn finds(text: &str, wanted: &[&str]) {
        assert_eq!(items(text).unwrap_or_else(|| panic!("nothing in {text}")), wanted, "{text}");
    }

    #[test]
    fn lists_are_found_wherever_their_object_stands() {
        finds(r#"{"expected": ["a", "b"]}"#, &["a", "b"]);
        finds(r#"x {see {y} {"n": [1, {"m": null}], "expected": ["a"], "t": {"u": 1.5e-3}} z"#, &["a"]);
        finds("```json\n{\"out\": {\"deep\": [{\"expected\": [\"a\"]}]}}\n```", &["a"]);
        finds(r#"{"expected": ["url_contains:/{id}/[1]", "q \"x\" ü"]}"#, &["url_contains:/{id}/[1]", "q \"x\" ü"]);
        finds(r#"{"expected": ["a", 1, ["b"], {"c": "d"}, null, "e",],}"#, &["a", "e"]);
        finds(r#"{"expected": []}"#, &[]);
    }

    #[test]
    fn text_around_that_is_broken_does_not_hide_the_list() {
        finds(r#"{"open": {"expected": ["a"]}"#, &["a"]);
        finds(r#"{"thought": "he said {"expected": ["a"]}"#, &["a"]);
        finds(r#"she said "go {"expected": ["a"]} and "{"#, &["a"]);
        finds(r#"{"a" and {"expected": ["a"]}"#, &["a"]);
        finds(r#"{{"expected": ["a"]}}"#, &["a"]);
        finds(r#"{"x": "never closed, {"expected": ["a"]} end"#, &["a"]);
    }

    #[test]
    fn the_last_wins_and_the_outer_one_closes_last() {
        finds(r#"{"expected": ["a"]} then {"expected": ["b"]} {"other": 1}"#, &["b"]);
        finds(r#"{"expected": ["a"], "calls": [{"expected": ["b"]}]}"#, &["a"]);
    }

    #[test]
    fn what_is_no_list_of_an_object_is_not_found() {
        for text in [
            "",
            "{",
            "\"",
            r#"{"expected": "a"}"#,
            r#"{"expected": null}"#,
            r#""expected": ["a"]"#,
            r#"{expected: ["a"]}"#,
            r#"{"expected": ["a"]"#,
            r#"{"expected": ["a"}"#,
            r#"{"Expected": ["a"]}"#,
            r#"["expected", ["a"]]"#,
            r#"{"text": "{\"expected\": [1]}"}"#,
        ] {
            assert_eq!(items(text), None, "{text}");
        }
    }

    #[test]
    fn the_object_and_the_list_are_given_as_written() {
        let found = last_expected(r#"ü {"n": 1, "expected" : ["a" ]} x"#).unwrap();
        assert_eq!(found.object, r#"{"n": 1, "expected" : ["a" ]}"#);
        assert_eq!((found.list, &found.object[found.list_at..]), (r#"["a" ]"#, r#"["a" ]}"#));
    }
}
