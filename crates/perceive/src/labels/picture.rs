//! A name as a picture of its own: black on white by its own ink and ground, letters at the height that Tesseract reads
//! best, white around it.

use surehand_types::Pixels;

use super::column::Written;
use super::ink::Colours;
use crate::colour::line;
use crate::ocr::{Page, Word};
use crate::shape::Rect;

/// White around the letters, in pixels of the page.
const MARGIN: u32 = 16;
/// Larger pages are not needed for a name.
const MOST_PIXELS: f64 = 2_000_000.0;

/// A name's page, and how to get back to the picture.
pub(crate) struct Enlarged {
    pub(crate) page: Page,
    bounds: Rect,
    factor: f64,
}

impl Enlarged {
    pub(crate) fn of(pixels: &Pixels, written: &Written, factor: f64) -> Option<Enlarged> {
        let bounds = written.area(pixels);
        let shares = shares(pixels, written)?;
        let (from_width, from_height) = (bounds.width() as usize, bounds.height() as usize);
        let (width, height) = (from_width as f64 * factor, from_height as f64 * factor);
        if width < 1.0 || height < 1.0 || width * height > MOST_PIXELS {
            return None;
        }
        let (width, height) = (width.round() as usize, height.round() as usize);
        let rows: Vec<f64> = shares.chunks_exact(from_width).flat_map(|row| resized(row, width)).collect();
        let margin = MARGIN as usize;
        let page_width = width + 2 * margin;
        let mut grey = vec![255; page_width * (height + 2 * margin)];
        for x in 0..width {
            let column: Vec<f64> = (0..from_height).map(|y| rows[y * width + x]).collect();
            for (y, share) in resized(&column, height).into_iter().enumerate() {
                grey[(y + margin) * page_width + x + margin] = (255.0 * (1.0 - share.clamp(0.0, 1.0))) as u8;
            }
        }
        let page = Page { width: page_width as u32, height: (height + 2 * margin) as u32, grey };
        Some(Enlarged { page, bounds, factor })
    }

    /// The box of a word of this page in the picture, as high as the name.
    pub(crate) fn place(&self, word: &Word) -> Rect {
        let back = |at: u32| self.bounds.x0 + (f64::from(at.saturating_sub(MARGIN)) / self.factor).round() as i32;
        let (x0, x1) = (back(word.left), back(word.left.saturating_add(word.width)));
        let x0 = x0.clamp(self.bounds.x0, self.bounds.x1 - 1);
        Rect::new(x0, self.bounds.y0, x1.clamp(x0 + 1, self.bounds.x1), self.bounds.y1)
    }
}

/// How much ink each pixel holds, 0 to 1.
pub(crate) fn shares(pixels: &Pixels, written: &Written) -> Option<Vec<f64>> {
    let bounds = written.area(pixels);
    let colours = Colours::of(pixels, bounds, written.ground)?;
    let mut shares = Vec::with_capacity(bounds.area() as usize);
    for (row, y) in (bounds.y0..bounds.y1).enumerate() {
        let pixels = line(pixels, y, bounds.x0, bounds.x1).chunks_exact(3);
        shares.extend(pixels.map(|pixel| colours.share(row, pixel).0.clamp(0.0, 1.0)));
    }
    (shares.len() as i64 == bounds.area() && !shares.is_empty()).then_some(shares)
}

/// By the curve through four neighbours (Catmull and Rom): edges stay sharp, which straight lines blur.
fn resized(values: &[f64], length: usize) -> Vec<f64> {
    let step = values.len() as f64 / length as f64;
    let at = |index: i64| values[index.clamp(0, values.len() as i64 - 1) as usize];
    (0..length)
        .map(|place| {
            let place = (place as f64 + 0.5) * step - 0.5;
            let (whole, part) = (place.floor() as i64, place - place.floor());
            let [a, b, c, d] = [at(whole - 1), at(whole), at(whole + 1), at(whole + 2)];
            let curve = 3.0 * (b - c) + d - a;
            b + 0.5 * part * (c - a + part * (2.0 * a - 5.0 * b + 4.0 * c - d + part * curve))
        })
        .collect()
}
