//! States from positions on the axis between unlit and lit. Each row is compared with its own unlit
//! cells first, because muting recolours whole rows; the grid decides for rows that show only one level.

use surehand_types::ui::OnOff;

use super::axis::{Axis, Difference, evidence_for_high};
use super::plain::GROUPS;
use super::{Colours, Dimming, Reading, unknown, unlit};
use crate::colour::Lab;
use crate::shape::median;

/// Less evidence than this for which end is lit, and nothing is read.
pub(crate) const MIN_EVIDENCE: f64 = 1.5;

/// Where unlit cells stray by more, they are not all unlit.
const MAX_NOISE: f64 = 0.04;
/// Unlit cells of one row and shade are the same picture, but for noise.
const UNLIT_ALIKE: f64 = 0.035;

/// The same where what is taken for unlit has the colour of the lit ones: velocities are not that even.
const TINTED_ALIKE: f64 = 0.014;

/// The hue and chroma of a dark grey are off by this much when its channels are rounded.
const ROUNDING: f64 = 0.003;

/// At least this far from unlit to the strongest cells a row is lit whatever else is not known.
const FULLY_LIT: f64 = 0.95;

/// Weaker cells may be shaded unlit ones where nothing else is known.
const CLEARLY_LIT: f64 = 0.6;

/// How positions become states.
struct Thresholds {
    /// Above the row's unlit cells by less than this: unlit.
    off: f64,
    /// By more than this: lit.
    on: f64,
    /// The same for rows of one level, against the grid.
    alone_off: f64,
    alone_on: f64,
}

/// Few things besides a state move a cell along an axis of colour; a lit step of low velocity moves by
/// a fifth of it. Along brightness alone a highlight moves cells as well. What unlit cells stray by
/// themselves (a lossy picture) widens both limits.
fn thresholds(axis: &Axis, noise: f64) -> Thresholds {
    let usual = match axis.difference {
        Difference::Colour => Thresholds { off: 0.05, on: 0.11, alone_off: 0.12, alone_on: 0.2 },
        Difference::Brightness => Thresholds { off: 0.02, on: 0.25, alone_off: 0.12, alone_on: 0.6 },
    };
    let rounding = rounding(axis);
    Thresholds {
        off: usual.off + noise + rounding,
        on: usual.on + 3.0 * noise + 2.0 * rounding,
        alone_off: usual.alone_off + rounding / 2.0,
        alone_on: usual.alone_on + noise + 2.0 * rounding,
    }
}

/// What whole numbers in three channels move a colour by, as a part of the axis. It counts where the strongest
/// cells are faint themselves, as in a grid of which only dimmed rows are lit.
fn rounding(axis: &Axis) -> f64 {
    match axis.difference {
        Difference::Colour => (ROUNDING / axis.length()).min(0.08),
        Difference::Brightness => 0.0,
    }
}

/// Positions counted from where the unlit cells are, and how far those stray. One odd cell may be beyond
/// them and would otherwise be the measure for all.
fn from_unlit(positions: Vec<Vec<Option<f64>>>) -> (Vec<Vec<Option<f64>>>, f64) {
    let mut low: Vec<f64> = positions.iter().flatten().flatten().copied().filter(|at| *at <= 0.2).collect();
    let unlit = median(&mut low);
    let mut strays: Vec<f64> = low.iter().map(|at| (at - unlit).abs()).collect();
    strays.sort_by(f64::total_cmp);
    let noise = strays.get(strays.len() / 2).copied().unwrap_or(0.0).min(MAX_NOISE);
    let moved = |at: f64| (at - unlit) / (1.0 - unlit);
    let positions = positions.into_iter().map(|row| row.into_iter().map(|at| at.map(moved)).collect()).collect();
    (positions, noise)
}

