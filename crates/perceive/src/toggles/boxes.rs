//! Checkboxes. Empty: a flat square in the colour of the page inside a border. Ticked: a square of one
//! colour with a tick on it. A dash (neither on nor off) and other signs stay unknown.

use surehand_types::Pixels;
use surehand_types::ui::OnOff;

use super::{Found, colour_at};
use crate::colour::{Lab, channel_difference, line, mean_and_spread, median_of};
use crate::shape::Rect;
use crate::structure::Spot;

/// A border differs from what it encloses by at least this.
const BORDER: f64 = 0.07;
/// Colours closer than this are the same ground.
const SAME: f64 = 0.04;

pub(crate) fn read(pixels: &Pixels, spot: &Spot) -> Option<Found> {
    let rect = spot.outer();
    // Larger ones are buttons and pictures.
    if !(8..=34).contains(&rect.width()) {
        return None;
    }
    let page = ground_around(pixels, &rect)?;
    empty(pixels, spot.inner(), &page).or_else(|| ticked(pixels, rect, &page))
}

/// What is around the box on all four sides; `None` where that is not one colour.
fn ground_around(pixels: &Pixels, rect: &Rect) -> Option<Lab> {
    let (x, y) = rect.centre();
    let away = f64::from(rect.width()) / 2.0 + 5.0;
    let sides = [(x - away, y), (x, y - away), (x, y + away)];
    let colours: Vec<Lab> = sides.iter().filter_map(|(x, y)| colour_at(pixels, *x, *y, 1)).collect();
    let first = *colours.first()?;
    (colours.len() == 3 && colours.iter().all(|colour| colour.distance(&first) <= SAME)).then_some(first)
}

fn empty(pixels: &Pixels, rect: Rect, page: &Lab) -> Option<Found> {
    let (mean, spread) = mean_and_spread(pixels, rect.grown(-1))?;
    let inside = Lab::of(mean);
    if spread > 0.02 || inside.distance(page) > SAME {
        return None;
    }
    // Along every side the border shows, within two pixels.
    let bordered = |strip: fn(Rect, i32) -> Rect| {
        (0..3).any(|step| {
            median_of(pixels, strip(rect, step)).is_some_and(|colour| Lab::of(colour).distance(&inside) >= BORDER)
        })
    };
    let all = bordered(|r, step| Rect::new(r.x0 - step - 1, r.y0 + 2, r.x0 - step, r.y1 - 2))
        && bordered(|r, step| Rect::new(r.x1 + step, r.y0 + 2, r.x1 + step + 1, r.y1 - 2))
        && bordered(|r, step| Rect::new(r.x0 + 2, r.y0 - step - 1, r.x1 - 2, r.y0 - step))
        && bordered(|r, step| Rect::new(r.x0 + 2, r.y1 + step, r.x1 - 2, r.y1 + step + 1));
    (all && border_is_thin(pixels, &rect, page)
        && (!is_round(pixels, &rect, &inside) || stands_alone(pixels, &rect, page)))
    .then_some(Found { bounds: rect.grown(1), state: OnOff::Off, conf: 0.85 })
}

/// A chosen radio button has a light dot in a wide ring; a box has a line around it.
fn border_is_thin(pixels: &Pixels, rect: &Rect, page: &Lab) -> bool {
    let (x, y) = rect.centre();
    let size = f64::from(rect.width());
    let away = size / 2.0 + (size * 0.2).max(2.0) + 1.5;
    let sides = [(x - away, y), (x + away, y), (x, y - away), (x, y + away)];
    sides.iter().all(|(x, y)| colour_at(pixels, *x, *y, 0).is_some_and(|colour| colour.distance(page) <= SAME))
}

