//! Differences that are not states: groups of columns in different tints, and the highlight that a
//! player moves over the columns.

use surehand_types::ui::OnOff;

use super::axis::{Axis, Difference};
use super::plain::GROUPS;
use super::{Colours, Dimming, Look, Reading, Readings, axis, levels, unknown};
use crate::colour::Lab;

/// The length of the groups if the axis tells nothing but even groups of columns from odd ones.
pub(crate) fn shaded_groups(colours: &Colours, axis: &Axis) -> Option<usize> {
    if colours.len() < 2 {
        return None;
    }
    GROUPS.into_iter().filter(|group| (2..=16).contains(group)).find(|group| {
        let side = |class: usize| -> Vec<bool> {
            in_class(colours, *group, class).map(|colour| axis.position(colour) > 0.5).collect()
        };
        let (even, odd) = (side(0), side(1));
        let same = |sides: &[bool], wanted: bool| !sides.is_empty() && sides.iter().all(|side| *side == wanted);
        (same(&even, true) && same(&odd, false)) || (same(&even, false) && same(&odd, true))
    })
}

fn in_class(colours: &Colours, group: usize, class: usize) -> impl Iterator<Item = &Lab> {
    let wanted = move |column: usize| (column / group) % 2 == class;
    colours
        .iter()
        .flat_map(move |row| row.iter().enumerate().filter(move |(column, _)| wanted(*column)))
        .filter_map(|(_, colour)| colour.as_ref())
}

/// Reads even and odd groups of columns each by themselves.
pub(crate) fn read_classes(colours: &Colours, group: usize, surroundings: &[Lab], dimming: &Dimming) -> Readings {
    let mut merged = unknown(colours);
    for class in 0..2 {
        let own = |column: usize| (column / group) % 2 == class;
        let part: Colours = colours
            .iter()
            .map(|row| row.iter().enumerate().map(|(column, cell)| cell.filter(|_| own(column))).collect())
            .collect();
        let states = match axis::find(part.iter().flatten().flatten()) {
            Some(axis) if axis.explains(&part) => levels::read(&part, &axis, surroundings, dimming),
            _ => unknown(&part),
        };
        for (row, states) in merged.iter_mut().zip(states) {
            let claimed = row.iter_mut().zip(states).enumerate().filter(|(column, _)| own(*column));
            claimed.for_each(|(_, (cell, state)): (usize, (&mut Reading, Reading))| *cell = state);
        }
    }
    merged
}

/// Whether what was read as lit in a row is exactly every second group of columns, and hardly differs
/// from the rest: shading that was taken for states.
pub(crate) fn is_shading(looks: &[Option<Look>], readings: &[Reading]) -> bool {
    let all: Vec<(usize, bool, Lab)> = readings
        .iter()
        .zip(looks)
        .enumerate()
        .filter_map(|(column, (reading, look))| Some((column, reading.state == OnOff::On, look.as_ref()?.body)))
        .collect();
    let mean = |wanted: bool| Lab::mean(all.iter().filter(|(_, lit, _)| *lit == wanted).map(|(_, _, colour)| colour));
    let (Some(lit), Some(unlit)) = (mean(true), mean(false)) else { return false };
    let explained =
        |group: usize, class: usize| all.iter().all(|(column, lit, _)| *lit == ((column / group) % 2 == class));
    let slight = lit.distance(&unlit) < 0.2 && (lit.chroma() - unlit.chroma()).abs() < 0.03;
    slight && GROUPS.into_iter().filter(|group| (2..=16).contains(group)).any(|g| explained(g, 0) || explained(g, 1))
}

/// A highlight shifts the unlit cells of one column, in all rows by the same small step. Those cells are given
/// the colour that the row's unlit cells have elsewhere. Where states differ in brightness alone, a column of
/// weakly lit cells looks the same: then they are left open.
pub(crate) fn without_highlight(colours: &Colours) -> Colours {
    let mut cleaned = colours.clone();
    let Some(axis) = axis::find(colours.iter().flatten().flatten()) else { return cleaned };
    let usual: Vec<[Option<Lab>; 2]> = colours.iter().map(|row| [most_common(row, 0), most_common(row, 1)]).collect();
    let width = colours.iter().map(Vec::len).max().unwrap_or(0);
    let columns: Vec<(usize, Vec<usize>)> =
        (0..width).filter_map(|column| Some((column, shifted_rows(colours, &usual, column, &axis)?))).collect();
    // A player is at one column.
    let [(column, rows)] = columns.as_slice() else { return cleaned };
    for row in rows {
        if let Some(cell) = cleaned[*row].get_mut(*column) {
            *cell = usual[*row][(column / 4) % 2].filter(|_| axis.difference == Difference::Colour);
        }
    }
    cleaned
}

/// The rows whose cell of that column is off what is usual in them by one and the same small step, if that is
/// so for half of the rows and none has a usual cell there.
fn shifted_rows(colours: &Colours, usual: &[[Option<Lab>; 2]], column: usize, axis: &Axis) -> Option<Vec<usize>> {
    let shift = |row: usize| {
        let (cell, usual) = (colours[row].get(column)?.as_ref()?, usual[row][(column / 4) % 2].as_ref()?);
        Some(cell.minus(usual))
    };
    let shifts: Vec<Option<Lab>> = (0..colours.len()).map(shift).collect();
    let colourless = if axis.difference == Difference::Colour { (axis.length() * 0.1).min(0.02) } else { 0.02 };
    let small = |shift: &Lab| shift.length() > 0.02 && shift.length() < 0.2 && shift.chroma() < colourless;
    let step = shifts.iter().flatten().find(|shift| small(shift))?;
    let alike = |shift: &Lab| small(shift) && shift.distance(step) <= 0.02;
    let unmoved = shifts.iter().flatten().any(|shift| shift.length() <= 0.02);
    let rows: Vec<usize> = (0..shifts.len()).filter(|row| shifts[*row].as_ref().is_some_and(alike)).collect();
    (!unmoved && rows.len() >= 2 && rows.len() * 2 >= colours.len()).then_some(rows)
}

/// The colour that most cells of one class of a row share, if at least a third of them do.
fn most_common(row: &[Option<Lab>], class: usize) -> Option<Lab> {
    let members: Vec<&Lab> = row
        .iter()
        .enumerate()
        .filter(|(column, _)| (column / 4) % 2 == class)
        .filter_map(|(_, cell)| cell.as_ref())
        .collect();
    let support = |of: &Lab| members.iter().filter(|other| other.distance(of) <= 0.012).count();
    let best = members.iter().max_by_key(|of| support(of))?;
    (support(best) * 3 >= members.len() && support(best) >= 2).then_some(**best)
}
