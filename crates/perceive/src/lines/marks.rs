//! Which crossings of a lattice bear a mark. A crossing is empty if all the ground around it is that of its row, and
//! marked if something stands out on both sides of the line; whatever else is there, and anything between the lines,
//! leaves the row unknown. Whether all lines are in view is told by where the ground ends.

use surehand_types::Pixels;
use surehand_types::ui::OnOff;

use super::lattice::Lattice;
use crate::colour::{channel_difference, line};
use crate::shape::median;
use crate::state::Reading;

/// What differs from the ground by more is no ground.
const GROUND: u8 = 10;
/// Marks reach no further from their line than this part of the smaller pitch.
const MAX_MARK: f64 = 0.42;
/// A mark is seen at this distance from the line, on either side of it; lines are not as wide.
const BESIDE: i32 = 3;
/// Half the height in which that is looked for; and in which an empty crossing is empty, as a part of the row's.
const HALF_MARK: i32 = 1;
const HALF_ROW: f64 = 0.28;
/// Ground that is shorter than this before the first line may be cut there.
const MIN_MARGIN: i32 = 6;
/// How far ends may be off; a frame around the grid may lie over its last pixels.
const OFF: f64 = 1.6;
const FRAME: f64 = 2.6;
/// With fewer marks in the grid nothing shows that they stand on lines and not between them.
const MIN_MARKS: usize = 3;
/// Lines of one kind stand out by this part of the strongest at least.
const AS_STRONG: f64 = 0.85;
/// Steps to a beat. Where lines are fewer or more to a beat they are coarser or finer than the steps.
const BEAT: usize = 4;
/// Fewer lines may be beats or halves of them.
const MIN_STEPS: usize = 8;

/// States by row and column; `None` where the lattice is no grid of steps, or not all of it is in view.
pub(super) fn read(lattice: &Lattice, pixels: &Pixels) -> Option<Vec<Vec<Reading>>> {
    if !lattice.columns.len().is_multiple_of(BEAT) || lattice.columns.len() < MIN_STEPS || !beats_fit(lattice) {
        return None;
    }
    let grounds: Vec<Option<[u8; 3]>> = (0..lattice.rows.len()).map(|row| ground(lattice, row, pixels)).collect();
    let margins: Vec<Option<(i32, i32)>> =
        (0..grounds.len()).map(|row| Some(margins(lattice, row, &grounds[row]?, pixels))).collect();
    let usual = |side: fn(&(i32, i32)) -> i32| {
        median(&mut margins.iter().flatten().map(|margin| f64::from(side(margin))).collect::<Vec<f64>>())
    };
    let (left, right) = (usual(|margin| margin.0), usual(|margin| margin.1));
    if !is_whole(lattice, left, right) {
        return None;
    }
    let of_row = |row: usize| -> Option<Vec<Reading>> {
        let (own_left, own_right) = margins[row]?;
        let same = (f64::from(own_left) - left).abs() <= OFF && (f64::from(own_right) - right).abs() <= OFF;
        let ground = grounds[row]?;
        if !same || !is_clear_between(lattice, row, &ground, pixels) {
            return None;
        }
        (0..lattice.columns.len()).map(|column| crossing(lattice, row, column, &ground, pixels)).collect()
    };
    let unknown = vec![Reading::UNKNOWN; lattice.columns.len()];
    let readings: Vec<Vec<Reading>> = (0..grounds.len()).map(|row| of_row(row).unwrap_or(unknown.clone())).collect();
    let marks = readings.iter().flatten().filter(|reading| reading.state == OnOff::On).count();
    let read = readings.iter().flatten().filter(|reading| reading.state != OnOff::Unknown).count();
    // Hardly any pattern is as full; what was taken for marks would be something else.
    (marks >= MIN_MARKS && marks * 5 < read * 4).then_some(readings)
}

/// Where some lines are stronger than all others, they are the beats: every fourth, from the first on.
fn beats_fit(lattice: &Lattice) -> bool {
    let mut sorted = lattice.strengths.clone();
    sorted.sort_by(f64::total_cmp);
    // The strongest of all may be a player's line, which stands on any of them.
    let top = sorted.get(sorted.len().saturating_sub(2)).copied().unwrap_or(0.0);
    let strong: Vec<bool> = lattice.strengths.iter().map(|strength| *strength >= top * AS_STRONG).collect();
    let expected = |column: usize| column.is_multiple_of(BEAT);
    let odd: Vec<usize> = (0..strong.len()).filter(|column| strong[*column] != expected(*column)).collect();
    strong.iter().all(|strong| *strong)
        || odd.is_empty()
        || odd.len() == 1 && lattice.strengths[odd[0]] > top * (2.0 - AS_STRONG)
}

