//! What the server remembers: per run, whether the click arrived on the page and whether the effect of a
//! live control really ran, and what was sent to it.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::parts::{DEFAULT_SEED, SiteState};

/// A bench has some hundred runs; a page that is left open for days must not fill the memory.
const MOST_RUNS: usize = 20_000;

/// What the documents of one run told when they were left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub(super) struct Witness {
    arrived: u32,
    ran: u32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Testimony {
    run: u64,
    arrived: u32,
    ran: u32,
}

#[derive(Debug)]
struct Kept {
    seed: u64,
    runs: BTreeMap<u64, Witness>,
    saved: u64,
}

#[derive(Debug)]
pub(super) struct FaultState {
    kept: Mutex<Kept>,
}

impl Default for FaultState {
    fn default() -> Self {
        FaultState { kept: Mutex::new(Kept::new(DEFAULT_SEED)) }
    }
}

impl Kept {
    fn new(seed: u64) -> Kept {
        Kept { seed, runs: BTreeMap::new(), saved: 0 }
    }
}

impl FaultState {
    /// A page and the frames in it tell one after the other; together they are the run's witness.
    pub(super) fn testify(&self, told: &Testimony) {
        let mut kept = self.lock();
        if kept.runs.len() >= MOST_RUNS && !kept.runs.contains_key(&told.run) {
            return;
        }
        let witness = kept.runs.entry(told.run).or_default();
        witness.arrived = witness.arrived.saturating_add(told.arrived);
        witness.ran = witness.ran.saturating_add(told.ran);
    }

    pub(super) fn save(&self) {
        self.lock().saved += 1;
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        // Nothing that could panic runs while it is held.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SiteState for FaultState {
    fn snapshot(&self) -> Value {
        let kept = self.lock();
        json!({ "seed": kept.seed, "runs": kept.runs, "saved": kept.saved })
    }

    fn reset(&self, seed: u64) {
        *self.lock() = Kept::new(seed);
    }
}
