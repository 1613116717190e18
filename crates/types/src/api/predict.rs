//! Asking for a plan of many steps, and asking after it in the shape that some clients know.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::run::{CuaRequest, MOST_STEPS};
use super::webhook::WebhookRequest;

/// A plan to run, or an `action` on a run by its `run_id`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PredictRequest {
    /// The plan as an object, or as the text of a plan file in YAML or JSON. See docs/plans.md.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<PlanBody>")]
    pub plan: Option<Value>,
    /// What the plan declares, by name. Rows and lists have to be given: a plan in a request reads no files.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub values: Map<String, Value>,
    /// Something else than to run a plan. The addresses below /v1/runs do the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<PredictAction>,
    /// The run that the action is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    /// One of the brains that the server offers; its default where none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brain: Option<String>,
    /// Steps that the brain may take for the whole plan, beside the plan's own budgets. Where it is not given, 30 for each of
    /// its steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = MOST_STEPS))]
    pub max_steps: Option<u32>,
    /// In US dollars, for all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub max_cost: Option<f64>,
    /// For all of it. Where it is not given, each step has the time of a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub max_time_minutes: Option<f64>,
    /// Longest wait for a page to come to rest after an action, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub settle_cap: Option<f64>,
    /// Names of secrets that the server knows and this run may type. Those that the plan declares need not be named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<String>,
    /// What has to hold at the end: a contract as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contract: Option<Value>,
    /// A model that looks at the end, apart from the brain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<String>,
    /// A named profile whose logins are kept and used again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Like `1280x720`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub viewport: Option<String>,
    /// Which actions a person has to agree to: risky, all or none. The plan's own gates are asked about in any case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<String>,
    /// Hosts that may be reached; all others are refused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<String>,
    /// Settings of this run alone, like `{"done_gate": "off"}`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub toggles: BTreeMap<String, String>,
    /// Whom to tell when the plan is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub webhook: Option<WebhookRequest>,
    /// Answer at once, and let the plan go its way.
    #[serde(default)]
    pub detached: bool,
}

/// For the document alone: either of two shapes.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum PlanBody {
    Plan(Map<String, Value>),
    Text(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PredictAction {
    /// As without an action.
    Run,
    /// GET /v1/runs/ID
    Status,
    /// The result of a run that has ended.
    Result,
    /// What was done so far, one line each.
    Logs,
    Cancel,
    Pause,
    Resume,
}

/// The answer to `logs`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunLogs {
    pub run_id: String,
    /// The newest last; of a long run the last ones.
    pub logs: Vec<LogLine>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LogLine {
    /// The number of the event in the trace.
    pub seq: u64,
    pub at: String,
    pub text: String,
}

impl PredictRequest {
    /// Everything that it has in common with a plain run.
    pub fn as_run(&self, instruction: String, start_url: Option<String>) -> CuaRequest {
        let request = self.clone();
        CuaRequest {
            instruction,
            start_url,
            brain: request.brain,
            max_steps: request.max_steps,
            max_cost: request.max_cost,
            max_time_minutes: request.max_time_minutes,
            settle_cap: request.settle_cap,
            values: BTreeMap::new(),
            secrets: request.secrets,
            contract: request.contract,
            judge: request.judge,
            output_schema: None,
            record: None,
            session: request.session,
            viewport: request.viewport,
            confirm: request.confirm,
            allow: request.allow,
            toggles: request.toggles,
            webhook: request.webhook,
            detached: request.detached,
        }
    }
}
