//! Checkboxes and switches, drawn.

use surehand_perceive::{Options, perceive};
use surehand_types::Pixels;
use surehand_types::ui::OnOff;

use crate::draw::{Rgb, canvas, fill};

const BLUE: Rgb = [20, 110, 240];

fn states(pixels: &Pixels) -> Vec<OnOff> {
    perceive(pixels, &Options::default()).toggles.iter().map(|toggle| toggle.state).collect()
}

fn empty_box(pixels: &mut Pixels, x: u32, y: u32, page: Rgb, border: Rgb) {
    fill(pixels, x, y, x + 16, y + 16, border);
    fill(pixels, x + 1, y + 1, x + 15, y + 15, page);
}

/// Pixels of a tick, from the corner of a box of 16.
fn tick() -> Vec<(u32, u32)> {
    let down = (0..4).map(|step| (3 + step, 7 + step));
    let up = (0..7).map(|step| (6 + step, 10 - step));
    down.chain(up).flat_map(|(x, y)| [(x, y), (x, y + 1)]).collect()
}

#[test]
fn boxes_on_light_and_dark() {
    for (page, border) in [([255; 3], [110; 3]), ([32; 3], [150; 3])] {
        let mut pixels = canvas(400, 200, page);
        empty_box(&mut pixels, 40, 40, page, border);
        fill(&mut pixels, 40, 100, 56, 116, BLUE);
        tick().iter().for_each(|(x, y)| pixels.set(40 + x, 100 + y, [255; 3]));
        assert_eq!(states(&pixels), [OnOff::Off, OnOff::On], "on {page:?}");
    }
}

#[test]
fn a_dash_is_neither() {
    let mut pixels = canvas(400, 200, [255; 3]);
    fill(&mut pixels, 40, 100, 56, 116, BLUE);
    fill(&mut pixels, 43, 107, 53, 109, [255; 3]);
    assert!(states(&pixels).iter().all(|state| *state == OnOff::Unknown));
}

/// A pill with round ends and a knob in it.
fn pill(pixels: &mut Pixels, x: u32, y: u32, track: Rgb, knob_right: bool) {
    let (width, height) = (44i64, 24i64);
    let inside = |dx: i64, dy: i64, centre: i64, radius: i64| {
        let (a, b) = (2 * dx + 1 - 2 * centre, 2 * dy + 1 - height);
        a * a + b * b <= 4 * radius * radius
    };
    for dy in 0..height {
        for dx in 0..width {
            let round = inside(dx, dy, 12, 12) || inside(dx, dy, width - 12, 12) || (12..width - 12).contains(&dx);
            if round {
                pixels.set(x + dx as u32, y + dy as u32, track);
            }
            if inside(dx, dy, if knob_right { width - 12 } else { 12 }, 10) {
                pixels.set(x + dx as u32, y + dy as u32, [255; 3]);
            }
        }
    }
}

#[test]
fn switches() {
    let mut pixels = canvas(400, 300, [244; 3]);
    pill(&mut pixels, 40, 40, [190; 3], false);
    pill(&mut pixels, 40, 100, [50, 190, 90], true);
    // The knob says on, the colour says off.
    pill(&mut pixels, 40, 160, [190; 3], true);
    assert_eq!(states(&pixels), [OnOff::Off, OnOff::On, OnOff::Unknown]);
}
