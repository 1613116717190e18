//! How a part of a frame looks, in a few bytes: brightness of a grid of cells, compared with the next cell across and
//! below, and how bright each block of cells is. Made from a table of sums, so that a whole frame can be searched for a part that has moved.

use surehand_types::Pixels;

const CELLS: usize = 12;
/// Two for each pair of neighbours: the first is brighter, the second is.
const BITS: usize = 4 * CELLS * (CELLS - 1);
const BYTES: usize = BITS / 8;
/// Blocks across and down whose brightness is kept: signs alone cannot tell a blue box from a grey one.
const BLOCKS: usize = 4;
/// How far the brightness of the blocks may differ, on average, of 255.
const BLOCKS_MAY_DIFFER: u32 = 14;
/// Two cells differ when one is brighter by more than this, of 255.
const BRIGHTER: i64 = 3;
/// Of all comparisons that say something, those that may differ between two looks of one thing: a cursor, a caret.
const MAY_DIFFER: f64 = 0.3;
/// With less to see than this a part cannot be told from others, and is not searched for.
const ENOUGH_DETAIL: u32 = 16;
/// Pixels between two places that are tried.
const STRIDE: u32 = 2;

/// Hexadecimal digits of a printed look.
const PRINTED: usize = 2 * (BYTES + BLOCKS * BLOCKS);

/// Printed as hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    bits: [u8; BYTES],
    blocks: [u8; BLOCKS * BLOCKS],
}

/// A part of a frame in image pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    pub left: u32,
    pub top: u32,
    pub width: u32,
    pub height: u32,
}

/// Where a look was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sought {
    At(Part),
    Nowhere,
    /// It is to be seen in more than one place.
    Several,
    /// There is too little in it to be searched for.
    TooPlain,
}

/// Sums of brightness, so that the mean of any rectangle takes four reads.
#[derive(Debug, Clone)]
pub struct Sums {
    width: u32,
    height: u32,
    sums: Vec<u64>,
}

