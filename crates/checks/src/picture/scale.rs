//! Cutting and resizing: thumbnails for reports, enlarged regions for a brain that asked to look closer.

use surehand_types::{Pixels, ViewBox, ViewSize};

use super::ImageRect;

/// Enlarging further shows no more than a blur.
const MAX_FACTOR: f64 = 8.0;

/// The part of the picture that the view box touches; `None` when it lies outside.
pub fn crop(pixels: &Pixels, view: ViewSize, bounds: ViewBox) -> Option<Pixels> {
    let rect = ImageRect::touched_by(bounds, pixels, view)?;
    let stride = pixels.width as usize * 3;
    let rgb = pixels
        .rgb
        .chunks_exact(stride)
        .take(rect.y1 as usize)
        .skip(rect.y0 as usize)
        .flat_map(|row| &row[rect.x0 as usize * 3..rect.x1 as usize * 3])
        .copied()
        .collect();
    Pixels::new(rect.x1 - rect.x0, rect.y1 - rect.y0, rgb)
}

/// The picture at most `width` wide, each pixel the average of the area it stands for.
pub fn thumbnail(pixels: &Pixels, width: u32) -> Pixels {
    if width == 0 || width >= pixels.width {
        return pixels.clone();
    }
    let height = scaled(pixels.height, f64::from(width) / f64::from(pixels.width));
    let columns = area_taps(pixels.width, width);
    let rows = area_taps(pixels.height, height);
    resample(pixels, &columns, &rows)
}

/// The picture enlarged so that its longer side comes close to `max_side` and never exceeds it.
/// Factors from 2 on are whole numbers: they keep the strokes of small text equally thick.
pub fn enlarge(pixels: &Pixels, max_side: u32) -> Pixels {
    let longest = pixels.width.max(pixels.height);
    let factor = f64::from(max_side) / f64::from(longest.max(1));
    if factor < 1.0 {
        let width = (f64::from(pixels.width) * factor).floor() as u32;
        return thumbnail(pixels, width.max(1));
    }
    let factor = if factor >= 2.0 { factor.floor().min(MAX_FACTOR) } else { factor };
    let columns = cubic_taps(pixels.width, scaled(pixels.width, factor));
    let rows = cubic_taps(pixels.height, scaled(pixels.height, factor));
    resample(pixels, &columns, &rows)
}

/// Which source positions make up one target position: consecutive weights that sum to 1.
struct Taps {
    first: usize,
    weights: Vec<f32>,
}

fn scaled(length: u32, factor: f64) -> u32 {
    ((f64::from(length) * factor).round() as u32).max(1)
}

fn area_taps(from: u32, to: u32) -> Vec<Taps> {
    let span = f64::from(from) / f64::from(to);
    (0..to)
        .map(|target| {
            let (start, end) = (f64::from(target) * span, f64::from(target + 1) * span);
            let first = start.floor() as usize;
            let last = ((end.ceil() as usize).max(first + 1)).min(from as usize);
            let weights = (first..last)
                .map(|source| {
                    let (low, high) = (source as f64, source as f64 + 1.0);
                    (end.min(high) - start.max(low)).max(0.0) as f32
                })
                .collect();
            normalised(first, weights)
        })
        .collect()
}

fn cubic_taps(from: u32, to: u32) -> Vec<Taps> {
    let step = f64::from(from) / f64::from(to);
    let last = i64::from(from) - 1;
    (0..to)
        .map(|target| {
            let centre = (f64::from(target) + 0.5) * step - 0.5;
            let base = centre.floor() as i64;
            let first = (base - 1).clamp(0, last);
            let end = (base + 2).clamp(0, last);
            let mut weights = vec![0.0; (end - first + 1) as usize];
            for source in base - 1..=base + 2 {
                // Beyond the edge the edge pixel is repeated.
                let slot = (source.clamp(0, last) - first) as usize;
                weights[slot] += catmull_rom(centre - source as f64) as f32;
            }
            normalised(first as usize, weights)
        })
        .collect()
}

fn catmull_rom(distance: f64) -> f64 {
    let d = distance.abs();
    if d < 1.0 {
        1.5 * d * d * d - 2.5 * d * d + 1.0
    } else if d < 2.0 {
        -0.5 * d * d * d + 2.5 * d * d - 4.0 * d + 2.0
    } else {
        0.0
    }
}

