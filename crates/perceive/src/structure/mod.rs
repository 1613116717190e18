//! Where cells are: near-rectangles, equal-pitch runs of them, rows, grids, and whether a row's ends were seen.

mod copies;
mod ends;
mod grids;
mod more_rows;
mod rectangles;
mod runs;

pub(crate) use ends::{Completeness, MIN_COLUMNS, completeness};
pub(crate) use grids::Grid;
pub(crate) use rectangles::Spot;

use surehand_types::Pixels;

use crate::shape::Rect;

/// All spots of the picture, and the grids among them.
pub(crate) fn find(pixels: &Pixels) -> (Vec<Spot>, Vec<Grid>) {
    let spots = rectangles::spots(pixels);
    let mut grids = grids_of(&spots);
    if !grids.iter().any(|grid| grid.regular && ends::is_step_count(grid.columns.len())) {
        let faint = grids_of(&rectangles::spots_with_faint(pixels, &spots));
        // Only whole grids: what else is faint is noise.
        grids.extend(faint.into_iter().filter(|grid| grid.regular && ends::is_step_count(grid.columns.len())));
    }
    let rows: Vec<(usize, Rect)> = grids
        .iter()
        .flat_map(|grid| (0..grid.rows.len()).map(|row| (grid.columns.len(), grid.row_bounds(row))))
        .collect();
    for grid in grids.iter_mut().filter(|grid| grid.columns.len() >= MIN_COLUMNS && grid.regular) {
        // Two narrow cells together resemble a wide one: where a finer row was seen, nothing is filled in.
        let finer = |place: &Rect| rows.iter().any(|(count, row)| *count > grid.columns.len() && overlaps(row, place));
        let open: Vec<bool> = (0..grid.rows.len()).map(|row| !finer(&grid.row_bounds(row))).collect();
        copies::complete(grid, &open, pixels);
        let taken = |place: &Rect| rows.iter().any(|(count, row)| *count >= MIN_COLUMNS && overlaps(row, place));
        more_rows::add(grid, taken, pixels);
    }
    (spots, grids)
}

fn grids_of(spots: &[Spot]) -> Vec<Grid> {
    grids::grids(spots, &runs::runs(spots))
}

/// Whether they share most of the height and width of the smaller one.
pub(crate) fn overlaps(one: &Rect, other: &Rect) -> bool {
    one.intersection(other).is_some_and(|shared| {
        shared.height() * 2 > one.height().min(other.height()) && shared.width() * 2 > one.width().min(other.width())
    })
}
