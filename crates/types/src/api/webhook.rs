//! Webhooks: whom to tell about the end of a run, what they are told, and what became of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::run::RunView;

/// Tell this address when the run is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WebhookRequest {
    #[schemars(length(min = 1, max = 2000))]
    pub url: String,
    /// Which ends are told; all of them where none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<WebhookEvent>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WebhookEvent {
    /// It ran to an end of any kind; the verdict says which.
    Ended,
    /// It could not be started.
    Failed,
    /// It was taken back before it began, or while it was put away or interrupted.
    Cancelled,
    /// Its process died in the middle of it; it may still go on.
    Interrupted,
}

impl WebhookEvent {
    pub fn as_str(self) -> &'static str {
        match self {
            WebhookEvent::Ended => "ended",
            WebhookEvent::Failed => "failed",
            WebhookEvent::Cancelled => "cancelled",
            WebhookEvent::Interrupted => "interrupted",
        }
    }
}

/// The body of a webhook. It is the same at every try; the signature is not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WebhookBody {
    pub event: WebhookEvent,
    pub run: RunView,
    pub summary: Option<String>,
    /// What the brain gave, unless it is large; the run's own address has it all.
    pub output: Option<Value>,
}

/// A webhook of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WebhookView {
    /// Without its query, which may hold a key.
    pub url: String,
    pub state: WebhookStatus,
    /// The end that it tells, once there is one.
    pub event: Option<WebhookEvent>,
    pub tries: u32,
    /// RFC 3339.
    pub last_try_at: Option<String>,
    pub next_try_at: Option<String>,
    /// What the last try came to.
    pub words: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WebhookStatus {
    /// The run is not over.
    Armed,
    /// Not delivered yet; it is tried again.
    Due,
    Delivered,
    GivenUp,
}
