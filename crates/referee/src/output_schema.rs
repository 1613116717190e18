//! The shape that a run's output has to have: a JSON Schema that came with the task. Checked once when it comes, so that
//! a run is not made for a schema that nothing can follow.

use std::sync::Arc;

use jsonschema::Validator;
use serde_json::Value;

use crate::contract::schema_validator;

#[derive(Debug, Clone)]
pub struct OutputSchema {
    text: String,
    validator: Arc<Validator>,
}

impl OutputSchema {
    /// The error is a part of a sentence about the schema.
    pub fn read(schema: &Value) -> Result<OutputSchema, String> {
        let validator = schema_validator(schema)?;
        Ok(OutputSchema { text: schema.to_string(), validator: Arc::new(validator) })
    }

    /// For whoever has to follow it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What is wrong with an output, in a few words; `None` where nothing is.
    pub fn mismatch(&self, output: Option<&Value>) -> Option<String> {
        const NAMED: usize = 3;
        let Some(output) = output else { return Some("there is no output".into()) };
        let wrong: Vec<String> = self
            .validator
            .iter_errors(output)
            .take(NAMED)
            .map(|error| match error.instance_path().to_string() {
                place if place.is_empty() => error.to_string(),
                place => format!("{place}: {error}"),
            })
            .collect();
        (!wrong.is_empty()).then(|| wrong.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_output_is_held_against_its_schema() {
        let schema = json!({"type": "object", "required": ["total"], "properties": {"total": {"type": "number"}}});
        let schema = OutputSchema::read(&schema).unwrap();
        assert_eq!(schema.mismatch(Some(&json!({"total": 4.5}))), None);
        for (output, part) in [
            (None, "there is no output"),
            (Some(json!({})), "total"),
            (Some(json!({"total": "4.5"})), "/total: "),
            (Some(json!("4.5")), "object"),
        ] {
            let words = schema.mismatch(output.as_ref()).unwrap();
            assert!(words.contains(part), "{output:?}: {words}");
        }
        for wrong in [json!([]), json!("object"), json!({"type": "thing"}), json!({"$ref": "http://127.0.0.1:1/x"})] {
            assert!(OutputSchema::read(&wrong).is_err(), "{wrong}");
        }
    }
}
