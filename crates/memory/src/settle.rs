//! Credit and blame at the end of a run, for every lesson that was shown, at its start or after an error. A lesson
//! can only have helped where its kind of action was tried again; where it was not, nothing is counted.

use jiff::Timestamp;
use surehand_types::result::FinalVerdict;

use crate::error::MemoryError;
use crate::facts::{Attempt, RunFacts};
use crate::identity::LessonId;
use crate::lesson::{Lesson, Relation, Status};
use crate::outcome::{Outcome, Weight, apply};
use crate::score::Moment;
use crate::shelf::LessonShelf;

/// Attempts after an error that the hint can be held responsible for.
const ANSWERABLE: usize = 3;

/// A lesson that the brain was shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    pub lesson: LessonId,
    pub moment: Moment,
    /// The last step before it was shown; 0 at the start.
    pub after_step: u32,
}

/// Earlier runs of the same task, from the store.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Baseline {
    pub mean_steps: Option<f64>,
    pub mean_score: Option<f64>,
    /// Runs of this task used to pass.
    pub used_to_pass: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SettleReport {
    pub shown: u32,
    /// Outcomes that weighed something.
    pub counted: u32,
    pub promoted: Vec<LessonId>,
    pub suppressed: Vec<LessonId>,
}

pub fn settle_outcomes(
    shelf: &mut dyn LessonShelf,
    shown: &[Shown],
    run: &RunFacts,
    baseline: &Baseline,
    now: Timestamp,
) -> Result<SettleReport, MemoryError> {
    let mut report = SettleReport::default();
    let mut settled: Vec<&LessonId> = Vec::new();
    // Once per lesson and run, from the first time it was shown.
    for showing in shown {
        if settled.contains(&&showing.lesson) {
            continue;
        }
        settled.push(&showing.lesson);
        let Some(mut lesson) = shelf.get(&showing.lesson)? else { continue };
        report.shown += 1;
        let before = lesson.status;
        match outcome_of(&lesson, showing, run, baseline) {
            Some(outcome) => {
                let weight = Weight::of(&lesson, run.is_decided());
                report.counted += u32::from(weight == Weight::Full);
                apply(&mut lesson, &outcome, weight, now);
            }
            None => lesson.counts.shown = lesson.counts.shown.saturating_add(1),
        }
        match (before, lesson.status) {
            (Status::Candidate, Status::Promoted) => report.promoted.push(lesson.id.clone()),
            (Status::Candidate | Status::Promoted, Status::Suppressed) => report.suppressed.push(lesson.id.clone()),
            _ => {}
        }
        shelf.put(lesson)?;
    }
    Ok(report)
}

/// `None` where the lesson's kind of action was not tried after it was shown.
pub fn outcome_of(lesson: &Lesson, shown: &Shown, run: &RunFacts, baseline: &Baseline) -> Option<Outcome> {
    let error_reduction = if lesson.delta.action == "done" { claim(run)? } else { attempts(lesson, shown, run)? };
    let step_efficiency_gain = baseline
        .mean_steps
        .filter(|mean| *mean >= 1.0 && run.verdict == FinalVerdict::Pass)
        .map_or(0.0, |mean| ((mean - f64::from(run.steps)) / mean).clamp(-1.0, 1.0));
    let referee_score_gain = baseline
        .mean_score
        .zip(run.score)
        .filter(|_| run.is_decided())
        .map(|(mean, now)| (now - mean).clamp(-1.0, 1.0));
    let failed = run.verdict == FinalVerdict::Fail && run.strong;
    Some(Outcome {
        error_reduction,
        step_efficiency_gain,
        referee_score_gain,
        major_regression: baseline.used_to_pass && failed && error_reduction <= 0.0,
        contradiction_lost: is_contradicted(lesson, run),
    })
}

/// Lessons about calling it done are held to the verdict.
fn claim(run: &RunFacts) -> Option<f64> {
    match run.verdict {
        FinalVerdict::Pass => Some(1.0),
        FinalVerdict::Fail => Some(-1.0),
        FinalVerdict::Uncertain | FinalVerdict::Unjudged => None,
    }
}

