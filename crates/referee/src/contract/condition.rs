//! What is asked of one JSON value, without where it is or how many there are.

use regex::Regex;
use serde_json::{Map, Value, json};

use super::error::ContractError;
use super::fields::Fields;
use super::patterns;
use super::shapes::ValueShape;
use super::since_start::has;
use super::values::{Order, same};

#[derive(Debug, Clone)]
pub(crate) enum Condition {
    Equals(Value, Order),
    NotEquals(Value, Order),
    OneOf(Vec<Value>, Order),
    Matches(Regex),
    NotMatches(Regex),
    Contains(Value),
    NotContains(Value),
    AtLeast(f64),
    AtMost(f64),
}

impl Condition {
    /// All that a shape asks, and the same in words for evidence.
    pub(crate) fn read(
        shape: &ValueShape,
        fields: &Fields,
        expected: &mut Map<String, Value>,
    ) -> Result<Vec<Condition>, ContractError> {
        let wrong = |field: &str, why: String| fields.wrong(field, why);
        let order = if shape.any_order { Order::Any } else { Order::Counts };
        let mut conditions = Vec::new();
        let mut add = |name: &str, value: Value, condition: Condition| {
            expected.insert(name.into(), value);
            conditions.push(condition);
        };
        if let Some(value) = &shape.equals {
            add("equals", value.clone(), Condition::Equals(value.clone(), order));
        }
        if let Some(value) = &shape.not_equals {
            add("not_equals", value.clone(), Condition::NotEquals(value.clone(), order));
        }
        if let Some(values) = &shape.one_of {
            if values.is_empty() {
                return Err(wrong("one_of", "an empty list can never hold".into()));
            }
            add("one_of", json!(values), Condition::OneOf(values.clone(), order));
        }
        if let Some(pattern) = &shape.matches {
            let regex = patterns::regex(pattern).map_err(|why| wrong("matches", why))?;
            add("matches", json!(pattern), Condition::Matches(regex));
        }
        if let Some(pattern) = &shape.not_matches {
            let regex = patterns::regex(pattern).map_err(|why| wrong("not_matches", why))?;
            add("not_matches", json!(pattern), Condition::NotMatches(regex));
        }
        if let Some(value) = &shape.contains {
            if value.as_str().is_some_and(str::is_empty) {
                return Err(wrong("contains", "every text contains the empty one".into()));
            }
            add("contains", value.clone(), Condition::Contains(value.clone()));
        }
        if let Some(value) = &shape.not_contains {
            if value.as_str().is_some_and(str::is_empty) {
                return Err(wrong("not_contains", "every text contains the empty one".into()));
            }
            add("not_contains", value.clone(), Condition::NotContains(value.clone()));
        }
        if let Some(least) = shape.at_least {
            add("at_least", json!(least), Condition::AtLeast(least));
        }
        if let Some(most) = shape.at_most {
            if shape.at_least.is_some_and(|least| least > most) {
                return Err(wrong("at_most", "it is less than `at_least`".into()));
            }
            add("at_most", json!(most), Condition::AtMost(most));
        }
        Ok(conditions)
    }

    pub(crate) fn holds(&self, value: &Value) -> bool {
        match self {
            Condition::Equals(wanted, order) => same(wanted, value, *order),
            Condition::NotEquals(unwanted, order) => !same(unwanted, value, *order),
            Condition::OneOf(wanted, order) => wanted.iter().any(|wanted| same(wanted, value, *order)),
            Condition::Matches(pattern) => written(value).is_some_and(|text| pattern.is_match(&text)),
            // What is neither text nor number was not looked at, so it does not hold either.
            Condition::NotMatches(pattern) => written(value).is_some_and(|text| !pattern.is_match(&text)),
            Condition::Contains(part) => contains(value, part) == Some(true),
            Condition::NotContains(part) => contains(value, part) == Some(false),
            Condition::AtLeast(least) => value.as_f64().is_some_and(|number| number >= *least),
            Condition::AtMost(most) => value.as_f64().is_some_and(|number| number <= *most),
        }
    }
}

fn written(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// `None` where it cannot contain anything of the kind.
fn contains(value: &Value, part: &Value) -> Option<bool> {
    match (value, part) {
        (Value::String(text), Value::String(part)) => Some(text.contains(part.as_str())),
        (Value::Array(items), part) => Some(items.iter().any(|item| has(item, part))),
        _ => None,
    }
}
