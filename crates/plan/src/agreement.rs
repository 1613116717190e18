//! Does what stands at a place speak against the value that is said to stand there? Pages write amounts, dates and names in
//! many ways, so only a plain contradiction counts: a value that nothing at the place has anything to do with. Whoever
//! cannot be understood here (yes and no, words of a fixed list, texts that are cut off) is not contradicted.

use serde_json::{Map, Value};

use crate::extraction::value_at;
use crate::problem::{quoted, quoted_value};

/// Characters from which on a text may have been cut off by whoever read it.
const CUT_OFF: usize = 3_900;

/// One sentence where the texts that stand at the place of a field are plainly not its value. `schema` is that of the whole
/// value: words that it lists itself are not on the page.
pub fn contradiction(schema: &Map<String, Value>, value: &Value, field: &str, texts: &[String]) -> Option<String> {
    let here = value_at(value, field)?;
    let read = texts.iter().find(|text| !text.trim().is_empty())?;
    if texts.iter().any(|text| text.chars().count() >= CUT_OFF) {
        return None;
    }
    let mut parts = Vec::new();
    collect_parts(here, &mut parts);
    let wrong: Vec<&Value> =
        parts.iter().copied().filter(|part| speaks_against(part, texts) && !is_listed(schema, part)).collect();
    // Of a record some fields may be derived.
    let first = wrong.first().filter(|_| wrong.len() * 2 > parts.len())?;
    Some(format!(
        "`{}`: what stands there is `{}`, and not {}",
        quoted(field),
        quoted(read.trim()),
        quoted_value(first)
    ))
}

/// Numbers and texts of one record.
fn collect_parts<'v>(value: &'v Value, parts: &mut Vec<&'v Value>) {
    match value {
        Value::Number(_) => parts.push(value),
        Value::String(text) if !text.trim().is_empty() => parts.push(value),
        Value::Object(map) => map.values().for_each(|value| collect_parts(value, parts)),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Array(_) => {}
    }
}

fn speaks_against(value: &Value, texts: &[String]) -> bool {
    match value {
        Value::Number(number) => {
            let wanted = figures(&number.to_string());
            let mut found = texts.iter().flat_map(|text| amounts(text)).peekable();
            // Where there are no figures it may be written in words.
            found.peek().is_some() && !found.any(|found| found == wanted)
        }
        Value::String(text) => !texts.iter().any(|found| agrees(text, found)),
        _ => false,
    }
}

fn agrees(value: &str, found: &str) -> bool {
    let (wanted, there) = (bare(value), bare(found));
    if wanted.is_empty() || there.contains(&wanted) || (there.chars().count() >= 3 && wanted.contains(&there)) {
        return true;
    }
    let (wanted, there) = (words(value), words(found));
    let shared = wanted.iter().filter(|word| there.contains(word)).count();
    if value.chars().any(char::is_alphabetic) && !is_timestamp(value) {
        return shared * 2 > wanted.len();
    }
    // Dates, times and telephone numbers: months may be words, and years are left out.
    shared > 0 || !found.chars().any(|c| c.is_ascii_digit())
}

/// Only its letters and digits.
fn bare(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn words(text: &str) -> Vec<String> {
    let lowered = text.to_lowercase();
    let words = lowered.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| word.trim_start_matches('0').to_owned()).collect()
}

/// As in `2026-01-05T10:00:00Z`: its letters are no words.
fn is_timestamp(text: &str) -> bool {
    text.get(..4).is_some_and(|year| year.bytes().all(|byte| byte.is_ascii_digit()))
        && text.chars().filter(|c| c.is_alphabetic()).all(|c| matches!(c, 'T' | 'Z'))
}

