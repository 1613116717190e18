//! Family `labels_accuracy`: the reward of free-form predictions and the labels of trace steps.

use serde::Deserialize;
use serde_json::{Value, json};
use surehand_checks::after::labels::{TraceStep, label, world_model_accuracy};

use super::input;
use crate::{Case, Place, same};

#[derive(Deserialize)]
struct AccuracyInput {
    predicted: Option<String>,
    observed: Option<String>,
}

#[derive(Deserialize)]
struct LabelInput {
    step: Value,
}

pub(super) fn run(case: &Case, _place: Place<'_>) -> Result<(), String> {
    let answer = match case.kind.as_str() {
        "accuracy" => {
            let given: AccuracyInput = input(&case.input)?;
            let (predicted, observed) = (given.predicted.unwrap_or_default(), given.observed.unwrap_or_default());
            json!({ "reward": world_model_accuracy(&predicted, &observed) })
        }
        "label" => {
            let given: LabelInput = input(&case.input)?;
            let text = |name: &str| given.step.get(name).and_then(Value::as_str).unwrap_or_default();
            let step = TraceStep {
                success: given.step.get("success").and_then(Value::as_bool).unwrap_or(false),
                data: text("data"),
                observed_outcome: text("observed_outcome"),
            };
            let (label, reason) = label(&step);
            json!({ "label": label, "label_reason": reason })
        }
        kind => return Err(format!("kind {kind} is not known")),
    };
    same(&case.expect, &answer)
}
