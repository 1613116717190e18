//! Pictures that browsers, recordings and strangers send.

use proptest::strategy::BoxedStrategy;
use surehand_checks::picture::{MAX_PIXELS, decode, encode_jpeg, encode_png};
use surehand_types::Pixels;

use crate::generate::mutated_bytes;
use crate::{Target, holds, is_sentence};

pub(super) const PICTURES: Target = Target { name: "pictures", cases: 200, input: pictures, check: check_picture };

fn pictures() -> BoxedStrategy<Vec<u8>> {
    let colours: Vec<u8> = (0..20 * 12 * 3_u32).map(|number| (number * 37 % 256) as u8).collect();
    let pixels = Pixels::new(20, 12, colours);
    let examples: Vec<Vec<u8>> =
        pixels.iter().flat_map(|pixels| [encode_png(pixels).ok(), encode_jpeg(pixels, 80).ok()]).flatten().collect();
    mutated_bytes(examples)
}

fn check_picture(input: &[u8]) -> Result<(), String> {
    match decode(input) {
        Ok(pixels) => {
            let size = pixels.width as usize * pixels.height as usize;
            holds(size <= MAX_PIXELS, || format!("{size} pixels"))
        }
        Err(error) => is_sentence(&error.to_string()),
    }
}
