// The lock around the wall. It is only reachable through a closure, so it is never held across
// an await.

use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use super::wall::Wall;
use crate::parts::SiteState;

#[derive(Debug)]
pub(crate) struct BoardState {
    wall: Mutex<Wall>,
}

impl BoardState {
    pub(crate) fn new(seed: u64) -> Self {
        Self { wall: Mutex::new(Wall::new(seed)) }
    }

    pub(crate) fn with<T>(&self, act: impl FnOnce(&mut Wall) -> T) -> T {
        act(&mut self.wall.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl SiteState for BoardState {
    fn snapshot(&self) -> Value {
        self.with(|wall| wall.snapshot())
    }

    fn reset(&self, seed: u64) {
        self.with(|wall| *wall = Wall::new(seed));
    }
}