impl Sums {
    pub fn of(pixels: &Pixels) -> Sums {
        let (width, height) = (pixels.width as usize, pixels.height as usize);
        let mut sums = vec![0u64; (width + 1) * (height + 1)];
        for (y, row) in pixels.rgb.chunks_exact(width.max(1) * 3).take(height).enumerate() {
            let mut line = 0u64;
            for (x, pixel) in row.chunks_exact(3).enumerate() {
                line += (u64::from(pixel[0]) * 299 + u64::from(pixel[1]) * 587 + u64::from(pixel[2]) * 114) / 1000;
                sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1] + line;
            }
        }
        Sums { width: pixels.width, height: pixels.height, sums }
    }

    /// `None` where the part is not inside, or smaller than its cells.
    pub fn look(&self, part: Part) -> Option<Look> {
        let inside =
            part.left.checked_add(part.width)? <= self.width && part.top.checked_add(part.height)? <= self.height;
        let large = part.width as usize >= CELLS && part.height as usize >= CELLS;
        if !inside || !large {
            return None;
        }
        let edge = |start: u32, length: u32, cell: usize| start as usize + length as usize * cell / CELLS;
        let mut means = [[0i64; CELLS]; CELLS];
        for (row, means) in means.iter_mut().enumerate() {
            let (y0, y1) = (edge(part.top, part.height, row), edge(part.top, part.height, row + 1));
            for (column, mean) in means.iter_mut().enumerate() {
                let (x0, x1) = (edge(part.left, part.width, column), edge(part.left, part.width, column + 1));
                *mean = self.mean(x0, y0, x1, y1);
            }
        }
        let mut look = Look { bits: [0; BYTES], blocks: [0; BLOCKS * BLOCKS] };
        const SIDE: usize = CELLS / BLOCKS;
        for (index, block) in look.blocks.iter_mut().enumerate() {
            let (left, top) = (index % BLOCKS * SIDE, index / BLOCKS * SIDE);
            let sum: i64 = means.iter().skip(top).take(SIDE).flat_map(|row| row.iter().skip(left).take(SIDE)).sum();
            // A mean of bytes is a byte.
            *block = (sum / (SIDE * SIDE) as i64) as u8;
        }
        let across = (0..CELLS).flat_map(|y| (1..CELLS).map(move |x| ((x - 1, y), (x, y))));
        let down = (1..CELLS).flat_map(|y| (0..CELLS).map(move |x| ((x, y - 1), (x, y))));
        for (pair, (one, other)) in across.chain(down).enumerate() {
            let difference = means[one.1][one.0] - means[other.1][other.0];
            let signs = u8::from(difference > BRIGHTER) | u8::from(difference < -BRIGHTER) << 1;
            look.bits[pair / 4] |= signs << (pair % 4 * 2);
        }
        Some(look)
    }

    fn mean(&self, x0: usize, y0: usize, x1: usize, y1: usize) -> i64 {
        let at = |x: usize, y: usize| self.sums[y * (self.width as usize + 1) + x];
        let sum = (at(x1, y1) + at(x0, y0)) - (at(x0, y1) + at(x1, y0));
        let count = ((x1 - x0) * (y1 - y0)).max(1) as u64;
        // A mean of bytes fits.
        (sum / count) as i64
    }

    /// The part that looks like this. Where it may have been is tried first, in order, and is right if it fits.
    pub fn find(&self, look: &Look, tries: &[Part]) -> Sought {
        if let Some(part) = tries.iter().find(|part| self.look(**part).is_some_and(|here| here.is_like(look))) {
            return Sought::At(*part);
        }
        let Some(was) = tries.first().copied() else { return Sought::Nowhere };
        if look.detail() < ENOUGH_DETAIL {
            return Sought::TooPlain;
        }
        let (Some(last_left), Some(last_top)) =
            (self.width.checked_sub(was.width), self.height.checked_sub(was.height))
        else {
            return Sought::Nowhere;
        };
        let mut best: Option<(u32, Part)> = None;
        let mut fitting: Vec<(u32, Part)> = Vec::new();
        for top in (0..=last_top).step_by(STRIDE as usize) {
            for left in (0..=last_left).step_by(STRIDE as usize) {
                let part = Part { left, top, ..was };
                let Some(here) = self.look(part).filter(|here| here.is_like(look)) else { continue };
                let difference = here.difference(look);
                if best.is_none_or(|(least, _)| difference < least) {
                    best = Some((difference, part));
                }
                fitting.push((difference, part));
            }
        }
        let Some((least, best)) = best else { return Sought::Nowhere };
        // Places that overlap by half are the same place, a few pixels off.
        let elsewhere =
            |part: &Part| part.left.abs_diff(best.left) > was.width / 2 || part.top.abs_diff(best.top) > was.height / 2;
        let rival = fitting.iter().any(|(difference, part)| elsewhere(part) && *difference <= least + BITS as u32 / 32);
        if rival { Sought::Several } else { Sought::At(self.refined(look, best)) }
    }

    /// The best place between those that were tried.
    fn refined(&self, look: &Look, best: Part) -> Part {
        let around = |at: u32| at.saturating_sub(STRIDE)..=at + STRIDE;
        let places = around(best.top).flat_map(|top| around(best.left).map(move |left| Part { left, top, ..best }));
        let scored = places.filter_map(|part| Some((self.look(part)?.difference(look), part)));
        scored.min_by_key(|(difference, _)| *difference).map_or(best, |(_, part)| part)
    }
}

impl Look {
    pub fn parse(text: &str) -> Option<Look> {
        if text.len() != PRINTED || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let mut look = Look { bits: [0; BYTES], blocks: [0; BLOCKS * BLOCKS] };
        for (index, byte) in look.bits.iter_mut().chain(&mut look.blocks).enumerate() {
            *byte = u8::from_str_radix(text.get(index * 2..index * 2 + 2)?, 16).ok()?;
        }
        Some(look)
    }