/// Whether the corners are not part of the inside: a radio button, or the letter O.
fn is_round(pixels: &Pixels, rect: &Rect, inside: &Lab) -> bool {
    let corners = [(rect.x0, rect.y0), (rect.x1 - 1, rect.y0), (rect.x0, rect.y1 - 1), (rect.x1 - 1, rect.y1 - 1)];
    let inset = |value: i32, low: i32| if value == low { value + 1 } else { value - 1 };
    let off = |(x, y): &(i32, i32)| {
        let (x, y) = (inset(*x, rect.x0), inset(*y, rect.y0));
        colour_at(pixels, f64::from(x), f64::from(y), 0).is_some_and(|colour| colour.distance(inside) > SAME)
    };
    corners.iter().filter(|corner| off(corner)).count() >= 3
}

/// Letters have other letters close by.
fn stands_alone(pixels: &Pixels, rect: &Rect, page: &Lab) -> bool {
    let size = rect.width();
    let (near, far) = (size / 5 + 3, size / 5 + 4 + size / 3);
    let strips = [
        Rect::new(rect.x1 + near, rect.y0, rect.x1 + far, rect.y1),
        Rect::new(rect.x0 - far, rect.y0, rect.x0 - near, rect.y1),
    ];
    strips.iter().all(|strip| {
        let blank = |(mean, spread): ([f64; 3], f64)| Lab::of(mean).distance(page) <= SAME && spread <= 0.02;
        mean_and_spread(pixels, *strip).is_some_and(blank)
    })
}

fn ticked(pixels: &Pixels, rect: Rect, page: &Lab) -> Option<Found> {
    let fill = median_of(pixels, rect.grown(-1))?;
    if Lab::of(fill).distance(page) < 0.12 {
        return None;
    }
    let ink = ink(pixels, rect.grown(-(1 + rect.width() / 12)), fill);
    let count = ink.len();
    let area = rect.area() as usize;
    if count * 100 < area * 6 || count * 2 > area {
        return None;
    }
    let state = if is_tick(&ink) { OnOff::On } else { OnOff::Unknown };
    Some(Found { bounds: rect, state, conf: if state == OnOff::On { 0.85 } else { 0.3 } })
}

/// Pixels that differ clearly from the fill.
fn ink(pixels: &Pixels, area: Rect, fill: [f64; 3]) -> Vec<(i32, i32)> {
    let fill = fill.map(|value| value as u8);
    (area.y0..area.y1)
        .flat_map(|y| line(pixels, y, area.x0, area.x1).chunks_exact(3).zip(area.x0..).map(move |(p, x)| (p, x, y)))
        .filter(|(pixel, _, _)| channel_difference(pixel, &fill) > 70)
        .map(|(_, x, y)| (x, y))
        .collect()
}

/// A short arm down from the left, a long one up to the right.
fn is_tick(ink: &[(i32, i32)]) -> bool {
    let bounds = ink.iter().map(|(x, y)| Rect::new(*x, *y, x + 1, y + 1)).reduce(|a, b| a.union(&b));
    let Some(bounds) = bounds else { return false };
    let (width, height) = (f64::from(bounds.width()), f64::from(bounds.height()));
    if width < 5.0 || height < 4.0 || height < width * 0.45 {
        return false;
    }
    let part = |from: f64, to: f64| -> Vec<i32> {
        let within = |x: i32| {
            let at = (f64::from(x - bounds.x0) + 0.5) / width;
            at >= from && at < to
        };
        ink.iter().filter(|(x, _)| within(*x)).map(|(_, y)| y - bounds.y0).collect()
    };
    let depth = |rows: &[i32]| rows.iter().sum::<i32>() as f64 / rows.len().max(1) as f64 / height;
    let (left, bend, right) = (part(0.0, 0.2), part(0.25, 0.55), part(0.8, 1.01));
    if left.is_empty() || bend.is_empty() || right.is_empty() {
        return false;
    }
    // A plus, a cross and a dash are the same on both sides; a tick is not.
    depth(&bend) > depth(&left) + 0.08 && depth(&bend) > depth(&right) + 0.3 && depth(&left) > depth(&right) + 0.2
}
