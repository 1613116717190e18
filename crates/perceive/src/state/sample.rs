//! The colour of each cell, and of what surrounds the cells.

use surehand_types::Pixels;

use super::blend::{self, Rgb};
use crate::colour::{Lab, mean_and_spread, median_of};
use crate::shape::{Rect, median};
use crate::structure::{Grid, Spot};

/// What one cell looks like.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    /// Mean of the middle: shows a dot or a tick as well as a filled cell.
    pub(crate) core: Lab,
    /// The very middle: a sign is there, the corner of something that covers the cell is not.
    pub(crate) heart: Lab,
    /// What most of the interior shows, whatever stands on it (a mouse pointer, a sign).
    pub(crate) body: Lab,
    /// Mean of all the ground that belongs to the cell, its border and the gap included: shows a cell that
    /// is lit by its outline only.
    pub(crate) whole: Lab,
    /// What borders the interior on its four sides: shows a cell that is lit by its outline.
    pub(crate) rims: Option<[Lab; 4]>,
    /// How uneven the middle is, 0 to 1.
    pub(crate) spread: f64,
    /// The same colours as they are in the picture: core, heart, body, whole.
    raw: [Rgb; 4],
}

impl Look {
    fn of(raw: [Rgb; 4], spread: f64) -> Look {
        let [core, heart, body, whole] = raw.map(Lab::of);
        Look { core, heart, body, whole, rims: None, spread, raw }
    }

    /// What the cell would look like if its row were not dimmed by that part of the way to the panel.
    pub(crate) fn undimmed(&self, way: f64, panel: &Rgb) -> Look {
        let raw = self.raw.map(|colour| blend::undimmed(&colour, way, panel));
        Look { rims: self.rims, ..Look::of(raw, (self.spread / (1.0 - way)).min(1.0)) }
    }

    pub(crate) fn body_rgb(&self) -> Rgb {
        self.raw[2]
    }

    pub(crate) fn core_rgb(&self) -> Rgb {
        self.raw[0]
    }
}

/// Looks of all cells that were found, by row and column.
pub(crate) fn looks(grid: &Grid, pixels: &Pixels) -> Vec<Vec<Option<Look>>> {
    let inner = |value: fn(&Spot) -> i32| {
        let mut sizes: Vec<f64> = grid.cells.iter().flatten().flatten().map(|spot| f64::from(value(spot))).collect();
        median(&mut sizes)
    };
    let (width, height) = (inner(|spot| spot.inner().width()), inner(|spot| spot.inner().height()));
    let look = |spot: &Spot| {
        let centre = spot.inner().centre();
        let core = Rect::around(centre, (width * 0.5).max(2.0), (height * 0.5).max(2.0));
        let body = Rect::around(centre, (width * 0.8).max(3.0), (height * 0.8).max(3.0));
        let heart = Rect::around(centre, (width * 0.2).max(1.0), (height * 0.2).max(1.0));
        let (mean, spread) = mean_and_spread(pixels, core)?;
        let ground = Rect::around(spot.closest(grid.width, grid.height).centre(), grid.pitch, grid.height * 1.3);
        let (whole, _) = mean_and_spread(pixels, ground)?;
        let fill = median_of(pixels, body)?;
        let rims = rims(spot, (grid.width, grid.height), &fill, pixels);
        Some(Look { rims, ..Look::of([mean, median_of(pixels, heart)?, fill, whole], spread) })
    };
    grid.cells.iter().map(|row| row.iter().map(|cell| cell.as_ref().and_then(look)).collect()).collect()
}

/// The line around an interior: what differs most from the fill on the way out. It is two pixels outside of the cell at
/// most, since a blurred edge may come first; further out the neighbour's own line may be.
fn rims(spot: &Spot, size: (f64, f64), fill: &Rgb, pixels: &Pixels) -> Option<[Lab; 4]> {
    let (inner, outer) = (spot.inner(), spot.closest(size.0, size.1).union(&spot.inner()).grown(2));
    let (part_x, part_y) = (inner.width() / 4, inner.height() / 4);
    let farthest = |lines: Vec<Rect>| {
        let found = lines.iter().filter_map(|line| median_of(pixels, *line));
        found.max_by(|a, b| blend::distance(a, fill).total_cmp(&blend::distance(b, fill))).map(Lab::of)
    };
    let level = |y: i32| Rect::new(inner.x0 + part_x, y, inner.x1 - part_x, y + 1);
    let upright = |x: i32| Rect::new(x, inner.y0 + part_y, x + 1, inner.y1 - part_y);
    Some([
        farthest((outer.y0..inner.y0).map(level).collect())?,
        farthest((inner.y1..outer.y1).map(level).collect())?,
        farthest((outer.x0..inner.x0).map(upright).collect())?,
        farthest((inner.x1..outer.x1).map(upright).collect())?,
    ])
}

/// The panel around the grid, and what shows between its cells. Off cells stand out less from them
/// than lit ones do.
pub(crate) fn surroundings(grid: &Grid, pixels: &Pixels) -> Vec<Lab> {
    let bounds = grid.bounds();
    let between: Vec<Lab> = grid
        .columns
        .windows(2)
        .filter_map(|pair| {
            let x = f64::midpoint(pair[0], pair[1]).floor() as i32;
            median_of(pixels, Rect::new(x, bounds.y0, x + 1, bounds.y1)).map(Lab::of)
        })
        .collect();
    panel(grid, pixels).map(Lab::of).into_iter().chain(Lab::mean(between.iter())).collect()
}

/// What shows around the grid.
pub(crate) fn panel(grid: &Grid, pixels: &Pixels) -> Option<Rgb> {
    let bounds = grid.bounds();
    let gap = (grid.pitch - grid.width).max(0.0) as i32;
    let (near, far) = (gap + 3, gap + 7);
    let sides = [
        Rect::new(bounds.x0 - far, bounds.y0, bounds.x0 - near, bounds.y1),
        Rect::new(bounds.x1 + near, bounds.y0, bounds.x1 + far, bounds.y1),
        Rect::new(bounds.x0, bounds.y0 - far, bounds.x1, bounds.y0 - near),
        Rect::new(bounds.x0, bounds.y1 + near, bounds.x1, bounds.y1 + far),
    ];
    let mut panel: Vec<Rgb> = sides.iter().filter_map(|side| median_of(pixels, *side)).collect();
    panel.sort_by(|a, b| Lab::of(*a).l.total_cmp(&Lab::of(*b).l));
    panel.get(panel.len() / 2).copied()
}
