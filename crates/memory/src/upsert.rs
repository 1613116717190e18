//! Putting lessons on the shelf: a known one is merged, a new one is added, and contradictions are linked.

use jiff::Timestamp;

use crate::error::MemoryError;
use crate::identity::LessonId;
use crate::lesson::Lesson;
use crate::merge::merged;
use crate::opposed::are_opposed;
use crate::rules::{LessonRules, Matching};
use crate::shelf::LessonShelf;
use crate::words::{jaccard, word_set};

/// Lessons that share a trigger with one that is linked; more are not looked at.
const NEIGHBOURS: usize = 500;
/// Rules that share this much of their words say the same.
const SAME: f64 = 0.8;
/// Contradictions that one lesson may have.
const LINKS: usize = 32;

/// Which contradictions are looked for anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relink {
    /// Those of the lessons that came in.
    Touched,
    /// All: after an import.
    Everything,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UpsertReport {
    pub inserted: usize,
    pub merged: usize,
    /// Pairs that contradict each other, among the lessons that were looked at.
    pub conflict_links: usize,
    /// What was written, each id once.
    pub touched: Vec<LessonId>,
}

pub fn upsert(
    shelf: &mut dyn LessonShelf,
    incoming: Vec<Lesson>,
    now: Timestamp,
    rules: &LessonRules,
    relink: Relink,
) -> Result<UpsertReport, MemoryError> {
    let mut report = UpsertReport::default();
    for lesson in incoming {
        let identity = LessonId::of(&lesson.rule, &lesson.triggers);
        let known = match shelf.twin(&identity)? {
            Some(twin) => Some(twin),
            None => rephrased(shelf, &lesson, rules)?,
        };
        let kept = match known {
            Some(known) => {
                report.merged += 1;
                merged(known, lesson, now, rules)
            }
            None => {
                report.inserted += 1;
                lesson
            }
        };
        report.touched.push(kept.id.clone());
        shelf.put(kept)?;
    }
    report.touched.sort();
    report.touched.dedup();
    let looked_at = match relink {
        Relink::Touched => report.touched.clone(),
        Relink::Everything => shelf.ids()?,
    };
    report.conflict_links = link(shelf, &looked_at, rules)?;
    Ok(report)
}

/// The same in slightly other words: compared by words, with the very same triggers and scope. So a suppressed rule
/// does not come back by being said differently.
fn rephrased(shelf: &dyn LessonShelf, lesson: &Lesson, rules: &LessonRules) -> Result<Option<Lesson>, MemoryError> {
    if rules.matching == Matching::Prefix || lesson.triggers.is_empty() {
        return Ok(None);
    }
    let words = word_set(&lesson.rule);
    let near = |known: &Lesson| {
        known.triggers == lesson.triggers
            && known.origin == lesson.origin
            && jaccard(&words, &word_set(&known.rule)) >= SAME
            && !are_opposed(known, lesson, rules.matching)
            && known.delta.outcome == lesson.delta.outcome
    };
    Ok(shelf.triggered_by(&lesson.triggers, NEIGHBOURS)?.into_iter().find(near))
}

/// Links are symmetric. The pairs are counted once each.
fn link(shelf: &mut dyn LessonShelf, ids: &[LessonId], rules: &LessonRules) -> Result<usize, MemoryError> {
    let mut pairs = std::collections::BTreeSet::new();
    for id in ids {
        let Some(mut lesson) = shelf.get(id)? else { continue };
        let others = shelf.triggered_by(&lesson.triggers, NEIGHBOURS)?;
        let mut found: Vec<LessonId> = Vec::new();
        for other in others.iter().filter(|other| other.id != lesson.id) {
            if is_comparable(&lesson, other, rules)
                && are_opposed(&lesson, other, rules.matching)
                && found.len() < LINKS
            {
                found.push(other.id.clone());
                let pair = if lesson.id < other.id { (&lesson.id, &other.id) } else { (&other.id, &lesson.id) };
                pairs.insert((pair.0.clone(), pair.1.clone()));
                add_link(shelf, other, &lesson.id)?;
            }
        }
        found.sort();
        for gone in lesson.conflicts.iter().filter(|old| !found.contains(old)) {
            remove_link(shelf, gone, &lesson.id)?;
        }
        if lesson.conflicts != found {
            lesson.conflicts = found;
            shelf.put(lesson)?;
        }
    }
    Ok(pairs.len())
}

/// What holds at one place contradicts nothing at another. By parts of texts the source does not ask for the place.
fn is_comparable(lesson: &Lesson, other: &Lesson, rules: &LessonRules) -> bool {
    rules.matching == Matching::Prefix || lesson.origin == other.origin
}

fn add_link(shelf: &mut dyn LessonShelf, other: &Lesson, to: &LessonId) -> Result<(), MemoryError> {
    if other.conflicts.contains(to) || other.conflicts.len() >= LINKS {
        return Ok(());
    }
    let mut other = other.clone();
    other.conflicts.push(to.clone());
    other.conflicts.sort();
    shelf.put(other)
}

fn remove_link(shelf: &mut dyn LessonShelf, from: &LessonId, to: &LessonId) -> Result<(), MemoryError> {
    let Some(mut other) = shelf.get(from)? else { return Ok(()) };
    other.conflicts.retain(|known| known != to);
    shelf.put(other)
}
