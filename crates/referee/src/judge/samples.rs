//! Several answers of one judge become one finding: they have to be unanimous, sure, and free of contradiction.

use surehand_types::referee::JudgeRecord;
use surehand_types::ui::OnOff;

use super::reply::JudgeReply;
use super::{JudgeSettings, StepNumbers, Unreadable};
use crate::contract::{Contract, GridRow, Kind};
use crate::fusion::{JudgeFinding, rounded};

/// One answer, weighed.
#[derive(Debug, Clone)]
pub(super) struct Opinion {
    pub(super) reply: Option<JudgeReply>,
    pub(super) finding: JudgeFinding,
    pub(super) problem: Option<String>,
}

impl Opinion {
    pub(super) fn of(answer: Result<String, String>, contract: Option<&Contract>, settings: &JudgeSettings) -> Opinion {
        let nothing =
            |problem: String| Opinion { reply: None, finding: JudgeFinding::Unavailable, problem: Some(problem) };
        let reply = match answer {
            Ok(text) => match JudgeReply::read(&text, last_step(contract, settings.steps)) {
                Ok(reply) => reply,
                Err(problem) => {
                    let finding = match settings.unreadable {
                        Unreadable::Unavailable => JudgeFinding::Unavailable,
                        Unreadable::NotPassed => JudgeFinding::Fail,
                    };
                    return Opinion { finding, ..nothing(problem.into()) };
                }
            },
            Err(problem) => return nothing(problem),
        };
        let contradiction =
            reply.contradiction().or_else(|| reply.passed.then(|| against_contract(&reply, contract)).flatten());
        let (finding, problem) = match contradiction {
            Some(code) if reply.passed => (JudgeFinding::Contradictory, Some(code)),
            // A fail that takes itself back is no fail, and no pass either.
            Some(code) => (JudgeFinding::Unavailable, Some(code)),
            None if !reply.passed => (JudgeFinding::Fail, None),
            None if reply.confidence < settings.confidence_floor => (JudgeFinding::BelowFloor, Some("below_the_floor")),
            None if reply.requirements.not_seen > 0 => (JudgeFinding::BelowFloor, Some("not_all_seen")),
            None => (JudgeFinding::Pass, None),
        };
        Opinion { reply: Some(reply), finding, problem: problem.map(Into::into) }
    }

    pub(super) fn could_agree(&self) -> bool {
        matches!(self.finding, JudgeFinding::Pass | JudgeFinding::Fail)
    }
}

/// What all answers say together; fills in the numbers of the record.
pub(super) fn agree(opinions: &[Opinion], wanted: u32, record: &mut JudgeRecord) -> JudgeFinding {
    let replies: Vec<&JudgeReply> = opinions.iter().filter_map(|opinion| opinion.reply.as_ref()).collect();
    if !replies.is_empty() {
        let sum: f64 = replies.iter().map(|reply| reply.score).sum();
        record.judge_score = Some(rounded(sum / replies.len() as f64, 3));
        record.judge_confidence = replies.iter().map(|reply| reply.confidence).reduce(f64::min);
        for reason in replies.iter().flat_map(|reply| &reply.reasons) {
            if record.judge_reasons.len() < 8 && !record.judge_reasons.contains(reason) {
                record.judge_reasons.push(reason.clone());
            }
        }
    }
    let all = |finding: JudgeFinding| {
        opinions.len() >= wanted.max(1) as usize && opinions.iter().all(|opinion| opinion.finding == finding)
    };
    if all(JudgeFinding::Pass) {
        return JudgeFinding::Pass;
    }
    if all(JudgeFinding::Fail) {
        return JudgeFinding::Fail;
    }
    let problem = opinions.iter().find_map(|opinion| opinion.problem.clone());
    // Where an answer had nothing wrong with it, it was another answer that said the opposite.
    let problem = problem.or_else(|| (!opinions.is_empty()).then(|| "samples_disagree".to_owned()));
    record.problem = record.problem.take().or(problem);
    let has = |finding: JudgeFinding| opinions.iter().any(|opinion| opinion.finding == finding);
    if has(JudgeFinding::Fail) || has(JudgeFinding::Unavailable) {
        JudgeFinding::Unavailable
    } else if has(JudgeFinding::Contradictory) {
        JudgeFinding::Contradictory
    } else if has(JudgeFinding::BelowFloor) {
        JudgeFinding::BelowFloor
    } else {
        JudgeFinding::Unavailable
    }
}

/// Whether the steps that a pass says it saw are not what the contract asks for. Only where there is one row it
/// can be about.
fn against_contract(reply: &JudgeReply, contract: Option<&Contract>) -> Option<&'static str> {
    let seen = reply.active_steps.as_ref()?;
    let mut rows = contract?.checks.iter().filter(|check| check.required).filter_map(|check| match &check.kind {
        Kind::GridRow(row) => Some(row),
        _ => None,
    });
    let (row, others) = (rows.next()?, rows.next());
    if others.is_some() || row.enabled == Some(OnOff::Off) {
        return None;
    }
    violates(row, seen).then_some("observed_steps_violate_the_contract")
}

fn violates(row: &GridRow, seen: &[u32]) -> bool {
    let beyond = row.steps.is_some_and(|steps| seen.iter().any(|step| *step > steps));
    let missing = row.required.iter().any(|step| !seen.contains(step));
    beyond || missing || row.forbidden.iter().any(|step| seen.contains(step))
}

/// The highest step that an answer may name.
fn last_step(contract: Option<&Contract>, numbers: StepNumbers) -> u32 {
    /// Where no contract says how many there are.
    const MOST_STEPS: u32 = 512;
    match numbers {
        StepNumbers::OneToSixteen => 16,
        StepNumbers::Contract => {
            let checks = contract.iter().flat_map(|contract| &contract.checks);
            let rows = checks.filter_map(|check| if let Kind::GridRow(row) = &check.kind { row.steps } else { None });
            rows.max().unwrap_or(MOST_STEPS)
        }
    }
}
