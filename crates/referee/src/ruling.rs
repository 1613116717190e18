//! Puts the parties together: contract, judge, table. The brain's own word is carried through to the verdict and
//! looked at by nobody here.

use serde_json::{Value, json};
use surehand_types::Verdict;
use surehand_types::referee::{CheckResult, RefereeRecord};
use surehand_types::result::{FinalVerdict, SelfReport};
use surehand_types::vision::VisionModel;

use crate::contract::Contract;
use crate::evidence::Evidence;
use crate::examine::{ContractReport, Crop, Grounds, examine};
use crate::fusion::{Accept, ContractFinding, JudgeFinding, fuse, fused_score};
use crate::judge::{JudgeCase, JudgeReport, JudgeSettings, judge};
use crate::probes::Probes;

/// Everything that a verdict is made from.
#[derive(Clone)]
pub struct Case<'a> {
    pub task: &'a str,
    pub contract: Option<&'a Contract>,
    pub evidence: &'a Evidence,
    pub probes: &'a dyn Probes,
    pub judge: Option<Judging<'a>>,
    pub accept: Accept,
    /// For the verdict's own field.
    pub self_report: Option<SelfReport>,
}

/// A judge to ask.
#[derive(Clone)]
pub struct Judging<'a> {
    pub model: &'a dyn VisionModel,
    pub settings: JudgeSettings,
    /// Written before the run, where the contract has none.
    pub rubric: Option<String>,
}

impl std::fmt::Debug for Judging<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Judging").field("model", &self.model.name()).field("settings", &self.settings).finish()
    }
}

impl std::fmt::Debug for Case<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Case").field("task", &self.task).field("contract", &self.contract.map(Contract::id)).finish()
    }
}

/// The verdict, what it stands on, and the pictures that belong to it.
#[derive(Debug, Clone)]
pub struct Ruling {
    pub verdict: Verdict,
    pub record: RefereeRecord,
    pub crops: Vec<Crop>,
}

/// Judges a run, or a picture. Never fails and never hangs: what cannot be found out is uncertain.
pub async fn rule(case: Case<'_>) -> Ruling {
    let contract = match case.contract {
        Some(contract) => Some(examine(contract, case.evidence, case.probes).await),
        None => None,
    };
    let judged = match &case.judge {
        Some(judging) => {
            let question = JudgeCase {
                task: case.task,
                contract: case.contract,
                rubric: judging.rubric.as_deref(),
                shot: case.evidence.shot.as_ref(),
            };
            Some(judge(judging.model, question, &judging.settings).await)
        }
        None => None,
    };
    let mut ruling = decide(contract, judged, case.accept, case.self_report);
    if case.contract.is_some_and(|contract| !contract.matches_task(case.task)) {
        ruling.record.warnings.push("the contract's `task_match` does not fit this task".into());
    }
    ruling
}

/// The verdict of what the two parties found.
pub fn decide(
    contract: Option<ContractReport>,
    judged: Option<JudgeReport>,
    accept: Accept,
    self_report: Option<SelfReport>,
) -> Ruling {
    let result = contract.as_ref().and_then(|report| report.result);
    let grounds = contract.as_ref().map_or(Grounds::PixelsOnly, |report| report.grounds);
    let said = judged.as_ref().map_or(JudgeFinding::NotAsked, |report| report.finding);
    let fused = fuse(ContractFinding::of(result, grounds), said, accept);
    let mut reasons: Vec<String> = fused.reason.into_iter().map(str::to_owned).collect();
    if let Some(report) = &contract {
        let failed = report.checks.iter().filter(|check| check.required && check.result == CheckResult::Fail);
        reasons.extend(report.reasons.iter().cloned());
        reasons.extend(failed.map(|check| format!("checks[{}]: {}", check.index, check.reason)));
    }
    reasons.extend(judged.as_ref().and_then(|report| report.record.problem.clone()));
    reasons.dedup();
    let verdict = Verdict {
        self_report,
        contract: result,
        judge: said.verdict(),
        r#final: fused.verdict,
        reasons,
        disagreement: fused.disagreement,
    };
    let contract_score = contract.as_ref().and_then(|report| report.score);
    let judge_score = judged.as_ref().and_then(|report| report.record.judge_score);
    let record = RefereeRecord {
        contract: contract.as_ref().map(ContractReport::record),
        frame: None,
        channels: contract.as_ref().map(|report| report.channels.clone()).unwrap_or_default(),
        warnings: contract.as_ref().map(|report| report.warnings.clone()).unwrap_or_default(),
        eval_final_verdict: fused.verdict,
        eval_score: fused_score(contract_score, judge_score, fused.disagreement),
        eval_disagreement: fused.disagreement,
        judge: judged.map(|report| report.record),
        checks: contract.as_ref().map(|report| report.checks.clone()).unwrap_or_default(),
    };
    Ruling { verdict, record, crops: contract.map(|report| report.crops).unwrap_or_default() }
}

impl Ruling {
    /// The answer of `surehand judge --json`.
    pub fn to_wire(&self) -> Value {
        let record = &self.record;
        json!({
            "contract": record.contract.as_ref().map(|contract| &contract.id),
            "contract_sha256": record.contract.as_ref().map(|contract| &contract.sha256),
            "contract_result": self.verdict.contract,
            "judge_result": self.verdict.judge,
            "final": self.verdict.r#final,
            "reasons": self.verdict.reasons,
            "disagreement": self.verdict.disagreement,
            "checks": record.checks,
            "judge": record.judge,
            "channels": record.channels,
            "warnings": record.warnings,
        })
    }

    /// 0, 1 or 3, for `surehand judge`. Nothing to judge by is uncertain there.
    pub fn exit_code(&self) -> i32 {
        match self.verdict.r#final {
            FinalVerdict::Pass => 0,
            FinalVerdict::Fail => 1,
            FinalVerdict::Uncertain | FinalVerdict::Unjudged => 3,
        }
    }
}

#[cfg(test)]
mod tests;
