//! The markers of a run's end: the referee's, and the sums of governor and memory.

use surehand_types::RunResult;
use surehand_types::result::{CheckVerdict, FinalVerdict, JudgeVerdict};

use super::{MarkerKind, Said};
use crate::report::judged::{check_title, check_tone, check_words, judge_words, verdict_in_words};
use crate::report::outcome::Tone;
use crate::report::words::clip_to;

const WORDS: usize = 400;

pub(super) fn markers(result: &RunResult) -> Vec<Said> {
    let mut all = Vec::new();
    let governor = result.governor;
    if governor.blocks + governor.retries > 0 {
        let words = format!("the governor refused {} calls and had {} tried again", governor.blocks, governor.retries);
        all.push(Said::new(MarkerKind::Governor, Tone::Unsure, words));
    }
    lessons(&mut all, result);
    referee(&mut all, result);
    all
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
