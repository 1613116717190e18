//! What a run may use up: steps and time. Asked before every step and every thought.

use std::time::{Duration, Instant};

use surehand_types::Termination;
use surehand_types::reply::BudgetLeft;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    max_steps: u32,
    ends_at: Option<Instant>,
}

impl Budget {
    pub(crate) fn new(max_steps: u32, timeout: Option<Duration>) -> Self {
        Budget { max_steps, ends_at: timeout.map(|timeout| Instant::now() + timeout) }
    }

    /// Time that people took does not count.
    pub(crate) fn pause(&mut self, time: Duration) {
        self.ends_at = self.ends_at.map(|end| end + time);
    }

    /// A step that a person did does not count either.
    pub(crate) fn grant_step(&mut self) {
        self.max_steps = self.max_steps.saturating_add(1);
    }

    /// Why no further step may be taken, if so.
    pub(crate) fn exhausted(&self, steps: u32) -> Option<Termination> {
        if self.ends_at.is_some_and(|end| Instant::now() >= end) {
            return Some(Termination::Timeout);
        }
        (steps >= self.max_steps).then_some(Termination::MaxSteps)
    }

    pub(crate) fn left(&self, steps: u32) -> BudgetLeft {
        BudgetLeft {
            steps_left: self.max_steps.saturating_sub(steps),
            seconds_left: self.time_left().map(|left| left.as_secs_f64()),
        }
    }

    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.ends_at.map(|end| end.saturating_duration_since(Instant::now()))
    }

    /// Ends when the time is up; never, without a limit.
    pub(crate) async fn time_up(&self) {
        match self.ends_at {
            Some(end) => tokio::time::sleep_until(end.into()).await,
            None => std::future::pending().await,
        }
    }
}
