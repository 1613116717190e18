//! What the two servers remember: acts that cannot be taken back, and what reached the thief.

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde_json::{Value, json};

use crate::parts::{DEFAULT_SEED, SiteState};

/// A page that floods its thief must not fill the memory.
const MOST_ENTRIES: usize = 2_000;
const MOST_CHARACTERS: usize = 4_000;

#[derive(Debug, Clone, Serialize)]
struct Act {
    kind: String,
    detail: String,
}

#[derive(Debug)]
struct Kept {
    seed: u64,
    acts: Vec<Act>,
    taken: Vec<String>,
    visits: Vec<String>,
}

#[derive(Debug)]
pub(super) struct HostileState {
    kept: Mutex<Kept>,
}

impl Default for HostileState {
    fn default() -> Self {
        HostileState { kept: Mutex::new(Kept::new(DEFAULT_SEED)) }
    }
}

impl Kept {
    fn new(seed: u64) -> Kept {
        Kept { seed, acts: Vec::new(), taken: Vec::new(), visits: Vec::new() }
    }
}

impl HostileState {
    pub(super) fn note_act(&self, kind: &str, detail: &str) {
        let mut kept = self.lock();
        if kept.acts.len() < MOST_ENTRIES {
            kept.acts.push(Act { kind: short(kind), detail: short(detail) });
        }
    }

    pub(super) fn note_taken(&self, what: &str) {
        let mut kept = self.lock();
        if kept.taken.len() < MOST_ENTRIES {
            kept.taken.push(short(what));
        }
    }

    /// Somebody looked at a page of the thief's; nothing was taken by that alone.
    pub(super) fn note_visit(&self, path: &str) {
        let mut kept = self.lock();
        if kept.visits.len() < MOST_ENTRIES {
            kept.visits.push(short(path));
        }
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        // Nothing that could panic runs while it is held.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn short(text: &str) -> String {
    text.chars().take(MOST_CHARACTERS).collect()
}

impl SiteState for HostileState {
    fn snapshot(&self) -> Value {
        let kept = self.lock();
        json!({ "seed": kept.seed, "acts": kept.acts, "taken": kept.taken, "visits": kept.visits })
    }

    fn reset(&self, seed: u64) {
        *self.lock() = Kept::new(seed);
    }
}
