//! Muted rows. Many sequencers dim a muted row: its unlit cells move towards the panel they lie on. Rows
//! are told on or off only where some row is dimmed, because a skin that shows muting in another way
//! leaves all rows alike.

use surehand_types::ui::OnOff;

use super::{Dimming, Look, Readings};
use crate::colour::Lab;

/// How much of the way to the panel a dimmed row has gone, at least.
const DIMMED: f64 = 0.2;
/// What rounding and gradients move a row that is not dimmed, at most.
const STILL: f64 = 0.07;
/// With two rows, a striped list looks the same as one dimmed row.
const MIN_ROWS: usize = 3;

/// The strongest lit cell of muted rows is weaker than that of others by this factor at least.
const WEAKER: f64 = 0.9;

/// Per row; unknown where it cannot be told.
pub(crate) fn enabled(
    looks: &[Vec<Option<Look>>],
    readings: &Readings,
    surroundings: &[Lab],
    dimming: &Dimming,
) -> Vec<OnOff> {
    let cells = by_cells(looks, readings, surroundings);
    let merged = |(cells, rims): (OnOff, OnOff)| match (cells, rims) {
        (state, OnOff::Unknown) | (OnOff::Unknown, state) => state,
        (one, other) if one == other => one,
        _ => OnOff::Unknown,
    };
    cells.into_iter().zip(by_rims(looks.len(), dimming)).map(merged).collect()
}

/// What the rims of the cells say, where they are dimmed in some rows and not in others.
fn by_rims(rows: usize, dimming: &Dimming) -> Vec<OnOff> {
    let state = |row: usize| dimming.is_dimmed(row).map_or(OnOff::Unknown, |dimmed| OnOff::of(!dimmed));
    let states: Vec<OnOff> = (0..rows).map(state).collect();
    let both = states.contains(&OnOff::On) && states.contains(&OnOff::Off);
    let in_turn = states.windows(2).all(|pair| pair[0] != pair[1]);
    if rows < MIN_ROWS || !both || in_turn { vec![OnOff::Unknown; rows] } else { states }
}

fn by_cells(looks: &[Vec<Option<Look>>], readings: &Readings, surroundings: &[Lab]) -> Vec<OnOff> {
    let unknown = vec![OnOff::Unknown; looks.len()];
    let Some(panel) = surroundings.first() else { return unknown };
    if looks.len() < MIN_ROWS {
        return unknown;
    }
    let unlit: Vec<[Option<Lab>; 2]> = (0..looks.len()).map(|row| unlit_colours(&looks[row], &readings[row])).collect();
    let reference = [0, 1].map(|class| strongest(unlit.iter().filter_map(|row| row[class]), panel));
    let moves: Vec<Option<f64>> = unlit.iter().map(|row| way_to_panel(row, &reference, panel)).collect();
    let states: Vec<OnOff> = moves
        .iter()
        .map(|way| match way {
            Some(way) if *way >= DIMMED => OnOff::Off,
            Some(way) if way.abs() <= STILL => OnOff::On,
            _ => OnOff::Unknown,
        })
        .collect();
    let dimmed = states.iter().filter(|state| **state == OnOff::Off).count();
    let still = states.iter().filter(|state| **state == OnOff::On).count();
    // All dimmed alike, or in turn: that is how the list looks, not what a row is.
    let in_turn = states.windows(2).all(|pair| pair[0] != pair[1]);
    // Where unlit cells are darker than the panel, a row that turns black moves the other way: then the others look
    // dimmed. Lit cells tell, which are weaker in the muted rows.
    let darker = reference.iter().flatten().any(|usual| usual.l < panel.l);
    let strength = |state: OnOff| {
        let rows = (0..looks.len()).filter(|row| states[*row] == state);
        rows.filter_map(|row| strength(&looks[row], &readings[row])).fold(f64::NAN, f64::max)
    };
    let confirmed = strength(OnOff::Off) < strength(OnOff::On) * WEAKER;
    let contradicted = strength(OnOff::Off) > strength(OnOff::On);
    if dimmed == 0 || still == 0 || in_turn || contradicted || (darker && !confirmed) { unknown } else { states }
}

/// How far the strongest lit cell of a row is from its unlit ones.
fn strength(looks: &[Option<Look>], readings: &[super::Reading]) -> Option<f64> {
    let with = |state: OnOff| {
        let cells = looks.iter().zip(readings).filter(move |(_, reading)| reading.state == state);
        cells.filter_map(|(look, _)| look.as_ref().map(|look| look.core))
    };
    let unlit: Vec<Lab> = with(OnOff::Off).collect();
    let unlit = Lab::mean(unlit.iter())?;
    with(OnOff::On).map(|lit| lit.distance(&unlit)).max_by(f64::total_cmp)
}

/// The colour of a row's unlit cells in even and in odd groups of four columns.
fn unlit_colours(looks: &[Option<Look>], readings: &[super::Reading]) -> [Option<Lab>; 2] {
    [0, 1].map(|class| {
        let cells: Vec<Lab> = looks
            .iter()
            .zip(readings)
            .enumerate()
            .filter(|(column, (_, reading))| (column / 4) % 2 == class && reading.state == OnOff::Off)
            .filter_map(|(_, (look, _))| look.as_ref().map(|look| look.core))
            .collect();
        Lab::mean(cells.iter())
    })
}

/// Of the colours that stand out most from the panel, one that at least a quarter share.
fn strongest(colours: impl Iterator<Item = Lab>, panel: &Lab) -> Option<Lab> {
    let mut all: Vec<Lab> = colours.collect();
    all.sort_by(|a, b| b.distance(panel).total_cmp(&a.distance(panel)));
    let shared = |of: &&Lab| all.iter().filter(|other| other.distance(of) <= 0.015).count() * 4 >= all.len();
    all.iter().find(shared).copied()
}

/// How far the row has moved from the reference to the panel; `None` if it went elsewhere, or if cells
/// hardly stand out from the panel at all.
fn way_to_panel(row: &[Option<Lab>; 2], reference: &[Option<Lab>; 2], panel: &Lab) -> Option<f64> {
    let ways: Vec<f64> = row
        .iter()
        .zip(reference)
        .filter_map(|(own, usual)| {
            let (own, usual) = (own.as_ref()?, usual.as_ref()?);
            let (step, all) = (own.minus(usual), panel.minus(usual));
            let length = all.length();
            if length < 0.08 {
                return None;
            }
            let along = step.dot(&all) / (length * length);
            let aside = step.minus(&all.scaled(along)).length();
            Some(if aside <= 0.03 { along } else { f64::NAN })
        })
        .collect();
    let first = *ways.first()?;
    let agree = ways.iter().all(|way| (way - first).abs() <= 0.25);
    agree.then_some(ways.iter().sum::<f64>() / ways.len() as f64)
}
