//! Rows of a database.

use serde_json::{Value, json};

use crate::contract::{Order, Sqlite, same, shortened};
use crate::finding::Finding;
use crate::probes::SqlAnswer;

/// Rows that are kept as evidence.
const KEPT: usize = 10;

pub(crate) fn expected(rule: &Sqlite) -> Value {
    let mut expected = json!({"sql": rule.sql});
    if let Some(rows) = &rule.rows {
        expected["rows"] = shortened(&json!(rows));
    }
    if let Some(count) = rule.row_count {
        expected["row_count"] = json!(count.in_words());
    }
    if rule.since_start.is_some() {
        expected["since_start"] = rule.since_start_words.clone();
    }
    expected
}

pub(crate) fn judge(rule: &Sqlite, answer: &SqlAnswer, start: Option<&Value>) -> Finding {
    let kept: Vec<&Vec<Value>> = answer.rows.iter().take(KEPT).collect();
    let observed = json!({"rows": shortened(&json!(kept)), "row_count": answer.rows.len()});
    if answer.cut {
        return Finding::unknown("too_many_rows", observed);
    }
    if let Some(count) = rule.row_count
        && !count.holds(answer.rows.len())
    {
        return Finding::fail("another_count", observed);
    }
    match &rule.rows {
        Some(rows) if !same_rows(rows, &answer.rows, rule.any_order) => return Finding::fail("other_rows", observed),
        _ => {}
    }
    let Some(since) = &rule.since_start else { return Finding::pass(observed) };
    let Some(start) = start else { return Finding::unknown("start_not_known", observed) };
    let now = Value::Array(answer.rows.iter().cloned().map(Value::Array).collect());
    match since.judge(&[start], &[&now]) {
        (true, difference) => Finding::pass(difference),
        (false, difference) => Finding::fail("another_change", difference),
    }
}

fn same_rows(wanted: &[Vec<Value>], found: &[Vec<Value>], any_order: bool) -> bool {
    let same_row = |a: &[Value], b: &[Value]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_cell(a, b));
    if wanted.len() != found.len() {
        return false;
    }
    if !any_order {
        return wanted.iter().zip(found).all(|(a, b)| same_row(a, b));
    }
    let mut left: Vec<&Vec<Value>> = found.iter().collect();
    wanted.iter().all(|row| match left.iter().position(|other| same_row(row, other)) {
        Some(at) => {
            left.swap_remove(at);
            true
        }
        None => false,
    })
}

/// SQLite has no booleans: it keeps them as 1 and 0.
fn same_cell(wanted: &Value, found: &Value) -> bool {
    match (wanted, found) {
        (Value::Bool(wanted), Value::Number(found)) => found.as_i64() == Some(i64::from(*wanted)),
        _ => same(wanted, found, Order::Counts),
    }
}
