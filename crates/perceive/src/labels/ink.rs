//! What is drawn beside a row: pieces of ink with clean ground on both sides. Ink is told by jumps of colour from one
//! pixel to the next, so neither the ground's colour nor a gradient from top to bottom matters.

use surehand_types::Pixels;

use crate::colour::{channel_difference, line};
use crate::shape::Rect;

/// A jump of this much in any channel is the edge of something.
pub(crate) const EDGE: u8 = 24;
/// Strokes that are closer together than this, without ground between them, are one piece.
const LETTER_GAP: i32 = 2;
/// Pieces taller than this part of the row's height are borders and knobs.
const TALLEST: f64 = 0.75;

/// A piece of ink, and whether it may be letters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Piece {
    pub(crate) bounds: Rect,
    /// One colour on one ground, and no taller than a line of text.
    pub(crate) letters: bool,
    /// A column of the ground around it.
    pub(crate) ground: i32,
}

/// The pieces in a band, from left to right.
pub(crate) fn pieces(pixels: &Pixels, band: Rect) -> Vec<Piece> {
    // With each piece, a column of the ground around it.
    let mut found: Vec<(Rect, i32)> = Vec::new();
    let grounds = grounds(pixels, band);
    for x in band.x0 + 1..band.x1 {
        let Some((top, bottom)) = edges(pixels, x, (band.y0, band.y1), EDGE) else { continue };
        let goes_on = |(last, ground): &(Rect, i32)| {
            let away = x - last.x1;
            if away <= LETTER_GAP {
                return !(last.x1..x).any(|column| is_ground(pixels, (*ground, column), band));
            }
            // The bar of an H has no edges along the line, and is no ground either.
            away <= band.height() / 3 && differs(pixels, (*ground, x - 1), band)
        };
        match found.last_mut().filter(|piece| goes_on(piece)) {
            Some((last, _)) => *last = Rect::new(last.x0, last.y0.min(top), x, last.y1.max(bottom)),
            // The edge is between this pixel and the one before it.
            None => found.push((Rect::new(x, top, x, bottom), ground_around(&grounds, x, band))),
        }
    }
    found
        .into_iter()
        .map(|(mut bounds, ground)| {
            // A stroke has an edge on either side; one edge alone is where two grounds meet.
            let border = bounds.x1 == bounds.x0;
            bounds.x1 = bounds.x1.max(bounds.x0 + 1);
            let low = f64::from(bounds.height()) <= f64::from(band.height()) * TALLEST;
            let letters = !border && low && one_colour(pixels, bounds, ground);
            Piece { bounds, letters, ground }
        })
        .collect()
}

/// Plain columns that look alike.
struct Ground {
    sample: i32,
    columns: Vec<i32>,
}

/// All grounds of a band. Icons and lamps have plain parts too, so what the ground is around a place is what most columns
/// around it show.
fn grounds(pixels: &Pixels, band: Rect) -> Vec<Ground> {
    const FADING: u8 = 6;
    let mut found: Vec<Ground> = Vec::new();
    let is_plain = |column: i32| edges(pixels, column, (band.y0, band.y1), FADING).is_none();
    for column in (band.x0 + 1..band.x1).filter(|column| is_plain(*column)) {
        match found.iter_mut().find(|ground| is_ground(pixels, (ground.sample, column), band)) {
            Some(ground) => ground.columns.push(column),
            None => found.push(Ground { sample: column, columns: vec![column] }),
        }
    }
    found
}

fn ground_around(grounds: &[Ground], x: i32, band: Rect) -> i32 {
    let around = x - band.height() * 2..x + band.height() * 4;
    let near = |ground: &Ground| ground.columns.iter().filter(|column| around.contains(column)).count();
    grounds.iter().max_by_key(|ground| near(ground)).map_or((x - 2).max(band.x0), |ground| ground.sample)
}

/// Whether a column shows the ground and nothing else. Between letters that nearly touch there is a little ink.
fn is_ground(pixels: &Pixels, (ground, column): (i32, i32), band: Rect) -> bool {
    const SAME: u8 = 14;
    let border = band.height() / 8;
    (band.y0 + border..band.y1 - border)
        .all(|y| channel_difference(line(pixels, y, ground, ground + 1), line(pixels, y, column, column + 1)) < SAME)
}

/// Whether a column differs from the ground in a small part, as by a stroke. Where it does in most of it, or at the
/// upper and lower end, the ground is another one.
fn differs(pixels: &Pixels, (ground, column): (i32, i32), band: Rect) -> bool {
    let border = band.height() / 8;
    let inner = band.y0 + border..band.y1 - border;
    let differing = inner
        .filter(|y| {
            let (one, other) = (line(pixels, *y, ground, ground + 1), line(pixels, *y, column, column + 1));
            channel_difference(one, other) >= EDGE
        })
        .count() as i32;
    differing > 0 && differing * 3 <= band.height()
}

/// From where to where the colour jumps between the column and the one before it.
fn edges(pixels: &Pixels, x: i32, (top, bottom): (i32, i32), limit: u8) -> Option<(i32, i32)> {
    let jumps = |y: &i32| {
        let pair = line(pixels, *y, x - 1, x + 1);
        pair.len() == 6 && channel_difference(&pair[..3], &pair[3..]) >= limit
    };
    let first = (top..bottom).find(jumps)?;
    let last = (top..bottom).rev().find(jumps)?;
    Some((first, last + 1))
}

/// Whether nothing at all is drawn there: not even pale strokes.
pub(crate) fn is_clean(pixels: &Pixels, area: Rect) -> bool {
    const PALE: u8 = 12;
    (area.x0 + 1..area.x1).all(|x| edges(pixels, x, (area.y0, area.y1), PALE).is_none())
}

