//! How the source of the vectors finds predictions: the first flat object with a list, else the first
//! plain line. Kept apart from the product's own search, which knows better.

use serde_json::Value;

/// The first object without inner braces that has `"expected": [` and a bracket after it. It need not be
/// valid JSON.
pub(super) fn first_flat_object(text: &str) -> Option<&str> {
    let mut opened = None;
    for (at, brace) in text.match_indices(['{', '}']) {
        match (brace, opened) {
            ("{", _) => opened = Some(at),
            (_, Some(start)) => {
                let object = text.get(start..=at)?;
                if has_list(object) {
                    return Some(object);
                }
                opened = None;
            }
            _ => {}
        }
    }
    None
}

fn has_list(object: &str) -> bool {
    // The last bracket closes the list, if any does.
    let Some(closing) = object.rfind(']') else { return false };
    object.match_indices("\"expected\"").any(|(at, key)| {
        let after = object.get(at + key.len()..closing).unwrap_or_default().trim_start();
        after.strip_prefix(':').is_some_and(|value| value.trim_start().starts_with('['))
    })
}

/// The strings of the object's list; nothing where the object is not valid JSON.
pub(super) fn items(object: &str) -> Option<Vec<String>> {
    let value: Value = serde_json::from_str(object).ok()?;
    let list = value.get("expected")?.as_array()?;
    Some(list.iter().filter_map(Value::as_str).map(str::to_string).collect())
}

/// What follows the first `Predicted:` that begins a line, to the end of a line. White space between may
/// hold line ends, so an empty prediction takes the next line that is not empty.
pub(super) fn first_line(text: &str) -> Option<&str> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        let found = text.get(start + indent..).and_then(after_word);
        if let Some(rest) = found.and_then(|rest| rest.trim_start().strip_prefix(':')) {
            return Some(rest.trim_start().split('\n').next().unwrap_or_default().trim_end());
        }
        start += line.len();
    }
    None
}

fn after_word(text: &str) -> Option<&str> {
    let (word, rest) = text.split_at_checked("predicted".len())?;
    word.eq_ignore_ascii_case("predicted").then_some(rest)
}

/// Quotes at either end go, whether they pair or not.
pub(super) fn without_quotes(text: &str) -> &str {
    text.trim().trim_matches('"').trim_matches('\'').trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_flat_objects_are_seen_and_the_first_wins() {
        assert_eq!(first_flat_object(r#"{"action": {"x": 1}, "expected": ["a"]}"#), None);
        assert_eq!(first_flat_object(r#"{"expected": ["{a}"]}"#), None);
        assert_eq!(first_flat_object(r#"{ {"expected": ["a"]} {"expected": ["b"]}"#), Some(r#"{"expected": ["a"]}"#));
        assert_eq!(first_flat_object(r#"{"a": 1} {"expected" : ["b",]}"#), Some(r#"{"expected" : ["b",]}"#));
        for text in ["", "{", "}{", r#"{"expected": ["a"}"#, r#"{"expected": "a]"}"#, r#"{"x": "expected": []"#] {
            assert_eq!(first_flat_object(text), None, "{text}");
        }
    }

    #[test]
    fn an_empty_line_takes_the_next_one() {
        assert_eq!(first_line("Predicted:\n\nAction: click(1,1)"), Some("Action: click(1,1)"));
        assert_eq!(first_line("Predicted: a\nPredicted: b"), Some("a"));
        assert_eq!(first_line("x\n \t predicted\t: a b \r\nc"), Some("a b"));
        assert_eq!(first_line("Predicted:"), Some(""));
        for text in ["", "\n\n", "**Predicted:** a", "- Predicted: a", "Predicted a", "Prédicted: a", "predicte"] {
            assert_eq!(first_line(text), None, "{text}");
        }
    }
}
