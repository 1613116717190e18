//! Sizes of pictures: how far one has to be scaled down before it is sent, and what the processors of Qwen's models
//! make of it. A model that counts in pixels of the scaled picture can only be understood with the same arithmetic.

/// Beyond this aspect ratio the processors refuse; we clamp, since a strange viewport must not end a run.
const MOST_ASPECT: f64 = 200.0;

/// The size to send: within both limits, with the same aspect ratio, never larger than it was, at least 1x1.
pub(crate) fn fit(width: u32, height: u32, long_edge: u32, max_pixels: u64) -> (u32, u32) {
    let (width, height) = (width.max(1), height.max(1));
    let by_edge = f64::from(long_edge) / f64::from(width.max(height));
    let by_pixels = (max_pixels as f64 / (f64::from(width) * f64::from(height))).sqrt();
    let scale = by_edge.min(by_pixels);
    if scale >= 1.0 {
        return (width, height);
    }
    // Rounded down: rounding up could break the limits.
    let scaled = |side: u32| ((f64::from(side) * scale).floor() as u32).max(1);
    (scaled(width), scaled(height))
}

/// The size that Qwen's image processors give a picture: both sides multiples of `factor`, then scaled until the
/// number of pixels is between the bounds.
pub(crate) fn smart_resize(width: u32, height: u32, factor: u32, min_pixels: u64, max_pixels: u64) -> (u32, u32) {
    let factor = f64::from(factor.max(1));
    let (width, height) = (f64::from(width.max(1)), f64::from(height.max(1)));
    let (width, height) = (width.min(height * MOST_ASPECT), height.min(width * MOST_ASPECT));
    let (min_pixels, max_pixels) = (min_pixels as f64, max_pixels.max(1) as f64);
    let multiple = |units: f64| units.max(1.0) * factor;
    // The published arithmetic rounds halves to even.
    let near = (multiple((width / factor).round_ties_even()), multiple((height / factor).round_ties_even()));
    let pixels = near.0 * near.1;
    let (wide, high) = if pixels > max_pixels {
        let shrink = (width * height / max_pixels).sqrt();
        (multiple((width / shrink / factor).floor()), multiple((height / shrink / factor).floor()))
    } else if pixels < min_pixels {
        let grow = (min_pixels / (width * height)).sqrt();
        (multiple((width * grow / factor).ceil()), multiple((height * grow / factor).ceil()))
    } else {
        near
    };
    // Casts from float saturate.
    (wide as u32, high as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    const QWEN25: (u32, u64, u64) = (28, 3_136, 12_845_056);

    fn check(size: (u32, u32), (factor, min, max): (u32, u64, u64), expected: (u32, u32)) {
        assert_eq!(smart_resize(size.0, size.1, factor, min, max), expected, "{size:?}");
    }

    #[test]
    fn pictures_within_bounds_are_rounded_to_the_factor() {
        // 1280/28 = 45.7, 720/28 = 25.7.
        check((1280, 720), QWEN25, (1288, 728));
        // 1920/28 = 68.57, 1080/28 = 38.57.
        check((1920, 1080), QWEN25, (1932, 1092));
        // 1366/28 = 48.8, 768/28 = 27.4.
        check((1366, 768), QWEN25, (1372, 756));
        check((1440, 900), QWEN25, (1428, 896));
        // Halves go to the even multiple: 2.5 to 2, 3.5 to 4.
        check((70, 98), QWEN25, (56, 112));
        check((1280, 720), (32, 65_536, 16_777_216), (1280, 704));
    }

    #[test]
    fn pictures_out_of_bounds_are_scaled_and_stay_within() {
        // 1920x1080 is 2.07 megapixels; sqrt(2073600 / 1003520) = 1.4375; 1335.6/28 = 47.7, 751.3/28 = 26.8.
        check((1920, 1080), (28, 3_136, 1_003_520), (1316, 728));
        // sqrt(78400 / 10000) = 2.8: 280 each way.
        check((100, 100), (28, 78_400, 12_845_056), (280, 280));
        for side in [1, 27, 28, 29, 500, 4000, 20_000] {
            for other in [1, 300, 3000, 65_535] {
                let (wide, high) = smart_resize(side, other, 28, 3_136, 12_845_056);
                assert!(wide % 28 == 0 && high % 28 == 0 && wide > 0 && high > 0, "{side}x{other}");
            }
        }
    }

    #[test]
    fn the_impossible_is_clamped() {
        check((100_000, 1), (28, 1, 12_845_056), (28 * 7, 28));
        let _ = smart_resize(0, 0, 0, 0, 0);
        let _ = smart_resize(u32::MAX, u32::MAX, u32::MAX, u64::MAX, u64::MAX);
        let _ = smart_resize(u32::MAX, 1, 28, u64::MAX, 0);
    }

    #[test]
    fn a_picture_is_scaled_down_to_both_limits_and_never_up() {
        assert_eq!(fit(1280, 720, 1568, 1_150_000), (1280, 720));
        assert_eq!(fit(3136, 1000, 1568, 10_000_000), (1568, 500));
        assert_eq!(fit(100, 50, 1568, 1_150_000), (100, 50));
        assert_eq!(fit(0, 0, 0, 0), (1, 1));
        assert_eq!(fit(50_000, 1, 100, 1_000_000), (100, 1));
        for (width, height) in [(1920, 1080), (2560, 1440), (1079, 1919), (3840, 2160), (1400, 1400)] {
            let (wide, high) = fit(width, height, 1568, 1_150_000);
            assert!(wide.max(high) <= 1568 && u64::from(wide) * u64::from(high) <= 1_150_000, "{wide}x{high}");
            let (before, after) = (f64::from(width) / f64::from(height), f64::from(wide) / f64::from(high));
            assert!((before / after - 1.0).abs() < 0.002, "{width}x{height} became {wide}x{high}");
        }
    }
}
