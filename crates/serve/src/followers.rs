//! How many event streams somebody has open. Each holds a connection for as long as its run takes, so one caller must
//! not be able to take the places of all others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Streams of one caller at once.
pub(crate) const MOST: usize = 128;

#[derive(Debug, Default)]
pub(crate) struct Followers {
    counts: Mutex<HashMap<String, usize>>,
}

/// Given back when it drops.
#[derive(Debug)]
pub(crate) struct Seat {
    followers: Arc<Followers>,
    name: String,
}

impl Followers {
    /// `None` where this caller has enough.
    pub(crate) fn sit(self: &Arc<Self>, name: &str) -> Option<Seat> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(name.to_string()).or_default();
        if *count >= MOST {
            return None;
        }
        *count += 1;
        Some(Seat { followers: Arc::clone(self), name: name.to_string() })
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut counts = self.followers.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.name) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                counts.remove(&self.name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_counted_by_caller_and_come_back() {
        let followers: Arc<Followers> = Arc::default();
        let mut seats: Vec<Seat> = (0..MOST).map(|_| followers.sit("ada").unwrap()).collect();
        assert!(followers.sit("ada").is_none());
        assert!(followers.sit("bob").is_some());
        seats.pop();
        assert!(followers.sit("ada").is_some());
    }
}
