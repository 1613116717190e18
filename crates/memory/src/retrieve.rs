//! Finding lessons for a situation, at the start of a run and after an error.

use jiff::Timestamp;

use crate::error::MemoryError;
use crate::lesson::{Lesson, Status};
use crate::rules::{Inject, LessonRules, Transfer};
use crate::score::{Asked, Context, Moment};
use crate::select::{Found, Lane, Retrieved, select};
use crate::shelf::{LessonShelf, Query};

/// Lessons of each lane that are scored in full.
const CANDIDATES: usize = 200;

/// What is worth showing. Nothing where lessons are switched off.
pub fn retrieve(
    shelf: &dyn LessonShelf,
    context: &Context,
    now: Timestamp,
    rules: &LessonRules,
) -> Result<Retrieved, MemoryError> {
    if !rules.enabled {
        return Ok(Retrieved::default());
    }
    let candidates = shelf.candidates(&query(context, rules), CANDIDATES)?;
    Ok(rank(candidates, context, now, rules))
}

/// What a shelf has to be asked for a context. A store that cannot be called from here asks by itself and
/// goes on with `rank`.
pub fn query(context: &Context, rules: &LessonRules) -> Query {
    Query {
        origin: context.origin.to_lowercase(),
        task: context.task.clone(),
        fingerprints: context.fingerprints.clone(),
        tags: context.tags.clone(),
        words: Asked::new(context).words(),
        elsewhere: rules.transfer != Transfer::Off,
        trusted_only: rules.inject == Inject::Trusted,
    }
}

/// The same without a shelf: scores what is given and selects from it.
pub fn rank(candidates: Vec<Lesson>, context: &Context, now: Timestamp, rules: &LessonRules) -> Retrieved {
    let asked = Asked::new(context);
    let scored = candidates.into_iter().filter_map(|lesson| {
        let lane = lane_of(&lesson, context).filter(|_| may_be_shown(&lesson, rules))?;
        if context.moment == Moment::Start && is_nameless(&lesson) {
            return None;
        }
        let parts = asked.parts(&lesson, now, rules.matching);
        Some(Found::new(lesson, lane, parts))
    });
    select(scored.collect(), context.moment, rules)
}

/// The gate: trusted or promoted, unless candidates are asked for.
pub fn may_be_shown(lesson: &Lesson, rules: &LessonRules) -> bool {
    match rules.inject {
        Inject::Candidates => lesson.status.is_active(),
        Inject::Trusted => lesson.status == Status::Promoted || lesson.is_trusted(),
    }
}

/// About a thing whose name was not fit to be told. After an error at that thing it is clear what is meant, at the start
/// of a run it is not.
fn is_nameless(lesson: &Lesson) -> bool {
    !lesson.delta.state.is_empty() && lesson.task.is_empty() && !lesson.delta.state.contains('"')
}

/// Lessons without an origin belong to no lane.
fn lane_of(lesson: &Lesson, context: &Context) -> Option<Lane> {
    if lesson.origin.is_empty() {
        return None;
    }
    if lesson.origin.to_lowercase() != context.origin.to_lowercase() {
        return Some(Lane::Transfer);
    }
    let other_task = !lesson.task.is_empty() && !context.task.is_empty() && lesson.task != context.task;
    (!other_task).then_some(Lane::Strict)
}