    /// Alike enough to be the same thing.
    pub fn is_like(&self, other: &Look) -> bool {
        let said = self.detail() + other.detail();
        let apart: u32 =
            self.blocks.iter().zip(&other.blocks).map(|(one, other)| u32::from(one.abs_diff(*other))).sum();
        f64::from(self.difference(other)) <= f64::from(said) * MAY_DIFFER
            && apart <= BLOCKS_MAY_DIFFER * (BLOCKS * BLOCKS) as u32
    }

    fn detail(&self) -> u32 {
        self.bits.iter().map(|byte| byte.count_ones()).sum()
    }

    fn difference(&self, other: &Look) -> u32 {
        self.bits.iter().zip(&other.bits).map(|(one, other)| (one ^ other).count_ones()).sum()
    }
}

impl std::fmt::Display for Look {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.bits.iter().chain(&self.blocks).try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: u32 = 400;
    const HEIGHT: u32 = 300;

    /// A light page with a pattern of dark bars on it.
    fn page(at: &[(u32, u32)]) -> Sums {
        let mut pixels = Pixels::new(WIDTH, HEIGHT, vec![240; (WIDTH * HEIGHT * 3) as usize]).unwrap();
        for (left, top) in at {
            for y in 0..48 {
                for x in 0..96 {
                    let (column, row) = (x / 9, y / 7);
                    let dark = (column * column * 3 + row * row * 5 + column * row) % 5 < 2;
                    pixels.set(left + x, top + y, if dark { [20, 40, 60] } else { [200, 210, 220] });
                }
            }
        }
        Sums::of(&pixels)
    }

    fn part(left: u32, top: u32) -> Part {
        Part { left, top, width: 96, height: 48 }
    }

    #[test]
    fn a_part_is_found_where_it_went() {
        let look = page(&[(20, 20)]).look(part(20, 20)).unwrap();
        assert_eq!(page(&[(20, 20)]).find(&look, &[part(20, 20)]), Sought::At(part(20, 20)));
        let Sought::At(found) = page(&[(201, 151)]).find(&look, &[part(20, 20)]) else { panic!("not found") };
        assert!(found.left.abs_diff(201) <= 3 && found.top.abs_diff(151) <= 3, "{found:?}");
        assert_eq!(page(&[]).find(&look, &[part(20, 20)]), Sought::Nowhere);
        assert_eq!(page(&[(150, 20), (150, 220)]).find(&look, &[part(20, 20)]), Sought::Several);
    }

    #[test]
    fn nothing_is_found_by_an_empty_look() {
        let plain = page(&[]).look(part(0, 0)).unwrap();
        assert_eq!(page(&[]).find(&plain, &[part(0, 0)]), Sought::At(part(0, 0)));
        assert_eq!(page(&[(0, 0)]).find(&plain, &[part(0, 0)]), Sought::TooPlain);
        assert_eq!(page(&[]).look(part(350, 0)), None);
    }

    #[test]
    fn boxes_of_one_shape_are_told_apart_by_their_brightness() {
        let boxed = |grey: u8| {
            let mut pixels = Pixels::new(WIDTH, HEIGHT, vec![255; (WIDTH * HEIGHT * 3) as usize]).unwrap();
            (30..90).for_each(|y| (30..90).for_each(|x| pixels.set(x, y, [grey; 3])));
            Sums::of(&pixels).look(part(12, 36)).unwrap()
        };
        assert!(boxed(140).is_like(&boxed(144)));
        assert!(!boxed(140).is_like(&boxed(221)));
    }

    #[test]
    fn a_look_is_printed_and_read() {
        let look = page(&[(20, 20)]).look(part(10, 10)).unwrap();
        assert_eq!(Look::parse(&look.to_string()), Some(look));
        for wrong in ["", "zz", "ä", &"g".repeat(PRINTED), &"0".repeat(PRINTED + 1)] {
            assert_eq!(Look::parse(wrong), None);
        }
    }
}
