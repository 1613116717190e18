//! Places that look like text and that no word was read from. OCR leaves out whole lines without a word about it
//! (light on dark in a light page, for one), and a text is not absent because nobody read it.

use surehand_types::Pixels;
use surehand_types::ui::{Anchor, PixelBox};

use super::READ_FLOOR;

/// Side of a tile in pixels.
const TILE: u32 = 8;
/// Brightness changes by this much at the edge of a letter.
const EDGE: i32 = 28;
/// Edges in a tile of text.
const EDGES: u32 = 6;
/// Columns of a tile in which there are any. The line of a frame has edges in two.
const EDGED_COLUMNS: u32 = 3;
/// Narrower things are lines and specks.
const NARROWEST: u32 = 2;
/// Boxes of words end at their letters, and a tile that is touched counts as read to its end.
const MARGIN: u32 = 2;

/// How far apart things may be, in tiles, to be one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Words of one colour, to be looked at again by themselves.
    Near = 1,
    /// What is left between fragments of a line that was read in pieces.
    Line = 3,
}

/// The unread places of a region, largest first. A word without confidence was not read.
pub(crate) fn unread(pixels: &Pixels, region: PixelBox, words: &[Anchor], reach: Reach) -> Vec<PixelBox> {
    let read: Vec<PixelBox> = words.iter().filter(|word| word.conf >= READ_FLOOR).map(|word| word.bbox).collect();
    let [x0, y0, x1, y1] = region;
    let (x1, y1) = (x1.min(pixels.width), y1.min(pixels.height));
    if x0 >= x1 || y0 >= y1 {
        return Vec::new();
    }
    let (columns, rows) = ((x1 - x0).div_ceil(TILE), (y1 - y0).div_ceil(TILE));
    let mut busy: Vec<bool> = Vec::with_capacity((columns * rows) as usize);
    for row in 0..rows {
        for column in 0..columns {
            let tile = [
                x0 + column * TILE,
                y0 + row * TILE,
                (x0 + (column + 1) * TILE).min(x1),
                (y0 + (row + 1) * TILE).min(y1),
            ];
            busy.push(!read.iter().any(|word| touches(*word, tile)) && like_text(pixels, tile));
        }
    }
    let mut found = blobs(&mut busy, columns, rows, reach as u32);
    found.retain(|[left, _, right, _]| right - left >= NARROWEST);
    let mut boxes: Vec<PixelBox> = found
        .into_iter()
        .map(|[left, top, right, bottom]| {
            [x0 + left * TILE, y0 + top * TILE, (x0 + right * TILE).min(x1), (y0 + bottom * TILE).min(y1)]
        })
        .collect();
    boxes.sort_by_key(|[left, top, right, bottom]| std::cmp::Reverse((right - left) * (bottom - top)));
    boxes
}

fn touches(word: PixelBox, tile: PixelBox) -> bool {
    word[0].saturating_sub(MARGIN) < tile[2]
        && tile[0] < word[2] + MARGIN
        && word[1].saturating_sub(MARGIN) < tile[3]
        && tile[1] < word[3] + MARGIN
}

/// Whether the brightness jumps often enough from one pixel to the next, and in enough places.
fn like_text(pixels: &Pixels, [x0, y0, x1, y1]: PixelBox) -> bool {
    let brightness = |x: u32, y: u32| {
        let [red, green, blue] = pixels.at(x, y).unwrap_or_default();
        (i32::from(red) * 3 + i32::from(green) * 6 + i32::from(blue)) / 10
    };
    let (mut edges, mut columns) = (0, 0_u32);
    for x in x0..x1.min(pixels.width - 1) {
        let here = (y0..y1).filter(|y| (brightness(x + 1, *y) - brightness(x, *y)).abs() >= EDGE).count() as u32;
        edges += here;
        columns += u32::from(here > 0);
    }
    edges >= EDGES && columns >= EDGED_COLUMNS
}

/// Tiles that hang together. Boxes in tiles.
fn blobs(busy: &mut [bool], columns: u32, rows: u32, reach: u32) -> Vec<[u32; 4]> {
    let mut found = Vec::new();
    for start in 0..busy.len() {
        if !busy[start] {
            continue;
        }
        let mut waiting = vec![start];
        busy[start] = false;
        let mut bounds = [u32::MAX, u32::MAX, 0, 0];
        while let Some(at) = waiting.pop() {
            let (column, row) = (at as u32 % columns, at as u32 / columns);
            bounds = [bounds[0].min(column), bounds[1].min(row), bounds[2].max(column + 1), bounds[3].max(row + 1)];
            for near_row in row.saturating_sub(1)..=(row + 1).min(rows - 1) {
                for near_column in column.saturating_sub(reach)..=(column + reach).min(columns - 1) {
                    let near = (near_row * columns + near_column) as usize;
                    if busy[near] {
                        busy[near] = false;
                        waiting.push(near);
                    }
                }
            }
        }
        found.push(bounds);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture with stripes like letters at the given places, and a frame around all of it.
    fn picture(places: &[PixelBox]) -> Pixels {
        let (width, height) = (320, 160);
        let mut pixels = Pixels::new(width, height, vec![240; (width * height * 3) as usize]).unwrap();
        for y in 10..150 {
            pixels.set(10, y, [20, 20, 20]);
            pixels.set(309, y, [20, 20, 20]);
        }
        for x in 10..310 {
            pixels.set(x, 10, [20, 20, 20]);
            pixels.set(x, 149, [20, 20, 20]);
        }
        for [x0, y0, x1, y1] in places {
            for y in *y0..*y1 {
                for x in (*x0..*x1).filter(|x| x % 5 < 2) {
                    pixels.set(x, y, [60, 60, 60]);
                }
            }
        }
        pixels
    }

    #[test]
    fn what_looks_like_text_and_was_not_read_is_found() {
        let line = [40, 40, 120, 52];
        let other = [40, 90, 200, 104];
        let word = |bbox| Anchor { text: "word".into(), bbox, conf: 0.9 };
        let all = [0, 0, 320, 160];
        let unread = |pixels: &Pixels, region, words: &[Anchor]| super::unread(pixels, region, words, Reach::Near);
        assert_eq!(unread(&picture(&[]), all, &[]), Vec::<PixelBox>::new(), "a frame is no text");
        let found = unread(&picture(&[line, other]), all, &[]);
        assert_eq!(found.len(), 2);
        assert!(found[0][0] <= 40 && found[0][2] >= 190 && found[0][1] <= 90 && found[0][3] >= 104, "{found:?}");
        assert_eq!(unread(&picture(&[line, other]), all, &[word(line)]).len(), 1);
        assert_eq!(unread(&picture(&[line, other]), all, &[word(line), word(other)]), Vec::<PixelBox>::new());
        assert_eq!(unread(&picture(&[line, other]), [0, 0, 320, 70], &[word(line)]), Vec::<PixelBox>::new());
        let doubtful = Anchor { conf: 0.3, ..word(line) };
        assert_eq!(unread(&picture(&[line]), all, &[doubtful]).len(), 1, "a guess is not read");
        // Single letters between fragments are one place when they are looked at as a line.
        let letters = [[40, 40, 48, 52], [64, 40, 72, 52], [88, 40, 96, 52]];
        assert_eq!(unread(&picture(&letters), all, &[]).len(), 0);
        assert_eq!(super::unread(&picture(&letters), all, &[], Reach::Line).len(), 1);
        assert_eq!(unread(&picture(&[line]), [400, 0, 500, 10], &[]), Vec::<PixelBox>::new());
    }
}
