//! Whether all of a row is in view. A row of 32 that is counted as 31 shifts every index behind the
//! missed cell, so a row is complete only when nothing speaks against it: every column there, both ends
//! bounded, no sliver of a further cell beyond them.

use surehand_types::Pixels;

use super::grids::Grid;
use super::rectangles::Spot;
use super::runs::{same_size, slack};
use crate::colour::{Lab, channel_difference, line, median_of};
use crate::shape::{Rect, median, side};

/// Rows of fewer equal things are toolbars and pieces of covered rows more often than sequences.
pub(crate) const MIN_COLUMNS: usize = 8;

/// A glow is at least this many pixels wide, and loses at most that part of its strength from one to the next.
const MIN_GLOW: usize = 4;
const MAX_FADE: f64 = 0.45;

/// How far a line between rows has to run on either side of a place, and how far from it the rows themselves are, in pixels.
const CROSSING: i32 = 8;
const CROSSED_BY: i32 = 3;

/// Rows that stand out by less of what the clearest one does are dimmed.
const CLEAR: f64 = 0.75;

/// Cells of one state have colours this close, whatever their velocity.
const COMPARABLE: f64 = 0.15;

/// What was found about the ends of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Completeness {
    Complete,
    /// The picture ends in it, or a further cell is cut off beyond its end.
    Cut,
    /// Cells are missing, or something in the structure does not add up.
    Doubtful(&'static str),
}

/// Per row of the grid, which is part of a panel with those bounds.
pub(crate) fn completeness(grid: &Grid, panel: Rect, pixels: &Pixels) -> Vec<Completeness> {
    if let Some(doubt) = of_grid(grid) {
        return vec![Completeness::Doubtful(doubt); grid.rows.len()];
    }
    let bare = |side: Side| {
        (0..grid.rows.len()).filter(|row| edge_is_bare(grid, *row, side, pixels)).count() * 2 >= grid.rows.len()
    };
    let cut = |side: Side| end_is_cut(grid, side, pixels);
    if cut(Side::Left) || cut(Side::Right) || bare(Side::Left) || bare(Side::Right) {
        return vec![Completeness::Cut; grid.rows.len()];
    }
    if wall_at_start(grid, panel, pixels) {
        return vec![Completeness::Doubtful("something stands right at the first cells"); grid.rows.len()];
    }
    let rows: Vec<Completeness> = (0..grid.rows.len()).map(|row| of_row(grid, row, pixels)).collect();
    // Rows share their columns: what is cut of one of them, is of all.
    let cut =
        rows.contains(&Completeness::Cut) || [Side::Left, Side::Right].iter().any(|side| goes_on(grid, *side, pixels));
    rows.into_iter().map(|row| if cut && row == Completeness::Complete { Completeness::Cut } else { row }).collect()
}

