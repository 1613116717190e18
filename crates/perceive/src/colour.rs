//! Colours as the eye orders them. Cells are compared in OKLab, where hue, chroma and brightness are
//! separate and equal distances look about equal; in plain RGB a dim lit cell sits next to grey.

use surehand_types::Pixels;

use crate::shape::Rect;

/// Brightness from 0 to 1, and two colour axes of about -0.3 to 0.3.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Lab {
    pub(crate) l: f64,
    pub(crate) a: f64,
    pub(crate) b: f64,
}

impl Lab {
    pub(crate) fn of(rgb: [f64; 3]) -> Lab {
        let [r, g, b] = rgb.map(|value| {
            let value = value / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        });
        let l = (0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b).cbrt();
        let m = (0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b).cbrt();
        let s = (0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b).cbrt();
        Lab {
            l: 0.210_454_255_3 * l + 0.793_617_785_0 * m - 0.004_072_046_8 * s,
            a: 1.977_998_495_1 * l - 2.428_592_205_0 * m + 0.450_593_709_9 * s,
            b: 0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766_0 * s,
        }
    }

    pub(crate) fn chroma(&self) -> f64 {
        self.a.hypot(self.b)
    }

    pub(crate) fn distance(&self, other: &Lab) -> f64 {
        (self.minus(other)).length()
    }

    pub(crate) fn minus(&self, other: &Lab) -> Lab {
        Lab { l: self.l - other.l, a: self.a - other.a, b: self.b - other.b }
    }

    pub(crate) fn length(&self) -> f64 {
        (self.l * self.l + self.a * self.a + self.b * self.b).sqrt()
    }

    pub(crate) fn dot(&self, other: &Lab) -> f64 {
        self.l * other.l + self.a * other.a + self.b * other.b
    }

    pub(crate) fn scaled(&self, by: f64) -> Lab {
        Lab { l: self.l * by, a: self.a * by, b: self.b * by }
    }

    pub(crate) fn mean<'a>(colours: impl Iterator<Item = &'a Lab>) -> Option<Lab> {
        let (mut sum, mut count) = (Lab::default(), 0.0);
        for colour in colours {
            sum = Lab { l: sum.l + colour.l, a: sum.a + colour.a, b: sum.b + colour.b };
            count += 1.0;
        }
        (count > 0.0).then(|| sum.scaled(1.0 / count))
    }
}

/// The middle of each channel: what most of an area shows, whatever stands on a smaller part of it.
pub(crate) fn median_of(pixels: &Pixels, area: Rect) -> Option<[f64; 3]> {
    let area = area.within(pixels)?;
    let mut counts = [[0u32; 256]; 3];
    for y in area.y0..area.y1 {
        for pixel in line(pixels, y, area.x0, area.x1).chunks_exact(3) {
            for (count, value) in counts.iter_mut().zip(pixel) {
                count[usize::from(*value)] += 1;
            }
        }
    }
    let half = (area.area() / 2) as u32;
    Some(counts.map(|count| {
        let mut seen = 0;
        count
            .iter()
            .position(|times| {
                seen += times;
                seen > half
            })
            .unwrap_or(0) as f64
    }))
}

/// Mean colour, and how far the brightness of the area's pixels strays from its mean (0 to 1).
pub(crate) fn mean_and_spread(pixels: &Pixels, area: Rect) -> Option<([f64; 3], f64)> {
    let area = area.within(pixels)?;
    let (mut sums, mut square) = ([0.0f64; 3], 0.0f64);
    for y in area.y0..area.y1 {
        for pixel in line(pixels, y, area.x0, area.x1).chunks_exact(3) {
            let mut grey = 0.0;
            for (sum, value) in sums.iter_mut().zip(pixel) {
                *sum += f64::from(*value);
                grey += f64::from(*value) / 3.0;
            }
            square += grey * grey;
        }
    }
    let count = area.area() as f64;
    let mean = sums.map(|sum| sum / count);
    let grey = mean.iter().sum::<f64>() / 3.0;
    Some((mean, (square / count - grey * grey).max(0.0).sqrt() / 255.0))
}

/// The bytes of one line from `x0` to `x1`; empty where that is outside.
pub(crate) fn line(pixels: &Pixels, y: i32, x0: i32, x1: i32) -> &[u8] {
    let stride = pixels.width as usize * 3;
    let start = y.max(0) as usize * stride;
    pixels.rgb.get(start + x0.max(0) as usize * 3..start + x1.max(0) as usize * 3).unwrap_or(&[])
}

/// The largest difference of any channel.
pub(crate) fn channel_difference(one: &[u8], other: &[u8]) -> u8 {
    one.iter().zip(other).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
}
