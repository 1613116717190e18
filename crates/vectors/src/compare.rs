//! Comparing an answer with the expected one.

use serde_json::Value;

/// Numbers may differ by this much.
const TOLERANCE: f64 = 1e-9;

/// `Err` names the first place where the two differ. Only what is expected is compared: an answer may
/// say more.
pub fn same(expected: &Value, got: &Value) -> Result<(), String> {
    differs(expected, got, "").map_or(Ok(()), Err)
}

fn differs(expected: &Value, got: &Value, place: &str) -> Option<String> {
    match (expected, got) {
        (Value::Object(wanted), Value::Object(given)) => wanted.iter().find_map(|(name, value)| {
            let place = format!("{place}.{name}");
            match given.get(name) {
                Some(found) => differs(value, found, &place),
                None => Some(format!("{place} is missing, expected {value}")),
            }
        }),
        (Value::Array(wanted), Value::Array(given)) => {
            if wanted.len() != given.len() {
                return Some(format!("{place} is {got}, expected {expected}"));
            }
            let pairs = wanted.iter().zip(given).enumerate();
            pairs.into_iter().find_map(|(index, (value, found))| differs(value, found, &format!("{place}[{index}]")))
        }
        (Value::Number(wanted), Value::Number(given)) => {
            let near = wanted.as_f64().zip(given.as_f64()).is_some_and(|(a, b)| (a - b).abs() <= TOLERANCE);
            (!near).then(|| format!("{place} is {got}, expected {expected}"))
        }
        _ => (expected != got).then(|| format!("{place} is {got}, expected {expected}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_first_difference_is_named_by_its_place() {
        assert_eq!(same(&json!({"a": [1, {"b": 2.0}]}), &json!({"a": [1, {"b": 2, "c": 3}]})), Ok(()));
        let wrong = same(&json!({"a": [1, {"b": 2}]}), &json!({"a": [1, {"b": 3}]}));
        assert_eq!(wrong, Err(".a[1].b is 3, expected 2".into()));
        assert!(same(&json!({"a": 1}), &json!({})).is_err());
        assert!(same(&json!([1]), &json!([1, 2])).is_err());
        assert!(same(&json!(null), &json!(false)).is_err());
    }
}
