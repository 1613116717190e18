//! JSON Schema, in both directions: the schema of contracts, made from the types that read them, and the
//! schemas inside contracts that a brain's output has to follow.

use jsonschema::{PatternOptions, Validator};
use schemars::JsonSchema;
use serde_json::{Map, Value, json};
use surehand_checks::schema_work;

use super::error::quoted;
use super::shapes::{
    CommonShape, ContractShape, DomShape, FileShape, GridRowShape, GroupShape, HttpShape, OutputShape, PageShape,
    QueryShape, SqliteShape, TableShape, TextShape, ToggleShape, ValueShape, ValuesShape,
};

/// The schema of a contract, for editors and documentation.
pub fn contract_schema() -> Value {
    let mut definitions = Map::new();
    let mut variants = Vec::new();
    let mut add = |name: &str, sections: &[Section]| {
        let mut all = vec![section::<CommonShape>()];
        all.extend_from_slice(sections);
        variants.push(object_of(&all, &mut definitions, Some(name)));
    };
    add("grid_row", &[section::<GridRowShape>()]);
    add("text_present", &[section::<TextShape>()]);
    add("text_absent", &[section::<TextShape>()]);
    add("toggle", &[section::<ToggleShape>()]);
    add("dom", &[section::<DomShape>()]);
    add("url", &[section::<QueryShape>(), section::<PageShape>()]);
    add("title", &[section::<PageShape>()]);
    add("http", &[section::<HttpShape>(), section::<ValueShape>(), section::<ValuesShape>()]);
    add("file", &[section::<FileShape>(), section::<ValueShape>(), section::<ValuesShape>()]);
    add("sqlite", &[section::<SqliteShape>()]);
    add("output", &[section::<OutputShape>(), section::<ValueShape>(), section::<ValuesShape>()]);
    add("table", &[section::<TableShape>(), section::<ValueShape>(), section::<ValuesShape>()]);
    add("any_of", &[section::<GroupShape>()]);
    add("none_of", &[section::<GroupShape>()]);
    let mut contract = object_of(&[section::<ContractShape>()], &mut definitions, None);
    if let Some(properties) = contract.get_mut("properties").and_then(Value::as_object_mut) {
        let about = "What has to hold at the end. Left out only by a contract that brings a rubric for the judge.";
        properties
            .insert("checks".into(), json!({"description": about, "type": "array", "items": {"oneOf": variants}}));
        properties.insert("$schema".into(), json!({"description": "For editors.", "type": "string"}));
    }
    if let Some(contract) = contract.as_object_mut() {
        contract.insert("$schema".into(), json!("https://json-schema.org/draft/2020-12/schema"));
        contract.insert("title".into(), json!("Surehand contract"));
        contract.insert("$defs".into(), Value::Object(definitions));
    }
    contract
}

type Section = Value;

fn section<T: JsonSchema>() -> Section {
    schemars::schema_for!(T).to_value()
}

/// One object out of several sections; what they refer to goes to the shared definitions.
fn object_of(sections: &[Section], definitions: &mut Map<String, Value>, kind: Option<&str>) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    let mut description = None;
    if let Some(kind) = kind {
        properties.insert("type".into(), json!({"const": kind}));
        required.push(json!("type"));
    }
    for section in sections {
        if let Some(own) = section.get("properties").and_then(Value::as_object) {
            properties.extend(own.clone());
        }
        if let Some(own) = section.get("required").and_then(Value::as_array) {
            required.extend(own.iter().cloned());
        }
        if let Some(own) = section.get("$defs").and_then(Value::as_object) {
            definitions.extend(own.clone());
        }
        description = section.get("description").cloned().or(description);
    }
    json!({"description": description, "type": "object", "properties": properties, "required": required,
           "additionalProperties": false})
}

/// Builds the schema of an output. Nothing is fetched, and its patterns are linear in time like all others.
pub(crate) fn validator(schema: &Value) -> Result<Validator, String> {
    if !schema.is_object() {
        return Err("it wants an object with a JSON Schema".into());
    }
    let size = schema.to_string().len();
    if size > 100_000 {
        return Err(format!("it has {size} bytes, more than 100000"));
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
