//! Runs become rows, rows that share columns become grids. Columns are those that any row shows, so
//! that a row of which a part is covered is seen to be short instead of being counted from its own start.

use super::rectangles::Spot;
use super::runs::{Run, same_size, similar, slack};
use crate::shape::{Rect, median};

/// Rows further apart than this many cell heights are two grids.
const MAX_ROW_DISTANCE: f64 = 4.5;

/// Cells in columns and rows. `cells[row][column]` is what was found there, if anything was.
#[derive(Debug, Clone)]
pub(crate) struct Grid {
    /// Centres of the columns.
    pub(crate) columns: Vec<f64>,
    /// Centres of the rows.
    pub(crate) rows: Vec<f64>,
    pub(crate) cells: Vec<Vec<Option<Spot>>>,
    /// What most cells measure.
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) pitch: f64,
    /// What the gap between groups of columns adds to the pitch; 0 without such groups.
    pub(crate) group_gap: f64,
    /// Whether the columns follow one rule of distances from the first to the last.
    pub(crate) regular: bool,
}

impl Grid {
    pub(crate) fn row_pitch(&self) -> f64 {
        let mut distances: Vec<f64> = self.rows.windows(2).map(|pair| pair[1] - pair[0]).collect();
        if distances.is_empty() { self.height } else { median(&mut distances) }
    }

    pub(crate) fn cell_rect(&self, row: usize, column: usize) -> Rect {
        Rect::around((self.columns[column], self.rows[row]), self.width, self.height)
    }

    pub(crate) fn bounds(&self) -> Rect {
        let last = (self.rows.len() - 1, self.columns.len() - 1);
        self.cell_rect(0, 0).union(&self.cell_rect(last.0, last.1))
    }

    pub(crate) fn row_bounds(&self, row: usize) -> Rect {
        self.cell_rect(row, 0).union(&self.cell_rect(row, self.columns.len() - 1))
    }
}

/// Grids, top to bottom.
pub(crate) fn grids(spots: &[Spot], runs: &[Run]) -> Vec<Grid> {
    let mut family: Vec<usize> = (0..runs.len()).collect();
    for one in 0..runs.len() {
        for other in one + 1..runs.len() {
            if family[one] != family[other] && belong(&runs[one], &runs[other], spots) {
                let (keep, drop) = (family[one], family[other]);
                family.iter_mut().filter(|label| **label == drop).for_each(|label| *label = keep);
            }
        }
    }
    let mut labels = family.clone();
    labels.sort_unstable();
    labels.dedup();
    let mut grids: Vec<Grid> = labels
        .iter()
        .filter_map(|label| {
            let members: Vec<&Run> = (0..runs.len()).filter(|i| family[*i] == *label).map(|i| &runs[i]).collect();
            build(&members, spots)
        })
        .collect();
    grids.sort_by(|a, b| a.rows[0].total_cmp(&b.rows[0]).then(a.columns[0].total_cmp(&b.columns[0])));
    grids
}

/// Whether two runs are parts of one grid: the same cells at the same pitch, above each other in the
/// same columns or beside each other on one line.
fn belong(one: &Run, other: &Run, spots: &[Spot]) -> bool {
    let close = |a: f64, b: f64, part: f64, least: f64| (a - b).abs() <= (a.max(b) * part).max(least);
    if !close(one.width, other.width, 0.35, 6.0) || !close(one.pitch, other.pitch, 0.03, 0.6) {
        return false;
    }
    // A row that a window's edge cuts through is lower than the others, but it is theirs.
    let same_height = close(one.height, other.height, 0.35, 6.0);
    let (a, b) = (one.positions(spots), other.positions(spots));
    let (Some((a_first, a_last)), Some((b_first, b_last))) = (ends(&a), ends(&b)) else { return false };
    let pitch = (one.pitch + other.pitch) / 2.0;
    if (one.y - other.y).abs() <= 3.0 && same_height {
        // Beside each other: a gap between groups, or something in the way. A far one is a grid of its own.
        let gap = if a_first < b_first { b_first - a_last } else { a_first - b_last };
        return gap <= pitch * 12.0;
    }
    if (one.y - other.y).abs() > MAX_ROW_DISTANCE * one.height.max(other.height) {
        return false;
    }
    let shared = b.iter().filter(|x| a.iter().any(|known| (known - **x).abs() <= slack(pitch) + 1.0)).count();
    let overlap = a_last.min(b_last) - a_first.max(b_first) > -pitch / 2.0;
    let (shorter, longer) = (a.len().min(b.len()), a.len().max(b.len()));
    overlap && if same_height { shared * 2 >= shorter } else { shared * 5 >= longer * 4 }
}

fn ends(positions: &[f64]) -> Option<(f64, f64)> {
    Some((*positions.first()?, *positions.last()?))
}

