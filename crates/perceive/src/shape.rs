//! A rectangle of pixels and the small arithmetic that every stage needs on it.

use surehand_types::Pixels;
use surehand_types::ui::PixelBox;

/// Whole pixels, `x1` and `y1` excluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Rect {
    pub(crate) x0: i32,
    pub(crate) y0: i32,
    pub(crate) x1: i32,
    pub(crate) y1: i32,
}

impl Rect {
    pub(crate) fn new(x0: i32, y0: i32, x1: i32, y1: i32) -> Rect {
        Rect { x0, y0, x1, y1 }
    }

    pub(crate) fn around(centre: (f64, f64), width: f64, height: f64) -> Rect {
        let low = |middle: f64, length: f64| (middle - length / 2.0).round() as i32;
        let (x0, y0) = (low(centre.0, width), low(centre.1, height));
        Rect { x0, y0, x1: x0 + (width.round() as i32).max(1), y1: y0 + (height.round() as i32).max(1) }
    }

    pub(crate) fn width(&self) -> i32 {
        self.x1 - self.x0
    }

    pub(crate) fn height(&self) -> i32 {
        self.y1 - self.y0
    }

    pub(crate) fn area(&self) -> i64 {
        i64::from(self.width().max(0)) * i64::from(self.height().max(0))
    }

    pub(crate) fn centre(&self) -> (f64, f64) {
        (f64::from(self.x0 + self.x1) / 2.0, f64::from(self.y0 + self.y1) / 2.0)
    }

    pub(crate) fn union(&self, other: &Rect) -> Rect {
        Rect {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }

    pub(crate) fn intersection(&self, other: &Rect) -> Option<Rect> {
        let cut = Rect {
            x0: self.x0.max(other.x0),
            y0: self.y0.max(other.y0),
            x1: self.x1.min(other.x1),
            y1: self.y1.min(other.y1),
        };
        (cut.x0 < cut.x1 && cut.y0 < cut.y1).then_some(cut)
    }

    pub(crate) fn contains(&self, other: &Rect) -> bool {
        self.x0 <= other.x0 && self.y0 <= other.y0 && self.x1 >= other.x1 && self.y1 >= other.y1
    }

    pub(crate) fn grown(&self, by: i32) -> Rect {
        Rect { x0: self.x0 - by, y0: self.y0 - by, x1: self.x1 + by, y1: self.y1 + by }
    }

    /// The part inside the picture; `None` when nothing is.
    pub(crate) fn within(&self, pixels: &Pixels) -> Option<Rect> {
        self.intersection(&Rect::new(0, 0, side(pixels.width), side(pixels.height)))
    }

    pub(crate) fn to_box(self) -> PixelBox {
        [self.x0, self.y0, self.x1, self.y1].map(|value| value.max(0) as u32)
    }

    pub(crate) fn of_box(bounds: PixelBox) -> Rect {
        let [x0, y0, x1, y1] = bounds.map(side);
        Rect { x0, y0, x1, y1 }
    }
}

/// A picture's side as a signed number. No picture that was decoded comes near the limit.
pub(crate) fn side(length: u32) -> i32 {
    i32::try_from(length).unwrap_or(i32::MAX)
}

/// The middle value; 0 of nothing.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
