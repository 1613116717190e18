//! What showing a lesson brought, and what follows for it: utility, reliability, promotion, suppression.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::lesson::{HISTORY, Lesson, Status, Suppressor};

/// Sums of decimal fractions miss their thresholds by less than this.
const ROUNDING: f64 = 1e-9;
const OUTCOMES_FOR_PROMOTION: usize = 3;
const RETRIEVALS_FOR_SUPPRESSION: u32 = 3;
const MEAN_FOR_PROMOTION: f64 = 0.20;

/// What came of a run in which a lesson was shown, each from -1 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Outcome {
    pub error_reduction: f64,
    pub step_efficiency_gain: f64,
    /// `None` where no referee had a say before and now.
    pub referee_score_gain: Option<f64>,
    /// A task that used to pass failed.
    #[serde(default)]
    pub major_regression: bool,
    /// What the lesson says was shown to be wrong.
    #[serde(default)]
    pub contradiction_lost: bool,
}

impl Outcome {
    pub fn utility(&self) -> f64 {
        let utility = match self.referee_score_gain {
            None => 0.65 * self.error_reduction + 0.35 * self.step_efficiency_gain,
            Some(gain) => 0.50 * self.error_reduction + 0.30 * self.step_efficiency_gain + 0.20 * gain,
        };
        if utility.is_finite() { utility } else { 0.0 }
    }
}

/// Whether an outcome may count. A lesson in doubt is shown only where candidates are; what comes of it proves nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    Full,
    Nothing,
}

impl Weight {
    /// By what the lesson stands on and by what the run came to.
    pub fn of(lesson: &Lesson, run_is_decided: bool) -> Weight {
        if lesson.is_decided() && run_is_decided { Weight::Full } else { Weight::Nothing }
    }
}

/// Applies one outcome.
pub fn apply(lesson: &mut Lesson, outcome: &Outcome, weight: Weight, now: Timestamp) {
    lesson.counts.shown = lesson.counts.shown.saturating_add(1);
    if weight == Weight::Nothing {
        return;
    }
    let utility = outcome.utility();
    lesson.utility_history.push(utility);
    let excess = lesson.utility_history.len().saturating_sub(HISTORY);
    lesson.utility_history.drain(..excess);
    let counts = &mut lesson.counts;
    counts.retrievals = counts.retrievals.saturating_add(1);
    let side = if utility > ROUNDING { &mut counts.helpful } else { &mut counts.harmful };
    *side = side.saturating_add(1);
    counts.major_regressions = counts.major_regressions.saturating_add(u32::from(outcome.major_regression));
    counts.contradiction_losses = counts.contradiction_losses.saturating_add(u32::from(outcome.contradiction_lost));
    let success = ((utility + 1.0) / 2.0).clamp(0.0, 1.0);
    lesson.reliability = (0.7 * lesson.reliability + 0.3 * success).clamp(0.0, 1.0);
    lesson.updated_at = now;
    judge(lesson, now);
}

/// The status that follows from the numbers. What is suppressed or archived is not raised here.
fn judge(lesson: &mut Lesson, now: Timestamp) {
    let mean = lesson.mean_utility();
    let contradicted = lesson.counts.contradiction_losses > 0;
    let useless = lesson.counts.retrievals >= RETRIEVALS_FOR_SUPPRESSION && mean <= ROUNDING;
    if contradicted || useless {
        if lesson.status != Status::Suppressed {
            lesson.suppressed_by = Some(Suppressor::Outcomes);
            lesson.suppressed_at = Some(now);
        }
        lesson.status = Status::Suppressed;
    } else if lesson.status == Status::Candidate
        && lesson.utility_history.len() >= OUTCOMES_FOR_PROMOTION
        && mean >= MEAN_FOR_PROMOTION - ROUNDING
        && lesson.counts.major_regressions == 0
        && lesson.is_decided()
    {
        lesson.status = Status::Promoted;
    }
}
