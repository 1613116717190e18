//! A run that is under way in this process: how to steer it, what it is asked, how far it is.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use surehand_run::{Gait, Reins, Wish};
use surehand_types::api::RunStatus;
use surehand_types::event::{Envelope, Event};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::inbox::Inbox;

#[derive(Debug)]
pub(crate) struct Live {
    pub(crate) reins: Reins,
    pub(crate) cancel: CancellationToken,
    pub(crate) inbox: Arc<Inbox>,
    /// The newest event's number.
    pub(crate) newest: watch::Sender<u64>,
    so_far: Mutex<SoFar>,
    held_when_put_away: AtomicBool,
}

/// What a list shows of a run under way.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct SoFar {
    pub(crate) steps: u32,
    pub(crate) cost: f64,
}

impl Live {
    pub(crate) fn new() -> Arc<Live> {
        let cancel = CancellationToken::new();
        let reins = Reins::default();
        Arc::new(Live {
            inbox: Inbox::new(cancel.clone(), reins.clone()),
            reins,
            cancel,
            newest: watch::Sender::new(0),
            so_far: Mutex::default(),
            held_when_put_away: AtomicBool::new(false),
        })
    }

    pub(crate) fn status(&self) -> RunStatus {
        if self.inbox.question().is_some() {
            return RunStatus::Waiting;
        }
        if self.reins.wished() == Wish::PutAway {
            return RunStatus::PutAway;
        }
        match self.reins.gait() {
            Gait::Going => RunStatus::Running,
            Gait::Paused => RunStatus::Paused,
            Gait::TakenOver => RunStatus::TakenOver,
        }
    }

    /// Whether it stood still for a person when it was put away.
    pub(crate) fn was_paused(&self) -> bool {
        self.held_when_put_away.load(Ordering::Relaxed)
    }

    /// Ends it in a state that can be gone on from.
    pub(crate) fn put_away(&self) {
        let wished = matches!(self.reins.wished(), Wish::Pause { .. } | Wish::TakeOver { .. });
        self.held_when_put_away.store(wished || self.reins.gait() != Gait::Going, Ordering::Relaxed);
        self.reins.wish(Wish::PutAway);
    }

    pub(crate) fn so_far(&self) -> SoFar {
        *self.so_far.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Called for every event after it is on disk.
    pub(crate) fn heard(&self, envelope: &Envelope) {
        {
            let mut so_far = self.so_far.lock().unwrap_or_else(PoisonError::into_inner);
            match &envelope.event {
                // By its number, which goes on after a restart.
                Event::Step(step) => so_far.steps = so_far.steps.max(step.step),
                Event::Replied { usage: Some(usage), .. } => so_far.cost += usage.cost_usd,
                _ => {}
            }
        }
        self.newest.send_replace(envelope.seq);
    }
}
