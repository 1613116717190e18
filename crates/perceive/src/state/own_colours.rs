//! Grids in which every row is lit in a colour of its own. A row without any lit cell, or without any unlit one,
//! shows no difference by itself; what the other rows have in common tells it.

use surehand_types::ui::OnOff;

use super::{Colours, Reading};
use crate::colour::Lab;

/// Unlit cells of all rows are the same picture.
const ALIKE: f64 = 0.012;
/// A row is lit in a colour of its own by at least this part of the weakest colour that others are lit in.
const LIT_ELSEWHERE: f64 = 0.7;
/// With fewer rows to compare, what they have in common may be chance.
const MIN_ROWS: usize = 3;

/// Reads rows of one colour by the unlit colour that the other rows share.
pub(crate) fn complete(colours: &Colours, surroundings: &[Lab], readings: &mut [Vec<Reading>]) {
    let (Some(common), Some(panel)) = (common_unlit(colours, readings), surroundings.first()) else { return };
    let lit: Vec<Lab> = of_state(colours, readings, OnOff::On).map(|(_, colour)| colour).collect();
    let strength = |colour: &Lab| colourful_difference(colour, &common);
    let weakest = lit.iter().map(strength).fold(f64::MAX, f64::min);
    for (row, readings) in colours.iter().zip(readings) {
        let open = readings.iter().all(|reading| reading.state == OnOff::Unknown);
        let cells: Vec<Lab> = row.iter().flatten().copied().collect();
        let one_colour = cells.first().is_some_and(|first| cells.iter().all(|cell| cell.distance(first) <= ALIKE));
        if !open || cells.len() != row.len() || !one_colour {
            continue;
        }
        if cells[0].distance(&common) <= ALIKE {
            readings.fill(Reading::new(OnOff::Off, 0.8));
        } else if strength(&cells[0]) >= weakest * LIT_ELSEWHERE && cells[0].distance(panel) > common.distance(panel) {
            readings.fill(Reading::new(OnOff::On, 0.75));
        }
    }
}

/// The unlit colour, if all rows that were read have the same, and most rows were.
fn common_unlit(colours: &Colours, readings: &[Vec<Reading>]) -> Option<Lab> {
    let unlit: Vec<(usize, Lab)> = of_state(colours, readings, OnOff::Off).collect();
    let (_, first) = unlit.first()?;
    let mut rows: Vec<usize> = unlit.iter().map(|(row, _)| *row).collect();
    rows.dedup();
    let shared = unlit.iter().all(|(_, colour)| colour.distance(first) <= ALIKE);
    (shared && rows.len() >= MIN_ROWS && rows.len() * 2 > colours.len()).then_some(*first)
}

fn of_state<'a>(
    colours: &'a Colours,
    readings: &'a [Vec<Reading>],
    state: OnOff,
) -> impl Iterator<Item = (usize, Lab)> + 'a {
    colours.iter().zip(readings).enumerate().flat_map(move |(row, (cells, readings))| {
        let wanted = cells.iter().zip(readings).filter(move |(_, reading)| reading.state == state);
        wanted.filter_map(move |(cell, _)| Some((row, (*cell)?)))
    })
}

/// How far they are apart in hue and chroma, which shading and dimming hardly touch.
fn colourful_difference(one: &Lab, other: &Lab) -> f64 {
    (one.a - other.a).hypot(one.b - other.b)
}
