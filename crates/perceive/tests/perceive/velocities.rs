//! Cells that are lit more or less strongly, in rows that are muted or not, on shaded groups: everything that
//! moves a cell between unlit and lit at once. Coverage is not asked for, only that nothing is wrong.

use crate::draw::{Dice, Layout, Skin, draw, layout};
use crate::synthetic::{Count, SIZE, count};

const ROUNDS: u64 = 150;

pub(crate) fn check(name: &str, seed: u64, least: f64, skin: impl Fn(&mut Dice) -> Skin) {
    let mut dice = Dice(seed);
    let mut all = Count::default();
    let mut failures = Vec::new();
    for round in 0..rounds() {
        let (layout, skin) = (varied(&mut dice), skin(&mut dice));
        let found = count(&draw(&layout, &skin, SIZE), &layout);
        if found.wrong > 0 {
            failures.push(format!("round {round}: {found:?} of {layout:?} in {skin:?}"));
        }
        all = Count { right: all.right + found.right, unknown: all.unknown + found.unknown, wrong: 0 };
    }
    assert!(failures.is_empty(), "{name}: {} pictures, the first: {}", failures.len(), failures[0]);
    let share = all.right as f64 / (all.right + all.unknown) as f64;
    assert!(share >= least, "{name}: only {share:.3} of the cells were read");
}

/// More with `SUREHAND_ROUNDS`, for a long search after a change.
pub(crate) fn rounds() -> u64 {
    std::env::var("SUREHAND_ROUNDS").ok().and_then(|value| value.parse().ok()).unwrap_or(ROUNDS)
}

pub(crate) fn varied(dice: &mut Dice) -> Layout {
    let mut layout = layout(dice);
    layout.dimming = f64::from(dice.between(30, 70)) / 100.0;
    let mutes = dice.pick(&[0, 15, 50]);
    let soft = dice.pick(&[0, 30, 80]);
    for row in 0..layout.lit.len() {
        layout.muted[row] = dice.chance(mutes);
        let style = dice.below(10);
        for column in 0..layout.lit[row].len() {
            match style {
                0 => layout.lit[row][column] = true,
                1 => layout.lit[row][column] = false,
                2 => layout.lit[row][column] = column % 4 == 0,
                3 => layout.lit[row][column] = column % 8 < 4,
                4 => layout.lit[row][column] = column != 5,
                _ => {}
            }
            let strength = if dice.chance(soft) { f64::from(dice.between(30, 100)) / 100.0 } else { 1.0 };
            layout.strength[row][column] = strength;
        }
    }
    layout
}

#[test]
fn colour_with_velocities() {
    check("colour", 21, 0.6, |dice| {
        let grey = dice.between(15, 50) as u8;
        let unlit = dice.pick(&[0, grey + 25]);
        let lit = dice.pick(&[[240, 150, 30], [60, 200, 220], [90, 220, 90], [230, 60, 80]]);
        let shade = dice.pick(&[0, 10, 25]);
        Skin { panel: [grey; 3], unlit: [unlit; 3], shaded: [unlit + shade; 3], lit, border: None }
    });
}

#[test]
fn brightness_with_velocities() {
    check("brightness", 22, 0.4, |dice| {
        let grey = dice.between(15, 60) as u8;
        let unlit = dice.pick(&[0, grey + 25]);
        let lit = dice.between(130, 220) as u8;
        let shade = dice.pick(&[0, 10, 25]);
        Skin { panel: [grey; 3], unlit: [unlit; 3], shaded: [unlit + shade; 3], lit: [lit; 3], border: None }
    });
}

#[test]
fn dark_on_light_with_velocities() {
    check("dark on light", 23, 0.3, |dice| {
        let lit = dice.between(20, 120) as u8;
        let shade = dice.pick(&[0, 10, 25]);
        Skin { panel: [250; 3], unlit: [225; 3], shaded: [225 - shade; 3], lit: [lit; 3], border: None }
    });
}