/// The balance of what was tried afterwards: 1 when all of it spoke for the lesson, -1 when all spoke against it.
fn attempts(lesson: &Lesson, shown: &Shown, run: &RunFacts) -> Option<f64> {
    let later = || {
        run.attempts.iter().filter(|attempt| {
            attempt.step > shown.after_step
                && (attempt.origin.eq_ignore_ascii_case(&lesson.origin) || shown.moment == Moment::Error)
        })
    };
    let balance = if lesson.delta.at.is_empty() || lesson.delta.outcome.is_empty() {
        by_class(lesson, later())
    } else {
        match lesson.delta.relation {
            Relation::Instead => instead(lesson, later()),
            Relation::First => first(lesson, later()),
        }
    };
    let answerable = match shown.moment {
        Moment::Error => ANSWERABLE,
        Moment::Start => balance.len(),
    };
    let balance = &balance[..balance.len().min(answerable)];
    (!balance.is_empty()).then(|| balance.iter().sum::<f64>() / balance.len() as f64)
}

/// A lesson that names no way is held to whether its kind of action went better.
fn by_class<'a>(lesson: &Lesson, later: impl Iterator<Item = &'a Attempt>) -> Vec<f64> {
    later
        .filter(|attempt| attempt.class.as_str() == lesson.delta.action)
        .filter(|attempt| {
            attempt.has_worked() || attempt.fingerprints().iter().any(|print| lesson.triggers.contains(print))
        })
        .filter_map(worth)
        .collect()
}

/// The way that it names speaks for or against it. The way that it warns of only speaks against it, by working; that it
/// failed again is what the lesson says.
fn instead<'a>(lesson: &Lesson, later: impl Iterator<Item = &'a Attempt>) -> Vec<f64> {
    let delta = &lesson.delta;
    later
        .filter_map(|attempt| {
            let is = |class: &str, place: &str| attempt.class.as_str() == class && attempt.at() == place;
            if is(&delta.outcome, &delta.outcome_at) {
                worth(attempt)
            } else if is(&delta.action, &delta.at) {
                worth(attempt).filter(|worth| *worth > 0.0).map(|worth| -worth)
            } else {
                None
            }
        })
        .collect()
}

/// The action that failed is tried again, with what should come first, or without.
fn first<'a>(lesson: &Lesson, later: impl Iterator<Item = &'a Attempt>) -> Vec<f64> {
    let delta = &lesson.delta;
    let mut prepared = false;
    let mut balance = Vec::new();
    for attempt in later {
        if attempt.class.as_str() == delta.outcome && (delta.outcome == "wait" || attempt.at() == delta.outcome_at) {
            prepared = true;
        } else if attempt.class.as_str() == delta.action && attempt.at() == delta.at {
            let came = worth(attempt);
            balance.extend(if prepared { came } else { came.filter(|came| *came > 0.0).map(|came| -came) });
            prepared = false;
        }
    }
    balance
}

fn worth(attempt: &Attempt) -> Option<f64> {
    match (attempt.has_worked(), attempt.has_failed()) {
        (true, _) => Some(1.0),
        (_, true) => Some(-1.0),
        _ => None,
    }
}

/// In a run that passed, the way that the lesson names failed at its own thing, and then the way it warns of worked.
fn is_contradicted(lesson: &Lesson, run: &RunFacts) -> bool {
    let (warned, named, at) = (&lesson.delta.action, &lesson.delta.outcome, &lesson.delta.at);
    if run.verdict != FinalVerdict::Pass
        || lesson.delta.relation == Relation::First
        || named.is_empty()
        || warned == named
        || at.is_empty()
    {
        return false;
    }
    let at_it = |attempt: &&Attempt| attempt.at() == *at;
    let mut there = run.attempts.iter().filter(at_it);
    let failed = there.by_ref().any(|attempt| attempt.class.as_str() == named && attempt.has_failed());
    failed && there.any(|attempt| attempt.class.as_str() == warned && attempt.has_worked())
}