pub(crate) fn read(colours: &Colours, axis: &Axis, surroundings: &[Lab], dimming: &Dimming) -> Vec<Vec<Reading>> {
    let Some(axis) = lit_at_one(colours, axis, surroundings) else { return unknown(colours) };
    let positions: Vec<Vec<Option<f64>>> = colours
        .iter()
        .map(|row| {
            row.iter().map(|cell| cell.as_ref().filter(|c| !axis.is_aside(c)).map(|c| axis.position(c))).collect()
        })
        .collect();
    let panel = surroundings.first().map(|panel| axis.position(panel));
    let unlit = unlit::find(&positions, panel, dimming);
    let bright = axis.difference == Difference::Brightness;
    let positions = match (&unlit, shading(&positions)) {
        (Some(unlit), _) => unlit.applied(&positions),
        (None, Some(shading)) if !bright => without_shading(positions, &shading),
        (None, _) => positions,
    };
    let (recentred, noise) = from_unlit(positions.clone());
    // Where each row's unlit level is known, nothing is left to be moved, and it was exact.
    let (positions, noise) = if unlit.is_some() { (positions, 0.0) } else { (recentred, noise) };
    let beyond = bright && unlit.as_ref().is_some_and(|unlit| unlit.is_beyond(panel));
    if !beyond && !unlit_is_believable(colours, &positions, &axis, surroundings) {
        return unknown(colours);
    }
    let thresholds = thresholds(&axis, noise);
    let at_top = |row: &[Option<f64>]| row.iter().flatten().filter(|at| **at >= FULLY_LIT).count();
    let lit_elsewhere = |row: usize| {
        let others = positions.iter().enumerate().filter(|(other, _)| *other != row);
        let known = others.filter(|(other, _)| unlit.as_ref().is_some_and(|unlit| unlit.is_known(*other)));
        known.map(|(_, row)| at_top(row)).filter(|count| *count > 0).count() >= 2
    };
    // Nothing but lighting brings a row to where the strongest cells of several other rows are.
    let fully_lit = |row: usize| {
        panel.is_some_and(|panel| panel < 0.5) && at_top(&positions[row]) == positions[row].len() && lit_elsewhere(row)
    };
    let read = |(row, positions): (usize, &Vec<Option<f64>>)| {
        // Brightness alone, or with one tint, is moved by muting and shading as well: without a known unlit level, and in a row
        // by itself, only clear differences count.
        let known = !(bright || axis.is_one_tint()) || unlit.as_ref().is_some_and(|unlit| unlit.is_known(row));
        // Nothing is less than unlit.
        let least = -0.05 - noise - rounding(&axis);
        let low: Vec<f64> = positions.iter().flatten().copied().filter(|at| *at < -0.05 - rounding(&axis)).collect();
        // Noise does not bring two cells to one level.
        let level =
            low.iter().enumerate().any(|(index, at)| low[..index].iter().any(|other| (at - other).abs() < 0.002));
        let sound = !level && low.iter().all(|at| *at >= least);
        if (known && sound) || (bright && fully_lit(row)) || (colours.len() == 1 && two_levels_only(positions)) {
            // Where its unlit level is known, a row need not show it.
            let base = unlit.as_ref().is_some_and(|unlit| unlit.is_known(row)).then_some(0.0);
            read_row(positions, &thresholds, base)
        } else {
            vec![Reading::UNKNOWN; positions.len()]
        }
    };
    let mut readings: Vec<Vec<Reading>> = positions.iter().enumerate().map(read).collect();
    doubt_odd_unlit(colours, &mut readings);
    if bright || axis.is_one_tint() {
        doubt_shared_weak_levels(&positions, &mut readings);
    }
    // One brighter cell in one row: a step, a highlight or a hovered cell.
    let lit = readings.iter().flatten().filter(|reading| reading.state == OnOff::On).count();
    let single = bright && colours.len() == 1;
    if (single && lit <= 1) || (colours.len() == 1 && !one_row_is_consistent(&colours[0], &readings[0])) {
        readings = unknown(colours);
    }
    readings
}

/// Whether every cell is clearly at one end or the other.
fn two_levels_only(row: &[Option<f64>]) -> bool {
    row.iter().flatten().all(|at| at.abs() <= 0.03 || *at >= 0.7)
}

/// A row that is read by itself must show some unlit cells, and lit ones that differ from them in one
/// way only. Palettes and rows of icons differ in all ways.
fn one_row_is_consistent(row: &[Option<Lab>], readings: &[Reading]) -> bool {
    let with = |state: OnOff| -> Vec<Lab> {
        row.iter().zip(readings).filter(|(_, reading)| reading.state == state).filter_map(|(cell, _)| *cell).collect()
    };
    let (unlit, lit) = (with(OnOff::Off), with(OnOff::On));
    let Some(ground) = Lab::mean(unlit.iter()) else { return false };
    let farthest = lit.iter().map(|colour| colour.minus(&ground)).max_by(|a, b| a.length().total_cmp(&b.length()));
    let Some(way) = farthest else { return unlit.len() >= 2 };
    let one_way = lit.iter().all(|colour| {
        let step = colour.minus(&ground);
        let along = step.dot(&way) / way.dot(&way);
        step.minus(&way.scaled(along)).length() <= 0.25 * way.length()
    });
    unlit.len() >= 2 && one_way
}

