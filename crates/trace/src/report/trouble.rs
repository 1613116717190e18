//! Where a run went wrong, in a few plain sentences for the head of a report: what was found to be false, what did
//! nothing, what was refused, what broke. Nothing here is a guess about why.

use schemars::JsonSchema;
use serde::Serialize;
use surehand_types::referee::{CheckEvidence, CheckResult};
use surehand_types::result::{ConfirmAnswer, FinalVerdict, JudgeVerdict};
use surehand_types::{EffectStatus, RunResult, StepRecord, Termination};

use super::judged::{check_words_within, place_in_words};
use super::outcome::ended_for_a_target;
use super::policy::{by_in_words, loop_in_words};
use super::spent::{SpentOn, problem_of, sentence, spent_on};
use super::words::{call_in_words, clip_to};
use crate::timeline::{Completion, StepView, Timeline};

/// More would no longer be read. Checks that failed have room of their own: none of them may hide another.
const SENTENCES: usize = 4;
const CHECKS: usize = 4;
/// Names of checks beyond these, told in one sentence.
const NAMES: usize = 12;

/// One thing that went wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Trouble {
    /// Where to look; `null` where it belongs to no step.
    pub step: Option<u32>,
    pub words: String,
}

/// Most telling first. Empty for runs that are under way, that nobody found fault with, or that passed.
pub fn what_went_wrong(timeline: &Timeline) -> Vec<Trouble> {
    let steps = &timeline.entries;
    if timeline.still_running {
        return Vec::new();
    }
    if let Some(result) = timeline.ended.as_ref().filter(|result| is_fine(result)) {
        // What was forbidden on the way to a claim that nobody checked is all there is to say against it.
        let unchecked = result.verdict.r#final == FinalVerdict::Unjudged;
        return not_allowed(steps).filter(|_| unchecked).into_iter().collect();
    }
    let result = timeline.ended.as_ref();
    let checks: Vec<Trouble> = result.into_iter().flat_map(failed_checks).collect();
    let mut found: Vec<Trouble> = Vec::new();
    found.extend(result.and_then(judge));
    found.extend(cut_off(steps));
    found.extend(result.and_then(|result| broken_off(result, steps)));
    found.extend(missing_target(steps));
    let failed = failed_call(steps);
    let at_the_end = failed.as_ref().is_some_and(|one| one.step == steps.last().map(|entry| entry.record.step));
    found.extend(failed.clone().filter(|_| at_the_end));
    // A run that ended for going in circles went wrong by that.
    let ended_by_loop = result.is_some_and(|result| result.termination_reason == Termination::Loop);
    found.extend(circles(steps).filter(|_| ended_by_loop));
    found.extend(not_allowed(steps));
    found.extend(dead_action(steps));
    found.extend(only_shown(steps));
    found.extend(refused_done(steps));
    found.extend(circles(steps).filter(|_| !ended_by_loop));
    found.extend(failed.filter(|_| !at_the_end));
    // The weakest sign: only where there is little else, and a step that did nothing brought nothing anyway.
    let missed = not_as_foretold(steps).filter(|missed| found.iter().all(|one| one.step != missed.step));
    found.extend(missed.filter(|_| checks.len() + found.len() < 2));
    // The error of a run whose done was refused is that refusal.
    let refused = steps.iter().any(|entry| entry.record.done_rejected_reason.is_some());
    found.extend(result.and_then(last_error).filter(|_| !refused));
    if found.is_empty() && checks.is_empty() {
        found.extend(last_change(steps));
    }
    found.truncate(SENTENCES);
    checks.into_iter().chain(found).collect()
}

/// A claim that nobody checked is no fault; the headline says what it is worth.
fn is_fine(result: &RunResult) -> bool {
    match (result.verdict.r#final, result.termination_reason) {
        (FinalVerdict::Pass, _) => true,
        (FinalVerdict::Unjudged, Termination::Done | Termination::Paused) => true,
        (FinalVerdict::Unjudged, Termination::EnvDone) => result.success,
        _ => false,
    }
}

