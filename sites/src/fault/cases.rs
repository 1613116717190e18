//! One case: which kind, beside which noise, in which layout; where its page is and where to click.

use serde::Serialize;

use super::kinds::{KINDS, Kind, NOISES};
use super::layout::Layout;

/// One page to click on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Case {
    pub kind: Kind,
    pub noise: &'static str,
    pub seed: u64,
}

impl Case {
    /// `None` where one of the names is unknown.
    pub fn named(kind: &str, noise: &str, seed: u64) -> Option<Case> {
        let kind = KINDS.iter().find(|known| known.name == kind)?;
        let noise = NOISES.iter().find(|known| **known == noise)?;
        Some(Case { kind: *kind, noise, seed })
    }

    /// Path and query of the page; `run` is the number that its witness is kept under.
    pub fn path(&self, run: u64) -> String {
        format!("/case?kind={}&noise={}&seed={}&run={run}", self.kind.name, self.noise, self.seed)
    }

    /// The middle of the control, in pixels of a view of 1280x720.
    pub fn target(&self) -> (u32, u32) {
        Layout::of(self.seed).middle()
    }

    /// Whether the noise is within 60 pixels of the control.
    pub fn noise_is_near(&self) -> bool {
        self.noise != "none" && Layout::of(self.seed).is_near
    }
}
