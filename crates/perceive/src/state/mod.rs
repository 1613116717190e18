//! What state cells are in, from their colours over the whole grid. Whatever is not convincing stays
//! unknown: a wrong cell that looks certain is the one mistake that must not happen.

mod axis;
mod blend;
mod dimming;
mod enabled;
mod levels;
mod outlines;
mod own_colours;
mod plain;
mod sample;
mod signs;
mod split;
mod unlit;

pub(crate) use dimming::Dimming;
pub(crate) use enabled::enabled;
pub(crate) use sample::{Look, looks, surroundings};

use surehand_types::ui::OnOff;

use crate::colour::Lab;

/// Below this a reading is not reported.
pub(crate) const CONFIDENCE_FLOOR: f64 = 0.6;
/// An interior less even than this holds a sign or an icon; what it shows is more than a colour.
const MAX_SPREAD: f64 = 0.10;

/// A sign in the middle of a cell differs from the cell by at least this.
const MIN_SIGN: f64 = 0.05;

/// A state and how sure it is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Reading {
    pub(crate) state: OnOff,
    pub(crate) conf: f64,
}

impl Reading {
    pub(crate) const UNKNOWN: Reading = Reading { state: OnOff::Unknown, conf: 0.0 };

    pub(crate) fn new(state: OnOff, conf: f64) -> Reading {
        if conf < CONFIDENCE_FLOOR || state == OnOff::Unknown { Reading::UNKNOWN } else { Reading { state, conf } }
    }
}

/// Colours by row and column; `None` where no cell was found. Rows may differ in length.
pub(crate) type Colours = Vec<Vec<Option<Lab>>>;
pub(crate) type Readings = Vec<Vec<Reading>>;

/// States by row and column: as the cells are in the picture, and as they would be if no row were dimmed. What
/// the two disagree about is unknown.
pub(crate) fn read(looks: &[Vec<Option<Look>>], surroundings: &[Lab], dimming: &Dimming) -> Readings {
    let seen = read_looks(looks, surroundings, &Dimming::untold(looks.len()));
    if !dimming.tells() {
        return seen;
    }
    let undone = read_looks(&dimming.undone(looks), surroundings, dimming);
    let merged = |(seen, undone): (Reading, Reading)| match (seen.state, undone.state) {
        (_, OnOff::Unknown) => seen,
        (OnOff::Unknown, _) => undone,
        (one, other) if one == other => seen,
        _ => Reading::UNKNOWN,
    };
    seen.into_iter().zip(undone).map(|(seen, undone)| seen.into_iter().zip(undone).map(merged).collect()).collect()
}

fn read_looks(looks: &[Vec<Option<Look>>], surroundings: &[Lab], dimming: &Dimming) -> Readings {
    let of = |value: fn(&Look) -> Lab| read_colours(&colours_of(looks, value), surroundings, dimming);
    // The three see different things: a sign in the middle, a fill, an outline.
    let mut views = [of(|look| look.core), of(|look| look.body), of(|look| look.whole)];
    // Of wider cells more is interior than of narrow ones: their ground is compared among rows of one count only.
    views[2].plain |= mixed_counts(looks) && plain::alike_by_count(&colours_of(looks, |look| look.whole));
    let views = views;
    let signs = views[1].plain && !views[0].plain;
    let typical = typical_spread(looks);
    let uneven = |look: &Look| look.spread > MAX_SPREAD.max(typical + 0.06);
    let icons = has_icons(looks, &views);
    let one_sign = signs::one_for_all(looks, uneven);
    let mut readings: Readings = looks
        .iter()
        .enumerate()
        .map(|(row, cells)| {
            let cell = |column: usize| match &cells[column] {
                Some(look) if !icons && (signs || one_sign[row] || !uneven(look)) => {
                    let reading = agreed(&views, row, column);
                    let off_centre = look.heart.distance(&look.body) < MIN_SIGN;
                    if signs && reading.state == OnOff::On && off_centre { Reading::UNKNOWN } else { reading }
                }
                _ => Reading::UNKNOWN,
            };
            (0..cells.len()).map(cell).collect()
        })
        .collect();
    for (row, looks) in readings.iter_mut().zip(looks) {
        if split::is_shading(looks, row) {
            row.fill(Reading::UNKNOWN);
        }
    }
    let nothing = readings.iter().flatten().all(|reading| reading.state == OnOff::Unknown);
    let outlined = if nothing { outlines::read(looks, surroundings) } else { None };
    outlined.unwrap_or(readings)
}

