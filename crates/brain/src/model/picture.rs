//! A frame made ready for a model: scaled down to the model's limit, encoded small, as Base64.

use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use surehand_checks::picture::{decode, encode_small, thumbnail};
use surehand_types::Pixels;

use super::knowledge::fit;
use super::provider::{Picture, PictureLimit};

/// A PNG of this size is sent as it is.
const SMALL: usize = 40_000;
/// For photographs; high enough that small text keeps its edges.
const JPEG_QUALITY: u8 = 85;

/// Reads and prepares a picture file, away from the thread that serves everybody else.
pub(crate) async fn from_file(path: &str, limit: PictureLimit) -> Result<Picture, String> {
    let path = PathBuf::from(path);
    let prepared = tokio::task::spawn_blocking(move || read_and_prepare(&path, limit)).await;
    prepared.map_err(|error| format!("a frame could not be prepared: {error}"))?
}

fn read_and_prepare(path: &Path, limit: PictureLimit) -> Result<Picture, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("the frame {} cannot be read: {error}", path.display()))?;
    from_bytes(bytes, limit)
}

pub(crate) fn from_bytes(bytes: Vec<u8>, limit: PictureLimit) -> Result<Picture, String> {
    let pixels = decode(&bytes).map_err(|error| format!("a frame cannot be read: {error}"))?;
    let (width, height) = fit(pixels.width, pixels.height, limit.long_edge, limit.pixels);
    if (width, height) == (pixels.width, pixels.height) {
        if bytes.len() <= SMALL && bytes.starts_with(b"\x89PNG") {
            return Ok(picture(&pixels, "image/png", &bytes));
        }
        return encoded(&pixels);
    }
    encoded(&thumbnail(&pixels, width))
}

/// A third of a full PNG or less: every step of a run sends pictures.
fn encoded(pixels: &Pixels) -> Result<Picture, String> {
    let small = encode_small(pixels, JPEG_QUALITY).map_err(|error| format!("a frame cannot be encoded: {error}"))?;
    Ok(picture(pixels, small.media_type, &small.bytes))
}

fn picture(pixels: &Pixels, media_type: &'static str, bytes: &[u8]) -> Picture {
    Picture { width: pixels.width, height: pixels.height, media_type, base64: STANDARD.encode(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surehand_checks::picture::encode_png;

    const LIMIT: PictureLimit = PictureLimit { long_edge: 1568, pixels: 1_150_000 };

    fn page(width: u32, height: u32, noise: bool) -> Vec<u8> {
        let mut state = 7_u32;
        let rgb = (0..width as usize * height as usize * 3).map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if noise { (state >> 24) as u8 } else { 240 }
        });
        encode_png(&Pixels::new(width, height, rgb.collect()).unwrap()).unwrap()
    }

    #[test]
    fn a_picture_within_the_limit_is_sent_as_it_is() {
        let bytes = page(1280, 720, false);
        let sent = from_bytes(bytes.clone(), LIMIT).unwrap();
        assert_eq!((sent.width, sent.height, sent.media_type), (1280, 720, "image/png"));
        assert_eq!(STANDARD.decode(&sent.base64).unwrap(), bytes);
        assert!(sent.data_url().starts_with("data:image/png;base64,iVBOR"));
    }

    #[test]
    fn a_large_one_is_scaled_down_and_a_photograph_is_a_jpeg() {
        let sent = from_bytes(page(2560, 1440, false), LIMIT).unwrap();
        assert!(sent.width <= 1568 && u64::from(sent.width) * u64::from(sent.height) <= 1_150_000, "{}", sent.width);
        assert!(sent.width > 1400, "{}", sent.width);
        let sent = from_bytes(page(800, 600, true), LIMIT).unwrap();
        assert_eq!(sent.media_type, "image/jpeg");
        assert!(from_bytes(b"no picture".to_vec(), LIMIT).is_err());
    }
}