fn normalised(first: usize, mut weights: Vec<f32>) -> Taps {
    let sum: f32 = weights.iter().sum();
    if sum > 0.0 {
        weights.iter_mut().for_each(|weight| *weight /= sum);
    }
    Taps { first, weights }
}

/// Rows first, then columns; the intermediate stays in floating point so that nothing rounds twice.
fn resample(pixels: &Pixels, columns: &[Taps], rows: &[Taps]) -> Pixels {
    let source_stride = pixels.width as usize * 3;
    let mut rgb = Vec::with_capacity(columns.len() * rows.len() * 3);
    let mut mixed = vec![0.0f32; source_stride];
    for row in rows {
        mixed.fill(0.0);
        for (offset, weight) in row.weights.iter().enumerate() {
            let start = (row.first + offset) * source_stride;
            let line = &pixels.rgb[start..start + source_stride];
            for (sum, value) in mixed.iter_mut().zip(line) {
                *sum += f32::from(*value) * weight;
            }
        }
        for column in columns {
            let mut sums = [0.0f32; 3];
            for (offset, weight) in column.weights.iter().enumerate() {
                let at = (column.first + offset) * 3;
                for (sum, value) in sums.iter_mut().zip(&mixed[at..at + 3]) {
                    *sum += value * weight;
                }
            }
            rgb.extend(sums.map(|sum| (sum + 0.5).clamp(0.0, 255.0) as u8));
        }
    }
    Pixels { width: columns.len() as u32, height: rows.len() as u32, rgb }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grey(width: u32, height: u32, values: &[u8]) -> Pixels {
        let rgb = values.iter().flat_map(|value| [*value; 3]).collect();
        Pixels::new(width, height, rgb).unwrap()
    }

    fn greys(pixels: &Pixels) -> Vec<u8> {
        pixels.rgb.iter().step_by(3).copied().collect()
    }

    #[test]
    fn crop_takes_what_is_touched() {
        let picture = grey(3, 2, &[1, 2, 3, 4, 5, 6]);
        let view = ViewSize { width: 3, height: 2 };
        let cut = |x0, y0, x1, y1| crop(&picture, view, ViewBox { x0, y0, x1, y1 });
        assert_eq!(cut(1.0, 0.0, 3.0, 2.0), Some(grey(2, 2, &[2, 3, 5, 6])));
        assert_eq!(cut(-1.0, 1.5, 0.5, 9.0), Some(grey(1, 1, &[4])));
        assert_eq!(cut(3.0, 0.0, 9.0, 2.0), None);
    }

    #[test]
    fn thumbnails_average_areas() {
        let picture = grey(4, 2, &[0, 100, 200, 200, 100, 200, 0, 0]);
        assert_eq!(thumbnail(&picture, 2), grey(2, 1, &[100, 100]));
        assert_eq!(thumbnail(&picture, 4), picture);
        assert_eq!(thumbnail(&picture, 0), picture);
        // Three pixels into two: the middle one counts half for each.
        assert_eq!(greys(&thumbnail(&grey(3, 1, &[0, 90, 180]), 2)), [30, 150]);
        assert_eq!(thumbnail(&grey(1000, 1, &[7; 1000]), 10).height, 1);
    }

    #[test]
    fn enlarging_picks_whole_factors_and_keeps_flat_colour() {
        for (width, height, max_side, expected) in [
            (100, 50, 1280, (800, 400)),
            (300, 200, 1280, (1200, 800)),
            (1000, 500, 1280, (1280, 640)),
            (2560, 1440, 1280, (1280, 720)),
            (1, 1, 1280, (8, 8)),
            (1280, 720, 1280, (1280, 720)),
        ] {
            let flat = grey(width, height, &vec![200; (width * height) as usize]);
            let large = enlarge(&flat, max_side);
            assert_eq!((large.width, large.height), expected);
            assert!(large.rgb.iter().all(|value| *value == 200));
            assert!(Pixels::new(large.width, large.height, large.rgb).is_some());
        }
    }

    #[test]
    fn an_edge_stays_an_edge() {
        let large = greys(&enlarge(&grey(4, 1, &[0, 0, 255, 255]), 16));
        assert_eq!((large[0], large[15]), (0, 255));
        assert!(large[..16].windows(2).filter(|pair| pair[1] < pair[0]).count() <= 4);
        assert!(large[6] < 128 && large[9] > 128, "{large:?}");
    }
}
