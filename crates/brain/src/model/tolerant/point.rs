//! Points and boxes in all the shapes that models give them: arrays, objects, texts with two or four numbers.

use serde_json::{Map, Value};

use super::super::lenient::number;

/// A place: two numbers, or the middle of a box of four.
pub(crate) fn point(value: &Value) -> Option<[f64; 2]> {
    match numbers(value)?.as_slice() {
        [x, y] => Some([*x, *y]),
        [x0, y0, x1, y1] => Some([(x0 + x1) / 2.0, (y0 + y1) / 2.0]),
        _ => None,
    }
}

/// A box of four numbers.
pub(crate) fn corners(value: &Value) -> Option<[f64; 4]> {
    numbers(value)?.try_into().ok()
}

fn numbers(value: &Value) -> Option<Vec<f64>> {
    match value {
        Value::Array(items) if items.len() <= 4 => {
            if let Some(flat) = items.iter().map(number).collect::<Option<Vec<f64>>>() {
                return Some(flat);
            }
            let nested: Vec<Vec<f64>> = items.iter().map(numbers).collect::<Option<_>>()?;
            Some(nested.concat()).filter(|all| all.len() <= 4)
        }
        Value::Object(fields) => {
            let named = |names: &[&str]| names.iter().map(|name| fields.get(*name).and_then(number)).collect();
            let whole: Option<Vec<f64>> = named(&["x", "y"]);
            whole
                .or_else(|| named(&["x1", "y1", "x2", "y2"]))
                .or_else(|| named(&["x0", "y0", "x1", "y1"]))
                .or_else(|| only_field(fields).and_then(numbers))
        }
        Value::String(text) => in_text(text),
        _ => None,
    }
}

fn only_field(fields: &Map<String, Value>) -> Option<&Value> {
    (fields.len() == 1).then(|| fields.values().next()).flatten().filter(|value| !value.is_object())
}

/// `(10, 20)`, `<point>10 20</point>`, `<|box_start|>(10,20)<|box_end|>`: the numbers outside of tags.
fn in_text(text: &str) -> Option<Vec<f64>> {
    if text.len() > 200 {
        return None;
    }
    let mut found = Vec::new();
    let (mut word, mut in_tag) = (String::new(), false);
    for sign in text.chars().map(super::plain).chain([' ']) {
        match sign {
            '<' => in_tag = true,
            '>' => in_tag = false,
            _ if in_tag => {}
            '0'..='9' | '.' | '-' => {
                word.push(sign);
                continue;
            }
            letter if letter.is_alphabetic() && !matches!(letter, 'x' | 'y' | 'X' | 'Y') => return None,
            _ => {}
        }
        if !word.is_empty() {
            found.push(word.trim_end_matches('.').parse::<f64>().ok().filter(|number| number.is_finite())?);
            word.clear();
        }
    }
    matches!(found.len(), 2 | 4).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn all_shapes_of_a_point() {
        for value in [
            json!([10, 20]),
            json!(["10", 20.0]),
            json!([[10, 20]]),
            json!({"x": 10, "y": "20"}),
            json!("[10, 20]"),
            json!("(10,20)"),
            json!("10 20"),
            json!("x=10, y=20"),
            json!("<point>10 20</point>"),
            json!("<|box_start|>(10,20)<|box_end|>"),
            json!("（10，20）"),
            json!([8, 18, 12, 22]),
            json!([[8, 18], [12, 22]]),
            json!("<bbox>8 18 12 22</bbox>"),
            json!({"x1": 8, "y1": 18, "x2": 12, "y2": 22}),
            json!({"point": [10, 20]}),
        ] {
            assert_eq!(point(&value), Some([10.0, 20.0]), "{value}");
        }
        for value in [
            json!([1]),
            json!([1, 2, 3]),
            json!("here"),
            json!("click 1 2"),
            json!(null),
            json!({"x": 1}),
            json!([1, "y"]),
        ] {
            assert_eq!(point(&value), None, "{value}");
        }
        assert_eq!(corners(&json!("8 18 12 22")), Some([8.0, 18.0, 12.0, 22.0]));
    }
}
