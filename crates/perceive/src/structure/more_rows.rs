//! Rows that were not found at all, because their cells are too faint for an area: a grid goes on at its row pitch
//! where the picture is made of cells like its others.

use surehand_types::Pixels;

use super::copies::{MIN_LIKENESS, MIN_TEXTURE, likeness, patch, texture};
use super::grids::Grid;
use super::rectangles::Spot;
use crate::shape::Rect;

/// Rows stand at whole pixels, and their centres are off by as much in different states.
const OFF_PITCH: f64 = 3.0;
const SHIFT: i32 = 2;
/// Nobody has more rows than this in view; it also bounds the time.
const MAX_MORE: usize = 24;
/// Cells of other columns that are tried as models, besides those of the own one.
const OTHER_MODELS: usize = 8;

/// Adds rows between and beyond those of the grid. Where something else was found (`taken`), none is added.
pub(crate) fn add(grid: &mut Grid, taken: impl Fn(&Rect) -> bool, pixels: &Pixels) {
    let Some(pitch) = row_pitch(grid) else { return };
    let (first, last) = (grid.rows[0], grid.rows[grid.rows.len() - 1]);
    let steps = ((last - first) / pitch).round() as usize;
    for step in 1..steps {
        put(grid, first + pitch * step as f64, &taken, pixels);
    }
    for direction in [-1.0, 1.0] {
        for _ in 0..MAX_MORE {
            let end = if direction < 0.0 { grid.rows[0] } else { grid.rows[grid.rows.len() - 1] };
            if !put(grid, end + direction * pitch, &taken, pixels) {
                break;
            }
        }
    }
}

/// The distance of neighbouring rows, if all distances are multiples of one.
fn row_pitch(grid: &Grid) -> Option<f64> {
    let distances: Vec<f64> = grid.rows.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let smallest = distances.iter().copied().reduce(f64::min)?;
    let whole = |distance: &f64| (distance - (distance / smallest).round() * smallest).abs() <= OFF_PITCH;
    let steps: f64 = distances.iter().map(|distance| (distance / smallest).round()).sum();
    let fits = smallest > grid.height && smallest <= grid.height * 4.0 && distances.iter().all(whole);
    fits.then(|| distances.iter().sum::<f64>() / steps)
}

/// Whether a row was put there.
fn put(grid: &mut Grid, y: f64, taken: impl Fn(&Rect) -> bool, pixels: &Pixels) -> bool {
    let width = grid.columns.len();
    let place = |column: usize, y: f64| Rect::around((grid.columns[column], y), grid.width, grid.height);
    let near = |row: &f64| (row - y).abs() < grid.height;
    if grid.rows.iter().any(near) || taken(&place(0, y).union(&place(width - 1, y))) {
        return false;
    }
    let margin = (((grid.pitch - grid.width) / 2.0).round() as i32).clamp(1, 4);
    let matches = |column: usize, down: i32| {
        let models = models(grid, column, margin, pixels);
        let place = place(column, y + f64::from(down)).grown(margin);
        (-1..=1).any(|right| {
            let moved = Rect::new(place.x0 + right, place.y0, place.x1 + right, place.y1);
            patch(pixels, moved).is_some_and(|found| likeness(&found, &models) >= MIN_LIKENESS)
        })
    };
    // All cells of a row are at one height.
    let all_match = |down: &i32| (0..width).all(|column| matches(column, *down));
    let Some(down) = (-SHIFT..=SHIFT).find(all_match) else { return false };
    let y = y + f64::from(down);
    let cells = (0..width).map(|column| Some(Spot::at(place(column, y)))).collect();
    let at = grid.rows.partition_point(|row| *row < y);
    grid.rows.insert(at, y);
    grid.cells.insert(at, cells);
    true
}

/// Cells of the same column, then some of all others.
fn models(grid: &Grid, column: usize, margin: i32, pixels: &Pixels) -> Vec<Vec<f64>> {
    let width = grid.columns.len();
    let own = (0..grid.rows.len()).map(|row| (row, column));
    let stride = (grid.rows.len() * width / OTHER_MODELS).max(1);
    let others = (0..grid.rows.len() * width).step_by(stride).map(|index| (index / width, index % width));
    own.take(OTHER_MODELS)
        .chain(others)
        .filter(|(row, column)| grid.cells[*row][*column].is_some())
        .filter_map(|(row, column)| patch(pixels, grid.cell_rect(row, column).grown(margin)))
        .filter(|patch| texture(patch) >= MIN_TEXTURE)
        .collect()
}
