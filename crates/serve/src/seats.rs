//! How many requests somebody has under way. Each holds a connection, some for as long as a run takes, so one caller must
//! not be able to take the places of all others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Streams of events of one caller at once, and waits for a result.
pub(crate) const LONG: usize = 128;

/// Requests of one caller at once, of whatever kind: somewhat more than both of those.
pub(crate) const ALL: usize = 320;

#[derive(Debug)]
pub(crate) struct Seats {
    most: usize,
    taken: Mutex<HashMap<String, usize>>,
}

/// Given back when it drops.
#[derive(Debug)]
pub(crate) struct Seat {
    seats: Arc<Seats>,
    name: String,
}

impl Seats {
    pub(crate) fn new(most: usize) -> Arc<Seats> {
        Arc::new(Seats { most, taken: Mutex::default() })
    }

    /// `None` where this caller has enough.
    pub(crate) fn sit(self: &Arc<Self>, name: &str) -> Option<Seat> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let count = taken.entry(name.to_string()).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Seat { seats: Arc::clone(self), name: name.to_string() })
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = self.seats.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = taken.get_mut(&self.name) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                taken.remove(&self.name);
            }
        }
    }
}

/// The seat of one request, which is taken when all of the request has come: until then it can be sent away.
#[derive(Debug)]
pub(crate) struct Place {
    seats: Arc<Seats>,
    name: String,
    seat: OnceLock<Seat>,
}

impl Place {
    pub(crate) fn new(seats: &Arc<Seats>, name: &str) -> Place {
        Place { seats: Arc::clone(seats), name: name.to_string(), seat: OnceLock::new() }
    }

    /// `false` where this caller has enough.
    pub(crate) fn take(&self) -> bool {
        match self.seats.sit(&self.name) {
            Some(seat) => {
                // A second one is given back at once.
                let _ = self.seat.set(seat);
                true
            }
            None => self.seat.get().is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_counted_by_caller_and_come_back() {
        let all = Seats::new(3);
        let mut seats: Vec<Seat> = (0..3).map(|_| all.sit("ada").unwrap()).collect();
        assert!(all.sit("ada").is_none());
        assert!(all.sit("bob").is_some());
        seats.pop();
        let place = Place::new(&all, "ada");
        assert!(place.take() && place.take(), "once is enough");
        assert!(!Place::new(&all, "ada").take());
        drop(place);
        assert!(all.sit("ada").is_some());
    }
}
