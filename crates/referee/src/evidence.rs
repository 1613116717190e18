//! What the referee is given to look at. There is no place in it for anything a brain said or asked for: no
//! conversation, no summary, no structure that was read off a picture for the brain.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use surehand_types::{Frame, Pixels, Settings};

use crate::baseline::Baseline;

/// How long one probe may take.
pub const PROBE_DEADLINE: Duration = Duration::from_secs(15);

/// The end of a run, or a picture that somebody brought.
#[derive(Debug, Clone)]
pub struct Evidence {
    pub shot: Option<Shot>,
    /// Where the run began; `http` checks with a path from `/` are asked there.
    pub start_url: Option<String>,
    /// When the run began, for files that have to be newer.
    pub started_at: Option<SystemTime>,
    pub probe_deadline: Duration,
    pub missing_row: MissingRow,
    /// How things were when the run began, for checks that compare.
    pub baseline: Option<Arc<Baseline>>,
}

/// What a grid check says when no row matches and not every row could be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MissingRow {
    #[default]
    Unknown,
    Fail,
}

impl MissingRow {
    /// The setting `grid_row_missing`.
    pub fn of(settings: &Settings) -> MissingRow {
        match settings.text("grid_row_missing") {
            "fail" => MissingRow::Fail,
            _ => MissingRow::Unknown,
        }
    }
}

/// A picture of the end. Whoever makes one masks secrets first: parts of it become evidence, and a judge is
/// shown all of it.
#[derive(Debug, Clone)]
pub struct Shot {
    pub pixels: Arc<Pixels>,
    /// The picture is older than the end of the run, so it proves nothing about it.
    pub stale: bool,
}

impl Shot {
    pub fn of(frame: &Frame) -> Shot {
        Shot { pixels: Arc::clone(&frame.pixels), stale: frame.stale }
    }

    pub fn from_pixels(pixels: Pixels) -> Shot {
        Shot { pixels: Arc::new(pixels), stale: false }
    }
}

impl Default for Evidence {
    fn default() -> Evidence {
        Evidence {
            shot: None,
            start_url: None,
            started_at: None,
            probe_deadline: PROBE_DEADLINE,
            missing_row: MissingRow::default(),
            baseline: None,
        }
    }
}
