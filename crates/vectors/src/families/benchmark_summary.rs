//! Family `benchmark_summary`: many runs in numbers.

use serde::Deserialize;
use surehand_referee::summary::{RunOutcome, summarize};
use surehand_types::result::FinalVerdict;

use super::input;
use crate::{Case, Place, same};

#[derive(Deserialize)]
struct Input {
    runs: Vec<Run>,
}

#[derive(Deserialize)]
struct Run {
    eval_final_verdict: Option<String>,
    eval_score: Option<f64>,
    steps: Option<u32>,
    tool_errors: Option<u32>,
    eval_disagreement: Option<bool>,
}

pub(super) fn run(case: &Case, _place: Place<'_>) -> Result<(), String> {
    let given: Input = input(&case.input)?;
    let runs: Vec<RunOutcome> = given.runs.iter().map(outcome).collect();
    let answer = serde_json::to_value(summarize(&runs)).map_err(|error| error.to_string())?;
    same(&case.expect, &answer)
}

fn outcome(run: &Run) -> RunOutcome {
    RunOutcome {
        verdict: match run.eval_final_verdict.as_deref() {
            Some("pass") => FinalVerdict::Pass,
            Some("fail") => FinalVerdict::Fail,
            Some("uncertain") => FinalVerdict::Uncertain,
            _ => FinalVerdict::Unjudged,
        },
        score: run.eval_score.unwrap_or(0.0),
        steps: run.steps.unwrap_or(0),
        tool_errors: run.tool_errors.unwrap_or(0),
        disagreement: run.eval_disagreement.unwrap_or(false),
        truth: None,
    }
}
