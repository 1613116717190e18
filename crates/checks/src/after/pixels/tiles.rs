//! The picture in squares: sets of them, and those in which two pictures differ.

use surehand_types::{Encoding, Frame, Pixels, ViewBox, ViewSize};

use crate::picture::ImageRect;

/// Side of a tile in image pixels. A 12 px checkbox touches at most four of them.
pub const TILE: u32 = 16;

/// Tiles of pictures of one size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TileSet {
    columns: u32,
    rows: u32,
    bits: Vec<u64>,
}

impl TileSet {
    pub fn none_of(pixels: &Pixels) -> TileSet {
        let (columns, rows) = (pixels.width.div_ceil(TILE), pixels.height.div_ceil(TILE));
        let words = (columns as usize * rows as usize).div_ceil(64);
        TileSet { columns, rows, bits: vec![0; words] }
    }

    /// The tiles that the boxes touch, with a margin in view pixels around each.
    pub fn touched_by(boxes: &[ViewBox], margin: f64, pixels: &Pixels, view: ViewSize) -> TileSet {
        let mut set = TileSet::none_of(pixels);
        for bounds in boxes {
            let wide = ViewBox {
                x0: bounds.x0 - margin,
                y0: bounds.y0 - margin,
                x1: bounds.x1 + margin,
                y1: bounds.y1 + margin,
            };
            let Some(rect) = ImageRect::touched_by(wide, pixels, view) else { continue };
            for row in rect.y0 / TILE..rect.y1.div_ceil(TILE) {
                for column in rect.x0 / TILE..rect.x1.div_ceil(TILE) {
                    set.insert((row * set.columns + column) as usize);
                }
            }
        }
        set
    }

    pub fn same_grid(&self, other: &TileSet) -> bool {
        (self.columns, self.rows) == (other.columns, other.rows)
    }

    pub fn is_empty(&self) -> bool {
        self.bits.iter().all(|word| *word == 0)
    }

