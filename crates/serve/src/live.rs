//! A run that is under way in this process: how to steer it, what it is asked, how far it is.

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
        })
    }

    pub(crate) fn status(&self) -> RunStatus {
        if self.inbox.question().is_some() {
            return RunStatus::Waiting;
        }
        if self.reins.is_put_away() {
            return RunStatus::PutAway;
        }
        match self.reins.gait() {
            Gait::Going => RunStatus::Running,
            Gait::Paused => RunStatus::Paused,
            Gait::TakenOver => RunStatus::TakenOver,
        }
    }

    /// Whether people want it to stand still. Put away, it comes back paused.
    pub(crate) fn is_to_stand_still(&self) -> bool {
        !matches!(self.reins.wished(), Wish::Go { .. })
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
