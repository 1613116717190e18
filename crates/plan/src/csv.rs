//! Collected rows as CSV (RFC 4180): commas, CRLF, quotes where they are needed.

use std::collections::HashSet;

use serde_json::Value;

/// What becomes of texts that a spreadsheet would run as a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Formulas {
    /// A `'` is put in front of texts that begin with `=`, `+`, `-`, `@`, a tab or a return, unless they are plain
    /// numbers. Data of a page is not to be trusted, so this is the default.
    #[default]
    Defuse,
    /// Every text as it is.
    Keep,
}

/// The rows below their headings. Without `columns`, the fields in the order in which they come up.
pub fn write(rows: &[Value], columns: &[String], formulas: Formulas) -> String {
    let columns: Vec<String> = if columns.is_empty() { fields_of(rows) } else { columns.to_vec() };
    let mut text = String::new();
    line(&mut text, columns.iter().map(|name| defused(name.clone(), formulas)));
    for row in rows {
        line(&mut text, columns.iter().map(|name| cell(row.get(name), formulas)));
    }
    text
}

fn fields_of(rows: &[Value]) -> Vec<String> {
    let mut known = HashSet::new();
    let names = rows.iter().filter_map(Value::as_object).flat_map(|row| row.keys());
    names.filter(|name| known.insert((*name).clone())).cloned().collect()
}

fn cell(value: Option<&Value>, formulas: Formulas) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => defused(text.clone(), formulas),
        // Numbers and truths are no formulas; lists and objects begin with a bracket.
        Some(other) => other.to_string(),
    }
}

fn defused(text: String, formulas: Formulas) -> String {
    let risky = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let number = text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b)) && text.parse::<f64>().is_ok();
    if formulas == Formulas::Defuse && risky && !number { format!("'{text}") } else { text }
}

fn line(text: &mut String, cells: impl Iterator<Item = String>) {
    let cells: Vec<String> = cells.map(quoted_where_needed).collect();
    // A line of one empty cell would read as no line at all.
    match cells.as_slice() {
        [only] if only.is_empty() => text.push_str("\"\""),
        cells => text.push_str(&cells.join(",")),
    }
    text.push_str("\r\n");
}

fn quoted_where_needed(cell: String) -> String {
    let edge = |c: Option<char>| c.is_some_and(char::is_whitespace);
    // Semicolons and tabs too: readers guess the separator from the first line.
    let needs =
        cell.contains([',', '"', '\r', '\n', ';', '\t']) || edge(cell.chars().next()) || edge(cell.chars().last());
    if needs { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;
    use surehand_checks::csv::lists;

    #[test]
    fn rows_become_lines() {
        let rows =
            [json!({"a": "x,y", "b": 1}), json!({"b": null, "c": "say \"hi\"\n"}), json!({"a": [1, {}], "b": true})];
        assert_eq!(
            write(&rows, &[], Formulas::Keep),
            "a,b,c\r\n\"x,y\",1,\r\n,,\"say \"\"hi\"\"\n\"\r\n\"[1,{}]\",true,\r\n"
        );
        assert_eq!(write(&rows, &["b".into()], Formulas::Keep), "b\r\n1\r\n\"\"\r\ntrue\r\n");
        assert_eq!(write(&[], &[], Formulas::Keep), "\r\n");
    }

    #[test]
    fn formulas_are_defused_and_numbers_are_not() {
        let check = |text: &str, expected: &str| assert_eq!(defused(text.into(), Formulas::Defuse), expected);
        check("=HYPERLINK(\"x\")", "'=HYPERLINK(\"x\")");
        check("@SUM(A1)", "'@SUM(A1)");
        check("+49 170", "'+49 170");
        check("-1+cmd|x", "'-1+cmd|x");
        check("\tx", "'\tx");
        check("-5.20", "-5.20");
        check("plain = text", "plain = text");
        check("-inf", "'-inf");
        assert_eq!(write(&[json!({"=a": -5})], &[], Formulas::Defuse), "'=a\r\n-5\r\n");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(cells in prop::collection::vec(prop::collection::vec(prop::collection::vec(any::<char>(), 0..8), 2), 1..6)) {
            let cells: Vec<Vec<String>> = cells.into_iter().map(|row| row.into_iter().map(|cell| cell.into_iter().collect()).collect()).collect();
            let rows: Vec<Value> = cells.iter().map(|row| json!({"a": row[0], "b": row[1]})).collect();
            let mut expected = vec![vec!["a".to_string(), "b".to_string()]];
            expected.extend(cells);
            prop_assert_eq!(lists(&write(&rows, &[], Formulas::Keep)).unwrap(), json!(expected));
        }
    }
}
