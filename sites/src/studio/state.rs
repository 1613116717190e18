//! The pattern that the server has, and what it accepts as one.

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::parts::{DEFAULT_SEED, SiteState};
use crate::random::Random;
use crate::reply::ErrorReply;

const STEPS: usize = 16;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pattern {
    tempo: u32,
    r#loop: bool,
    metronome: bool,
    rows: Vec<Row>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    muted: bool,
    steps: Vec<bool>,
}

#[derive(Debug)]
struct Kept {
    seed: u64,
    pattern: Pattern,
    saves: u64,
}

#[derive(Debug)]
pub(super) struct StudioState {
    kept: Mutex<Kept>,
}

impl Default for StudioState {
    fn default() -> Self {
        StudioState { kept: Mutex::new(Kept::new(DEFAULT_SEED)) }
    }
}

impl Kept {
    fn new(seed: u64) -> Kept {
        let mut random = Random::new(seed);
        // The second is a look-alike of the first, on purpose.
        let rows = ["Kick", "Kick Room", "Snare", "Closed Hat", "Shaker"]
            .into_iter()
            .enumerate()
            .map(|(index, name)| Row {
                name: name.to_owned(),
                muted: index == 4,
                steps: (0..STEPS).map(|_| index > 1 && random.below(4) == 0).collect(),
            })
            .collect();
        Kept { seed, pattern: Pattern { tempo: 120, r#loop: true, metronome: false, rows }, saves: 0 }
    }
}

impl StudioState {
    pub(super) fn pattern(&self) -> Pattern {
        self.lock().pattern.clone()
    }

    /// Takes a pattern of the same rows; anything else changes nothing.
    pub(super) fn save(&self, pattern: Pattern) -> Result<(), ErrorReply> {
        let mut kept = self.lock();
        let same_rows = pattern.rows.len() == kept.pattern.rows.len()
            && pattern.rows.iter().zip(&kept.pattern.rows).all(|(new, old)| new.name == old.name);
        if !same_rows || pattern.rows.iter().any(|row| row.steps.len() != STEPS) {
            return Err(ErrorReply::wrong_field("rows", "The rows are not those of this pattern."));
        }
        if !(40..=240).contains(&pattern.tempo) {
            return Err(ErrorReply::wrong_field("tempo", "The tempo must be from 40 to 240."));
        }
        kept.pattern = pattern;
        kept.saves += 1;
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        // Nothing that could panic runs while it is held.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SiteState for StudioState {
    fn snapshot(&self) -> Value {
        let kept = self.lock();
        let active: Vec<Value> = kept
            .pattern
            .rows
            .iter()
            .map(|row| {
                let on: Vec<usize> =
                    row.steps.iter().enumerate().filter(|(_, on)| **on).map(|(index, _)| index + 1).collect();
                json!({ "name": row.name, "muted": row.muted, "active": on })
            })
            .collect();
        json!({ "seed": kept.seed, "saves": kept.saves, "pattern": kept.pattern, "rows": active })
    }

    fn reset(&self, seed: u64) {
        *self.lock() = Kept::new(seed);
    }
}
