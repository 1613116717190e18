//! Drawn sequencers: every skin, every size, whole and covered.

use surehand_perceive::{Options, perceive};
use surehand_types::Pixels;
use surehand_types::ui::{OnOff, UiRow, UiState};

use crate::draw::{Dice, Layout, Skin, draw, fill, layout};

pub(crate) const SIZE: (u32, u32) = (1280, 720);
const ROUNDS: u64 = 100;

/// What was made of the cells of a picture.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Count {
    pub(crate) right: usize,
    pub(crate) unknown: usize,
    pub(crate) wrong: usize,
}

/// Compares by place: the cell that is drawn at a point is the cell whose box holds that point. A claimed
/// cell must have the right state and the right index.
pub(crate) fn count(pixels: &Pixels, layout: &Layout) -> Count {
    count_in(&perceive(pixels, &Options::default()), layout)
}

fn count_in(ui: &UiState, layout: &Layout) -> Count {
    let mut count = Count::default();
    for (row, cells) in layout.lit.iter().enumerate() {
        let y = layout.row(row as u32) + layout.cell.1 / 2;
        for (column, lit) in cells.iter().enumerate() {
            let x = layout.column(column as u32) + layout.cell.0 / 2;
            let holds = |b: &[u32; 4]| b[0] <= x && x < b[2] && b[1] <= y && y < b[3];
            let cell = ui.rows.iter().flat_map(|row: &UiRow| &row.cells).find(|cell| holds(&cell.bbox));
            match cell.map(|cell| (cell.state, cell.index as usize)) {
                None | Some((OnOff::Unknown, _)) => count.unknown += 1,
                Some((state, index)) if index == column + 1 && state == OnOff::of(*lit) => count.right += 1,
                Some(_) => count.wrong += 1,
            }
        }
    }
    count
}

/// Runs a skin over many layouts; nothing may be wrong, and at least that share must be read.
fn check(name: &str, seed: u64, least: f64, skin: impl Fn(&mut Dice) -> Skin) {
    let mut dice = Dice(seed);
    let mut all = Count::default();
    for round in 0..ROUNDS {
        let (layout, skin) = (layout(&mut dice), skin(&mut dice));
        let found = count(&draw(&layout, &skin, SIZE), &layout);
        assert_eq!(found.wrong, 0, "{name}, round {round}: {found:?} of {layout:?} in {skin:?}");
        all = Count { right: all.right + found.right, unknown: all.unknown + found.unknown, wrong: 0 };
    }
    let share = all.right as f64 / (all.right + all.unknown) as f64;
    assert!(share >= least, "{name}: only {share:.3} of the cells were read");
}

#[test]
fn coloured_on_dark() {
    check("coloured on dark", 1, 0.9, |dice| {
        let grey = dice.between(15, 50) as u8;
        let unlit = grey + 25;
        let lit = dice.pick(&[[240, 150, 30], [60, 200, 220], [90, 220, 90], [230, 60, 80], [150, 110, 250]]);
        let shade = dice.pick(&[0, 0, 10]);
        let border = dice.chance(40).then_some([unlit + 50; 3]);
        Skin { panel: [grey; 3], unlit: [unlit; 3], shaded: [unlit + shade; 3], lit, border }
    });
}

#[test]
fn coloured_on_light() {
    check("coloured on light", 2, 0.9, |dice| {
        let lit = dice.pick(&[[30, 90, 220], [200, 30, 40], [20, 140, 60], [220, 120, 0]]);
        let shade = dice.pick(&[0, 0, 12]);
        let border = dice.chance(40).then_some([150; 3]);
        Skin { panel: [246; 3], unlit: [224; 3], shaded: [224 - shade; 3], lit, border }
    });
}

#[test]
fn lit_is_only_brighter() {
    check("only brighter", 3, 0.75, |dice| {
        let grey = dice.between(15, 40) as u8;
        let unlit = grey + 22;
        let lit = unlit + dice.between(70, 140) as u8;
        let shade = dice.pick(&[0, 0, 8]);
        Skin { panel: [grey; 3], unlit: [unlit; 3], shaded: [unlit + shade; 3], lit: [lit; 3], border: None }
    });
}

#[test]
fn lit_is_only_more_colourful() {
    // Equal brightness, from grey to a clear colour.
    check("only more colourful", 4, 0.6, |dice| {
        let (unlit, lit) =
            dice.pick(&[([112; 3], [72, 112, 190]), ([128; 3], [60, 150, 60]), ([120; 3], [190, 88, 70])]);
        Skin { panel: [40; 3], unlit, shaded: unlit, lit, border: None }
    });
}

