//! Whether an action on a screen without a tree did something: pixels that changed with it and stay,
//! windows that came or went, the keyboard focus. Three-valued; where the screen lives by itself, nothing is claimed.

mod habits;
mod judge;

pub use habits::Habits;
pub use judge::{Seen, Sign, Verdict, judge};

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Arc;

    use surehand_types::frame::Fence;
    use surehand_types::{Encoding, Frame, FrameSource, Pixels, ViewSize};

    use crate::after::pixels::{TileSet, changed_tiles};

    pub(crate) const VIEW: ViewSize = ViewSize { width: 320, height: 160 };

    pub(crate) fn blank() -> Pixels {
        Pixels::new(VIEW.width, VIEW.height, vec![50; (VIEW.width * VIEW.height * 3) as usize]).unwrap()
    }

    /// A frame with squares of eight pixels.
    pub(crate) fn frame(squares: &[(u32, u32, u8)]) -> Frame {
        let mut pixels = blank();
        for (x, y, value) in squares {
            for (dx, dy) in (0..64).map(|index| (index % 8, index / 8)) {
                pixels.set(x + dx, y + dy, [*value; 3]);
            }
        }
        Frame {
            id: 1,
            captured_at_ms: 0,
            source: FrameSource::Screen,
            encoding: Encoding::Raw,
            fence: Fence::None,
            stale: false,
            view: VIEW,
            pixels: Arc::new(pixels),
        }
    }

    pub(crate) fn tiles_at(points: &[(u32, u32)]) -> TileSet {
        let squares: Vec<(u32, u32, u8)> = points.iter().map(|(x, y)| (*x / 16 * 16, *y / 16 * 16, 200)).collect();
        changed_tiles(&frame(&[]), &frame(&squares)).unwrap()
    }
}
