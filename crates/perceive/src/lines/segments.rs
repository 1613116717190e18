//! Upright pieces of thin lines: pixels that stand out from what is left and right of them, which is alike.

use surehand_types::Pixels;

use crate::colour::{channel_difference, line};

/// A line stands out from the ground by this much in some channel; the ground on both sides is this much alike.
const STANDS_OUT: u8 = 10;
const ALIKE: u8 = 8;
/// How far to either side the ground is looked at: lines may be two or three pixels wide.
const BESIDE: usize = 2;
/// Shorter pieces are parts of letters more often than ticks.
const MIN_LENGTH: i32 = 4;

/// From `y0` down to `y1`, which is excluded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Segment {
    pub(super) x: i32,
    pub(super) y0: i32,
    pub(super) y1: i32,
    /// How much it stands out, 0 to 255.
    pub(super) strength: f64,
}

/// A piece of line that goes on from the row above.
#[derive(Clone, Copy, Default)]
struct Open {
    since: i32,
    length: i32,
    sum: u32,
}

/// All pieces, by their lower end, then from left to right. Of a line of several pixels the strongest one counts.
pub(super) fn find(pixels: &Pixels) -> Vec<Segment> {
    let (width, height) = (pixels.width as usize, pixels.height as i32);
    let mut open = vec![Open::default(); width];
    let mut found = Vec::new();
    let mut close = |x: usize, piece: &mut Open, y: i32| {
        if piece.length >= MIN_LENGTH {
            let strength = f64::from(piece.sum) / f64::from(piece.length);
            found.push(Segment { x: x as i32, y0: piece.since, y1: y, strength });
        }
        piece.length = 0;
    };
    for y in 0..height {
        let this = line(pixels, y, 0, width as i32);
        let at = |x: usize| &this[x * 3..x * 3 + 3];
        for (x, piece) in open.iter_mut().enumerate() {
            let inside = x >= BESIDE && x + BESIDE < width;
            let strength = if inside && channel_difference(at(x - BESIDE), at(x + BESIDE)) <= ALIKE {
                channel_difference(at(x), at(x - BESIDE)).min(channel_difference(at(x), at(x + BESIDE)))
            } else {
                0
            };
            if strength < STANDS_OUT {
                close(x, piece, y);
                continue;
            }
            if piece.length == 0 {
                *piece = Open { since: y, ..Open::default() };
            }
            piece.length += 1;
            piece.sum += u32::from(strength);
        }
    }
    open.iter_mut().enumerate().for_each(|(x, piece)| close(x, piece, height));
    found.sort_by_key(|segment| (segment.y1, segment.x));
    thinned(&found)
}

fn thinned(found: &[Segment]) -> Vec<Segment> {
    let mut kept: Vec<Segment> = Vec::with_capacity(found.len());
    for segment in found {
        match kept.last_mut() {
            Some(last) if last.y1 == segment.y1 && segment.x - last.x <= BESIDE as i32 => {
                if segment.strength > last.strength {
                    *last = *segment;
                }
            }
            _ => kept.push(*segment),
        }
    }
    kept
}
