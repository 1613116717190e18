//! Grids of lines with marks on the crossings, and what must not be taken for one: marks between the lines, tables, lines
//! that are coarser than the steps, grids of which the beginning is out of view.

use surehand_perceive::{Options, perceive};
use surehand_types::Pixels;
use surehand_types::ui::{OnOff, UiRow};

use crate::draw::{Dice, Rgb, canvas, fill};

const GROUND: Rgb = [150, 152, 148];
const STRIPE: Rgb = [132, 134, 130];
const LINE: Rgb = [60, 60, 60];
const TICK: Rgb = [105, 106, 103];
const MARK: Rgb = [30, 60, 160];
const ROWS: u32 = 6;
const ROW: u32 = 22;
const PITCH: u32 = 30;
const TOP: u32 = 60;
const LEFT: u32 = 100;

/// What differs from one picture to the next.
struct Look {
    lines: u32,
    /// Every so manyth line is darker.
    beat: u32,
    /// Ground before the first line, and after the last.
    margins: (u32, u32),
    /// How far marks are from their line.
    aside: u32,
}

const WHOLE: Look = Look { lines: 16, beat: 4, margins: (18, PITCH), aside: 0 };

fn draw(look: &Look, marked: impl Fn(u32, u32) -> bool) -> Pixels {
    let mut pixels = canvas(900, 260, [44, 46, 52]);
    let right = LEFT + look.margins.0 + PITCH * (look.lines - 1) + look.margins.1;
    for row in 0..ROWS {
        let (top, bottom) = (TOP + row * ROW, TOP + (row + 1) * ROW);
        fill(&mut pixels, LEFT, top, right, bottom, if row % 2 == 0 { GROUND } else { STRIPE });
        fill(&mut pixels, LEFT, bottom - 1, right, bottom, LINE);
        for line in 0..look.lines {
            let x = LEFT + look.margins.0 + line * PITCH;
            let colour = if line % look.beat == 0 { LINE } else { TICK };
            fill(&mut pixels, x, bottom - 8, x + 1, bottom - 1, colour);
            if marked(row, line) {
                let (x, y) = (x + look.aside, top + ROW / 2 - 1);
                fill(&mut pixels, x - 4, y - 2, x + 5, y + 3, MARK);
                fill(&mut pixels, x - 2, y - 4, x + 3, y + 5, MARK);
            }
        }
    }
    pixels
}

fn read_rows(pixels: &Pixels) -> Vec<UiRow> {
    let rows = perceive(pixels, &Options::default()).rows;
    rows.into_iter().filter(|row| row.cells.iter().any(|cell| cell.state != OnOff::Unknown)).collect()
}

#[test]
fn marks_on_lines_are_read() {
    let mut dice = Dice(81);
    let centred = Look { margins: (PITCH / 2, PITCH / 2 + 1), beat: 1, ..WHOLE };
    for look in [WHOLE, Look { lines: 32, margins: (18, 3 * PITCH), ..WHOLE }, centred] {
        // Wide grids do not fit the picture otherwise.
        let look = if look.lines == 32 { Look { lines: 24, ..look } } else { look };
        let pattern: Vec<bool> = (0..ROWS * look.lines).map(|_| dice.chance(20)).collect();
        let marked = |row: u32, line: u32| pattern[(row * look.lines + line) as usize];
        let rows = read_rows(&draw(&look, marked));
        assert_eq!(rows.len(), ROWS as usize);
        for (row, found) in rows.iter().enumerate() {
            let expected: Vec<OnOff> = (0..look.lines).map(|line| OnOff::of(marked(row as u32, line))).collect();
            let states: Vec<OnOff> = found.cells.iter().map(|cell| cell.state).collect();
            assert_eq!(states, expected, "row {row} of {} lines", look.lines);
        }
    }
}

#[test]
fn what_is_no_grid_of_steps_is_not_read() {
    let mut dice = Dice(82);
    let pattern: Vec<bool> = (0..ROWS * 40).map(|_| dice.chance(25)).collect();
    let marked = |row: u32, line: u32| pattern[(row * 40 + line) as usize];
    let looks = [
        ("marks between the lines", Look { aside: PITCH / 2, ..WHOLE }),
        ("two lines to a beat", Look { beat: 2, ..WHOLE }),
        ("eight lines to a beat", Look { beat: 8, ..WHOLE }),
        ("the first line is no beat", Look { lines: 15, ..WHOLE }),
        ("scrolled to the first line", Look { margins: (2, PITCH), ..WHOLE }),
        ("cut between two lines", Look { margins: (18, PITCH / 3), ..WHOLE }),
    ];
    for (name, look) in looks {
        assert!(read_rows(&draw(&look, marked)).is_empty(), "{name}");
    }
    assert!(read_rows(&draw(&WHOLE, |_, _| false)).is_empty(), "lines without marks may be a table");
}

#[test]
fn a_mark_off_the_lines_leaves_its_row_open() {
    let marked = |row: u32, line: u32| (row + line).is_multiple_of(5);
    let mut pixels = draw(&WHOLE, marked);
    let x = LEFT + WHOLE.margins.0 + 3 * PITCH + PITCH / 2;
    fill(&mut pixels, x - 4, TOP + ROW + 7, x + 5, TOP + ROW + 14, MARK);
    let rows = read_rows(&pixels);
    let second = TOP + ROW + ROW / 2;
    assert_eq!(rows.len(), ROWS as usize - 1);
    assert!(rows.iter().all(|row| !(row.bbox[1]..row.bbox[3]).contains(&second)));
}
