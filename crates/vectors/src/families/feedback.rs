//! Family `feedback`: the sentence about what a step left behind.

use serde::Deserialize;
use serde_json::{Value, json};
use surehand_checks::action::Action;
use surehand_checks::after::feedback::{StepFacts, delta_feedback};

use super::input;
use crate::{Case, Place, same};

#[derive(Deserialize)]
struct Input {
    action: Action,
    #[serde(default)]
    info: Value,
    last_url: Option<String>,
    last_title: Option<String>,
}

pub(super) fn run(case: &Case, _place: Place<'_>) -> Result<(), String> {
    match case.kind.as_str() {
        "feedback" => {
            let given: Input = input(&case.input)?;
            let facts = StepFacts::from_info(&given.info);
            let (url, title) = (given.last_url.unwrap_or_default(), given.last_title.unwrap_or_default());
            same(&case.expect, &json!({ "feedback": delta_feedback(&given.action, &facts, &url, &title) }))
        }
        kind => Err(format!("kind {kind} is not known")),
    }
}
