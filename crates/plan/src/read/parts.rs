//! What stands around the steps: declared values, output, budgets, the policy for failures.

use serde_json::{Map, Value};

use super::fields::{Fields, kind, name, shown, text};
use crate::limits;
use crate::plan::{
    BeforeRetry, Budget, Dollars, GiveUp, Named, OnFailure, Output, Recovery, Span, Table, ValueSpec, ValueType,
};
use crate::problem::{Problems, quoted};
use crate::schema;

const VALUE_FIELDS: &[&str] = &["type", "about", "default", "file", "columns"];
const MOST_STEPS: u32 = 100_000;
const MOST_HOURS: u64 = 24 * 7;
const MOST_DOLLARS: f64 = 100_000.0;

pub(super) fn value_spec(place: &str, value: &Value, problems: &mut Problems) -> Option<ValueSpec> {
    name(place, place.strip_prefix("values.").unwrap_or(place), problems);
    let fields = Fields::of(place, value, VALUE_FIELDS, "a declared value", problems)?;
    let types = [
        ("text", ValueType::Text),
        ("number", ValueType::Number),
        ("boolean", ValueType::Boolean),
        ("list", ValueType::List),
        ("rows", ValueType::Rows),
        ("secret", ValueType::Secret),
    ];
    Some(ValueSpec {
        r#type: fields.word("type", &types, problems).unwrap_or_default(),
        about: fields.text("about", problems).unwrap_or_default(),
        default: fields.get("default").cloned(),
        file: fields.text("file", problems),
        columns: fields.texts("columns", problems),
    })
}

pub(super) fn output(plan: &Fields<'_>, problems: &mut Problems) -> Output {
    let read = |value, problems: &mut Problems| {
        let fields =
            Fields::of(&plan.place_of("output"), value, &["tables", "values", "schema"], "the output", problems)?;
        let mut tables = Vec::new();
        for (place, table, value) in fields.entries("tables", problems) {
            name(&place, &table, problems);
            if let Some(fields) = Fields::of(&place, value, &["key", "columns"], "a table", problems) {
                tables.push((
                    table,
                    Table { key: fields.texts("key", problems), columns: fields.texts("columns", problems) },
                ));
            }
        }
        let mut values = Vec::new();
        for (place, field, value) in fields.entries("values", problems) {
            name(&place, &field, problems);
            values.extend(text(&place, value, problems).map(|text| (field, text)));
        }
        let schema = optional_schema(&fields, "schema", problems);
        Some(Output { tables: Named(tables), values: Named(values), schema })
    };
    plan.get("output").and_then(|value| read(value, problems)).unwrap_or_default()
}

pub(super) fn optional_schema(fields: &Fields<'_>, name: &str, problems: &mut Problems) -> Option<Map<String, Value>> {
    let given = fields.get(name)?;
    let Some(map) = given.as_object() else {
        problems.add(fields.place_of(name), format!("`{name}` is a JSON Schema, this is {}", kind(given)), "");
        return None;
    };
    if let Err(why) = schema::validator(given) {
        problems.add(fields.place_of(name), format!("this is no JSON Schema that can be used: {why}"), "");
    }
    Some(map.clone())
}

pub(super) fn budget(around: &Fields<'_>, name: &str, problems: &mut Problems) -> Budget {
    let Some(value) = around.get(name) else { return Budget::default() };
    let known = ["max_steps", "max_time", "max_cost"];
    let Some(fields) = Fields::of(&around.place_of(name), value, &known, "a budget", problems) else {
        return Budget::default();
    };
    let max_time = fields.get("max_time").and_then(|given| {
        let span = span(given);
        if span.is_none() {
            problems.add(
                fields.place_of("max_time"),
                format!("{} is no length of time of at most {MOST_HOURS}h", shown(given)),
                "write seconds, or as in 90s, 10m, 2h",
            );
        }
        span
    });
    let max_cost = fields.get("max_cost").and_then(|given| {
        let amount = given.as_f64().filter(|amount| *amount >= 1e-6 && *amount <= MOST_DOLLARS);
        if amount.is_none() {
            problems.add(fields.place_of("max_cost"), format!("{} is no amount of dollars", shown(given)), "as in 0.5");
        }
        // In range, so it fits.
        amount.map(|amount| Dollars((amount * 1e6).round() as u64))
    });
    Budget { max_steps: fields.count("max_steps", MOST_STEPS, problems), max_time, max_cost }
}

