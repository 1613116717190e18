//! The hash against its plain definition, and what it promises to those who store and compare it.

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

/// A fixed linear congruence: the same bytes every time.
fn random_bytes(count: usize, seed: u32) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..count).map(|_| next()).collect()
}

/// The hash as it is defined: no integers narrower than they need to be, no row skipped, no shared code.
fn by_definition(pixels: &Pixels) -> FrameHash {
    let grey: Vec<Vec<i64>> = (0..pixels.height)
        .map(|y| (0..pixels.width).map(|x| grey_by_definition(pixels.at(x, y).unwrap())).collect())
        .collect();
    let narrow: Vec<Vec<i64>> = grey.iter().map(|row| resized_by_definition(row, 9)).collect();
    let columns = (0..9).map(|column| narrow.iter().map(|row| row[column]).collect::<Vec<i64>>());
    let columns: Vec<Vec<i64>> = columns.map(|column| resized_by_definition(&column, 8)).collect();
    let mut bits = 0;
    for (row, column) in (0..8).flat_map(|row| (0..8).map(move |column| (row, column))) {
        bits |= u64::from(columns[column][row] > columns[column + 1][row]) << (row * 8 + column);
    }
    let mean = columns.iter().flatten().sum::<i64>() / 72;
    FrameHash { bits, brightness: (mean / 16).min(15) as u8 }
}

fn grey_by_definition([red, green, blue]: [u8; 3]) -> i64 {
    (19595 * i64::from(red) + 38470 * i64::from(green) + 7471 * i64::from(blue) + 32768) >> 16
}

fn resized_by_definition(values: &[i64], outputs: usize) -> Vec<i64> {
    let scale = values.len() as f64 / outputs as f64;
    let stretch = if scale < 1.0 { 1.0 } else { scale };
    let output = |output: usize| {
        let centre = (output as f64 + 0.5) * scale;
        let from = (centre - 2.0 * stretch + 0.5).trunc().max(0.0) as usize;
        let to = ((centre + 2.0 * stretch + 0.5).trunc() as usize).min(values.len());
        let weight = |index: usize| bicubic_by_definition((index as f64 - centre + 0.5) * (1.0 / stretch));
        let total: f64 = (from..to).map(weight).sum();
        let fixed = |index: usize| (weight(index) / total * 4_194_304.0).round() as i64;
        let sum: i64 = (from..to).map(|index| fixed(index) * values[index]).sum();
        ((sum + 2_097_152) >> 22).clamp(0, 255)
    };
    (0..outputs).map(output).collect()
}

/// Of the two halves of the kernel with a = -0.5.
fn bicubic_by_definition(distance: f64) -> f64 {
    match distance.abs() {
        x if x < 1.0 => (1.5 * x - 2.5) * x * x + 1.0,
        x if x < 2.0 => (((x - 5.0) * x + 8.0) * x - 4.0) * -0.5,
        _ => 0.0,
    }
}

#[test]
fn the_shortcuts_change_nothing() {
    for (width, height) in [(1, 1), (2, 3), (9, 8), (10, 7), (31, 200), (199, 150), (3, 1000), (1000, 3), (1279, 719)] {
        let rgb = random_bytes(width as usize * height as usize * 3, width ^ height);
        for pixels in [Pixels::new(width, height, rgb).unwrap(), noise(width, height)] {
            assert_eq!(phash_64(&pixels), Some(by_definition(&pixels)), "{width}x{height}");
        }
    }
    // Rows that repeat, and colours as far apart as they can be: the sums swing beyond both ends.
    let edges = picture(700, 300, |x, y| [if x % 90 < 45 { 255 } else { 0 }, (y / 60 * 50) as u8, 0]);
    let checkered = picture(451, 333, |x, y| [if (x / 50 + y / 37) % 2 == 0 { 255 } else { 0 }; 3]);
    for pixels in [edges, checkered] {
        assert_eq!(phash_64(&pixels), Some(by_definition(&pixels)));
    }
}

#[test]
fn alpha_is_ignored() {
    for (width, height) in [(1, 1), (9, 8), (131, 77)] {
        let rgba = random_bytes(width as usize * height as usize * 4, 5);
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.write_header().unwrap().write_image_data(&rgba).unwrap();
        let rgb = rgba.as_chunks::<4>().0.iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]).collect();
        let opaque = Pixels::new(width, height, rgb).unwrap();
        let decoded = crate::picture::decode_png(&bytes).unwrap();
        assert_eq!(phash_64(&decoded), Some(by_definition(&opaque)), "{width}x{height}");
    }
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
