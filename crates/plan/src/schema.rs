//! JSON Schema, in both directions: the schema of plans, made from the types that hold them, and the schemas
//! inside plans that data has to follow. Nothing is ever fetched.

use jsonschema::{PatternOptions, Validator};
use serde_json::{Value, json};
use surehand_checks::schema_work;

use crate::limits;
use crate::plan::Plan;
use crate::problem::quoted;

/// The schema of a plan, for editors and documentation.
pub fn plan_schema() -> Value {
    let mut schema = schemars::schema_for!(Plan).to_value();
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.insert("$schema".into(), json!({"description": "For editors.", "type": "string"}));
    }
    schema
}

/// Builds a schema. Its patterns are linear in time, as they come from files.
pub(crate) fn validator(schema: &Value) -> Result<Validator, String> {
    let size = schema.to_string().len();
    if size > limits::SCHEMA_BYTES {
        return Err(format!("it has {size} bytes, more than {}", limits::SCHEMA_BYTES));
    }
    schema_work::check(schema)?;
    jsonschema::options()
        .with_pattern_options(PatternOptions::regex().size_limit(1 << 20).dfa_size_limit(1 << 20))
        .build(schema)
        .map_err(|error| {
            let place = error.instance_path().to_string();
            let why = quoted(&error.to_string());
            if place.is_empty() { why } else { format!("at {}: {why}", quoted(&place)) }
        })
}

/// What is wrong with a value, as places below it and sentences.
pub(crate) fn mismatches(schema: &Value, value: &Value) -> Vec<(String, String)> {
    match validator(schema) {
        Ok(validator) => validator
            .iter_errors(value)
            .take(limits::PROBLEMS)
            .map(|error| (dotted(&error.instance_path().to_string()), quoted(&error.to_string())))
            .collect(),
        Err(why) => vec![(String::new(), format!("the schema cannot be used: {why}"))],
    }
}

/// `/rows/0/name` as `rows[0].name`.
fn dotted(pointer: &str) -> String {
    let mut path = String::new();
    for part in pointer.split('/').skip(1) {
        let part = part.replace("~1", "/").replace("~0", "~");
        match part.parse::<usize>() {
            Ok(number) => path.push_str(&format!("[{number}]")),
            Err(_) if path.is_empty() => path.push_str(&part),
            Err(_) => path.push_str(&format!(".{part}")),
        }
    }
    path
}
