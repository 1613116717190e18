//! Takes an object of a contract apart, section by section, and knows what is left over. The known names come
//! from the same types that the published schema comes from, so the two cannot differ.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::error::{ContractError, quoted};

/// One object of the contract.
pub(crate) struct Fields {
    path: String,
    left: Map<String, Value>,
    known: Vec<String>,
}

impl Fields {
    /// `path` is empty for the contract itself.
    pub(crate) fn new(path: impl Into<String>, object: Map<String, Value>) -> Fields {
        Fields { path: path.into(), left: object, known: Vec::new() }
    }

    /// The place of one of its fields, as people write it.
    pub(crate) fn place(&self, field: &str) -> String {
        let dot = if self.path.is_empty() || field.starts_with('[') || field.is_empty() { "" } else { "." };
        format!("{}{dot}{field}", self.path)
    }

    pub(crate) fn wrong(&self, field: &str, problem: impl Into<String>) -> ContractError {
        ContractError::field(self.place(field), problem)
    }

    /// Takes one field out, whatever it holds.
    pub(crate) fn take(&mut self, name: &str) -> Option<Value> {
        self.known.push(name.to_owned());
        self.left.remove(name)
    }

    /// Takes out the fields that the type knows and reads them.
    pub(crate) fn section<T: DeserializeOwned + JsonSchema>(&mut self) -> Result<T, ContractError> {
        let names = field_names::<T>();
        let mut own = Map::new();
        for name in &names {
            if let Some(value) = self.left.remove(name) {
                own.insert(name.clone(), value);
            }
        }
        self.known.extend(names);
        serde_path_to_error::deserialize(Value::Object(own)).map_err(|error| {
            let inner = error.path().to_string();
            let inner = if inner == "." { String::new() } else { quoted(&inner) };
            let problem = in_words(&error.into_inner().to_string());
            // serde says "missing field `x`" at the place of the object around it.
            match (inner.is_empty(), self.path.is_empty()) {
                (true, true) => ContractError::field("contract", problem),
                (true, false) => ContractError::field(self.path.clone(), problem),
                (false, _) => ContractError::field(self.place(&inner), problem),
            }
        })
    }

    /// Whatever no section took is a mistake; the nearest known name helps to find it.
    pub(crate) fn finish(self) -> Result<(), ContractError> {
        let Some(name) = self.left.keys().next() else { return Ok(()) };
        let nearest = nearest(name, &self.known);
        let problem = match nearest {
            Some(nearest) => format!("this field is not known. hint: did you mean `{nearest}`?"),
            None => format!("this field is not known. hint: known are {}", self.known.join(", ")),
        };
        Err(ContractError::field(self.place(&quoted(name)), problem))
    }
}

/// The names that a shape reads, from its schema.
pub(crate) fn field_names<T: JsonSchema>() -> Vec<String> {
    let schema = schemars::schema_for!(T);
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.map(|properties| properties.keys().cloned().collect()).unwrap_or_default()
}

/// The known name that a wrong one most likely stands for.
pub(crate) fn nearest<'a>(name: &str, known: &'a [String]) -> Option<&'a str> {
    let short: String = name.chars().take(60).collect();
    known
        .iter()
        .map(|candidate| (distance(&short.to_lowercase(), candidate), candidate))
        .filter(|(distance, candidate)| *distance <= candidate.chars().count().max(3) / 2)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate.as_str())
}

/// How many letters have to be added, removed or changed.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

fn in_words(problem: &str) -> String {
    let shown: String = problem.chars().take(300).collect();
    match shown.strip_prefix("missing field `").and_then(|rest| rest.split('`').next()) {
        Some(name) => format!("the field `{name}` is missing"),
        None => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found_and_far_ones_are_not() {
        let known = ["regex".to_string(), "region".to_string(), "required_steps".to_string()];
        assert_eq!(nearest("regexp", &known), Some("regex"));
        assert_eq!(nearest("Region", &known), Some("region"));
        assert_eq!(nearest("requiredSteps", &known), Some("required_steps"));
        assert_eq!(nearest("xyzzy", &known), None);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
