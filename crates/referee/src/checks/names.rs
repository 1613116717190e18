//! Whether the name of a row or a switch is all of it. OCR drops the end of a name ("Closed" for "Closed Hat") and reads
//! a menu that lies over a row as its name, and is sure of both; the row that a contract means is then another one.
//! So a name counts only where nothing that looks like more of it stands beside it.

use surehand_types::Pixels;
use surehand_types::ui::{Anchor, PixelBox, UiState};

/// How far more of a name may be away, in heights of its letters: a space is a third of one.
const REACH: f64 = 1.6;
/// Brightness that tells ink from ground, of 255.
const INK: i32 = 36;
/// Names begin at one edge where at least so many others do.
const ALIGNED_WITH: usize = 2;

/// Takes the confidence from names that may be a part of a name, or another thing's.
pub(crate) fn doubt(pixels: &Pixels, state: &mut UiState) {
    let places: Vec<Option<PixelBox>> = state
        .rows
        .iter()
        .map(|row| row.label.as_deref().and_then(|label| place_of(label, row.bbox, &state.anchors)))
        .collect();
    let heights: Vec<i64> =
        places.iter().zip(&state.rows).filter_map(|(place, row)| Some(above_middle((*place)?, row.bbox))).collect();
    let doubtful: Vec<bool> = places
        .iter()
        .enumerate()
        .map(|(index, place)| match place {
            Some(place) => {
                is_cut(pixels, *place, &state.rows[index].bbox)
                    || is_out_of_line(pixels, index, &places)
                    || is_out_of_step(*place, state.rows[index].bbox, &heights)
            }
            // Where it was read is not known, so what stands beside it is not either.
            None => true,
        })
        .collect();
    for (row, doubtful) in state.rows.iter_mut().zip(doubtful) {
        if doubtful && row.label.is_some() {
            row.label_conf = 0.0;
        }
    }
    for toggle in &mut state.toggles {
        let Some(label) = &toggle.label else { continue };
        let place = place_of(label, toggle.bbox, &state.anchors);
        if place.is_none_or(|place| is_cut(pixels, place, &toggle.bbox)) {
            toggle.label = None;
        }
    }
}

/// The box of the words that make up a name, on the line of what it names.
fn place_of(label: &str, named: PixelBox, anchors: &[Anchor]) -> Option<PixelBox> {
    let middle = |bounds: &PixelBox| (bounds[1] + bounds[3]) / 2;
    let on_line = |anchor: &&Anchor| (named[1]..=named[3]).contains(&middle(&anchor.bbox));
    let mut line: Vec<&Anchor> = anchors.iter().filter(on_line).collect();
    line.sort_by_key(|anchor| anchor.bbox[0]);
    let wanted: Vec<&str> = label.split_whitespace().collect();
    let words: Vec<&str> = line.iter().map(|anchor| anchor.text.trim()).collect();
    let at = words.windows(wanted.len().max(1)).position(|window| window == wanted.as_slice())?;
    let found = &line[at..at + wanted.len()];
    Some(found.iter().skip(1).fold(found.first()?.bbox, |all, anchor| {
        let [x0, y0, x1, y1] = anchor.bbox;
        [all[0].min(x0), all[1].min(y0), all[2].max(x1), all[3].max(y1)]
    }))
}

/// Ink right behind the name, up to what it names.
fn is_cut(pixels: &Pixels, name: PixelBox, named: &PixelBox) -> bool {
    let height = f64::from(name[3].saturating_sub(name[1]).max(6));
    let reach = (height * REACH) as u32;
    let right = [name[2] + 2, name[1], (name[2] + 2 + reach).min(pixels.width), name[3]];
    // What is named stands there itself.
    let right = if named[0] >= name[2] {
        [right[0], right[1], right[2].min(named[0].saturating_sub(2)), right[3]]
    } else {
        right
    };
    let before = match named[2] <= name[0] {
        // Between a box and its name there is nothing.
        true => [named[2] + 2, name[1], name[0].saturating_sub(2), name[3]],
        false => [0, 0, 0, 0],
    };
    has_ink(pixels, right) || has_ink(pixels, before)
}

