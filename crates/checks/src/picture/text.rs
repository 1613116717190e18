//! Lines of text in a picture, in letters that were drawn beforehand: captions of films. Not for reading back.

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};
use surehand_types::Pixels;

use super::shapes::blend;

const HEIGHT: RasterHeight = RasterHeight::Size20;
/// Of a line, in pixels.
pub const LETTER_HEIGHT: u32 = HEIGHT.val() as u32;
/// Of every letter, in pixels; both weights have the same.
pub const LETTER_WIDTH: u32 = get_raster_width(FontWeight::Regular, HEIGHT) as u32;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    Regular,
    Bold,
}

/// Draws one line with its upper left corner there. Letters outside Latin become a replacement character, and what
/// does not fit is cut at the picture's edge.
pub fn draw_text(pixels: &mut Pixels, left: u32, top: u32, text: &str, weight: Weight, colour: [u8; 3]) {
    let weight = match weight {
        Weight::Regular => FontWeight::Regular,
        Weight::Bold => FontWeight::Bold,
    };
    for (index, letter) in text.chars().enumerate() {
        let x0 = left.saturating_add((index as u32).saturating_mul(LETTER_WIDTH));
        if x0 >= pixels.width {
            return;
        }
        let Some(raster) = glyph(letter, weight) else { continue };
        for (row, line) in raster.rows().enumerate() {
            for (column, covered) in line.iter().enumerate() {
                let (x, y) = (x0 + column as u32, top + row as u32);
                blend(pixels, x, y, colour, f64::from(*covered) / 255.0);
            }
        }
    }
}

/// Typographic signs that our own words use have plain relatives.
fn glyph(letter: char, weight: FontWeight) -> Option<noto_sans_mono_bitmap::RasterizedChar> {
    let plain = match letter {
        '\u{2018}' | '\u{2019}' => '\'',
        '\u{201c}' | '\u{201d}' => '"',
        '\u{2010}'..='\u{2015}' => '-',
        '…' => '~',
        letter if letter.is_whitespace() => ' ',
        letter => letter,
    };
    get_raster(plain, weight, HEIGHT).or_else(|| get_raster('\u{fffd}', weight, HEIGHT))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ink(text: &str) -> Vec<(u32, u32)> {
        let mut pixels = Pixels::new(60, 24, vec![0; 60 * 24 * 3]).unwrap();
        draw_text(&mut pixels, 2, 2, text, Weight::Bold, [255; 3]);
        (0..24).flat_map(|y| (0..60).map(move |x| (x, y))).filter(|(x, y)| pixels.at(*x, *y) != Some([0; 3])).collect()
    }

    #[test]
    fn letters_stand_side_by_side_and_are_cut_at_the_edge() {
        assert_eq!(ink(" "), []);
        let one = ink("l");
        assert!(one.iter().all(|(x, _)| (2..2 + LETTER_WIDTH).contains(x)), "{one:?}");
        assert_eq!(ink("ll").len(), 2 * one.len());
        assert!(ink(&"l".repeat(500)).iter().all(|(x, _)| *x < 60));
    }

    #[test]
    fn what_has_no_letter_is_seen_to_be_missing() {
        assert_eq!(ink("漢"), ink("\u{fffd}"));
        assert!(!ink("漢").is_empty());
        assert_eq!(ink("\u{201c}"), ink("\""));
        assert_ne!(ink("ü"), ink("u"));
    }
}
