//! The column in which rows have their names: pieces of ink at one edge in most rows, which differ from row to row.
//! What every row has in the same place and look (icons, lamps, captions of knobs) names nothing.

use surehand_types::Pixels;

use super::ink::{Piece, is_clean, pieces};
use crate::colour::{channel_difference, line};
use crate::shape::{Rect, median};

/// Between two words, in heights of a capital letter. A space is up to two thirds of one.
const WORD_GAP: f64 = 0.8;

/// What so many of the other rows show in the same place is not one row's own.
const COMMON: f64 = 0.4;
/// What nearly all rows show may be an icon.
const EVERYWHERE: f64 = 0.8;

/// One row's name as it is drawn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Written {
    /// The row it belongs to.
    pub(crate) row: usize,
    pub(crate) bounds: Rect,
    /// The highest letter's top, below the middle of the row.
    pub(crate) top: i32,
    /// A column of clean ground.
    pub(crate) ground: i32,
    /// Nothing is drawn beside either end.
    pub(crate) whole: bool,
    /// It begins with something that other rows show as well: a first word, or an icon.
    pub(crate) shared_start: bool,
}

impl Written {
    /// The letters with what is left of them in the pixels around: without it an "o" is read as "a".
    pub(crate) fn area(&self, pixels: &Pixels) -> Rect {
        self.bounds.grown(1).within(pixels).unwrap_or(self.bounds)
    }
}

/// One side of the rows, cut into bands, one for each row.
pub(crate) struct Side<'a> {
    pixels: &'a Pixels,
    bands: Vec<Rect>,
    pieces: Vec<Vec<Piece>>,
    /// In what part of the other rows each piece is there as well.
    shared: Vec<Vec<f64>>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Edge {
    Left,
    Middle,
    Right,
}

impl Edge {
    fn of(self, bounds: &Rect) -> i32 {
        match self {
            Edge::Left => bounds.x0,
            Edge::Middle => (bounds.x0 + bounds.x1) / 2,
            Edge::Right => bounds.x1,
        }
    }
}

