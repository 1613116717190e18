//! Family `error_fingerprint`.

use serde::Deserialize;
use serde_json::json;
use surehand_memory::fingerprint::{FailureText, normalised};

use super::input;
use crate::{Case, Place, same};

#[derive(Deserialize)]
pub(super) struct Texts {
    #[serde(default)]
    error: String,
    #[serde(default)]
    state: String,
    #[serde(default)]
    action: String,
}

impl Texts {
    pub(super) fn failure(&self) -> FailureText<'_> {
        FailureText { error: &self.error, state: &self.state, action: &self.action }
    }
}

pub(super) fn run(case: &Case, _place: Place<'_>) -> Result<(), String> {
    let given: Texts = input(&case.input)?;
    let answer = json!({
        "normalized": {
            "error": normalised(&given.error), "state": normalised(&given.state), "action": normalised(&given.action),
        },
        "fingerprint": given.failure().fingerprint(),
    });
    same(&case.expect, &answer)
}