/// A cell that is unlit by its position but looks unlike the other unlit ones of its row is something
/// else: dimly lit, hovered, covered.
fn doubt_odd_unlit(colours: &Colours, readings: &mut [Vec<Reading>]) {
    for (row, readings) in colours.iter().zip(readings) {
        for class in 0..2 {
            let unlit: Vec<usize> = (0..row.len())
                .filter(|column| (column / 4) % 2 == class && readings[*column].state == OnOff::Off)
                .collect();
            let members: Vec<Lab> = unlit.iter().filter_map(|column| row[*column]).collect();
            let support = |of: &Lab| members.iter().filter(|other| other.distance(of) <= UNLIT_ALIKE).count();
            let Some(usual) = members.iter().max_by_key(|of| support(of)) else { continue };
            // Two kinds of which neither is rare: one of them is lit, and nothing says which.
            let torn = support(usual) * 3 < members.len() * 2;
            for column in unlit {
                if torn || row[column].is_some_and(|colour| colour.distance(usual) > UNLIT_ALIKE) {
                    readings[column] = Reading::UNKNOWN;
                }
            }
        }
    }
}

/// Where muting moves cells along the axis: rows that show no unlit cell, and of which several cells are weak and at one level, in two rows or more: that
/// may be the unlit level of these rows.
fn doubt_shared_weak_levels(positions: &[Vec<Option<f64>>], readings: &mut [Vec<Reading>]) {
    let without_unlit =
        |row: &usize| positions[*row].len() > 1 && readings[*row].iter().all(|reading| reading.state != OnOff::Off);
    let rows: Vec<usize> = (0..positions.len()).filter(without_unlit).collect();
    let has =
        |row: usize, at: f64| positions[row].iter().flatten().filter(|own| (**own - at).abs() <= 0.015).count() >= 2;
    let doubtful = |row: &usize| {
        let weak = positions[*row].iter().flatten().filter(|at| **at < CLEARLY_LIT);
        let elsewhere = |at: f64| rows.iter().any(|other| other != row && has(*other, at));
        weak.into_iter().any(|at| has(*row, *at) && elsewhere(*at))
    };
    for row in rows.iter().filter(|row| doubtful(row)) {
        readings[*row].fill(Reading::UNKNOWN);
    }
}

/// Where every cell is lit, the ones of low velocity look like the unlit ones of another skin. What is
/// taken for unlit must be colourless or as colourless as the panel; a tinted one must be exactly alike
/// in a good part of the cells and in most rows, which velocities are not.
fn unlit_is_believable(colours: &Colours, positions: &[Vec<Option<f64>>], axis: &Axis, surroundings: &[Lab]) -> bool {
    let unlit = |row: usize| -> Vec<Lab> {
        let cells = positions[row].iter().zip(&colours[row]);
        cells.filter(|(at, _)| at.is_some_and(|at| at.abs() <= 0.06)).filter_map(|(_, colour)| *colour).collect()
    };
    let per_row: Vec<Vec<Lab>> = (0..colours.len()).map(unlit).collect();
    let Some(mean) = Lab::mean(per_row.iter().flatten()) else { return false };
    // Nearer to lit than the panel is: tinted.
    let tinted = surroundings.first().is_none_or(|panel| axis.position(&mean) - axis.position(panel) > 0.08);
    if axis.difference == Difference::Colour && (mean.chroma() <= 0.008 || !tinted) {
        return true;
    }
    let exact = |row: &Vec<Option<Lab>>, at: &Vec<Option<f64>>| {
        (0..2).all(|class| {
            let own = (0..row.len()).filter(|column| (column / 4) % 2 == class);
            let unlit: Vec<Lab> =
                own.filter(|column| at[*column].is_some_and(|at| at.abs() <= 0.06)).filter_map(|c| row[c]).collect();
            unlit.iter().all(|colour| colour.distance(&unlit[0]) <= TINTED_ALIKE)
        })
    };
    if axis.difference == Difference::Colour && !colours.iter().zip(positions).all(|(row, at)| exact(row, at)) {
        return false;
    }
    let count = per_row.iter().flatten().count();
    let all = colours.iter().flatten().flatten().count();
    let rows = per_row.iter().filter(|row| row.len() >= 2).count();
    count * 20 >= all * 3 && rows * 5 >= colours.len() * 2
}

/// The axis turned so that lit is at 1; `None` when that cannot be told.
fn lit_at_one(colours: &Colours, axis: &Axis, surroundings: &[Lab]) -> Option<Axis> {
    let all: Vec<&Lab> = colours.iter().flatten().flatten().collect();
    let (mut low, mut high) = (Vec::new(), Vec::new());
    for colour in &all {
        let position = axis.position(colour);
        if position <= 0.3 {
            low.push(**colour);
        } else if position >= 0.7 {
            high.push(**colour);
        }
    }
    let share = high.len() as f64 / (high.len() + low.len()).max(1) as f64;
    let evidence = evidence_for_high(&Lab::mean(low.iter())?, &Lab::mean(high.iter())?, share, surroundings);
    // On a dark panel, what is lit in brightness alone, or in one tint, is brighter.
    let dark = surroundings.iter().all(|around| around.l < 0.5);
    let brightness = axis.difference == Difference::Brightness || axis.is_one_tint();
    if evidence >= MIN_EVIDENCE {
        Some(*axis)
    } else if evidence <= -MIN_EVIDENCE && !(brightness && dark) {
        Some(axis.reversed())
    } else {
        None
    }
}

