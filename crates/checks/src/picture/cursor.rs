//! The pointer as the brain sees it, drawn into a copy of the frame. Shapes are signed distances
//! (negative inside): one evaluation per pixel gives smooth edges at any device pixel ratio.

use surehand_types::{Pixels, ViewPoint, ViewSize};

use super::Ratio;

/// Side of the square the arrow lives in, in view pixels; its top left corner is the hotspot.
pub const CURSOR_SIZE: u32 = 36;

const WHITE: [u8; 3] = [255, 255, 255];
const BLACK: [u8; 3] = [0, 0, 0];
const RED: [u8; 3] = [230, 0, 0];

/// The arrow, clockwise from its tip.
const ARROW: [(f64, f64); 7] =
    [(0.0, 0.0), (24.5, 22.5), (15.2, 23.5), (20.8, 33.4), (14.2, 36.0), (8.6, 25.8), (0.0, 32.0)];
const OUTLINE_WIDTH: f64 = 1.8;
const DOT_RADIUS: f64 = 2.6;
const RING_RADIUS: f64 = 8.0;
const RING_HALF_WIDTH: f64 = 1.1;
/// Keeps the red visible on a red page.
const HALO_WIDTH: f64 = 0.8;

/// Draws arrow, dot and ring with the tip in the middle of the hotspot's pixel.
pub fn draw_cursor(pixels: &mut Pixels, view: ViewSize, hotspot: ViewPoint) {
    let ratio = Ratio::of(pixels, view);
    let scale = (ratio.x + ratio.y) / 2.0;
    let tip_x = (f64::from(hotspot.x) + 0.5) * ratio.x;
    let tip_y = (f64::from(hotspot.y) + 0.5) * ratio.y;
    let above = (RING_RADIUS + RING_HALF_WIDTH + HALO_WIDTH + 1.0) * scale;
    let below = (f64::from(CURSOR_SIZE) + 1.0) * scale;
    // Casts saturate at zero, which is the clipping at the left and upper edge.
    let columns = (tip_x - above).floor() as u32..pixels.width.min((tip_x + below).ceil() as u32);
    let rows = (tip_y - above).floor() as u32..pixels.height.min((tip_y + below).ceil() as u32);
    for y in rows {
        for x in columns.clone() {
            // Back to view pixels, relative to the hotspot.
            let dx = (f64::from(x) + 0.5 - tip_x) / ratio.x;
            let dy = (f64::from(y) + 0.5 - tip_y) / ratio.y;
            let Some(mut colour) = pixels.at(x, y) else {
                continue;
            };
            let original = colour;
            for (distance, paint, strength) in layers(dx, dy) {
                let coverage = (0.5 - distance * scale).clamp(0.0, 1.0) * strength;
                blend(&mut colour, paint, coverage);
            }
            if colour != original {
                pixels.set(x, y, colour);
            }
        }
    }
}

/// Distance in view pixels, colour and opacity of each layer, bottom first.
fn layers(x: f64, y: f64) -> [(f64, [u8; 3], f64); 6] {
    let arrow = arrow_distance(x, y);
    let radius = x.hypot(y);
    let ring = (radius - RING_RADIUS).abs() - RING_HALF_WIDTH;
    let dot = radius - DOT_RADIUS;
    [
        (arrow, BLACK, 1.0),
        (arrow + OUTLINE_WIDTH, WHITE, 1.0),
        (ring - HALO_WIDTH, WHITE, 0.7),
        (ring, RED, 1.0),
        (dot - HALO_WIDTH, WHITE, 0.7),
        (dot, RED, 1.0),
    ]
}

fn arrow_distance(x: f64, y: f64) -> f64 {
    let mut nearest = f64::INFINITY;
    let mut inside = false;
    for (index, &(ax, ay)) in ARROW.iter().enumerate() {
        let (bx, by) = ARROW[(index + 1) % ARROW.len()];
        let (ex, ey) = (bx - ax, by - ay);
        let along = (((x - ax) * ex + (y - ay) * ey) / (ex * ex + ey * ey)).clamp(0.0, 1.0);
        nearest = nearest.min((x - ax - ex * along).hypot(y - ay - ey * along));
        if (ay > y) != (by > y) && x < ax + (y - ay) * ex / ey {
            inside = !inside;
        }
    }
    if inside { -nearest } else { nearest }
}

fn blend(colour: &mut [u8; 3], paint: [u8; 3], coverage: f64) {
    for (value, paint) in colour.iter_mut().zip(paint) {
        let mixed = f64::from(*value) * (1.0 - coverage) + f64::from(paint) * coverage;
        *value = mixed.round() as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: [u8; 3] = [90, 140, 200];

    fn page(width: u32, height: u32) -> Pixels {
        let rgb = std::iter::repeat_n(PAGE, (width * height) as usize).flatten().collect();
        Pixels::new(width, height, rgb).unwrap()
    }

    fn drawn(width: u32, height: u32, ratio: u32, x: i32, y: i32) -> Pixels {
        let mut pixels = page(width * ratio, height * ratio);
        draw_cursor(&mut pixels, ViewSize { width, height }, ViewPoint { x, y });
        pixels
    }

    #[test]
    fn key_pixels_have_the_colours_a_brain_looks_for() {
        for ratio in [1, 2] {
            let pixels = drawn(80, 80, ratio, 20, 20);
            let at = |x: u32, y: u32| pixels.at(x * ratio, y * ratio).unwrap();
            assert_eq!(at(20, 20), RED, "dot at the hotspot");
            for (x, y) in [(12, 20), (20, 12)] {
                assert!(at(x, y)[0] > 200 && at(x, y)[1] < 60, "ring at {x},{y}");
            }
            assert_eq!(at(27, 38), WHITE, "body of the arrow");
            assert!(at(21, 40)[0] < 60, "outline on the left side");
            assert_eq!(at(50, 30), PAGE, "right of the arrow nothing");
            assert_eq!(at(25, 60), PAGE, "below the arrow nothing");
            assert_eq!(at(9, 9), PAGE, "outside the ring nothing");
        }
    }

    #[test]
    fn the_arrow_fills_its_square() {
        let pixels = drawn(80, 80, 1, 20, 20);
        let painted = |y: u32| (0..80).any(|x| pixels.at(x, y) != Some(PAGE));
        assert!(painted(20 + CURSOR_SIZE - 1));
        assert!(!painted(20 + CURSOR_SIZE + 2));
    }

    #[test]
    fn it_is_clipped_at_every_edge() {
        for (x, y) in [(0, 0), (39, 29), (39, 0), (0, 29), (-50, -50), (500, 500)] {
            let pixels = drawn(40, 30, 1, x, y);
            let inside = (0..40).contains(&x) && (0..30).contains(&y);
            if inside {
                assert_eq!(pixels.at(x as u32, y as u32), Some(RED), "{x},{y}");
            } else {
                assert_eq!(pixels, page(40, 30), "{x},{y}");
            }
        }
    }
}
