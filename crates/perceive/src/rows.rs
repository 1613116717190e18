//! Grids as rows of the result: states where the row is wholly in view, unknown cells elsewhere.

use surehand_types::Pixels;
use surehand_types::ui::{OnOff, UiCell, UiGrid, UiRow, UiState};

use crate::colour::Lab;
use crate::shape::Rect;
use crate::state::{self, Look, Reading};
use crate::structure::{Completeness, Grid, MIN_COLUMNS, completeness, overlaps};

/// Adds the grids and their rows. Returns panels: for each group of grids that belong together the rows
/// (by their place in the result) that are worth a label, those with most rows first.
pub(crate) fn add(grids: &[Grid], pixels: &Pixels, ui: &mut UiState) -> Vec<Vec<usize>> {
    let mut owners = Vec::new();
    let grids: Vec<Grid> = grids.iter().filter(|grid| !is_coarse_copy(grid, grids)).cloned().collect();
    let grids = grids.as_slice();
    for (number, family) in families(grids).iter().enumerate() {
        let members: Vec<&Grid> = family.iter().map(|index| &grids[*index]).collect();
        add_family(&members, pixels, ui);
        owners.resize(ui.rows.len(), number);
    }
    doubt_rivals(ui);
    let left_over = left_over(ui);
    let mut keep = left_over.iter().map(|left_over| !left_over);
    ui.rows.retain(|_| keep.next().unwrap_or(true));
    let mut keep = left_over.iter().map(|left_over| !left_over);
    owners.retain(|_| keep.next().unwrap_or(true));
    ui.notes.dedup();
    panels(&owners, ui)
}

/// Whether these few cells are pairs or fours of cells that were found as well: faint ones run together.
fn is_coarse_copy(grid: &Grid, all: &[Grid]) -> bool {
    let finer = |place: &Rect| {
        let rows = |other: &Grid| (0..other.rows.len()).map(|row| other.row_bounds(row)).collect::<Vec<Rect>>();
        let counts = |other: &&Grid| other.columns.len() >= MIN_COLUMNS.max(2 * grid.columns.len());
        all.iter().filter(counts).flat_map(rows).any(|row| overlaps(&row, place))
    };
    grid.columns.len() < MIN_COLUMNS && (0..grid.rows.len()).all(|row| finer(&grid.row_bounds(row)))
}

fn panels(owners: &[usize], ui: &UiState) -> Vec<Vec<usize>> {
    let of = |number: usize| -> Vec<usize> {
        let worth = |index: &usize| owners[*index] == number && ui.rows[*index].cells.len() >= MIN_COLUMNS;
        (0..owners.len()).filter(worth).collect()
    };
    let numbers = 0..owners.iter().max().map_or(0, |last| last + 1);
    let read = |panel: &Vec<usize>| panel.iter().any(|index| ui.rows[*index].complete == OnOff::On);
    let mut panels: Vec<Vec<usize>> = numbers.map(of).filter(read).collect();
    panels.sort_by_key(|panel| std::cmp::Reverse(panel.len()));
    panels
}

/// Of two readings of one place, with different numbers of cells, at most one is right. The finer one is
/// believed where the coarser one did not add up; otherwise neither is.
fn doubt_rivals(ui: &mut UiState) {
    let rows: Vec<(Rect, usize, bool)> =
        ui.rows.iter().map(|row| (Rect::of_box(row.bbox), row.cells.len(), row.complete == OnOff::On)).collect();
    let details: Vec<Vec<bool>> =
        ui.rows.iter().map(|row| ui.rows.iter().map(|other| is_detail(other, row)).collect()).collect();
    for (index, (place, count, _)) in rows.iter().enumerate() {
        let rival = |(other, (at, others, complete)): (usize, &(Rect, usize, bool))| {
            let counts = *others >= MIN_COLUMNS && (*complete || others > count);
            other != index && counts && overlaps(at, place) && !details[index][other]
        };
        let row = &mut ui.rows[index];
        if row.complete == OnOff::On && rows.iter().enumerate().any(rival) {
            ui.notes.push(format!(
                "The row at height {:.0} is not read: its cells can be counted in two ways.",
                place.centre().1
            ));
            row.complete = OnOff::Unknown;
            row.enabled = OnOff::Unknown;
            row.conf = 0.0;
            row.cells.iter_mut().for_each(|cell| (cell.state, cell.conf) = (OnOff::Unknown, 0.0));
        }
    }
}

/// Whether all cells of the one lie within cells of the other, no two in the same: a bright edge or a sign that
/// the cells have, which is no other way to count them.
fn is_detail(small: &UiRow, row: &UiRow) -> bool {
    let within = |cell: &UiCell| {
        let (place, reach) = (Rect::of_box(cell.bbox), 2);
        row.cells.iter().position(|outer| {
            let outer = Rect::of_box(outer.bbox);
            let wide = place.x0 >= outer.x0 - reach && place.x1 <= outer.x1 + reach;
            wide && place.y0 >= outer.y0 - reach && place.y1 <= outer.y1 + reach
        })
    };
    let places: Option<Vec<usize>> = small.cells.iter().map(within).collect();
    places.is_some_and(|places| {
        places.windows(2).all(|pair| pair[0] < pair[1])
            && Rect::of_box(small.bbox).height() * 3 < Rect::of_box(row.bbox).height() * 2
    })
}

