//! Asking for a run, and what a run looks like from outside.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::control::WaitingQuestion;
use super::webhook::{WebhookRequest, WebhookView};
use crate::result::RunResult;

/// More steps than any run may have.
pub const MOST_STEPS: u32 = 10_000;

/// Longest address of a page where a run starts, in characters: lists of runs show it.
pub const LONGEST_ADDRESS: usize = 8192;

/// One loop of a brain and a browser.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CuaRequest {
    /// What to do, in words.
    #[schemars(length(min = 1, max = 20000))]
    pub instruction: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = LONGEST_ADDRESS))]
    pub start_url: Option<String>,
    /// One of the brains that the server offers; its default where none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brain: Option<String>,
    /// Default 30.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = MOST_STEPS))]
    pub max_steps: Option<u32>,
    /// In US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub max_cost: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub max_time_minutes: Option<f64>,
    /// Longest wait for a page to come to rest after an action, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub settle_cap: Option<f64>,
    /// Values for fields, by the label of the field.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, String>,
    /// Names of secrets that the server knows and this run may type.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<String>,
    /// What has to hold at the end: a contract as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contract: Option<Value>,
    /// A model that looks at the end, apart from the brain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<String>,
    /// JSON Schema of the output that the brain has to give.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
    /// Every run is recorded: what it is judged by has to be there. `false` is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<bool>,
    /// A named profile whose logins are kept and used again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Like `1280x720`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub viewport: Option<String>,
    /// Which actions a person has to agree to: risky, all or none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<String>,
    /// Hosts that may be reached; all others are refused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<String>,
    /// Settings of this run alone, like `{"done_gate": "off"}`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub toggles: BTreeMap<String, String>,
    /// Whom to tell when the run is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub webhook: Option<WebhookRequest>,
    /// Answer at once, and let the run go its way.
    #[serde(default)]
    pub detached: bool,
}

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    Queued,
    Running,
    /// It stands still until somebody lets it go on.
    Paused,
    /// A person works the page.
    TakenOver,
    /// A person is asked something.
    Waiting,
    /// Put away by a server that stopped; it goes on when it is resumed.
    PutAway,
    Ended,
    /// It could not be started.
    Failed,
    /// Taken back before it began, or while it was put away or interrupted.
    Cancelled,
    /// Its process died in the middle of it.
    Interrupted,
}

/// The answer to a detached request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunAccepted {
    pub run_id: String,
    pub status: RunStatus,
    /// How many wait before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<u64>,
    pub links: Links,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Links {
    #[serde(rename = "self")]
    pub run: String,
    pub events: String,
    pub report: String,
    pub cancel: String,
    /// For people.
    pub page: String,
}

impl Links {
    pub fn of(run_id: &str) -> Links {
        Links {
            run: format!("/v1/runs/{run_id}"),
            events: format!("/v1/runs/{run_id}/events"),
            report: format!("/v1/runs/{run_id}/report"),
            cancel: format!("/v1/runs/{run_id}/cancel"),
            page: format!("/runs/{run_id}"),
        }
    }
}

/// One run of the list, and the head of a single one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunView {
    pub run_id: String,
    pub status: RunStatus,
    pub task: String,
    pub brain: Option<String>,
    pub start_url: Option<String>,
    /// Whose token asked for it; `null` for runs that did not come through this server.
    pub owner: Option<String>,
    pub created_at: Option<String>,
    pub started_at: Option<String>,
    pub ended_at: Option<String>,
    pub position: Option<u64>,
    pub steps: u32,
    pub cost: Option<f64>,
    pub duration_s: Option<f64>,
    pub success: Option<bool>,
    /// pass, fail, uncertain or unjudged.
    pub verdict: Option<String>,
    pub termination_reason: Option<String>,
    /// Why it did not run, or why it stands still, in one sentence.
    pub words: Option<String>,
    /// What a person is asked right now.
    pub question: Option<WaitingQuestion>,
    pub links: Links,
    /// Who is told of its end, where a single one is asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub webhooks: Vec<WebhookView>,
    /// Of a run that has ended, where a single one is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Box<RunResult>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunPage {
    pub runs: Vec<RunView>,
    /// Give it as `before` to get the next page; `null` at the end.
    pub next: Option<String>,
}

/// A `status` message between the events of a run: where it stands. It has no number, since it is no event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StatusNote {
    pub status: RunStatus,
    #[serde(default)]
    pub question: Option<WaitingQuestion>,
    /// How many wait before it, while it waits.
    #[serde(default)]
    pub position: Option<u64>,
    /// Why it did not run or stands still.
    #[serde(default)]
    pub words: Option<String>,
}
