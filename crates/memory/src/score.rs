//! How well a lesson fits a situation: a weighted sum of what matches, how far it is to be relied on, and its age.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::fingerprint::TARGET;
use crate::lesson::{Lesson, task_key};
use crate::rules::Matching;
use crate::words::{jaccard, word_set};

const FINGERPRINT: f64 = 0.40;
const TAGS: f64 = 0.25;
const TEXT: f64 = 0.20;
const RELIABILITY: f64 = 0.10;
const RECENCY: f64 = 0.05;
/// Letters of a fingerprint that make it a near match.
const NEAR_LENGTH: usize = 10;
const NEAR: f64 = 0.7;
/// The same failure, but known to be of another control: what such lessons have in common says little, so it counts
/// for little. With the whole of it, a site's every dead click brought up every lesson about dead clicks there.
const OTHER_TARGET: f64 = 0.25;
const TAGS_OF_OTHER_TARGET: f64 = 0.5;
/// Days after which a lesson counts half as recent.
const HALF_LIFE_DAYS: f64 = 14.0;
/// Tasks with this much in common are of one kind.
const LIKE_TASK: f64 = 0.5;

/// When a run asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// Before the first step: the task takes the place of the failure.
    Start,
    Error,
}

/// The situation that lessons are looked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Context {
    pub moment: Moment,
    /// As `task_key` writes it; empty where it does not matter.
    pub task: String,
    pub origin: String,
    pub fingerprints: Vec<String>,
    pub tags: Vec<String>,
    /// The error's words, or the task's.
    pub text: String,
}

impl Context {
    pub fn at_start(task: &str, origin: &str) -> Context {
        Context {
            moment: Moment::Start,
            task: task_key(task),
            origin: origin.to_string(),
            fingerprints: Vec::new(),
            tags: Vec::new(),
            text: task.to_string(),
        }
    }
}

/// The parts of a score, each from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Parts {
    /// Of the failure; of the task at the start.
    pub fingerprint: f64,
    pub tags: f64,
    pub text: f64,
    pub reliability: f64,
    pub recency: f64,
}

impl Parts {
    pub fn total(&self) -> f64 {
        FINGERPRINT * self.fingerprint
            + TAGS * self.tags
            + TEXT * self.text
            + RELIABILITY * self.reliability
            + RECENCY * self.recency
    }

    /// Something of the situation itself matches, beyond chance.
    pub fn has_anchor(&self, share: f64) -> bool {
        self.fingerprint >= NEAR || self.tags >= share || self.text >= share
    }
}

/// A context with its words taken apart once.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) context: &'a Context,
    words: BTreeSet<String>,
    tags: BTreeSet<&'a str>,
    task_words: BTreeSet<String>,
}

impl<'a> Asked<'a> {
    pub(crate) fn new(context: &'a Context) -> Self {
        Asked {
            context,
            words: word_set(&context.text),
            tags: context.tags.iter().map(String::as_str).collect(),
            task_words: word_set(&context.task),
        }
    }

    pub(crate) fn words(&self) -> Vec<String> {
        self.words.iter().cloned().collect()
    }

    pub(crate) fn parts(&self, lesson: &Lesson, now: Timestamp, matching: Matching) -> Parts {
        let tags: BTreeSet<&str> = lesson.tags.iter().map(String::as_str).collect();
        let age_days = (now.duration_since(lesson.updated_at).as_secs_f64() / 86_400.0).max(0.0);
        Parts {
            fingerprint: match self.context.moment {
                Moment::Error => self
                    .context
                    .fingerprints
                    .iter()
                    .fold(0.0, |best, asked| f64::max(best, self.fingerprint(asked, lesson, matching))),
                Moment::Start => self.task(lesson),
            },
            tags: self.tag_weight(lesson, matching) * jaccard(&self.tags, &tags),
            text: jaccard(&self.words, &word_set(&lesson.rule)),
            reliability: lesson.reliability,
            recency: 1.0 / (1.0 + age_days / HALF_LIFE_DAYS),
        }
    }

    fn fingerprint(&self, asked: &str, lesson: &Lesson, matching: Matching) -> f64 {
        if asked.is_empty() {
            return 0.0;
        }
        let exact = lesson.triggers.iter().any(|trigger| trigger == asked);
        match matching {
            _ if exact && asked.starts_with(TARGET) => 1.0,
            Matching::Words if exact && self.is_of_another_target(lesson) => OTHER_TARGET,
            _ if exact => 1.0,
            // Beginnings of hashes say nothing; the conformance cases have them all the same.
            Matching::Prefix if lesson.triggers.iter().any(|trigger| trigger.starts_with(beginning(asked))) => NEAR,
            _ => 0.0,
        }
    }

    fn tag_weight(&self, lesson: &Lesson, matching: Matching) -> f64 {
        let elsewhere = matching == Matching::Words && self.is_of_another_target(lesson);
        if elsewhere { TAGS_OF_OTHER_TARGET } else { 1.0 }
    }

    fn is_of_another_target(&self, lesson: &Lesson) -> bool {
        let named = |list: &[String]| list.iter().any(|entry| entry.starts_with(TARGET));
        named(&self.context.fingerprints)
            && named(&lesson.triggers)
            && !self
                .context
                .fingerprints
                .iter()
                .any(|asked| asked.starts_with(TARGET) && lesson.triggers.contains(asked))
    }

    fn task(&self, lesson: &Lesson) -> f64 {
        let like = |task: &str| {
            if task.is_empty() || self.context.task.is_empty() {
                0.0
            } else if task == self.context.task {
                1.0
            } else {
                Some(jaccard(&self.task_words, &word_set(task))).filter(|share| *share >= LIKE_TASK).unwrap_or(0.0)
                    * NEAR
            }
        };
        like(&lesson.task).max(like(&lesson.learned_in))
    }
}

fn beginning(fingerprint: &str) -> &str {
    fingerprint.char_indices().nth(NEAR_LENGTH).map_or(fingerprint, |(end, _)| &fingerprint[..end])
}
