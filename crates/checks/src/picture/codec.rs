//! Bytes to pixels and back. Input comes from browsers, recordings and strangers' files, so every
//! size is checked before memory is taken and every fault is an error value.

use std::io::Cursor;

use jpeg_encoder::{ColorType as JpegColour, Encoder as JpegEncoder};
use png::{BitDepth, ColorType, Compression, Filter, Transformations};
use surehand_types::Pixels;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::{Indexed, PictureError};

/// Largest picture that is decoded: room for an 8K screen, not for a decompression bomb.
pub const MAX_PIXELS: usize = 64 * 1024 * 1024;

const PNG: &str = "PNG";
const JPEG: &str = "JPEG";
const PNG_MAGIC: &[u8] = b"\x89PNG\r\n\x1a\n";
const JPEG_MAGIC: &[u8] = b"\xff\xd8\xff";

/// Decodes a PNG or a JPEG, told apart by their first bytes.
pub fn decode(bytes: &[u8]) -> Result<Pixels, PictureError> {
    if bytes.starts_with(PNG_MAGIC) {
        decode_png(bytes)
    } else if bytes.starts_with(JPEG_MAGIC) {
        decode_jpeg(bytes)
    } else {
        Err(PictureError::UnknownFormat)
    }
}

/// Any PNG as RGB: palettes and low depths are expanded, 16 bit is cut to 8, alpha is dropped.
pub fn decode_png(bytes: &[u8]) -> Result<Pixels, PictureError> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(Transformations::normalize_to_color8());
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let header = decoder.read_header_info().map_err(unreadable(PNG))?;
    let (width, height) = (header.width, header.height);
    check_size(PNG, width as usize, height as usize)?;
    let mut reader = decoder.read_info().map_err(unreadable(PNG))?;
    let size = reader.output_buffer_size().ok_or_else(|| unreadable(PNG)("its size does not fit in memory"))?;
    let mut buffer = vec![0; size];
    let info = reader.next_frame(&mut buffer).map_err(unreadable(PNG))?;
    if info.bit_depth != BitDepth::Eight {
        return Err(unreadable(PNG)("its bit depth is not supported"));
    }
    buffer.truncate(info.buffer_size());
    let rgb = match info.color_type {
        ColorType::Rgb => buffer,
        ColorType::Rgba => repack::<4>(&buffer, |pixel| [pixel[0], pixel[1], pixel[2]]),
        ColorType::Grayscale => repack::<1>(&buffer, |pixel| [pixel[0]; 3]),
        ColorType::GrayscaleAlpha => repack::<2>(&buffer, |pixel| [pixel[0]; 3]),
        ColorType::Indexed => return Err(unreadable(PNG)("its palette is missing")),
    };
    Pixels::new(info.width, info.height, rgb).ok_or_else(|| unreadable(PNG)("it has no complete image"))
}

pub fn decode_jpeg(bytes: &[u8]) -> Result<Pixels, PictureError> {
    let side = usize::from(u16::MAX);
    // Strict: half a picture filled up with grey would be taken for what the page showed.
    let options = DecoderOptions::new_safe()
        .set_strict_mode(true)
        .set_max_width(side)
        .set_max_height(side)
        .jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(unreadable(JPEG))?;
    let info = decoder.info().ok_or_else(|| unreadable(JPEG)("it has no header"))?;
    check_size(JPEG, usize::from(info.width), usize::from(info.height))?;
    let rgb = decoder.decode().map_err(unreadable(JPEG))?;
    Pixels::new(u32::from(info.width), u32::from(info.height), rgb)
        .ok_or_else(|| unreadable(JPEG)("it has no complete image"))
}

/// Lossless and quick, because every step writes frames. Measured in release on two 1280x720 pages,
/// a table of text and a page that is mostly a photo:
///
/// | compression, filter | text          | photo           |
/// |---------------------|---------------|-----------------|
/// | fastest, up         | 1.8 ms 476 KB |  5.3 ms 1297 KB |
/// | fastest, adaptive   | 2.9 ms 318 KB |  6.0 ms 1244 KB |
/// | level 1, none       | 5.0 ms 231 KB | 25.7 ms 1943 KB |
/// | level 1, adaptive   | 8.1 ms 248 KB | 24.3 ms 1197 KB |
/// | balanced, adaptive  |  45 ms 181 KB |                 |
pub fn encode_png(pixels: &Pixels) -> Result<Vec<u8>, PictureError> {
    let mut bytes = Vec::with_capacity(pixels.rgb.len() / 8);
    let mut encoder = png::Encoder::new(&mut bytes, pixels.width, pixels.height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Fastest);
    encoder.set_filter(Filter::Adaptive);
    let mut writer = encoder.write_header().map_err(unwritable(PNG))?;
    writer.write_image_data(&pixels.rgb).map_err(unwritable(PNG))?;
    writer.finish().map_err(unwritable(PNG))?;
    Ok(bytes)
}

