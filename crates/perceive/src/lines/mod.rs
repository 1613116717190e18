//! Grids of lines with marks on them: rows of one ground each, upright lines or ticks at equal distances across all
//! rows, and a dot or a diamond where a step is set. There are no cells to be found as rectangles, so this is a way of
//! its own: lines first (`segments`, `lattice`), then what stands on their crossings with the rows (`marks`).

mod lattice;
mod marks;
mod segments;

use surehand_types::Pixels;
use surehand_types::ui::{OnOff, UiCell, UiGrid, UiRow, UiState};

use self::lattice::Lattice;
use crate::shape::Rect;
use crate::state::Reading;
use crate::structure::overlaps;

/// Adds the rows of line grids, each grid as one more panel (rows by their place in the result). What was found of
/// cells there is pieces of the ground between the lines, unless it was read: then the lines are not believed.
pub(crate) fn add(pixels: &Pixels, panels: &mut Vec<Vec<usize>>, ui: &mut UiState) {
    let read = |lattice: Lattice| marks::read(&lattice, pixels).map(|readings| (lattice, readings));
    let mut found: Vec<(Lattice, Vec<Vec<Reading>>)> =
        lattice::find(&segments::find(pixels)).into_iter().filter_map(read).collect();
    let over = |row: &UiRow, lattice: &Lattice| overlaps(&Rect::of_box(row.bbox), &lattice.bounds());
    found.retain(|(lattice, _)| !ui.rows.iter().any(|row| row.complete == OnOff::On && over(row, lattice)));
    let kept: Vec<bool> = ui.rows.iter().map(|row| !found.iter().any(|(lattice, _)| over(row, lattice))).collect();
    let moved = |index: &usize| kept[*index].then(|| kept[..*index].iter().filter(|kept| **kept).count());
    panels.iter_mut().for_each(|panel| *panel = panel.iter().filter_map(moved).collect());
    let mut keep = kept.iter();
    ui.rows.retain(|_| keep.next().copied().unwrap_or(true));
    for (lattice, readings) in &found {
        let first = ui.rows.len();
        ui.rows.extend((0..lattice.rows.len()).map(|row| row_of(lattice, row, &readings[row])));
        panels.push((first..ui.rows.len()).collect());
        let known = readings.iter().flatten().filter(|reading| reading.state != OnOff::Unknown).count();
        ui.grids.push(UiGrid {
            rows: lattice.rows.len() as u32,
            cols: lattice.columns.len() as u32,
            pitch: [lattice.pitch, lattice.row_pitch],
            bbox: lattice.bounds().to_box(),
            conf: known as f64 / (lattice.rows.len() * lattice.columns.len()).max(1) as f64,
        });
    }
}

fn row_of(lattice: &Lattice, row: usize, readings: &[Reading]) -> UiRow {
    let cell = |column: usize| UiCell {
        index: column as u32 + 1,
        bbox: lattice.cell(row, column).to_box(),
        state: readings[column].state,
        conf: readings[column].conf,
    };
    let cells: Vec<UiCell> = (0..readings.len()).map(cell).collect();
    let whole = cells.iter().all(|cell| cell.state != OnOff::Unknown);
    UiRow {
        label: None,
        label_conf: 0.0,
        bbox: lattice.row_bounds(row).to_box(),
        conf: cells.iter().map(|cell| cell.conf).fold(1.0, f64::min),
        enabled: OnOff::Unknown,
        complete: if whole { OnOff::On } else { OnOff::Unknown },
        cells,
    }
}
