//! Documents of a page and where they lie: boxes of frames that no document above them can look into
//! are moved into the coordinates of the main frame through here and nowhere else.

use futures_util::future::join_all;
use serde::de::DeserializeOwned;
use surehand_types::ViewPoint;

use super::page::{Page, PageTrouble};
use super::state::ChildFrame;
use crate::cdp::protocol::dom;

/// What one frame below the main one may take to describe itself.
pub(crate) const FRAME_DEADLINE: std::time::Duration = std::time::Duration::from_millis(400);

/// Which document a question about focus has to be put to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Place {
    pub(crate) session: String,
    pub(crate) frame: String,
}

/// How a frame's content lies in the main frame: where it begins, and how much it is scaled.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FramePlace {
    x: f64,
    y: f64,
    sx: f64,
    sy: f64,
}

impl FramePlace {
    pub(crate) const MAIN: FramePlace = FramePlace { x: 0.0, y: 0.0, sx: 1.0, sy: 1.0 };

    pub(crate) fn outward(&self, b: [f64; 4]) -> [f64; 4] {
        [b[0] * self.sx + self.x, b[1] * self.sy + self.y, b[2] * self.sx + self.x, b[3] * self.sy + self.y]
    }

    pub(crate) fn inward(&self, x: f64, y: f64) -> (f64, f64) {
        ((x - self.x) / self.sx, (y - self.y) / self.sy)
    }
}

/// A frame whose content only its own process sees.
#[derive(Debug, Clone)]
pub(crate) struct PlacedFrame {
    pub(crate) frame: ChildFrame,
    pub(crate) place: FramePlace,
    size: [f64; 2],
}

/// Which of the frames lies at the point, the innermost of them.
pub(crate) fn innermost_at(frames: &[PlacedFrame], point: ViewPoint) -> Option<usize> {
    let shows = |frame: &PlacedFrame| {
        let (x, y) = frame.place.inward(f64::from(point.x), f64::from(point.y));
        x >= 0.0 && y >= 0.0 && x < frame.size[0] && y < frame.size[1]
    };
    let area = |frame: &PlacedFrame| frame.size[0] * frame.place.sx * frame.size[1] * frame.place.sy;
    let at_point = frames.iter().enumerate().filter(|(_, frame)| shows(frame));
    // Of equally large ones the inner one is listed last.
    at_point.rev().min_by(|(_, a), (_, b)| area(a).total_cmp(&area(b))).map(|(index, _)| index)
}

impl Page {
    pub(crate) fn child_frames(&self) -> Vec<ChildFrame> {
        self.shared.lock().tab(&self.target).map(|tab| tab.child_frames.clone()).unwrap_or_default()
    }

    pub(crate) fn main_place(&self) -> Place {
        let frame = self.shared.lock().tab(&self.target).map(|tab| tab.main_frame.clone()).unwrap_or_default();
        Place { session: self.session.clone(), frame }
    }

    /// Asks every frame that no document above it can look into, all at once. `None`: it did not answer.
    pub(crate) async fn ask_frames<T: DeserializeOwned>(
        &self,
        expression: &str,
    ) -> Vec<(ChildFrame, Option<Option<T>>)> {
        let unreached = format!("frameElement ? null : {expression}");
        let asked = self.child_frames().into_iter().map(|frame| {
            let unreached = unreached.as_str();
            async move {
                // One frame that hangs must not hold up the rest of the page.
                let answer = self.evaluate_in(&frame.session, &frame.frame, unreached);
                let answer = tokio::time::timeout(FRAME_DEADLINE, answer).await;
                (frame, answer.ok().and_then(Result::ok))
            }
        });
        join_all(asked).await
    }

    /// How a frame's content lies in the main frame. The protocol gives boxes relative to the root of
    /// their session, so the roots above it are put around it.
    pub(crate) async fn place_of(&self, frame: &ChildFrame, size: [f64; 2]) -> Result<FramePlace, PageTrouble> {
        let frames = self.child_frames();
        let mut place = FramePlace::MAIN;
        let (mut current, mut size) = (frame.clone(), size);
        for _ in 0..16 {
            let outer = self.place_in_parent(&current, size).await?;
            place = FramePlace {
                x: place.x * outer.sx + outer.x,
                y: place.y * outer.sy + outer.y,
                sx: place.sx * outer.sx,
                sy: place.sy * outer.sy,
            };
            let root =
                |candidate: &&ChildFrame| candidate.session == current.parent_session && candidate.is_session_root();
            let Some(parent) = frames.iter().find(root) else { break };
            current = parent.clone();
            size = self.evaluate_in(&current.session, &current.frame, "[innerWidth, innerHeight]").await?;
        }
        Ok(place)
    }

    async fn place_in_parent(&self, frame: &ChildFrame, [width, height]: [f64; 2]) -> Result<FramePlace, PageTrouble> {
        let owner = dom::GetFrameOwner { frame_id: frame.frame.clone() };
        let owner = self.connection.call(Some(&frame.parent_session), &owner, self.deadline).await?;
        let model = dom::GetBoxModel { backend_node_id: owner.backend_node_id };
        let model = self.connection.call(Some(&frame.parent_session), &model, self.deadline).await?.model;
        let [left, top, right, _, _, bottom, ..] = model.content.as_slice() else {
            return Err(PageTrouble::Unknown("the frame has no box".into()));
        };
        // A transform scales the content; less than that is rounding.
        let scale = |shown: f64, own: f64| {
            let ratio = if own > 0.0 { shown / own } else { 1.0 };
            if ratio > 0.0 && (ratio - 1.0).abs() > 0.02 { ratio } else { 1.0 }
        };
        Ok(FramePlace { x: *left, y: *top, sx: scale(right - left, width), sy: scale(bottom - top, height) })
    }

    /// The innermost frame at a point that the main document cannot look into.
    pub(crate) async fn frame_at(&self, point: ViewPoint) -> Option<PlacedFrame> {
        let mut frames = self.placed_frames().await;
        let at = innermost_at(&frames, point)?;
        Some(frames.swap_remove(at))
    }

    /// Every frame that the main document cannot look into, with where it lies.
    pub(crate) async fn placed_frames(&self) -> Vec<PlacedFrame> {
        let mut placed = Vec::new();
        for (frame, size) in self.ask_frames::<[f64; 2]>("[innerWidth, innerHeight]").await {
            let Some(Some(size)) = size else { continue };
            let Ok(place) = self.place_of(&frame, size).await else { continue };
            placed.push(PlacedFrame { frame, place, size });
        }
        placed
    }

    /// Marks the beginning of an action in the frames that the main document does not reach.
    pub(crate) async fn mark_frames(&self, except: Option<&Place>) {
        if self.child_frames().is_empty() {
            return;
        }
        let hit = except.map(|place| place.frame.as_str());
        let frames = self.child_frames().into_iter().filter(|frame| Some(frame.frame.as_str()) != hit);
        let marks = frames.map(|frame| async move {
            const MARK: &str = "frameElement ? null : __surehand.markProbe(null, null, null)";
            let mark = self.evaluate_in::<Option<bool>>(&frame.session, &frame.frame, MARK);
            let _ = tokio::time::timeout(FRAME_DEADLINE, mark).await;
        });
        join_all(marks).await;
    }
}
