//! What a brain read off a page: does it follow the schema, and does it say for every field where it was
//! seen? Data without evidence is not believed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use surehand_types::GridBox;
use surehand_types::coords::GRID_MAX;

use crate::limits;
use crate::plan::EvidencePer;
use crate::problem::{Problem, Problems, quoted};
use crate::schema;

/// Width and height of a box from which on it is the whole picture.
const WHOLE: u16 = GRID_MAX / 50 * 49;

/// Where one field was seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// As in `rows[0].email`; empty for a value without fields.
    pub field: String,
    pub frame: FrameName,
    /// In grid units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#box: Option<GridBox>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// What stood there, as whoever ran the plan read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A frame by its number in the run, or by the SHA-256 of its picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum FrameName {
    Number(u64),
    Sha256(String),
}

/// Reads evidence as a brain gave it: a list of objects. What is wrong is told by its place.
pub fn read_evidence(value: &Value) -> Result<Vec<Evidence>, Problems> {
    let Some(list) = value.as_array() else {
        return Err(Problems::one("evidence", "a list is wanted", "one entry for each field"));
    };
    let (mut found, mut problems) = (Vec::new(), Problems::default());
    for (at, entry) in list.iter().enumerate() {
        match Evidence::deserialize(entry) {
            Ok(evidence) => found.push(evidence),
            Err(error) => {
                let hint = "{field, frame, and box or selector}";
                problems.add(format!("evidence[{at}]"), quoted(&error.to_string()), hint);
            }
        }
    }
    problems.or(found)
}

/// Everything that is wrong with an extracted value; nothing when it can be used.
pub fn check(schema: &Map<String, Value>, per: EvidencePer, value: &Value, evidence: &[Evidence]) -> Problems {
    let mut problems = Problems::default();
    let size = value.to_string().len();
    if size > limits::EXTRACT_BYTES {
        let said = format!("the extracted value has {size} bytes, more than {}", limits::EXTRACT_BYTES);
        problems.add("", said, "extract less at once");
        return problems;
    }
    for (field, why) in schema::mismatches(&Value::Object(schema.clone()), value) {
        problems.add(field, why, "follow the output schema");
    }
    let mut shown = std::collections::BTreeSet::new();
    for (at, entry) in evidence.iter().enumerate() {
        match weakness(entry) {
            Some(why) => problems.add(format!("evidence[{at}]"), why, "name the frame, and a box or a selector in it"),
            None => drop(shown.insert(segments(&entry.field))),
        }
    }
    for (field, record) in leaves(value) {
        let own = segments(&field);
        let by_record = per == EvidencePer::Record && record.is_some_and(|record| shown.contains(&segments(&record)));
        if !shown.contains(&own) && !by_record {
            let name = if field.is_empty() { "the value".to_owned() } else { format!("`{}`", quoted(&field)) };
            let hint = "say in which frame it was seen, and where; leave out what was not seen";
            problems.add(field, format!("there is no evidence for {name}"), hint);
        }
    }
    problems
}

/// What a field of evidence names.
pub(crate) fn value_at<'v>(value: &'v Value, field: &str) -> Option<&'v Value> {
    segments(field).iter().try_fold(value, |here, part| match here {
        Value::Object(map) => map.get(part),
        Value::Array(list) => list.get(part.parse::<usize>().ok()?),
        _ => None,
    })
}

/// The problems in one sentence, for the next attempt.
pub fn in_one_sentence(problems: &[Problem]) -> String {
    const NAMED: usize = 5;
    let mut said: Vec<String> = problems
        .iter()
        .take(NAMED)
        .map(|problem| {
            let place = if problem.place.is_empty() { String::new() } else { format!("{}: ", quoted(&problem.place)) };
            format!("{place}{}", problem.sentence)
        })
        .collect();
    if problems.len() > NAMED {
        said.push(format!("and {} more", problems.len() - NAMED));
    }
    said.join("; ")
}

/// The evidence of what is below one place, named as it would be below another.
pub(crate) fn moved(evidence: &[Evidence], from: &str, to: &str) -> Vec<Evidence> {
    let prefix = segments(from);
    let below = evidence.iter().filter_map(|entry| {
        let own = segments(&entry.field);
        let rest = own.strip_prefix(prefix.as_slice())?;
        let mut field = to.to_owned();
        for part in rest {
            match part.parse::<usize>() {
                Ok(number) => field.push_str(&format!("[{number}]")),
                Err(_) => field.push_str(&format!(".{part}")),
            }
        }
        Some(Evidence { field, ..entry.clone() })
    });
    below.collect()
}

fn weakness(entry: &Evidence) -> Option<&'static str> {
    let sha = |text: &str| text.len() == 64 && text.chars().all(|c| c.is_ascii_hexdigit());
    if matches!(&entry.frame, FrameName::Sha256(text) if !sha(text)) {
        return Some("the frame is neither a number nor the SHA-256 of a picture");
    }
    if entry.r#box.is_some_and(|b| b.x0 >= b.x1 || b.y0 >= b.y1 || b.x1 > GRID_MAX || b.y1 > GRID_MAX) {
        return Some("the box is none: left, top, right and bottom from 0 to 1000");
    }
    if entry.r#box.is_some_and(|b| b.x1 - b.x0 >= WHOLE && b.y1 - b.y0 >= WHOLE) {
        return Some("the box is the whole picture, which shows no place in it");
    }
    let selects = entry.selector.as_deref().is_some_and(|selector| !selector.trim().is_empty());
    (entry.r#box.is_none() && !selects).then_some("it shows no place")
}

