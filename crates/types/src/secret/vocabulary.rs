//! The words of our own formats: field names and closed sets. A secret may be such a word ("step"), and
//! an event whose field names were redacted could not be read back.

use std::collections::HashSet;
use std::sync::OnceLock;

use serde_json::Value;

use crate::event::Envelope;
use crate::reply::ObservationView;
use crate::result::RunResult;

pub(super) fn is_word(text: &str) -> bool {
    static WORDS: OnceLock<HashSet<String>> = OnceLock::new();
    WORDS.get_or_init(collect).contains(text)
}

fn collect() -> HashSet<String> {
    let mut words = HashSet::new();
    for schema in
        [schemars::schema_for!(Envelope), schemars::schema_for!(RunResult), schemars::schema_for!(ObservationView)]
    {
        gather(schema.as_value(), &mut words);
    }
    words
}

fn gather(schema: &Value, words: &mut HashSet<String>) {
    match schema {
        Value::Array(items) => items.iter().for_each(|item| gather(item, words)),
        Value::Object(map) => {
            for (key, value) in map {
                match (key.as_str(), value) {
                    ("properties", Value::Object(fields)) => words.extend(fields.keys().cloned()),
                    ("const", Value::String(word)) => drop(words.insert(word.clone())),
                    ("enum", Value::Array(items)) => {
                        words.extend(items.iter().filter_map(Value::as_str).map(str::to_string));
                    }
                    _ => {}
                }
                gather(value, words);
            }
        }
        _ => {}
    }
}
