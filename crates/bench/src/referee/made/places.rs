//! Where the cells are and what of them can be seen, told by the application itself: the pixels that change when
//! steps are switched on are the cells. A row counts as seen only if all its cells are there in full size.

use surehand_types::Pixels;

use super::plan::Session;

/// A changed pixel differs by this much in some channel.
const CHANGED: u8 = 10;
/// Fewer changed pixels are no cell.
const MIN_CELL: usize = 24;
/// How far equal cells may differ in size: toolkits round.
const ROUNDING: i64 = 2;
/// So far from the picture's edge a cell is not cut by it.
const EDGE: i64 = 2;
/// The bar at the left of the main window, in pixels of the toolkit: windows are placed from its right side on.
const MAIN_WINDOW_LEFT: i64 = 30;

/// What can be seen of a row.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct RowInView {
    /// Every cell is there, and whole.
    pub(super) cells: bool,
    /// Nothing lies over its name.
    pub(super) label: bool,
}

/// Left, top, right and bottom; the latter two excluded.
type Bounds = [i64; 4];

#[derive(Debug)]
pub(super) struct Layout {
    /// By their place in the project.
    pub(super) rows: Vec<RowInView>,
    /// From the editor's edge to the last cell.
    bands: Vec<Bounds>,
}

impl Layout {
    /// From frames of the empty pattern, of odd and of even steps, with the editor alone; and the same with all
    /// windows if there are others.
    pub(super) fn of(session: &Session, frames: &[Pixels]) -> Layout {
        let steps: Vec<u32> =
            session.shots.first().map_or(Vec::new(), |shot| shot.rows.iter().map(|row| row.steps).collect());
        let [empty, odd, even, covered @ ..] = frames else {
            return Layout { rows: vec![RowInView::default(); steps.len()], bands: Vec::new() };
        };
        let alone = by_rows(&cells(empty, odd, even));
        let left = ((session.window[0] + MAIN_WINDOW_LEFT) as f64 * session.scale) as i64;
        let bands: Vec<Bounds> = alone.iter().map(|row| band(row, left)).collect();
        let all: Vec<Bounds> = alone.iter().flatten().copied().collect();
        let height = middle(&all, |cell| cell[3] - cell[1]);
        let seen = match covered {
            [covered_empty, odd, even] => Some((covered_empty, cells(covered_empty, odd, even))),
            _ => None,
        };
        let of_row = |(index, steps): (usize, &u32)| {
            let Some(row) = alone.get(index) else { return RowInView::default() };
            let whole = row.len() == *steps as usize && are_whole(row, height, empty);
            match &seen {
                None => RowInView { cells: whole, label: whole },
                Some((frame, cells)) => RowInView {
                    cells: whole && row.iter().all(|cell| cells.contains(cell)),
                    label: !differs(empty, frame, bands[index], Reach::Label(row[0][0])),
                },
            }
        };
        Layout { rows: steps.iter().enumerate().map(of_row).collect(), bands }
    }

    /// The editor's play button, in pixels of the screen. It is as far from the first row in both themes.
    pub(super) fn play_button(&self, session: &Session) -> (f64, f64) {
        let top = self.bands.first().map_or(0, |band| band[1]);
        let left = session.window[0] + MAIN_WINDOW_LEFT + 20;
        (left as f64 * session.scale, top as f64 - 25.0 * session.scale)
    }

    /// Per row, whether anything has changed in it or beside it.
    pub(super) fn changed(&self, before: &Pixels, after: &Pixels) -> Vec<bool> {
        let changed = |index: usize| match self.bands.get(index) {
            Some(band) => differs(before, after, *band, Reach::Whole),
            None => false,
        };
        (0..self.rows.len()).map(changed).collect()
    }
}

/// How much of a band is compared.
#[derive(Clone, Copy)]
enum Reach {
    Whole,
    /// Up to the first cell, which begins here.
    Label(i64),
}

fn differs(one: &Pixels, other: &Pixels, band: Bounds, reach: Reach) -> bool {
    let [left, top, right, bottom] = band;
    let right = match reach {
        Reach::Whole => right,
        Reach::Label(first_cell) => first_cell,
    };
    (top..bottom).any(|y| (left..right).any(|x| is_changed(one, other, x, y)))
}