fn build(runs: &[&Run], spots: &[Spot]) -> Option<Grid> {
    let mut members: Vec<usize> = runs.iter().flat_map(|run| run.members.iter().copied()).collect();
    members.sort_unstable();
    members.dedup();
    let mut pitches: Vec<f64> = runs.iter().map(|run| run.pitch).collect();
    let pitch = median(&mut pitches);
    let size = common_size(&members, spots)?;
    let (width, height) = (f64::from(size.width()), f64::from(size.height()));
    let columns = gathered(members.iter().map(|index| spots[*index].centre().0).collect(), pitch * 0.3);
    let rows = gathered(runs.iter().map(|run| run.y).collect(), height * 0.3);
    let mut cells = vec![vec![None; columns.len()]; rows.len()];
    for index in &members {
        let (x, y) = spots[*index].centre();
        let slot = &mut cells[nearest(&rows, y)?][nearest(&columns, x)?];
        *slot = Some(spots[*index].clone());
    }
    let (columns, cells) = without_foreign_ends(columns, cells, (width, height));
    let (columns, cells, rule) = with_missing_columns(columns, cells, pitch);
    let group_gap = match rule {
        Rule::Groups(group) => columns[group] - columns[group - 1] - pitch,
        _ => 0.0,
    };
    let steps = match rule {
        Rule::Even => vec![pitch, 2.0 * pitch],
        Rule::Groups(_) => vec![pitch, pitch + group_gap],
        Rule::Broken => Vec::new(),
    };
    let (columns, mut cells) = extended(columns, cells, &rows, &steps, spots);
    let like = Spot::sized(width, height);
    for (y, row) in rows.iter().zip(&mut cells) {
        for (x, cell) in columns.iter().zip(row) {
            if cell.is_none() {
                *cell = spot_at(spots, (*x, *y), pitch, &like);
            }
        }
    }
    Some(Grid { columns, rows, cells, width, height, pitch, group_gap, regular: rule != Rule::Broken })
}

/// The size that most cells have among their rectangles; of equally common ones the largest.
fn common_size(members: &[usize], spots: &[Spot]) -> Option<Rect> {
    let mut sizes: Vec<Rect> = members.iter().flat_map(|index| spots[*index].rects().iter().copied()).collect();
    sizes.sort_by_key(|rect| (rect.width(), rect.height()));
    sizes.dedup_by_key(|rect| (rect.width(), rect.height()));
    let support =
        |size: &Rect| members.iter().filter(|index| spots[**index].rects().iter().any(|r| same_size(r, size))).count();
    sizes.into_iter().max_by_key(|size| (support(size), size.area()))
}

/// A spot of that size at that place. Next to a hole there may be too few cells for a run of their own.
fn spot_at(spots: &[Spot], at: (f64, f64), pitch: f64, like: &Spot) -> Option<Spot> {
    let reach = slack(pitch) + 1.0;
    let start = spots.partition_point(|spot| spot.centre().1 < at.1 - reach - 2.0);
    spots[start..]
        .iter()
        .take_while(|spot| spot.centre().1 <= at.1 + reach + 2.0)
        .find(|spot| {
            let (x, y) = spot.centre();
            (x - at.0).abs() <= reach && (y - at.1).abs() <= reach && similar(spot, like)
        })
        .cloned()
}

/// Columns beyond the ends that some row shows, a pitch or one of the other steps away: the first cell of a
/// row whose second is covered belongs to no run, nor does one that is alone in its group.
fn extended(columns: Vec<f64>, cells: Cells, rows: &[f64], steps: &[f64], spots: &[Spot]) -> (Vec<f64>, Cells) {
    let (mut columns, mut cells) = (columns, cells);
    let sizes: Vec<&Spot> = cells.iter().flatten().flatten().collect();
    let Some(like) = sizes.get(sizes.len() / 2).map(|spot| (*spot).clone()) else { return (columns, cells) };
    // Lit cells may be of another size than the others, but it is that of those in view.
    let sizes: Vec<Rect> = sizes.iter().flat_map(|spot| spot.rects().iter().copied()).collect();
    let close = |spot: &Spot| {
        let same = |own: &Rect, known: &Rect| {
            (own.width() - known.width()).abs() <= 2 && (own.height() - known.height()).abs() <= 2
        };
        spot.rects().iter().any(|own| sizes.iter().any(|known| same(own, known)))
    };
    let Some(pitch) = steps.first().copied() else { return (columns, cells) };
    let present = |x: f64| rows.iter().any(|y| spot_at(spots, (x, *y), pitch, &like).is_some_and(|spot| close(&spot)));
    for side in [-1.0, 1.0] {
        loop {
            let end = if side < 0.0 { columns[0] } else { columns[columns.len() - 1] };
            let Some(step) = steps.iter().find(|step| present(end + side * **step)) else { break };
            // Two pitches away there is a column in between that nothing shows.
            let missing = if *step > pitch * 1.7 { vec![end + side * pitch] } else { Vec::new() };
            for x in missing.into_iter().chain([end + side * step]) {
                let at = if side < 0.0 { 0 } else { columns.len() };
                columns.insert(at, x);
                cells.iter_mut().for_each(|row| row.insert(at, None));
            }
        }
    }
    (columns, cells)
}

