//! Lessons as the API shows them: the same fields as `surehand lessons show --json` and `lessons stats --json`. Memory
//! keeps them in types of its own, which no client has to know.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::result::FinalVerdict;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LessonPage {
    /// The latest changed first.
    pub lessons: Vec<ListedLesson>,
    /// Give it as `after` to get the next page; `null` at the end.
    pub next: Option<String>,
}

/// A lesson of a list: its own fields, and what follows from them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ListedLesson {
    #[serde(flatten)]
    pub lesson: LessonView,
    pub trusted: bool,
    pub mean_utility: f64,
}

/// One lesson with everything that happened to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LessonDetail {
    pub lesson: LessonView,
    /// Born in or confirmed by a decided run, and active.
    pub trusted: bool,
    /// Over the last ten outcomes that were counted.
    pub mean_utility: f64,
    /// The oldest first.
    pub events: Vec<LessonEventView>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LessonView {
    pub id: String,
    pub status: LessonStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suppressed_by: Option<LessonSuppressor>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suppressed_at: Option<String>,
    /// What was learned, in one sentence.
    pub rule: String,
    pub triggers: Vec<String>,
    pub tags: Vec<String>,
    /// Host of a site or name of an application; empty means anywhere.
    pub origin: String,
    /// The only task it holds for; empty where it holds for any.
    pub task: String,
    pub learned_in: String,
    pub delta: LessonDelta,
    pub sources: Vec<LessonSource>,
    pub reliability: f64,
    pub counts: LessonCounts,
    /// The latest outcomes that were counted, the oldest first.
    pub utility_history: Vec<f64>,
    pub conflicts: Vec<String>,
    pub created_at: String,
    pub updated_at: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LessonStatus {
    Candidate,
    Promoted,
    Suppressed,
    Archived,
}

impl LessonStatus {
    pub const ALL: [LessonStatus; 4] =
        [LessonStatus::Candidate, LessonStatus::Promoted, LessonStatus::Suppressed, LessonStatus::Archived];

    pub fn as_str(self) -> &'static str {
        match self {
            LessonStatus::Candidate => "candidate",
            LessonStatus::Promoted => "promoted",
            LessonStatus::Suppressed => "suppressed",
            LessonStatus::Archived => "archived",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LessonSuppressor {
    Person,
    Outcomes,
}

/// What the lesson was read off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LessonDelta {
    pub state: String,
    pub at: String,
    pub action: String,
    pub outcome: String,
    pub outcome_at: String,
    pub relation: LessonRelation,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LessonRelation {
    Instead,
    First,
}

/// A run that taught it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LessonSource {
    pub run: String,
    pub verdict: FinalVerdict,
    pub strong: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LessonCounts {
    pub retrievals: u32,
    pub helpful: u32,
    pub harmful: u32,
    pub major_regressions: u32,
    pub contradiction_losses: u32,
    pub shown: u32,
}

/// One thing that happened to a lesson. What else is there depends on the kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LessonEventView {
    pub lesson: String,
    /// Empty where it was a person and no run.
    pub run: String,
    pub at: String,
    pub kind: LessonEventKind,
    /// Of `shown`: at the start or after an error, and after which step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moment: Option<LessonMoment>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_step: Option<u32>,
    /// Of `shown`: from the same site, or from another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lane: Option<LessonLane>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<LessonScoreParts>,
    /// Of `outcome`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub utility: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LessonEventKind {
    Shown,
    Outcome,
    Untried,
    Created,
    Confirmed,
    Promoted,
    Suppressed,
    Lifted,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LessonMoment {
    Start,
    Error,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LessonLane {
    Strict,
    Transfer,
}

/// The parts of a score, each from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LessonScoreParts {
    pub fingerprint: f64,
    pub tags: f64,
    pub text: f64,
    pub reliability: f64,
    pub recency: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LessonStats {
    pub totals: LessonTotalsView,
    /// The latest 2000 outcomes that were counted, the oldest first.
    pub utilities: Vec<LessonUtility>,
    /// The latest 2000 decided runs, the oldest first.
    pub runs: Vec<LessonRun>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LessonTotalsView {
    pub candidate: u64,
    pub promoted: u64,
    pub suppressed: u64,
    pub archived: u64,
    pub trusted: u64,
    pub origins: u64,
    pub shown: u64,
    pub counted: u64,
    pub helpful: u64,
    pub bytes: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LessonUtility {
    /// Milliseconds since 1970.
    pub at: i64,
    pub lesson: String,
    pub run: String,
    pub utility: f64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LessonRun {
    pub run: String,
    pub task: String,
    pub passed: bool,
    pub steps: u32,
}

/// The body of suppress, lift and promote.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LessonWish {
    /// Why, for the audit log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 500))]
    pub reason: Option<String>,
}
