//! Discs, rings and lines with smooth edges, on a copy of a frame and in its own pixels. Like the cursor they are
//! signed distances, negative inside.

use surehand_types::Pixels;

/// A place in a picture, in its pixels; between two of them is allowed.
pub type Spot = (f64, f64);

pub fn draw_disc(pixels: &mut Pixels, centre: Spot, radius: f64, colour: [u8; 3]) {
    paint(pixels, [centre, centre], radius, colour, |x, y| (x - centre.0).hypot(y - centre.1) - radius);
}

pub fn draw_ring(pixels: &mut Pixels, centre: Spot, radius: f64, width: f64, colour: [u8; 3]) {
    let half = width / 2.0;
    paint(pixels, [centre, centre], radius + half, colour, |x, y| {
        ((x - centre.0).hypot(y - centre.1) - radius).abs() - half
    });
}

/// With round ends.
pub fn draw_line(pixels: &mut Pixels, from: Spot, to: Spot, width: f64, colour: [u8; 3]) {
    let half = width / 2.0;
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx * dx + dy * dy;
    paint(pixels, [from, to], half, colour, |x, y| {
        let along = match length > 0.0 {
            true => (((x - from.0) * dx + (y - from.1) * dy) / length).clamp(0.0, 1.0),
            false => 0.0,
        };
        (x - from.0 - dx * along).hypot(y - from.1 - dy * along) - half
    });
}

/// Every pixel within `reach` of the two spots gets as much of the colour as the shape covers of it.
fn paint(pixels: &mut Pixels, ends: [Spot; 2], reach: f64, colour: [u8; 3], distance: impl Fn(f64, f64) -> f64) {
    let (low, high) =
        ((ends[0].0.min(ends[1].0), ends[0].1.min(ends[1].1)), (ends[0].0.max(ends[1].0), ends[0].1.max(ends[1].1)));
    let reach = reach + 1.0;
    // Casts saturate: what lies outside is clipped.
    let columns = (low.0 - reach).floor() as u32..pixels.width.min((high.0 + reach).ceil().max(0.0) as u32);
    let rows = (low.1 - reach).floor() as u32..pixels.height.min((high.1 + reach).ceil().max(0.0) as u32);
    for y in rows {
        for x in columns.clone() {
            let covered = (0.5 - distance(f64::from(x) + 0.5, f64::from(y) + 0.5)).clamp(0.0, 1.0);
            blend(pixels, x, y, colour, covered);
        }
    }
}

pub(super) fn blend(pixels: &mut Pixels, x: u32, y: u32, paint: [u8; 3], covered: f64) {
    if covered.is_nan() || covered <= 0.0 {
        return;
    }
    let Some(mut colour) = pixels.at(x, y) else { return };
    for (value, paint) in colour.iter_mut().zip(paint) {
        *value = (f64::from(*value) * (1.0 - covered) + f64::from(paint) * covered).round() as u8;
    }
    pixels.set(x, y, colour);
}

#[cfg(test)]
mod tests {
    use super::*;

    const INK: [u8; 3] = [255, 0, 0];

    fn shape(draw: impl Fn(&mut Pixels)) -> Vec<String> {
        let mut pixels = Pixels::new(9, 7, vec![255; 9 * 7 * 3]).unwrap();
        draw(&mut pixels);
        let ink = |x, y| pixels.at(x, y).is_some_and(|colour| colour[1] < 128);
        (0..7).map(|y| (0..9).map(|x| if ink(x, y) { '#' } else { '.' }).collect()).collect()
    }

    #[test]
    fn shapes_are_where_they_should_be() {
        assert_eq!(
            shape(|pixels| draw_disc(pixels, (4.5, 3.5), 2.2, INK)),
            [".........", "....#....", "...###...", "..#####..", "...###...", "....#....", "........."]
        );
        assert_eq!(
            shape(|pixels| draw_line(pixels, (1.5, 3.5), (6.5, 3.5), 1.0, INK)),
            [".........", ".........", ".........", ".######..", ".........", ".........", "........."]
        );
        let ring = shape(|pixels| draw_ring(pixels, (4.5, 3.5), 3.0, 1.2, INK));
        assert_eq!((&ring[3][1..8], &ring[0][4..5]), ("#.....#", "#"));
    }

    #[test]
    fn what_lies_outside_is_left_alone() {
        let blank = shape(|_| {});
        assert_eq!(shape(|pixels| draw_disc(pixels, (-40.0, 900.0), 5.0, INK)), blank);
        assert_eq!(shape(|pixels| draw_line(pixels, (f64::NAN, 0.0), (1.0, 1.0), 1.0, INK)), blank);
        assert_ne!(shape(|pixels| draw_line(pixels, (-100.0, 3.5), (100.0, 3.5), 1.0, INK)), blank);
    }
}
