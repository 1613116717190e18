//! What a run may use up: steps and time. Asked before every step and every thought.

use std::time::{Duration, Instant};

use surehand_types::Termination;
use surehand_types::reply::BudgetLeft;

use crate::waits::Waits;

#[derive(Debug, Clone)]
pub(crate) struct Budget {
    max_steps: u32,
    /// Unless people are asked something.
    ends_at: Option<Instant>,
    waits: Waits,
    waited_before: Duration,
}

impl Budget {
    pub(crate) fn new(max_steps: u32, timeout: Option<Duration>, waits: &Waits) -> Self {
        let ends_at = timeout.map(|timeout| Instant::now() + timeout);
        Budget { max_steps, ends_at, waits: waits.clone(), waited_before: waits.total() }
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
        if self.time_left().is_some_and(|left| left.is_zero()) {
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
        let asked = self.waits.total().saturating_sub(self.waited_before);
        self.ends_at.map(|end| (end + asked).saturating_duration_since(Instant::now()))
    }

    /// Ends when the time is up; never, without a limit.
    pub(crate) async fn time_up(&self) {
        loop {
            self.waits.over().await;
            match self.time_left() {
                None => return std::future::pending().await,
                Some(left) if left.is_zero() => return,
                Some(left) => tokio::select! {
                    () = tokio::time::sleep(left) => {}
                    () = self.waits.begun() => {}
                },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn no_time_passes_while_a_person_is_asked() {
        let waits = Waits::default();
        let limit = Duration::from_millis(40);
        let budget = Budget::new(1, Some(limit), &waits);
        let asked = waits.begin();
        let left = budget.time_left().unwrap();
        assert!(tokio::time::timeout(limit * 3, budget.time_up()).await.is_err(), "it stands still");
        assert!(budget.time_left().unwrap() >= left.saturating_sub(Duration::from_millis(1)));
        assert_eq!(budget.exhausted(0), None);
        let later = Budget::new(1, Some(limit), &waits);
        drop(asked);
        budget.time_up().await;
        later.time_up().await;
        assert_eq!(budget.exhausted(0), Some(Termination::Timeout));
        assert!(waits.total() >= limit * 3);
    }
}
