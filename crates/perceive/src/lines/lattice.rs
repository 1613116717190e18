//! Lines at equal distances that end at the same heights, row under row: the lattice that marks stand on.

use std::collections::BTreeMap;

use super::segments::Segment;
use crate::shape::{Rect, median};

/// Fewer lines or rows are a coincidence. A row of few lines may also be coarser than its steps.
const MIN_LINES: usize = 8;
const MIN_ROWS: usize = 2;
/// Closer lines leave no ground between two marks.
const MIN_PITCH: f64 = 14.0;
const MAX_PITCH: f64 = 120.0;
const MIN_ROW_PITCH: f64 = 14.0;
const MAX_ROW_PITCH: f64 = 80.0;
/// How far a line may be from where the pitch says it should be.
const OFF: f64 = 1.2;
/// How many pixels above a row's lower end a line has to be there.
const FOOT: i32 = 4;

#[derive(Debug, Clone)]
pub(super) struct Lattice {
    /// Centres of the lines.
    pub(super) columns: Vec<f64>,
    /// How much each of them stands out.
    pub(super) strengths: Vec<f64>,
    /// Heights half way between the ends of the lines.
    pub(super) rows: Vec<f64>,
    pub(super) pitch: f64,
    pub(super) row_pitch: f64,
}

impl Lattice {
    pub(super) fn cell(&self, row: usize, column: usize) -> Rect {
        Rect::around((self.columns[column], self.rows[row]), self.pitch * 0.6, self.row_pitch * 0.7)
    }

    pub(super) fn row_bounds(&self, row: usize) -> Rect {
        self.cell(row, 0).union(&self.cell(row, self.columns.len() - 1))
    }

    pub(super) fn bounds(&self) -> Rect {
        self.row_bounds(0).union(&self.row_bounds(self.rows.len() - 1))
    }
}

/// Lines of one row.
#[derive(Debug, Clone)]
struct Ticks {
    bottom: i32,
    first: f64,
    pitch: f64,
    count: usize,
    /// How long they are where no mark is.
    length: f64,
}

impl Ticks {
    fn last(&self) -> f64 {
        self.first + self.pitch * (self.count - 1) as f64
    }

    /// Whether they are parts of one lattice: the same distances, on the same places.
    fn fits(&self, other: &Ticks) -> bool {
        let drift = (self.pitch - other.pitch).abs() * self.count.max(other.count) as f64;
        let steps = (other.first - self.first) / self.pitch;
        let overlap = self.last().min(other.last()) - self.first.max(other.first);
        drift <= 2.0 * OFF && (steps - steps.round()).abs() * self.pitch <= 2.0 * OFF && overlap > self.pitch * 4.0
    }
}

/// All lattices of at least two rows. `segments` are in the order of their lower ends.
pub(super) fn find(segments: &[Segment]) -> Vec<Lattice> {
    let mut by_bottom: BTreeMap<i32, Vec<&Segment>> = BTreeMap::new();
    for segment in segments {
        by_bottom.entry(segment.y1).or_default().push(segment);
    }
    let mut rows: Vec<Ticks> = by_bottom.iter().filter_map(|(bottom, line)| ticks(*bottom, line)).collect();
    let mut found = Vec::new();
    // The longest group first: where marks interrupt the lines, these end within a row as well.
    while let Some(group) = (0..rows.len()).map(|from| group(&rows, from)).max_by_key(|group| group.len())
        && group.len() >= MIN_ROWS
    {
        let (top, bottom) = (rows[group[0]].bottom, rows[group[group.len() - 1]].bottom);
        let members: Vec<Ticks> = group.iter().map(|index| rows[*index].clone()).collect();
        found.extend(lattice(without_ruler(&members), segments));
        rows.retain(|row| !(top..=bottom).contains(&row.bottom) || !members[0].fits(row));
    }
    found
}

/// The longest chain of equal distances among pieces of one lower end.
fn ticks(bottom: i32, line: &[&Segment]) -> Option<Ticks> {
    if line.len() < MIN_LINES {
        return None;
    }
    let mut best: Option<Ticks> = None;
    for from in 0..line.len().saturating_sub(MIN_LINES - 1) {
        for next in &line[from + 1..line.len().min(from + 4)] {
            let pitch = f64::from(next.x - line[from].x);
            if !(MIN_PITCH..=MAX_PITCH).contains(&pitch) {
                continue;
            }
            let chain = chain(bottom, &line[from..], pitch);
            if chain.count >= MIN_LINES && best.as_ref().is_none_or(|known| chain.count > known.count) {
                best = Some(chain);
            }
        }
    }
    best
}

