//! Family `referee_fusion`: contract and judge, each passed or not, through the product's own table. What the
//! cases call deterministic is a contract that may decide by itself.

use serde::Deserialize;
use serde_json::json;
use surehand_referee::Grounds;
use surehand_referee::fusion::{Accept, ContractFinding, JudgeFinding, fuse, fused_score};
use surehand_types::result::FinalVerdict;

use super::input;
use crate::{Case, Place, same};

#[derive(Deserialize)]
struct Input {
    deterministic: Party,
    judge: Option<Party>,
}

#[derive(Deserialize)]
struct Party {
    passed: bool,
    score: f64,
}

pub(super) fn run(case: &Case, _place: Place<'_>) -> Result<(), String> {
    let given: Input = input(&case.input)?;
    let contract =
        if given.deterministic.passed { ContractFinding::Pass(Grounds::AnotherChannel) } else { ContractFinding::Fail };
    let judge = match &given.judge {
        None => JudgeFinding::NotAsked,
        Some(judge) if judge.passed => JudgeFinding::Pass,
        Some(_) => JudgeFinding::Fail,
    };
    let fused = fuse(contract, judge, Accept::Fused);
    let judge_score = given.judge.as_ref().map(|judge| judge.score);
    let answer = json!({
        "eval_final_verdict": fused.verdict,
        "eval_passed": fused.verdict == FinalVerdict::Pass,
        "eval_score": fused_score(Some(given.deterministic.score), judge_score, fused.disagreement),
        "eval_disagreement": fused.disagreement,
        "eval_source": if given.judge.is_some() { "hybrid" } else { "deterministic" },
        "has_judge_disagreement_reason": fused.reason == Some("judge_disagreement"),
    });
    same(&case.expect, &answer)
}
