//! Generators. Random bytes hardly get past the first character of a format, so most input is a valid
//! example with something wrong in it.

mod bytes;
mod json;
mod odd;
mod text;

pub use bytes::mutated_bytes;
pub use json::{mutated_json, mutated_json_lines};
pub use odd::{odd_number, odd_text, odd_value};
pub use text::mutated_text;

use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;

/// Larger inputs are cut: every reader has its own limit for files, and here time matters.
pub const LARGEST: usize = 200_000;

/// Anything at all.
pub fn any_bytes() -> BoxedStrategy<Vec<u8>> {
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..300),
        any::<String>().prop_map(String::into_bytes),
        odd_text().prop_map(String::into_bytes),
    ]
    .boxed()
}

/// A place in something of unknown length.
pub(crate) fn place(at: u16, length: usize) -> usize {
    if length == 0 { 0 } else { usize::from(at) * 7 % length }
}
