//! From scored lessons to the few that are shown: contradictions are settled, no run and no tag may fill the list,
//! and another origin gets at most one place.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::identity::LessonId;
use crate::lesson::Lesson;
use crate::opposed::are_opposed;
use crate::rules::{LessonRules, Matching, Transfer};
use crate::score::{Moment, Parts};
use crate::words::{jaccard, word_set};

const PER_SOURCE: usize = 2;
const PER_TAG: usize = 3;
/// What a match elsewhere is worth.
const ELSEWHERE: f64 = 0.35;
/// Below this the own origin has little to say.
const WEAK: f64 = 0.45;
const OWN_ANCHOR: f64 = 0.30;
/// What a lesson from elsewhere has to bring.
const STRONG: f64 = 0.20;
const OTHER_ANCHOR: f64 = 0.25;
/// Rules that share this much of their words say the same.
const SAME: f64 = 0.8;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lane {
    /// The same origin, and the same task where both name one.
    Strict,
    /// Another origin.
    Transfer,
}

impl Lane {
    pub fn as_str(self) -> &'static str {
        match self {
            Lane::Strict => "strict",
            Lane::Transfer => "transfer",
        }
    }
}

/// A lesson that was found, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    pub lesson: Lesson,
    pub lane: Lane,
    /// Weighted by the lane.
    pub score: f64,
    pub parts: Parts,
}

impl Found {
    pub(crate) fn new(lesson: Lesson, lane: Lane, parts: Parts) -> Found {
        let weight = match lane {
            Lane::Strict => 1.0,
            Lane::Transfer => ELSEWHERE,
        };
        Found { lesson, lane, score: weight * parts.total(), parts }
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Retrieved {
    /// Best first by lane, the own origin before another.
    pub selected: Vec<Found>,
    /// Lessons that a better one contradicts.
    pub conflict_losers: Vec<LessonId>,
}

pub(crate) fn select(scored: Vec<Found>, moment: Moment, rules: &LessonRules) -> Retrieved {
    let above = |found: &Found| match (rules.floor, found.lane) {
        (None, _) => true,
        (Some(floor), Lane::Strict) if moment == Moment::Start => found.score >= floor.start,
        (Some(floor), Lane::Strict) => found.score >= floor.strict,
        (Some(floor), Lane::Transfer) => found.score >= floor.transfer,
    };
    let (mut strict, mut transfer): (Vec<Found>, Vec<Found>) =
        scored.into_iter().filter(above).partition(|found| found.lane == Lane::Strict);
    sort(&mut strict);
    sort(&mut transfer);
    let (strict, conflict_losers) = settle_conflicts(strict, rules.matching);
    let mut selected = guarded(strict, rules);
    if let Some(other) = from_elsewhere(&selected, transfer, rules) {
        selected.truncate(rules.max_results.saturating_sub(1).max(1));
        selected.push(other);
        selected.truncate(rules.max_results);
    }
    Retrieved { selected, conflict_losers }
}

/// By score, reliability and age. The sort is stable: equals stay in the order in which they came.
fn sort(found: &mut [Found]) {
    found.sort_by(|left, right| {
        right
            .score
            .total_cmp(&left.score)
            .then(right.lesson.reliability.total_cmp(&left.lesson.reliability))
            .then(right.lesson.updated_at.cmp(&left.lesson.updated_at))
    });
}

fn settle_conflicts(found: Vec<Found>, matching: Matching) -> (Vec<Found>, Vec<LessonId>) {
    let mut kept: Vec<Found> = Vec::new();
    let mut losers = Vec::new();
    for candidate in found {
        let beaten_by = |known: &Found| contradict(known, &candidate, matching) && !wins(&candidate, known);
        if kept.iter().any(beaten_by) {
            losers.push(candidate.lesson.id);
            continue;
        }
        kept.retain(|known| {
            let stays = !contradict(known, &candidate, matching);
            if !stays {
                losers.push(known.lesson.id.clone());
            }
            stays
        });
        kept.push(candidate);
    }
    (kept, losers)
}

fn contradict(left: &Found, right: &Found, matching: Matching) -> bool {
    left.lesson.conflicts.contains(&right.lesson.id)
        || right.lesson.conflicts.contains(&left.lesson.id)
        || (matching == Matching::Words
            && (are_opposed(&left.lesson, &right.lesson, matching) || left.lesson.delta.rivals(&right.lesson.delta)))
}

/// Of two that contradict each other: the one that is relied on more, then the newer, then the better match.
fn wins(one: &Found, other: &Found) -> bool {
    one.lesson
        .reliability
        .total_cmp(&other.lesson.reliability)
        .then(one.lesson.updated_at.cmp(&other.lesson.updated_at))
        .then(one.score.total_cmp(&other.score))
        .is_gt()
}

fn guarded(found: Vec<Found>, rules: &LessonRules) -> Vec<Found> {
    let mut by_source: BTreeMap<String, usize> = BTreeMap::new();
    let mut by_tag: BTreeMap<String, usize> = BTreeMap::new();
    let mut selected: Vec<Found> = Vec::new();
    for candidate in found {
        if selected.len() == rules.max_results {
            break;
        }
        let source = candidate.lesson.latest_source().unwrap_or_default().to_string();
        let tag = candidate.lesson.tags.first().cloned().unwrap_or_default();
        let full = |counts: &BTreeMap<String, usize>, key: &String, most| {
            !key.is_empty() && counts.get(key).is_some_and(|count| *count >= most)
        };
        if full(&by_source, &source, PER_SOURCE) || full(&by_tag, &tag, PER_TAG) {
            continue;
        }
        if rules.matching == Matching::Words && selected.iter().any(|known| say_the_same(known, &candidate)) {
            continue;
        }
        *by_source.entry(source).or_default() += 1;
        *by_tag.entry(tag).or_default() += 1;
        selected.push(candidate);
    }
    selected
}

fn say_the_same(left: &Found, right: &Found) -> bool {
    jaccard(&word_set(&left.lesson.rule), &word_set(&right.lesson.rule)) >= SAME
}

fn from_elsewhere(selected: &[Found], transfer: Vec<Found>, rules: &LessonRules) -> Option<Found> {
    let is_weak = selected.first().is_none_or(|best| best.score < WEAK || !best.parts.has_anchor(OWN_ANCHOR));
    let strong = |found: &Found| found.score >= STRONG && found.parts.has_anchor(OTHER_ANCHOR);
    let fits = |found: &Found| match rules.transfer {
        Transfer::Off => false,
        Transfer::Always => true,
        Transfer::Auto => is_weak && strong(found),
    };
    transfer.into_iter().find(|found| {
        fits(found)
            && !selected.iter().any(|known| {
                contradict(known, found, rules.matching)
                    || (rules.matching == Matching::Words && say_the_same(known, found))
            })
    })
}
