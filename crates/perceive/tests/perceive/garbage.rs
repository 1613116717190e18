//! Pictures with nothing to read: no claims, no panic.

use surehand_perceive::{Options, annotate, perceive};
use surehand_types::Pixels;
use surehand_types::ui::{OnOff, UiState};

use crate::draw::{Dice, canvas, fill};

fn claims(ui: &UiState) -> usize {
    let cells = ui.rows.iter().flat_map(|row| &row.cells).filter(|cell| cell.state != OnOff::Unknown).count();
    cells + ui.toggles.iter().filter(|toggle| toggle.state != OnOff::Unknown).count()
}

fn nothing_in(name: &str, pixels: &Pixels) {
    let ui = perceive(pixels, &Options::default());
    assert_eq!(claims(&ui), 0, "{name}: {ui:?}");
    let drawn = annotate(pixels, &ui);
    assert_eq!((drawn.width, drawn.height), (pixels.width, pixels.height));
}

#[test]
fn tiny_and_flat_pictures() {
    for (width, height) in [(1, 1), (1, 500), (500, 1), (2, 2), (7, 3), (640, 480)] {
        nothing_in("flat", &canvas(width, height, [90, 90, 90]));
    }
}

#[test]
fn a_picture_that_lies_about_its_size() {
    let broken = Pixels { width: 100, height: 100, rgb: vec![0; 12] };
    assert_eq!(claims(&perceive(&broken, &Options::default())), 0);
    let none = Pixels { width: 0, height: 0, rgb: Vec::new() };
    assert_eq!(claims(&perceive(&none, &Options::default())), 0);
}

#[test]
fn noise() {
    let mut dice = Dice(11);
    for amplitude in [8, 60, 255] {
        let rgb = (0..640 * 480 * 3).map(|_| dice.below(amplitude + 1) as u8).collect();
        nothing_in("noise", &Pixels::new(640, 480, rgb).unwrap());
    }
}

#[test]
fn gradients() {
    let mut pixels = canvas(640, 480, [0; 3]);
    for y in 0..480 {
        for x in 0..640 {
            pixels.set(x, y, [(x * 255 / 640) as u8, (y * 255 / 480) as u8, ((x + y) % 256) as u8]);
        }
    }
    nothing_in("gradient", &pixels);
}

/// Many colours in equal cells: a palette.
#[test]
fn palettes() {
    let mut dice = Dice(12);
    for _ in 0..20 {
        let mut pixels = canvas(800, 400, [240; 3]);
        for row in 0..6 {
            for column in 0..16 {
                let colour = [dice.below(256) as u8, dice.below(256) as u8, dice.below(256) as u8];
                let (x, y) = (40 + column * 40, 40 + row * 40);
                fill(&mut pixels, x, y, x + 36, y + 36, colour);
            }
        }
        nothing_in("palette", &pixels);
    }
}

/// Equal buttons with something different on each.
#[test]
fn toolbars() {
    let mut dice = Dice(13);
    for _ in 0..30 {
        let mut pixels = canvas(900, 200, [60; 3]);
        for button in 0..dice.pick(&[8, 12, 16]) {
            let (x, y) = (30 + button * 40, 40);
            fill(&mut pixels, x, y, x + 34, y + 34, [95; 3]);
            for _ in 0..dice.between(2, 5) {
                let (dx, dy) = (dice.between(5, 20), dice.between(5, 20));
                fill(&mut pixels, x + dx, y + dy, x + dx + dice.between(3, 10), y + dy + dice.between(3, 10), [235; 3]);
            }
        }
        nothing_in("toolbar", &pixels);
    }
}

/// A chessboard differs by column and row alike.
#[test]
fn chessboards() {
    let mut pixels = canvas(600, 600, [30; 3]);
    for row in 0..8 {
        for column in 0..8 {
            let colour = if (row + column) % 2 == 0 { [240, 217, 181] } else { [181, 136, 99] };
            let (x, y) = (60 + column * 60, 60 + row * 60);
            fill(&mut pixels, x, y, x + 60, y + 60, colour);
        }
    }
    nothing_in("chessboard", &pixels);
}
