//! Family `judge_reply_parse`: a judge's raw reply as two values, numbers clamped, steps from 1 to 16.

use serde::Deserialize;
use serde_json::json;
use surehand_referee::judge::TwoValuedReply;

use super::input;
use crate::{Case, Place, same};

#[derive(Deserialize)]
struct Input {
    raw: String,
}

pub(super) fn run(case: &Case, _place: Place<'_>) -> Result<(), String> {
    let given: Input = input(&case.input)?;
    let reply = TwoValuedReply::read(&given.raw);
    let answer = json!({
        "passed": reply.passed, "score": reply.score, "confidence": reply.confidence, "reasons": reply.reasons,
        "observed_active_steps": reply.observed_active_steps,
    });
    same(&case.expect, &answer)
}
