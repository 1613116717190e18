//! Coordinate spaces as types. A bare number never crosses a crate border: the brain speaks
//! `GridPoint`, the environment dispatches `ViewPoint`, a model's own image space is `ImagePoint`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The largest grid coordinate. The grid is 0..=1000 on both axes whatever the viewport is.
pub const GRID_MAX: u16 = 1000;

/// A point on the 1000-grid, the space every brain speaks. Serialised as `[x, y]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(from = "[u16; 2]", into = "[u16; 2]")]
pub struct GridPoint {
    pub x: u16,
    pub y: u16,
    /// Millionths of a grid unit beyond `x` and `y`: a model's pixels fall between grid points, and on a wide
    /// view half a grid unit is more than a pixel.
    beyond: [i32; 2],
}

const MILLION: i64 = 1_000_000;

/// A point in CSS pixels of the viewport, or in screen pixels on a desktop; always inside the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct ViewPoint {
    pub x: i32,
    pub y: i32,
}

/// A point in the pixels of the image a brain was given, before it is mapped back to the grid.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImagePoint {
    pub x: f64,
    pub y: f64,
}

/// Size of the view in CSS pixels (browser) or screen pixels (desktop).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ViewSize {
    pub width: u32,
    pub height: u32,
}

/// A rectangle in view pixels. It may reach outside the view, as scrolled elements do.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ViewBox {
    pub x0: f64,
    pub y0: f64,
    pub x1: f64,
    pub y1: f64,
}

/// The visible part of a rectangle in grid units. Serialised as `[x0, y0, x1, y1]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(from = "[u16; 4]", into = "[u16; 4]")]
pub struct GridBox {
    pub x0: u16,
    pub y0: u16,
    pub x1: u16,
    pub y1: u16,
}

impl GridPoint {
    pub const CENTRE: GridPoint = GridPoint::new(500, 500);

    pub const fn new(x: u16, y: u16) -> GridPoint {
        GridPoint { x, y, beyond: [0, 0] }
    }

    /// The point itself, not the nearest one with whole numbers; clamped to the grid.
    pub fn exact(x: f64, y: f64) -> GridPoint {
        let ((x, beyond_x), (y, beyond_y)) = (split(x), split(y));
        GridPoint { x, y, beyond: [beyond_x, beyond_y] }
    }

    fn millionths(self) -> [i64; 2] {
        [
            i64::from(self.x) * MILLION + i64::from(self.beyond[0]),
            i64::from(self.y) * MILLION + i64::from(self.beyond[1]),
        ]
    }

    /// The view pixel this grid point names: rounded half up and never the pixel just outside.
    pub fn to_view(self, size: ViewSize) -> ViewPoint {
        let [x, y] = self.millionths();
        ViewPoint { x: axis_to_view(x, size.width), y: axis_to_view(y, size.height) }
    }
}

impl ViewPoint {
    /// The nearest grid point; the way back from `GridPoint::to_view`.
    pub fn to_grid(self, size: ViewSize) -> GridPoint {
        size.grid_point(f64::from(self.x), f64::from(self.y))
    }

    pub fn distance(self, other: ViewPoint) -> f64 {
        let dx = f64::from(self.x - other.x);
        let dy = f64::from(self.y - other.y);
        dx.hypot(dy)
    }
}

impl ViewSize {
    pub fn centre(self) -> ViewPoint {
        GridPoint::CENTRE.to_view(self)
    }

    /// The grid point of a position in view pixels, clamped to the view.
    pub fn grid_point(self, x: f64, y: f64) -> GridPoint {
        GridPoint::new(axis_to_grid(x, self.width), axis_to_grid(y, self.height))
    }

    pub fn grid_box(self, view: ViewBox) -> GridBox {
        GridBox {
            x0: axis_to_grid(view.x0, self.width),
            y0: axis_to_grid(view.y0, self.height),
            x1: axis_to_grid(view.x1, self.width),
            y1: axis_to_grid(view.y1, self.height),
        }
    }

    /// A length in grid units along the horizontal axis, in view pixels.
    pub fn horizontal_length(self, grid_units: u32) -> f64 {
        f64::from(grid_units) * f64::from(self.width) / f64::from(GRID_MAX)
    }

    /// A length in grid units along the vertical axis, in view pixels.
    pub fn vertical_length(self, grid_units: u32) -> f64 {
        f64::from(grid_units) * f64::from(self.height) / f64::from(GRID_MAX)
    }
}

impl ViewBox {
    pub fn contains(&self, point: ViewPoint) -> bool {
        let (x, y) = (f64::from(point.x), f64::from(point.y));
        x >= self.x0 && x < self.x1 && y >= self.y0 && y < self.y1
    }

