//! Reads the values of a model's call in the shapes that models really send: numbers as text, points as text, as
//! pairs or as objects, flags as words. What is not there is `None`; what is there and makes no sense is too.

use serde_json::{Map, Value};

/// Longest text that is taken over. Longer than any field of a call may be, so that too long a text is still
/// refused as one and never typed in part.
const LONGEST_TEXT: usize = 20_000;

pub(crate) fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.trim().trim_end_matches("px").trim().parse().ok()?,
        _ => return None,
    };
    number.is_finite().then_some(number)
}

/// A number of one of these names.
pub(crate) fn named_number(map: &Map<String, Value>, names: &[&str]) -> Option<f64> {
    names.iter().find_map(|name| map.get(*name).and_then(number))
}

pub(crate) fn flag(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::String(text) if text.trim().eq_ignore_ascii_case("true") => Some(true),
        Value::String(text) if text.trim().eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

/// A text; a bare number is one too.
pub(crate) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(match text.char_indices().nth(LONGEST_TEXT) {
            Some((end, _)) => text[..end].to_string(),
            None => text.clone(),
        }),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

pub(crate) fn named_text(map: &Map<String, Value>, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| map.get(*name).and_then(text))
}

/// `[x, y]`, `"[x, y]"`, `"x, y"`, `{"x": …, "y": …}`.
pub(crate) fn point(value: &Value) -> Option<[f64; 2]> {
    if let Value::Object(map) = value {
        return Some([number(map.get("x")?)?, number(map.get("y")?)?]);
    }
    numbers(value)
}

/// Exactly so many numbers, in an array or written out.
pub(crate) fn numbers<const COUNT: usize>(value: &Value) -> Option<[f64; COUNT]> {
    let found: Vec<f64> = match value {
        // One array more around it is a common slip.
        Value::Array(items) if items.len() == 1 && items[0].is_array() => return numbers(&items[0]),
        Value::Array(items) if items.len() == COUNT => items.iter().map(number).collect::<Option<_>>()?,
        Value::String(text) => {
            let inside = text.trim().trim_matches(|c: char| "[](){}<>".contains(c));
            let parts = inside.split(|c: char| c == ',' || c.is_whitespace()).filter(|part| !part.is_empty());
            parts.take(COUNT + 1).map(|part| number(&Value::from(part))).collect::<Option<_>>()?
        }
        _ => return None,
    };
    found.try_into().ok()
}

/// A field that has to be a point, may be left out, or is wrong.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Place {
    At([f64; 2]),
    Absent,
    Wrong,
}

/// The point in a field of one of these names, or in fields of their own, like `x` and `y`.
pub(crate) fn place(map: &Map<String, Value>, names: &[&str], apart: [&str; 2]) -> Place {
    for name in names {
        match map.get(*name) {
            None | Some(Value::Null) => {}
            Some(value) => return point(value).map_or(Place::Wrong, Place::At),
        }
    }
    let given = |name: &str| map.get(name).filter(|value| !value.is_null());
    match apart.map(given) {
        [None, None] => Place::Absent,
        // The whole point in the first field.
        [Some(both), None] if both.is_array() || both.is_object() => point(both).map_or(Place::Wrong, Place::At),
        [Some(x), Some(y)] => match (number(x), number(y)) {
            (Some(x), Some(y)) => Place::At([x, y]),
            _ => Place::Wrong,
        },
        _ => Place::Wrong,
    }
}

/// The fields of a call: an object, or one written as text.
pub(crate) fn fields(value: &Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(map) => Some(map.clone()),
        Value::Null => Some(Map::new()),
        Value::String(text) if text.trim().is_empty() => Some(Map::new()),
        Value::String(text) => serde_json::from_str::<Value>(text).ok()?.as_object().cloned(),
        _ => None,
    }
}

/// A number as it is best written: 300, not 300.0.
pub(crate) fn written(number: f64) -> Value {
    // Casts from float saturate, and the comparison rules out what did not fit.
    let whole = number as i64;
    if whole as f64 == number { Value::from(whole) } else { Value::from(number) }
}

pub(crate) fn written_point(point: [f64; 2]) -> Value {
    Value::Array(point.map(written).to_vec())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn points_in_every_shape() {
        for value in [
            json!([100, 200]),
            json!(["100", "200"]),
            json!([100.0, 200.0]),
            json!("[100, 200]"),
            json!("100,200"),
            json!("(100 200)"),
            json!({"x": 100, "y": "200"}),
            json!([[100, 200]]),
        ] {
            assert_eq!(point(&value), Some([100.0, 200.0]), "{value}");
        }
        for value in [json!(null), json!([1]), json!([1, 2, 3]), json!("there"), json!({"x": 1}), json!([null, 2])] {
            assert_eq!(point(&value), None, "{value}");
        }
        assert_eq!(numbers::<4>(&json!("[1, 2, 3, 4]")), Some([1.0, 2.0, 3.0, 4.0]));
    }

    #[test]
    fn a_place_is_given_absent_or_wrong() {
        let read = |value: Value| place(value.as_object().unwrap(), &["coordinate"], ["x", "y"]);
        assert_eq!(read(json!({"coordinate": [1, 2]})), Place::At([1.0, 2.0]));
        assert_eq!(read(json!({"x": "1", "y": 2})), Place::At([1.0, 2.0]));
        assert_eq!(read(json!({"x": [1, 2]})), Place::At([1.0, 2.0]));
        assert_eq!(read(json!({"coordinate": null})), Place::Absent);
        assert_eq!(read(json!({})), Place::Absent);
        assert_eq!(read(json!({"coordinate": "left"})), Place::Wrong);
        assert_eq!(read(json!({"x": 1})), Place::Wrong);
    }

    #[test]
    fn texts_flags_and_fields() {
        assert_eq!(text(&json!(42)).as_deref(), Some("42"));
        assert_eq!(text(&json!("ä".repeat(30_000))).unwrap().chars().count(), LONGEST_TEXT);
        assert_eq!(flag(&json!("True")), Some(true));
        assert_eq!(flag(&json!("yes")), None);
        assert_eq!(fields(&json!("{\"a\":1}")).unwrap()["a"], 1);
        assert!(fields(&json!("{\"a\":")).is_none() && fields(&json!([1])).is_none());
        assert!(fields(&Value::Null).unwrap().is_empty());
        assert_eq!(written_point([1.0, 2.5]), json!([1, 2.5]));
        assert_eq!(written(1e300), json!(1e300));
    }
}
