//! Family `done_gate`.

use serde::Deserialize;
use serde_json::json;
use surehand_checks::done::gate::{GateInput, GateRules, GateStep, GateVerdict, PlanProgress, judge};

use crate::{Case, Place};

#[derive(Deserialize, Default)]
#[serde(default)]
struct Input {
    summary: Option<String>,
    plan_steps: Option<i64>,
    plan_step_idx: Option<i64>,
    pending_form_labels: Option<Vec<String>>,
    required_summary_fields: Option<Vec<String>>,
    recent_actions: Option<Vec<String>>,
    recent_frame_hashes: Option<Vec<Option<String>>>,
    recent_urls: Option<Vec<Option<String>>>,
    wait_window: Option<usize>,
    progress_window: Option<usize>,
}

pub(super) fn run(case: &Case, _place: Place<'_>) -> Result<(), String> {
    if case.kind != "gate" {
        return Err(format!("kind {} is not known", case.kind));
    }
    let input: Input = super::input(&case.input)?;
    let whole = |number: Option<i64>| usize::try_from(number.unwrap_or_default()).unwrap_or_default();
    let required = input.required_summary_fields.clone().unwrap_or_default();
    let steps = steps(&input);
    let mut rules = GateRules::VECTORS;
    rules.wait_window = input.wait_window.unwrap_or(rules.wait_window);
    rules.progress_window = input.progress_window.unwrap_or(rules.progress_window);
    let verdict = judge(
        &GateInput {
            summary: input.summary.as_deref().unwrap_or_default(),
            plan: Some(PlanProgress {
                steps: whole(input.plan_steps),
                position: whole(input.plan_step_idx),
                completed: 0,
            }),
            outer_pending_form_labels: input.pending_form_labels.as_deref(),
            required_fields: &required,
            steps: &steps,
            ..GateInput::default()
        },
        &rules,
    );
    let answer = match verdict {
        GateVerdict::Accept => json!({ "accept": true, "reason": "", "detail": "" }),
        GateVerdict::Reject(rejection) => {
            json!({ "accept": false, "reason": rejection.reason.as_str(), "detail": rejection.detail })
        }
    };
    crate::same(&case.expect, &answer)
}

/// The lists may be of different lengths; they end with the same step.
fn steps(input: &Input) -> Vec<GateStep<'_>> {
    let actions = input.recent_actions.as_deref().unwrap_or_default();
    let hashes = input.recent_frame_hashes.as_deref().unwrap_or_default();
    let urls = input.recent_urls.as_deref().unwrap_or_default();
    let length = actions.len().max(hashes.len()).max(urls.len());
    let step = |back: usize| GateStep {
        action: nth_last(actions, back).map_or("", String::as_str),
        frame_hash: nth_last(hashes, back).and_then(Option::as_deref).unwrap_or_default(),
        url: nth_last(urls, back).map(|url| url.as_deref().unwrap_or_default()),
        ..GateStep::default()
    };
    (0..length).rev().map(step).collect()
}

fn nth_last<T>(list: &[T], back: usize) -> Option<&T> {
    list.iter().rev().nth(back)
}
