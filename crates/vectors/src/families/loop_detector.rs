//! Family `loop_detector`.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use surehand_checks::action::Action;
use surehand_checks::after::loops::detector::{
    DetectorRules, Sample, adaptive_window, click_tolerance, loop_in, signs,
};

use crate::{Case, Place};

#[derive(Deserialize)]
struct LoopInput {
    click_tol_px: Option<i64>,
    samples: Vec<SampleInput>,
    windows: Vec<usize>,
}

#[derive(Deserialize)]
struct SampleInput {
    action: Action,
    #[serde(default)]
    url: Option<String>,
    #[serde(default)]
    frame_hash: Option<String>,
}

#[derive(Deserialize)]
struct ToleranceInput {
    viewport: Option<(f64, f64)>,
}

pub(super) fn run(case: &Case, _place: Place<'_>) -> Result<(), String> {
    let answer = match case.kind.as_str() {
        "loop" => windows(super::input(&case.input)?),
        "click_tol" => {
            let input: ToleranceInput = super::input(&case.input)?;
            let (width, height) = input.viewport.unwrap_or_default();
            json!({ "click_tol_px": click_tolerance(width, height) })
        }
        kind => return Err(format!("kind {kind} is not known")),
    };
    crate::same(&case.expect, &answer)
}

fn windows(input: LoopInput) -> Value {
    let mut rules = DetectorRules::VECTORS;
    rules.click_tolerance = input.click_tol_px.unwrap_or(rules.click_tolerance);
    let samples: Vec<Sample> = input
        .samples
        .into_iter()
        .map(|sample| Sample {
            action: sample.action,
            url: sample.url.unwrap_or_default(),
            frame_hash: sample.frame_hash.unwrap_or_default(),
            ..Sample::default()
        })
        .collect();
    let one = |window: usize| {
        let signs = signs(&samples, window, &rules);
        json!({
            "repeat": signs.repeat,
            "drift": signs.drift,
            "state": signs.state,
            "any": signs.any(),
            "diversity": signs.diversity,
            "progressed": signs.progressed,
            "adaptive_window": adaptive_window(window, &signs, samples.len()),
            "any_adaptive": loop_in(&samples, window, &rules).is_some(),
        })
    };
    Value::Object(input.windows.into_iter().map(|window| (window.to_string(), one(window))).collect::<Map<_, _>>())
}
