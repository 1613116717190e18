//! The instance itself: its checks, its queue, its health.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToggleList {
    pub toggles: Vec<ToggleView>,
}

/// One setting that can be changed on the running instance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToggleView {
    pub name: String,
    pub value: String,
    pub default: String,
    /// What it may be; empty where it is a number or a time.
    pub choices: Vec<String>,
    pub about: String,
    /// Where the value comes from: default, file, environment, flag, or instance.
    pub source: String,
    pub changed_by: Option<String>,
    pub changed_at: Option<String>,
}

/// The body of PUT /v1/toggles: all of it is taken, or nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToggleChange {
    pub toggles: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QueueState {
    pub queued: u64,
    pub running: u64,
    pub paused: u64,
    /// How many may run at once.
    pub slots: u32,
    /// How many may wait and run at once.
    pub capacity: u32,
    /// Run ids in the order in which they will start; the first 100.
    pub order: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Health {
    pub status: String,
    pub version: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Readiness {
    pub ready: bool,
    /// What is in the way, one sentence each.
    pub problems: Vec<String>,
    /// What would keep some runs from beginning, such as a brain whose key is missing.
    #[serde(default)]
    pub warnings: Vec<String>,
}
