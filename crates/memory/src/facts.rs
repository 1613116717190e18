//! A run as memory sees it: what was attempted, what came of it, and what the referee made of the whole. Read off a
//! result, which is raw facts; nothing a brain says about itself counts here.

mod attempt;
mod class;
mod spot;

use jiff::Timestamp;
use surehand_types::Termination;
use surehand_types::referee::CheckResult;
use surehand_types::result::{CheckVerdict, FinalVerdict, JudgeVerdict, RunResult};

pub use attempt::{Attempt, Came, Target};
pub use class::ActionClass;
pub use spot::Spot;

use crate::lesson::SourceRun;

/// A check has to be this sure of what it saw.
const SURE: f64 = 0.8;
/// Texts of pages that are kept for comparing with what a model says.
const PAGE_TEXTS: usize = 300;

#[derive(Debug, Clone, PartialEq)]
pub struct RunFacts {
    pub run: String,
    pub task: String,
    /// Of the first page, or of the application.
    pub origin: String,
    pub started_at: Option<Timestamp>,
    pub verdict: FinalVerdict,
    /// A fail stands on more than one reading of a picture, and on a run that was not broken off by its set-up.
    pub strong: bool,
    /// The brain called it done, rightly or not.
    pub called_done: bool,
    pub disagreement: bool,
    pub failed_checks: Vec<FailedCheck>,
    /// 0 to 1, where a referee gave one.
    pub score: Option<f64>,
    pub contract: Option<String>,
    pub steps: u32,
    pub attempts: Vec<Attempt>,
    /// What pages showed: names, titles. Never a source of rules.
    pub page_texts: Vec<String>,
}

/// A required check of the contract that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedCheck {
    pub kind: String,
    pub name: Option<String>,
    /// The code alone.
    pub reason: String,
}

impl RunFacts {
    pub fn of(result: &RunResult) -> RunFacts {
        let application = result.toggles.get("app").map(String::as_str);
        let first = result.start_url.as_deref();
        let mut place = origin_of(first, application);
        let mut attempts = Vec::new();
        let mut page_texts = Vec::new();
        for record in &result.trajectory {
            if let Some(attempt) = Attempt::of(record, &place) {
                attempts.push(attempt);
            }
            if record.observed.url.is_some() {
                place = origin_of(record.observed.url.as_deref(), application);
            }
            let hit = record.hit.as_ref().and_then(|hit| hit.name.clone());
            page_texts.extend(hit.into_iter().chain(record.observed.title.clone()));
        }
        page_texts.sort();
        page_texts.dedup();
        page_texts.truncate(PAGE_TEXTS);
        let origin = match first {
            Some(_) => origin_of(first, application),
            None => attempts.first().map_or(place, |attempt| attempt.origin.clone()),
        };
        let referee = result.referee.as_ref();
        RunFacts {
            run: result.run_id.clone(),
            task: result.task.clone(),
            origin,
            started_at: result.started_at.parse().ok(),
            verdict: result.verdict.r#final,
            strong: is_strong(result),
            called_done: matches!(result.termination_reason, Termination::Done | Termination::DoneUnverified),
            disagreement: result.verdict.disagreement || referee.is_some_and(|record| record.eval_disagreement),
            failed_checks: failed_checks(result),
            score: referee.and_then(|record| record.eval_score),
            contract: referee.and_then(|record| record.contract.as_ref()).map(|contract| contract.id.clone()),
            steps: result.steps,
            attempts,
            page_texts,
        }
    }

    /// How this run stands as a source of lessons.
    pub fn source(&self) -> SourceRun {
        SourceRun { run: self.run.clone(), verdict: self.verdict, strong: self.strong }
    }

    pub fn is_decided(&self) -> bool {
        self.source().is_decided()
    }
}

/// Host and port of a page, or the application's name; empty where neither is known.
pub fn origin_of(url: Option<&str>, application: Option<&str>) -> String {
    let parsed = url.and_then(|url| url::Url::parse(url).ok());
    if let Some(host) = parsed.as_ref().and_then(url::Url::host_str) {
        let host = host.to_lowercase();
        let host = host.strip_prefix("www.").unwrap_or(&host);
        let port = parsed.as_ref().and_then(url::Url::port).map(|port| format!(":{port}"));
        return format!("{host}{}", port.unwrap_or_default());
    }
    let name = application.unwrap_or_default().trim().to_lowercase();
    let name: String = name.rsplit(['/', '\\']).next().unwrap_or_default().chars().take(60).collect();
    if name.is_empty() { String::new() } else { format!("app:{name}") }
}

/// A fail that contract and judge agree on, or that a sure check beside the picture found.
fn is_strong(result: &RunResult) -> bool {
    if result.verdict.r#final != FinalVerdict::Fail || result.verdict.contract != Some(CheckVerdict::Fail) {
        return false;
    }
    // A browser that died or a brain that could not be asked says nothing about how the task is done.
    if matches!(result.termination_reason, Termination::EnvError | Termination::BrainError) {
        return false;
    }
    let sure = result.referee.iter().flat_map(|record| &record.checks).any(|check| {
        check.required
            && check.result == CheckResult::Fail
            && check.channel.is_beside_pixels()
            && check.confidence >= SURE
    });
    sure || result.verdict.judge == Some(JudgeVerdict::Fail)
}

fn failed_checks(result: &RunResult) -> Vec<FailedCheck> {
    let checks = result.referee.iter().flat_map(|record| &record.checks);
    checks
        .filter(|check| check.required && check.result == CheckResult::Fail)
        .map(|check| FailedCheck {
            kind: check.r#type.clone(),
            name: check.name.clone(),
            reason: check.reason.split(':').next().unwrap_or_default().to_string(),
        })
        .collect()
}