/// The numbers in a text by their figures: `1.234,50 €`, `1,234.5` and `1 234.50` are one, wherever the point is.
fn amounts(text: &str) -> Vec<String> {
    let digits = |c: char| c.is_ascii_digit();
    let marks = |c: char| digits(c) || matches!(c, '.' | ',' | '\'' | '’');
    let spaced = |c: char| marks(c) || matches!(c, ' ' | '\u{a0}' | '\u{202f}');
    let of = |part: &str| part.chars().any(digits).then(|| figures(part));
    let alone = text.split(|c| !marks(c)).filter_map(of);
    alone.chain(text.split(|c| !spaced(c)).filter_map(of)).collect()
}

/// Digits without the zeros around them.
fn figures(text: &str) -> String {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    digits.trim_matches('0').to_owned()
}

/// Whether the schema names the value itself, as one of a few or the only one.
fn is_listed(schema: &Map<String, Value>, value: &Value) -> bool {
    let mut open: Vec<&Value> = schema.values().collect();
    if schema.get("const") == Some(value) || lists(schema, value) {
        return true;
    }
    while let Some(inner) = open.pop() {
        match inner {
            Value::Object(map) if map.get("const") == Some(value) || lists(map, value) => return true,
            Value::Object(map) => open.extend(map.values()),
            Value::Array(list) => open.extend(list),
            _ => {}
        }
    }
    false
}

fn lists(schema: &Map<String, Value>, value: &Value) -> bool {
    schema.get("enum").and_then(Value::as_array).is_some_and(|list| list.contains(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn against(value: Value, text: &str) -> bool {
        let schema = json!({"properties": {"state": {"enum": ["in_stock", "sold_out"]}}});
        contradiction(schema.as_object().unwrap(), &value, "", &[text.to_owned()]).is_some()
    }

    #[test]
    fn one_thing_may_be_written_in_many_ways() {
        for (value, text) in [
            (json!("Ada"), "  ADA\n Lovelace "),
            (json!("Ada Lovelace"), "Lovelace, Ada"),
            (json!("Dr. Ada Lovelace"), "Ada Lovelace (1815)"),
            (json!("ada@example.com"), "Mail: ada@example.com"),
            (json!("2026-01-05"), "Jan 5, 2026"),
            (json!("2026-01-05T10:00:00Z"), "5 January 2026, 11:00"),
            (json!("2026-01-05"), "yesterday"),
            (json!("+49 30 1234567"), "030/1234567"),
            (json!(20), "20 dollars"),
            (json!(20), "$20.00"),
            (json!(1234.5), "1.234,50 €"),
            (json!(1234567), "1 234 567 kr"),
            (json!(0.25), "25 %"),
            (json!(1200000), "1.2 million"),
            (json!(20), "twenty"),
            (json!(0), "0,00"),
            (json!(true), "Sold"),
            (json!(null), "x"),
            (json!([]), "x"),
            (json!("in_stock"), "Available now"),
            (json!({"name": "Ada", "city": "London", "rank": 7}), "Ada London"),
        ] {
            assert!(!against(value.clone(), text), "{value} {text}");
        }
    }

    #[test]
    fn something_else_is_told() {
        for (value, text) in [
            (json!("Ada"), "Bob"),
            (json!("Ada Lovelace"), "Bob Lovelace"),
            (json!("2026-01-05"), "Feb 7, 2025"),
            (json!(21), "20 dollars"),
            (json!("21"), "20 dollars"),
            (json!("on_order"), "Available now"),
            (json!({"name": "Ada", "city": "London", "gone": false}), "Bob Paris"),
        ] {
            assert!(against(value.clone(), text), "{value} {text}");
        }
        let sentence = contradiction(&Map::new(), &json!({"rows": [{"a": "Ada"}]}), "rows[0].a", &["Bob".into()]);
        assert_eq!(sentence.unwrap(), "`rows[0].a`: what stands there is `Bob`, and not \"Ada\"");
    }

    #[test]
    fn what_cannot_be_compared_is_not_contradicted() {
        assert!(!against(json!("Ada"), &"x".repeat(CUT_OFF)));
        assert!(!against(json!("Ada"), " "));
        assert_eq!(contradiction(&Map::new(), &json!({"a": 1}), "b", &["2".into()]), None);
    }
}