/// The smallest that every reader understands, for pictures that go over a network.
pub fn encode_indexed_png(picture: &Indexed) -> Result<Vec<u8>, PictureError> {
    let mut bytes = Vec::with_capacity(picture.indices.len() / 8);
    let mut encoder = png::Encoder::new(&mut bytes, picture.width, picture.height);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_palette(picture.palette.as_slice());
    // The highest level takes two to five times as long for a hundredth less.
    encoder.set_compression(Compression::Balanced);
    // Neighbouring numbers of a palette mean nothing to each other.
    encoder.set_filter(Filter::NoFilter);
    let mut writer = encoder.write_header().map_err(unwritable(PNG))?;
    writer.write_image_data(&picture.indices).map_err(unwritable(PNG))?;
    writer.finish().map_err(unwritable(PNG))?;
    Ok(bytes)
}

/// For whoever prefers small over exact (139 KB and 10 ms for the text page at 80).
/// `quality` from 1 to 100; values outside are clamped.
pub fn encode_jpeg(pixels: &Pixels, quality: u8) -> Result<Vec<u8>, PictureError> {
    let side = |value: u32| u16::try_from(value).map_err(|_| unwritable(JPEG)("a side is longer than 65535 pixels"));
    let (width, height) = (side(pixels.width)?, side(pixels.height)?);
    let mut bytes = Vec::with_capacity(pixels.rgb.len() / 16);
    JpegEncoder::new(&mut bytes, quality.clamp(1, 100))
        .encode(&pixels.rgb, width, height, JpegColour::Rgb)
        .map_err(unwritable(JPEG))?;
    Ok(bytes)
}

fn check_size(format: &'static str, width: usize, height: usize) -> Result<(), PictureError> {
    match width.checked_mul(height) {
        Some(count) if count <= MAX_PIXELS => Ok(()),
        _ => Err(PictureError::TooLarge { format, width, height }),
    }
}

fn repack<const CHANNELS: usize>(buffer: &[u8], to_rgb: impl Fn(&[u8; CHANNELS]) -> [u8; 3]) -> Vec<u8> {
    let (chunks, _) = buffer.as_chunks::<CHANNELS>();
    chunks.iter().flat_map(to_rgb).collect()
}

fn unreadable<E: ToString>(format: &'static str) -> impl Fn(E) -> PictureError {
    move |error| PictureError::Unreadable { format, reason: error.to_string() }
}