/// Whether the outermost cell is narrower than the others in half of the rows, and that on its outer side only:
/// something covers a part of it, and perhaps more cells beyond.
fn end_is_cut(grid: &Grid, side: Side, pixels: &Pixels) -> bool {
    let last = grid.columns.len() - 1;
    // The pitch of the others: the cut cell's own centre is not where it should be.
    let pitch =
        |from: usize, to: usize| (grid.columns[to] - grid.columns[from] - gaps(grid, from, to)) / (to - from) as f64;
    let (column, expected) = match side {
        Side::Left => (0, grid.columns[1] - pitch(1, last)),
        Side::Right => (last, grid.columns[last - 1] + pitch(0, last - 1)),
    };
    let width = |spot: &Spot| spot.closest(grid.width, grid.height).width();
    // Lit cells may be narrower than unlit ones, but then there is another of that width.
    let narrowest = |row: &[Option<Spot>]| {
        (0..=last).filter(|index| *index != column).filter_map(|index| row[index].as_ref().map(width)).min()
    };
    // Only a cell that looks like another one of its row can be compared with it.
    let colour = |spot: &Spot| median_of(pixels, spot.inner()).map(Lab::of);
    let comparable = |row: &[Option<Spot>], end: &Spot| {
        let others = row.iter().enumerate().filter(|(index, _)| *index != column).filter_map(|(_, spot)| spot.as_ref());
        let own = colour(end);
        others.filter_map(colour).any(|other| own.is_some_and(|own| own.distance(&other) <= COMPARABLE))
    };
    let ends: Vec<(Rect, bool, bool)> = grid
        .cells
        .iter()
        .filter_map(|row| {
            let spot = row[column].as_ref()?;
            let narrower = Some(width(spot)) < narrowest(row);
            Some((spot.closest(grid.width, grid.height), narrower, comparable(row, spot)))
        })
        .collect();
    let any = ends.iter().any(|(_, _, comparable)| *comparable);
    let ends: Vec<(Rect, bool)> = ends
        .into_iter()
        .filter(|(_, _, comparable)| *comparable || !any)
        .map(|(rect, narrower, _)| (rect, narrower))
        .collect();
    // Where cells are placed unevenly, an edge that is off by as much says nothing.
    let inner = match side {
        Side::Left => &grid.columns[1..],
        Side::Right => &grid.columns[..last],
    };
    let jitter = unevenness(inner, grid.pitch);
    let cut = |rect: &Rect| {
        let left = f64::from(rect.x0) - (expected - grid.width / 2.0);
        let right = (expected + grid.width / 2.0) - f64::from(rect.x1);
        let (outer, inner) = if side == Side::Left { (left, right) } else { (right, left) };
        outer >= 1.5_f64.max(jitter + 1.0) && outer + inner >= 1.5 && inner <= outer * 0.25
    };
    !ends.is_empty() && ends.iter().filter(|(rect, narrower)| *narrower && cut(rect)).count() * 2 >= ends.len()
}

/// What makes every row of the grid doubtful.
fn of_grid(grid: &Grid) -> Option<&'static str> {
    let count = grid.columns.len();
    if !grid.regular {
        return Some("the distances between the cells follow no rule");
    }
    // Covers and window edges end a row anywhere; sequences come in fours. A count that is no multiple
    // of four is far more often a cut row than an odd sequence.
    if count < MIN_COLUMNS {
        return Some("too few cells for a row of steps");
    }
    if !is_step_count(count) {
        return Some("the number of cells is no multiple of four");
    }
    let seen = |column: usize| grid.cells.iter().any(|row| row[column].is_some());
    (!(0..count).all(seen)).then_some("a whole column is missing")
}

/// Whether sequences have that many steps.
pub(crate) fn is_step_count(count: usize) -> bool {
    count >= MIN_COLUMNS && count.is_multiple_of(4) && (count <= 32 || count.is_multiple_of(16))
}

fn of_row(grid: &Grid, row: usize, pixels: &Pixels) -> Completeness {
    let cells = &grid.cells[row];
    let missing = cells.iter().filter(|cell| cell.is_none()).count();
    let ends_there = cells.first().is_some_and(Option::is_some) && cells.last().is_some_and(Option::is_some);
    let adjacent = cells.windows(2).any(|pair| pair[0].is_none() && pair[1].is_none());
    if missing > 0 && (!ends_there || adjacent || missing * 8 > cells.len()) {
        return Completeness::Doubtful("cells are missing");
    }
    let wanted = grid.cell_rect(row, 0);
    let odd = cells.iter().flatten().filter(|spot| !same_size(&spot.closest(grid.width, grid.height), &wanted)).count();
    if odd > 0 {
        return Completeness::Doubtful("cells differ in size");
    }
    let bounds = grid.row_bounds(row);
    let (width, height) = (side(pixels.width), side(pixels.height));
    if bounds.x0 <= 2 || bounds.y0 <= 1 || bounds.x1 >= width - 2 || bounds.y1 >= height - 1 {
        return Completeness::Cut;
    }
    Completeness::Complete
}