    pub fn centre(&self) -> (f64, f64) {
        ((self.x0 + self.x1) / 2.0, (self.y0 + self.y1) / 2.0)
    }

    pub fn moved_by(&self, dx: f64, dy: f64) -> ViewBox {
        ViewBox { x0: self.x0 + dx, y0: self.y0 + dy, x1: self.x1 + dx, y1: self.y1 + dy }
    }
}

impl GridBox {
    pub fn centre(self) -> GridPoint {
        GridPoint::new((self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2)
    }
}

impl From<[u16; 2]> for GridPoint {
    fn from([x, y]: [u16; 2]) -> Self {
        GridPoint::new(x.min(GRID_MAX), y.min(GRID_MAX))
    }
}

impl From<GridPoint> for [u16; 2] {
    fn from(point: GridPoint) -> Self {
        [point.x, point.y]
    }
}

impl From<[u16; 4]> for GridBox {
    fn from([x0, y0, x1, y1]: [u16; 4]) -> Self {
        GridBox { x0, y0, x1, y1 }
    }
}

impl From<GridBox> for [u16; 4] {
    fn from(b: GridBox) -> Self {
        [b.x0, b.y0, b.x1, b.y1]
    }
}

fn axis_to_view(millionths: i64, extent: u32) -> i32 {
    // Integer arithmetic: floor(v * extent / 1000 + 1/2) without floating point doubt at .5.
    let whole = i128::from(GRID_MAX) * i128::from(MILLION);
    let scaled = (i128::from(millionths) * i128::from(extent) * 2 + whole) / (2 * whole);
    let last = i128::from(extent.saturating_sub(1));
    i32::try_from(scaled.clamp(0, last)).unwrap_or(i32::MAX)
}

/// The nearest whole grid unit and the millionths beyond it.
fn split(value: f64) -> (u16, i32) {
    let value = if value.is_finite() { value.clamp(0.0, f64::from(GRID_MAX)) } else { 0.0 };
    let whole = value.round();
    // Both are small after the clamp, so the casts cannot truncate.
    (whole as u16, ((value - whole) * 1e6).round() as i32)
}

fn axis_to_grid(value: f64, extent: u32) -> u16 {
    if extent == 0 || !value.is_finite() {
        return 0;
    }
    let scaled = (value * f64::from(GRID_MAX) / f64::from(extent)).round();
    // Clamped just before the cast, so it cannot truncate.
    scaled.clamp(0.0, f64::from(GRID_MAX)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    const HD: ViewSize = ViewSize { width: 1280, height: 720 };

    fn check(grid: [u16; 2], size: ViewSize, view: (i32, i32)) {
        let got = GridPoint::from(grid).to_view(size);
        assert_eq!((got.x, got.y), view, "{grid:?} on {size:?}");
    }

    #[test]
    fn grid_to_view_rounds_half_up_and_stays_inside() {
        check([0, 0], HD, (0, 0));
        check([1000, 1000], HD, (1279, 719));
        check([500, 500], HD, (640, 360));
        check([1, 1], HD, (1, 1)); // 1.28 and 0.72
        check([999, 999], HD, (1279, 719));
        check([500, 500], ViewSize { width: 1, height: 3 }, (0, 2)); // 0.5 -> 1 clamped, 1.5 -> 2
        check([250, 750], ViewSize { width: 2, height: 2 }, (1, 1));
    }

    #[test]
    fn an_exact_point_finds_every_pixel_of_a_wide_view() {
        for width in [1279_u32, 1280, 2560, 3841, 7680] {
            let size = ViewSize { width, height: width };
            for pixel in 0..width {
                let at = f64::from(pixel) * 1000.0 / f64::from(width);
                let got = GridPoint::exact(at, at).to_view(size);
                assert_eq!((got.x, got.y), (pixel as i32, pixel as i32), "{width}");
            }
        }
        assert_eq!(GridPoint::exact(f64::NAN, 5000.0), GridPoint::new(0, 1000));
        assert_eq!(<[u16; 2]>::from(GridPoint::exact(12.4, 12.6)), [12, 13]);
    }

    #[test]
    fn view_to_grid_is_clamped() {
        assert_eq!(HD.grid_point(-50.0, 9000.0), GridPoint::new(0, 1000));
        assert_eq!(HD.grid_point(f64::NAN, 360.0), GridPoint::new(0, 500));
    }

    #[test]
    fn every_grid_point_survives_the_round_trip_within_one_pixel() {
        for value in 0..=GRID_MAX {
            let view = GridPoint::new(value, value).to_view(HD);
            let back = view.to_grid(HD).to_view(HD);
            assert!((back.x - view.x).abs() <= 1 && (back.y - view.y).abs() <= 1, "{value}");
        }
    }
}
