//! The time in which a run waits for a person's word. It is not the run's own: no limit goes on meanwhile, and a question
//! is never cut short by one.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;

/// Clones measure the same time.
#[derive(Debug, Clone, Default)]
pub(crate) struct Waits(Arc<watch::Sender<Waited>>);

#[derive(Debug, Clone, Copy, Default)]
struct Waited {
    before: Duration,
    since: Option<Instant>,
}

/// A question that is open until this is dropped.
#[derive(Debug)]
pub(crate) struct Waiting<'a>(&'a Waits);

impl Waits {
    pub(crate) fn begin(&self) -> Waiting<'_> {
        self.0.send_modify(|waited| waited.since = Some(Instant::now()));
        Waiting(self)
    }

    /// In all, until now.
    pub(crate) fn total(&self) -> Duration {
        let waited = *self.0.borrow();
        waited.before + waited.since.map(|since| since.elapsed()).unwrap_or_default()
    }

    /// Ends when nothing is asked.
    pub(crate) async fn over(&self) {
        // The sender lives as long as these do.
        let _ = self.0.subscribe().wait_for(|waited| waited.since.is_none()).await;
    }

    /// Ends when something is asked.
    pub(crate) async fn begun(&self) {
        let _ = self.0.subscribe().wait_for(|waited| waited.since.is_some()).await;
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.0.send_modify(|waited| {
            waited.before += waited.since.take().map(|since| since.elapsed()).unwrap_or_default();
        });
    }
}
