//! The lesson itself: a rule, what triggers it, where it holds, where it came from and how it has served.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use surehand_types::result::FinalVerdict;

use crate::identity::{LessonId, rule_text, sorted_unique};

/// Utilities that are remembered of a lesson.
pub const HISTORY: usize = 30;
/// Source runs that are remembered; the first ones and the latest say the most.
pub const SOURCES: usize = 20;
/// Of a lesson from a decided run, and from any other.
pub const RELIABILITY_AT_BIRTH: f64 = 0.5;
pub const RELIABILITY_IN_DOUBT: f64 = 0.2;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Lesson {
    pub id: LessonId,
    pub status: Status,
    /// Who suppressed it; only a person's word is final.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suppressed_by: Option<Suppressor>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suppressed_at: Option<Timestamp>,
    /// At most `RULE_LENGTH` characters, one line.
    pub rule: String,
    /// Fingerprints of failures, sorted.
    pub triggers: Vec<String>,
    pub tags: Vec<String>,
    /// Host of a site or name of an application; empty means anywhere, and is never retrieved by scope.
    pub origin: String,
    /// The only task it holds for, as `task_key` writes it; empty where it holds for any.
    pub task: String,
    /// The task during which it was learned. Helps to find it, binds it to nothing.
    #[serde(default)]
    pub learned_in: String,
    #[serde(default)]
    pub delta: Delta,
    pub sources: Vec<SourceRun>,
    pub reliability: f64,
    #[serde(default)]
    pub counts: Counts,
    #[serde(default)]
    pub utility_history: Vec<f64>,
    #[serde(default)]
    pub conflicts: Vec<LessonId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Candidate,
    Promoted,
    Suppressed,
    Archived,
}

impl Status {
    /// Whether it may be found at all.
    pub fn is_active(self) -> bool {
        matches!(self, Status::Candidate | Status::Promoted)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Status::Candidate => "candidate",
            Status::Promoted => "promoted",
            Status::Suppressed => "suppressed",
            Status::Archived => "archived",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Suppressor {
    Person,
    Outcomes,
}

/// What the lesson was read off: where, what was done, what came of it. Texts of ours, short. Hints are credited by it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Delta {
    /// The thing that it was done to, like `the button "Save"`; empty where the lesson is about none.
    pub state: String,
    /// The same thing by its key, which holds where the name is not fit to be told.
    pub at: String,
    /// The class of the action that failed, like `click`.
    pub action: String,
    /// The class of the action that made the difference; empty where none is known.
    pub outcome: String,
    /// The key of the thing that this one was done to.
    pub outcome_at: String,
    pub relation: Relation,
}

/// How the action that made the difference stands to the one that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// It worked in its place.
    #[default]
    Instead,
    /// It had to come first.
    First,
}

impl Delta {
    /// Both are about the same failure and name different ways out.
    pub fn rivals(&self, other: &Delta) -> bool {
        let way = |delta: &Delta| (delta.outcome.clone(), delta.outcome_at.clone(), delta.relation);
        !self.at.is_empty()
            && self.at == other.at
            && self.action == other.action
            && !self.outcome.is_empty()
            && !other.outcome.is_empty()
            && way(self) != way(other)
    }
}

/// A run that taught the lesson, and what was made of that run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceRun {
    pub run: String,
    pub verdict: FinalVerdict,
    /// Whether a fail stands on evidence that does not hang on one reading of a picture.
    #[serde(default)]
    pub strong: bool,
}

impl SourceRun {
    /// Decided runs are those that prove something: a pass, or a fail with strong evidence.
    pub fn is_decided(&self) -> bool {
        match self.verdict {
            FinalVerdict::Pass => true,
            FinalVerdict::Fail => self.strong,
            FinalVerdict::Uncertain | FinalVerdict::Unjudged => false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// Outcomes that were counted.
    pub retrievals: u32,
    pub helpful: u32,
    pub harmful: u32,
    pub major_regressions: u32,
    pub contradiction_losses: u32,
    /// Times it was shown, counted or not.
    pub shown: u32,
}

/// What a new lesson needs; the rest follows.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    pub rule: String,
    pub triggers: Vec<String>,
    pub tags: Vec<String>,
    pub origin: String,
    pub task: String,
    pub learned_in: String,
    pub delta: Delta,
    pub source: SourceRun,
}

impl Lesson {
    pub fn new(draft: Draft, now: Timestamp) -> Lesson {
        let triggers = sorted_unique(&draft.triggers);
        let decided = draft.source.is_decided();
        Lesson {
            id: LessonId::of(&draft.rule, &triggers),
            status: Status::Candidate,
            suppressed_by: None,
            suppressed_at: None,
            rule: rule_text(&draft.rule),
            triggers,
            tags: sorted_unique(&draft.tags),
            origin: draft.origin,
            task: draft.task,
            learned_in: draft.learned_in,
            delta: draft.delta,
            sources: vec![draft.source],
            reliability: if decided { RELIABILITY_AT_BIRTH } else { RELIABILITY_IN_DOUBT },
            counts: Counts::default(),
            utility_history: Vec::new(),
            conflicts: Vec::new(),
            created_at: now,
            updated_at: now,
        }
    }

    /// Seen in a run that proves something. What was not is in doubt: its outcomes weigh nothing.
    pub fn is_decided(&self) -> bool {
        self.sources.iter().any(SourceRun::is_decided)
    }

    /// Born in or confirmed by a decided run.
    pub fn is_trusted(&self) -> bool {
        self.status.is_active() && self.is_decided()
    }

    pub fn is_suppressed_by_person(&self) -> bool {
        self.status == Status::Suppressed && self.suppressed_by == Some(Suppressor::Person)
    }

    /// The latest run that it came from. Run ids sort by time.
    pub fn latest_source(&self) -> Option<&str> {
        self.sources.iter().map(|source| source.run.as_str()).max()
    }

    /// Mean over the last ten outcomes.
    pub fn mean_utility(&self) -> f64 {
        let recent = &self.utility_history[self.utility_history.len().saturating_sub(10)..];
        if recent.is_empty() { 0.0 } else { recent.iter().sum::<f64>() / recent.len() as f64 }
    }

    /// A person's word. It holds until `lift`.
    pub fn suppress(&mut self, now: Timestamp) {
        self.status = Status::Suppressed;
        self.suppressed_by = Some(Suppressor::Person);
        self.suppressed_at = Some(now);
        self.updated_at = now;
    }

    /// Takes a suppression back: the lesson is a candidate again and has to prove itself anew.
    pub fn lift(&mut self, now: Timestamp) {
        if self.status == Status::Suppressed {
            self.status = Status::Candidate;
            self.suppressed_by = None;
            self.suppressed_at = None;
            self.counts.contradiction_losses = 0;
            self.utility_history.clear();
            self.updated_at = now;
        }
    }

    /// A person vouches for it, whatever the runs said. What a person suppressed has to be lifted first.
    pub fn promote(&mut self, now: Timestamp) -> bool {
        if self.is_suppressed_by_person() {
            return false;
        }
        self.status = Status::Promoted;
        self.suppressed_by = None;
        self.suppressed_at = None;
        self.updated_at = now;
        true
    }
}

/// The task in the few words that tell it from others.
pub fn task_key(task: &str) -> String {
    crate::identity::normalised_rule(task).chars().take(200).collect()
}
