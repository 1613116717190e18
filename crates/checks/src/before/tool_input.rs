//! Whether the input of a tool has the shape of its schema: what can be said before anything runs, and in one
//! sentence. Structure only. Values are the tool's own business, and numbers come in too many spellings.

use serde_json::{Map, Value};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InputProblem {
    #[error("the input must be a JSON object")]
    NotAnObject,
    #[error("the input lacks {0:?}")]
    Missing(String),
    #[error("the input has {0:?}, which the tool does not know")]
    Unknown(String),
    #[error("{0:?} must be a text that is not empty")]
    EmptyText(String),
    #[error("{0:?} must be an array")]
    NotAnArray(String),
    #[error("{0:?} must be an object")]
    NotAnInnerObject(String),
}

/// The first problem of `input`, in the order in which a person would mend them.
pub fn check_input(schema: &Value, input: &Value) -> Result<(), InputProblem> {
    let given = input.as_object().ok_or(InputProblem::NotAnObject)?;
    let nothing = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&nothing);
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    for name in required {
        if !given.contains_key(name) {
            return Err(InputProblem::Missing(name.into()));
        }
    }
    if schema.get("additionalProperties") == Some(&Value::Bool(false))
        && let Some(name) = given.keys().find(|name| !properties.contains_key(*name))
    {
        return Err(InputProblem::Unknown(name.clone()));
    }
    given.iter().try_for_each(|(name, value)| match properties.get(name) {
        Some(property) => check_value(name, property, value),
        None => Ok(()),
    })
}

fn check_value(name: &str, property: &Value, value: &Value) -> Result<(), InputProblem> {
    let name = name.to_string();
    match property.get("type").and_then(Value::as_str) {
        Some("string") if value.as_str().is_none_or(|text| text.trim().is_empty()) => {
            Err(InputProblem::EmptyText(name))
        }
        Some("array") if !value.is_array() => Err(InputProblem::NotAnArray(name)),
        Some("object") if !value.is_object() => Err(InputProblem::NotAnInnerObject(name)),
        // Several types at once, and everything else, is not looked at.
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(input: Value, expected: Result<(), InputProblem>) {
        let schema = json!({
            "type": "object", "required": ["action"], "additionalProperties": false,
            "properties": {
                "action": {"type": "string"}, "at": {"type": "array"}, "options": {"type": "object"},
                "count": {"type": "integer"}, "loose": {"type": ["string", "null"]},
            },
        });
        assert_eq!(check_input(&schema, &input), expected, "{input}");
    }

    #[test]
    fn structure_is_checked_and_numbers_are_not() {
        check(json!({"action": "a", "at": [1], "options": {}, "count": "three", "loose": null}), Ok(()));
        check(json!("a"), Err(InputProblem::NotAnObject));
        check(json!({}), Err(InputProblem::Missing("action".into())));
        check(json!({"action": "a", "more": 1}), Err(InputProblem::Unknown("more".into())));
        check(json!({"action": " \t"}), Err(InputProblem::EmptyText("action".into())));
        check(json!({"action": 5}), Err(InputProblem::EmptyText("action".into())));
        check(json!({"action": "a", "at": "1,2"}), Err(InputProblem::NotAnArray("at".into())));
        check(json!({"action": "a", "options": []}), Err(InputProblem::NotAnInnerObject("options".into())));
    }

    #[test]
    fn an_open_schema_lets_more_through() {
        assert_eq!(check_input(&json!({}), &json!({"x": 1})), Ok(()));
        let open = json!({"properties": {"a": {"type": "string"}}});
        assert_eq!(check_input(&open, &json!({"b": ""})), Ok(()));
    }
}
