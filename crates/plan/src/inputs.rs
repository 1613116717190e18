//! What a plan is started with: given values against declared ones, and files as rows.

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use surehand_checks::{csv, strict_json};
use surehand_types::secret;

use crate::limits;
use crate::plan::{Plan, ValueSpec, ValueType};
use crate::problem::{Problems, nearest, quoted};

/// The declared values, all of them, checked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Inputs {
    values: Map<String, Value>,
}

impl Inputs {
    /// Puts what was given beside what is declared. Files are read by the caller and given like other values
    /// (`Plan::files`, `table`).
    pub fn resolve(plan: &Plan, given: &Map<String, Value>) -> Result<Inputs, Problems> {
        let mut problems = Problems::default();
        let known: Vec<&str> = plan.values.iter().map(|(name, _)| name).collect();
        for name in given.keys().filter(|name| !known.contains(&name.as_str())) {
            if problems.is_full() {
                break;
            }
            problems.add(quoted(name), "the plan declares no such value", nearest(name, &known));
        }
        let mut values = Map::new();
        for (name, spec) in plan.values.iter() {
            let from = given.get(name).filter(|value| !value.is_null()).or(spec.default.as_ref());
            if spec.r#type == ValueType::Secret {
                if given.contains_key(name) {
                    problems.add(name, "a secret is not given as a value", format!("give it as the secret `{name}`"));
                }
                values.insert(name.into(), secret::placeholder(name).into());
                continue;
            }
            let Some(value) = from else {
                let hint = match &spec.file {
                    Some(file) => format!("it would be in {}", quoted(file)),
                    None if spec.about.is_empty() => "give it when the plan is started".into(),
                    None => quoted(&spec.about),
                };
                problems.add(name, "nothing is given for this value", hint);
                continue;
            };
            match fitting(spec, value) {
                Ok(value) => drop(values.insert(name.into(), value)),
                Err(why) => problems.add(name, why, ""),
            }
        }
        problems.or(Inputs { values })
    }

    pub fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }

    /// Everything that would have to be given to have these inputs again. Secrets are not given.
    pub fn given(&self, plan: &Plan) -> Map<String, Value> {
        let is_secret = |name: &str| plan.values.get(name).is_some_and(|spec| spec.r#type == ValueType::Secret);
        self.values
            .iter()
            .filter(|(name, _)| !is_secret(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    /// The same inputs have the same one.
    pub fn digest(&self) -> String {
        digest(&serde_json::to_string(&self.values).unwrap_or_default())
    }
}

/// The content of a file of rows, by the ending of its name: `.json`, or a table with headings.
pub fn table(path: &str, text: &str) -> Result<Value, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match path.to_lowercase().ends_with(".json") {
        true => strict_json::parse(text)
            .map_err(|error| format!("{} is not JSON: {}", quoted(path), quoted(&error.to_string()))),
        false => csv::records(text).map_err(|why| format!("{} is no table: {why}", quoted(path))),
    }
}

/// The value as it is used, if it is of the declared type.
pub(crate) fn fitting(spec: &ValueSpec, value: &Value) -> Result<Value, String> {
    let scalar = |value: &Value| matches!(value, Value::String(_) | Value::Number(_) | Value::Bool(_));
    match (spec.r#type, value) {
        (ValueType::Text, Value::String(_))
        | (ValueType::Number, Value::Number(_))
        | (ValueType::Boolean, Value::Bool(_)) => Ok(value.clone()),
        // Command lines know texts only.
        (ValueType::Number, Value::String(text)) => {
            let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
            let number = number.ok_or_else(|| format!("`{}` is no number", quoted(text)))?;
            serde_json::from_str(text.trim()).ok().filter(Value::is_number).map_or_else(|| Ok(number.into()), Ok)
        }
        (ValueType::Boolean, Value::String(text)) => {
            text.trim().parse().map(Value::Bool).map_err(|_| format!("`{}` is neither true nor false", quoted(text)))
        }
        (ValueType::Text, Value::Number(number)) => Ok(number.to_string().into()),
        (ValueType::List | ValueType::Rows, Value::Array(list)) if list.len() > limits::LOOP_PASSES as usize => {
            Err(format!("it has {} entries, more than {}", list.len(), limits::LOOP_PASSES))
        }
        (ValueType::List, Value::Array(list)) => match list.iter().position(|entry| !scalar(entry)) {
            Some(at) => Err(format!("entry {} is neither text, number nor true or false", at + 1)),
            None => Ok(value.clone()),
        },
        (ValueType::Rows, Value::Array(rows)) => {
            for (at, row) in rows.iter().enumerate() {
                let Some(row) = row.as_object() else { return Err(format!("row {} has no columns", at + 1)) };
                if let Some(missing) = spec.columns.iter().find(|column| !row.contains_key(*column)) {
                    return Err(format!("row {} has no column `{}`", at + 1, quoted(missing)));
                }
            }
            Ok(value.clone())
        }
        (wanted, _) => Err(format!("it is declared as {}, and this is something else", type_name(wanted))),
    }
}

pub(crate) fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn type_name(of: ValueType) -> &'static str {
    match of {
        ValueType::Text => "text",
        ValueType::Number => "number",
        ValueType::Boolean => "boolean",
        ValueType::List => "list",
        ValueType::Rows => "rows",
        ValueType::Secret => "secret",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn resolve(values: Value, given: Value) -> Result<Inputs, String> {
        let steps = json!([{"id": "a", "type": "act", "intent": "look"}]);
        let plan = Plan::from_value(&json!({"name": "x", "values": values, "steps": steps})).unwrap();
        Inputs::resolve(&plan, given.as_object().unwrap()).map_err(|problems| problems.to_string())
    }

    #[test]
    fn given_values_meet_declared_ones() {
        let declared = json!({"site": {"default": "http://x"}, "n": {"type": "number"}, "yes": {"type": "boolean"},
            "pw": {"type": "secret"}, "people": {"type": "rows", "columns": ["a"]}, "list": {"type": "list"}});
        let given = json!({"n": "3", "yes": "true", "people": [{"a": "1", "b": 2}], "list": ["x", 1]});
        let inputs = resolve(declared.clone(), given).unwrap();
        let expected = json!({"site": "http://x", "n": 3, "yes": true, "pw": "<secret:pw>", "people": [{"a": "1", "b": 2}], "list": ["x", 1]});
        assert_eq!(Value::Object(inputs.values.clone()), expected);
        let wrong = json!({"sit": 1, "n": "x", "pw": "hunter2", "people": [{"b": 1}], "list": [[]]});
        let said = resolve(declared, wrong).unwrap_err();
        assert_eq!(said.lines().count(), 6, "{said}");
        assert!(said.contains("did you mean `site`?") && said.contains("row 1 has no column `a`"), "{said}");
        assert!(!said.contains("hunter2"), "{said}");
    }

    #[test]
    fn files_become_rows() {
        assert_eq!(table("p.csv", "\u{feff}a,b\n1,\"x,y\"\n").unwrap(), json!([{"a": "1", "b": "x,y"}]));
        assert_eq!(table("p.JSON", "[{\"a\": 1}]").unwrap(), json!([{"a": 1}]));
        assert!(table("p.json", "[{\"a\": 1, \"a\": 2}]").unwrap_err().contains("twice"));
        assert!(table("p.csv", "a,b\n1\n").unwrap_err().contains("line 2"));
    }
}
