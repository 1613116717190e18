//! The perceptual hash of a frame: a 9x8 grey thumbnail, reduced to who is brighter than its right-hand
//! neighbour. Bit-exact with the conformance vectors, because hashes are stored and compared by others.
//! It says whether two frames look alike from afar; what a call changed is read from real pixels.

use serde::{Deserialize, Serialize};
use surehand_types::Pixels;

/// Side of the crop around a point, in image pixels.
pub const REGION_SIDE: u32 = 200;

const COLUMNS: usize = 9;
const ROWS: usize = 8;
/// Weights of the resize are fixed-point numbers with this many binary places.
const PRECISION: u32 = 22;
const HALF: i32 = 1 << (PRECISION - 1);

/// Printed as 16 hexadecimal digits of the comparisons and one of the brightness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct FrameHash {
    /// Bit `row * 8 + column` is set where a pixel is brighter than the one to its right.
    bits: u64,
    /// The mean brightness in sixteenths, 0 to 15.
    brightness: u8,
}

/// Where a hash is taken from, in image pixels; never outside the frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    pub left: u32,
    pub top: u32,
    pub width: u32,
    pub height: u32,
}

/// The hash of the whole frame. `None` is no signal: there is nothing to hash.
pub fn phash_64(pixels: &Pixels) -> Option<FrameHash> {
    hash_of(pixels, Region { left: 0, top: 0, width: pixels.width, height: pixels.height })
}

/// The hash of the surroundings of a point.
pub fn region_hash(pixels: &Pixels, x: i64, y: i64) -> Option<FrameHash> {
    hash_of(pixels, Region::around(pixels, x, y))
}

impl Region {
    /// A square around the point, slid inside the frame and cut where the frame is smaller.
    pub fn around(pixels: &Pixels, x: i64, y: i64) -> Region {
        let slide = |centre: i64, size: u32| {
            let last = i64::from(size.saturating_sub(REGION_SIDE));
            let start = centre.saturating_sub(i64::from(REGION_SIDE / 2)).clamp(0, last);
            (u32::try_from(start).unwrap_or(0), size.min(REGION_SIDE))
        };
        let (left, width) = slide(x, pixels.width);
        let (top, height) = slide(y, pixels.height);
        Region { left, top, width, height }
    }
}

impl FrameHash {
    /// Reads the printed form.
    pub fn parse(text: &str) -> Option<FrameHash> {
        if text.len() != 17 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let bits = u64::from_str_radix(text.get(..16)?, 16).ok()?;
        let brightness = u8::from_str_radix(text.get(16..)?, 16).ok()?;
        Some(FrameHash { bits, brightness })
    }
}

impl std::fmt::Display for FrameHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}{:x}", self.bits, self.brightness)
    }
}

impl From<FrameHash> for String {
    fn from(hash: FrameHash) -> String {
        hash.to_string()
    }
}

impl TryFrom<String> for FrameHash {
    type Error = String;

    fn try_from(text: String) -> Result<FrameHash, String> {
        FrameHash::parse(&text).ok_or_else(|| format!("{text:?} is not a frame hash of 17 hexadecimal digits"))
    }
}

fn hash_of(pixels: &Pixels, region: Region) -> Option<FrameHash> {
    let small = vertical_pass(&horizontal_pass(pixels, region)?);
    let mut bits = 0u64;
    for (row, values) in small.iter().enumerate() {
        for (column, pair) in values.windows(2).enumerate() {
            bits |= u64::from(pair[0] > pair[1]) << (row * 8 + column);
        }
    }
    let sum: u32 = small.iter().flatten().map(|value| u32::from(*value)).sum();
    let mean = sum / (COLUMNS * ROWS) as u32;
    Some(FrameHash { bits, brightness: (mean / 16).min(15) as u8 })
}

