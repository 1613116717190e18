//! Skins that break simple rules: muted rows that turn black instead of fading, rows lit in colours of their own,
//! ticked cells, glowing ones, tables with shared borders. Whole, and scrolled so that the first cells are gone.

use surehand_types::Pixels;

use crate::draw::{Dice, Layout, Rgb, canvas, fill, layout, mix};
use crate::synthetic::{Count, SIZE, count};

const ROUNDS: u64 = 60;
const COLOURS: [Rgb; 5] = [[240, 150, 30], [60, 200, 220], [90, 220, 90], [230, 60, 80], [150, 110, 250]];

/// More with `SUREHAND_ROUNDS`, for a long search after a change.
fn rounds() -> u64 {
    std::env::var("SUREHAND_ROUNDS").ok().and_then(|value| value.parse().ok()).unwrap_or(ROUNDS)
}

/// Nothing may be wrong, and at least that share must be read.
fn check(name: &str, seed: u64, least: f64, picture: impl Fn(&mut Dice) -> (Layout, Pixels)) {
    let mut dice = Dice(seed);
    let mut all = Count::default();
    let mut failures = Vec::new();
    for round in 0..rounds() {
        let (layout, pixels) = picture(&mut dice);
        let found = count(&pixels, &layout);
        if found.wrong > 0 {
            failures.push(format!("round {round}: {found:?} of {layout:?}"));
        }
        all = Count { right: all.right + found.right, unknown: all.unknown + found.unknown, wrong: 0 };
    }
    assert!(failures.is_empty(), "{name}: {} pictures, the first: {}", failures.len(), failures[0]);
    let share = all.right as f64 / (all.right + all.unknown) as f64;
    assert!(share >= least, "{name}: only {share:.3} of the cells were read");
}

/// Rows of every kind: full, empty, full but for one cell, on the beat, in whole groups.
fn with_odd_rows(dice: &mut Dice, mut layout: Layout) -> Layout {
    for row in &mut layout.lit {
        let style = dice.below(12);
        for (column, lit) in row.iter_mut().enumerate() {
            match style {
                0 => *lit = true,
                1 => *lit = false,
                2 => *lit = column != 5,
                3 => *lit = column % 4 == 0,
                4 => *lit = column % 8 < 4,
                _ => {}
            }
        }
    }
    layout
}

fn cells(layout: &Layout) -> impl Iterator<Item = (usize, usize, [u32; 4])> + '_ {
    (0..layout.lit.len()).flat_map(move |row| {
        (0..layout.lit[row].len()).map(move |column| {
            let (x, y) = (layout.column(column as u32), layout.row(row as u32));
            (row, column, [x, y, x + layout.cell.0, y + layout.cell.1])
        })
    })
}

/// Everything left of a point within the cells takes the panel's colour, as in a scrolled container.
fn scrolled(dice: &mut Dice, layout: &Layout, panel: Rgb, pixels: &mut Pixels) {
    let cut = layout.column(dice.below(layout.columns / 2)) + dice.between(2, layout.cell.0 - 1);
    fill(pixels, 0, 0, cut, SIZE.1, panel);
}

/// Unlit cells are darker than the panel, and muted rows turn black: a full row of middling velocity then has
/// cells as dark as unlit ones elsewhere.
#[test]
fn muted_rows_turn_black() {
    for (seed, tint) in [(31, [1.0, 1.0, 1.0]), (32, [0.6, 1.0, 0.8]), (33, [1.0, 0.7, 0.4])] {
        check("black", seed, 0.4, |dice| {
            let layout = layout(dice);
            let mut layout = with_odd_rows(dice, layout);
            let (soft, mutes) = (dice.pick(&[0, 40, 80]), dice.pick(&[0, 30, 60]));
            let tinted = |grey: u32| tint.map(|part| (f64::from(grey) * part) as u8);
            let (panel, unlit, lit) = (dice.between(45, 80), dice.between(20, 40), dice.between(150, 240));
            let shade = dice.pick(&[0, 8, 15]);
            let dimming = f64::from(dice.between(30, 70)) / 100.0;
            let mut pixels = canvas(SIZE.0, SIZE.1, tinted(panel));
            layout.muted.iter_mut().for_each(|muted| *muted = dice.chance(mutes));
            for (row, column, [x0, y0, x1, y1]) in cells(&layout) {
                let unlit = if (column / 4) % 2 == 0 { unlit } else { unlit + shade };
                let strength = if dice.chance(soft) { f64::from(dice.between(30, 100)) / 100.0 } else { 1.0 };
                let own =
                    if layout.lit[row][column] { mix(tinted(unlit), tinted(lit), strength) } else { tinted(unlit) };
                let own = if layout.muted[row] { mix(own, [0; 3], dimming) } else { own };
                fill(&mut pixels, x0, y0, x1, y1, own);
            }
            (layout, pixels)
        });
    }
}