/// Values that lie within `reach` of their neighbours become one: their mean.
fn gathered(mut values: Vec<f64>, reach: f64) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    let mut groups: Vec<Vec<f64>> = Vec::new();
    for value in values {
        match groups.last_mut() {
            Some(group) if value - group[group.len() - 1] <= reach => group.push(value),
            _ => groups.push(vec![value]),
        }
    }
    groups.iter_mut().map(|group| median(group)).collect()
}

fn nearest(values: &[f64], wanted: f64) -> Option<usize> {
    (0..values.len()).min_by(|a, b| (values[*a] - wanted).abs().total_cmp(&(values[*b] - wanted).abs()))
}

/// A button beside the cells may stand where a further cell would, but for a pixel or two, and be nearly
/// as large. An end column that is off the pitch more than any other, and of another size in every row,
/// is none of the cells. Should this ever drop a cell, the count is no multiple of four any more.
fn without_foreign_ends(columns: Vec<f64>, cells: Cells, size: (f64, f64)) -> (Vec<f64>, Cells) {
    let (mut columns, mut cells) = (columns, cells);
    for last in [false, true] {
        let count = columns.len();
        if count < 6 {
            break;
        }
        let distances: Vec<f64> = columns.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let (end, inner) =
            if last { (distances[count - 2], &distances[..count - 2]) } else { (distances[0], &distances[1..]) };
        let usual = median(&mut inner.to_vec());
        let jitter = inner.iter().map(|distance| (distance - usual).abs()).fold(0.0, f64::max);
        let column = if last { count - 1 } else { 0 };
        let foreign = |spot: &Spot| {
            let rect = spot.closest(size.0, size.1);
            let off = |length: i32, wanted: f64| (f64::from(length) - wanted).abs() >= 2.0;
            off(rect.width(), size.0) || off(rect.height(), size.1)
        };
        if (end - usual).abs() > jitter + 1.0 && cells.iter().filter_map(|row| row[column].as_ref()).all(foreign) {
            columns.remove(column);
            cells.iter_mut().for_each(|row| drop(row.remove(column)));
        }
    }
    (columns, cells)
}

/// How the columns follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    Even,
    Groups(usize),
    Broken,
}

type Cells = Vec<Vec<Option<Spot>>>;

/// A column of which no row shows anything leaves a distance of two pitches. It is put back, empty, so
/// that nothing behind it is counted one too low; distances that fit no rule make the grid broken.
fn with_missing_columns(columns: Vec<f64>, cells: Cells, pitch: f64) -> (Vec<f64>, Cells, Rule) {
    let extra: Vec<f64> = columns.windows(2).map(|pair| pair[1] - pair[0] - pitch).collect();
    let wide: Vec<usize> = (0..extra.len()).filter(|index| extra[*index] > slack(pitch)).collect();
    if extra.iter().any(|value| *value < -slack(pitch) - 1.0) {
        return (columns, cells, Rule::Broken);
    }
    let Some(first) = wide.first() else { return (columns, cells, Rule::Even) };
    let group = first + 1;
    let gap = extra[*first];
    let alike = wide.iter().all(|index| (index + 1) % group == 0 && (extra[*index] - gap).abs() <= 2.0);
    let every = wide.len() + 1 == columns.len() / group && columns.len().is_multiple_of(group);
    if alike && every && group >= 2 && gap < pitch * 0.7 {
        return (columns, cells, Rule::Groups(group));
    }
    let whole = |value: f64| (value / pitch - (value / pitch).round()).abs() * pitch <= slack(pitch) + 1.0;
    if !wide.iter().all(|index| whole(extra[*index])) {
        return (columns, cells, Rule::Broken);
    }
    let mut full = vec![columns[0]];
    let mut sources = vec![Some(0)];
    for (index, x) in columns.iter().enumerate().skip(1) {
        let missing = (extra[index - 1] / pitch).round().max(0.0) as usize;
        let last = full[full.len() - 1];
        for step in 1..=missing {
            full.push(last + (x - last) * step as f64 / (missing + 1) as f64);
            sources.push(None);
        }
        full.push(*x);
        sources.push(Some(index));
    }
    let cells = cells
        .into_iter()
        .map(|row| sources.iter().map(|source| source.and_then(|index| row[index].clone())).collect())
        .collect();
    (full, cells, Rule::Even)
}
