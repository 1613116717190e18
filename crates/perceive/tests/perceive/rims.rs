//! Cells with a rim that is the same whatever their state. Where muting dims it, it tells how far a row is dimmed;
//! where it only seems so, nothing may be read wrong.

use crate::draw::{Dice, Layout, Skin, draw, fill, layout, mix};
use crate::synthetic::{SIZE, count};
use crate::velocities::{check, rounds, varied};

#[test]
fn black_rims_and_brightness() {
    check("black rims", 31, 0.6, |dice| {
        let grey = dice.between(45, 90) as u8;
        let unlit = dice.pick(&[14, grey + 25]);
        let lit = dice.between(150, 230) as u8;
        let shade = dice.pick(&[0, 10, 25]);
        Skin {
            panel: [grey; 3],
            unlit: [unlit; 3],
            shaded: [unlit + shade; 3],
            lit: [lit; 3],
            border: Some([dice.pick(&[0, 4]); 3]),
        }
    });
}

#[test]
fn rims_of_any_brightness() {
    check("any rims", 32, 0.4, |dice| {
        let grey = dice.between(25, 110) as u8;
        let unlit = dice.pick(&[0, 14, grey - 15, grey + 15, grey + 30]);
        let lit = dice.between(150, 230) as u8;
        let shade = dice.pick(&[0, 10, 25]);
        Skin {
            panel: [grey; 3],
            unlit: [unlit; 3],
            shaded: [unlit + shade; 3],
            lit: [lit; 3],
            border: Some([dice.between(0, 255) as u8; 3]),
        }
    });
}

#[test]
fn rims_on_light() {
    check("rims on light", 33, 0.2, |dice| {
        let lit = dice.between(20, 140) as u8;
        let shade = dice.pick(&[0, 10, 25]);
        Skin {
            panel: [dice.between(180, 240) as u8; 3],
            unlit: [225; 3],
            shaded: [225 - shade; 3],
            lit: [lit; 3],
            border: Some([dice.pick(&[255, 0, 90, 160, lit]); 3]),
        }
    });
}

#[test]
fn rims_in_one_tint() {
    check("rims in one tint", 34, 0.3, |dice| {
        let tint = dice.pick(&[[255, 160, 70], [140, 255, 190], [120, 170, 255]]);
        let tinted = |level: u32| mix([0; 3], tint, f64::from(level) / 255.0);
        let panel = dice.between(45, 90);
        let unlit = dice.pick(&[16, panel + 25]);
        let shade = dice.pick(&[0, 10, 25]);
        Skin {
            panel: tinted(panel),
            unlit: tinted(unlit),
            shaded: tinted(unlit + shade),
            lit: tinted(dice.between(150, 240)),
            border: Some(tinted(dice.pick(&[0, 6, 130]))),
        }
    });
}

/// Stripes change the ground of rows, and what shows through a half transparent rim, but not the cells.
#[test]
fn stripes_are_no_dimming() {
    let mut dice = Dice(35);
    for round in 0..rounds() {
        let layout = Layout { muted: Vec::new(), ..varied(&mut dice) };
        let grounds = [dice.between(20, 60), dice.between(60, 110)].map(|grey| [grey as u8; 3]);
        let through = f64::from(dice.pick(&[0, 30, 60])) / 100.0;
        let unlit = dice.pick(&[14, 70, 120]);
        let skin = Skin {
            panel: [dice.between(15, 110) as u8; 3],
            unlit: [unlit; 3],
            shaded: [unlit + dice.pick(&[0, 10]); 3],
            lit: [dice.between(150, 230) as u8; 3],
            border: None,
        };
        let pixels = striped(&layout, &skin, &grounds, through);
        let found = count(&pixels, &layout);
        assert_eq!(found.wrong, 0, "round {round}: {found:?} of {layout:?} in {skin:?} on {grounds:?}, {through}");
    }
}

fn striped(layout: &Layout, skin: &Skin, grounds: &[[u8; 3]; 2], through: f64) -> surehand_types::Pixels {
    let plain = Layout { muted: vec![false; layout.lit.len()], ..layout.clone() };
    let mut pixels = draw(&plain, skin, SIZE);
    let cells = pixels.clone();
    let half = layout.row_gap / 2;
    for row in 0..layout.lit.len() as u32 {
        let (y0, y1) = (layout.row(row), layout.row(row) + layout.cell.1);
        let ground = grounds[row as usize % 2];
        fill(&mut pixels, layout.left - 20, y0 - half, layout.right() + 20, y1 + layout.row_gap - half, ground);
        for column in 0..layout.columns {
            let (x0, x1) = (layout.column(column), layout.column(column) + layout.cell.0);
            let at = (((y0 + layout.cell.1 / 2) * SIZE.0 + x0 + layout.cell.0 / 2) * 3) as usize;
            let colour = [cells.rgb[at], cells.rgb[at + 1], cells.rgb[at + 2]];
            fill(&mut pixels, x0, y0, x1, y1, mix([0; 3], ground, through));
            fill(&mut pixels, x0 + 1, y0 + 1, x1 - 1, y1 - 1, colour);
        }
    }
    pixels
}

/// A row is told to be on or off only where it is so.
#[test]
fn rims_tell_muted_rows() {
    let mut dice = Dice(36);
    let mut told = 0;
    for round in 0..60 {
        let layout = Layout { row_gap: 12, ..layout(&mut dice) };
        let skin = Skin { panel: [60; 3], unlit: [20; 3], shaded: [34; 3], lit: [190; 3], border: Some([0; 3]) };
        let ui = surehand_perceive::perceive(&draw(&layout, &skin, SIZE), &surehand_perceive::Options::default());
        for (row, muted) in ui.rows.iter().zip(&layout.muted) {
            let state = row.enabled;
            told += usize::from(state != surehand_types::ui::OnOff::Unknown);
            let wrong = state == surehand_types::ui::OnOff::of(*muted);
            assert!(!wrong, "round {round}: {state:?} of {:?}", layout.muted);
        }
    }
    assert!(told > 60, "only {told} rows were told");
}
