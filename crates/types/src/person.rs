//! What people do to a run that is under way, as events of its trace.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PersonEvent {
    /// Nothing is done until somebody says so.
    Paused { by: String },
    /// The brain goes on.
    Resumed { by: String },
    /// A person works the page; the brain waits.
    TookOver { by: String },
    /// So many calls later the brain goes on.
    HandedBack { by: String, calls: u32 },
    /// What the brain wanted to know was answered.
    Answered { by: String },
    /// The run ends because somebody said so.
    Cancelled { by: String },
}
