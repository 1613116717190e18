//! Two sightings of one lesson become one. Nothing gets lost and nothing grows without bound; a status is only
//! ever raised where the rules allow it, and never against the word of a person.

use jiff::Timestamp;

use crate::identity::sorted_unique;
use crate::lesson::{HISTORY, Lesson, RELIABILITY_AT_BIRTH, SOURCES, SourceRun, Status};
use crate::rules::LessonRules;

/// More tags or triggers than this say nothing any more.
const WORDS: usize = 32;

pub(crate) fn merged(mut known: Lesson, incoming: Lesson, now: Timestamp, rules: &LessonRules) -> Lesson {
    let was_decided = known.is_decided();
    known.triggers = union(&known.triggers, &incoming.triggers);
    known.tags = union(&known.tags, &incoming.tags);
    known.conflicts = {
        let mut conflicts = known.conflicts;
        conflicts.extend(incoming.conflicts.iter().cloned());
        conflicts.sort();
        conflicts.dedup();
        conflicts
    };
    add_sources(&mut known.sources, incoming.sources.clone());
    known.reliability = known.reliability.max(incoming.reliability).clamp(0.0, 1.0);
    if !was_decided && known.is_decided() {
        // The doubt it was born in is gone.
        known.reliability = known.reliability.max(RELIABILITY_AT_BIRTH);
    }
    let (mine, theirs) = (&mut known.counts, incoming.counts);
    mine.retrievals = mine.retrievals.max(theirs.retrievals);
    mine.helpful = mine.helpful.max(theirs.helpful);
    mine.harmful = mine.harmful.max(theirs.harmful);
    mine.major_regressions = mine.major_regressions.max(theirs.major_regressions);
    mine.contradiction_losses = mine.contradiction_losses.max(theirs.contradiction_losses);
    mine.shown = mine.shown.max(theirs.shown);
    if incoming.rule.chars().count() > known.rule.chars().count() {
        known.rule = incoming.rule;
    }
    if incoming.utility_history.len() > known.utility_history.len() {
        known.utility_history = incoming.utility_history;
        known.utility_history.truncate(HISTORY);
    }
    // What was learned in one task and seen in another holds for both.
    if known.task != incoming.task && known.origin == incoming.origin && !known.learned_in.is_empty() {
        known.task.clear();
    }
    for (mine, theirs) in [(&mut known.origin, incoming.origin), (&mut known.learned_in, incoming.learned_in)] {
        if mine.is_empty() {
            *mine = theirs;
        }
    }
    if known.delta.action.is_empty() {
        known.delta = incoming.delta;
    }
    if incoming.status == Status::Promoted && may_rise(known.status, rules) && !known.is_suppressed_by_person() {
        known.status = Status::Promoted;
        known.suppressed_by = None;
        known.suppressed_at = None;
    }
    known.updated_at = now;
    known
}

fn may_rise(status: Status, rules: &LessonRules) -> bool {
    match status {
        Status::Candidate => true,
        Status::Suppressed => rules.merge_revives,
        Status::Promoted | Status::Archived => false,
    }
}

/// A run that was judged later on keeps its best-founded verdict.
fn add_sources(sources: &mut Vec<SourceRun>, incoming: Vec<SourceRun>) {
    for source in incoming {
        match sources.iter_mut().find(|known| known.run == source.run) {
            Some(known) if !known.is_decided() => *known = source,
            Some(_) => {}
            None => sources.push(source),
        }
    }
    sources.sort_by(|left, right| left.run.cmp(&right.run));
    while sources.len() > SOURCES {
        // The oldest that proves nothing goes first.
        let index = sources.iter().position(|source| !source.is_decided()).unwrap_or(0);
        sources.remove(index);
    }
}

fn union(left: &[String], right: &[String]) -> Vec<String> {
    let mut all = sorted_unique(&left.iter().chain(right).cloned().collect::<Vec<_>>());
    all.truncate(WORDS);
    all
}
