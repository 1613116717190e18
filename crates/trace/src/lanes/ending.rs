//! The markers of a run's end: what broke it off, the sums of governor and memory, and the referee's.

use surehand_types::result::{CheckVerdict, FinalVerdict, JudgeVerdict};
use surehand_types::{RunResult, Termination};

use super::{MarkerKind, Said};
use crate::report::judged::{check_title, check_tone, check_words, judge_words, verdict_in_words};
use crate::report::outcome::{Tone, ended_for_a_target};
use crate::report::words::clip_to;
use crate::timeline::StepView;

const WORDS: usize = 400;

pub(super) fn markers(result: &RunResult, steps: &[StepView]) -> Vec<Said> {
    let mut all = Vec::new();
    broken_off(&mut all, result, steps);
    let governor = result.governor;
    if governor.blocks + governor.retries > 0 {
        let words = format!("the governor refused {} calls and had {} tried again", governor.blocks, governor.retries);
        all.push(Said::new(MarkerKind::Governor, Tone::Unsure, words));
    }
    lessons(&mut all, result);
    referee(&mut all, result);
    all
}

fn broken_off(all: &mut Vec<Said>, result: &RunResult, steps: &[StepView]) {
    let error = result.error.as_deref().map_or(String::new(), |error| format!(": {}", clip_to(error, WORDS)));
    match result.termination_reason {
        Termination::BrainError if ended_for_a_target(steps) => {
            all.push(Said::new(MarkerKind::MissingTarget, Tone::Bad, format!("the run could not go on{error}")));
        }
        Termination::BrainError => {
            all.push(Said::new(MarkerKind::BrainFailed, Tone::Bad, format!("the brain failed{error}")));
        }
        Termination::EnvError => {
            all.push(Said::new(MarkerKind::Happening, Tone::Bad, format!("the browser or desktop was lost{error}")));
        }
        // Told with the step that was one too many, in traces that know it.
        Termination::Loop if !steps.iter().any(|entry| entry.record.going_in_circles.is_some()) => {
            all.push(Said::new(MarkerKind::Loop, Tone::Bad, "the run was ended because it went in circles"));
        }
        _ => {}
    }
}

fn lessons(all: &mut Vec<Said>, result: &RunResult) {
    let sums = result.lessons;
    let counted: Vec<String> = [
        (sums.injected, "shown to the brain"),
        (sums.created, "made of this run"),
        (sums.promoted, "promoted"),
        (sums.suppressed, "put away"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, words)| format!("{count} {words}"))
    .collect();
    if !counted.is_empty() {
        all.push(Said::new(MarkerKind::Lessons, Tone::Neutral, format!("lessons: {}", counted.join(", "))));
    }
}

fn referee(all: &mut Vec<Said>, result: &RunResult) {
    let verdict = &result.verdict;
    if let Some(record) = &result.referee {
        for check in &record.checks {
            let words = clip_to(&format!("{}: {}", check_title(check), check_words(check)), WORDS);
            all.push(Said::new(MarkerKind::Check, check_tone(check.result), words));
        }
    }
    if let Some(contract) = verdict.contract {
        let (tone, words) = match contract {
            CheckVerdict::Pass => (Tone::Good, "the contract passed"),
            CheckVerdict::Fail => (Tone::Bad, "the contract failed"),
            CheckVerdict::Uncertain => (Tone::Unsure, "the contract could not be decided"),
        };
        all.push(Said::new(MarkerKind::Contract, tone, words));
    }
    if let Some(judge) = verdict.judge {
        let (tone, words) = match judge {
            JudgeVerdict::Pass => (Tone::Good, "the visual judge says yes"),
            JudgeVerdict::Fail => (Tone::Bad, "the visual judge says no"),
            JudgeVerdict::Unavailable => (Tone::Unsure, "the visual judge gave no usable answer"),
        };
        let more = result.referee.as_ref().and_then(|record| record.judge.as_ref()).map(judge_words);
        let words = more.map_or(words.to_string(), |more| clip_to(&format!("{words}: {more}"), WORDS));
        all.push(Said::new(MarkerKind::Judge, tone, words));
    }
    if verdict.disagreement {
        all.push(Said::new(MarkerKind::Disagreement, Tone::Unsure, "contract and judge do not agree"));
    }
    let (tone, words) = verdict_in_words(verdict.r#final);
    let reasons: Vec<String> = verdict.reasons.iter().take(4).map(|reason| reason.replace('_', " ")).collect();
    let words = match (verdict.r#final, reasons.is_empty()) {
        (FinalVerdict::Unjudged, _) => "nobody judged the outcome".to_string(),
        (_, true) => format!("final verdict: {words}"),
        (_, false) => clip_to(&format!("final verdict: {words} ({})", reasons.join(", ")), WORDS),
    };
    all.push(Said::new(MarkerKind::FinalVerdict, tone, words));
}
