//! Family `perceptual_classifier`: which actions are high-risk.

use serde::Deserialize;
use serde_json::json;
use surehand_checks::action::Action;
use surehand_checks::after::high_risk::{HighRiskRules, is_high_risk};

use super::input;
use crate::{Case, Place, same};

#[derive(Deserialize)]
struct Input {
    action: Action,
    thinking: Option<String>,
    task: Option<String>,
}

pub(super) fn run(case: &Case, _place: Place<'_>) -> Result<(), String> {
    match case.kind.as_str() {
        "key" | "click_reasoning" | "click_thinking" | "click_task" | "other" => {
            let given: Input = input(&case.input)?;
            let thought = given.thinking.unwrap_or_default();
            let task = given.task.unwrap_or_default();
            let high_risk = is_high_risk(&given.action, &thought, &task, HighRiskRules::VECTORS);
            same(&case.expect, &json!({ "high_risk": high_risk }))
        }
        kind => Err(format!("kind {kind} is not known")),
    }
}