/// Every value that says something, with the object of a list that it belongs to. What is empty says that
/// there is nothing; `null` says nothing.
fn leaves(value: &Value) -> Vec<(String, Option<String>)> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), None, value)];
    while let Some((path, record, value)) = open.pop() {
        match value {
            Value::Null => {}
            Value::Array(list) if !list.is_empty() => {
                for (at, entry) in list.iter().enumerate().rev() {
                    let path = format!("{path}[{at}]");
                    let record = if entry.is_object() { Some(path.clone()) } else { record.clone() };
                    open.push((path, record, entry));
                }
            }
            Value::Object(map) if !map.is_empty() => {
                for (name, entry) in map.iter().rev() {
                    let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                    open.push((path, record.clone(), entry));
                }
            }
            _ => found.push((path, record)),
        }
    }
    found
}

/// `rows[0].name`, `$.rows[0].name`, `rows.0.name` and `/rows/0/name` are one place.
fn segments(path: &str) -> Vec<String> {
    let parts = path.split(['.', '[', ']', '/']).map(|part| part.trim_matches(['"', '\'', ' ']));
    parts.filter(|part| !part.is_empty() && *part != "$").map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn schema() -> Map<String, Value> {
        let row = json!({"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "n": {"type": ["integer", "null"]}}});
        json!({"type": "object", "required": ["rows"], "properties": {"rows": {"type": "array", "items": row}}})
            .as_object()
            .unwrap()
            .clone()
    }

    fn seen(fields: &[&str]) -> Vec<Evidence> {
        let entries: Vec<Value> =
            fields.iter().map(|field| json!({"field": field, "frame": 3, "box": [0, 0, 10, 10]})).collect();
        read_evidence(&json!(entries)).unwrap()
    }

    fn said(per: EvidencePer, value: Value, evidence: &[Evidence]) -> String {
        check(&schema(), per, &value, evidence).to_string()
    }

    #[test]
    fn every_field_needs_evidence_and_the_form_of_its_schema() {
        let value = json!({"rows": [{"name": "Ada", "n": 1}, {"name": "Bob", "n": null}]});
        let all = ["rows[0].name", "$.rows[0].n", "/rows/1/name"];
        assert_eq!(said(EvidencePer::Field, value.clone(), &seen(&all)), "");
        let missing = said(EvidencePer::Field, value.clone(), &seen(&all[..2]));
        assert!(missing.starts_with("rows[1].name: there is no evidence for `rows[1].name`. hint:"), "{missing}");
        assert_eq!(said(EvidencePer::Record, value.clone(), &seen(&["rows[0]", "rows[1]"])), "");
        assert_eq!(said(EvidencePer::Field, value, &seen(&["rows[0]", "rows[1]"])).lines().count(), 3);
        let wrong = said(EvidencePer::Record, json!({"rows": [{"name": 7}]}), &seen(&["rows[0]"]));
        assert!(wrong.starts_with("rows[0].name: 7 is not of type \"string\""), "{wrong}");
    }

    #[test]
    fn that_there_is_nothing_needs_evidence_too() {
        assert!(said(EvidencePer::Record, json!({"rows": []}), &[]).contains("no evidence for `rows`"));
        assert_eq!(said(EvidencePer::Field, json!({"rows": []}), &seen(&["rows"])), "");
    }

    #[test]
    fn evidence_that_shows_nothing_does_not_count() {
        let value = json!({"rows": []});
        for weak in [
            json!({"field": "rows", "frame": 1}),
            json!({"field": "rows", "frame": "abc", "selector": "#a"}),
            json!({"field": "rows", "frame": 1, "selector": " "}),
            json!({"field": "rows", "frame": 1, "box": [5, 5, 5, 9]}),
            json!({"field": "rows", "frame": 1, "box": [0, 0, 2000, 9]}),
            json!({"field": "rows", "frame": 1, "box": [0, 0, 1000, 1000]}),
        ] {
            let found = said(EvidencePer::Field, value.clone(), &read_evidence(&json!([weak])).unwrap());
            assert_eq!(found.lines().count(), 2, "{weak}: {found}");
        }
        let good = json!([{"field": "rows", "frame": "ab".repeat(32), "selector": "#a"}]);
        assert_eq!(said(EvidencePer::Field, value, &read_evidence(&good).unwrap()), "");
        for garbage in [json!(3), json!([3]), json!([{"field": "a"}]), json!([{"field": "a", "frame": -1}])] {
            assert!(read_evidence(&garbage).is_err(), "{garbage}");
        }
    }

    #[test]
    fn evidence_moves_with_its_row() {
        let moved = moved(&seen(&["rows[1].a.b", "rows[1]", "rows[10].a", "other"]), "rows[1]", "people[7]");
        assert_eq!(moved.iter().map(|entry| entry.field.as_str()).collect::<Vec<_>>(), ["people[7].a.b", "people[7]"]);
    }
}
