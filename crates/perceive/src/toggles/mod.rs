//! Checkboxes and pill switches. Only shapes that are hard to mistake are told on or off: an empty box in
//! the colour of the page, a box with a tick, a pill whose knob and colour say the same.

mod boxes;
mod pills;

use surehand_types::Pixels;
use surehand_types::ui::{Anchor, OnOff, UiToggle};

use crate::colour::{Lab, median_of};
use crate::ocr::{Ocr, OcrError, read_lines};
use crate::shape::{Rect, side};
use crate::structure::Spot;

/// More candidates than this are a pattern, not a form.
const MAX_TOGGLES: usize = 40;
/// A label less sure than this is not reported.
const MIN_CONFIDENCE: f64 = 0.6;

/// A switch and where it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Found {
    pub(crate) bounds: Rect,
    pub(crate) state: OnOff,
    pub(crate) conf: f64,
}

/// Candidates outside of the given areas (grids of cells have cells that look like boxes).
pub(crate) fn find(pixels: &Pixels, spots: &[Spot], taken: &[Rect]) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for spot in spots.iter().filter(|spot| squarish(&spot.outer())) {
        let inside = |area: &Rect| area.grown(6).contains(&spot.outer());
        if taken.iter().any(inside) {
            continue;
        }
        let Some(one) = pills::read(pixels, spot).or_else(|| boxes::read(pixels, spot)) else { continue };
        if !found.iter().any(|known| known.bounds.intersection(&one.bounds).is_some()) {
            found.push(one);
        }
    }
    if found.len() > MAX_TOGGLES { Vec::new() } else { found }
}

fn squarish(rect: &Rect) -> bool {
    let (width, height) = (rect.width(), rect.height());
    (8..=48).contains(&width) && (width - height).abs() <= 1 + width / 12
}

/// Labels to the right of the switches, or to the left where nothing is on the right.
pub(crate) fn label(found: &[Found], pixels: &Pixels, ocr: &Ocr) -> Result<Vec<UiToggle>, OcrError> {
    let mut labels: Vec<Option<Anchor>> = vec![None; found.len()];
    for right in [true, false] {
        let open: Vec<usize> = (0..found.len()).filter(|index| labels[*index].is_none()).collect();
        let areas: Vec<(usize, Rect)> =
            open.iter().filter_map(|index| Some((*index, beside(&found[*index].bounds, right, pixels)?))).collect();
        if areas.is_empty() {
            break;
        }
        let rects: Vec<Rect> = areas.iter().map(|(_, area)| *area).collect();
        let factor = if rects.iter().all(|rect| rect.height() < 40) { 3 } else { 2 };
        for ((index, area), words) in areas.iter().zip(read_lines(pixels, &rects, factor, ocr)?) {
            labels[*index] = nearest_phrase(&words, *area, right);
        }
    }
    let toggle = |(found, label): (&Found, Option<Anchor>)| UiToggle {
        label: label.map(|label| label.text),
        bbox: found.bounds.to_box(),
        state: found.state,
        conf: found.conf,
    };
    Ok(found.iter().zip(labels).map(toggle).collect())
}

fn beside(bounds: &Rect, right: bool, pixels: &Pixels) -> Option<Rect> {
    let height = bounds.height().clamp(14, 40);
    let middle = bounds.centre().1 as i32;
    let (top, bottom) = (middle - height * 4 / 5, middle + height * 4 / 5);
    let length = height * 16;
    let area = if right {
        Rect::new(bounds.x1 + 3, top, bounds.x1 + 3 + length, bottom)
    } else {
        Rect::new((bounds.x0 - 3 - length * 3 / 2).max(0), top, bounds.x0 - 3, bottom)
    };
    let area = area.within(pixels).filter(|area| area.width() > 8)?;
    has_ink(pixels, area).then_some(area)
}

/// Whether anything is drawn there; a blank area needs no OCR.
fn has_ink(pixels: &Pixels, area: Rect) -> bool {
    let Some(ground) = median_of(pixels, area) else { return false };
    let far = |pixel: &[u8]| pixel.iter().zip(ground).any(|(value, ground)| (f64::from(*value) - ground).abs() > 60.0);
    let lines = area.y0..area.y1;
    lines.flat_map(|y| crate::colour::line(pixels, y, area.x0, area.x1).chunks_exact(3)).filter(|p| far(p)).count() > 8
}

/// The words that stand together nearest to the switch.
fn nearest_phrase(words: &[Anchor], area: Rect, right: bool) -> Option<Anchor> {
    let mut sorted: Vec<&Anchor> = words.iter().filter(|word| word.text.chars().any(char::is_alphanumeric)).collect();
    sorted.sort_by_key(|word| word.bbox[0]);
    if !right {
        // A name far to the left of its switch is usual in lists; there is only one text in that line.
        return joined(&sorted);
    }
    let height = sorted.iter().map(|word| side(word.bbox[3] - word.bbox[1])).max()?;
    let first = sorted.first()?;
    if side(first.bbox[0]) - area.x0 > height * 3 {
        return None;
    }
    let near = |pair: &[&Anchor]| side(pair[1].bbox[0]) - side(pair[0].bbox[2]) <= height;
    let count = 1 + sorted.windows(2).take_while(|pair| near(pair)).count();
    joined(&sorted[..count])
}

fn joined(words: &[&Anchor]) -> Option<Anchor> {
    let bounds = words.iter().map(|word| Rect::of_box(word.bbox)).reduce(|a, b| a.union(&b))?;
    let conf = words.iter().map(|word| word.conf).fold(1.0, f64::min);
    let text: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    (conf >= MIN_CONFIDENCE).then(|| Anchor { text: text.join(" "), bbox: bounds.to_box(), conf })
}

/// The colour of a small area; `None` outside of the picture.
fn colour_at(pixels: &Pixels, x: f64, y: f64, half: i32) -> Option<Lab> {
    let (x, y) = (x.round() as i32, y.round() as i32);
    median_of(pixels, Rect::new(x - half, y - half, x + half + 1, y + half + 1)).map(Lab::of)
}
