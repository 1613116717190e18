//! Three-valued results. "Not measured" is a value with a reason and is never folded into "no".

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Yes, no, or not measured, always with the reason.
/// On the wire it is `{"result": true|false|null, "reason": "…"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "Wire", into = "Wire")]
pub enum ThreeValued {
    Yes { reason: String },
    No { reason: String },
    NotMeasured { reason: String },
}

impl ThreeValued {
    pub fn yes(reason: impl Into<String>) -> Self {
        ThreeValued::Yes { reason: reason.into() }
    }

    pub fn no(reason: impl Into<String>) -> Self {
        ThreeValued::No { reason: reason.into() }
    }

    pub fn not_measured(reason: impl Into<String>) -> Self {
        ThreeValued::NotMeasured { reason: reason.into() }
    }

    /// The wire value. For display and storage only: decisions match on the enum.
    pub fn as_wire(&self) -> Option<bool> {
        match self {
            ThreeValued::Yes { .. } => Some(true),
            ThreeValued::No { .. } => Some(false),
            ThreeValued::NotMeasured { .. } => None,
        }
    }

    pub fn reason(&self) -> &str {
        match self {
            ThreeValued::Yes { reason } | ThreeValued::No { reason } | ThreeValued::NotMeasured { reason } => reason,
        }
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Wire {
    result: Option<bool>,
    reason: String,
}

impl From<Wire> for ThreeValued {
    fn from(wire: Wire) -> Self {
        match wire.result {
            Some(true) => ThreeValued::yes(wire.reason),
            Some(false) => ThreeValued::no(wire.reason),
            None => ThreeValued::not_measured(wire.reason),
        }
    }
}

impl From<ThreeValued> for Wire {
    fn from(value: ThreeValued) -> Self {
        Wire { result: value.as_wire(), reason: value.reason().to_string() }
    }
}
