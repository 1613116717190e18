//! Credit and blame at the end of a run, for every lesson that was shown, at its start or after an error. A lesson
//! can only have helped where its kind of action was tried again, and where the brain did not first do once more what
//! the lesson says is of no use: that one went its own way. Otherwise nothing is counted.

use jiff::Timestamp;
use surehand_types::result::FinalVerdict;

use crate::birth::contract_of;
use crate::error::MemoryError;
use crate::facts::{Attempt, RunFacts};
use crate::fingerprint::TARGET;
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

/// `None` where the lesson's kind of action was not tried after it was shown, or where it was not heeded.
pub fn outcome_of(lesson: &Lesson, shown: &Shown, run: &RunFacts, baseline: &Baseline) -> Option<Outcome> {
    let error_reduction =
        if lesson.delta.action == "done" { claim(lesson, run)? } else { attempts(lesson, shown, run)? };
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

/// Lessons about calling it done are held to the verdict, where it was the same contract that was to be met.
fn claim(lesson: &Lesson, run: &RunFacts) -> Option<f64> {
    if !lesson.delta.state.is_empty() && lesson.delta.state != contract_of(run) {
        return None;
    }
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
    let delta = &lesson.delta;
    // What to do in its place can be told even where the thing that failed has no name; what to do first, for nothing.
    let is_known = |relation| delta.relation == relation && !delta.outcome.is_empty();
    let balance = if is_known(Relation::Instead) && !(delta.at.is_empty() && delta.outcome_at.is_empty()) {
        instead(lesson, later())
    } else if is_known(Relation::First) && !delta.at.is_empty() {
        first(lesson, later())
    } else {
        by_class(lesson, later())
    };
    let answerable = match shown.moment {
        Moment::Error => ANSWERABLE,
        Moment::Start => balance.len(),
    };
    let balance = &balance[..balance.len().min(answerable)];
    (!balance.is_empty()).then(|| balance.iter().sum::<f64>() / balance.len() as f64)
}

/// What spoke for a lesson and against it, and whether the brain heeded it at all. That is told by what came first: what
/// the lesson advises, or what it warns of, once more without effect. A brain that did the latter came to the way out
/// by itself, and the lesson gets no credit for it. What shows that the lesson is wrong counts all the same.
#[derive(Default)]
struct Balance {
    heeded: Option<bool>,
    worths: Vec<f64>,
}

impl Balance {
    fn followed(&mut self) {
        self.heeded.get_or_insert(true);
    }

    fn ignored(&mut self) {
        self.heeded.get_or_insert(false);
    }

    fn add(&mut self, worth: Option<f64>) {
        self.worths.extend(worth.filter(|worth| *worth < 0.0 || self.heeded != Some(false)));
    }
}

/// A lesson that names no way is held to whether its kind of action went better.
fn by_class<'a>(lesson: &Lesson, later: impl Iterator<Item = &'a Attempt>) -> Vec<f64> {
    let mut balance = Balance::default();
    for attempt in later.filter(|attempt| attempt.class.as_str() == lesson.delta.action) {
        // It names no way, so nobody can tell whether it was heeded: that it did not help is what is known.
        let is_warned = is_warned_of(attempt, lesson);
        let is_alike = || attempt.fingerprints().iter().any(|print| lesson.triggers.contains(print));
        if is_warned || attempt.has_worked() || is_alike() {
            balance.add(worth(attempt));
        }
        if is_warned {
            balance.ignored();
        }
    }
    balance.worths
}

/// The way that it names speaks for or against it. The way that it warns of only speaks against it, by working; that it
/// failed again is what the lesson says.
fn instead<'a>(lesson: &Lesson, later: impl Iterator<Item = &'a Attempt>) -> Vec<f64> {
    let delta = &lesson.delta;
    let mut balance = Balance::default();
    for attempt in later {
        let is = |class: &str, place: &str| attempt.class.as_str() == class && attempt.at() == place;
        if is(&delta.outcome, &delta.outcome_at) {
            balance.followed();
            balance.add(worth(attempt));
        } else if is_warned_of(attempt, lesson) {
            balance.ignored();
        } else if !delta.at.is_empty() && is(&delta.action, &delta.at) && attempt.has_worked() {
            balance.add(Some(-1.0));
        }
    }
    balance.worths
}

/// The action that failed is tried again, with what should come first, or without.
fn first<'a>(lesson: &Lesson, later: impl Iterator<Item = &'a Attempt>) -> Vec<f64> {
    let delta = &lesson.delta;
    let mut prepared = false;
    let mut balance = Balance::default();
    for attempt in later {
        if attempt.class.as_str() == delta.outcome && (delta.outcome == "wait" || attempt.at() == delta.outcome_at) {
            prepared = true;
            balance.followed();
        } else if attempt.class.as_str() == delta.action && attempt.at() == delta.at {
            match worth(attempt) {
                came if prepared => balance.add(came),
                Some(came) if came > 0.0 => balance.add(Some(-came)),
                Some(_) => balance.ignored(),
                None => {}
            }
            prepared = false;
        }
    }
    balance.worths
}

/// What the lesson says has no effect had none again. A thing without a name is known by how it failed.
fn is_warned_of(attempt: &Attempt, lesson: &Lesson) -> bool {
    let delta = &lesson.delta;
    if !attempt.has_failed() || attempt.class.as_str() != delta.action {
        return false;
    }
    if !delta.at.is_empty() {
        return attempt.at() == delta.at;
    }
    let is_named = lesson.triggers.iter().any(|trigger| trigger.starts_with(TARGET));
    let prints = attempt.fingerprints();
    prints.iter().any(|print| lesson.triggers.contains(print) && (!is_named || print.starts_with(TARGET)))
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
