//! Cells that are lit by their outline alone, and what only looks like it: the ring around one cell, a player's frame,
//! accents on the beat.

use surehand_perceive::{Options, perceive};
use surehand_types::Pixels;
use surehand_types::ui::OnOff;

use crate::draw::{Dice, Rgb, canvas, fill};

const COLUMNS: u32 = 16;
const SIZE: u32 = 24;
const PITCH: u32 = 30;
const ROW_PITCH: u32 = 36;
const PANEL: Rgb = [24, 26, 30];
const LINE: Rgb = [80, 84, 90];
const LIT: Rgb = [40, 210, 240];

/// Whether the cell of that row and column is framed.
type Framed = fn(u32, u32) -> bool;

/// Rows of empty frames; where `lit` says so the frame is of another colour, and thicker.
fn frames(rows: u32, lit: impl Fn(u32, u32) -> bool) -> Pixels {
    let mut pixels = canvas(640, 480, PANEL);
    for row in 0..rows {
        for column in 0..COLUMNS {
            let (x, y) = (80 + column * PITCH, 60 + row * ROW_PITCH);
            let (colour, thick) = if lit(row, column) { (LIT, 2) } else { (LINE, 1) };
            fill(&mut pixels, x, y, x + SIZE, y + SIZE, colour);
            fill(&mut pixels, x + thick, y + thick, x + SIZE - thick, y + SIZE - thick, [40, 42, 46]);
        }
    }
    pixels
}

/// Right, unknown and wrong cells.
fn compared(pixels: &Pixels, lit: impl Fn(u32, u32) -> bool) -> [usize; 3] {
    let ui = perceive(pixels, &Options::default());
    let mut counts = [0; 3];
    for (row, found) in ui.rows.iter().filter(|row| row.cells.len() >= 8).enumerate() {
        for cell in &found.cells {
            let right = cell.state == OnOff::of(lit(row as u32, cell.index - 1));
            counts[if cell.state == OnOff::Unknown { 1 } else { usize::from(!right) * 2 }] += 1;
        }
    }
    counts
}

#[test]
fn lit_frames_are_read() {
    let mut dice = Dice(71);
    for rows in [2, 4, 7] {
        let pattern: Vec<bool> = (0..rows * COLUMNS).map(|_| dice.chance(30)).collect();
        let lit = |row: u32, column: u32| pattern[(row * COLUMNS + column) as usize];
        assert_eq!(compared(&frames(rows, lit), lit), [(rows * COLUMNS) as usize, 0, 0], "{rows} rows");
    }
}

#[test]
fn rings_and_accents_are_no_steps() {
    let none = |_: u32, _: u32| false;
    let focus = |row: u32, column: u32| row == 1 && column == 4;
    let player = |_: u32, column: u32| column == 6;
    let accents = |_: u32, column: u32| column.is_multiple_of(4);
    let row = |row: u32, _: u32| row == 2;
    let looks: [(&str, Framed); 4] = [("focus", focus), ("player", player), ("accents", accents), ("chosen row", row)];
    for (name, framed) in looks {
        let [_, _, wrong] = compared(&frames(4, framed), none);
        assert_eq!(wrong, 0, "{name}");
    }
}
