//! Image arithmetic on decoded pixels. Everything draws on the copy it is given; frames stay clean.

mod codec;
mod cursor;
mod draw;
mod look;
mod palette;
mod raw;
mod scale;
mod shapes;
mod small;
mod text;
mod under_cursor;

pub use codec::{MAX_PIXELS, decode, decode_jpeg, decode_png, encode_indexed_png, encode_jpeg, encode_png};
pub use cursor::{CURSOR_SIZE, draw_cursor};
pub use draw::{MASK_COLOUR, Stroke, fill_boxes, outline_box};
pub use look::{Look, Part, Sought, Sums};
pub use palette::{Indexed, indexed, indexed_in};
pub use raw::{ByteOrder, from_four_bytes};
pub use scale::{crop, enlarge, thumbnail};
pub use shapes::{Spot, draw_disc, draw_line, draw_ring};
pub use small::{Small, encode_small};
pub use text::{LETTER_HEIGHT, LETTER_WIDTH, Weight, draw_text};
pub use under_cursor::{decode_without_cursor, encode_with_cursor};

use surehand_types::{Pixels, ViewBox, ViewSize};

/// Why bytes could not become a picture, or a picture bytes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    #[error("the bytes are neither a PNG nor a JPEG image")]
    UnknownFormat,
    #[error("the {format} image is {width}x{height}, more than {MAX_PIXELS} pixels")]
    TooLarge { format: &'static str, width: usize, height: usize },
    #[error("the {format} image cannot be read: {reason}")]
    Unreadable { format: &'static str, reason: String },
    #[error("the picture cannot be written as {format}: {reason}")]
    Unwritable { format: &'static str, reason: String },
}

/// Image pixels per view pixel on both axes; they differ from 1 with the device pixel ratio.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ratio {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Ratio {
    pub(crate) fn of(pixels: &Pixels, view: ViewSize) -> Ratio {
        let axis = |image: u32, view: u32| f64::from(image) / f64::from(view.max(1));
        Ratio { x: axis(pixels.width, view.width), y: axis(pixels.height, view.height) }
    }
}

/// A rectangle of whole image pixels, `x1` and `y1` excluded, never empty and never outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ImageRect {
    pub(crate) x0: u32,
    pub(crate) y0: u32,
    pub(crate) x1: u32,
    pub(crate) y1: u32,
}

impl ImageRect {
    /// The image pixels that a view box touches, rounded outward: a mask must not leave a seam.
    /// `None` when nothing of it is inside the picture.
    pub(crate) fn touched_by(bounds: ViewBox, pixels: &Pixels, view: ViewSize) -> Option<Self> {
        let ratio = Ratio::of(pixels, view);
        let all = [bounds.x0, bounds.y0, bounds.x1, bounds.y1];
        if all.iter().any(|value| value.is_nan()) {
            return None;
        }
        // A float cast saturates, so a box that reaches far outside is clipped like any other.
        let low = |value: f64, ratio: f64, limit: u32| ((value * ratio).floor() as u32).min(limit);
        let high = |value: f64, ratio: f64, limit: u32| ((value * ratio).ceil() as u32).min(limit);
        let rect = ImageRect {
            x0: low(bounds.x0, ratio.x, pixels.width),
            y0: low(bounds.y0, ratio.y, pixels.height),
            x1: high(bounds.x1, ratio.x, pixels.width),
            y1: high(bounds.y1, ratio.y, pixels.height),
        };
        (rect.x0 < rect.x1 && rect.y0 < rect.y1).then_some(rect)
    }
}
