//! The shapes of the HTTP API. The server answers with them, the client crate sends them, and the OpenAPI document is
//! made from them; there is no second list. What comes in refuses fields that it does not know.

mod control;
mod instance;
mod lesson;
mod pages;
mod predict;
mod run;
mod webhook;

pub use control::{Answer, Approval, Decision, PersonCallResult, QuestionKind, WaitingQuestion};
pub use instance::{Health, QueueState, Readiness, ToggleChange, ToggleList, ToggleView};
pub use lesson::{
    LessonCounts, LessonDelta, LessonDetail, LessonEventKind, LessonEventView, LessonLane, LessonMoment, LessonPage,
    LessonRelation, LessonRun, LessonScoreParts, LessonSource, LessonStats, LessonStatus, LessonSuppressor,
    LessonTotalsView, LessonUtility, LessonView, LessonWish, ListedLesson,
};
pub use pages::{CheckEffect, CheckEffects, EffectCount, EvalList, EvalView, FrameChanges, InstanceView};
pub use predict::{LogLine, PredictAction, PredictRequest, RunLogs};
pub use run::{CuaRequest, LONGEST_ADDRESS, Links, MOST_STEPS, RunAccepted, RunPage, RunStatus, RunView, StatusNote};
pub use webhook::{WebhookBody, WebhookEvent, WebhookRequest, WebhookStatus, WebhookView};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Every error of the API.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorBody {
    pub error: ErrorFacts,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorFacts {
    /// For programs: a word that stays the same.
    pub code: String,
    /// For people: one sentence.
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}