/// Each row of the region as nine grey values. Rows are turned grey one by one: no grey copy of the frame.
fn horizontal_pass(pixels: &Pixels, region: Region) -> Option<Vec<[u8; COLUMNS]>> {
    let (left, width) = (region.left as usize, region.width as usize);
    let (top, height) = (region.top as usize, region.height as usize);
    if width == 0 || height == 0 {
        return None;
    }
    let windows: Vec<SplitWindow> = windows(width, COLUMNS).iter().map(SplitWindow::of).collect();
    let stride = pixels.width as usize * 3;
    let mut grey = vec![0i16; width];
    let mut reduced: Vec<[u8; COLUMNS]> = Vec::with_capacity(height);
    let mut previous: &[u8] = &[];
    for y in top..top + height {
        let start = y * stride + left * 3;
        let row = pixels.rgb.get(start..start + width * 3)?;
        // Pages are full of equal rows, and comparing them costs next to nothing.
        if row == previous
            && let Some(same) = reduced.last().copied()
        {
            reduced.push(same);
            continue;
        }
        grey_row(row, &mut grey);
        let mut values = [0u8; COLUMNS];
        for (value, window) in values.iter_mut().zip(&windows) {
            *value = window.reduce(&grey);
        }
        reduced.push(values);
        previous = row;
    }
    Some(reduced)
}

fn vertical_pass(rows: &[[u8; COLUMNS]]) -> [[u8; COLUMNS]; ROWS] {
    let mut small = [[0u8; COLUMNS]; ROWS];
    for (values, window) in small.iter_mut().zip(windows(rows.len(), ROWS)) {
        let mut sums = [HALF; COLUMNS];
        for (row, weight) in rows.iter().skip(window.start).zip(&window.weights) {
            for (sum, value) in sums.iter_mut().zip(row) {
                *sum = sum.wrapping_add(weight.wrapping_mul(i32::from(*value)));
            }
        }
        *values = sums.map(rounded);
    }
    small
}

