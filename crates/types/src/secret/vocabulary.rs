//! The words of our own formats: names of fields, and for each field the closed set of words that it may hold. A
//! secret may be such a word ("step", "click"); an event whose field names were redacted could not be read back, and a
//! call without its tool and action could not be understood. What stands in other fields is somebody's value.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use serde_json::Value;

use crate::call::{FieldKind, TOOLS};
use crate::event::Envelope;
use crate::reply::ObservationView;
use crate::result::RunResult;

/// Whether it is the name of a field, or a word of some closed set.
pub(super) fn is_word(text: &str) -> bool {
    let words = vocabulary();
    words.fields.contains_key(text) || words.closed.contains(text)
}

/// Whether a field of this name holds this word by our own doing.
pub(super) fn belongs_to(field: &str, text: &str) -> bool {
    vocabulary().fields.get(field).is_some_and(|words| words.contains(text))
}

#[derive(Default)]
struct Vocabulary {
    /// Every field, with the words of the closed sets that it takes.
    fields: HashMap<String, HashSet<String>>,
    /// The words of all closed sets.
    closed: HashSet<String>,
}

/// Fields of records that are written as plain texts, though only these occur.
const PLAIN: &[(&str, &[&str])] =
    &[("decision", &["allow", "confirm", "deny"]), ("confirm", &["risky", "all", "none"]), ("modifiers", MODIFIERS)];
const MODIFIERS: &[&str] = &["ctrl", "shift", "alt", "meta"];

fn vocabulary() -> &'static Vocabulary {
    static WORDS: OnceLock<Vocabulary> = OnceLock::new();
    WORDS.get_or_init(collect)
}

fn collect() -> Vocabulary {
    let mut words = Vocabulary::default();
    for schema in
        [schemars::schema_for!(Envelope), schemars::schema_for!(RunResult), schemars::schema_for!(ObservationView)]
    {
        words.gather(schema.as_value(), schema.as_value());
    }
    // Calls are kept as they were given, so no schema tells their fields.
    words.field("tool", TOOLS.iter().map(|tool| tool.name));
    for field in TOOLS.iter().flat_map(|tool| tool.fields) {
        match field.kind {
            FieldKind::Choice(choices) => words.field(field.name, choices.iter().copied()),
            _ => words.field(field.name, []),
        }
    }
    for (name, texts) in PLAIN {
        words.field(name, texts.iter().copied());
    }
    words
}

impl Vocabulary {
    fn field<'w>(&mut self, name: &str, words: impl IntoIterator<Item = &'w str>) {
        let known = self.fields.entry(name.to_string()).or_default();
        for word in words {
            known.insert(word.to_string());
            self.closed.insert(word.to_string());
        }
    }

    fn gather(&mut self, schema: &Value, root: &Value) {
        match schema {
            Value::Array(items) => items.iter().for_each(|item| self.gather(item, root)),
            Value::Object(map) => {
                if let Some(Value::Object(fields)) = map.get("properties") {
                    for (name, value) in fields {
                        let mut words = Vec::new();
                        closed_words(value, root, 0, &mut words);
                        self.field(name, words);
                    }
                }
                map.values().for_each(|value| self.gather(value, root));
            }
            _ => {}
        }
    }
}

/// The words that a value of this schema may be, where it is a text of a closed set or a list of these.
fn closed_words<'s>(schema: &'s Value, root: &'s Value, depth: usize, words: &mut Vec<&'s str>) {
    const DEEPEST: usize = 8;
    let Value::Object(map) = schema else { return };
    if depth > DEEPEST {
        return;
    }
    for (key, value) in map {
        match (key.as_str(), value) {
            ("const", Value::String(word)) => words.push(word),
            ("enum", Value::Array(items)) => words.extend(items.iter().filter_map(Value::as_str)),
            ("$ref", Value::String(place)) => {
                if let Some(named) = place.strip_prefix('#').and_then(|place| root.pointer(place)) {
                    closed_words(named, root, depth + 1, words);
                }
            }
            ("anyOf" | "oneOf" | "allOf", Value::Array(items)) => {
                items.iter().for_each(|item| closed_words(item, root, depth + 1, words));
            }
            ("items", item) => closed_words(item, root, depth + 1, words),
            _ => {}
        }
    }
}