    pub fn count(&self) -> usize {
        self.bits.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(super) fn insert(&mut self, tile: usize) {
        if let Some(word) = self.bits.get_mut(tile / 64) {
            *word |= 1 << (tile % 64);
        }
    }

    pub(super) fn tiles(&self) -> impl Iterator<Item = usize> + '_ {
        self.bits.iter().enumerate().flat_map(|(index, word)| {
            let word = *word;
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| index * 64 + bit)
        })
    }

    /// The image pixels in the tiles.
    pub(super) fn pixels(&self, image: &Pixels) -> impl Iterator<Item = (u32, u32)> {
        let (columns, width, height) = (self.columns, image.width, image.height);
        self.tiles().flat_map(move |tile| {
            let (left, top) = (tile as u32 % columns * TILE, tile as u32 / columns * TILE);
            let rows = top..(top + TILE).min(height);
            rows.flat_map(move |y| (left..(left + TILE).min(width)).map(move |x| (x, y)))
        })
    }

    #[must_use]
    pub fn without(mut self, other: &TileSet) -> TileSet {
        for (word, taken) in self.bits.iter_mut().zip(&other.bits) {
            *word &= !taken;
        }
        self
    }

    #[must_use]
    pub fn with(mut self, other: &TileSet) -> TileSet {
        for (word, more) in self.bits.iter_mut().zip(&other.bits) {
            *word |= more;
        }
        self
    }

    #[must_use]
    pub fn within(mut self, other: &TileSet) -> TileSet {
        for (word, allowed) in self.bits.iter_mut().zip(&other.bits) {
            *word &= allowed;
        }
        self
    }

    /// With the tiles around each, so many deep.
    #[must_use]
    pub fn grown(&self, by: u32) -> TileSet {
        let mut grown = self.clone();
        for tile in self.tiles() {
            let (column, row) = (tile as u32 % self.columns, tile as u32 / self.columns);
            for y in row.saturating_sub(by)..=(row + by).min(self.rows.saturating_sub(1)) {
                for x in column.saturating_sub(by)..=(column + by).min(self.columns.saturating_sub(1)) {
                    grown.insert((y * self.columns + x) as usize);
                }
            }
        }
        grown
    }

    /// The tiles in groups that hang together, corners included.
    pub fn clusters(&self) -> Vec<TileSet> {
        let mut left = self.clone();
        let mut clusters = Vec::new();
        loop {
            let Some(first) = left.tiles().next() else { return clusters };
            let mut cluster = TileSet { bits: vec![0; self.bits.len()], ..*self };
            cluster.insert(first);
            loop {
                let reached = cluster.grown(1).within(self);
                if reached == cluster {
                    break;
                }
                cluster = reached;
            }
            left = left.without(&cluster);
            clusters.push(cluster);
        }
    }

    /// Runs of tiles as boxes in view pixels, row by row.
    pub fn rows(&self, pixels: &Pixels, view: ViewSize) -> Vec<ViewBox> {
        let columns = self.columns as usize;
        let mut runs: Vec<(usize, usize, usize)> = Vec::new();
        for tile in self.tiles() {
            let (column, row) = (tile % columns, tile / columns);
            match runs.last_mut() {
                Some((y, _, end)) if *y == row && *end == column => *end += 1,
                _ => runs.push((row, column, column + 1)),
            }
        }
        let axis = |tile: usize, image: u32, view: u32| {
            f64::from((tile as u32 * TILE).min(image)) * f64::from(view) / f64::from(image.max(1))
        };
        let x = |tile| axis(tile, pixels.width, view.width);
        let y = |tile| axis(tile, pixels.height, view.height);
        runs.into_iter().map(|(row, from, to)| ViewBox { x0: x(from), y0: y(row), x1: x(to), y1: y(row + 1) }).collect()
    }

    /// The smallest box around all of them, in view pixels; for the words about them.
    pub fn bounds(&self, pixels: &Pixels, view: ViewSize) -> Option<ViewBox> {
        self.rows(pixels, view).into_iter().reduce(|all, one| ViewBox {
            x0: all.x0.min(one.x0),
            y0: all.y0.min(one.y0),
            x1: all.x1.max(one.x1),
            y1: all.y1.max(one.y1),
        })
    }
}

/// The tiles in which two frames differ; `None` where comparing them means nothing.
pub fn changed_tiles(before: &Frame, after: &Frame) -> Option<TileSet> {
    if !before.comparable_with(after) {
        return None;
    }
    Some(differing(&before.pixels, &after.pixels, tolerance(after.encoding)))
}

/// For stored pictures, which are lossless; `None` for pictures of another size.
pub fn differing_tiles(before: &Pixels, after: &Pixels) -> Option<TileSet> {
    let size = |pixels: &Pixels| (pixels.width, pixels.height);
    (size(before) == size(after)).then(|| differing(before, after, tolerance(Encoding::Png)))
}

/// A lossy picture of the same thing is not the same bytes.
fn tolerance(encoding: Encoding) -> u8 {
    match encoding {
        Encoding::Png | Encoding::Raw => 0,
        Encoding::Jpeg => 24,
    }
}