/// Whether no further line can be beyond the ends. Before the first there is some ground; after the last the ground ends
/// where the next line would be, or as far away as it begins before the first, or goes on for longer.
fn is_whole(lattice: &Lattice, left: f64, right: f64) -> bool {
    let half = (left - right).abs() <= OFF && (left - lattice.pitch / 2.0).abs() <= OFF;
    let next = (right - lattice.pitch).abs() <= FRAME;
    left >= f64::from(MIN_MARGIN) && (half || next || right > lattice.pitch + 2.0 * OFF)
}

fn mark_reach(lattice: &Lattice) -> i32 {
    (lattice.pitch.min(lattice.row_pitch) * MAX_MARK) as i32
}

/// The heights of a row in which there is nothing but marks.
fn heights(lattice: &Lattice, row: usize) -> std::ops::RangeInclusive<i32> {
    let (y, half) = (lattice.rows[row].floor() as i32, (lattice.row_pitch * HALF_ROW) as i32);
    y - half..=y + half
}

fn pixel(pixels: &Pixels, x: i32, y: i32) -> Option<[u8; 3]> {
    let inside = x >= 0 && y >= 0 && (x as u32) < pixels.width && (y as u32) < pixels.height;
    inside.then(|| line(pixels, y, x, x + 1).try_into().ok()).flatten()
}

fn is_ground(pixels: &Pixels, x: i32, y: i32, ground: &[u8; 3]) -> bool {
    pixel(pixels, x, y).is_some_and(|own| channel_difference(&own, ground) <= GROUND)
}

/// The colour half way between lines, if it is the same between nearly all of them.
fn ground(lattice: &Lattice, row: usize, pixels: &Pixels) -> Option<[u8; 3]> {
    let y = lattice.rows[row].floor() as i32;
    let between: Vec<[u8; 3]> = lattice
        .columns
        .windows(2)
        .filter_map(|pair| pixel(pixels, f64::midpoint(pair[0], pair[1]).floor() as i32, y))
        .collect();
    let usual = [0, 1, 2].map(|channel| {
        let mut values: Vec<u8> = between.iter().map(|own| own[channel]).collect();
        values.sort_unstable();
        values.get(values.len() / 2).copied().unwrap_or(0)
    });
    let same = between.iter().filter(|own| channel_difference(*own, &usual) <= GROUND).count();
    (same * 10 >= between.len() * 9 && !between.is_empty()).then_some(usual)
}

/// How far the ground goes on beyond the first and the last line.
fn margins(lattice: &Lattice, row: usize, ground: &[u8; 3], pixels: &Pixels) -> (i32, i32) {
    let y = lattice.rows[row].floor() as i32;
    let reach = (lattice.pitch * 1.5) as i32;
    let goes_on = |from: f64, direction: i32| {
        let ends = |away: &i32| !is_ground(pixels, from.floor() as i32 + direction * away, y, ground);
        // What stands on the line itself is no end.
        let start = (BESIDE..=mark_reach(lattice)).find(|away| !ends(away)).unwrap_or(0);
        (start..reach).find(ends).unwrap_or(reach)
    };
    (goes_on(lattice.columns[0], -1), goes_on(lattice.columns[lattice.columns.len() - 1], 1))
}

/// Whether nothing stands between the lines.
fn is_clear_between(lattice: &Lattice, row: usize, ground: &[u8; 3], pixels: &Pixels) -> bool {
    let reach = mark_reach(lattice);
    lattice.columns.windows(2).all(|pair| {
        let (from, to) = (pair[0].floor() as i32 + reach, pair[1].floor() as i32 - reach);
        (from..=to.max(from)).all(|x| heights(lattice, row).all(|y| is_ground(pixels, x, y, ground)))
    })
}

/// `None` if it is neither empty nor marked.
fn crossing(lattice: &Lattice, row: usize, column: usize, ground: &[u8; 3], pixels: &Pixels) -> Option<Reading> {
    let (x, y) = (lattice.columns[column].floor() as i32, lattice.rows[row].floor() as i32);
    let sides = [-1, 1].map(|side| {
        let near = (y - HALF_MARK..=y + HALF_MARK).filter(|y| !is_ground(pixels, x + side * BESIDE, *y, ground));
        let near = near.count() as i32;
        let any = (BESIDE..mark_reach(lattice))
            .flat_map(|away| heights(lattice, row).map(move |y| (x + side * away, y)))
            .any(|(x, y)| !is_ground(pixels, x, y, ground));
        (near == 2 * HALF_MARK + 1, any)
    });
    match sides {
        [(true, _), (true, _)] => Some(Reading::new(OnOff::On, 0.85)),
        [(_, false), (_, false)] => Some(Reading::new(OnOff::Off, 0.85)),
        _ => None,
    }
}