/// The colour of the ground in each line of a piece, as seen beside it, and of the ink.
pub(crate) struct Colours {
    ground: Vec<[f64; 3]>,
    ink: [f64; 3],
}

impl Colours {
    /// `None` where there is no contrast.
    pub(crate) fn of(pixels: &Pixels, bounds: Rect, column: i32) -> Option<Colours> {
        let mut ground = Vec::new();
        for y in bounds.y0..bounds.y1 {
            let &[red, green, blue] = line(pixels, y, column, column + 1) else { return None };
            ground.push([red, green, blue].map(f64::from));
        }
        let mut away: Vec<([f64; 3], f64)> = Vec::new();
        for (y, ground) in (bounds.y0..).zip(&ground) {
            for pixel in line(pixels, y, bounds.x0, bounds.x1).chunks_exact(3) {
                let from = difference(pixel, ground);
                away.push((from, length(&from)));
            }
        }
        away.sort_by(|one, other| other.1.total_cmp(&one.1));
        let strongest = &away[..(away.len() / 16).max(1).min(away.len())];
        let mut ink = [0.0; 3];
        for (from, _) in strongest {
            for (sum, value) in ink.iter_mut().zip(from) {
                *sum += value / strongest.len() as f64;
            }
        }
        (length(&ink) >= f64::from(EDGE)).then_some(Colours { ground, ink })
    }

    /// How far from the ground towards the ink a pixel is (0 to 1), and how far off that way, in the same measure.
    pub(crate) fn share(&self, row: usize, pixel: &[u8]) -> (f64, f64) {
        let Some(ground) = self.ground.get(row.min(self.ground.len().saturating_sub(1))) else { return (0.0, 0.0) };
        let from = difference(pixel, ground);
        let whole = length(&self.ink);
        let along = from.iter().zip(self.ink).map(|(a, b)| a * b).sum::<f64>() / (whole * whole);
        let off: Vec<f64> = from.iter().zip(self.ink).map(|(a, b)| a - along * b).collect();
        (along, off.iter().map(|value| value * value).sum::<f64>().sqrt() / whole)
    }
}

/// Letters are ground, ink, and what lies between; coloured fringes of smoothed letters are a little off.
fn one_colour(pixels: &Pixels, bounds: Rect, ground: i32) -> bool {
    const OFF: f64 = 0.5;
    const BEYOND: f64 = -0.2;
    let Some(colours) = Colours::of(pixels, bounds, ground) else { return false };
    let (mut inked, mut strange) = (0, 0);
    for (row, y) in (bounds.y0..bounds.y1).enumerate() {
        for pixel in line(pixels, y, bounds.x0, bounds.x1).chunks_exact(3) {
            let (along, off) = colours.share(row, pixel);
            inked += i32::from(along.abs() > 0.2 || off > 0.2);
            strange += i32::from(off > OFF || along < BEYOND);
        }
    }
    strange * 16 <= inked
}

fn difference(pixel: &[u8], ground: &[f64; 3]) -> [f64; 3] {
    std::array::from_fn(|index| f64::from(pixel[index]) - ground[index])
}

fn length(colour: &[f64; 3]) -> f64 {
    colour.iter().map(|value| value * value).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GREY: [u8; 3] = [60, 64, 70];
    const WHITE: [u8; 3] = [230, 230, 230];

    fn picture(boxes: &[(Rect, [u8; 3])]) -> Pixels {
        let mut pixels = Pixels::new(200, 30, GREY.repeat(200 * 30)).unwrap();
        for (place, colour) in boxes {
            for y in place.y0..place.y1 {
                for x in place.x0..place.x1 {
                    pixels.set(x as u32, y as u32, *colour);
                }
            }
        }
        pixels
    }

    fn found(boxes: &[(Rect, [u8; 3])]) -> Vec<(Rect, bool)> {
        let all = pieces(&picture(boxes), Rect::new(0, 0, 200, 30));
        all.into_iter().map(|piece| (piece.bounds, piece.letters)).collect()
    }

    #[test]
    fn strokes_with_ground_between_them_are_pieces() {
        let (one, other) = (Rect::new(40, 10, 42, 20), Rect::new(50, 12, 53, 20));
        assert_eq!(found(&[(one, WHITE), (other, WHITE)]), [(one, true), (other, true)]);
        assert_eq!(found(&[]), []);
    }

    #[test]
    fn a_bar_between_two_strokes_joins_them() {
        let letter = [Rect::new(40, 10, 42, 20), Rect::new(42, 14, 48, 16), Rect::new(48, 10, 50, 20)];
        assert_eq!(found(&letter.map(|stroke| (stroke, WHITE))), [(Rect::new(40, 10, 50, 20), true)]);
    }

    #[test]
    fn borders_and_coloured_icons_are_no_letters() {
        let border = Rect::new(40, 0, 41, 30);
        assert_eq!(found(&[(border, WHITE)]), [(border, false)]);
        let icon = [(Rect::new(40, 10, 46, 20), WHITE), (Rect::new(46, 10, 52, 20), [230, 20, 20])];
        assert_eq!(found(&icon), [(Rect::new(40, 10, 52, 20), false)]);
    }

    #[test]
    fn pale_strokes_are_not_clean() {
        let place = Rect::new(60, 5, 90, 25);
        assert!(is_clean(&picture(&[]), place));
        assert!(!is_clean(&picture(&[(Rect::new(70, 10, 72, 20), [76, 80, 86])]), place));
    }

    #[test]
    fn a_place_outside_of_the_picture_has_no_pieces() {
        let pixels = picture(&[]);
        assert_eq!(pieces(&pixels, Rect::new(190, 20, 260, 60)), []);
        assert_eq!(pieces(&pixels, Rect::new(10, 10, 10, 10)), []);
    }
}
