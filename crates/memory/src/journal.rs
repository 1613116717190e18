//! What happened to lessons, run by run: shown, counted, made, raised, put away. Facts for people who ask why, and for
//! the plot of utility over time; nothing is decided by them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::identity::LessonId;
use crate::score::{Moment, Parts};
use crate::select::{Found, Lane};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LessonEvent {
    pub lesson: LessonId,
    /// Empty where it was a person and no run.
    pub run: String,
    pub at: Timestamp,
    #[serde(flatten)]
    pub happened: Happened,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Happened {
    /// The brain got it as a hint, and why.
    Shown(Showing),
    /// What showing it brought, weighed or not.
    Outcome {
        utility: f64,
        /// Outcomes of undecided runs are told and weigh nothing.
        counted: bool,
    },
    /// Shown, but what it is about was not tried afterwards, or only after the brain had gone its own way.
    Untried,
    Created,
    /// Seen again in this run.
    Confirmed,
    Promoted,
    Suppressed,
    Lifted,
}

/// Why a lesson was shown: the parts of its score, each from 0 to 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Showing {
    pub moment: Moment,
    /// The last step before it was shown; 0 at the start.
    pub after_step: u32,
    pub lane: Lane,
    pub score: f64,
    pub parts: Parts,
}

impl Showing {
    pub fn of(found: &Found, moment: Moment, after_step: u32) -> Showing {
        Showing { moment, after_step, lane: found.lane, score: found.score, parts: found.parts }
    }
}

impl Happened {
    /// The kind alone, as it is stored.
    pub fn as_str(&self) -> &'static str {
        match self {
            Happened::Shown(_) => "shown",
            Happened::Outcome { .. } => "outcome",
            Happened::Untried => "untried",
            Happened::Created => "created",
            Happened::Confirmed => "confirmed",
            Happened::Promoted => "promoted",
            Happened::Suppressed => "suppressed",
            Happened::Lifted => "lifted",
        }
    }
}