#[test]
fn lit_is_only_of_another_hue() {
    // Which hue is the lit one cannot be seen; it must not be guessed wrong.
    check("only another hue", 5, 0.0, |dice| {
        let (unlit, lit) = dice.pick(&[([80, 110, 190], [176, 92, 82]), ([176, 92, 82], [80, 110, 190])]);
        Skin { panel: [40; 3], unlit, shaded: unlit, lit, border: None }
    });
}

#[test]
fn lit_is_darker_on_light() {
    check("darker on light", 6, 0.6, |dice| {
        let lit = dice.between(30, 110) as u8;
        let border = dice.chance(50).then_some([170; 3]);
        Skin { panel: [255; 3], unlit: [235; 3], shaded: [235; 3], lit: [lit; 3], border }
    });
}

/// A window over part of the cells, anywhere, in colours of its own or in those of the cells. (One in the
/// panel's colour that ends between two cells leaves nothing to be seen; the next test cuts through cells.)
fn cover_cells(wanted: impl Fn(usize) -> bool) {
    let mut dice = Dice(7);
    for round in 0..400 {
        let layout = layout(&mut dice);
        let skin = Skin {
            panel: [34, 36, 42],
            unlit: [62, 64, 70],
            shaded: if dice.chance(50) { [72, 74, 80] } else { [62, 64, 70] },
            lit: [240, 150, 30],
            border: dice.chance(40).then_some([110; 3]),
        };
        let colour = dice.pick(&[[200; 3], [20; 3], skin.unlit, skin.lit]);
        let (x0, y0) = (dice.below(layout.right()), dice.below(layout.bottom()));
        let (width, height) = (dice.between(30, 500), dice.between(20, 300));
        // Every round throws the same dice, whoever looks at it.
        if !wanted(round) {
            continue;
        }
        let mut pixels = draw(&layout, &skin, SIZE);
        fill(&mut pixels, x0, y0, x0 + width, y0 + height, colour);
        let found = count_visible(&pixels, &layout, (x0, y0, x0 + width, y0 + height));
        assert_eq!(found.wrong, 0, "round {round}: {found:?} of {layout:?} covered at {x0},{y0} {width}x{height}");
    }
}

#[test]
fn covered_cells_are_never_wrong_in_even_rounds() {
    cover_cells(|round| round % 2 == 0);
}

/// A test of its own, so that both halves run beside each other.
#[test]
fn covered_cells_are_never_wrong_in_odd_rounds() {
    cover_cells(|round| round % 2 == 1);
}

/// Claims about cells of which most is under the cover are wrong whatever they say.
fn count_visible(pixels: &Pixels, layout: &Layout, cover: (u32, u32, u32, u32)) -> Count {
    let ui = perceive(pixels, &Options::default());
    let mut found = count_in(&ui, layout);
    for cell in ui.rows.iter().flat_map(|row| &row.cells).filter(|cell| cell.state != OnOff::Unknown) {
        let [x0, y0, x1, y1] = cell.bbox;
        let shared = |low: u32, high: u32, from: u32, to: u32| high.min(to).saturating_sub(low.max(from));
        let hidden = shared(x0, x1, cover.0, cover.2) * shared(y0, y1, cover.1, cover.3);
        if hidden * 2 > (x1 - x0) * (y1 - y0) {
            found.wrong += 1;
        }
    }
    found
}

/// A view that was scrolled sideways: the first cells are gone, and every index with them.
#[test]
fn scrolled_rows_are_not_counted_from_the_edge() {
    let mut dice = Dice(8);
    for round in 0..300 {
        let mut layout = layout(&mut dice);
        layout.columns = 16;
        layout.cell.0 = layout.cell.0.min(40);
        layout.lit.iter_mut().for_each(|row| row.resize(16, false));
        layout.strength.iter_mut().for_each(|row| row.resize(16, 1.0));
        let skin =
            Skin { panel: [34; 3], unlit: [66; 3], shaded: [74; 3], lit: [60, 200, 220], border: Some([120; 3]) };
        let mut pixels = draw(&layout, &skin, SIZE);
        // The panel's own colour up to a point within the cells, as a scrolled container leaves it.
        let pitch = layout.cell.0 + layout.gap;
        let cut = layout.column(dice.between(0, 11)) + dice.between(2, pitch - layout.gap - 1);
        fill(&mut pixels, 0, 0, cut, SIZE.1, skin.panel);
        let found = count(&pixels, &layout);
        assert_eq!(found.wrong, 0, "round {round}: {found:?}, cut at {cut} of {layout:?}");
    }
}