/// For pictures of equal size. Equal rows are compared as slices, which is most of the work.
fn differing(before: &Pixels, after: &Pixels, tolerance: u8) -> TileSet {
    let mut set = TileSet::none_of(after);
    let stride = after.width as usize * 3;
    let rows = before.rgb.chunks_exact(stride).zip(after.rgb.chunks_exact(stride));
    for (y, (old, new)) in rows.enumerate() {
        if old == new {
            continue;
        }
        let first = y / TILE as usize * set.columns as usize;
        let width = TILE as usize * 3;
        for (column, (old, new)) in old.chunks(width).zip(new.chunks(width)).enumerate() {
            if old != new && (tolerance == 0 || old.iter().zip(new).any(|(a, b)| a.abs_diff(*b) > tolerance)) {
                set.insert(first + column);
            }
        }
    }
    set
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Arc;

    use surehand_types::FrameSource;
    use surehand_types::frame::Fence;

    use super::*;

    pub(in super::super) const VIEW: ViewSize = ViewSize { width: 64, height: 48 };

    pub(in super::super) fn frame(spots: &[(u32, u32, u8)], encoding: Encoding) -> Frame {
        let mut pixels = Pixels::new(64, 48, vec![100; 64 * 48 * 3]).unwrap();
        for (x, y, value) in spots {
            pixels.set(*x, *y, [*value; 3]);
        }
        Frame {
            id: 1,
            captured_at_ms: 0,
            source: FrameSource::Capture,
            encoding,
            fence: Fence::None,
            stale: false,
            view: VIEW,
            pixels: Arc::new(pixels),
        }
    }

    #[test]
    fn one_pixel_marks_its_tile_and_no_other() {
        let (plain, dot) = (frame(&[], Encoding::Png), frame(&[(17, 20, 101)], Encoding::Png));
        let changed = changed_tiles(&plain, &dot).unwrap();
        assert_eq!(changed.tiles().collect::<Vec<_>>(), [5]);
        assert_eq!(changed.bounds(&dot.pixels, VIEW), Some(ViewBox { x0: 16.0, y0: 16.0, x1: 32.0, y1: 32.0 }));
        assert!(changed_tiles(&plain, &plain).unwrap().is_empty());
    }

    #[test]
    fn noise_of_a_lossy_picture_is_no_change() {
        let plain = frame(&[], Encoding::Jpeg);
        assert!(changed_tiles(&plain, &frame(&[(3, 3, 120)], Encoding::Jpeg)).unwrap().is_empty());
        assert_eq!(changed_tiles(&plain, &frame(&[(3, 3, 140)], Encoding::Jpeg)).unwrap().count(), 1);
    }

    #[test]
    fn pictures_of_another_kind_are_not_compared() {
        assert_eq!(changed_tiles(&frame(&[], Encoding::Jpeg), &frame(&[], Encoding::Png)), None);
    }

    #[test]
    fn boxes_touch_tiles_with_their_margin_and_may_lie_outside() {
        let pixels = &frame(&[], Encoding::Png).pixels;
        let touched = |x0, y0, x1, y1, margin| {
            let bounds = [ViewBox { x0, y0, x1, y1 }];
            TileSet::touched_by(&bounds, margin, pixels, VIEW).tiles().collect::<Vec<_>>()
        };
        assert_eq!(touched(17.0, 17.0, 18.0, 18.0, 0.0), [5]);
        assert_eq!(touched(17.0, 17.0, 18.0, 18.0, 2.0), [0, 1, 4, 5]);
        assert_eq!(touched(-50.0, -50.0, -20.0, -20.0, 4.0), [] as [usize; 0]);
        assert_eq!(touched(f64::NAN, 0.0, 9.0, 9.0, 0.0), [] as [usize; 0]);
        assert_eq!(touched(0.0, 0.0, 1e9, 1e9, 0.0).len(), 12);
    }

    #[test]
    fn sets_grow_and_fall_apart_into_clusters() {
        let pixels = &frame(&[], Encoding::Png).pixels;
        let mut set = TileSet::none_of(pixels);
        set.insert(0);
        assert_eq!(set.grown(1).tiles().collect::<Vec<_>>(), [0, 1, 4, 5]);
        set.insert(5);
        set.insert(3);
        let clusters: Vec<Vec<usize>> = set.clusters().iter().map(|cluster| cluster.tiles().collect()).collect();
        assert_eq!(clusters, [vec![0, 5], vec![3]]);
        assert!(TileSet::none_of(pixels).clusters().is_empty());
    }

    #[test]
    fn sets_add_and_take_away() {
        let pixels = &frame(&[], Encoding::Png).pixels;
        let mut one = TileSet::none_of(pixels);
        one.insert(1);
        one.insert(2);
        let mut other = TileSet::none_of(pixels);
        other.insert(2);
        other.insert(3);
        assert_eq!(one.clone().with(&other).tiles().collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(one.clone().without(&other).tiles().collect::<Vec<_>>(), [1]);
        assert_eq!(one.within(&other).tiles().collect::<Vec<_>>(), [2]);
    }
}
