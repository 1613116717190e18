//! The referee bench: right and subtly wrong end states, judged by the contract alone, by judges of known error alone,
//! and by both. A pass that is none is the one error that must not happen; every figure comes with its exact interval.

mod cases;
mod frames;
mod judges;
mod made;
mod report;
mod sites;

use std::path::Path;

use anyhow::{Context, Result};
use surehand_referee::fusion::{Accept, ContractFinding, JudgeFinding, fuse};
use surehand_referee::judge::{JudgeCase, judge};
use surehand_referee::{Contract, Evidence, Grounds, JudgeSettings, NoProbes, Shot, examine};
use surehand_types::referee::CheckResult;
use surehand_types::result::FinalVerdict;

use self::cases::Case;
use self::frames::LabelledFrame;
use self::judges::JUDGES;
pub(crate) use self::made::make as make_frames;
pub(crate) use self::report::RefereeReport;
use crate::controller::Setup;

/// What the contract said about one case, and what is true of it.
#[derive(Debug)]
struct Judged {
    case: Case,
    contract: ContractFinding,
    /// By the order of `JUDGES`.
    judges: Vec<JudgeFinding>,
}

pub(crate) async fn measure(setup: &Setup, more_frames: Option<&Path>) -> Result<RefereeReport> {
    let mut frames = frames::load(&frames::own_folder())?;
    if let Some(folder) = more_frames {
        frames.extend(frames::load(folder)?);
    }
    eprintln!("bench: referee, {} labelled frames", frames.len());
    let mut report = RefereeReport::default();
    let mut judged = Vec::new();
    for (number, frame) in frames.iter().enumerate() {
        report.reading.add(frame)?;
        judged.extend(judge_frame(frame).await?);
        if (number + 1) % 12 == 0 {
            eprintln!("bench: {} of {} frames", number + 1, frames.len());
        }
    }
    report.count("screenshots of sequencers", &judged);
    let sites = sites::judge_states(setup).await?;
    eprintln!("bench: referee, {} end states of sites", sites.len());
    report.count("end states of web sites", &sites);
    Ok(report)
}

/// All cases of one frame. They are checks of one contract, so that the picture is read once; each counts as a
/// contract of its own.
async fn judge_frame(frame: &LabelledFrame) -> Result<Vec<Judged>> {
    let cases = cases::of_frame(frame);
    if cases.is_empty() {
        return Ok(Vec::new());
    }
    let checks: Vec<_> = cases.iter().map(|case| case.check.clone()).collect();
    let text = serde_json::json!({"id": "bench", "checks": checks, "authority": "pixels"}).to_string();
    let contract = Contract::read(&text, Path::new(".")).context("the bench's contract is not understood")?;
    let evidence = Evidence { shot: Some(Shot::from_pixels(frame.pixels.clone())), ..Evidence::default() };
    let report = examine(&contract, &evidence, &NoProbes).await;
    let mut judged = Vec::new();
    for (case, check) in cases.into_iter().zip(report.checks) {
        let contract = match check.result {
            CheckResult::Pass => ContractFinding::Pass(Grounds::PixelsDeclared),
            CheckResult::Fail => ContractFinding::Fail,
            CheckResult::Unknown => ContractFinding::Uncertain,
        };
        let shot = evidence.shot.as_ref();
        judged.push(Judged { judges: opinions(&case, shot).await, case, contract });
    }
    Ok(judged)
}

async fn opinions(case: &Case, shot: Option<&Shot>) -> Vec<JudgeFinding> {
    let mut findings = Vec::new();
    for scripted in JUDGES {
        let model = scripted.about(case);
        let question = JudgeCase { task: &case.id, contract: None, rubric: Some("the pattern is right"), shot };
        findings.push(judge(&model, question, &JudgeSettings::default()).await.finding);
    }
    findings
}

/// The verdict of one arm about a case.
fn verdict(judged: &Judged, arm: Arm) -> FinalVerdict {
    match arm {
        Arm::Contract => fuse(judged.contract, JudgeFinding::NotAsked, Accept::Fused).verdict,
        Arm::Judge(index) => fuse(ContractFinding::NoContract, judged.judges[index], Accept::Judge).verdict,
        Arm::Fused(index) => fuse(judged.contract, judged.judges[index], Accept::Fused).verdict,
    }
}

#[derive(Debug, Clone, Copy)]
enum Arm {
    Contract,
    Judge(usize),
    Fused(usize),
}
