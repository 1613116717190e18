//! Pixels as a display server keeps them: four bytes each, one of them without a meaning.

use surehand_types::Pixels;

/// Which of a pixel's four bytes hold red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByteOrder {
    pub red: usize,
    pub green: usize,
    pub blue: usize,
}

/// `None` when the bytes are not that many pixels, or the order names a byte that is none.
pub fn from_four_bytes(width: u32, height: u32, bytes: &[u8], order: ByteOrder) -> Option<Pixels> {
    let wanted = (width as usize).checked_mul(height as usize)?;
    if bytes.len() != wanted.checked_mul(4)? || [order.red, order.green, order.blue].iter().any(|byte| *byte > 3) {
        return None;
    }
    let mut rgb = vec![0; wanted * 3];
    let (red, green, blue) = (order.red, order.green, order.blue);
    for (to, from) in rgb.chunks_exact_mut(3).zip(bytes.chunks_exact(4)) {
        to[0] = from[red & 3];
        to[1] = from[green & 3];
        to[2] = from[blue & 3];
    }
    Pixels::new(width, height, rgb)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_the_bytes_is_kept_to() {
        let bgrx = ByteOrder { red: 2, green: 1, blue: 0 };
        let pixels = from_four_bytes(2, 1, &[1, 2, 3, 0, 4, 5, 6, 0], bgrx).unwrap();
        assert_eq!(pixels.rgb, [3, 2, 1, 6, 5, 4]);
        let xrgb = ByteOrder { red: 1, green: 2, blue: 3 };
        assert_eq!(from_four_bytes(1, 1, &[9, 1, 2, 3], xrgb).unwrap().rgb, [1, 2, 3]);
    }

    #[test]
    fn what_does_not_fit_is_no_picture() {
        let order = ByteOrder { red: 2, green: 1, blue: 0 };
        assert!(from_four_bytes(2, 1, &[0; 4], order).is_none());
        assert!(from_four_bytes(0, 0, &[], order).is_none());
        assert!(from_four_bytes(1, 1, &[0; 4], ByteOrder { red: 4, ..order }).is_none());
    }
}