pub(super) fn recovery(plan: &Fields<'_>, problems: &mut Problems) -> Recovery {
    let Some(value) = plan.get("recovery") else { return Recovery::default() };
    let known = ["on_failure", "max_failures", "before_retry"];
    let Some(fields) = Fields::of(&plan.place_of("recovery"), value, &known, "the recovery policy", problems) else {
        return Recovery::default();
    };
    let ways = [("stay", BeforeRetry::Stay), ("reopen", BeforeRetry::Reopen)];
    Recovery {
        on_failure: on_failure(&fields, problems).unwrap_or_default(),
        max_failures: fields.count("max_failures", MOST_STEPS, problems),
        before_retry: fields.word("before_retry", &ways, problems).unwrap_or_default(),
    }
}

pub(super) fn on_failure(fields: &Fields<'_>, problems: &mut Problems) -> Option<OnFailure> {
    let given = fields.get("on_failure")?;
    let read = given.as_str().and_then(policy);
    if read.is_none() {
        problems.add(
            fields.place_of("on_failure"),
            format!("`on_failure` cannot be {}", shown(given)),
            format!("stop, skip, ask, `retry 2` or `retry 2 then skip`, with at most {} retries", limits::RETRIES),
        );
    }
    read
}

fn policy(text: &str) -> Option<OnFailure> {
    let give_up = |word: &str| match word {
        "stop" => Some(GiveUp::Stop),
        "skip" => Some(GiveUp::Skip),
        "ask" => Some(GiveUp::Ask),
        _ => None,
    };
    let retries = |count: &str| count.parse().ok().filter(|count| (1..=limits::RETRIES).contains(count));
    match text.split_whitespace().collect::<Vec<_>>().as_slice() {
        ["retry"] => Some(OnFailure { retries: 1, then: GiveUp::Stop }),
        ["retry", count] => Some(OnFailure { retries: retries(count)?, then: GiveUp::Stop }),
        ["retry", "then", then] => Some(OnFailure { retries: 1, then: give_up(then)? }),
        ["retry", count, "then", then] => Some(OnFailure { retries: retries(count)?, then: give_up(then)? }),
        [word] => Some(OnFailure { retries: 0, then: give_up(word)? }),
        _ => None,
    }
}

fn span(value: &Value) -> Option<Span> {
    let (amount, unit) = match value {
        Value::Number(number) => (number.as_f64()?, 1000.0),
        Value::String(text) => {
            let text = text.trim();
            let end = text.find(|c: char| c.is_ascii_alphabetic())?;
            let (amount, unit) = text.split_at(end);
            let unit = match unit {
                "ms" => 1.0,
                "s" => 1000.0,
                "m" => 60_000.0,
                "h" => 3_600_000.0,
                _ => return None,
            };
            (amount.trim().parse::<f64>().ok()?, unit)
        }
        _ => return None,
    };
    let milliseconds = (amount * unit).round();
    // In range, so it fits.
    (milliseconds >= 1.0 && milliseconds <= (MOST_HOURS * 3_600_000) as f64).then_some(Span(milliseconds as u64))
}

pub(super) fn label(place: &str, label: &str, problems: &mut Problems) {
    if label.trim().is_empty() || label.chars().count() > limits::NAME * 2 {
        problems.add(place, format!("`{}` is no label of a field", quoted(label)), "as it stands beside the field");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lengths_of_time() {
        let check =
            |value: Value, expected: Option<u64>| assert_eq!(span(&value).map(|span| span.0), expected, "{value}");
        check(json!(90), Some(90_000));
        check(json!("1.5m"), Some(90_000));
        check(json!("2 h"), Some(7_200_000));
        check(json!("250ms"), Some(250));
        for wrong in [
            json!(0),
            json!(-1),
            json!("s"),
            json!("5"),
            json!("5d"),
            json!("1e300s"),
            json!("nans"),
            json!([1]),
            json!("999h"),
        ] {
            check(wrong, None);
        }
    }

    #[test]
    fn policies_are_read_as_they_are_shown() {
        for text in ["stop", "skip", "ask", "retry 2 then skip", "retry 1 then stop"] {
            assert_eq!(policy(text).unwrap().to_string(), text);
        }
        assert_eq!(policy("retry").unwrap().to_string(), "retry 1 then stop");
        for wrong in ["", "retry 0", "retry 21", "retry -1", "retry 2 then", "stop now", "retry two then skip"] {
            assert_eq!(policy(wrong), None, "{wrong}");
        }
    }
}
