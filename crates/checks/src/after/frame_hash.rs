//! The perceptual hash of a frame: a 9x8 grey thumbnail, reduced to who is brighter than its right-hand
//! neighbour. Bit-exact with the conformance vectors, because hashes are stored and compared by others.
//! It says whether two frames look alike from afar; what a call changed is read from real pixels.

mod resize;

use serde::{Deserialize, Serialize};
use surehand_types::Pixels;

use self::resize::{COLUMNS, ROWS, thumbnail};

/// Side of the crop around a point, in image pixels.
pub const REGION_SIDE: u32 = 200;

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
    let small = thumbnail(pixels, region)?;
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

#[cfg(test)]
mod tests;