impl<'a> Side<'a> {
    pub(crate) fn look(pixels: &'a Pixels, bands: Vec<Rect>) -> Side<'a> {
        let pieces: Vec<Vec<Piece>> = bands.iter().map(|band| pieces(pixels, *band)).collect();
        let mut shared: Vec<Vec<f64>> = Vec::new();
        for (row, own) in pieces.iter().enumerate() {
            let share = |piece: &Piece| {
                let others = (0..bands.len()).filter(|other| *other != row);
                let same = others
                    .filter(|other| is_same(pixels, piece.bounds, middle(&bands[*other]) - middle(&bands[row])))
                    .count();
                same as f64 / (bands.len() - 1).max(1) as f64
            };
            shared.push(own.iter().map(share).collect());
        }
        Side { pixels, bands, pieces, shared }
    }

    /// The most likely columns of names, best first.
    pub(crate) fn columns(&self, pitch: f64) -> Vec<Vec<Written>> {
        let mut seeds: Vec<(usize, Rect)> = Vec::new();
        for row in 0..self.bands.len() {
            let runs = self.own_runs(row).into_iter().filter(|run| f64::from(run.height()) >= pitch * 0.15);
            seeds.extend(runs.map(|run| (row, run)));
        }
        let reach = (pitch * 0.12).max(3.0) as i32;
        let mut found: Vec<(usize, Vec<Written>)> = Vec::new();
        for edge in [Edge::Left, Edge::Right, Edge::Middle] {
            for (_, seed) in &seeds {
                let column = self.column_at(edge, edge.of(seed), reach, seed, &seeds);
                let named = column.len();
                // A few pieces among many rows may be anything.
                if named * 5 < self.bands.len() * 2 || named == 0 {
                    continue;
                }
                let mut widths: Vec<i32> = column.iter().map(|written| written.bounds.width() / 3).collect();
                widths.sort_unstable();
                widths.dedup();
                let letters: i32 = column.iter().map(|written| written.bounds.width()).sum();
                // Names differ in length, which lamps and knobs do not; left edges are usual.
                let favour = usize::from(edge == Edge::Left);
                let weight = (named * 4 + widths.len() * 3 + favour * 2) * 10_000 + (letters as usize).min(9_999);
                found.push((weight, column));
            }
        }
        found.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
        let mut columns: Vec<Vec<Written>> = Vec::new();
        for (_, column) in found {
            let overlaps = |known: &Vec<Written>| {
                known.iter().any(|one| column.iter().any(|other| one.bounds.intersection(&other.bounds).is_some()))
            };
            if !columns.iter().any(overlaps) {
                columns.push(column);
            }
        }
        columns
    }

    /// Letters that stand together and of which some are this row's own, with those beside them that other rows have too
    /// ("Kick" of "Kick 2").
    fn own_runs(&self, row: usize) -> Vec<Rect> {
        let (all, shared) = (&self.pieces[row], &self.shared[row]);
        let own = |index: &usize| all[*index].letters && shared[*index] < COMMON;
        let mut runs: Vec<Rect> = Vec::new();
        for start in (0..all.len()).filter(own) {
            let mut run = all[start].bounds;
            if runs.last().is_some_and(|last| last.x1 >= run.x1) {
                continue;
            }
            let room = run.height() / 2 + 1;
            let (top, bottom) = (run.y0 - room, run.y1 + room);
            let joins = |run: &Rect, piece: &Piece| {
                let apart = (run.x0 - piece.bounds.x1).max(piece.bounds.x0 - run.x1);
                let inside = piece.bounds.y0 >= top && piece.bounds.y1 <= bottom;
                piece.letters && inside && f64::from(apart) <= gap(run.union(&piece.bounds).height())
            };
            for piece in all[..start].iter().rev() {
                if !joins(&run, piece) {
                    break;
                }
                run = run.union(&piece.bounds);
            }
            for piece in &all[start + 1..] {
                if !joins(&run, piece) {
                    break;
                }
                run = run.union(&piece.bounds);
            }
            runs.push(run);
        }
        runs
    }

    fn column_at(&self, edge: Edge, at: i32, reach: i32, seed: &Rect, seeds: &[(usize, Rect)]) -> Vec<Written> {
        // The line of the letters, as far as the seeds at this edge tell it.
        let there: Vec<&(usize, Rect)> = seeds
            .iter()
            .filter(|(_, run)| (edge.of(run) - at).abs() <= reach || (run.x0 < seed.x1 && seed.x0 < run.x1))
            .collect();
        let relative = |pick: fn(&Rect) -> i32| -> Vec<f64> {
            there.iter().map(|(row, run)| f64::from(pick(run) - middle(&self.bands[*row]))).collect()
        };
        let (top, bottom) = (median(&mut relative(|run| run.y0)), median(&mut relative(|run| run.y1)));
        let height = (bottom - top).max(4.0);
        // Room for accents, and for letters below the line.
        let zone = (top - height * 0.3, bottom + height * 0.4);
        let rows = (0..self.bands.len()).filter_map(|row| self.written(row, edge, at, reach, zone, height));
        rows.collect()
    }

    /// The letters of a row that stand together from the edge on.
    fn written(&self, row: usize, edge: Edge, at: i32, reach: i32, zone: (f64, f64), height: f64) -> Option<Written> {
        let centre = f64::from(middle(&self.bands[row]));
        let fits = |piece: &Piece| {
            piece.letters
                && f64::from(piece.bounds.y0) >= centre + zone.0 - 1.0
                && f64::from(piece.bounds.y1) <= centre + zone.1 + 1.0
        };
        let all = &self.pieces[row];
        let near = gap(height as i32);
        let mut runs: Vec<(usize, usize)> = Vec::new();
        // Icons of the size of letters stand before the edge in all rows.
        let icon = |index: &usize| {
            let bounds = &all[*index].bounds;
            let outside = match edge {
                Edge::Left => bounds.x1 < at - reach,
                Edge::Middle => false,
                Edge::Right => bounds.x0 > at + reach,
            };
            outside && self.shared[row][*index] >= COMMON
        };
        for index in (0..all.len()).filter(|index| fits(&all[*index]) && !icon(index)) {
            match runs.last_mut() {
                Some((_, end))
                    if *end + 1 == index && f64::from(all[index].bounds.x0 - all[*end].bounds.x1) <= near =>
                {
                    *end = index;
                }
                _ => runs.push((index, index)),
            }
        }
        let bounds_of =
            |(start, end): (usize, usize)| all[start..=end].iter().map(|piece| piece.bounds).reduce(|a, b| a.union(&b));
        let run = runs.into_iter().find(|run| bounds_of(*run).is_some_and(|b| (edge.of(&b) - at).abs() <= reach))?;
        let bounds = bounds_of(run)?;
        // An icon that all rows have may fade out close to the name.
        let icon = run.0.checked_sub(1).filter(|before| self.shared[row][*before] >= COMMON && edge == Edge::Left);
        let reached = icon.map(|before| all[before].bounds.x1);
        let whole = self.is_whole(bounds, zone, centre, near, edge, reached);
        Some(Written {
            row,
            bounds,
            top: bounds.y0 - middle(&self.bands[row]),
            ground: all[run.0].ground,
            whole,
            shared_start: self.shared[row][run.0] >= EVERYWHERE,
        })
    }

    /// Beside the ends there is nothing for more than a space. At the edge where all names begin, an icon may be closer.
    fn is_whole(&self, bounds: Rect, zone: (f64, f64), centre: f64, near: f64, edge: Edge, icon: Option<i32>) -> bool {
        let (top, bottom) = ((centre + zone.0) as i32, (centre + zone.1).ceil() as i32);
        let (top, bottom) = (top.max(bounds.y0 - 2), bottom.min(bounds.y1 + 2));
        let near = near.ceil() as i32;
        let clean = |x0: i32, x1: i32| {
            // Letters that are cut off by the picture's own edge are not whole either.
            x0 >= 0 && x1 <= self.pixels.width as i32 && is_clean(self.pixels, Rect::new(x0, top, x1, bottom))
        };
        let few = 3.min(near);
        let (left, right) = match edge {
            Edge::Left => (few, near),
            Edge::Middle => (near, near),
            Edge::Right => (near, few),
        };
        // A pixel beside a letter is often a little darker than the ground.
        let beside_icon = icon.is_some_and(|end| bounds.x0 - end <= 2 * left + 2);
        (beside_icon || clean(bounds.x0 - 1 - left, bounds.x0 - 1)) && clean(bounds.x1 + 1, bounds.x1 + 2 + right)
    }
}

/// The widest space within a name whose letters are so high.
fn gap(height: i32) -> f64 {
    (f64::from(height) * WORD_GAP).max(4.0)
}

fn middle(band: &Rect) -> i32 {
    (band.y0 + band.y1) / 2
}

/// Whether the same is drawn further down. Rows are not always whole pixels apart.
fn is_same(pixels: &Pixels, bounds: Rect, down: i32) -> bool {
    (-1..=1).any(|shift| {
        let mut differing = 0;
        for y in bounds.y0..bounds.y1 {
            let here = line(pixels, y, bounds.x0, bounds.x1).chunks_exact(3);
            let there = line(pixels, y + down + shift, bounds.x0, bounds.x1).chunks_exact(3);
            if y + down + shift < 0 || there.len() != here.len() {
                return false;
            }
            differing += here.zip(there).filter(|(one, other)| channel_difference(one, other) > 24).count();
        }
        differing as i64 * 40 <= bounds.area()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of 30 pixels with strokes of the given width and place, like letters, on a dark ground.
    fn side(rows: &[&[(i32, i32)]]) -> (Pixels, Vec<Rect>) {
        let height = rows.len() as u32 * 30;
        let mut pixels = Pixels::new(300, height, vec![40; 300 * height as usize * 3]).unwrap();
        for (row, words) in rows.iter().enumerate() {
            for (start, end) in *words {
                for x in (*start..*end).filter(|x| (x - start) % 4 < 2) {
                    // Rows differ: the strokes of each reach a little higher than those of the one before.
                    let top = row as u32 * 30 + 12 - row as u32 % 3;
                    (top..row as u32 * 30 + 20).for_each(|y| pixels.set(x as u32, y, [220, 220, 220]));
                }
            }
        }
        let bands = (0..rows.len() as i32).map(|row| Rect::new(0, row * 30 + 1, 300, row * 30 + 29)).collect();
        (pixels, bands)
    }

    fn names(rows: &[&[(i32, i32)]]) -> Vec<(usize, i32, i32, bool)> {
        let (pixels, bands) = side(rows);
        let columns = Side::look(&pixels, bands).columns(30.0);
        let first = columns.into_iter().next().unwrap_or_default();
        first.into_iter().map(|written| (written.row, written.bounds.x0, written.bounds.x1, written.whole)).collect()
    }

    #[test]
    fn words_close_together_are_one_name_with_proven_ends() {
        let found = names(&[&[(40, 66)], &[(40, 58), (63, 81)], &[(40, 90)]]);
        assert_eq!(found, [(0, 40, 66, true), (1, 40, 81, true), (2, 40, 90, true)]);
    }

    #[test]
    fn what_is_far_away_is_another_thing() {
        assert_eq!(names(&[&[(40, 66), (120, 130)], &[(40, 58)], &[(40, 90)]])[0], (0, 40, 66, true));
    }

    #[test]
    fn a_name_that_reaches_a_border_may_be_cut() {
        let (mut pixels, bands) = side(&[&[(40, 66)], &[(40, 90)], &[(40, 58)]]);
        (0..90).for_each(|y| pixels.set(94, y, [200, 60, 60]));
        let columns = Side::look(&pixels, bands).columns(30.0);
        let whole: Vec<bool> = columns[0].iter().map(|written| written.whole).collect();
        assert_eq!(whole, [true, false, true]);
    }

    #[test]
    fn nothing_is_no_column() {
        assert_eq!(names(&[&[], &[], &[]]), []);
        assert!(Side::look(&side(&[&[]]).0, Vec::new()).columns(30.0).is_empty());
    }
}
