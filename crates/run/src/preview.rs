//! A click or drag that was shown before it is done: what it would hit, what else is near, and the
//! pictures of both.

use surehand_checks::before::density::{GateMode, candidate_boxes, candidates, needs_preview};
use surehand_checks::before::{Aim, Nearby, Spot};
use surehand_checks::picture::{self, Stroke};
use surehand_env::WatcherBox;
use surehand_types::call::MouseCall;
use surehand_types::observation::{Candidate, ImageKind, Pending, PendingKind};
use surehand_types::{CallProblem, ErrorCode, Observation, Pixels, ViewBox, ViewPoint, ViewSize};

const HIT: Stroke = Stroke { colour: [255, 212, 0], width: 3.0, dashed: false };
const OTHER: Stroke = Stroke { colour: [255, 140, 0], width: 2.0, dashed: true };
/// What the crop shows around the point, in view pixels.
const CROP: (f64, f64) = (320.0, 180.0);
/// Width of the enlarged crop.
const CROP_WIDTH: u32 = 960;
/// A target that moved further than this is not the one that was shown.
const MOVED_PX: f64 = 3.0;

/// The action that waits to be confirmed.
#[derive(Debug, Clone)]
pub(crate) struct Preview {
    pub(crate) call: MouseCall,
    pub(crate) document: String,
    pub(crate) pending: Pending,
    pub(crate) candidates: Vec<Candidate>,
    spots: Vec<Spot>,
    /// Which of the spots is the crowded one: of a drag it may be either end.
    crowded: usize,
}

impl Preview {
    pub(crate) fn new(call: MouseCall, aim: &Aim, document: String, view: ViewSize) -> Preview {
        let kind = if matches!(call, MouseCall::Drag { .. }) { PendingKind::Drag } else { PendingKind::Click };
        let pending = Pending::new(kind, aim.hit.clone());
        let in_mode = |mode| aim.spots.iter().position(|spot| needs_preview(spot, mode));
        let crowded = in_mode(GateMode::Smart).or_else(|| in_mode(GateMode::Always)).unwrap_or_default();
        let found = aim.spots.get(crowded).map(|spot| candidates(spot, view)).unwrap_or_default();
        Preview { call, document, pending, candidates: found, spots: aim.spots.clone(), crowded }
    }

    pub(crate) fn message(&self) -> String {
        let verb = if self.pending.kind == PendingKind::Drag { "drag" } else { "click" };
        let verb = if self.crowded > 0 { "drag that ends" } else { verb };
        let target = self.spots.get(self.crowded).and_then(|spot| spot.hit.as_ref());
        let under = self.pending.hit.as_ref().filter(|_| self.crowded == 0).map(|hit| hit.descriptor.as_str());
        let target = match (target, under) {
            (Some(hit), _) => format!("{} (yellow)", hit.descriptor),
            (None, Some(under)) => format!("{under}, which is no control,"),
            (None, None) => "a place without a control".into(),
        };
        format!("{verb} on {target} previewed; mouse confirm commits it, another call drops it")
    }

    /// Whether the world is still what was shown.
    pub(crate) fn still_holds(&self, aim: &Aim) -> Result<(), CallProblem> {
        let changed = |message: String| Err(CallProblem { code: ErrorCode::TargetChanged, message });
        if aim.spots.len() != self.spots.len() {
            return changed("what would be hit is not known any more; look again".into());
        }
        for (shown, now) in self.spots.iter().zip(&aim.spots) {
            match (&shown.hit, &now.hit) {
                (None, None) => {}
                (Some(shown), Some(now)) if shown.identity == now.identity => {
                    if shown.descriptor != now.descriptor {
                        let (was, is) = (&shown.descriptor, &now.descriptor);
                        return changed(format!("{was} was previewed, but it is {is} now; aim again"));
                    }
                    if moved(shown, now) {
                        return changed(format!("{} has moved since the preview; aim again", shown.descriptor));
                    }
                }
                (Some(shown), now) => {
                    let now = now.as_ref().map_or("nothing that reacts", |now| now.descriptor.as_str());
                    return changed(format!("{} was previewed, but {now} is there now; aim again", shown.descriptor));
                }
                (None, Some(now)) => {
                    return changed(format!(
                        "{} has come under the point since the preview; aim again",
                        now.descriptor
                    ));
                }
            }
        }
        Ok(())
    }

    /// The whole frame with the boxes, and an enlarged crop around the point.
    pub(crate) fn pictures(&self, observation: &Observation) -> Vec<(ImageKind, Pixels)> {
        let view = observation.view;
        let mut pixels = observation.frame.pixels.as_ref().clone();
        picture::fill_boxes(&mut pixels, view, &observation.masks);
        for spot in &self.spots {
            for bounds in candidate_boxes(spot) {
                picture::outline_box(&mut pixels, view, bounds, OTHER);
            }
        }
        for hit in self.spots.iter().filter_map(|spot| spot.hit.as_ref()) {
            picture::outline_box(&mut pixels, view, hit.bounds, HIT);
        }
        picture::draw_cursor(&mut pixels, view, observation.cursor);
        let crop =
            self.spots.get(self.crowded).and_then(|spot| picture::crop(&pixels, view, crop_around(spot.point, view)));
        let crop = crop.map(|crop| (ImageKind::PreviewCrop, picture::enlarge(&crop, CROP_WIDTH)));
        std::iter::once((ImageKind::Preview, pixels)).chain(crop).collect()
    }

    /// The same boxes for a person who watches the live page.
    pub(crate) fn watcher_boxes(&self) -> Vec<WatcherBox> {
        let hits = self.spots.iter().filter_map(|spot| spot.hit.as_ref());
        let hits = hits.map(|hit| WatcherBox { bounds: hit.bounds, hit: true });
        let others = self.spots.iter().flat_map(candidate_boxes).map(|bounds| WatcherBox { bounds, hit: false });
        others.chain(hits).collect()
    }
}

/// Candidates as one line's end: `button "B" at [512, 300]`.
pub(crate) fn candidate_words(candidates: &[Candidate]) -> String {
    let words = candidates
        .iter()
        .map(|candidate| format!("{} at [{}, {}]", candidate.descriptor, candidate.center.x, candidate.center.y));
    words.collect::<Vec<_>>().join(", ")
}

fn moved(shown: &Nearby, now: &Nearby) -> bool {
    let (a, b) = (shown.bounds, now.bounds);
    [(a.x0, b.x0), (a.y0, b.y0), (a.x1, b.x1), (a.y1, b.y1)].iter().any(|(a, b)| (a - b).abs() > MOVED_PX)
}

fn crop_around(point: ViewPoint, view: ViewSize) -> ViewBox {
    let (width, height) = (CROP.0.min(view.width.into()), CROP.1.min(view.height.into()));
    let x0 = (f64::from(point.x) - width / 2.0).clamp(0.0, f64::from(view.width) - width);
    let y0 = (f64::from(point.y) - height / 2.0).clamp(0.0, f64::from(view.height) - height);
    ViewBox { x0, y0, x1: x0 + width, y1: y0 + height }
}
