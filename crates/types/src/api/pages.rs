//! What the web pages need beside runs: what the instance offers, what its checks did, stored results of experiments.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::coords::{ViewBox, ViewSize};

/// What the instance offers, and what whoever asks may do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InstanceView {
    pub version: String,
    /// The name of the token that asked; `local` where there are none.
    pub caller: String,
    pub scopes: Vec<String>,
    /// Whether requests need a token.
    pub tokens: bool,
    /// Brains that a request may name; the first is used where none is named. Like `secrets` and `judge`, told to those who
    /// may read or run.
    pub brains: Vec<String>,
    /// Names of the secrets that a request may name.
    pub secrets: Vec<String>,
    /// Steps of a run that says nothing about them.
    pub max_steps: u32,
    /// Which actions a person has to agree to where a request says nothing.
    pub confirm: String,
    /// The visual judge where a request names none.
    pub judge: Option<String>,
}

/// What the checks of this instance did in its latest runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckEffects {
    /// Runs that were counted: the latest that have ended.
    pub runs: u32,
    /// When the oldest of them began.
    pub since: Option<String>,
    pub checks: Vec<CheckEffect>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckEffect {
    /// The setting, as in the list of toggles.
    pub name: String,
    pub counts: Vec<EffectCount>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EffectCount {
    pub words: String,
    pub count: u64,
}

/// What differs between two frames of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FrameChanges {
    /// The space of the boxes.
    pub view: ViewSize,
    /// The largest first; none where nearly everything is new.
    pub boxes: Vec<ViewBox>,
    /// How many places there are in all.
    pub regions: u32,
    /// 0 to 1.
    pub share: f64,
    /// The same in one line.
    pub words: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EvalList {
    /// The newest first.
    pub evals: Vec<EvalView>,
}

/// What an experiment of `surehand eval` or `surehand ablate` found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EvalView {
    pub id: String,
    /// consistency, ablation or memory.
    pub kind: String,
    pub at: String,
    pub title: String,
    /// What came out, in one line.
    pub headline: String,
    pub interrupted: bool,
    /// As the command prints it with `--json`, where a single one is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
}