/// The other names begin at one edge, and this one elsewhere: its beginning is lost, or it is not a name of this list.
fn is_out_of_line(pixels: &Pixels, index: usize, places: &[Option<PixelBox>]) -> bool {
    let Some(own) = places[index] else { return true };
    let near = own[3].saturating_sub(own[1]).max(8) / 2;
    let others = places.iter().enumerate().filter(|(other, _)| *other != index).filter_map(|(_, place)| *place);
    let lefts: Vec<u32> = others.map(|place| place[0]).collect();
    let beside = |edge: u32| lefts.iter().filter(|left| left.abs_diff(edge) <= near).count();
    let Some(edge) =
        lefts.iter().copied().filter(|left| beside(*left) >= ALIGNED_WITH).min_by_key(|left| left.abs_diff(own[0]))
    else {
        return false;
    };
    if own[0].abs_diff(edge) <= near {
        return false;
    }
    // Names that end at one edge begin where they like, with nothing before them.
    own[0] < edge || has_ink(pixels, [edge.saturating_sub(2), own[1], own[0].saturating_sub(2), own[3]])
}

/// Names stand at one height beside their rows. What stands at another one (a menu over the names) names something else.
fn is_out_of_step(name: PixelBox, row: PixelBox, heights: &[i64]) -> bool {
    if heights.len() < 2 {
        return false;
    }
    let mut sorted = heights.to_vec();
    sorted.sort_unstable();
    let usual = sorted[sorted.len() / 2];
    // Letters that reach below the line move the middle by this much.
    let play = (i64::from(name[3].saturating_sub(name[1])) / 4).max(3);
    let agrees = |height: &i64| (height - usual).abs() <= play;
    !agrees(&above_middle(name, row)) || heights.iter().filter(|height| agrees(height)).count() * 2 <= heights.len()
}

/// How far the middle of a name is above that of its row, in pixels.
fn above_middle(name: PixelBox, row: PixelBox) -> i64 {
    (i64::from(row[1]) + i64::from(row[3]) - i64::from(name[1]) - i64::from(name[3])) / 2
}

/// Strokes as tall as a small letter. A ground of one colour, or of a gradient, has none.
fn has_ink(pixels: &Pixels, [x0, y0, x1, y1]: PixelBox) -> bool {
    let (x1, y1) = (x1.min(pixels.width), y1.min(pixels.height));
    if x0 >= x1 || y0 >= y1 {
        return false;
    }
    let brightness = |x: u32, y: u32| {
        pixels
            .at(x, y)
            .map_or(0, |[red, green, blue]| (i32::from(red) * 3 + i32::from(green) * 6 + i32::from(blue)) / 10)
    };
    let mut all: Vec<i32> =
        (y0..y1).flat_map(|y| (x0..x1).map(move |x| (x, y))).map(|(x, y)| brightness(x, y)).collect();
    all.sort_unstable();
    let ground = all[all.len() / 2];
    let tall = ((y1 - y0) / 3).max(3);
    (x0..x1).any(|x| (y0..y1).filter(|y| (brightness(x, *y) - ground).abs() > INK).count() as u32 >= tall)
}

#[cfg(test)]
mod tests {
    use super::*;
    use surehand_types::ui::{OnOff, UiCell, UiRow, UiSource, UiToggle};

    fn picture(ink: &[PixelBox]) -> Pixels {
        let mut pixels = Pixels::new(400, 200, vec![20; 400 * 200 * 3]).unwrap();
        for [x0, y0, x1, y1] in ink {
            for y in *y0..*y1 {
                for x in (*x0..*x1).step_by(3) {
                    let at = ((y * 400 + x) * 3) as usize;
                    pixels.rgb[at..at + 3].fill(230);
                }
            }
        }
        pixels
    }

