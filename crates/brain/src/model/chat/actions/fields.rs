//! Looks up the fields of a call under all the names they go by.

use serde_json::{Map, Value};

use super::super::super::lenient;
use super::super::super::tolerant::{Repairs, arguments, point};

/// Fields that hold a place and nothing else.
const PLACES: &[&str] = &[
    "coordinate",
    "coordinates",
    "center_coordinates",
    "point",
    "start_box",
    "start_point",
    "position",
    "click_point",
    "bbox",
    "bounding_box",
    "box",
];
/// Fields that may hold a place or a description of one.
const MAYBE_PLACES: &[&str] = &["location", "target", "pos", "element"];

pub(super) struct Fields<'a> {
    given: &'a Map<String, Value>,
}

impl<'a> Fields<'a> {
    pub(super) fn new(given: &'a Map<String, Value>) -> Self {
        Fields { given }
    }

    /// The first of these that was given.
    pub(super) fn any(&self, names: &[&str]) -> Option<&'a Value> {
        names.iter().find_map(|name| self.given.get(*name).filter(|value| !value.is_null()))
    }

    pub(super) fn number(&self, names: &[&str]) -> Option<f64> {
        lenient::named_number(self.given, names)
    }

    pub(super) fn text(&self, names: &[&str]) -> Option<String> {
        lenient::named_text(self.given, names)
    }

    pub(super) fn flag(&self, names: &[&str]) -> Option<bool> {
        self.any(names).and_then(lenient::flag)
    }

    /// Texts of a list, of a list written as text, or of one text.
    pub(super) fn texts(&self, names: &[&str]) -> Vec<String> {
        match self.any(names) {
            Some(Value::Array(items)) => items.iter().filter_map(lenient::text).collect(),
            Some(Value::String(text)) if text.trim_start().starts_with('[') => {
                // As an object, since that is what the tolerant reader reads.
                let wrapped = Value::String(format!("{{\"list\":{text}}}"));
                match arguments(&wrapped, &mut Repairs::default()).ok().and_then(|mut read| read.remove("list")) {
                    Some(Value::Array(items)) => items.iter().filter_map(lenient::text).collect(),
                    _ => vec![text.clone()],
                }
            }
            Some(value) => lenient::text(value).into_iter().collect(),
            None => Vec::new(),
        }
    }

    /// A place of one of these names, or of two fields of its own.
    pub(super) fn place_of(&self, names: &[&str], apart: [&str; 2]) -> Result<Option<[f64; 2]>, String> {
        for name in names {
            if let Some(value) = self.any(&[name]) {
                return match point(value) {
                    Some(place) => Ok(Some(place)),
                    None => Err(format!("{name} must be two numbers, x and y; got {}", cut(value))),
                };
            }
        }
        match apart.map(|name| self.any(&[name])) {
            [None, None] => Ok(None),
            [Some(both), None] if point(both).is_some() => Ok(point(both)),
            [Some(x), Some(y)] => match (lenient::number(x), lenient::number(y)) {
                (Some(x), Some(y)) => Ok(Some([x, y])),
                _ => Err(format!("{} and {} must be numbers; got {} and {}", apart[0], apart[1], cut(x), cut(y))),
            },
            _ => Err(format!("a place needs both {} and {}", apart[0], apart[1])),
        }
    }

    /// Where the call points, if anywhere.
    pub(super) fn place(&self) -> Result<Option<[f64; 2]>, String> {
        let sure = self.place_of(PLACES, ["x", "y"])?;
        Ok(sure.or_else(|| self.any(MAYBE_PLACES).and_then(point)))
    }
}

pub(super) fn written(place: [f64; 2]) -> Value {
    lenient::written_point(place)
}

fn cut(value: &Value) -> String {
    value.to_string().chars().take(60).collect()
}
