//! Pill switches: a knob at one end of a track. Told on or off only where the knob's side and the track's
//! colour agree.

use surehand_types::Pixels;
use surehand_types::ui::OnOff;

use super::{Found, colour_at};
use crate::colour::{Lab, mean_and_spread};
use crate::shape::Rect;
use crate::structure::Spot;

/// A track stands out from the page and the knob from the track by at least this.
const DIFFERENT: f64 = 0.04;
/// A track this colourful is lit; one below the second value is not.
const LIT_CHROMA: f64 = 0.06;
const DULL_CHROMA: f64 = 0.03;

pub(crate) fn read(pixels: &Pixels, spot: &Spot) -> Option<Found> {
    let knob = spot.outer();
    let size = f64::from(knob.width());
    if !(9..=44).contains(&knob.width()) {
        return None;
    }
    let (x, y) = knob.centre();
    let (face, spread) = mean_and_spread(pixels, knob.grown(-knob.width() / 4))?;
    let face = Lab::of(face);
    if spread > 0.03 {
        return None;
    }
    let on_the_right = track(pixels, (x, y), size, -1.0, &face);
    let on_the_left = track(pixels, (x, y), size, 1.0, &face);
    let (colour, length, right) = match (on_the_left, on_the_right) {
        (Some((colour, length)), None) => (colour, length, false),
        (None, Some((colour, length))) => (colour, length, true),
        _ => return None,
    };
    let state = match right {
        true if colour.chroma() >= LIT_CHROMA => OnOff::On,
        false if colour.chroma() <= DULL_CHROMA => OnOff::Off,
        _ => OnOff::Unknown,
    };
    let reach = length as i32;
    let bounds = if right {
        Rect::new(knob.x0 - reach, knob.y0, knob.x1, knob.y1)
    } else {
        Rect::new(knob.x0, knob.y0, knob.x1 + reach, knob.y1)
    };
    let conf = if state == OnOff::Unknown { 0.3 } else { 0.85 };
    Some(Found { bounds: bounds.grown(2), state, conf })
}

/// The colour and length of a track that goes on beside the knob in one direction. It must end within
/// about a knob's width, in the page that also lies on the knob's other side, and be rounded there.
fn track(pixels: &Pixels, knob: (f64, f64), size: f64, direction: f64, face: &Lab) -> Option<(Lab, f64)> {
    let (x, y) = knob;
    let at = |distance: f64, down: f64| colour_at(pixels, x + direction * distance, y + down, 0);
    let colour = at(size * 0.5 + size * 0.28 + 1.0, 0.0)?;
    let page = at(-(size * 0.5 + size * 0.35 + 4.0), 0.0)?;
    if colour.distance(&page) < DIFFERENT || colour.distance(face) < DIFFERENT {
        return None;
    }
    // From the knob's edge, clear of its shadow, to the end of the track.
    let start = size * 0.5 + size * 0.2 + 1.0;
    let mut length = start;
    while length < size * 2.2 && at(length, 0.0).is_some_and(|here| here.distance(&colour) <= 0.05) {
        length += 1.0;
    }
    let beyond = at(length + 3.0, 0.0)?;
    let long_enough = (size * 0.95..size * 1.9).contains(&length);
    // The corners of a pill are page, its upper edge near the knob is not.
    let corner = at(length - 1.0, -size * 0.48)?;
    let side = at(size * 0.55, -size * 0.25)?;
    let rounded = corner.distance(&page) <= DIFFERENT && side.distance(&page) >= DIFFERENT / 2.0;
    (long_enough && beyond.distance(&page) <= DIFFERENT && rounded).then_some((colour, length - size * 0.5))
}
