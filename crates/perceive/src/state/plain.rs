//! Grids in which all cells are alike: an empty pattern, as a rule. Groups of columns may be shaded and
//! rows may be muted; both leave cells of one row and one group exactly alike.

use surehand_types::ui::OnOff;

use super::{Colours, Reading, unknown};
use crate::colour::Lab;

/// Cells of one bitmap differ by less than this, also at fractional scales.
const ALIKE: f64 = 0.014;
/// Lengths of groups that are shaded in turn; the first means no shading.
pub(crate) const GROUPS: [usize; 8] = [usize::MAX, 4, 8, 2, 3, 6, 16, 1];
/// Shading is slight, and an unlit cell is neither colourful nor far from the panel it lies on.
const MAX_SHADING: f64 = 0.16;
const MAX_CHROMA: f64 = 0.04;
const MAX_CONTRAST: f64 = 0.30;

/// States of a grid without any lit cell, or unknown for one that may be all lit. `None` when cells differ.
pub(crate) fn all_alike(colours: &Colours, surroundings: &[Lab]) -> Option<Vec<Vec<Reading>>> {
    let group = GROUPS.into_iter().find(|group| explained(colours, *group))?;
    let all: Vec<&Lab> = colours.iter().flatten().flatten().collect();
    let first = all.first()?;
    let panel = surroundings.first();
    let shading = all.iter().map(|colour| colour.distance(first)).fold(0.0, f64::max);
    // On a tinted panel unlit cells have its tint.
    let tint = |colour: &Lab| panel.map_or(1.0, |panel| (colour.a - panel.a).hypot(colour.b - panel.b));
    let dull = all.iter().all(|colour| colour.chroma() <= MAX_CHROMA || tint(colour) <= MAX_CHROMA / 2.0);
    let contrast = panel.map_or(1.0, |panel| all.iter().map(|colour| colour.distance(panel)).fold(0.0, f64::max));
    // Alternating single columns, or a single row, could as well be a pattern.
    let believable = colours.len() >= 2 && (group == usize::MAX || group >= 2);
    if believable && dull && shading <= MAX_SHADING && contrast <= MAX_CONTRAST && rows_are_muted(colours, group, panel)
    {
        let off = Reading::new(OnOff::Off, 0.8);
        return Some(
            colours
                .iter()
                .map(|row| row.iter().map(|cell| if cell.is_some() { off } else { Reading::UNKNOWN }).collect())
                .collect(),
        );
    }
    // High contrast in groups may be a pattern; only a uniform grid is nothing but uniform.
    let uniform = group == usize::MAX && rows_alike(colours);
    uniform.then(|| unknown(colours))
}

/// Whether rows of one count of cells are alike, but for shading and dimming: within a row only groups of columns differ.
pub(crate) fn alike_by_count(colours: &Colours) -> bool {
    GROUPS.into_iter().filter(|group| *group >= 2).any(|group| {
        let first = |row: &Vec<Option<Lab>>| row.iter().flatten().next().copied();
        let like_another = |row: &Vec<Option<Lab>>| {
            let mut others = colours.iter().filter(|other| other.len() == row.len()).filter_map(first);
            let own = first(row);
            others.all(|other| own.is_some_and(|own| own.distance(&other) <= MAX_SHADING))
        };
        explained(colours, group) && colours.iter().all(like_another)
    })
}

/// Whether all cells of one row and one class of columns are alike.
fn explained(colours: &Colours, group: usize) -> bool {
    colours.iter().all(|row| {
        (0..2).all(|class| {
            let members = || {
                let in_class = move |column: &usize| (column / group.max(1)) % 2 == class;
                (0..row.len()).filter(in_class).filter_map(|column| row[column].as_ref())
            };
            members().next().is_none_or(|first| members().all(|colour| colour.distance(first) <= ALIKE))
        })
    })
}

fn rows_alike(colours: &Colours) -> bool {
    let mut all = colours.iter().flatten().flatten();
    all.next().is_none_or(|first| all.all(|colour| colour.distance(first) <= 3.0 * ALIKE))
}

/// Rows that differ from the others must have moved towards the panel, as dimmed ones do, and in both shades by
/// the same part of the way. A lit row moves away from it.
fn rows_are_muted(colours: &Colours, group: usize, panel: Option<&Lab>) -> bool {
    let Some(panel) = panel else { return false };
    let shades = |row: &Vec<Option<Lab>>| {
        [0, 1].map(|class| (0..row.len()).filter(|c| (c / group.max(1)) % 2 == class).find_map(|c| row[c]))
    };
    let rows: Vec<[Option<Lab>; 2]> = colours.iter().map(shades).filter(|row| row[0].is_some()).collect();
    let contrast = |row: &[Option<Lab>; 2]| row[0].map_or(0.0, |colour| colour.distance(panel));
    let Some(strongest) = rows.iter().max_by(|a, b| contrast(a).total_cmp(&contrast(b))) else { return false };
    let same = |one: &Option<Lab>, other: &Option<Lab>| match (one, other) {
        (Some(one), Some(other)) => one.distance(other) <= ALIKE,
        _ => true,
    };
    let usual = |row: &[Option<Lab>; 2]| same(&row[0], &strongest[0]) && same(&row[1], &strongest[1]);
    // The rows with most contrast are the normal ones: they must not be the exception.
    let strong = rows.iter().filter(|row| usual(row)).count();
    let one_kind = strong == rows.len();
    one_kind
        || strong >= 2 && strong * 2 >= rows.len() && rows.iter().all(|row| usual(row) || dimmed(row, strongest, panel))
}

fn dimmed(row: &[Option<Lab>; 2], from: &[Option<Lab>; 2], panel: &Lab) -> bool {
    let ways: Vec<Option<f64>> = row
        .iter()
        .zip(from)
        .filter_map(|(own, from)| {
            let (own, from) = (own.as_ref()?, from.as_ref()?);
            let (moved, all) = (own.minus(from), panel.minus(from));
            let way = moved.dot(&all) / all.dot(&all).max(1e-9);
            // A shade in the panel's own colour does not move, and tells nothing.
            if all.length() < 0.04 && moved.length() <= ALIKE {
                return None;
            }
            Some((moved.minus(&all.scaled(way)).length() <= 2.0 * ALIKE).then_some(way))
        })
        .collect();
    let Some(Some(first)) = ways.first() else { return false };
    let agree = |way: &Option<f64>| way.is_some_and(|way| (0.0..1.0).contains(&way) && (way - first).abs() <= 0.1);
    ways.iter().all(agree)
}
