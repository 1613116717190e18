//! Connections that have not asked for anything yet. When all places are taken, the one that has been silent for the
//! longest time makes room for the next: whoever opens sockets and says nothing keeps nobody else out.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio_util::sync::CancellationToken;

#[derive(Debug, Default)]
pub(crate) struct Newcomers {
    silent: Mutex<Silent>,
}

#[derive(Debug, Default)]
struct Silent {
    next: u64,
    by_age: BTreeMap<u64, CancellationToken>,
}

/// One of them, until it asks for something or drops.
#[derive(Debug)]
pub(crate) struct Newcomer {
    all: Arc<Newcomers>,
    number: u64,
    dismissed: CancellationToken,
    has_asked: AtomicBool,
}

impl Newcomers {
    pub(crate) fn welcome(self: &Arc<Self>) -> Newcomer {
        let dismissed = CancellationToken::new();
        let mut silent = self.silent.lock().unwrap_or_else(PoisonError::into_inner);
        let number = silent.next;
        silent.next += 1;
        silent.by_age.insert(number, dismissed.clone());
        Newcomer { all: Arc::clone(self), number, dismissed, has_asked: AtomicBool::new(false) }
    }

    /// Tells the oldest to leave. Returns whether there was one.
    pub(crate) fn dismiss_oldest(&self) -> bool {
        let oldest = self.silent.lock().unwrap_or_else(PoisonError::into_inner).by_age.pop_first();
        oldest.map(|(_, dismissed)| dismissed.cancel()).is_some()
    }
}

impl Newcomer {
    /// From now on it keeps its place.
    pub(crate) fn note_asked(&self) {
        if !self.has_asked.swap(true, Ordering::AcqRel) {
            self.leave_list();
        }
    }

    pub(crate) fn has_asked(&self) -> bool {
        self.has_asked.load(Ordering::Acquire)
    }

    /// Ends when it has to go, which it never has to after it asked for something.
    pub(crate) async fn dismissed(&self) {
        self.dismissed.cancelled().await;
        if self.has_asked() {
            std::future::pending().await
        }
    }

    fn leave_list(&self) {
        self.all.silent.lock().unwrap_or_else(PoisonError::into_inner).by_age.remove(&self.number);
    }
}

impl Drop for Newcomer {
    fn drop(&mut self) {
        self.leave_list();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_silent_one_leaves_and_who_has_asked_stays() {
        let all: Arc<Newcomers> = Arc::default();
        let (first, second, third) = (all.welcome(), all.welcome(), all.welcome());
        first.note_asked();
        assert!(all.dismiss_oldest());
        assert!(second.dismissed.is_cancelled() && !first.dismissed.is_cancelled() && !third.dismissed.is_cancelled());
        drop(third);
        assert!(!all.dismiss_oldest(), "nobody is silent any more");
    }
}
