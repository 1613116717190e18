//! Frames for brains have a cursor drawn into them, and it may lie over the very cell that somebody judges the file by.
//! So the file keeps what is under the cursor in a chunk of its own (`suPT`: other programs ignore it, and editors
//! drop it). It is believed only if drawing the same cursor again gives exactly the picture that people see.

use surehand_types::{Pixels, ViewPoint, ViewSize};

use super::PictureError;
use super::codec::{decode, encode_png};
use super::cursor::draw_cursor;

const NAME: &[u8; 4] = b"suPT";
/// Numbers before the pixels: view, cursor, left, top, width and height.
const NUMBERS: usize = 8;
/// Image pixels for one pixel of the view, on the densest screens.
const LARGEST_RATIO: u32 = 4;
/// The end of every PNG file: an empty chunk.
const END: usize = 12;
/// Where the first chunk begins.
const START: usize = 8;

/// The frame with a cursor, as a PNG file that can be had without it.
pub fn encode_with_cursor(clean: &Pixels, view: ViewSize, cursor: ViewPoint) -> Result<Vec<u8>, PictureError> {
    let mut drawn = clean.clone();
    draw_cursor(&mut drawn, view, cursor);
    let mut file = encode_png(&drawn)?;
    let Some([left, top, right, bottom]) = changed(clean, &drawn) else { return Ok(file) };
    let (width, height) = (right - left, bottom - top);
    let mut data = Vec::new();
    let place = [view.width, view.height, cursor.x.cast_unsigned(), cursor.y.cast_unsigned(), left, top, width, height];
    data.extend(place.iter().flat_map(|number| number.to_be_bytes()));
    let spots = (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y)));
    data.extend(spots.flat_map(|(x, y)| clean.at(x, y).unwrap_or_default()));
    let end = file.split_off(file.len().saturating_sub(END));
    file.extend(u32::try_from(data.len()).unwrap_or_default().to_be_bytes());
    let named: Vec<u8> = NAME.iter().copied().chain(data).collect();
    file.extend(&named);
    file.extend(checksum(&named).to_be_bytes());
    file.extend(end);
    Ok(file)
}

/// Any picture, without the cursor that we drew into it.
pub fn decode_without_cursor(bytes: &[u8]) -> Result<Pixels, PictureError> {
    let seen = decode(bytes)?;
    let clean = kept(bytes).and_then(|data| restored(&seen, data));
    Ok(clean.unwrap_or(seen))
}

/// The content of our chunk.
fn kept(bytes: &[u8]) -> Option<&[u8]> {
    let mut rest = bytes.get(START..)?;
    while let Some((length, inner)) = rest.split_first_chunk::<4>() {
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let (name, inner) = inner.split_first_chunk::<4>()?;
        if name == NAME {
            return inner.get(..length);
        }
        rest = inner.get(length.checked_add(4)?..)?;
    }
    None
}

fn restored(seen: &Pixels, data: &[u8]) -> Option<Pixels> {
    let (numbers, colours) = data.split_at_checked(4 * NUMBERS)?;
    let mut numbers = numbers.chunks_exact(4).map(|four| u32::from_be_bytes([four[0], four[1], four[2], four[3]]));
    let mut next = || numbers.next();
    let view = ViewSize { width: next()?, height: next()? };
    let cursor = ViewPoint { x: next()?.cast_signed(), y: next()?.cast_signed() };
    let (left, top, width, height) = (next()?, next()?, next()?, next()?);
    let right = left.checked_add(width).filter(|right| *right <= seen.width)?;
    let bottom = top.checked_add(height).filter(|bottom| *bottom <= seen.height)?;
    // A tiny view would draw a cursor over everything.
    let sensible = |pixels: u32, view: u32| view > 0 && pixels / view <= LARGEST_RATIO;
    if !sensible(seen.width, view.width) || !sensible(seen.height, view.height) {
        return None;
    }
    if colours.len() as u64 != 3 * u64::from(width) * u64::from(height) {
        return None;
    }
    let mut clean = seen.clone();
    let spots = (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y)));
    for ((x, y), colour) in spots.zip(colours.chunks_exact(3)) {
        clean.set(x, y, [colour[0], colour[1], colour[2]]);
    }
    let mut again = clean.clone();
    draw_cursor(&mut again, view, cursor);
    (again == *seen).then_some(clean)
}

/// The box around everything that differs, its right and lower edge excluded.
fn changed(clean: &Pixels, drawn: &Pixels) -> Option<[u32; 4]> {
    let mut around: Option<[u32; 4]> = None;
    let row = 3 * clean.width as usize;
    // Whole rows first: nearly all of them are the same.
    let rows = (0..).zip(clean.rgb.chunks(row.max(1)).zip(drawn.rgb.chunks(row.max(1))));
    for (y, _) in rows.filter(|(_, (one, other))| one != other) {
        for x in 0..clean.width {
            if clean.at(x, y) != drawn.at(x, y) {
                let [left, top, right, bottom] = around.unwrap_or([x, y, x, y]);
                around = Some([left.min(x), top.min(y), right.max(x + 1), bottom.max(y + 1)]);
            }
        }
    }
    around
}

/// CRC-32 as PNG wants it.
fn checksum(bytes: &[u8]) -> u32 {
    let mixed = bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 })
    });
    !mixed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn striped() -> Pixels {
        let rgb = (0..60 * 50_u32).flat_map(|at| [(at % 251) as u8, (at % 7 * 30) as u8, 9]).collect();
        Pixels::new(60, 50, rgb).unwrap()
    }

    const VIEW: ViewSize = ViewSize { width: 60, height: 50 };

    #[test]
    fn what_is_under_the_cursor_comes_back_and_everybody_else_sees_the_cursor() {
        for cursor in [ViewPoint { x: 20, y: 20 }, ViewPoint { x: 0, y: 0 }, ViewPoint { x: 59, y: 49 }] {
            let file = encode_with_cursor(&striped(), VIEW, cursor).unwrap();
            let mut drawn = striped();
            draw_cursor(&mut drawn, VIEW, cursor);
            assert_eq!(decode(&file).unwrap(), drawn);
            assert_ne!(drawn, striped());
            assert_eq!(decode_without_cursor(&file).unwrap(), striped());
        }
    }

    #[test]
    fn a_chunk_that_does_not_fit_the_picture_is_not_believed() {
        let cursor = ViewPoint { x: 20, y: 20 };
        let file = encode_with_cursor(&striped(), VIEW, cursor).unwrap();
        let at = file.windows(4).position(|four| four == NAME).unwrap();
        let seen = decode(&file).unwrap();
        // Every number and some colours, each turned into others; the checksum is made to fit again.
        for place in (at + 4..at + 36 + 60).chain([file.len() - END - 5]) {
            let mut forged = file.clone();
            forged[place] ^= 0x55;
            let length = forged.len() - END - 4;
            let sum = checksum(&forged[at..length]).to_be_bytes();
            forged[length..length + 4].copy_from_slice(&sum);
            let read = decode_without_cursor(&forged).unwrap();
            assert!(read == seen || read == striped(), "byte {place}");
            assert_eq!(decode(&forged).unwrap(), seen);
        }
        for cut in [0, 4, 20, at, at + 10, file.len() - 3] {
            let _ = decode_without_cursor(&file[..cut]);
        }
    }
}
