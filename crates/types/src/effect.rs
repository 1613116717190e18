//! What an action did to the world, as far as it was measured.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EffectStatus {
    /// Something changed and the change is tied to the action.
    Confirmed,
    /// Everything this environment can measure was measured and stayed quiet.
    NoEffect,
    /// Not enough was measured to say either; never a warning, never a success.
    Unverifiable,
    /// Nothing was dispatched.
    Refused,
}

/// One observed fact that speaks for or against an effect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    pub kind: String,
    pub detail: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Effect {
    pub status: EffectStatus,
    pub evidence: Vec<Evidence>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}

impl Effect {
    pub fn confirmed(kind: impl Into<String>, detail: impl Into<String>) -> Self {
        Effect::by(EffectStatus::Confirmed, kind, detail)
    }

    /// A status with the one fact that it rests on.
    pub fn by(status: EffectStatus, kind: impl Into<String>, detail: impl Into<String>) -> Self {
        Effect { status, evidence: vec![Evidence { kind: kind.into(), detail: detail.into() }], reason: None }
    }

    pub fn unverifiable(reason: impl Into<String>) -> Self {
        Effect { status: EffectStatus::Unverifiable, evidence: Vec::new(), reason: Some(reason.into()) }
    }

    pub fn refused(reason: impl Into<String>) -> Self {
        Effect { status: EffectStatus::Refused, evidence: Vec::new(), reason: Some(reason.into()) }
    }

    /// What the tools answer while no effect check is wired in.
    pub fn not_measured() -> Self {
        Effect::unverifiable("not_measured")
    }
}