fn colours_of(looks: &[Vec<Option<Look>>], value: fn(&Look) -> Lab) -> Colours {
    looks.iter().map(|row| row.iter().map(|look| look.as_ref().map(value)).collect()).collect()
}

fn mixed_counts(looks: &[Vec<Option<Look>>]) -> bool {
    looks.windows(2).any(|pair| pair[0].len() != pair[1].len())
}

/// Whether the cells are buttons with icons or texts: a quarter of them are uneven, and what would be
/// the unlit ones are not all the same. Steps that are lit by a dot leave the unlit ones empty.
fn has_icons(looks: &[Vec<Option<Look>>], views: &[Outcome; 3]) -> bool {
    let all = || looks.iter().flatten().flatten();
    if all().filter(|look| look.spread > MAX_SPREAD).count() * 4 <= all().count() {
        return false;
    }
    let empty: Vec<&Look> = (0..looks.len())
        .flat_map(|row| (0..looks[row].len()).map(move |column| (row, column)))
        .filter(|(row, column)| agreed(views, *row, *column).state == OnOff::Off)
        .filter_map(|(row, column)| looks[row][column].as_ref())
        .collect();
    let smooth = empty.iter().filter(|look| look.spread <= 0.05).count();
    looks.len() < 2 || smooth * 10 < empty.len() * 9 || empty.len() * 10 < all().count()
}

/// The first view that sees differences in the grid decides, and no other may contradict it. Differences
/// that only the ground around the cells shows may be an outline that is lit, or the edge of something
/// that covers a few cells: those are left open.
fn agreed(views: &[Outcome; 3], row: usize, column: usize) -> Reading {
    let [core, body, whole] = views;
    if core.plain && body.plain {
        return if whole.plain { core.states[row][column] } else { Reading::UNKNOWN };
    }
    let mut readings = views.iter().filter(|view| !view.plain).map(|view| view.states[row][column]);
    let Some(leading) = readings.next() else { return Reading::UNKNOWN };
    let contradicts = |other: Reading| other.state != OnOff::Unknown && other.state != leading.state;
    if readings.any(contradicts) { Reading::UNKNOWN } else { leading }
}

fn typical_spread(looks: &[Vec<Option<Look>>]) -> f64 {
    let mut spreads: Vec<f64> = looks.iter().flatten().flatten().map(|look| look.spread).collect();
    crate::shape::median(&mut spreads)
}

struct Outcome {
    states: Readings,
    /// No two cells differ, apart from what shading and muting explain.
    plain: bool,
}

fn read_colours(colours: &Colours, surroundings: &[Lab], dimming: &Dimming) -> Outcome {
    if let Some(states) = plain::all_alike(colours, surroundings) {
        return Outcome { states, plain: true };
    }
    let colours = split::without_highlight(colours);
    Outcome { states: read_differing(&colours, surroundings, dimming), plain: false }
}

fn read_differing(colours: &Colours, surroundings: &[Lab], dimming: &Dimming) -> Readings {
    let Some(axis) = axis::find(colours.iter().flatten().flatten()) else { return unknown(colours) };
    if let Some(group) = split::shaded_groups(colours, &axis) {
        return split::read_classes(colours, group, surroundings, dimming);
    }
    if axis.explains(colours) && !axis.joins_two_colours(colours) {
        return levels::read(colours, &axis, surroundings, dimming);
    }
    if colours.len() < 2 {
        return unknown(colours);
    }
    // Every row may have colours of its own.
    let alone = |row: &Vec<Option<Lab>>| {
        let alone = vec![row.clone()];
        match axis::find(row.iter().flatten()) {
            Some(axis) if axis.explains(&alone) => levels::read(&alone, &axis, surroundings, &Dimming::untold(1)),
            _ => unknown(&alone),
        }
    };
    let mut readings: Readings = colours.iter().flat_map(alone).collect();
    own_colours::complete(colours, surroundings, &mut readings);
    readings
}

pub(crate) fn unknown(colours: &Colours) -> Readings {
    colours.iter().map(|row| vec![Reading::UNKNOWN; row.len()]).collect()
}
