//! Extracted rows on their way into the tables of the output.

use serde_json::Value;

use super::Machine;
use super::work::Note;
use crate::extraction::{self, Evidence};
use crate::limits;
use crate::plan::Collect;
use crate::problem::quoted;

impl Machine {
    /// Rebuilds what is known of the rows from the position.
    pub(super) fn index_rows(&mut self) {
        for (name, table) in self.plan.output.tables.iter() {
            let rows = self.position.table(name).iter();
            let keys = rows.filter_map(|row| key(row, &table.key)).collect();
            self.keys.insert(name.to_owned(), keys);
        }
    }

    /// Appends the rows of an extracted value, all or none. Rows that are there already are dropped.
    pub(super) fn collect(&mut self, collect: &Collect, value: &Value, evidence: &[Evidence]) -> Result<(), String> {
        let table = self.plan.output.tables.get(&collect.into).cloned().unwrap_or_default();
        let rows = rows_of(collect, value)?;
        for (place, row) in &rows {
            if !row.is_object() {
                return Err(format!("{place} is no row: a row has fields"));
            }
            if !table.key.is_empty() && key(row, &table.key).is_none() {
                return Err(format!("{place} has nothing in a field of its key ({})", quoted(&table.key.join(", "))));
            }
        }
        let kept = self.position.tables.entry(collect.into.clone()).or_default();
        let keys = self.keys.entry(collect.into.clone()).or_default();
        if kept.len().saturating_add(rows.len()) > limits::TABLE_ROWS {
            return Err(format!(
                "the table `{}` would have more than {} rows",
                quoted(&collect.into),
                limits::TABLE_ROWS
            ));
        }
        let found = rows.len();
        let before = kept.len();
        for (place, row) in rows {
            let fresh = match key(row, &table.key) {
                Some(key) => keys.insert(key),
                None => true,
            };
            if fresh {
                let to = format!("{}[{}]", collect.into, kept.len());
                self.position.evidence.extend(extraction::moved(evidence, &place, &to));
                kept.push(row.clone());
            }
        }
        let added = kept.len() - before;
        let step = self.step_ref();
        self.notes.push(Note::Collected { step, table: collect.into.clone(), added, dropped: found - added });
        Ok(())
    }
}

/// The rows and their places in the value.
fn rows_of<'v>(collect: &Collect, value: &'v Value) -> Result<Vec<(String, &'v Value)>, String> {
    let (place, rows) = match &collect.from {
        None => (String::new(), value),
        Some(field) => {
            let rows = value.get(field).ok_or_else(|| format!("there is no `{}` to collect", quoted(field)))?;
            (field.clone(), rows)
        }
    };
    match rows {
        Value::Array(list) => Ok(list.iter().enumerate().map(|(at, row)| (format!("{place}[{at}]"), row)).collect()),
        Value::Null => Ok(Vec::new()),
        one => Ok(vec![(place, one)]),
    }
}

/// Nothing where the table has no key, or the row lacks a part of it.
fn key(row: &Value, fields: &[String]) -> Option<String> {
    if fields.is_empty() {
        return None;
    }
    let parts: Option<Vec<&Value>> =
        fields.iter().map(|field| row.get(field).filter(|value| !value.is_null())).collect();
    serde_json::to_string(&parts?).ok()
}
