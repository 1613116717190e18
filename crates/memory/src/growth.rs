//! Bounds of growth: what is old and never helped is archived, each origin and the whole shelf have a limit, and of the
//! archived only so many are kept. What a person suppressed stays: it is what keeps the rule from coming back.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::error::MemoryError;
use crate::identity::LessonId;
use crate::lesson::{Lesson, Status, Suppressor};
use crate::shelf::LessonShelf;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caps {
    /// Active lessons of one origin, and in all.
    pub per_origin: usize,
    pub active: usize,
    /// Archived and suppressed by outcomes, together.
    pub retired: usize,
    /// Days without a sighting or a use: of a lesson in doubt, of one that was decided but never helped, of any.
    pub doubtful_days: u32,
    pub unhelpful_days: u32,
    pub stale_days: u32,
    /// Days after which a suppression by outcomes is forgotten together with its lesson. What is true again by then may
    /// be learned again.
    pub suppressed_days: u32,
}

impl Default for Caps {
    fn default() -> Self {
        Caps {
            per_origin: 500,
            active: 100_000,
            retired: 20_000,
            doubtful_days: 30,
            unhelpful_days: 90,
            stale_days: 365,
            suppressed_days: 30,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TidyReport {
    pub archived: Vec<LessonId>,
    pub forgotten: Vec<LessonId>,
}

/// One round of tidying, at the end of a run or by the clock.
pub fn tidy(shelf: &mut dyn LessonShelf, now: Timestamp, caps: &Caps) -> Result<TidyReport, MemoryError> {
    let mut standings = Vec::new();
    for id in shelf.ids()? {
        standings.extend(shelf.get(&id)?.map(|lesson| Standing::of(&lesson)));
    }
    let report = plan(standings, now, caps);
    for id in &report.archived {
        let Some(mut lesson) = shelf.get(id)? else { continue };
        lesson.status = Status::Archived;
        shelf.put(lesson)?;
    }
    for id in &report.forgotten {
        shelf.remove(id)?;
    }
    Ok(report)
}

/// What tidying has to know of a lesson: little enough to hold it of all of them at once.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    pub id: LessonId,
    pub status: Status,
    pub suppressed_by: Option<Suppressor>,
    pub suppressed_at: Option<Timestamp>,
    pub origin: String,
    pub decided: bool,
    pub reliability: f64,
    pub mean_utility: f64,
    pub helpful: u32,
    pub updated_at: Timestamp,
}

impl Standing {
    pub fn of(lesson: &Lesson) -> Standing {
        Standing {
            id: lesson.id.clone(),
            status: lesson.status,
            suppressed_by: lesson.suppressed_by,
            suppressed_at: lesson.suppressed_at,
            origin: lesson.origin.to_lowercase(),
            decided: lesson.is_decided(),
            reliability: lesson.reliability,
            mean_utility: lesson.mean_utility(),
            helpful: lesson.counts.helpful,
            updated_at: lesson.updated_at,
        }
    }
}

/// What has to be archived and what forgotten, for whoever keeps the lessons to carry out. Some of the archived may be
/// forgotten as well.
pub fn plan(standings: impl IntoIterator<Item = Standing>, now: Timestamp, caps: &Caps) -> TidyReport {
    let mut report = TidyReport::default();
    let mut active: BTreeMap<String, Vec<(f64, LessonId)>> = BTreeMap::new();
    let mut retired: Vec<(Timestamp, LessonId)> = Vec::new();
    let mut ages: BTreeMap<LessonId, Timestamp> = BTreeMap::new();
    for lesson in standings {
        if !lesson.status.is_active() {
            let by_person = lesson.status == Status::Suppressed && lesson.suppressed_by == Some(Suppressor::Person);
            if has_served_its_time(&lesson, now, caps) {
                report.forgotten.push(lesson.id);
            } else if !by_person {
                retired.push((lesson.updated_at, lesson.id));
            }
        } else if is_stale(&lesson, now, caps) {
            retired.push((lesson.updated_at, lesson.id.clone()));
            report.archived.push(lesson.id);
        } else {
            ages.insert(lesson.id.clone(), lesson.updated_at);
            let worth = worth(&lesson, now);
            active.entry(lesson.origin).or_default().push((worth, lesson.id));
        }
    }
    let mut left: Vec<(f64, LessonId)> = Vec::new();
    let mut crowded = Vec::new();
    for mut lessons in active.into_values() {
        crowded.extend(beyond(&mut lessons, caps.per_origin));
        left.append(&mut lessons);
    }
    crowded.extend(beyond(&mut left, caps.active));
    retired.extend(crowded.iter().map(|id| (ages.get(id).copied().unwrap_or(now), id.clone())));
    report.archived.extend(crowded);
    retired.sort();
    let excess = retired.len().saturating_sub(caps.retired);
    report.forgotten.extend(retired.drain(..excess).map(|(_, id)| id));
    report
}

/// Takes the least worthy ones out, as many as are too many.
fn beyond(lessons: &mut Vec<(f64, LessonId)>, most: usize) -> Vec<LessonId> {
    if lessons.len() <= most {
        return Vec::new();
    }
    lessons.sort_by(|left, right| right.0.total_cmp(&left.0).then_with(|| left.1.cmp(&right.1)));
    lessons.split_off(most).into_iter().map(|(_, id)| id).collect()
}

fn is_stale(lesson: &Standing, now: Timestamp, caps: &Caps) -> bool {
    let age = age_in_days(lesson, now);
    let promoted = lesson.status == Status::Promoted;
    let doubtful = !lesson.decided && !promoted && age > f64::from(caps.doubtful_days);
    let unhelpful = lesson.helpful == 0 && !promoted && age > f64::from(caps.unhelpful_days);
    doubtful || unhelpful || age > f64::from(caps.stale_days)
}

fn has_served_its_time(lesson: &Standing, now: Timestamp, caps: &Caps) -> bool {
    let days = |since: Timestamp| now.duration_since(since).as_secs_f64() / 86_400.0;
    lesson.status == Status::Suppressed
        && lesson.suppressed_by == Some(Suppressor::Outcomes)
        && lesson.suppressed_at.is_some_and(|since| days(since) > f64::from(caps.suppressed_days))
}

/// Trust first, then how it served, then age.
fn worth(lesson: &Standing, now: Timestamp) -> f64 {
    let standing = match (lesson.status, lesson.decided) {
        (Status::Promoted, _) => 2.0,
        (_, true) => 1.0,
        _ => 0.0,
    };
    standing + lesson.reliability + lesson.mean_utility + 1.0 / (1.0 + age_in_days(lesson, now) / 30.0)
}

fn age_in_days(lesson: &Standing, now: Timestamp) -> f64 {
    (now.duration_since(lesson.updated_at).as_secs_f64() / 86_400.0).max(0.0)
}