/// What is left of a row that was read in another way is no row of its own.
fn left_over(ui: &UiState) -> Vec<bool> {
    let read: Vec<Rect> =
        ui.rows.iter().filter(|row| row.complete == OnOff::On).map(|row| Rect::of_box(row.bbox)).collect();
    let is_left_over =
        |row: &UiRow| row.complete != OnOff::On && read.iter().any(|place| overlaps(place, &Rect::of_box(row.bbox)));
    ui.rows.iter().map(is_left_over).collect()
}

/// Grids that stand under each other with the same left and right ends and the same cell height show one
/// thing with rows of different step counts; their colours are read together.
fn families(grids: &[Grid]) -> Vec<Vec<usize>> {
    let mut families: Vec<Vec<usize>> = Vec::new();
    for (index, grid) in grids.iter().enumerate() {
        let related = |other: &usize| same_panel(grid, &grids[*other]);
        match families.iter_mut().find(|family| family.iter().any(related)) {
            Some(family) => family.push(index),
            None => families.push(vec![index]),
        }
    }
    families
}

fn same_panel(one: &Grid, other: &Grid) -> bool {
    let ground = |grid: &Grid| {
        let last = grid.columns.len() - 1;
        (grid.columns[0] - grid.pitch / 2.0, grid.columns[last] + grid.pitch / 2.0)
    };
    let ((a_left, a_right), (b_left, b_right)) = (ground(one), ground(other));
    (a_left - b_left).abs() <= 6.0
        && (a_right - b_right).abs() <= 6.0
        && (one.height - other.height).abs() <= (one.height * 0.3).max(4.0)
}

fn add_family(grids: &[&Grid], pixels: &Pixels, ui: &mut UiState) {
    let looks: Vec<Vec<Option<Look>>> = grids.iter().flat_map(|grid| state::looks(grid, pixels)).collect();
    let surroundings: Vec<Lab> =
        grids.iter().max_by_key(|grid| grid.rows.len()).map_or(Vec::new(), |grid| state::surroundings(grid, pixels));
    let dimming = state::Dimming::of(grids, &looks, pixels);
    let readings = state::read(&looks, &dimming.grounded(&surroundings), &dimming);
    let mut enabled = state::enabled(&looks, &readings, &surroundings, &dimming).into_iter();
    let mut readings = readings.into_iter();
    let Some(panel) = grids.iter().map(|grid| grid.bounds()).reduce(|a, b| a.union(&b)) else { return };
    for grid in grids {
        let complete = completeness(grid, panel, pixels);
        let mut known = 0;
        for (row, complete) in complete.iter().enumerate() {
            let mut read = readings.next().unwrap_or_default();
            let mut enabled = enabled.next().unwrap_or_default();
            if let Completeness::Doubtful(why) = complete {
                ui.notes.push(format!("The row at height {:.0} is not read: {why}.", grid.rows[row]));
            }
            if *complete != Completeness::Complete {
                read = vec![Reading::UNKNOWN; grid.columns.len()];
                enabled = OnOff::Unknown;
            }
            known += read.iter().filter(|reading| reading.state != OnOff::Unknown).count();
            ui.rows.push(UiRow { enabled, ..row_of(grid, row, *complete, &read) });
        }
        let bounds = grid.bounds();
        ui.grids.push(UiGrid {
            rows: grid.rows.len() as u32,
            cols: grid.columns.len() as u32,
            pitch: [grid.pitch, grid.row_pitch()],
            bbox: bounds.within(pixels).unwrap_or(bounds).to_box(),
            conf: known as f64 / (grid.rows.len() * grid.columns.len()).max(1) as f64,
        });
    }
}

fn row_of(grid: &Grid, row: usize, complete: Completeness, readings: &[Reading]) -> UiRow {
    let bounds = |column: usize| match &grid.cells[row][column] {
        Some(spot) => spot.closest(grid.width, grid.height),
        None => grid.cell_rect(row, column),
    };
    let cells: Vec<UiCell> = readings
        .iter()
        .enumerate()
        .map(|(column, reading)| UiCell {
            index: column as u32 + 1,
            bbox: bounds(column).to_box(),
            state: reading.state,
            conf: reading.conf,
        })
        .collect();
    UiRow {
        label: None,
        label_conf: 0.0,
        bbox: grid.row_bounds(row).to_box(),
        conf: cells.iter().map(|cell| cell.conf).fold(1.0, f64::min),
        enabled: OnOff::Unknown,
        cells,
        complete: match complete {
            Completeness::Complete => OnOff::On,
            Completeness::Cut => OnOff::Off,
            Completeness::Doubtful(_) => OnOff::Unknown,
        },
    }
}
