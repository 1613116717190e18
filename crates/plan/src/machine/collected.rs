//! What was collected, apart from the rest of a position: it only grows, so whoever keeps positions need not write it anew
//! each time.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::position::Position;
use crate::extraction::Evidence;

/// One thing that was collected.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Collected {
    Row {
        table: String,
        row: Value,
    },
    /// Where a field of a row was seen.
    Seen(Evidence),
}

/// How much was collected at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Amount {
    rows: BTreeMap<String, usize>,
    evidence: usize,
}

impl Position {
    /// The rest.
    pub fn without_collected(&self) -> Position {
        Position {
            tables: self.tables.keys().map(|name| (name.clone(), Vec::new())).collect(),
            evidence: Vec::new(),
            plan: self.plan.clone(),
            inputs: self.inputs.clone(),
            levels: self.levels.clone(),
            variables: self.variables.clone(),
            unfilled: self.unfilled.clone(),
            last_url: self.last_url.clone(),
            ended: self.ended.clone(),
            ..*self
        }
    }

    pub fn amount(&self) -> Amount {
        let rows = self.tables.iter().map(|(name, rows)| (name.clone(), rows.len())).collect();
        Amount { rows, evidence: self.evidence.len() }
    }

    /// What came after that moment.
    pub fn collected_since(&self, before: &Amount) -> Vec<Collected> {
        let rows = self.tables.iter().flat_map(|(name, rows)| {
            let known = before.rows.get(name).copied().unwrap_or_default();
            rows.iter().skip(known).map(|row| Collected::Row { table: name.clone(), row: row.clone() })
        });
        let evidence = self.evidence.iter().skip(before.evidence).cloned().map(Collected::Seen);
        rows.chain(evidence).collect()
    }

    /// Puts back what was kept apart.
    pub fn put_back(&mut self, collected: Collected) {
        match collected {
            Collected::Row { table, row } => self.tables.entry(table).or_default().push(row),
            Collected::Seen(evidence) => self.evidence.push(evidence),
        }
    }
}