/// Whether one more column begins beyond the end. It does in every row then, but a sliver of a cell may be seen in one
/// state only: one row is enough. Dimmed rows hardly differ from anything, and have to show more of it.
fn goes_on(grid: &Grid, side: Side, pixels: &Pixels) -> bool {
    let distances = if grid.group_gap > 0.0 { vec![grid.pitch, grid.pitch + grid.group_gap] } else { vec![grid.pitch] };
    let plain = |row: usize| {
        let bounds = grid.row_bounds(row).grown(2);
        let of = |x: &f64| contrast(&column(pixels, x.floor() as i32, &bounds));
        median(&mut grid.columns.iter().map(of).collect::<Vec<f64>>())
    };
    let contrasts: Vec<f64> = (0..grid.rows.len()).map(plain).collect();
    let most = contrasts.iter().copied().fold(0.0, f64::max);
    let least = |row: usize| if contrasts[row] >= most * CLEAR { 2 } else { 3 };
    let shows = |row: usize, distance: f64| continues(grid, row, (side, distance), least(row), pixels);
    (0..contrasts.len()).any(|row| distances.iter().any(|distance| shows(row, *distance)))
}

/// Whether an upright edge that reaches beyond the grid stands in the gap before the first column, as the
/// edge of a window that covers earlier columns would. At the other end it could not shift any index.
fn wall_at_start(grid: &Grid, panel: Rect, pixels: &Pixels) -> bool {
    let bounds = Rect { y0: panel.y0, y1: panel.y1, ..grid.bounds() };
    let gap = (grid.pitch - grid.width).max(1.0).ceil() as i32 + 1;
    // Longer than the cells of a neighbouring row, whose edges stand there as well.
    let length = ((grid.height * 2.5) as i32).max(40);
    let stands = |x: i32, from: i32, to: i32| {
        let rows = from.max(0)..to;
        let differs = |y: i32| match line(pixels, y, x - 1, x + 1) {
            [a @ .., b0, b1, b2] if a.len() == 3 => channel_difference(a, &[*b0, *b1, *b2]) > 6,
            _ => false,
        };
        if rows.len() as i32 != length {
            return false;
        }
        let gaps: Vec<i32> = rows.filter(|y| !differs(*y)).collect();
        gaps.len() as i32 * 20 <= length && !gaps.iter().any(|y| is_crossed(pixels, x, *y))
    };
    (bounds.x0 - gap..=bounds.x0).any(|x| {
        x > 0 && (stands(x, bounds.y0 - 3 - length, bounds.y0 - 3) || stands(x, bounds.y1 + 3, bounds.y1 + 3 + length))
    })
}

/// Whether a level line runs across the place, standing out from what is above or below it on either side: one of the
/// lines between rows. Whatever covered the rows on one side would cover their lines there too, and has an edge of its own.
fn is_crossed(pixels: &Pixels, x: i32, y: i32) -> bool {
    if x < CROSSING || y < CROSSED_BY {
        return false;
    }
    let pixel = |x: i32, y: i32| -> Option<[u8; 3]> { line(pixels, y, x, x + 1).try_into().ok() };
    let alike = |one: Option<[u8; 3]>, other: Option<[u8; 3]>| {
        one.zip(other).is_some_and(|(one, other)| channel_difference(&one, &other) <= 6)
    };
    let level = (x - CROSSING..x + CROSSING - 1).all(|at| alike(pixel(at, y), pixel(at + 1, y)));
    let stands_out = |from: i32, to: i32| {
        [y - CROSSED_BY, y + CROSSED_BY]
            .into_iter()
            .any(|other| (from..to).all(|at| pixel(at, other).is_some() && !alike(pixel(at, y), pixel(at, other))))
    };
    level && stands_out(x - CROSSING, x - 1) && stands_out(x + 1, x + CROSSING)
}

