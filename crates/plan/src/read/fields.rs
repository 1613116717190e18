//! Takes an object of a plan file apart, field by field. Each wrong field is one problem with its place, and
//! reading goes on, so that all of them are told at once.

use serde_json::{Map, Value};

use crate::limits;
use crate::problem::{Problems, nearest, quoted};

pub(super) struct Fields<'a> {
    pub(super) place: String,
    map: &'a Map<String, Value>,
}

impl<'a> Fields<'a> {
    /// `None`, with a problem, when it is no object. Fields that are not in `known` are problems too.
    pub(super) fn of(
        place: &str,
        value: &'a Value,
        known: &[&str],
        what: &str,
        problems: &mut Problems,
    ) -> Option<Fields<'a>> {
        let Some(map) = value.as_object() else {
            problems.add(
                place,
                format!("{what} wants fields, this is {}", kind(value)),
                format!("its fields are {}", known.join(", ")),
            );
            return None;
        };
        for name in map.keys().filter(|name| !known.contains(&name.as_str())) {
            if problems.is_full() {
                break;
            }
            problems.add(
                join(place, &quoted(name)),
                format!("{what} has no field `{}`", quoted(name)),
                nearest(name, known),
            );
        }
        Some(Fields { place: place.to_owned(), map })
    }

    pub(super) fn place_of(&self, name: &str) -> String {
        join(&self.place, name)
    }

    /// `null` counts as not given.
    pub(super) fn get(&self, name: &str) -> Option<&'a Value> {
        self.map.get(name).filter(|value| !value.is_null())
    }

    pub(super) fn text(&self, name: &str, problems: &mut Problems) -> Option<String> {
        text(&self.place_of(name), self.get(name)?, problems)
    }

    pub(super) fn wanted_text(&self, name: &str, hint: &str, problems: &mut Problems) -> String {
        if self.get(name).is_none() {
            problems.add(self.place_of(name), format!("`{name}` is missing"), hint);
            return String::new();
        }
        let text = self.text(name, problems).unwrap_or_default();
        if self.get(name).and_then(Value::as_str).is_some_and(|text| text.trim().is_empty()) {
            problems.add(self.place_of(name), format!("`{name}` is empty"), hint);
        }
        text
    }

    pub(super) fn count(&self, name: &str, most: u32, problems: &mut Problems) -> Option<u32> {
        let given = self.get(name)?;
        let count =
            given.as_u64().and_then(|count| u32::try_from(count).ok()).filter(|count| (1..=most).contains(count));
        if count.is_none() {
            problems.add(
                self.place_of(name),
                format!("`{name}` is a whole number from 1 to {most}, this is {}", shown(given)),
                "",
            );
        }
        count
    }

    pub(super) fn list(&self, name: &str, problems: &mut Problems) -> Vec<(String, &'a Value)> {
        let Some(given) = self.get(name) else { return Vec::new() };
        let place = self.place_of(name);
        let Some(list) = given.as_array() else {
            problems.add(place, format!("`{name}` is a list, this is {}", kind(given)), "put it into [ ]");
            return Vec::new();
        };
        let most = if name == "steps" { limits::STEPS } else { limits::LIST };
        if list.len() > most {
            problems.add(&place, format!("`{name}` has {} entries, more than {most}", list.len()), "");
        }
        list.iter().take(most).enumerate().map(|(at, value)| (format!("{place}[{at}]"), value)).collect()
    }

    pub(super) fn texts(&self, name: &str, problems: &mut Problems) -> Vec<String> {
        let list = self.list(name, problems);
        list.into_iter().filter_map(|(place, value)| text(&place, value, problems)).collect()
    }

    /// The entries of an object whose field names are free.
    pub(super) fn entries(&self, name: &str, problems: &mut Problems) -> Vec<(String, String, &'a Value)> {
        let Some(given) = self.get(name) else { return Vec::new() };
        let place = self.place_of(name);
        let Some(map) = given.as_object() else {
            problems.add(place, format!("`{name}` wants names with something to each, this is {}", kind(given)), "");
            return Vec::new();
        };
        if map.len() > limits::LIST {
            problems.add(&place, format!("`{name}` has {} entries, more than {}", map.len(), limits::LIST), "");
        }
        let entries = map.iter().take(limits::LIST);
        entries.map(|(name, value)| (join(&place, &quoted(name)), name.clone(), value)).collect()
    }

    /// One of a few words.
    pub(super) fn word<T: Copy>(&self, name: &str, words: &[(&str, T)], problems: &mut Problems) -> Option<T> {
        let given = self.get(name)?;
        let found = words.iter().find(|(word, _)| given.as_str() == Some(word)).map(|(_, meaning)| *meaning);
        if found.is_none() {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let hint = nearest(given.as_str().unwrap_or_default(), &known);
            problems.add(self.place_of(name), format!("`{name}` cannot be {}", shown(given)), hint);
        }
        found
    }
}

pub(super) fn text(place: &str, value: &Value, problems: &mut Problems) -> Option<String> {
    let Some(text) = value.as_str() else {
        problems.add(place, format!("a text is wanted, this is {}", shown(value)), "put it into quotes");
        return None;
    };
    let length = text.chars().count();
    if length > limits::TEXT {
        problems.add(place, format!("the text has {length} characters, more than {}", limits::TEXT), "");
        return None;
    }
    Some(text.to_owned())
}

/// A name that `{{…}}` can use.
pub(super) fn name(place: &str, name: &str, problems: &mut Problems) {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let starts = name.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    if !starts || !name.chars().all(fits) || name.len() > limits::NAME {
        problems.add(
            place,
            format!("`{}` cannot be a name", quoted(name)),
            format!("letters, digits, `_` and `-`, up to {}, a letter first", limits::NAME),
        );
    }
}

pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) | Value::Object(_) => kind(value).to_owned(),
        other => format!("`{}`", quoted(&other.to_string())),
    }
}

fn join(place: &str, name: &str) -> String {
    if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") }
}
