//! The visual judge: a model that is shown the task, a rubric and the last picture, and nothing of the run. It is
//! asked more than once, and only an answer that it repeats counts. Start reading at `judge`.

mod questions;
mod reply;
mod samples;

use std::time::Duration;

use surehand_types::Settings;
use surehand_types::referee::{JudgeRecord, JudgeSample, RubricSource};
use surehand_types::result::JudgeVerdict;
use surehand_types::vision::{VisionFailure, VisionImage, VisionModel, VisionRequest};

pub use reply::{JudgeReply, Requirements, TwoValuedReply};

use crate::contract::Contract;
use crate::evidence::Shot;
use crate::fusion::JudgeFinding;
use samples::Opinion;

/// A model is given a moment beyond its deadline to say so itself.
const GRACE: Duration = Duration::from_secs(2);

/// How a judge is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgeSettings {
    /// How often the same question is asked; all answers have to agree.
    pub samples: u32,
    /// A pass that is less sure than this does not count.
    pub confidence_floor: f64,
    /// For one question.
    pub deadline: Duration,
    pub steps: StepNumbers,
    pub unreadable: Unreadable,
}

/// Which step numbers an answer may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StepNumbers {
    /// As many as the contract's rows have.
    #[default]
    Contract,
    OneToSixteen,
}

/// What an answer that cannot be read counts as. Neither is a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unreadable {
    #[default]
    Unavailable,
    NotPassed,
}

impl JudgeSettings {
    pub fn of(settings: &Settings) -> JudgeSettings {
        JudgeSettings {
            samples: u32::try_from(settings.integer("judge_samples")).unwrap_or(2).max(1),
            confidence_floor: settings.number("judge_confidence_floor"),
            deadline: settings.duration("judge_timeout"),
            steps: match settings.text("judge_steps") {
                "one_to_sixteen" => StepNumbers::OneToSixteen,
                _ => StepNumbers::Contract,
            },
            unreadable: match settings.text("judge_unparseable") {
                "not_passed" => Unreadable::NotPassed,
                _ => Unreadable::Unavailable,
            },
        }
    }
}

impl Default for JudgeSettings {
    fn default() -> JudgeSettings {
        JudgeSettings {
            samples: 2,
            confidence_floor: 0.6,
            deadline: Duration::from_secs(60),
            steps: StepNumbers::default(),
            unreadable: Unreadable::default(),
        }
    }
}

/// What is judged.
#[derive(Debug, Clone, Copy)]
pub struct JudgeCase<'a> {
    pub task: &'a str,
    /// Brings rubric, reference pictures, and facts that a reply can contradict.
    pub contract: Option<&'a Contract>,
    /// Written from the task before the run, see `write_rubric`; the contract's goes first. Without either, one
    /// is written now.
    pub rubric: Option<&'a str>,
    pub shot: Option<&'a Shot>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct JudgeReport {
    pub finding: JudgeFinding,
    pub record: JudgeRecord,
}

/// Asks the judge. It always answers in time, and whatever goes wrong is `Unavailable`.
pub async fn judge(model: &dyn VisionModel, case: JudgeCase<'_>, settings: &JudgeSettings) -> JudgeReport {
    let mut record = JudgeRecord {
        judge_model: model.name().to_owned(),
        judge_result: JudgeVerdict::Unavailable,
        judge_score: None,
        judge_confidence: None,
        judge_reasons: Vec::new(),
        problem: None,
        samples: Vec::new(),
        rubric: String::new(),
        rubric_source: RubricSource::Task,
        references: 0,
        cost: 0.0,
    };
    let opinions = match prepare(model, case, settings, &mut record).await {
        Ok((rubric, images)) => ask_all(model, case, settings, &rubric, images, &mut record).await,
        Err(problem) => {
            record.problem = Some(problem);
            Vec::new()
        }
    };
    let finding = samples::agree(&opinions, settings.samples, &mut record);
    record.judge_result = finding.verdict().unwrap_or(JudgeVerdict::Unavailable);
    JudgeReport { finding, record }
}