/// Two levels of unlit that alternate by groups of columns.
struct Shading {
    group: usize,
    /// Unlit level of even and of odd groups.
    levels: [f64; 2],
}

/// Found where the lowest level of each class of columns is shared by a good part of that class and
/// never occurs in the other class. A pattern could do that only by lighting whole groups in all rows.
fn shading(positions: &[Vec<Option<f64>>]) -> Option<Shading> {
    GROUPS.into_iter().filter(|group| (2..=16).contains(group)).find_map(|group| {
        let class = |wanted: usize| -> Vec<f64> {
            positions
                .iter()
                .flat_map(|row| row.iter().enumerate())
                .filter(|(column, _)| (column / group) % 2 == wanted)
                .filter_map(|(_, position)| *position)
                .collect()
        };
        let (even, odd) = (class(0), class(1));
        let (low_even, low_odd) = (lowest_level(&even, 0.3)?, lowest_level(&odd, 0.3)?);
        let apart = (low_even - low_odd).abs();
        let near = |values: &[f64], level: f64| values.iter().any(|value| (value - level).abs() <= apart * 0.4);
        let separate = !near(&even, low_odd) && !near(&odd, low_even);
        (separate && apart > 0.02 && apart < 0.5).then_some(Shading { group, levels: [low_even, low_odd] })
    })
}

/// The lowest level that at least that share of the values has.
fn lowest_level(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let least = ((sorted.len() as f64 * share).ceil() as usize).max(2);
    let lowest = *sorted.first()?;
    let mut level: Vec<f64> = sorted.into_iter().filter(|value| value - lowest <= 0.02).collect();
    (level.len() >= least).then(|| median(&mut level))
}

fn without_shading(positions: Vec<Vec<Option<f64>>>, shading: &Shading) -> Vec<Vec<Option<f64>>> {
    let moved = |column: usize, position: f64| {
        let level = shading.levels[(column / shading.group) % 2];
        (position - level) / (1.0 - level).max(0.1)
    };
    positions
        .into_iter()
        .map(|row| row.into_iter().enumerate().map(|(column, value)| value.map(|v| moved(column, v))).collect())
        .collect()
}

fn read_row(row: &[Option<f64>], thresholds: &Thresholds, known_base: Option<f64>) -> Vec<Reading> {
    let known: Vec<f64> = row.iter().flatten().copied().collect();
    let lowest = known.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = known.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let one_level = highest - lowest <= thresholds.off;
    let base = if one_level { None } else { unlit_level(&known, thresholds.off.min(0.1) * 0.8).or(known_base) };
    let state = |position: f64| match base {
        _ if one_level && position <= thresholds.alone_off => Reading::new(OnOff::Off, 0.9 - position.max(0.0)),
        _ if one_level && position >= thresholds.alone_on => Reading::new(OnOff::On, 0.5 + position / 2.0),
        _ if one_level => Reading::UNKNOWN,
        None if position >= thresholds.alone_on => Reading::new(OnOff::On, 0.5 + position / 2.0),
        None => Reading::UNKNOWN,
        Some(base) if (position - base).abs() <= thresholds.off => {
            Reading::new(OnOff::Off, 0.98 - (position - base).abs())
        }
        Some(base) if position - base >= thresholds.on => {
            Reading::new(OnOff::On, (0.7 + 0.3 * (position - base)).min(0.99))
        }
        Some(_) => Reading::UNKNOWN,
    };
    row.iter().map(|cell| cell.map_or(Reading::UNKNOWN, state)).collect()
}

/// The level of a row's unlit cells. It must be where the grid's unlit cells are, or shared exactly by
/// many: muting takes colour away, so it hardly lifts unlit cells along the axis.
fn unlit_level(known: &[f64], reach: f64) -> Option<f64> {
    let mut near: Vec<f64> = known.iter().copied().filter(|at| at.abs() <= reach).collect();
    if !near.is_empty() {
        return Some(median(&mut near));
    }
    let lowest = known.iter().copied().fold(f64::INFINITY, f64::min);
    let mut level: Vec<f64> = known.iter().copied().filter(|value| value - lowest <= 0.03).collect();
    let common = level.len() >= (known.len() / 3).max(3) && lowest.abs() <= 0.12;
    common.then(|| median(&mut level))
}
