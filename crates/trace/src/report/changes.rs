//! What changed between the two frames of a step, as boxes. Drawn over the frames that are on the page anyway, so
//! that the third view costs a few hundred bytes and no third picture. The report and the server's pages share it.

use std::fmt::Write as _;

use surehand_checks::after::pixels::differing_tiles;
use surehand_checks::picture;
use surehand_types::{Pixels, ViewBox, ViewSize};

use crate::cores::on_all_cores;
use crate::sink::FrameLibrary;
use crate::timeline::{FrameView, StepView, Timeline};

/// Boxes of one step; a picture with more of them is a picture in which everything moves.
const BOXES: usize = 24;
/// From this share on, boxes say less than the sentence that everything is new.
const NEARLY_ALL: f64 = 0.6;

/// The difference between two frames.
#[derive(Debug, Clone, PartialEq)]
pub struct Changes {
    /// The space of the boxes.
    pub view: ViewSize,
    /// The largest first, and not more than a picture can show; none where nearly everything is new.
    pub boxes: Vec<ViewBox>,
    pub regions: usize,
    /// 0 to 1, in whole tiles.
    pub share: f64,
}

/// For every entry of the timeline, in order; `None` where there are no two frames that can be compared.
pub(super) fn collect(timeline: &Timeline, library: &(dyn FrameLibrary + Sync)) -> Vec<Option<Changes>> {
    on_all_cores(&timeline.entries, |entries| {
        let mut last = Decoded::default();
        entries.iter().map(|entry| of_step(entry, library, &mut last)).collect()
    })
}

/// The frame after one step is the frame before the next: it is decoded once.
#[derive(Default)]
struct Decoded {
    sha256: String,
    pixels: Option<Pixels>,
}

fn of_step(entry: &StepView, library: &dyn FrameLibrary, last: &mut Decoded) -> Option<Changes> {
    let (before, after) = (entry.before.as_ref()?, entry.after.as_ref()?);
    if before.sha256 == after.sha256 {
        return None;
    }
    let old = if last.sha256 == before.sha256 { last.pixels.take() } else { decode(library, before) };
    *last = Decoded { sha256: after.sha256.clone(), pixels: decode(library, after) };
    between(&old?, last.pixels.as_ref()?, after.view)
}

fn decode(library: &dyn FrameLibrary, frame: &FrameView) -> Option<Pixels> {
    picture::decode(&library.get(&frame.sha256)?).ok()
}

/// `None` where the two cannot be compared, because they differ in size.
pub fn between(old: &Pixels, new: &Pixels, view: ViewSize) -> Option<Changes> {
    let tiles = differing_tiles(old, new)?;
    let all = (new.width.div_ceil(16) * new.height.div_ceil(16)).max(1);
    let share = tiles.count() as f64 / f64::from(all);
    let mut changes = Changes { view, boxes: Vec::new(), regions: 1, share };
    if share >= NEARLY_ALL {
        return Some(changes);
    }
    // Letters of one line are several clusters; with their neighbours they are one.
    let mut boxes: Vec<ViewBox> =
        tiles.grown(1).clusters().into_iter().filter_map(|cluster| cluster.within(&tiles).bounds(new, view)).collect();
    boxes.sort_by(|a, b| area(b).total_cmp(&area(a)));
    changes.regions = boxes.len();
    boxes.truncate(BOXES);
    changes.boxes = boxes;
    Some(changes)
}

fn area(bounds: &ViewBox) -> f64 {
    (bounds.x1 - bounds.x0) * (bounds.y1 - bounds.y0)
}

impl Changes {
    pub fn words(&self) -> String {
        let percent = match self.share * 100.0 {
            share if share < 1.0 => "less than 1".to_string(),
            share => format!("{share:.0}"),
        };
        if self.share >= NEARLY_ALL {
            return format!("nearly everything is new ({percent} % of the picture)");
        }
        let places = match self.regions {
            1 => "one place".to_string(),
            count => format!("{count} places"),
        };
        let shown = match self.regions > self.boxes.len() {
            true => format!(", the {} largest are marked", self.boxes.len()),
            false => String::new(),
        };
        format!("{places} changed, {percent} % of the picture{shown}")
    }

    /// An SVG that dims all but what changed; the page shows it when it is asked for.
    pub(super) fn overlay(&self) -> String {
        if self.boxes.is_empty() {
            return String::new();
        }
        let ViewSize { width, height } = self.view;
        let mut holes = String::new();
        for bounds in &self.boxes {
            // A little air, so that the outline does not cover what it outlines.
            let (x0, y0) = ((bounds.x0 - 3.0).max(0.0), (bounds.y0 - 3.0).max(0.0));
            let (x1, y1) = ((bounds.x1 + 3.0).min(f64::from(width)), (bounds.y1 + 3.0).min(f64::from(height)));
            let _ = write!(holes, "M{x0:.0} {y0:.0}H{x1:.0}V{y1:.0}H{x0:.0}Z");
        }
        format!(
            "<svg class=\"changes\" aria-hidden=\"true\" viewBox=\"0 0 {width} {height}\" preserveAspectRatio=\"none\">\
             <path class=\"dim\" d=\"M0 0H{width}V{height}H0Z{holes}\"/><path class=\"edge\" d=\"{holes}\"/></svg>"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEW: ViewSize = ViewSize { width: 320, height: 160 };

    fn picture(spots: &[(u32, u32)]) -> Pixels {
        let mut pixels = Pixels::new(320, 160, vec![200; 320 * 160 * 3]).unwrap();
        for (x, y) in spots {
            pixels.set(*x, *y, [0; 3]);
        }
        pixels
    }

    #[test]
    fn places_are_boxes_and_neighbours_are_one_place() {
        let changes = between(&picture(&[]), &picture(&[(20, 20), (40, 20), (200, 100)]), VIEW).unwrap();
        assert_eq!(changes.words(), "2 places changed, 2 % of the picture");
        assert_eq!(changes.boxes[0], ViewBox { x0: 16.0, y0: 16.0, x1: 48.0, y1: 32.0 });
        assert!(changes.overlay().contains("M13 13H51V35H13ZM189 93H211V115H189Z"), "{}", changes.overlay());
    }

    #[test]
    fn a_new_page_is_a_sentence_and_another_size_is_not_compared() {
        let other = Pixels::new(320, 160, vec![9; 320 * 160 * 3]).unwrap();
        let changes = between(&picture(&[]), &other, VIEW).unwrap();
        assert_eq!(changes.words(), "nearly everything is new (100 % of the picture)");
        assert_eq!(changes.overlay(), "");
        let larger = Pixels::new(321, 160, vec![9; 321 * 160 * 3]).unwrap();
        assert_eq!(between(&picture(&[]), &larger, VIEW), None);
    }
}
