//! A region as Tesseract likes it: grey, dark on light, full contrast, letters about 30 pixels high.
//! Interface fonts of 11 pixels are misread at their own size.

use surehand_checks::picture::{crop, enlarge};
use surehand_types::ui::Anchor;
use surehand_types::{Pixels, ViewBox, ViewSize};

use super::tsv::Word;
use crate::shape::Rect;

/// A picture to hand over, and where it came from.
pub(crate) struct Prepared {
    pub(crate) pgm: Vec<u8>,
    region: Rect,
    factor: f64,
}

impl Prepared {
    /// The word with its box in pixels of the whole picture.
    pub(crate) fn anchor(&self, word: Word) -> Anchor {
        let low = |at: u32, from: i32| from + (f64::from(at) / self.factor).floor() as i32;
        let high = |at: u32, from: i32| from + (f64::from(at) / self.factor).ceil() as i32;
        let (right, bottom) = (word.left.saturating_add(word.width), word.top.saturating_add(word.height));
        let bounds = Rect::new(
            low(word.left, self.region.x0),
            low(word.top, self.region.y0),
            high(right, self.region.x0),
            high(bottom, self.region.y0),
        );
        let bounds = bounds.intersection(&self.region).unwrap_or(self.region);
        Anchor { text: word.text, bbox: bounds.to_box(), conf: word.conf }
    }
}

/// Magnification for a region of which nothing is known: three, less where that would be a huge picture.
pub(crate) fn factor_for(region: Rect) -> u32 {
    match region.area() {
        0..=500_000 => 3,
        500_001..=1_500_000 => 2,
        _ => 1,
    }
}

pub(crate) fn prepare(pixels: &Pixels, region: Rect, factor: u32) -> Option<Prepared> {
    let factor = factor.clamp(1, 4);
    let (width, height, mut grey) = enlarged(pixels, region, factor)?;
    let mut pgm = header(width, height);
    pgm.append(&mut grey);
    Some(Prepared { pgm, region, factor: f64::from(factor) })
}

/// Lines of text under each other in one picture.
pub(crate) struct Stack {
    pub(crate) pgm: Vec<u8>,
    /// Where each line is in the picture, and where it came from.
    lines: Vec<(u32, Prepared)>,
}

/// Clean ground around every line, in pixels of the picture that is handed over.
const MARGIN: u32 = 14;

impl Stack {
    pub(crate) fn words_of(&self, line: usize, words: &[Word]) -> Vec<Anchor> {
        let Some((top, prepared)) = self.lines.get(line) else { return Vec::new() };
        let height = (f64::from(prepared.region.height()) * prepared.factor) as u32;
        let inside = |word: &&Word| (*top..top + height).contains(&(word.top + word.height / 2));
        let moved = |word: &Word| {
            let (left, top) = (word.left.saturating_sub(MARGIN), word.top.saturating_sub(*top));
            prepared.anchor(Word { left, top, ..word.clone() })
        };
        words.iter().filter(inside).map(moved).collect()
    }
}

/// `None` without any area.
pub(crate) fn stack(pixels: &Pixels, areas: &[Rect], factor: u32) -> Option<Stack> {
    let factor = factor.clamp(1, 4);
    let widest = areas.iter().map(Rect::width).max()?.max(1) as u32 * factor + 2 * MARGIN;
    let mut grey: Vec<u8> = vec![255; (widest * MARGIN) as usize];
    let mut lines = Vec::new();
    for area in areas {
        let top = (grey.len() / widest as usize) as u32;
        let (width, _, line) = enlarged(pixels, *area, factor)?;
        for row in line.chunks_exact(width as usize) {
            let right = widest as usize - MARGIN as usize - row.len();
            grey.extend(std::iter::repeat_n(255, MARGIN as usize).chain(row.iter().copied()));
            grey.extend(std::iter::repeat_n(255, right));
        }
        grey.extend(std::iter::repeat_n(255, (widest * MARGIN) as usize));
        lines.push((top, Prepared { pgm: Vec::new(), region: *area, factor: f64::from(factor) }));
    }
    let height = (grey.len() / widest as usize) as u32;
    let mut pgm = header(widest, height);
    pgm.append(&mut grey);
    Some(Stack { pgm, lines })
}

fn header(width: u32, height: u32) -> Vec<u8> {
    format!("P5\n{width} {height}\n255\n").into_bytes()
}

fn enlarged(pixels: &Pixels, region: Rect, factor: u32) -> Option<(u32, u32, Vec<u8>)> {
    let view = ViewSize { width: pixels.width, height: pixels.height };
    let [x0, y0, x1, y1] = [region.x0, region.y0, region.x1, region.y1].map(f64::from);
    let cut = crop(pixels, view, ViewBox { x0, y0, x1, y1 })?;
    let large = if factor == 1 { cut } else { enlarge(&cut, cut.width.max(cut.height).checked_mul(factor)?) };
    let mut grey = greyed(&large);
    stretch(&mut grey);
    Some((large.width, large.height, grey))
}

fn greyed(pixels: &Pixels) -> Vec<u8> {
    let brightness = |pixel: &[u8]| {
        let weighed = 299 * u32::from(pixel[0]) + 587 * u32::from(pixel[1]) + 114 * u32::from(pixel[2]);
        (weighed / 1000) as u8
    };
    pixels.rgb.chunks_exact(3).map(brightness).collect()
}

/// Spreads the greys over the whole range and makes the ground light. The ground is what most pixels are.
fn stretch(grey: &mut [u8]) {
    let mut counts = [0usize; 256];
    grey.iter().for_each(|value| counts[usize::from(*value)] += 1);
    let level = |share: f64| {
        let wanted = (grey.len() as f64 * share) as usize;
        let mut seen = 0;
        counts
            .iter()
            .position(|count| {
                seen += count;
                seen > wanted
            })
            .unwrap_or(255) as i32
    };
    let (low, ground, high) = (level(0.005), level(0.5), level(0.995));
    let range = (high - low).max(1);
    let dark = ground - low < high - ground;
    for value in grey {
        let spread = ((i32::from(*value) - low) * 255 / range).clamp(0, 255);
        *value = if dark { 255 - spread } else { spread } as u8;
    }
}
