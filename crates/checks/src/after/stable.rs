//! Did two frames show the same? Settling asks this many times a second, so equal rows are
//! compared as slices and only rows that differ are looked at pixel by pixel.

use surehand_types::{Frame, Pixels, ThreeValued};

/// A square of the picture in which something differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TileChange {
    /// Position and size in image pixels; tiles at the right and lower edge may be smaller.
    pub x: u32,
    pub y: u32,
    pub width: u32,
    pub height: u32,
    /// How many of its pixels differ.
    pub changed: u32,
}

/// The tiles that differ, in reading order. Pictures of different size share no position, so every
/// tile of the second one counts as changed; `Frame::comparable_with` tells the cases apart.
pub fn tiles_changed(before: &Pixels, after: &Pixels, tile: u32) -> Vec<TileChange> {
    let tile = tile.max(1);
    let same_size = before.width == after.width && before.height == after.height;
    if same_size && before.rgb == after.rgb {
        return Vec::new();
    }
    let columns = after.width.div_ceil(tile);
    let rows = after.height.div_ceil(tile);
    let mut changed = vec![0u32; columns as usize * rows as usize];
    let stride = after.width as usize * 3;
    if same_size {
        let pairs = before.rgb.chunks(stride).zip(after.rgb.chunks(stride));
        for (y, (old, new)) in pairs.enumerate() {
            if old == new {
                continue;
            }
            let start = (y / tile as usize) * columns as usize;
            let counts = &mut changed[start..start + columns as usize];
            let width = tile as usize * 3;
            for (count, (old, new)) in counts.iter_mut().zip(old.chunks(width).zip(new.chunks(width))) {
                if old != new {
                    let (old, _) = old.as_chunks::<3>();
                    let (new, _) = new.as_chunks::<3>();
                    *count += old.iter().zip(new).filter(|(a, b)| a != b).count() as u32;
                }
            }
        }
    }
    (0..rows)
        .flat_map(|row| (0..columns).map(move |column| (column * tile, row * tile)))
        .zip(changed)
        .filter_map(|((x, y), changed)| {
            let width = tile.min(after.width - x);
            let height = tile.min(after.height - y);
            let changed = if same_size { changed } else { width * height };
            (changed > 0).then_some(TileChange { x, y, width, height, changed })
        })
        .collect()
}

/// Whether two frames show exactly the same pixels; not measured when they cannot be compared.
pub fn same_pixels(before: &Frame, after: &Frame) -> ThreeValued {
    if !before.comparable_with(after) {
        return ThreeValued::not_measured("the frames differ in source, encoding or size");
    }
    if std::sync::Arc::ptr_eq(&before.pixels, &after.pixels) || before.pixels.rgb == after.pixels.rgb {
        ThreeValued::yes("every pixel is equal")
    } else {
        ThreeValued::no("some pixels differ")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use surehand_types::frame::Fence;
    use surehand_types::{Encoding, FrameSource, ViewSize};

    use super::*;

    fn black(width: u32, height: u32) -> Pixels {
        Pixels::new(width, height, vec![0; (width * height * 3) as usize]).unwrap()
    }

    fn frame(pixels: Pixels, source: FrameSource) -> Frame {
        Frame {
            id: 1,
            captured_at_ms: 0,
            source,
            encoding: Encoding::Png,
            fence: Fence::None,
            stale: false,
            view: ViewSize { width: pixels.width, height: pixels.height },
            pixels: Arc::new(pixels),
        }
    }

    fn change(x: u32, y: u32, width: u32, height: u32, changed: u32) -> TileChange {
        TileChange { x, y, width, height, changed }
    }

    #[test]
    fn only_tiles_that_differ_are_named() {
        let before = black(10, 6);
        let mut after = before.clone();
        after.set(0, 0, [1, 0, 0]);
        after.set(3, 3, [0, 1, 0]);
        after.set(9, 5, [0, 0, 1]);
        assert_eq!(tiles_changed(&before, &after, 4), [change(0, 0, 4, 4, 2), change(8, 4, 2, 2, 1)]);
        assert_eq!(tiles_changed(&before, &before, 4), []);
        assert_eq!(tiles_changed(&before, &after, 0).len(), 3);
    }

    #[test]
    fn another_size_changes_everything() {
        assert_eq!(tiles_changed(&black(3, 3), &black(5, 2), 4), [change(0, 0, 4, 2, 8), change(4, 0, 1, 2, 2)]);
    }

    #[test]
    fn frames_of_different_kinds_are_not_compared() {
        let mut other = black(4, 4);
        other.set(1, 1, [9, 9, 9]);
        let capture = frame(black(4, 4), FrameSource::Capture);
        for (after, expected) in [
            (frame(black(4, 4), FrameSource::Capture), Some(true)),
            (frame(other, FrameSource::Capture), Some(false)),
            (frame(black(4, 4), FrameSource::Screencast), None),
            (frame(black(4, 5), FrameSource::Capture), None),
        ] {
            assert_eq!(same_pixels(&capture, &after).as_wire(), expected);
        }
    }
}
