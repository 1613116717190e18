//! Equal-pitch runs: spots of one size on one line whose distances are all the same, or the same with
//! one larger gap after every group of a fixed length.

use super::rectangles::Spot;
use crate::shape::{Rect, median};

/// Fewer equal things on a line are a coincidence, or too few to tell a pitch from.
pub(crate) const MIN_RUN: usize = 4;
/// Closer together than this they are letters.
const MIN_PITCH: f64 = 8.5;
/// A cell fills at least this part of its pitch; dots far apart are not a row of cells.
const MIN_FILLED: f64 = 0.5;

/// Spots of one line, left to right, all on `x = first + index * pitch` (plus gaps between groups).
#[derive(Debug, Clone)]
pub(crate) struct Run {
    /// Indices into the list of spots.
    pub(crate) members: Vec<usize>,
    pub(crate) pitch: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) y: f64,
}

impl Run {
    pub(crate) fn of(members: Vec<usize>, spots: &[Spot], pitch: f64) -> Run {
        let middle = |value: fn(&Spot) -> f64| {
            let mut values: Vec<f64> = members.iter().map(|index| value(&spots[*index])).collect();
            median(&mut values)
        };
        Run {
            width: middle(Spot::width),
            height: middle(Spot::height),
            y: middle(|spot| spot.centre().1),
            pitch,
            members,
        }
    }

    pub(crate) fn positions(&self, spots: &[Spot]) -> Vec<f64> {
        self.members.iter().map(|index| spots[*index].centre().0).collect()
    }
}

/// How far a position may be from where the pitch says it should be. Toolkits place cells on whole
/// logical pixels, so at scale 2 a pitch of 25.3 comes out as 24 and 26.
pub(crate) fn slack(pitch: f64) -> f64 {
    (pitch * 0.11).clamp(1.6, 4.0)
}

/// All runs, longest first; a spot is in one run at most.
pub(crate) fn runs(spots: &[Spot]) -> Vec<Run> {
    let mut used = vec![false; spots.len()];
    let mut found = Vec::new();
    for seed in 0..spots.len() {
        if used[seed] {
            continue;
        }
        let line = line_of(seed, spots, &used);
        let Some((members, pitch)) = longest_chain(&line, spots) else { continue };
        // A seed that is not in the longest chain of its line gets its turn again through other seeds.
        for index in &members {
            used[*index] = true;
        }
        found.push(Run::of(members, spots, pitch));
    }
    found.sort_by(|a, b| b.members.len().cmp(&a.members.len()).then(a.y.total_cmp(&b.y)));
    found
}

/// Spots of about the seed's size whose centre is on the seed's line.
fn line_of(seed: usize, spots: &[Spot], used: &[bool]) -> Vec<usize> {
    let of = &spots[seed];
    let y = of.centre().1;
    // A lit cell may have a bright lower edge that is no part of its area: the centre moves up a little.
    let reach = (of.height() * 0.12).clamp(1.5, 5.0);
    // Spots are sorted by their centre's height.
    let start = spots.partition_point(|spot| spot.centre().1 < y - reach - 2.0);
    let mut line: Vec<usize> = (start..spots.len())
        .take_while(|index| spots[*index].centre().1 <= y + reach + 2.0)
        .filter(|index| !used[*index] && (spots[*index].centre().1 - y).abs() <= reach)
        .filter(|index| similar(of, &spots[*index]))
        .collect();
    line.sort_by(|a, b| spots[*a].centre().0.total_cmp(&spots[*b].centre().0));
    line
}

/// Whether any of their rectangles are of one size: with other colours a bevel may or may not be part.
pub(crate) fn similar(one: &Spot, other: &Spot) -> bool {
    one.rects().iter().any(|a| other.rects().iter().any(|b| same_size(a, b)))
}

pub(crate) fn same_size(one: &Rect, other: &Rect) -> bool {
    let close = |a: i32, b: i32| f64::from((a - b).abs()) <= (f64::from(a.max(b)) * 0.25).max(4.0);
    close(one.width(), other.width()) && close(one.height(), other.height())
}

fn longest_chain(line: &[usize], spots: &[Spot]) -> Option<(Vec<usize>, f64)> {
    if line.len() < MIN_RUN {
        return None;
    }
    let mut best: Option<(Vec<usize>, f64)> = None;
    let mut tried: Vec<(usize, f64)> = Vec::new();
    for from in 0..line.len() {
        for to in from + 1..line.len().min(from + 3) {
            let start = spots[line[from]].centre().0;
            let pitch = spots[line[to]].centre().0 - start;
            let width = spots[line[from]].width();
            if pitch < MIN_PITCH || pitch < width * 0.9 || width < pitch * MIN_FILLED {
                continue;
            }
            // A chain that another start with this pitch already went through is not new.
            if tried.iter().any(|(end, known)| from < *end && (known - pitch).abs() <= slack(pitch)) {
                continue;
            }
            let (chain, pitch) = chain_from(&line[from..], spots, pitch);
            tried.push((from + chain.len(), pitch));
            if chain.len() >= MIN_RUN && best.as_ref().is_none_or(|(known, _)| chain.len() > known.len()) {
                best = Some((chain, pitch));
            }
        }
    }
    best
}

/// Goes right from the first of the line as long as the next one is where the pitch says. The pitch
/// is refined on the way: the first distance alone is off by up to a pixel.
fn chain_from(line: &[usize], spots: &[Spot], first_pitch: f64) -> (Vec<usize>, f64) {
    let mut chain = vec![line[0]];
    let start = spots[line[0]].centre().0;
    let mut pitch = first_pitch;
    for index in &line[1..] {
        let x = spots[*index].centre().0;
        let last = spots[chain[chain.len() - 1]].centre().0;
        let expected = last + pitch;
        if x < expected - slack(pitch) {
            continue;
        }
        if x > expected + slack(pitch) {
            break;
        }
        chain.push(*index);
        pitch = (x - start) / (chain.len() - 1) as f64;
    }
    (chain, pitch)
}
