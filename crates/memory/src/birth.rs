//! How lessons are born, without a model: from a verified failure that a verified success followed, from a verdict
//! that stands on strong evidence, and from a disagreement of the referee's parties.

mod cause;
mod detour;
mod reflection;
mod verdict;

use jiff::Timestamp;

use crate::facts::RunFacts;
use crate::lesson::Lesson;
use crate::tags::{SETUP_NOISE, speaks_of};

pub use reflection::from_reflection;
pub(crate) use verdict::contract_of;

/// Lessons of one run. A run that teaches more teaches nothing in particular.
const PER_RUN: usize = 8;

/// What the run teaches, ready to be upserted. How far each may be trusted follows from the run's verdict.
pub fn learn(run: &RunFacts, now: Timestamp) -> Vec<Lesson> {
    let mut drafts = detour::drafts(run);
    drafts.extend(verdict::drafts(run));
    drafts.retain(|draft| !is_setup_noise(&draft.tags, &run.task));
    let mut lessons: Vec<Lesson> = drafts.into_iter().map(|draft| Lesson::new(draft, now)).collect();
    let mut seen = std::collections::BTreeSet::new();
    lessons.retain(|lesson| seen.insert(lesson.id.clone()));
    lessons.truncate(PER_RUN);
    lessons
}

/// Permissions, networks, resources and accounts fail for reasons of their own, unless the task is about them.
pub fn is_setup_noise(tags: &[String], task: &str) -> bool {
    SETUP_NOISE.iter().any(|noise| tags.iter().any(|tag| tag == noise) && !speaks_of(task, noise))
}
