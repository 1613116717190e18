//! What the pages ask for again and again, kept so that it is read off the disk once: which frames a run has, and what
//! the checks did in runs that have ended. All of it can be thrown away at any time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use surehand_store::{EventTail, Store};
use surehand_types::ViewSize;
use surehand_types::event::Event;

use super::tally::Tally;

/// Runs whose frames are known at once; then it begins anew.
const RUNS: usize = 64;
/// The same for sums, which are small.
const SUMS: usize = 2_000;

#[derive(Debug, Default)]
pub(crate) struct Memo {
    frames: Mutex<HashMap<String, RunFrames>>,
    tallies: Mutex<HashMap<String, Arc<Tally>>>,
}

/// A frame of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KnownFrame {
    pub(crate) sha256: String,
    pub(crate) view: ViewSize,
}

#[derive(Debug)]
struct RunFrames {
    tail: EventTail,
    by_number: HashMap<u64, String>,
    by_hash: HashMap<String, ViewSize>,
}

impl Memo {
    /// A frame by its number or its content hash, if it belongs to the run. Reads what was written since the last
    /// question, so it is no work for an async thread.
    pub(crate) fn frame(&self, store: &Store, run_id: &str, named: &str) -> Option<KnownFrame> {
        let mut all = self.frames.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= RUNS && !all.contains_key(run_id) {
            all.clear();
        }
        if !all.contains_key(run_id) {
            let tail = store.tail(run_id).ok()?;
            all.insert(run_id.to_string(), RunFrames { tail, by_number: HashMap::new(), by_hash: HashMap::new() });
        }
        let known = all.get_mut(run_id)?;
        if known.find(named).is_none() {
            known.read_on();
        }
        known.find(named)
    }

    pub(crate) fn tally(&self, run_id: &str) -> Option<Arc<Tally>> {
        self.tallies.lock().unwrap_or_else(PoisonError::into_inner).get(run_id).cloned()
    }

    pub(crate) fn keep_tally(&self, run_id: &str, tally: &Arc<Tally>) {
        let mut all = self.tallies.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= SUMS {
            all.clear();
        }
        all.insert(run_id.to_string(), Arc::clone(tally));
    }
}

impl RunFrames {
    fn read_on(&mut self) {
        // A trace that cannot be read has no frames to show; the log of the stream says why.
        while let Some(events) = self.tail.read().ok().filter(|events| !events.is_empty()) {
            for envelope in events {
                if let Event::Frame(stored) = envelope.event {
                    let pixels = ViewSize { width: stored.width, height: stored.height };
                    self.by_hash.insert(stored.sha256.clone(), stored.view.unwrap_or(pixels));
                    self.by_number.insert(stored.frame_id, stored.sha256);
                }
            }
        }
    }

    fn find(&self, named: &str) -> Option<KnownFrame> {
        let numbered = named.parse::<u64>().ok().filter(|_| named.len() < 20);
        let sha256 = numbered.and_then(|number| self.by_number.get(&number)).map_or(named, String::as_str);
        let view = *self.by_hash.get(sha256)?;
        Some(KnownFrame { sha256: sha256.to_string(), view })
    }
}
