//! What was done, by name: the only truth about a task.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use crate::parts::{DEFAULT_SEED, SiteState};

const DEEDS: &[&str] = &["saved", "sent", "archived", "approved", "deleted"];

#[derive(Debug)]
pub(super) struct TrapsState {
    kept: Mutex<(u64, BTreeMap<&'static str, u64>)>,
}

impl Default for TrapsState {
    fn default() -> Self {
        TrapsState { kept: Mutex::new((DEFAULT_SEED, BTreeMap::new())) }
    }
}

impl TrapsState {
    /// Whether there is such a deed.
    pub(super) fn count(&self, deed: &str) -> bool {
        let Some(known) = DEEDS.iter().find(|known| **known == deed) else { return false };
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        *kept.1.entry(known).or_default() += 1;
        true
    }
}

impl SiteState for TrapsState {
    fn snapshot(&self) -> Value {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let counts: serde_json::Map<String, Value> =
            DEEDS.iter().map(|deed| ((*deed).to_string(), json!(kept.1.get(deed).copied().unwrap_or(0)))).collect();
        json!({ "seed": kept.0, "deeds": counts })
    }

    fn reset(&self, seed: u64) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = (seed, BTreeMap::new());
    }
}
