//! Cells that were not found as rectangles, by their likeness to cells that were. The cells of a grid are
//! copies of one picture: dimming a row only scales and shifts its colours, and a dimly lit cell is a mixture
//! of a lit and an unlit one. Both correlate with their models where their outline is too faint for an area.

use surehand_types::Pixels;

use super::grids::Grid;
use super::rectangles::Spot;
use super::runs::same_size;
use crate::colour::line;
use crate::shape::Rect;

/// Copies of one picture in other colours correlate by 0.99 and up; two narrow cells taken for a wide one
/// by 0.93, what covers a cell by less.
pub(super) const MIN_LIKENESS: f64 = 0.96;
/// Below this many grey levels (root mean square) a patch is flat, and flat patches resemble anything.
pub(super) const MIN_TEXTURE: f64 = 1.2;
/// Cells that are tried as models, for each cell.
const MAX_MODELS: usize = 16;

/// Puts cells where the grid has none, or one of another size, if the picture there is made of cells.
/// Rows that are not `open` stay as they are.
pub(crate) fn complete(grid: &mut Grid, open: &[bool], pixels: &Pixels) {
    let sound: Vec<Vec<bool>> = (0..grid.rows.len())
        .map(|row| (0..grid.columns.len()).map(|column| is_sound(grid, row, column)).collect())
        .collect();
    let known = sound.iter().flatten().filter(|sound| **sound).count();
    let all = grid.rows.len() * grid.columns.len();
    // A grid of which most is missing is no model for the rest.
    if known == all || known * 3 < all {
        return;
    }
    let margin = (((grid.pitch - grid.width) / 2.0).round() as i32).clamp(1, 4);
    for row in (0..grid.rows.len()).filter(|row| open.get(*row).copied().unwrap_or(false)) {
        for column in (0..grid.columns.len()).filter(|column| !sound[row][*column]) {
            let place = grid.cell_rect(row, column);
            let models: Vec<Vec<f64>> = models(&sound, row, column)
                .into_iter()
                .filter_map(|(row, column)| patch(pixels, grid.cell_rect(row, column).grown(margin)))
                .filter(|patch| texture(patch) >= MIN_TEXTURE)
                .collect();
            let made_of_cells = |shift: (i32, i32)| {
                let place = place.grown(margin);
                let moved = Rect::new(place.x0 + shift.0, place.y0 + shift.1, place.x1 + shift.0, place.y1 + shift.1);
                patch(pixels, moved).is_some_and(|found| likeness(&found, &models) >= MIN_LIKENESS)
            };
            // Cells stand on whole pixels, their columns' centres do not.
            if (-1..=1).any(|down| (-1..=1).any(|right| made_of_cells((right, down)))) {
                grid.cells[row][column] = Some(Spot::at(place));
            }
        }
    }
}

fn is_sound(grid: &Grid, row: usize, column: usize) -> bool {
    let wanted = grid.cell_rect(row, column);
    grid.cells[row][column].as_ref().is_some_and(|spot| {
        let rect = spot.closest(grid.width, grid.height);
        (rect.centre().0 - wanted.centre().0).abs() <= 3.0 && same_size(&rect, &wanted)
    })
}

/// Cells of the same column, which stand on the same fraction of a pixel, then of the same row.
fn models(sound: &[Vec<bool>], row: usize, column: usize) -> Vec<(usize, usize)> {
    let above = (0..sound.len()).filter(|other| sound[*other][column]).map(|other| (other, column));
    let own: Vec<usize> = (0..sound[row].len()).filter(|other| sound[row][*other]).collect();
    let stride = (own.len() / MAX_MODELS).max(1);
    above.take(MAX_MODELS).chain(own.into_iter().step_by(stride).map(|other| (row, other))).collect()
}

/// The three channels of an area, each without its mean; `None` if part of it is outside.
pub(super) fn patch(pixels: &Pixels, area: Rect) -> Option<Vec<f64>> {
    if area.within(pixels)? != area {
        return None;
    }
    let mut values = Vec::with_capacity(area.area() as usize * 3);
    for y in area.y0..area.y1 {
        values.extend(line(pixels, y, area.x0, area.x1).iter().map(|value| f64::from(*value)));
    }
    for channel in 0..3 {
        let count = (values.len() / 3) as f64;
        let mean = values.iter().skip(channel).step_by(3).sum::<f64>() / count;
        values.iter_mut().skip(channel).step_by(3).for_each(|value| *value -= mean);
    }
    Some(values)
}

pub(super) fn texture(patch: &[f64]) -> f64 {
    (dot(patch, patch) / patch.len().max(1) as f64).sqrt()
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

/// How well one model, or a mixture of the best one and one more, explains the patch.
pub(super) fn likeness(found: &[f64], models: &[Vec<f64>]) -> f64 {
    let own = dot(found, found);
    if texture(found) < MIN_TEXTURE {
        return 0.0;
    }
    let alone = |model: &[f64]| dot(found, model) / (own * dot(model, model)).sqrt();
    let Some(best) = models.iter().max_by(|a, b| alone(a).total_cmp(&alone(b))) else { return 0.0 };
    let mixed = |other: &Vec<f64>| {
        let (aa, ab, bb) = (dot(best, best), dot(best, other), dot(other, other));
        let (fa, fb) = (dot(found, best), dot(found, other));
        let determinant = aa * bb - ab * ab;
        // Two models that are alike make no mixture.
        if determinant < 0.02 * aa * bb {
            return 0.0;
        }
        let (x, y) = ((fa * bb - fb * ab) / determinant, (fb * aa - fa * ab) / determinant);
        if x < 0.0 || y < 0.0 { 0.0 } else { ((x * fa + y * fb) / own).max(0.0).sqrt() }
    };
    models.iter().map(mixed).fold(alone(best), f64::max)
}
