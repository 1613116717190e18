//! A table of the page, as data.

use serde_json::{Map, Value, json};

use super::answer::of_value;
use crate::contract::{Start, Table, shortened, shortened_text};
use crate::finding::Finding;
use crate::probes::{TableAnswer, TableFound};
use surehand_checks::csv::headings;

pub(crate) fn expected(rule: &Table) -> Value {
    let mut expected = json!({"selector": rule.selector});
    if let Some(count) = rule.row_count {
        expected["row_count"] = json!(count.in_words());
    }
    if let (Some(value), Some(expected)) = (&rule.value, expected.as_object_mut()) {
        expected.extend(value.expected());
    }
    expected
}

pub(crate) fn judge(rule: &Table, answer: &TableAnswer) -> Finding {
    let shown: Vec<&TableFound> = answer.tables.iter().filter(|table| table.visible).collect();
    if let Some(why) = &answer.incomplete {
        return Finding::unknown(format!("not_all_seen: {}", shortened_text(why)), Value::Null);
    }
    let table = match shown.as_slice() {
        [one] => one,
        [] => return Finding::fail("element_not_found", json!({"tables": 0, "hidden": answer.tables.len()})),
        several => return Finding::unknown("ambiguous_target", json!({"tables": several.len()})),
    };
    let rows = records(table);
    let observed = json!({"row_count": rows.len(), "columns": table.headings, "first": shortened(&json!(rows.iter().take(3).collect::<Vec<_>>()))});
    // A list that only draws what is in view may say how long it is; what is not drawn cannot be looked at.
    if let Some(total) = table.total
        && total > rows.len() as u64
    {
        let why = format!("not_all_seen: {} of {total} rows are in the page. hint: ask the server", rows.len());
        return Finding::unknown(why, observed);
    }
    if table.cut {
        return Finding::unknown("not_all_seen: the table is too long", observed);
    }
    if rule.row_count.is_some_and(|count| !count.holds(rows.len())) {
        return Finding::fail("another_count", observed);
    }
    let Some(value) = &rule.value else { return Finding::pass(observed) };
    let (met, seen) = value.judge(&Value::Array(rows), Start::NotKnown);
    of_value(met, json!({"value": seen, "columns": table.headings}))
}

fn records(table: &TableFound) -> Vec<Value> {
    let widest = table.rows.iter().map(Vec::len).max().unwrap_or_default().max(table.headings.len());
    let mut cells = table.headings.clone();
    cells.resize(widest, String::new());
    let names = headings(&cells);
    let record =
        |row: &Vec<Value>| Value::Object(names.iter().cloned().zip(row.iter().cloned()).collect::<Map<_, _>>());
    table.rows.iter().map(record).collect()
}
