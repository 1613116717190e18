//! Rows of cells in the picture. The rule itself is in `steps.rs`; here is when a row counts as read at all.

use serde_json::{Value, json};
use surehand_types::referee::CheckResult;
use surehand_types::ui::{OnOff, UiRow, UiState};

use super::near::Nearness;
use super::{READ_FLOOR, STATE_FLOOR};
use crate::contract::GridRow;
use crate::evidence::MissingRow;
use crate::finding::Finding;
use crate::steps::{StepFinding, StepRow, StepRule, judge_steps};

pub(crate) fn expected(rule: &GridRow) -> Value {
    json!({"row": rule.target.as_str(), "steps": rule.steps, "required_steps": rule.required,
           "forbidden_steps": rule.forbidden, "row_enabled": rule.enabled})
}

pub(crate) fn judge(rule: &GridRow, state: &UiState, missing: MissingRow) -> Finding {
    let rows: Vec<StepRow> = state.rows.iter().map(steps_of).collect();
    let steps =
        StepRule { target: rule.target.clone(), required: rule.required.clone(), forbidden: rule.forbidden.clone() };
    let found = judge_steps(&steps, &rows);
    match (found.reason, found.row.and_then(|index| state.rows.get(index))) {
        ("row_not_found", _) => no_row(rule, state, missing),
        ("ambiguous_target", _) => {
            let labels = matching(rule, state).map(|row| row.label.clone().unwrap_or_default());
            Finding::unknown("ambiguous_target", json!({"rows": labels.collect::<Vec<_>>()}))
        }
        (_, Some(row)) => one_row(rule, row, &found),
        (_, None) => Finding::unknown("row_not_found", Value::Null),
    }
}

fn matching<'a>(rule: &'a GridRow, state: &'a UiState) -> impl Iterator<Item = &'a UiRow> {
    state.rows.iter().filter(|row| row.label.as_deref().is_some_and(|label| rule.target.is_match(label)))
}

/// That a row is not there is known only if every row was read.
fn no_row(rule: &GridRow, state: &UiState, missing: MissingRow) -> Finding {
    let labels: Vec<&str> = state.rows.iter().map(|row| row.label.as_deref().unwrap_or("?")).collect();
    let observed = json!({"row": null, "labels": labels, "notes": state.notes});
    if missing == MissingRow::Fail {
        return Finding::fail("row_not_found", observed);
    }
    if state.rows.is_empty() {
        return Finding::unknown("no_rows_read", observed);
    }
    let unread = |row: &UiRow| row.label.is_none() || row.label_conf < READ_FLOOR || row.conf < READ_FLOOR;
    if state.rows.iter().any(unread) {
        return Finding::unknown("unread_rows", observed);
    }
    let nearness = Nearness::of(rule.target.as_str());
    if let Some(label) = labels.iter().find(|label| nearness.is_near(label)) {
        return Finding::unknown(format!("perhaps_misread: {label}"), observed);
    }
    let confidence = state.rows.iter().map(|row| row.label_conf.min(row.conf)).fold(1.0, f64::min);
    Finding::fail("row_not_found", observed).sure(confidence)
}

fn one_row(rule: &GridRow, row: &UiRow, found: &StepFinding) -> Finding {
    let active: Vec<u32> = row.cells.iter().filter(|cell| seen(cell) == OnOff::On).map(|cell| cell.index).collect();
    let observed = json!({"row": row.label, "enabled": row.enabled, "cells": row.cells.len(), "active_steps": active,
                          "missing_steps": found.missing, "forbidden_active": found.forbidden_active,
                          "unknown_steps": found.unknown});
    let at = |finding: Finding| finding.at(row.bbox);
    if row.label_conf < READ_FLOOR {
        return at(Finding::unknown("label_not_read_with_confidence", observed));
    }
    if row.conf < STATE_FLOOR {
        return at(Finding::unknown("row_not_read_with_confidence", observed));
    }
    let count = row.cells.len() as u32;
    let numbered = row.cells.iter().zip(1..).all(|(cell, number)| cell.index == number);
    if !numbered || rule.steps.is_some_and(|steps| steps != count) {
        return at(Finding::unknown("column_count_differs", observed));
    }
    // A part that is covered shifts what the rest is called.
    if row.complete != OnOff::On {
        return at(Finding::unknown("row_not_all_in_view", observed));
    }
    let asked = rule.required.iter().chain(&rule.forbidden);
    let sureness = |step: &u32| row.cells.get(step.saturating_sub(1) as usize).map_or(0.0, |cell| cell.conf);
    let confidence = asked.map(sureness).fold(row.label_conf.min(row.conf), f64::min);
    let finding = match (found.result, rule.enabled) {
        (CheckResult::Fail, _) => {
            // A fail stands on the steps that are wrong, however badly the others were seen.
            let wrong = found.missing.iter().chain(&found.forbidden_active);
            let sure = wrong.map(sureness).fold(row.label_conf.min(row.conf), f64::min);
            return at(Finding::fail(found.reason, observed).sure(sure));
        }
        (_, Some(wanted)) if row.enabled != OnOff::Unknown && row.enabled != wanted => {
            Finding::fail("row_enabled_differs", observed)
        }
        (CheckResult::Unknown, _) => Finding::unknown(found.reason, observed),
        (CheckResult::Pass, Some(_)) if row.enabled == OnOff::Unknown => {
            Finding::unknown("row_enabled_not_known", observed)
        }
        (CheckResult::Pass, _) => Finding::pass(observed),
    };
    at(if finding.result == CheckResult::Unknown { finding } else { finding.sure(confidence) })
}

fn steps_of(row: &UiRow) -> StepRow {
    StepRow { label: row.label.clone(), steps: row.cells.iter().map(seen).collect() }
}

fn seen(cell: &surehand_types::ui::UiCell) -> OnOff {
    if cell.conf < STATE_FLOOR { OnOff::Unknown } else { cell.state }
}