fn chain(bottom: i32, line: &[&Segment], pitch: f64) -> Ticks {
    let first = f64::from(line[0].x);
    let length = |segment: &Segment| f64::from(segment.y1 - segment.y0);
    let mut ticks = Ticks { bottom, first, pitch, count: 1, length: 0.0 };
    let mut last = first;
    let mut lengths = vec![length(line[0])];
    for segment in &line[1..] {
        let x = f64::from(segment.x);
        let expected = last + ticks.pitch;
        if x > expected + OFF {
            break;
        }
        if (x - expected).abs() <= OFF {
            ticks.count += 1;
            ticks.pitch = (x - first) / (ticks.count - 1) as f64;
            last = x;
            lengths.push(length(segment));
        }
    }
    // The longest of all may be a player's line.
    lengths.sort_by(f64::total_cmp);
    ticks.length = lengths.get(lengths.len().saturating_sub(2)).copied().unwrap_or(0.0);
    ticks
}

/// That row and those below it that fit, at equal distances.
fn group(rows: &[Ticks], from: usize) -> Vec<usize> {
    let mut group = vec![from];
    let mut pitch = None;
    for next in from + 1..rows.len() {
        let last = &rows[group[group.len() - 1]];
        let down = f64::from(rows[next].bottom - last.bottom);
        let at_pitch = pitch.is_none_or(|pitch: f64| (down - pitch).abs() <= OFF);
        if (MIN_ROW_PITCH..=MAX_ROW_PITCH).contains(&down) && at_pitch && last.fits(&rows[next]) {
            pitch = pitch.or(Some(down));
            group.push(next);
        }
    }
    group
}

/// A ruler above the rows or below them has ticks at the same places, but of another length. So does a row that is all
/// marked, and at an end it cannot be told from a ruler.
fn without_ruler(group: &[Ticks]) -> &[Ticks] {
    let usual = median(&mut group.iter().map(|ticks| ticks.length).collect::<Vec<f64>>());
    let alike = |ticks: &Ticks| (ticks.length - usual).abs() <= OFF;
    let first = group.iter().position(alike).unwrap_or(0);
    let last = group.iter().rposition(alike).unwrap_or(0);
    &group[first..=last]
}

/// The lines that any of the rows shows, and those at either end that go on in the same way: a player's line may
/// stand on one and run through all rows.
fn lattice(group: &[Ticks], segments: &[Segment]) -> Option<Lattice> {
    if group.len() < MIN_ROWS {
        return None;
    }
    let longest = group.iter().max_by_key(|ticks| ticks.count)?;
    let pitch = longest.pitch;
    let stands = |x: f64| -> Vec<f64> {
        let at = |ticks: &Ticks| {
            let foot = ticks.bottom - FOOT;
            let near = segments.iter().filter(|segment| (f64::from(segment.x) - x).abs() <= OFF + 0.5);
            near.filter(|segment| segment.y0 <= foot && segment.y1 >= ticks.bottom)
                .map(|segment| segment.strength)
                .reduce(f64::max)
        };
        group.iter().filter_map(at).collect()
    };
    let mut columns: Vec<f64> = (0..longest.count).map(|index| longest.first + pitch * index as f64).collect();
    while columns.len() < 200 && stands(columns[0] - pitch).len() * 4 >= group.len() * 3 {
        columns.insert(0, columns[0] - pitch);
    }
    while columns.len() < 200 && stands(columns[columns.len() - 1] + pitch).len() * 4 >= group.len() * 3 {
        columns.push(columns[columns.len() - 1] + pitch);
    }
    let seen: Vec<Vec<f64>> = columns.iter().map(|x| stands(*x)).collect();
    // Every line is in nearly every row.
    if seen.iter().any(|strengths| strengths.len() * 4 < group.len() * 3) {
        return None;
    }
    let strengths = seen.into_iter().map(|mut strengths| median(&mut strengths)).collect();
    let row_pitch = f64::from(group[group.len() - 1].bottom - group[0].bottom) / (group.len() - 1) as f64;
    let rows = group.iter().map(|ticks| f64::from(ticks.bottom) - row_pitch / 2.0).collect();
    // A pixel's centre is half a pixel in.
    let columns = columns.into_iter().map(|x| x + 0.5).collect();
    Some(Lattice { columns, strengths, rows, pitch, row_pitch })
}
