//! Where a model's numbers point. Every adapter names its space; the way to our grid is here and nowhere else.

use surehand_types::reply::AimedAt;

use super::knowledge::smart_resize;

/// The space a model points in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Space {
    /// Pixels of the picture that was sent.
    ImagePx,
    /// 0 to 1000 on both axes.
    Grid1000,
    /// Pixels of the picture after the model's own processor has scaled it.
    SmartResizedPx { factor: u32, min_pixels: u64, max_pixels: u64 },
}

/// A point on our grid, not rounded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct OnGrid {
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// The raw point was outside.
    pub(crate) clamped: bool,
}

impl Space {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Space::ImagePx => "image_px",
            Space::Grid1000 => "grid1000",
            Space::SmartResizedPx { .. } => "smart_resized_px",
        }
    }

    /// How far the space reaches for a picture of this size.
    pub(crate) fn extent(self, image: (u32, u32)) -> (f64, f64) {
        let (width, height) = match self {
            Space::ImagePx => image,
            Space::Grid1000 => (1000, 1000),
            Space::SmartResizedPx { factor, min_pixels, max_pixels } => {
                smart_resize(image.0, image.1, factor, min_pixels, max_pixels)
            }
        };
        (f64::from(width.max(1)), f64::from(height.max(1)))
    }

    pub(crate) fn to_grid(self, raw: [f64; 2], image: (u32, u32)) -> OnGrid {
        let (width, height) = self.extent(image);
        let (x, x_out) = axis(raw[0], width);
        let (y, y_out) = axis(raw[1], height);
        OnGrid { x, y, clamped: x_out || y_out }
    }

    /// For the record of a reply.
    pub(crate) fn aimed_at(self, call: usize, field: &str, raw: [f64; 2], image: (u32, u32), at: OnGrid) -> AimedAt {
        AimedAt {
            call,
            field: field.to_string(),
            raw,
            space: self.name().to_string(),
            image: [image.0, image.1],
            grid: [rounded(at.x), rounded(at.y)],
            clamped: at.clamped,
        }
    }
}

fn axis(value: f64, extent: f64) -> (f64, bool) {
    if !value.is_finite() {
        return (0.0, true);
    }
    ((value * 1000.0 / extent).clamp(0.0, 1000.0), value < 0.0 || value > extent)
}

fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use surehand_types::{GridPoint, ViewSize};

    /// Where a click at a view pixel ends up when a model names that pixel in the picture it was sent.
    fn round_trip(space: Space, view: ViewSize, image: (u32, u32), pixel: (u32, u32)) -> (i32, i32) {
        let (width, height) = space.extent(image);
        let raw = [
            (f64::from(pixel.0) * width / f64::from(view.width)).round(),
            (f64::from(pixel.1) * height / f64::from(view.height)).round(),
        ];
        let at = space.to_grid(raw, image);
        let got = GridPoint::exact(at.x, at.y).to_view(view);
        (got.x - pixel.0 as i32, got.y - pixel.1 as i32)
    }

    #[test]
    fn a_point_named_in_the_sent_picture_is_hit_within_a_pixel() {
        let qwen = Space::SmartResizedPx { factor: 28, min_pixels: 3136, max_pixels: 12_845_056 };
        for (view, image) in [
            ((1280, 720), (1280, 720)),
            ((1280, 720), (2560, 1440)),
            ((1919, 1079), (1568, 881)),
            ((853, 480), (1280, 720)),
            ((1366, 768), (1366, 768)),
            ((1600, 900), (1280, 720)),
        ] {
            let view = ViewSize { width: view.0, height: view.1 };
            for step in 0..200 {
                let pixel = (step * view.width / 200, step * view.height / 200);
                for space in [Space::ImagePx, qwen] {
                    let (dx, dy) = round_trip(space, view, image, pixel);
                    assert!(dx.abs() <= 1 && dy.abs() <= 1, "{space:?} {view:?} {image:?} {pixel:?}: {dx},{dy}");
                }
            }
        }
    }

    #[test]
    fn what_is_outside_is_clamped_and_said() {
        let at = Space::ImagePx.to_grid([-5.0, 900.0], (1280, 720));
        assert_eq!(at, OnGrid { x: 0.0, y: 1000.0, clamped: true });
        assert!(Space::Grid1000.to_grid([f64::NAN, 3.0], (1, 1)).clamped);
        assert!(!Space::Grid1000.to_grid([1000.0, 0.0], (1280, 720)).clamped);
    }
}