/// In two steps, of which compilers turn the second into vector instructions: pixels to words, words to grey.
fn grey_row(rgb: &[u8], grey: &mut [i16]) {
    const BLOCK: usize = 64;
    let (blocks, rest) = rgb.as_chunks::<{ BLOCK * 3 }>();
    let (grey_blocks, grey_rest) = grey.as_chunks_mut::<BLOCK>();
    let mut words = [0u32; BLOCK];
    for (values, block) in grey_blocks.iter_mut().zip(blocks) {
        for (word, bytes) in words.iter_mut().zip(block.windows(4).step_by(3)) {
            *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        // The last pixel has no fourth byte after it.
        words[BLOCK - 1] = pixel_word(block[BLOCK * 3 - 3], block[BLOCK * 3 - 2], block[BLOCK * 3 - 1]);
        for (value, word) in values.iter_mut().zip(&words) {
            *value = grey_of(*word);
        }
    }
    for (value, [red, green, blue]) in grey_rest.iter_mut().zip(rest.as_chunks::<3>().0) {
        *value = grey_of(pixel_word(*red, *green, *blue));
    }
}

fn pixel_word(red: u8, green: u8, blue: u8) -> u32 {
    u32::from_le_bytes([red, green, blue, 0])
}

/// The pixel is red, green and blue from the lowest byte up; what stands above them is ignored.
/// (19595 R + 38470 G + 7471 B + 32768) >> 16, with green doubled and its weight halved: so all factors
/// have 15 bits, for which there is a fast multiplication.
fn grey_of(pixel: u32) -> i16 {
    let (red, twice_green, blue) = (pixel & 0xff, (pixel >> 7) & 0x1fe, (pixel >> 16) & 0xff);
    ((19595 * red + 19235 * twice_green + 7471 * blue + 32768) >> 16) as i16
}

/// `sum` already has the half that makes cutting into rounding.
fn rounded(sum: i32) -> u8 {
    (sum >> PRECISION).clamp(0, 255) as u8
}

/// Which inputs one output is made of, and how much of each.
struct Window {
    start: usize,
    weights: Vec<i32>,
}

/// Antialiased bicubic weights for bringing `size` values down (or up) to `outputs`.
fn windows(size: usize, outputs: usize) -> Vec<Window> {
    let scale = size as f64 / outputs as f64;
    let stretch = scale.max(1.0);
    let support = 2.0 * stretch;
    let window = |output: usize| {
        let centre = (output as f64 + 0.5) * scale;
        // Casts of floats cut towards zero and saturate, so that the low end is clamped as well.
        let start = (centre - support + 0.5) as usize;
        let end = ((centre + support + 0.5) as usize).min(size);
        let raw: Vec<f64> =
            (start..end).map(|index| bicubic((index as f64 - centre + 0.5) * (1.0 / stretch))).collect();
        let total: f64 = raw.iter().sum();
        let fixed = |weight: &f64| {
            let share = if total == 0.0 { *weight } else { weight / total };
            (share * f64::from(1u32 << PRECISION)).round() as i32
        };
        Window { start, weights: raw.iter().map(fixed).collect() }
    };
    (0..outputs).map(window).collect()
}

fn bicubic(distance: f64) -> f64 {
    const A: f64 = -0.5;
    let x = distance.abs();
    if x < 1.0 {
        ((A + 2.0) * x - (A + 3.0)) * x * x + 1.0
    } else if x < 2.0 {
        (((x - 5.0) * x + 8.0) * x - 4.0) * A
    } else {
        0.0
    }
}

/// A window whose weights are split into 16-bit halves: processors multiply and add those eight at a time.
/// All sums wrap; the true result always fits, so it is what remains.
struct SplitWindow {
    start: usize,
    low: Vec<i16>,
    /// Empty where all weights fit the low half, as in every frame that is wide enough to be slow.
    high: Vec<i16>,
}

impl SplitWindow {
    fn of(window: &Window) -> SplitWindow {
        let low: Vec<i16> = window.weights.iter().map(|weight| *weight as i16).collect();
        let rest = window.weights.iter().zip(&low).map(|(weight, low)| ((weight - i32::from(*low)) >> 16) as i16);
        let mut high: Vec<i16> = rest.collect();
        if high.iter().all(|weight| *weight == 0) {
            high.clear();
        }
        SplitWindow { start: window.start, low, high }
    }

    fn reduce(&self, grey: &[i16]) -> u8 {
        let inputs = grey.get(self.start..self.start + self.low.len()).unwrap_or(&[]);
        let mut sum = HALF.wrapping_add(dot(inputs, &self.low));
        if !self.high.is_empty() {
            sum = sum.wrapping_add(dot(inputs, &self.high) << 16);
        }
        rounded(sum)
    }
}

/// By sixteens, which compilers know an instruction for.
fn dot(values: &[i16], weights: &[i16]) -> i32 {
    let (value_blocks, value_rest) = values.as_chunks::<16>();
    let (weight_blocks, weight_rest) = weights.as_chunks::<16>();
    let mut sum = sum_of_products(value_rest, weight_rest);
    for (values, weights) in value_blocks.iter().zip(weight_blocks) {
        sum = sum.wrapping_add(sum_of_products(values, weights));
    }
    sum
}

#[inline(always)]
fn sum_of_products(values: &[i16], weights: &[i16]) -> i32 {
    let products = values.iter().zip(weights).map(|(value, weight)| i32::from(*value).wrapping_mul((*weight).into()));
    products.fold(0i32, i32::wrapping_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(width: u32, height: u32, colour: impl Fn(u32, u32) -> [u8; 3]) -> Pixels {
        let rgb = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).flat_map(|(x, y)| colour(x, y)).collect();
        Pixels::new(width, height, rgb).unwrap()
    }

    fn noise(width: u32, height: u32) -> Pixels {
        picture(width, height, |x, y| {
            let mixed = (x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(40_503)).wrapping_mul(97_561);
            [(mixed >> 24) as u8, (mixed >> 16) as u8, (mixed >> 8) as u8]
        })
    }

    /// The resize as it is defined, without any of the shortcuts.
    fn by_definition(pixels: &Pixels) -> FrameHash {
        let grey = |x: usize, y: usize| {
            let [red, green, blue] = pixels.at(x as u32, y as u32).unwrap().map(i64::from);
            (19595 * red + 38470 * green + 7471 * blue + 32768) >> 16
        };
        let reduce = |window: &Window, value: &dyn Fn(usize) -> i64| {
            let terms = window.weights.iter().enumerate();
            let sum: i64 = terms.map(|(at, weight)| i64::from(*weight) * value(window.start + at)).sum();
            ((sum + i64::from(HALF)) >> PRECISION).clamp(0, 255)
        };
        let (across, down) = (windows(pixels.width as usize, COLUMNS), windows(pixels.height as usize, ROWS));
        let middle: Vec<Vec<i64>> = (0..pixels.height as usize)
            .map(|y| across.iter().map(|window| reduce(window, &|x| grey(x, y))).collect())
            .collect();
        let small: Vec<Vec<i64>> = down
            .iter()
            .map(|window| (0..COLUMNS).map(|column| reduce(window, &|y| middle[y][column])).collect())
            .collect();
        let mut bits = 0;
        for (row, values) in small.iter().enumerate() {
            for column in 0..8 {
                bits |= u64::from(values[column] > values[column + 1]) << (row * 8 + column);
            }
        }
        let mean = small.iter().flatten().sum::<i64>() / 72;
        FrameHash { bits, brightness: (mean / 16).min(15) as u8 }
    }

    #[test]
    fn the_shortcuts_change_nothing() {
        for (width, height) in [(1, 1), (2, 3), (9, 8), (10, 7), (31, 200), (199, 150), (640, 360), (1280, 64)] {
            let pixels = noise(width, height);
            assert_eq!(phash_64(&pixels), Some(by_definition(&pixels)), "{width}x{height}");
        }
        let edges = picture(700, 300, |x, y| [if x % 90 < 45 { 255 } else { 0 }, (y / 60 * 50) as u8, 0]);
        assert_eq!(phash_64(&edges), Some(by_definition(&edges)));
    }

    #[test]
    fn plain_pictures_have_the_hashes_one_would_expect() {
        for (pixels, expected) in [
            (picture(64, 64, |_, _| [0; 3]), "00000000000000000"),
            (picture(64, 64, |_, _| [15; 3]), "00000000000000000"),
            (picture(64, 64, |_, _| [16; 3]), "00000000000000001"),
            (picture(64, 64, |_, _| [255; 3]), "0000000000000000f"),
            (picture(256, 128, |x, _| [x as u8; 3]), "00000000000000007"),
            (picture(256, 128, |x, _| [255 - x as u8; 3]), "ffffffffffffffff7"),
        ] {
            assert_eq!(phash_64(&pixels).unwrap().to_string(), expected);
        }
    }

    #[test]
    fn the_region_slides_inside_and_is_cut_to_small_frames() {
        let frame = picture(1280, 720, |_, _| [0; 3]);
        let place = |x, y| {
            let region = Region::around(&frame, x, y);
            assert_eq!((region.width, region.height), (200, 200));
            (region.left, region.top)
        };
        assert_eq!(place(640, 345), (540, 245));
        assert_eq!(place(0, 0), (0, 0));
        assert_eq!(place(5000, 5000), (1080, 520));
        assert_eq!(place(i64::MIN, i64::MAX), (0, 520));
        let wide = Region::around(&picture(2000, 50, |_, _| [0; 3]), 640, 345);
        assert_eq!(wide, Region { left: 540, top: 0, width: 200, height: 50 });
    }

    #[test]
    fn a_region_is_hashed_like_a_picture_of_its_own() {
        let frame = noise(900, 500);
        let cut = picture(200, 200, |x, y| frame.at(x + 300, y + 150).unwrap());
        assert_eq!(region_hash(&frame, 400, 250), phash_64(&cut));
    }

    #[test]
    fn a_frame_that_is_not_what_it_claims_gives_no_signal() {
        assert_eq!(phash_64(&Pixels { width: 0, height: 0, rgb: Vec::new() }), None);
        assert_eq!(phash_64(&Pixels { width: 10, height: 10, rgb: vec![0; 20] }), None);
        assert_eq!(region_hash(&Pixels { width: 300, height: 0, rgb: Vec::new() }, 1, 1), None);
    }

    #[test]
    fn the_printed_form_can_be_read_back_and_garbage_cannot() {
        let hash = phash_64(&noise(300, 200)).unwrap();
        assert_eq!(FrameHash::parse(&hash.to_string()), Some(hash));
        let wire = serde_json::to_value(hash).unwrap();
        assert_eq!(serde_json::from_value::<FrameHash>(wire).unwrap(), hash);
        for garbage in ["", "0", "0000000000000000", "000000000000000000", "+000000000000000f", "ééééééééx"] {
            assert_eq!(FrameHash::parse(garbage), None, "{garbage}");
        }
    }
}
