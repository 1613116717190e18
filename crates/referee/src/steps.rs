//! The rule about rows of steps: which row is meant, what is missing in it, what should not be on. Pure, over
//! what was read; how well it was read is decided in `checks/grid.rs` before.

use regex::Regex;
use surehand_types::referee::CheckResult;
use surehand_types::ui::OnOff;

/// A row as far as the rule looks at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepRow {
    pub label: Option<String>,
    /// The state of step 1, 2, 3 …; steps beyond the end are not there, and therefore not known.
    pub steps: Vec<OnOff>,
}

#[derive(Debug, Clone)]
pub struct StepRule {
    pub target: Regex,
    pub required: Vec<u32>,
    pub forbidden: Vec<u32>,
}

/// What the rule finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepFinding {
    pub result: CheckResult,
    pub reason: &'static str,
    /// The place of the row among those given.
    pub row: Option<usize>,
    pub missing: Vec<u32>,
    pub forbidden_active: Vec<u32>,
    /// Steps that matter and could not be read.
    pub unknown: Vec<u32>,
}

/// Applies the rule. Several rows that match are ambiguous: nobody can say which one was meant.
pub fn judge_steps(rule: &StepRule, rows: &[StepRow]) -> StepFinding {
    let mut matching = rows
        .iter()
        .enumerate()
        .filter(|(_, row)| row.label.as_deref().is_some_and(|label| rule.target.is_match(label)));
    match (matching.next(), matching.next()) {
        (None, _) => StepFinding {
            result: CheckResult::Fail,
            reason: "row_not_found",
            row: None,
            missing: sorted(&rule.required),
            forbidden_active: Vec::new(),
            unknown: Vec::new(),
        },
        (Some(_), Some(_)) => StepFinding {
            result: CheckResult::Unknown,
            reason: "ambiguous_target",
            row: None,
            missing: Vec::new(),
            forbidden_active: Vec::new(),
            unknown: Vec::new(),
        },
        (Some((index, row)), None) => within_row(rule, index, row),
    }
}

fn within_row(rule: &StepRule, index: usize, row: &StepRow) -> StepFinding {
    let state = |step: &u32| {
        let place = (*step as usize).checked_sub(1);
        place.and_then(|place| row.steps.get(place)).copied().unwrap_or(OnOff::Unknown)
    };
    let with = |steps: &[u32], wanted: OnOff| -> Vec<u32> {
        sorted(steps).into_iter().filter(|step| state(step) == wanted).collect()
    };
    let missing = with(&rule.required, OnOff::Off);
    let forbidden_active = with(&rule.forbidden, OnOff::On);
    let mut unknown = with(&rule.required, OnOff::Unknown);
    unknown.extend(with(&rule.forbidden, OnOff::Unknown));
    unknown.sort_unstable();
    // One step that is surely wrong is enough, whatever the others are.
    let (result, reason) = if !missing.is_empty() {
        (CheckResult::Fail, "missing_steps")
    } else if !forbidden_active.is_empty() {
        (CheckResult::Fail, "forbidden_step_active")
    } else if !unknown.is_empty() {
        (CheckResult::Unknown, "unknown_steps")
    } else {
        (CheckResult::Pass, "as_expected")
    };
    StepFinding { result, reason, row: Some(index), missing, forbidden_active, unknown }
}

fn sorted(steps: &[u32]) -> Vec<u32> {
    let mut steps = steps.to_vec();
    steps.sort_unstable();
    steps.dedup();
    steps
}