/// What gaps between groups add to the distance of two columns.
fn gaps(grid: &Grid, from: usize, to: usize) -> f64 {
    let wide = |pair: &&[f64]| grid.group_gap > 0.0 && pair[1] - pair[0] > grid.pitch + grid.group_gap / 2.0;
    grid.columns[from..=to].windows(2).filter(wide).count() as f64 * grid.group_gap
}

/// Whether the outer edge of the outermost cell looks unlike that of every other cell of its row: its
/// border is covered.
fn edge_is_bare(grid: &Grid, row: usize, side: Side, pixels: &Pixels) -> bool {
    let bounds = grid.row_bounds(row).grown(1);
    let edge = |column: usize| -> Option<[Vec<[u8; 3]>; 2]> {
        // Not the outermost rectangle: it may hold the ground between faint cells in one place only.
        let rect = grid.cells[row][column].as_ref()?.closest(grid.width, grid.height);
        Some(match side {
            Side::Left => [self::column(pixels, rect.x0 - 1, &bounds), self::column(pixels, rect.x0, &bounds)],
            Side::Right => [self::column(pixels, rect.x1, &bounds), self::column(pixels, rect.x1 - 1, &bounds)],
        })
    };
    let last = grid.columns.len() - 1;
    let end = if side == Side::Left { 0 } else { last };
    let Some([outside, inside]) = edge(end) else { return true };
    let alike = |column: usize| {
        edge(column).is_some_and(|[out, inn]| difference(&out, &outside) <= 10.0 && difference(&inn, &inside) <= 10.0)
    };
    // Only cells of the same state can be compared; where there is none, nothing is known.
    let comparable = |column: usize| edge(column).is_some_and(|[_, inn]| difference(&inn, &inside) <= 10.0);
    let others = || (0..=last).filter(|column| *column != end);
    others().any(comparable) && !others().any(alike)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// Whether the first pixel columns of one more cell stand beyond the end: columns of pixels that look,
/// from above the row to below it, like the same columns of a cell of this row.
/// That cell is at that distance from the last, and `least` columns of it are seen.
fn continues(grid: &Grid, row: usize, beyond: (Side, f64), least: usize, pixels: &Pixels) -> bool {
    let (side, distance) = beyond;
    let last = grid.columns.len() - 1;
    let half = grid.width / 2.0;
    let (end, sign) = match side {
        Side::Left => (grid.columns[0] - distance, 1.0),
        Side::Right => (grid.columns[last] + distance, -1.0),
    };
    let bounds = grid.row_bounds(row).grown(2);
    let depth = (grid.width / 3.0).clamp(2.0, 5.0) as i32;
    let profile = |centre: f64, offset: i32| {
        let x = (centre + sign * (half - 0.5 - f64::from(offset))).round() as i32;
        column(pixels, x, &bounds)
    };
    // Half way to the next cell the borders of the last one are over.
    let between = end + sign * distance / 2.0;
    let alike = |offset: i32, jitter: i32| {
        let x = (end + f64::from(jitter) + sign * (half - 0.5 - f64::from(offset))).round() as i32;
        if (f64::from(x) - between) * sign > -0.5 {
            return false;
        }
        let beyond = column(pixels, x, &bounds);
        !beyond.is_empty()
            && grid.columns.iter().any(|centre| {
                let cell = profile(*centre, offset);
                structured(&cell) && difference(&beyond, &cell) <= contrast(&cell).min(6.0)
            })
    };
    let own_edge = end + sign * (distance - half);
    let exact = |offset: i32| {
        let x = (end + sign * (half - 0.5 - f64::from(offset))).round() as i32;
        let beyond = column(pixels, x, &bounds);
        let same = |centre: &f64| {
            let cell = profile(*centre, offset);
            structured(&cell) && difference(&beyond, &cell) <= contrast(&cell).min(1.5)
        };
        // A line that cells share, as in a table, is the border of the last one. It may be several pixels wide, but it
        // is one line from the cell on.
        let edge = own_edge.round() as i32;
        let mut line = if sign > 0.0 { x..edge } else { edge..x + 1 };
        let wide = (grid.pitch - grid.width).ceil() as usize;
        let one_line = line.len() <= wide && line.all(|at| difference(&column(pixels, at, &bounds), &beyond) <= 1.5);
        let own_border = wide >= 1 && (one_line || (f64::from(x) + 0.5 - own_edge).abs() < 1.0);
        (f64::from(x) - between) * sign <= -0.5 && !own_border && !beyond.is_empty() && grid.columns.iter().any(same)
    };
    // A cell of a colour that none of those in view has still begins and ends where they do.
    let same_height = |offset: i32, away: i32| {
        let at = end - sign * f64::from(away);
        let x = at + sign * (half - 0.5 - f64::from(offset));
        let beyond = edges(&profile(at, offset));
        (x - between) * sign <= -0.5
            && beyond.is_some()
            && grid.columns.iter().any(|centre| edges(&profile(*centre, offset)) == beyond)
    };
    // One more cell would be as close to its place as these are to theirs.
    let reach = (unevenness(&grid.columns, grid.pitch) + 1.0).min(slack(grid.pitch)).ceil() as i32;
    // The last pixel of a cell, at its exact place, is a cell too.
    let sliver =
        (-3..=0).any(exact) || (0..=reach).any(|away| (1..depth.max(4)).all(|offset| same_height(offset, away)));
    let cut =
        sliver || (-reach..=reach).any(|jitter| (0..depth).filter(|offset| alike(*offset, jitter)).count() >= least);
    cut && !runs_on(grid, (end + sign * half, -sign), &bounds, pixels)
        && !fades(grid, (own_edge, -sign), &bounds, pixels)
}

/// How far distances between neighbouring columns are off the pitch, at most; gaps between groups do not count.
fn unevenness(columns: &[f64], pitch: f64) -> f64 {
    let odd = |pair: &[f64]| (pair[1] - pair[0] - pitch).abs();
    columns.windows(2).map(odd).filter(|odd| *odd < slack(pitch)).fold(0.0, f64::max)
}

/// Whether what is beyond the edge of the last cell is its glow: it gets weaker from one pixel to the next, and
/// never by a large step, which the edge of anything else would be.
fn fades(grid: &Grid, from: (f64, f64), bounds: &Rect, pixels: &Pixels) -> bool {
    let inside = if from.1 < 0.0 { -1 } else { 0 };
    let x = |step: i32| from.0.round() as i32 + inside + step * from.1 as i32;
    // Not much further: the panel may end there.
    let length = (grid.pitch * 0.6).max(8.0) as i32;
    let ground = column(pixels, x(length), bounds);
    let strengths: Vec<f64> = (0..length).map(|step| difference(&column(pixels, x(step), bounds), &ground)).collect();
    let Some(first) = strengths.first().copied() else { return false };
    let gentle = |pair: &[f64]| pair[1] <= pair[0] + first * 0.02 && pair[0] - pair[1] <= first * MAX_FADE;
    first > 0.0
        && strengths.windows(2).all(gentle)
        && strengths.iter().filter(|strength| **strength >= first * 0.1).count() >= MIN_GLOW
}

/// Whether the upper and lower edge go on for more than a cell: then this is a wider thing with the same
/// lines, as the label's cell in a table is, and no cell.
fn runs_on(grid: &Grid, from: (f64, f64), bounds: &Rect, pixels: &Pixels) -> bool {
    let x = |step: i32| (from.0 + from.1 * (2.0 + f64::from(step))).round() as i32;
    let length = (grid.pitch * 1.25) as i32;
    let first = column(pixels, x(0), bounds);
    let edge_at = |column: &[[u8; 3]], at: usize| {
        column.get(at).zip(column.get(at + 1)).is_some_and(|(a, b)| channel_difference(a, b) > 6)
    };
    let edges: Vec<usize> = (0..first.len()).filter(|at| edge_at(&first, *at)).collect();
    let (Some(top), Some(bottom)) = (edges.first(), edges.last()) else { return false };
    top != bottom
        && (0..length).all(|step| {
            let here = column(pixels, x(step), bounds);
            edge_at(&here, *top) && edge_at(&here, *bottom)
        })
}

/// One column of pixels; empty outside of the picture.
fn column(pixels: &Pixels, x: i32, bounds: &Rect) -> Vec<[u8; 3]> {
    let pixel = |y: i32| line(pixels, y, x, x + 1).try_into().ok();
    if x < 0 {
        return Vec::new();
    }
    (bounds.y0..bounds.y1).map_while(pixel).collect()
}

/// Whether top and bottom of a cell show in the column. A flat one would match any background.
fn structured(column: &[[u8; 3]]) -> bool {
    column.windows(2).filter(|pair| channel_difference(&pair[0], &pair[1]) > 6).count() >= 2
}

/// Where the first and the last step in a column are.
fn edges(column: &[[u8; 3]]) -> Option<(usize, usize)> {
    let step = |at: &usize| channel_difference(&column[*at], &column[at + 1]) > 6;
    let first = (0..column.len().saturating_sub(1)).find(step)?;
    let last = (0..column.len().saturating_sub(1)).rev().find(step)?;
    (first < last).then_some((first, last))
}

/// How much a cell stands out from the ground above it, in the part that makes a match: dimmed cells
/// differ little from anything.
fn contrast(column: &[[u8; 3]]) -> f64 {
    let ground = column.first().copied().unwrap_or_default();
    let sum: u64 = column.iter().map(|pixel| u64::from(channel_difference(pixel, &ground))).sum();
    0.4 * sum as f64 / column.len().max(1) as f64
}

fn difference(one: &[[u8; 3]], other: &[[u8; 3]]) -> f64 {
    if one.len() != other.len() || one.is_empty() {
        return 255.0;
    }
    let sum: u64 = one.iter().zip(other).map(|(a, b)| u64::from(channel_difference(a, b))).sum();
    sum as f64 / one.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of a panel, 20 pixels apart with a dark line between them, and what else is drawn.
    fn panel(draw: impl Fn(i32, i32) -> Option<[u8; 3]>) -> Pixels {
        let (width, height) = (80, 80);
        let mut data = Vec::new();
        for y in 0..height {
            for x in 0..width {
                let ground = if y % 20 == 10 { [20, 20, 20] } else { [70, 75, 80] };
                data.extend_from_slice(&draw(x, y).unwrap_or(ground));
            }
        }
        Pixels { width: 80, height: 80, rgb: data }
    }

    #[test]
    fn a_line_between_rows_runs_on_where_nothing_covers_it() {
        let border = |x: i32, y: i32| (x == 40 && y % 20 != 10).then_some([50, 50, 52]);
        assert!(is_crossed(&panel(border), 40, 30));
        assert!(!is_crossed(&panel(border), 40, 25), "no line is there");
        for (what, cover) in [("another colour", [200, 200, 200]), ("the line's own colour", [20, 20, 20])] {
            let window = |x: i32, _: i32| (x < 40).then_some(cover);
            assert!(!is_crossed(&panel(window), 40, 30), "{what}");
        }
        let framed = |x: i32, y: i32| match (x, y % 20) {
            (39, _) => Some([150, 150, 150]),
            (..39, 10) => Some([20, 20, 20]),
            (..39, _) => Some([70, 75, 80]),
            _ => None,
        };
        assert!(!is_crossed(&panel(framed), 40, 30), "a window with the same rows still has an edge");
    }
}
