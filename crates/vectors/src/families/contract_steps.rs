//! Family `contract_steps`: which row is meant, what is missing in it, what should not be on.

use serde::Deserialize;
use serde_json::json;
use surehand_referee::steps::{StepRow, StepRule, judge_steps};
use surehand_types::referee::CheckResult;
use surehand_types::ui::OnOff;

use super::input;
use crate::{Case, Place, same};

/// The rows of the cases say what is on. All else is off, as far as the rule asks.
const STEPS: u32 = 64;

#[derive(Deserialize)]
struct Input {
    contract: Contract,
    state: State,
}

#[derive(Deserialize)]
struct Contract {
    target_row_regex: String,
    #[serde(default)]
    required_steps: Vec<u32>,
    #[serde(default = "sixteen")]
    steps: u32,
    #[serde(default)]
    forbidden_steps: Forbidden,
}

fn sixteen() -> u32 {
    16
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Forbidden {
    Steps(Vec<u32>),
    Others(String),
}

impl Default for Forbidden {
    fn default() -> Self {
        Forbidden::Steps(Vec::new())
    }
}

#[derive(Deserialize)]
struct State {
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    label: Option<String>,
    active_steps: Vec<u32>,
    #[serde(default)]
    unknown_steps: Vec<u32>,
}

pub(super) fn run(case: &Case, _place: Place<'_>) -> Result<(), String> {
    let given: Input = input(&case.input)?;
    let target = regex::Regex::new(&given.contract.target_row_regex).map_err(|error| error.to_string())?;
    let required = given.contract.required_steps;
    let forbidden = match given.contract.forbidden_steps {
        Forbidden::Steps(steps) => steps,
        Forbidden::Others(word) if word == "others" => {
            (1..=given.contract.steps).filter(|step| !required.contains(step)).collect()
        }
        Forbidden::Others(word) => return Err(format!("forbidden_steps {word} is not known")),
    };
    let rule = StepRule { target, required, forbidden };
    let rows: Vec<StepRow> = given.state.rows.iter().map(row).collect();
    let found = judge_steps(&rule, &rows);
    let verdict = match found.result {
        CheckResult::Pass => "pass",
        CheckResult::Fail => "fail",
        CheckResult::Unknown => "uncertain",
    };
    let label = found.row.and_then(|index| rows.get(index)).and_then(|row| row.label.clone());
    let answer = json!({
        "verdict": verdict, "row": label, "missing_steps": found.missing, "forbidden_active": found.forbidden_active,
    });
    same(&case.expect, &answer)
}

fn row(row: &Row) -> StepRow {
    let state = |step: u32| {
        if row.unknown_steps.contains(&step) { OnOff::Unknown } else { OnOff::of(row.active_steps.contains(&step)) }
    };
    StepRow { label: row.label.clone(), steps: (1..=STEPS).map(state).collect() }
}