#[test]
fn rows_in_colours_of_their_own() {
    check("own colours", 34, 0.7, |dice| {
        let layout = layout(dice);
        let mut layout = with_odd_rows(dice, layout);
        let grey = dice.between(15, 50) as u8;
        let mutes = dice.pick(&[0, 0, 25]);
        let first = dice.below(5) as usize;
        let mut pixels = canvas(SIZE.0, SIZE.1, [grey; 3]);
        layout.muted.iter_mut().for_each(|muted| *muted = dice.chance(mutes));
        for (row, column, [x0, y0, x1, y1]) in cells(&layout) {
            let own = if layout.lit[row][column] { COLOURS[(first + row) % 5] } else { [grey + 28; 3] };
            let own = if layout.muted[row] { mix(own, [grey; 3], 0.5) } else { own };
            fill(&mut pixels, x0, y0, x1, y1, own);
        }
        (layout, pixels)
    });
}

/// A tick of two strokes.
fn tick(pixels: &mut Pixels, [x0, y0, x1, y1]: [u32; 4], colour: Rgb) {
    let (width, height) = (x1 - x0, y1 - y0);
    for step in 0..width * 6 / 10 {
        let (x, down) = (x0 + width * 2 / 10 + step, step.abs_diff(width * 2 / 10));
        let y = (y0 + height * 7 / 10).saturating_sub(down * height / width);
        fill(pixels, x, y.saturating_sub(1), x + 2, y + 2, colour);
    }
}

#[test]
fn ticked_cells() {
    check("ticks", 35, 0.6, |dice| {
        let layout = layout(dice);
        let layout = with_odd_rows(dice, layout);
        let mut pixels = canvas(SIZE.0, SIZE.1, [255; 3]);
        let lit = dice.pick(&[[0, 117, 255], [200, 30, 40], [20, 140, 60]]);
        for (row, column, [x0, y0, x1, y1]) in cells(&layout) {
            let on = layout.lit[row][column];
            fill(&mut pixels, x0, y0, x1, y1, if on { lit } else { [118; 3] });
            fill(&mut pixels, x0 + 1, y0 + 1, x1 - 1, y1 - 1, if on { lit } else { [255; 3] });
            if on {
                tick(&mut pixels, [x0, y0, x1, y1], [255; 3]);
            }
        }
        (layout, pixels)
    });
}

fn glowing(dice: &mut Dice) -> (Layout, Pixels, Rgb) {
    let layout = layout(dice);
    let layout = with_odd_rows(dice, layout);
    let panel = [24, 27, 38];
    let lit = dice.pick(&COLOURS);
    let reach = dice.between(4, 9);
    let mut pixels = canvas(SIZE.0, SIZE.1, panel);
    for ring in (1..=reach).rev() {
        let glow = mix(panel, lit, 0.35 * f64::from(reach + 1 - ring) / f64::from(reach + 1));
        for (row, column, [x0, y0, x1, y1]) in cells(&layout) {
            if layout.lit[row][column] {
                fill(&mut pixels, x0 - ring, y0 - ring, x1 + ring, y1 + ring, glow);
            }
        }
    }
    for (row, column, [x0, y0, x1, y1]) in cells(&layout) {
        fill(&mut pixels, x0, y0, x1, y1, if layout.lit[row][column] { lit } else { [42, 47, 64] });
    }
    (layout, pixels, panel)
}

#[test]
fn lit_cells_glow() {
    check("glow", 37, 0.5, |dice| {
        let (layout, pixels, _) = glowing(dice);
        (layout, pixels)
    });
}

#[test]
fn scrolled_glow_is_not_counted_from_the_edge() {
    check("scrolled glow", 38, 0.0, |dice| {
        let (layout, mut pixels, panel) = glowing(dice);
        scrolled(dice, &layout, panel, &mut pixels);
        (layout, pixels)
    });
}

/// Cells of a table: a line of one pixel between them, and around them.
fn table(dice: &mut Dice) -> (Layout, Pixels, Rgb) {
    let layout = layout(dice);
    let mut layout = with_odd_rows(dice, layout);
    (layout.gap, layout.group_gap) = (1, 0);
    let (panel, line) = ([255; 3], dice.pick(&[[204; 3], [120; 3], [60, 60, 80]]));
    let lit = dice.pick(&[[30, 90, 220], [200, 30, 40], [20, 140, 60], [220, 120, 0]]);
    let mut pixels = canvas(SIZE.0, SIZE.1, panel);
    for (row, column, [x0, y0, x1, y1]) in cells(&layout) {
        fill(&mut pixels, x0 - 1, y0 - 1, x1 + 1, y1 + 1, line);
        fill(&mut pixels, x0, y0, x1, y1, if layout.lit[row][column] { lit } else { panel });
    }
    (layout, pixels, panel)
}

#[test]
fn tables() {
    check("table", 39, 0.7, |dice| {
        let (layout, pixels, _) = table(dice);
        (layout, pixels)
    });
}

#[test]
fn scrolled_tables_are_not_counted_from_the_edge() {
    check("scrolled table", 40, 0.0, |dice| {
        let (layout, mut pixels, panel) = table(dice);
        scrolled(dice, &layout, panel, &mut pixels);
        (layout, pixels)
    });
}
