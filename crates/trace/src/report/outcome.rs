//! What a person should take away from a run as a whole: a headline and a sentence for every way
//! a run can end. Honest about claims: "done" alone is never called a success.

use schemars::JsonSchema;
use serde::Serialize;
use surehand_types::plan::{PlanStatus, PlanSummary, except_given_up};
use surehand_types::result::FinalVerdict;
use surehand_types::{RunResult, Termination};

use super::facts::steps_in_words;
use super::spent::{SpentOn, problem_of, sentence, spent_on};
use super::words::clip_to;
use crate::timeline::{StepView, Timeline};

/// How good or bad something is, so that each view can mark it in its own way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    Good,
    Bad,
    Unsure,
    Neutral,
}

/// The outcome of a run in a headline and one explaining sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    pub tone: Tone,
    pub headline: String,
    pub detail: String,
}

/// What a person should take away from the run as a whole.
pub fn outcome_in_words(timeline: &Timeline) -> Outcome {
    let Some(result) = &timeline.ended else {
        return if timeline.still_running {
            outcome(Tone::Neutral, "The run is still going", "This shows what has been recorded so far.")
        } else {
            outcome(
                Tone::Bad,
                "The run was interrupted",
                "Its process stopped without writing an end, for example because it was killed or the machine went down. Everything recorded up to that moment is shown.",
            )
        };
    };
    match result.verdict.r#final {
        FinalVerdict::Pass => outcome(
            Tone::Good,
            "The outcome was checked and is right",
            verdict_detail(result, "Parties other than the brain confirmed that the task was achieved."),
        ),
        FinalVerdict::Fail => outcome(
            Tone::Bad,
            "The outcome was checked and is wrong",
            verdict_detail(result, "Parties other than the brain found that the task was not achieved."),
        ),
        FinalVerdict::Uncertain => outcome(
            Tone::Unsure,
            "The outcome was checked, but it stays uncertain",
            verdict_detail(result, "There was not enough evidence to say whether the task was achieved."),
        ),
        FinalVerdict::Unjudged => unjudged(result, &timeline.entries),
    }
}

/// A plan's end is the work of its own checks, not a brain's claim. One that was stopped is told like any run.
fn of_plan(plan: &PlanSummary, error: Option<&str>) -> Option<Outcome> {
    let at = plan.step.as_deref().map(|step| format!(" at step {}", clip_to(step, 80))).unwrap_or_default();
    match plan.status {
        PlanStatus::Done => {
            let headline = match plan.skipped {
                0 => "The plan came to its end, and its steps hold by their own conditions".into(),
                some => format!("The plan came to its end, {}", except_given_up(some)),
            };
            let others = if plan.skipped > 0 { "Everything else holds by its own conditions. " } else { "" };
            let detail =
                format!("{others}Beside the plan's own conditions nobody has judged the outcome; a contract would.");
            Some(outcome(Tone::Unsure, &headline, detail))
        }
        PlanStatus::Failed => Some(outcome(Tone::Bad, &format!("The plan failed{at}"), error.unwrap_or_default())),
        PlanStatus::OutOfBudget => {
            Some(outcome(Tone::Bad, &format!("The plan used up its budget{at}"), error.unwrap_or_default()))
        }
        PlanStatus::Unfinished => None,
    }
}

fn unjudged(result: &RunResult, entries: &[StepView]) -> Outcome {
    let steps = steps_in_words(result.steps);
    let error = result.error.as_deref().map(|error| sentence(&clip_to(error, 400)));
    let because = |sentence: &str| match &error {
        Some(error) => format!("{sentence} {error}"),
        None => sentence.to_string(),
    };
    if let Some(told) = result.plan.as_ref().and_then(|plan| of_plan(plan, error.as_deref())) {
        return told;
    }
    match result.termination_reason {
        Termination::Done => outcome(
            Tone::Unsure,
            "The brain said it was done; nobody has checked the outcome yet",
            "A claim is not a proof. Look at the last frames, or give the run a contract that checks them.",
        ),
        Termination::DoneFailed => outcome(
            Tone::Bad,
            "The brain gave up on the task",
            "It ended the run itself and reported that the task was not achieved.",
        ),
        Termination::DoneUnverified => outcome(
            Tone::Unsure,
            "The brain said it was done, but the claim did not hold up",
            because("Its \"done\" was not accepted, so the outcome is uncertain."),
        ),
        Termination::EnvDone => outcome(
            if result.success { Tone::Good } else { Tone::Bad },
            if result.success {
                "The environment reported success"
            } else {
                "The environment ended the run without success"
            },
            because("The environment itself decided that the run was over."),
        ),
        Termination::MaxSteps => outcome(
            Tone::Bad,
            "The run used up its steps",
            because(&format!("It ended after {steps} without the brain saying it was done.")),
        ),
        Termination::Loop => outcome(
            Tone::Bad,
            "The run was stopped because it went in circles",
            because("The same things were tried over and over without any progress."),
        ),
        Termination::Budget => outcome(
            Tone::Bad,
            "The run used up its budget",
            because(&format!("It ended after {steps} because the cost limit was reached.")),
        ),
        Termination::Timeout => outcome(
            Tone::Bad,
            "The run ran out of time",
            because(&format!("It ended after {steps} because the time limit was reached.")),
        ),
        Termination::Paused => outcome(Tone::Neutral, "The run is paused", because("It waits to be continued.")),
        Termination::Cancelled => outcome(
            Tone::Neutral,
            "The run was cancelled",
            because(&format!("A person or program stopped it after {steps}.")),
        ),
        // What broke is told where everything is that went wrong.
        Termination::BrainError => match entries.last().filter(|_| ended_for_a_target(entries)) {
            Some(last) => outcome(
                Tone::Bad,
                &format!("A target was not found: {}", problem_of(&last.record, 160)),
                "The run could not continue: what the brain asked for is not there, or cannot be told from others.",
            ),
            None => outcome(
                Tone::Bad,
                "The brain stopped working",
                "The run could not continue because the brain failed or gave no usable reply.",
            ),
        },
        Termination::EnvError => outcome(
            Tone::Bad,
            "The browser or desktop stopped working",
            "The run could not continue because its environment was lost.",
        ),
    }
}

/// The brain was given up for asking for something that is not there, over and over.
pub(crate) fn ended_for_a_target(entries: &[StepView]) -> bool {
    entries.last().is_some_and(|entry| spent_on(&entry.record) == Some(SpentOn::MissingTarget))
}

fn outcome(tone: Tone, headline: &str, detail: impl Into<String>) -> Outcome {
    Outcome { tone, headline: headline.to_string(), detail: detail.into() }
}

fn verdict_detail(result: &RunResult, sentence: &str) -> String {
    let mut detail = sentence.to_string();
    // Most reasons are codes; together they are one sentence. Those of single checks are told with their checks.
    let of_all = result.verdict.reasons.iter().filter(|reason| !reason.starts_with("checks["));
    let reasons: Vec<String> = of_all.take(3).map(|reason| clip_to(&reason.replace('_', " "), 200)).collect();
    if !reasons.is_empty() {
        detail.push_str(&format!(" Reason: {}.", reasons.join("; ").trim_end_matches('.')));
    }
    if result.verdict.disagreement {
        detail.push_str(" The parties did not agree with each other.");
    }
    detail
}