/// The required checks that failed, and for a verdict that stays open those that could not be decided.
fn failed_checks(result: &RunResult) -> Vec<Trouble> {
    let checks = result.referee.iter().flat_map(|record| &record.checks).filter(|check| check.required);
    let open = result.verdict.r#final == FinalVerdict::Uncertain;
    let failed = checks.clone().filter(|check| check.result == CheckResult::Fail).map(|check| (check, "failed"));
    let undecided = checks.filter(|check| open && check.result == CheckResult::Unknown);
    let all: Vec<(&CheckEvidence, &str)> =
        failed.chain(undecided.map(|check| (check, "could not be decided"))).collect();
    let mut found: Vec<Trouble> = all.iter().take(CHECKS).map(|(check, verdict)| told(check, verdict)).collect();
    if let Some((_, rest)) = all.split_at_checked(CHECKS).filter(|(_, rest)| !rest.is_empty()) {
        let names: Vec<String> = rest.iter().take(NAMES).map(|(check, _)| named(check)).collect();
        let more = if rest.len() > NAMES { ", …" } else { "" };
        let count = rest.len();
        let words = format!("So it went with {count} more: {}{more}", names.join(", "));
        found.push(Trouble { step: None, words: sentence(&words) });
    }
    found
}

fn named(check: &CheckEvidence) -> String {
    format!("\u{201c}{}\u{201d}", clip_to(check.name.as_ref().unwrap_or(&check.r#type), 80))
}

fn told(check: &CheckEvidence, verdict: &str) -> Trouble {
    let (place, words) = (place_in_words(check.channel), check_words_within(check, 130));
    Trouble { step: None, words: sentence(&format!("The check {} {place} {verdict}: {words}", named(check))) }
}

fn judge(result: &RunResult) -> Option<Trouble> {
    let record = result.referee.as_ref()?.judge.as_ref()?;
    if record.judge_result != JudgeVerdict::Fail {
        return None;
    }
    let reason = record.judge_reasons.first().map_or(String::new(), |reason| format!(": {}", clip_to(reason, 200)));
    Some(Trouble { step: None, words: sentence(&format!("The visual judge says that the task was not done{reason}")) })
}

fn cut_off(steps: &[StepView]) -> Option<Trouble> {
    let entry = steps.last().filter(|entry| entry.completion == Completion::CutOff)?;
    Some(about(entry, "was under way when the process stopped; whether it took effect is not known"))
}

/// What ended the run from outside: its brain or its environment.
fn broken_off(result: &RunResult, steps: &[StepView]) -> Option<Trouble> {
    let what = match result.termination_reason {
        // A target that is not there is told with its step.
        Termination::BrainError if !ended_for_a_target(steps) => "the brain failed",
        Termination::EnvError => "the browser or desktop was lost",
        _ => return None,
    };
    let error = result.error.as_deref().filter(|error| !error.trim().is_empty());
    let error = error.map_or(String::new(), |error| format!(": {}", clip_to(error, 300)));
    let last = steps.last().map(|entry| entry.record.step);
    let words = match last {
        Some(step) => format!("After step {step} {what}, which ended the run{error}"),
        None => format!("Before the first step {what}, which ended the run{error}"),
    };
    Some(Trouble { step: last, words: sentence(&words) })
}

/// The first step that was spent on something that is not there.
fn missing_target(steps: &[StepView]) -> Option<Trouble> {
    let mut spent = steps.iter().filter(|entry| spent_on(&entry.record) == Some(SpentOn::MissingTarget));
    let first = spent.next()?;
    let others = match spent.count() {
        0 => String::new(),
        1 => "; nor did another step".into(),
        more => format!("; nor did {more} other steps"),
    };
    Some(about(first, &format!("did not find its target: {}{others}", problem_of(&first.record, 240))))
}

/// The first action that did nothing and was not made good later; any, if all were.
fn dead_action(steps: &[StepView]) -> Option<Trouble> {
    // Scrolling at the end of a page does nothing, and means nothing.
    let is_dead =
        |record: &StepRecord| status(record) == Some(EffectStatus::NoEffect) && action(record) != Some("scroll");
    let dead: Vec<(usize, &StepView)> = steps.iter().enumerate().filter(|(_, entry)| is_dead(&entry.record)).collect();
    let made_good = |at: usize, entry: &StepView| {
        steps[at + 1..].iter().any(|later| {
            same_target(&entry.record, &later.record) && status(&later.record) == Some(EffectStatus::Confirmed)
        })
    };
    let (_, first) = dead.iter().find(|(at, entry)| !made_good(*at, entry)).or(dead.first())?;
    let covered = first.record.hit.as_ref().and_then(|hit| {
        let below = hit.covers.as_ref()?;
        Some(format!(": {} lay over {}", clip_to(&hit.descriptor, 60), clip_to(&below.descriptor, 60)))
    });
    let others = match dead.len() - 1 {
        0 => String::new(),
        1 => "; so did another step".into(),
        more => format!("; so did {more} other steps"),
    };
    Some(about(first, &format!("did nothing{}{others}", covered.unwrap_or_default())))
}

/// A click that was shown first and never confirmed: the brain may believe that it was done.
fn only_shown(steps: &[StepView]) -> Option<Trouble> {
    let shown = |entry: &StepView| entry.record.guard.as_ref().is_some_and(|guard| guard.decision == "preview");
    let went_through = |at: usize| {
        // Confirmed by the next call, by the word for it or by the same call once more.
        steps.get(at + 1).is_some_and(|next| status(&next.record).is_some_and(|status| status != EffectStatus::Refused))
            && (is_confirm(&steps[at + 1].record) || same_target(&steps[at].record, &steps[at + 1].record))
    };
    let dropped: Vec<&StepView> =
        (0..steps.len()).filter(|at| shown(&steps[*at]) && !went_through(*at)).map(|at| &steps[at]).collect();
    let others = match dropped.len() {
        0 | 1 => String::new(),
        count => format!("; the same goes for {} more", count - 1),
    };
    Some(about(dropped.first()?, &format!("was shown first and never confirmed, so it was not done{others}")))
}

fn is_confirm(record: &StepRecord) -> bool {
    action(record) == Some("confirm")
}

fn action(record: &StepRecord) -> Option<&str> {
    record.call.as_ref()?.get("action")?.as_str()
}

/// Covered things count by what was meant to be hit.
fn same_target(a: &StepRecord, b: &StepRecord) -> bool {
    let target = |record: &StepRecord| {
        let hit = record.hit.as_ref()?;
        Some(hit.covers.as_ref().map_or(&hit.descriptor, |below| &below.descriptor).clone())
    };
    match (target(a), target(b)) {
        (Some(a), Some(b)) => a == b,
        _ => a.call.is_some() && a.call == b.call,
    }
}

fn refused_done(steps: &[StepView]) -> Option<Trouble> {
    let refused: Vec<&StepView> = steps.iter().filter(|entry| entry.record.done_rejected_reason.is_some()).collect();
    let last = refused.last()?;
    let reason = last.record.done_rejected_reason.as_deref().unwrap_or_default().replace('_', " ");
    let times = match refused.len() {
        1 => "was refused".to_string(),
        times => format!("was refused {times} times, the last time"),
    };
    let step = last.record.step;
    let words = format!("The brain's \"done\" {times} at step {step}: {}", clip_to(&reason, 200));
    Some(Trouble { step: Some(step), words: sentence(&words) })
}

/// Looks that the governor did not make are no trouble of their own; a run that made too many ends as a loop.
fn not_allowed(steps: &[StepView]) -> Option<Trouble> {
    let mut refused = steps.iter().filter_map(|entry| {
        let record = &entry.record;
        let by_policy =
            record.policy.as_ref().filter(|policy| policy.decision != "allow" && !record.ok && !record.was_withdrawn());
        let by_guard =
            record.guard.as_ref().filter(|guard| guard.decision == "refuse" && !guard.rule.starts_with("governor"));
        let (rule, reason) = match (by_policy, by_guard) {
            (Some(policy), _) => (&policy.rule, &policy.reason),
            (None, Some(guard)) => (&guard.rule, &guard.reason),
            (None, None) => return None,
        };
        let answer = by_policy.and_then(|policy| policy.answer);
        let who = by_policy.map(by_in_words).unwrap_or_default();
        let what = match answer {
            Some(ConfirmAnswer::No) => format!("was not allowed by a person{who}, who was asked because of the rule"),
            Some(ConfirmAnswer::Timeout) => {
                "was not done, as nobody agreed to it in time, which is wanted by the rule".into()
            }
            _ => "was not allowed by the rule".to_string(),
        };
        Some((entry, format!("{what} {}: {}", clip_to(rule, 60), clip_to(reason, 200))))
    });
    let (first, words) = refused.next()?;
    let others = match refused.count() {
        0 => String::new(),
        1 => "; nor was another step".into(),
        more => format!("; nor were {more} other steps"),
    };
    Some(about(first, &format!("{words}{others}")))
}

/// The last call that failed: what came after it went on without.
fn failed_call(steps: &[StepView]) -> Option<Trouble> {
    let failed = |entry: &&StepView| {
        let record = &entry.record;
        let told_above = record.done_rejected_reason.is_some()
            || record.guard.is_some()
            || record.policy.as_ref().is_some_and(|policy| policy.decision != "allow")
            || record.was_withdrawn()
            || spent_on(record) == Some(SpentOn::MissingTarget)
            || spent_on(record) == Some(SpentOn::LookingAgain)
            || entry.completion == Completion::CutOff;
        !record.ok && !told_above
    };
    let entry = steps.iter().rev().find(failed)?;
    Some(match spent_on(&entry.record) {
        Some(_) => about(entry, &format!("brought no usable reply: {}", problem_of(&entry.record, 240))),
        None => about(entry, &format!("failed: {}", clip_to(&entry.record.message, 240))),
    })
}

fn circles(steps: &[StepView]) -> Option<Trouble> {
    let seen =
        |entry: &&StepView| entry.record.going_in_circles.is_some() || entry.record.loop_recovery_reason.is_some();
    let first = steps.iter().find(seen)?;
    let step = first.record.step;
    let last = steps.iter().rev().find_map(|entry| entry.record.going_in_circles.as_ref());
    let words = match (last, first.record.loop_recovery_reason.as_deref()) {
        (Some(last), _) => {
            let told = if last.response == "end" { ", and did so to the end" } else { "" };
            format!("From step {step} on the run went in circles{told}: {}", loop_in_words(&last.kind))
        }
        (None, reason) => {
            let reason = reason.unwrap_or_default().replace('_', " ");
            format!("From step {step} on the run went in circles: {}", clip_to(&reason, 200))
        }
    };
    Some(Trouble { step: Some(step), words: sentence(&words) })
}

fn not_as_foretold(steps: &[StepView]) -> Option<Trouble> {
    steps.iter().find_map(|entry| {
        let missed = entry.record.predicate_results.iter().find(|foretold| foretold.result == Some(false))?;
        Some(about(entry, &format!("did not bring what the brain expected ({})", clip_to(&missed.predicate, 120))))
    })
}

/// Where nobody judged, the headline's own sentence carries the error.
fn last_error(result: &RunResult) -> Option<Trouble> {
    let told_above = matches!(result.termination_reason, Termination::BrainError | Termination::EnvError);
    if result.verdict.r#final == FinalVerdict::Unjudged || told_above {
        return None;
    }
    let error = result.error.as_deref().filter(|error| !error.trim().is_empty())?;
    Some(Trouble { step: None, words: sentence(&clip_to(error, 300)) })
}

fn last_change(steps: &[StepView]) -> Option<Trouble> {
    let (last, end) =
        (steps.iter().rfind(|entry| status(&entry.record) == Some(EffectStatus::Confirmed)), steps.last()?);
    Some(match last {
        Some(entry) if entry.record.step != end.record.step => {
            about(entry, "was the last one that is known to have changed anything")
        }
        Some(_) => return None,
        None => Trouble { step: None, words: "No step is known to have changed anything.".into() },
    })
}

fn status(record: &StepRecord) -> Option<EffectStatus> {
    record.effect.as_ref().map(|effect| effect.status)
}

fn about(entry: &StepView, what: &str) -> Trouble {
    let record = &entry.record;
    // What lay over the target is told with what came of it.
    let hit = record.hit.as_ref().filter(|hit| hit.covers.is_none());
    let call = record.call.as_ref().map_or(String::new(), |call| format!(" ({})", call_in_words(call, hit)));
    Trouble { step: Some(record.step), words: sentence(&format!("Step {}{call} {what}", record.step)) }
}
