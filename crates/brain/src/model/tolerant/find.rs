//! Finds the JSON objects in a text that is mostly something else.

use serde_json::{Map, Value};

use super::Repairs;
use super::json::{Whole, value_at};

/// Most objects that are taken from one text.
const MOST: usize = 200;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    pub(super) fields: Map<String, Value>,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) whole: Whole,
}

/// All objects that stand in the text, in order. Takes time in proportion to the text.
pub(super) fn objects(text: &str, repairs: &mut Repairs) -> Vec<Found> {
    let mut found = Vec::new();
    // Beginnings that lead nowhere are given up together: a text of nothing but brackets has too many of them.
    let mut steps = text.len().saturating_mul(4).saturating_add(4096);
    let mut at = 0;
    while let Some(start) = text.get(at..).and_then(|rest| rest.find(['{', '｛'])).map(|offset| at + offset) {
        match value_at(text, start, repairs, &mut steps) {
            Some(loose) if loose.end > start => {
                at = loose.end;
                if let Value::Object(fields) = loose.value {
                    found.push(Found { fields, start, end: loose.end, whole: loose.whole });
                }
            }
            _ => at = start + text[start..].chars().next().map_or(1, char::len_utf8),
        }
        if found.len() >= MOST || steps == 0 {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn objects_in_prose() {
        let text = "First {x} I think {{\"a\":1}} and then {\"b\":{\"c\":2}} {";
        let found = objects(text, &mut Repairs::default());
        let values: Vec<Value> = found.iter().map(|found| Value::Object(found.fields.clone())).collect();
        assert_eq!(values, [json!({"a":1}), json!({"b":{"c":2}}), json!({})]);
        assert_eq!(&text[found[0].start..found[0].end], "{\"a\":1}");
    }

    #[test]
    fn nothing_but_brackets_comes_to_an_end() {
        for piece in ["{", "{\"", "{\"a\":", "{\"a\":[", "{'", "｛", "{\"a\":1,", "[{", "{\"a\":\"\\"] {
            let text = piece.repeat(200_000 / piece.len());
            objects(&text, &mut Repairs::default());
        }
    }
}
