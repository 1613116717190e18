//! A copy of the picture with what was read drawn on it, for people who want to see it.

use surehand_checks::picture::{Stroke, outline_box};
use surehand_types::ui::{OnOff, PixelBox, UiState};
use surehand_types::{Pixels, ViewBox, ViewSize};

const ON: [u8; 3] = [30, 220, 60];
const OFF: [u8; 3] = [150, 150, 150];
const UNKNOWN: [u8; 3] = [255, 140, 0];
const TEXT: [u8; 3] = [60, 130, 255];
const GRID: [u8; 3] = [230, 60, 230];

/// Boxes: green for on, grey for off, orange for unknown; blue around texts, dashed around grids. Every
/// fourth cell has a tick above it.
pub fn annotate(pixels: &Pixels, ui: &UiState) -> Pixels {
    let mut copy = pixels.clone();
    let mut draw = |bounds: PixelBox, colour: [u8; 3], dashed: bool, grow: f64| {
        let view = ViewSize { width: pixels.width, height: pixels.height };
        let [x0, y0, x1, y1] = bounds.map(f64::from);
        let grown = ViewBox { x0: x0 - grow, y0: y0 - grow, x1: x1 + grow, y1: y1 + grow };
        outline_box(&mut copy, view, grown, Stroke { colour, width: 1.0, dashed });
    };
    for grid in &ui.grids {
        draw(grid.bbox, GRID, true, 4.0);
    }
    for row in &ui.rows {
        draw(row.bbox, colour(row.complete), true, 2.0);
        for cell in &row.cells {
            draw(cell.bbox, colour(cell.state), false, 0.0);
            if cell.index % 4 == 1 {
                let [x0, y0, _, _] = cell.bbox;
                draw([x0, y0.saturating_sub(5), x0 + 1, y0.saturating_sub(1)], GRID, false, 0.0);
            }
        }
    }
    ui.toggles.iter().for_each(|toggle| draw(toggle.bbox, colour(toggle.state), false, 1.0));
    ui.fields.iter().for_each(|field| draw(field.bbox, TEXT, true, 1.0));
    ui.anchors.iter().for_each(|anchor| draw(anchor.bbox, TEXT, false, 1.0));
    copy
}

fn colour(state: OnOff) -> [u8; 3] {
    match state {
        OnOff::On => ON,
        OnOff::Off => OFF,
        OnOff::Unknown => UNKNOWN,
    }
}
