//! JSON as data: when two values are the same, how many are meant, and how they stand in evidence.

use serde_json::{Value, json};

use super::shapes::CountShape;

/// Longest piece of an observation that is kept as evidence.
const KEPT: usize = 300;

/// Whether the order of a list counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Counts,
    Any,
}

/// Between two counts, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Count {
    min: u64,
    max: u64,
}

impl Count {
    pub(crate) const AT_LEAST_ONE: Count = Count { min: 1, max: u64::MAX };
    pub(crate) const NONE: Count = Count { min: 0, max: 0 };

    pub(crate) fn read(shape: &CountShape) -> Result<Count, String> {
        match shape {
            CountShape::Exactly(count) => Ok(Count { min: *count, max: *count }),
            CountShape::Between(between) => {
                let count = Count { min: between.min.unwrap_or(0), max: between.max.unwrap_or(u64::MAX) };
                if between.min.is_none() && between.max.is_none() {
                    return Err("it wants `min`, `max` or both".into());
                }
                if count.min == 0 && count.max == u64::MAX {
                    return Err("any number fits it, so it says nothing".into());
                }
                if count.min > count.max {
                    return Err(format!("min {} is more than max {}", count.min, count.max));
                }
                Ok(count)
            }
        }
    }

    pub(crate) fn holds(self, count: usize) -> bool {
        let count = count as u64;
        self.min <= count && count <= self.max
    }

    pub(crate) fn in_words(self) -> String {
        match (self.min, self.max) {
            (min, max) if min == max => min.to_string(),
            (min, u64::MAX) => format!("at least {min}"),
            (0, max) => format!("at most {max}"),
            (min, max) => format!("{min} to {max}"),
        }
    }
}

/// Equal as data: `1` is `1.0`, but `1` is neither `"1"` nor `true`.
pub(crate) fn same(a: &Value, b: &Value, order: Order) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            // Whole numbers are compared as such: large ids differ where floats do not.
            let whole = |n: &serde_json::Number| n.as_i64().map(i128::from).or_else(|| n.as_u64().map(i128::from));
            match (whole(a), whole(b)) {
                (Some(a), Some(b)) => a == b,
                _ => a.as_f64() == b.as_f64(),
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() != b.len() => false,
        (Value::Array(a), Value::Array(b)) if order == Order::Any => {
            let mut left: Vec<&Value> = b.iter().collect();
            a.iter().all(|item| match left.iter().position(|other| same(item, other, order)) {
                Some(at) => {
                    left.swap_remove(at);
                    true
                }
                None => false,
            })
        }
        (Value::Array(a), Value::Array(b)) => a.iter().zip(b).all(|(a, b)| same(a, b, order)),
        (Value::Object(a), Value::Object(b)) => {
            let in_b = |name: &String, value: &Value| b.get(name).is_some_and(|other| same(value, other, order));
            a.len() == b.len() && a.iter().all(|(name, value)| in_b(name, value))
        }
        (a, b) => a == b,
    }
}

/// A value as it can stand in evidence.
pub(crate) fn shortened(value: &Value) -> Value {
    match value {
        Value::String(text) => json!(shortened_text(text)),
        Value::Array(_) | Value::Object(_) => {
            let text = value.to_string();
            if text.len() <= KEPT { value.clone() } else { json!(shortened_text(&text)) }
        }
        simple => simple.clone(),
    }
}

pub(crate) fn shortened_text(text: &str) -> String {
    let mut shown: String = text.chars().take(KEPT).collect();
    if text.chars().nth(KEPT).is_some() {
        shown.push('…');
    }
    shown
}
