//! A picture made small for showing or sending, never for measuring: in few colours where that cannot be seen, otherwise
//! as JPEG.

use surehand_types::Pixels;

use super::{PictureError, encode_indexed_png, encode_jpeg, indexed};

/// Mean squared error of a channel up to which nobody sees that a picture has only 256 colours (38 dB).
const UNSEEN: u32 = 10;
/// Bits of a pixel from which a JPEG may be smaller. Text repeats its letters, so that a screen of it takes a fraction of
/// this as PNG, at full sharpness; what takes more is a picture in the page.
const LARGE: usize = 1;

/// An encoded picture and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Small {
    pub media_type: &'static str,
    pub bytes: Vec<u8>,
}

/// In the size that it has. `quality` is that of a JPEG, where it becomes one.
pub fn encode_small(pixels: &Pixels, quality: u8) -> Result<Small, PictureError> {
    let few = indexed(pixels);
    if few.error > UNSEEN {
        return as_jpeg(pixels, quality);
    }
    let png = Small { media_type: "image/png", bytes: encode_indexed_png(&few)? };
    if png.bytes.len() * 8 <= few.indices.len() * LARGE {
        return Ok(png);
    }
    let jpeg = as_jpeg(pixels, quality)?;
    Ok(if jpeg.bytes.len() < png.bytes.len() { jpeg } else { png })
}

fn as_jpeg(pixels: &Pixels, quality: u8) -> Result<Small, PictureError> {
    Ok(Small { media_type: "image/jpeg", bytes: encode_jpeg(pixels, quality)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::{Weight, decode, draw_text};

    fn noise(width: u32, height: u32) -> Pixels {
        let mut state = 7_u32;
        let rgb = (0..width as usize * height as usize * 3).map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        });
        Pixels::new(width, height, rgb.collect()).unwrap()
    }

    #[test]
    fn text_stays_sharp_and_takes_less_than_a_jpeg() {
        let mut page = Pixels::new(1280, 720, vec![255; 1280 * 720 * 3]).unwrap();
        let words = ["Invoice 17 is due", "Paid by transfer", "Ask Marta about it"];
        for (line, word) in words.iter().cycle().take(30).enumerate() {
            let line = u32::try_from(line).unwrap();
            draw_text(&mut page, 10 + line * 7, line * 24, &word.repeat(4), Weight::Regular, [30, 30, 30]);
        }
        let small = encode_small(&page, 80).unwrap();
        assert_eq!(small.media_type, "image/png");
        let shown = decode(&small.bytes).unwrap();
        assert!(page.rgb.iter().zip(&shown.rgb).all(|(a, b)| a.abs_diff(*b) <= 4), "within a cell of the histogram");
        assert!(small.bytes.len() * 3 < encode_jpeg(&page, 80).unwrap().len(), "{}", small.bytes.len());
    }

    #[test]
    fn a_photograph_is_a_jpeg() {
        assert_eq!(encode_small(&noise(320, 200), 80).unwrap().media_type, "image/jpeg");
    }
}
