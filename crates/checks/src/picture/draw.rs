//! Filled and outlined boxes on a copy of a frame: masks over secrets, markers of a preview.

use surehand_types::{Pixels, ViewBox, ViewSize};

use super::{ImageRect, Ratio};

/// A mid grey that no text shines through and that reads as "covered" on light and dark pages.
pub const MASK_COLOUR: [u8; 3] = [128, 128, 128];

/// How an outline looks. `width` is in view pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stroke {
    pub colour: [u8; 3],
    pub width: f64,
    pub dashed: bool,
}

/// Covers every box completely; pixels that are only touched are covered too.
pub fn fill_boxes(pixels: &mut Pixels, view: ViewSize, boxes: &[ViewBox]) {
    for bounds in boxes {
        if let Some(rect) = ImageRect::touched_by(*bounds, pixels, view) {
            fill_rect(pixels, rect, MASK_COLOUR);
        }
    }
}

/// Draws the four sides inside the box, so that neighbouring boxes stay apart.
pub fn outline_box(pixels: &mut Pixels, view: ViewSize, bounds: ViewBox, stroke: Stroke) {
    // The unclipped rectangle decides where the sides are: a box that leaves the picture must not
    // get a side at the picture's edge.
    let ratio = Ratio::of(pixels, view);
    let edges = [
        (bounds.x0 * ratio.x).floor(),
        (bounds.y0 * ratio.y).floor(),
        (bounds.x1 * ratio.x).ceil(),
        (bounds.y1 * ratio.y).ceil(),
    ];
    if edges.iter().any(|edge| !edge.is_finite()) {
        return;
    }
    let [x0, y0, x1, y1] = edges.map(|edge| edge.clamp(-1e9, 1e9) as i64);
    let scale = (ratio.x + ratio.y) / 2.0;
    let thick = ((stroke.width * scale).round() as i64).max(1);
    let dash = (thick * 4).max(1);
    let clip_x = x0.max(0)..x1.min(i64::from(pixels.width));
    for y in y0.max(0)..y1.min(i64::from(pixels.height)) {
        let on_row_side = y - y0 < thick || y1 - 1 - y < thick;
        for x in clip_x.clone() {
            let on_column_side = x - x0 < thick || x1 - 1 - x < thick;
            if !on_row_side && !on_column_side {
                continue;
            }
            let along = if on_row_side { x - x0 } else { y - y0 };
            // Dashes twice as long as the gaps, starting with a dash in each corner.
            if stroke.dashed && along % (dash * 3 / 2) >= dash {
                continue;
            }
            pixels.set(x as u32, y as u32, stroke.colour);
        }
    }
}

fn fill_rect(pixels: &mut Pixels, rect: ImageRect, colour: [u8; 3]) {
    let stride = pixels.width as usize * 3;
    for row in pixels.rgb.chunks_exact_mut(stride).take(rect.y1 as usize).skip(rect.y0 as usize) {
        let (covered, _) = row[rect.x0 as usize * 3..rect.x1 as usize * 3].as_chunks_mut::<3>();
        covered.fill(colour);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: [u8; 3] = [255; 3];
    const RED: [u8; 3] = [255, 0, 0];

    fn white(width: u32, height: u32) -> Pixels {
        Pixels::new(width, height, vec![255; (width * height * 3) as usize]).unwrap()
    }

    fn view(width: u32, height: u32) -> ViewSize {
        ViewSize { width, height }
    }

    fn bounds(x0: f64, y0: f64, x1: f64, y1: f64) -> ViewBox {
        ViewBox { x0, y0, x1, y1 }
    }

    /// The picture as rows of characters: `#` where it is not white.
    fn shape(pixels: &Pixels) -> Vec<String> {
        (0..pixels.height)
            .map(|y| (0..pixels.width).map(|x| if pixels.at(x, y) == Some(WHITE) { '.' } else { '#' }).collect())
            .collect()
    }

    #[test]
    fn masks_round_outward_and_clip() {
        for (mask, expected) in [
            (bounds(1.2, 1.0, 2.5, 2.1), ["....", ".##.", ".##."]),
            (bounds(-5.0, -5.0, 1.0, 1.0), ["#...", "....", "...."]),
            (bounds(3.0, 2.0, 1e12, f64::INFINITY), ["....", "....", "...#"]),
            (bounds(9.0, 9.0, 12.0, 12.0), ["....", "....", "...."]),
            (bounds(f64::NAN, 0.0, 4.0, 3.0), ["....", "....", "...."]),
            (bounds(2.0, 2.0, 1.0, 1.0), ["....", "....", "...."]),
        ] {
            let mut pixels = white(4, 3);
            fill_boxes(&mut pixels, view(4, 3), &[mask]);
            assert_eq!(shape(&pixels), expected, "{mask:?}");
        }
    }

    #[test]
    fn masks_follow_the_device_pixel_ratio() {
        let mut pixels = white(6, 4);
        fill_boxes(&mut pixels, view(3, 2), &[bounds(1.0, 0.6, 2.0, 2.0)]);
        assert_eq!(shape(&pixels), ["......", "..##..", "..##..", "..##.."]);
        assert_eq!(pixels.at(2, 1), Some(MASK_COLOUR));
    }

    #[test]
    fn outlines_are_inside_and_may_leave_the_picture() {
        let solid = Stroke { colour: RED, width: 1.0, dashed: false };
        let mut pixels = white(6, 5);
        outline_box(&mut pixels, view(6, 5), bounds(1.0, 1.0, 5.0, 4.0), solid);
        assert_eq!(shape(&pixels), ["......", ".####.", ".#..#.", ".####.", "......"]);

        let mut pixels = white(4, 3);
        outline_box(&mut pixels, view(4, 3), bounds(-2.0, -2.0, 3.0, 9.0), solid);
        assert_eq!(shape(&pixels), ["..#.", "..#.", "..#."]);
    }

    #[test]
    fn dashes_leave_gaps() {
        let dashed = Stroke { colour: RED, width: 1.0, dashed: true };
        let mut pixels = white(12, 3);
        outline_box(&mut pixels, view(12, 3), bounds(0.0, 0.0, 12.0, 3.0), dashed);
        assert_eq!(shape(&pixels)[0], "####..####..");
    }
}