fn unwritable<E: ToString>(format: &'static str) -> impl Fn(E) -> PictureError {
    move |error| PictureError::Unwritable { format, reason: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture with flat areas, an edge and a gradient.
    fn sample(width: u32, height: u32) -> Pixels {
        let rgb = (0..height)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .flat_map(|(x, y)| match (x < width / 2, y < height / 2) {
                (true, _) => [240, 240, 240],
                (false, true) => [20, 60, 200],
                (false, false) => [(x * 3) as u8, (y * 5) as u8, 90],
            })
            .collect();
        Pixels::new(width, height, rgb).unwrap()
    }

    fn png_of(colour: ColorType, depth: BitDepth, size: (u32, u32), data: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, size.0, size.1);
        encoder.set_color(colour);
        encoder.set_depth(depth);
        if colour == ColorType::Indexed {
            encoder.set_palette(vec![1, 2, 3, 250, 0, 9]);
        }
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(data).unwrap();
        writer.finish().unwrap();
        bytes
    }

    #[test]
    fn png_is_lossless_and_jpeg_is_close() {
        let picture = sample(61, 37);
        assert_eq!(decode(&encode_png(&picture).unwrap()).unwrap(), picture);
        let jpeg = decode(&encode_jpeg(&picture, 95).unwrap()).unwrap();
        assert_eq!((jpeg.width, jpeg.height), (61, 37));
        let [red, green, blue] = jpeg.at(5, 5).unwrap();
        assert!(red.abs_diff(240) < 4 && green.abs_diff(240) < 4 && blue.abs_diff(240) < 4);
        assert!(encode_jpeg(&picture, 0).is_ok() && encode_jpeg(&picture, 255).is_ok());
    }

    #[test]
    fn every_kind_of_png_becomes_rgb() {
        use BitDepth::{Eight, One, Sixteen};
        use ColorType::{Grayscale, GrayscaleAlpha, Indexed, Rgb, Rgba};
        for (colour, depth, data, expected) in [
            (Rgb, Eight, vec![1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6]),
            (Rgba, Eight, vec![1, 2, 3, 0, 4, 5, 6, 255], [1, 2, 3, 4, 5, 6]),
            (Grayscale, Eight, vec![7, 200], [7, 7, 7, 200, 200, 200]),
            (Grayscale, One, vec![0b0100_0000], [0, 0, 0, 255, 255, 255]),
            (GrayscaleAlpha, Eight, vec![7, 0, 8, 9], [7, 7, 7, 8, 8, 8]),
            (Indexed, One, vec![0b1000_0000], [250, 0, 9, 1, 2, 3]),
            (Rgb, Sixteen, vec![1, 99, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0], [1, 2, 3, 4, 5, 6]),
        ] {
            let picture = decode_png(&png_of(colour, depth, (2, 1), &data)).unwrap();
            assert_eq!(picture.rgb, expected, "{colour:?} {depth:?}");
        }
    }

    #[test]
    fn a_grey_jpeg_becomes_rgb() {
        let mut bytes = Vec::new();
        JpegEncoder::new(&mut bytes, 90).encode(&[130; 64], 8, 8, JpegColour::Luma).unwrap();
        let picture = decode(&bytes).unwrap();
        assert_eq!((picture.width, picture.height), (8, 8));
        assert!(picture.rgb.iter().all(|value| value.abs_diff(130) < 3));
    }

    #[test]
    fn claims_of_a_huge_size_are_refused_before_memory_is_taken() {
        let mut png = encode_png(&sample(4, 4)).unwrap();
        png[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
        // The header's checksum has to fit, or the size is never looked at.
        let crc = crc32(&png[12..29]);
        png[29..33].copy_from_slice(&crc.to_be_bytes());
        let error = decode(&png).unwrap_err();
        assert!(matches!(error, PictureError::TooLarge { .. }), "{error}");

        let mut jpeg = encode_jpeg(&sample(16, 16), 80).unwrap();
        let start = jpeg.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
        jpeg[start + 5..start + 9].fill(0xff);
        let error = decode(&jpeg).unwrap_err();
        assert!(matches!(error, PictureError::TooLarge { .. }), "{error}");
    }

    #[test]
    fn garbage_is_an_error_and_never_a_panic() {
        for bytes in [&b""[..], b"GIF89a", PNG_MAGIC, JPEG_MAGIC, b"\x89PNG"] {
            assert!(decode(bytes).is_err());
        }
        assert_eq!(decode(b"hello"), Err(PictureError::UnknownFormat));
        let picture = sample(40, 30);
        let originals = [encode_png(&picture).unwrap(), encode_jpeg(&picture, 70).unwrap()];
        for original in originals {
            for length in 0..original.len() {
                let _ = decode(&original[..length]);
            }
            // A fixed linear congruence picks the damage: the same every time.
            let mut state = 7u32;
            let mut random = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 8) as usize
            };
            for _ in 0..3000 {
                let mut damaged = original.clone();
                for _ in 0..1 + random() % 4 {
                    let at = random() % damaged.len();
                    damaged[at] = random() as u8;
                }
                let _ = decode(&damaged);
            }
        }
    }

    #[test]
    fn a_truncated_file_is_not_half_a_picture() {
        let picture = sample(200, 200);
        for bytes in [encode_png(&picture).unwrap(), encode_jpeg(&picture, 90).unwrap()] {
            assert!(decode(&bytes[..bytes.len() / 2]).is_err());
        }
    }

    fn crc32(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0u32, |mut crc, byte| {
            crc ^= u32::from(*byte);
            for _ in 0..8 {
                crc = (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg());
            }
            crc
        })
    }
}