/// A rubric from the task alone. Ask for it before the run begins, so that it cannot know the run.
pub async fn write_rubric(model: &dyn VisionModel, task: &str, deadline: Duration) -> Result<String, String> {
    let mut cost = 0.0;
    rubric_from_task(model, task, deadline, &mut cost).await
}

async fn prepare(
    model: &dyn VisionModel,
    case: JudgeCase<'_>,
    settings: &JudgeSettings,
    record: &mut JudgeRecord,
) -> Result<(String, Vec<VisionImage>), String> {
    let shot = case.shot.ok_or("no_frame")?;
    if shot.stale {
        return Err("stale_frame".into());
    }
    let mut images = vec![questions::picture("final", &shot.pixels)?];
    if let Some(contract) = case.contract {
        let references = questions::references(contract)?;
        record.references = references.len() as u32;
        images.extend(references);
    }
    let (rubric, source) = match (case.contract.and_then(Contract::rubric), case.rubric) {
        (Some(rubric), _) => (rubric.to_owned(), RubricSource::Contract),
        (None, Some(rubric)) => (rubric.to_owned(), RubricSource::Task),
        (None, None) => {
            (rubric_from_task(model, case.task, settings.deadline, &mut record.cost).await?, RubricSource::Task)
        }
    };
    record.rubric = rubric.clone();
    record.rubric_source = source;
    Ok((rubric, images))
}

async fn ask_all(
    model: &dyn VisionModel,
    case: JudgeCase<'_>,
    settings: &JudgeSettings,
    rubric: &str,
    images: Vec<VisionImage>,
    record: &mut JudgeRecord,
) -> Vec<Opinion> {
    let mut opinions = Vec::new();
    for number in 0..settings.samples.max(1) {
        let request = VisionRequest {
            system: questions::JUDGE_SYSTEM.to_owned(),
            prompt: questions::question(case.task, rubric, number),
            images: images.clone(),
            deadline: settings.deadline,
        };
        let answer = ask(model, &request, &mut record.cost).await;
        let opinion = Opinion::of(answer, case.contract, settings);
        record.samples.push(sample_of(&opinion));
        let lost = !opinion.could_agree();
        opinions.push(opinion);
        // All have to agree, so one that cannot makes the others a waste of money.
        if lost {
            break;
        }
    }
    opinions
}

fn sample_of(opinion: &Opinion) -> JudgeSample {
    let reply = opinion.reply.as_ref();
    JudgeSample {
        passed: reply.map(|reply| reply.passed),
        score: reply.map(|reply| reply.score),
        confidence: reply.map(|reply| reply.confidence),
        observed: reply.and_then(|reply| reply.observed.as_ref()).map(crate::contract::shortened),
        problem: opinion.problem.clone(),
    }
}

async fn ask(model: &dyn VisionModel, request: &VisionRequest, cost: &mut f64) -> Result<String, String> {
    match tokio::time::timeout(request.deadline + GRACE, model.ask(request)).await {
        Ok(Ok(reply)) => {
            *cost += reply.cost;
            Ok(reply.text)
        }
        Ok(Err(VisionFailure::Deadline)) | Err(_) => Err("judge_timeout".into()),
        Ok(Err(VisionFailure::Refused(why))) => {
            Err(format!("judge_refused: {}", crate::contract::shortened_text(&why)))
        }
        Ok(Err(VisionFailure::Transport(why))) => {
            Err(format!("judge_unreachable: {}", crate::contract::shortened_text(&why)))
        }
    }
}

async fn rubric_from_task(
    model: &dyn VisionModel,
    task: &str,
    deadline: Duration,
    cost: &mut f64,
) -> Result<String, String> {
    let request = VisionRequest {
        system: questions::RUBRIC_SYSTEM.to_owned(),
        prompt: questions::task_block(task),
        images: Vec::new(),
        deadline,
    };
    let rubric = ask(model, &request, cost).await.map_err(|why| format!("no_rubric: {why}"))?;
    let rubric = questions::bounded(rubric.trim(), questions::LONGEST_RUBRIC);
    if rubric.is_empty() { Err("no_rubric: the answer was empty".into()) } else { Ok(rubric) }
}

#[cfg(test)]
pub(crate) mod tests;