    fn row(label: &str, y: u32) -> UiRow {
        let cell = UiCell { index: 1, bbox: [200, y, 220, y + 20], state: OnOff::On, conf: 1.0 };
        UiRow {
            label: Some(label.into()),
            label_conf: 0.95,
            bbox: [200, y, 390, y + 20],
            conf: 1.0,
            enabled: OnOff::Unknown,
            cells: vec![cell],
            complete: OnOff::On,
        }
    }

    fn word(text: &str, bbox: PixelBox) -> Anchor {
        Anchor { text: text.into(), bbox, conf: 0.95 }
    }

    fn told(names: &[(&str, u32, u32)], ink: &[PixelBox]) -> Vec<f64> {
        let mut state = UiState::empty(UiSource::Pixels, 400, 200);
        let mut all = ink.to_vec();
        for (index, (name, left, right)) in (0..).zip(names) {
            let y = 10 + 30 * index;
            state.rows.push(row(name, y));
            state.anchors.push(word(name, [*left, y + 4, *right, y + 16]));
            all.push([*left, y + 4, *right, y + 16]);
        }
        doubt(&picture(&all), &mut state);
        state.rows.iter().map(|row| row.label_conf).collect()
    }

    #[test]
    fn a_name_with_more_of_it_behind_is_none() {
        assert_eq!(told(&[("Kick", 40, 70), ("Closed", 40, 90)], &[]), [0.95, 0.95]);
        // The second half of the second name was not read.
        assert_eq!(told(&[("Kick", 40, 70), ("Closed", 40, 90)], &[[96, 44, 120, 56]]), [0.95, 0.0]);
        // Far away is something else.
        assert_eq!(told(&[("Kick", 40, 70)], &[[120, 14, 150, 26]]), [0.95]);
    }

    #[test]
    fn a_name_that_begins_elsewhere_is_doubted() {
        let names = [("Kick", 40, 70), ("Snare", 40, 80), ("Rim", 100, 125)];
        // Its beginning was not read.
        assert_eq!(told(&names, &[[40, 74, 92, 86]])[2], 0.0);
        // Names that end at one edge have nothing before them.
        assert_eq!(told(&names, &[])[2], 0.95);
        // A menu that begins left of all names.
        assert_eq!(told(&[("Kick", 40, 70), ("Snare", 40, 80), ("Quit", 8, 30)], &[])[2], 0.0);
    }

    #[test]
    fn a_menu_over_the_names_names_no_row() {
        let mut state = UiState::empty(UiSource::Pixels, 400, 200);
        let entries = [("New", 12), ("Open", 44), ("Save", 64), ("Quit", 108)];
        let mut ink = Vec::new();
        for (index, (entry, y)) in (0..).zip(entries) {
            state.rows.push(row(entry, 10 + 30 * index));
            state.anchors.push(word(entry, [40, y, 70, y + 12]));
            ink.push([40, y, 70, y + 12]);
        }
        doubt(&picture(&ink), &mut state);
        assert!(state.rows.iter().all(|row| row.label_conf == 0.0), "{:?}", state.rows);
    }

    #[test]
    fn a_name_that_nobody_saw_is_doubted() {
        let mut state = UiState::empty(UiSource::Pixels, 400, 200);
        state.rows.push(row("Kick", 10));
        doubt(&picture(&[]), &mut state);
        assert_eq!(state.rows[0].label_conf, 0.0);
    }

    #[test]
    fn a_switch_with_ink_between_it_and_its_name_has_no_name() {
        let toggle = UiToggle { label: Some("accept".into()), bbox: [10, 10, 24, 24], state: OnOff::On, conf: 1.0 };
        for (ink, kept) in [(vec![], true), (vec![[30, 11, 33, 23]], false)] {
            let mut state = UiState::empty(UiSource::Pixels, 400, 200);
            state.toggles.push(toggle.clone());
            state.anchors.push(word("accept", [40, 11, 80, 23]));
            doubt(&picture(&ink), &mut state);
            assert_eq!(state.toggles[0].label.is_some(), kept);
        }
    }
}