fn is_changed(one: &Pixels, other: &Pixels, x: i64, y: i64) -> bool {
    let at = |pixels: &Pixels| pixels.at(u32::try_from(x).ok()?, u32::try_from(y).ok()?);
    match (at(one), at(other)) {
        (Some(one), Some(other)) => one.iter().zip(other).any(|(a, b)| a.abs_diff(b) > CHANGED),
        _ => false,
    }
}

/// Lit in turn, neighbours do not run together.
fn cells(empty: &Pixels, odd: &Pixels, even: &Pixels) -> Vec<Bounds> {
    [odd, even].into_iter().flat_map(|lit| changed_areas(empty, lit)).collect()
}

/// Bounds of connected changed pixels.
fn changed_areas(one: &Pixels, other: &Pixels) -> Vec<Bounds> {
    let (width, height) = (i64::from(one.width.min(other.width)), i64::from(one.height.min(other.height)));
    let mut open: Vec<bool> =
        (0..width * height).map(|index| is_changed(one, other, index % width, index / width)).collect();
    let mut areas = Vec::new();
    for start in 0..open.len() {
        if !std::mem::take(&mut open[start]) {
            continue;
        }
        let mut bounds = [width, height, 0, 0];
        let (mut waiting, mut count) = (vec![start as i64], 0);
        while let Some(index) = waiting.pop() {
            let (x, y) = (index % width, index / width);
            bounds = [bounds[0].min(x), bounds[1].min(y), bounds[2].max(x + 1), bounds[3].max(y + 1)];
            count += 1;
            for (x, y) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)] {
                let inside = (0..width).contains(&x) && (0..height).contains(&y);
                if inside && std::mem::take(&mut open[(y * width + x) as usize]) {
                    waiting.push(y * width + x);
                }
            }
        }
        if count >= MIN_CELL {
            areas.push(bounds);
        }
    }
    areas
}

/// Cells of one height on the screen are a row; top to bottom, each from left to right.
fn by_rows(cells: &[Bounds]) -> Vec<Vec<Bounds>> {
    let mut sorted = cells.to_vec();
    sorted.sort_by_key(|cell| cell[1] + cell[3]);
    let mut rows: Vec<Vec<Bounds>> = Vec::new();
    for cell in sorted {
        let middle = |cell: &Bounds| (cell[1] + cell[3]) / 2;
        match rows.last_mut() {
            Some(row) if middle(&cell) - middle(&row[0]) <= 6 => row.push(cell),
            _ => rows.push(vec![cell]),
        }
    }
    rows.iter_mut().for_each(|row| row.sort_unstable());
    rows
}

/// A row that is cut from above or below is lower than the others, so their height is the measure. Widths are compared
/// within the beats of one shade, of which the same part changes when a step is lit.
fn are_whole(row: &[Bounds], height: i64, frame: &Pixels) -> bool {
    let shade = |index: usize| (index / 4) % 2;
    let widths = [0, 1].map(|wanted| {
        let own: Vec<Bounds> = (0..row.len()).filter(|index| shade(*index) == wanted).map(|index| row[index]).collect();
        middle(&own, |cell| cell[2] - cell[0])
    });
    let (right, bottom) = (i64::from(frame.width) - EDGE, i64::from(frame.height) - EDGE);
    row.iter().enumerate().all(|(index, cell)| {
        let same_width = (cell[2] - cell[0] - widths[shade(index)]).abs() <= ROUNDING;
        let same_height = (cell[3] - cell[1] - height).abs() <= 2 * ROUNDING;
        same_width && same_height && cell[2] < right && cell[3] < bottom
    })
}

fn middle(cells: &[Bounds], side: fn(&Bounds) -> i64) -> i64 {
    let mut sizes: Vec<i64> = cells.iter().map(side).collect();
    sizes.sort_unstable();
    sizes.get(sizes.len() / 2).copied().unwrap_or(0)
}

fn band(row: &[Bounds], left: i64) -> Bounds {
    let top = row.iter().map(|cell| cell[1]).min().unwrap_or(0);
    let bottom = row.iter().map(|cell| cell[3]).max().unwrap_or(0);
    [left, top, row.last().map_or(left, |cell| cell[2]), bottom]
}
